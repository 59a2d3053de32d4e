// Parts of a page that htmx replaces keep what the reader was doing in them: where it was scrolled, what had the focus.

let kept = null;

function places(part) {
  return [...part.querySelectorAll("[data-keep-scroll]")].map((box) => [box.scrollLeft, box.scrollTop]);
}

addEventListener("htmx:beforeSwap", ({ detail }) => {
  const part = detail.target;
  if (!part.matches("[data-live]")) return;
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  kept = {
    id: part.id,
    places: places(part),
    link: focused?.getAttribute("href"),
    box: focused?.matches("[data-keep-scroll]") ?? false,
  };
});

addEventListener("htmx:afterSwap", () => {
  const part = kept && document.getElementById(kept.id);
  if (!part) return;
  const boxes = [...part.querySelectorAll("[data-keep-scroll]")];
  boxes.forEach((box, index) => box.scrollTo(...(kept.places[index] ?? [0, 0])));
  const focused = kept.box ? boxes[0] : kept.link && part.querySelector(`a[href="${CSS.escape(kept.link)}"]`);
  focused?.focus({ preventScroll: true });
  kept = null;
});
