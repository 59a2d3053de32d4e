"""Scripts that find what is amiss in how a page is laid out: each gives the elements or texts concerned."""

TOLERANCE_PX = 2
APART = ".visually-hidden, .card, svg, .skip, .cm-editor, pre, [data-keep-scroll], .controls, script"
"""Where text lies on text on purpose, or is not seen, or scrolls."""

WIDER_THAN_THE_PAGE = "() => document.documentElement.scrollWidth - innerWidth"
"""In pixels, the one number among them."""

CUT_OFF = f"""() => {{
  const scrolls = (box) => /auto|scroll/.test(getComputedStyle(box).overflowX);
  const within = (box) => {{
    for (let at = box; at; at = at.parentElement) {{
      if (scrolls(at) || at.matches(".visually-hidden, .card, svg")) return true;
      const {{ clipPath, maskImage, textOverflow }} = getComputedStyle(at);
      if (clipPath !== "none" || maskImage !== "none" || textOverflow === "ellipsis") return true; // on purpose
    }}
    return false;
  }};
  return [...document.querySelectorAll("body *")].filter((box) => {{
    const style = getComputedStyle(box);
    if (!box.checkVisibility({{ visibilityProperty: true }}) || within(box)) return false;
    const clips = style.overflowX !== "visible" && box.scrollWidth > box.clientWidth + {TOLERANCE_PX};
    const words = [...box.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const edges = box.getBoundingClientRect();
    return clips || (words && (edges.right > innerWidth + {TOLERANCE_PX} || edges.left < -{TOLERANCE_PX}));
  }}).map((box) => box.outerHTML.slice(0, 160));
}}"""

OVERLAPPING = f"""() => {{
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {{
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility({{ visibilityProperty: true, opacityProperty: true }})) continue;
    if (parent.closest("{APART}")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    let clip = {{ left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity }};
    for (let at = parent; at; at = at.parentElement) {{
      if (getComputedStyle(at).overflow === "visible") continue;
      const edge = at.getBoundingClientRect();
      clip = {{
        left: Math.max(clip.left, edge.left),
        right: Math.min(clip.right, edge.right),
        top: Math.max(clip.top, edge.top),
        bottom: Math.min(clip.bottom, edge.bottom),
      }};
    }}
    for (const line of range.getClientRects()) {{
      const seen = {{
        node,
        left: Math.max(line.left, clip.left),
        right: Math.min(line.right, clip.right),
        top: Math.max(line.top, clip.top) + line.height * 0.2,
        bottom: Math.min(line.bottom, clip.bottom) - line.height * 0.2,
      }};
      if (seen.right - seen.left > 1 && seen.bottom - seen.top > 1) boxes.push(seen);
    }}
  }}
  boxes.sort((one, other) => one.top - other.top);
  const found = [];
  boxes.forEach((one, index) => {{
    for (const other of boxes.slice(index + 1)) {{
      if (other.top >= one.bottom) break;
      if (one.node === other.node) continue;
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      if (wide > {TOLERANCE_PX}) found.push([one, other].map((each) => each.node.data.trim().slice(0, 60)).join(" | "));
    }}
  }});
  return found;
}}"""

UNSEEN_FOCUS = """() => {
  const wanted = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  const outlined = (style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  const drawn = (style) => outlined(style) || style.boxShadow !== "none";
  return [...document.querySelectorAll(wanted)].filter((one) => {
    if (one.disabled || !one.checkVisibility({ visibilityProperty: true })) return false;
    one.focus({ preventScroll: true });
    if (document.activeElement !== one) return false;
    const near = [one, one.parentElement, one.nextElementSibling, one.closest(".cm-editor, .drop, label, .field")];
    return !near.some((box) => box && drawn(getComputedStyle(box)));
  }).map((one) => one.outerHTML.slice(0, 160));
}"""
