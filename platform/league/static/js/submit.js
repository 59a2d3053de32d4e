// A file dropped on the zone goes into its file input, which works without this too.

const form = document.querySelector("[data-submit]");
const zone = form.querySelector("[data-drop]");
const input = zone.querySelector("input[type=file]");
const title = zone.querySelector("[data-drop-title]");
const bot = form.querySelector("select[name=bot]");
const newName = form.querySelector("[data-new-name]");
const asked = title.textContent;

zone.querySelector("[data-drop-hint]").hidden = false;

function showChosen() {
  title.textContent = input.files[0]?.name ?? asked;
}

for (const over of ["dragenter", "dragover"]) {
  zone.addEventListener(over, (event) => {
    event.preventDefault();
    zone.classList.add("is-over");
  });
}
for (const away of ["dragleave", "drop"]) {
  zone.addEventListener(away, () => zone.classList.remove("is-over"));
}
zone.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length) input.files = event.dataTransfer.files;
  showChosen();
});
input.addEventListener("change", showChosen);

if (bot && newName) {
  const offer = () => (newName.hidden = bot.value !== "");
  bot.addEventListener("change", offer);
  offer();
}

const send = form.querySelector("[data-send]");
form.addEventListener("submit", () => {
  send.disabled = true;
});
addEventListener("pageshow", () => {
  send.disabled = false;
});

// What is wrong with an upload comes as a refusal, and is shown where the check would be.
form.addEventListener("htmx:beforeSwap", (event) => {
  if ([400, 429].includes(event.detail.xhr.status)) event.detail.shouldSwap = true;
});
