// Times in the reader's own zone, which is named: exact ones as text, the others on hover.

const clock = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium" }); // 2026-01-31 18:05:00
const zone = new Intl.DateTimeFormat(document.documentElement.lang, { timeZoneName: "short" });

function exact(moment) {
  const name = zone.formatToParts(moment).find((part) => part.type === "timeZoneName").value;
  return `${clock.format(moment)} ${name}`;
}

function show() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.valueOf())) continue;
    if ("exact" in time.dataset) {
      time.textContent = exact(moment);
      if (moment.getTimezoneOffset()) time.closest(".own-zone")?.removeAttribute("hidden");
    }
    else time.title = exact(moment);
  }
}

show();
addEventListener("htmx:afterSettle", show);
