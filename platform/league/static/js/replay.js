// Steps through a game on the page that the server drew: the same elements, filled from the frames in the page.

const frames = JSON.parse(document.getElementById("frames").textContent);
const last = frames.length - 1;
const SUITS = "CDHS";
const RANKS = { T: "10" };
const GLYPHS = { C: "♣\ufe0e", D: "♦\ufe0e", H: "♥\ufe0e", S: "♠\ufe0e" };

const find = (selector, root = document) => root.querySelector(selector);
const table = find("[data-table]");
const lobby = find("[data-lobby]");
const lobbyCards = find("[data-lobby-cards]");
const worth = find("[data-worth]");
const piles = [...document.querySelectorAll("[data-suit]")];
const sides = [0, 1].map((seat) => find(`[data-side="${seat}"]`));
const moveList = find("[data-moves]");
const moves = [...moveList.querySelectorAll("a")];
const scrub = find("[data-scrub]");
const slider = find("input[type=range]", scrub);
const number = find("[data-number]");
const live = find("[data-live]");
const views = [...document.querySelectorAll("[data-view]")];
const buttons = Object.fromEntries(
  [...document.querySelectorAll("[data-step]")].map((button) => [button.dataset.step, button]),
);
const faces = {
  shown: find("#card-face").content.firstElementChild,
  hidden: find("#card-hidden").content.firstElementChild,
};

const rounds = frames.flatMap((frame, at) => (frame.opens ? [at] : []));
const takes = frames.flatMap((frame, at) => (frame.what === "take" ? [at] : []));
let current = Number(slider.value);

function card(text, laidBy) {
  const [rank, suit] = text;
  const hidden = rank === "?";
  const made = (hidden ? faces.hidden : faces.shown).cloneNode(true);
  find("use", made).setAttribute("href", `#suit-${suit}`);
  const pile = find(`[data-suit="${suit}"] .visually-hidden`).textContent;
  if (hidden) {
    made.setAttribute("aria-label", `? ${pile}`);
    return made;
  }
  const shown = RANKS[rank] ?? rank;
  made.classList.replace("card-C", `card-${suit}`);
  if (laidBy) made.classList.add(`laid-${laidBy}`);
  find("b", made).textContent = shown;
  made.setAttribute("aria-label", `${shown} ${pile}`);
  return made;
}

function fill(list, cards, isNew = () => false) {
  list.replaceChildren(
    ...cards.map((made, at) => {
      const item = document.createElement("li");
      item.classList.toggle("is-new", isNew(at));
      item.append(made);
      return item;
    }),
  );
}

function takenItem(frame) {
  const item = document.createElement("li");
  const points = document.createElement("b");
  points.textContent = frame.says[frame.holder];
  const cards = words(frame.lobby).map(([rank, suit]) => (RANKS[rank] ?? rank) + GLYPHS[suit]);
  item.append(cards.join(" "), " ", points);
  return item;
}

const words = (text) => (text ? text.split(" ") : []);

function drawSide(frame, seat) {
  const side = sides[seat];
  side.classList.toggle("is-to-move", frame.toMove === seat);
  fill(find("[data-hand]", side), words(frame.hands[seat]).map((text) => card(text)));
  find("[data-points]", side).textContent = frame.scores[seat];
  const says = find("[data-says]", side);
  says.textContent = frame.says[seat];
  says.classList.toggle("is-silent", !frame.says[seat]);
  const taken = takes.filter((at) => at <= current && frames[at].holder === seat).reverse();
  find("[data-taken]", side).replaceChildren(...taken.map((at) => takenItem(frames[at])));
}

function drawLobby(frame, before) {
  const known = before && before.round === frame.round ? words(before.lobby) : [];
  const texts = words(frame.lobby);
  const isNew = (at) => {
    const same = known.indexOf(texts[at]);
    if (same >= 0) known.splice(same, 1);
    return same < 0;
  };
  fill(lobbyCards, texts.map((text, at) => card(text, { 0: "a", 1: "b" }[frame.by[at]])), isNew);
  worth.textContent = frame.worth;
  lobby.classList.toggle("held-a", frame.holder === 0);
  lobby.classList.toggle("held-b", frame.holder === 1);
}

function drawPiles(frame, before) {
  const counts = frame.piles.split("/");
  const were = before ? before.piles.split("/") : counts;
  for (const pile of piles) {
    const at = SUITS.indexOf(pile.dataset.suit);
    find("[data-count]", pile).textContent = counts[at];
    pile.classList.toggle("is-empty", counts[at] === "0");
    pile.classList.toggle("is-source", counts[at] !== were[at]);
  }
  table.classList.toggle("is-endgame", frame.what !== "start" && counts.every((count) => count === "0"));
}

function atMove(link, move) {
  const address = new URL(link.href);
  address.searchParams.set("move", move);
  link.href = address.search;
}

function drawControls() {
  const [roundBack, roundNext] = roundsAround();
  const targets = {
    first: 0,
    "round-back": roundBack,
    back: Math.max(0, current - 1),
    next: Math.min(last, current + 1),
    "round-next": roundNext,
    last,
  };
  for (const [name, move] of Object.entries(targets)) {
    atMove(buttons[name], move);
    buttons[name].classList.toggle("is-off", move === current);
  }
  for (const view of views) atMove(view, current);
  slider.value = current;
  number.textContent = current;
}

function roundsAround() {
  const back = rounds.findLast((at) => at < current) ?? 0;
  const next = rounds.find((at) => at > current) ?? last;
  return [back, next];
}

function drawMoves() {
  find("[aria-current]", moveList)?.removeAttribute("aria-current");
  const link = moves[current];
  link.setAttribute("aria-current", "step");
  const middle = link.offsetTop - moveList.offsetTop - (moveList.clientHeight - link.clientHeight) / 2;
  moveList.scrollTop = middle;
}

function draw() {
  const frame = frames[current];
  const before = frames[current - 1];
  table.className = table.className.replace(/after-\w+/, `after-${frame.what}`);
  drawSide(frame, 0);
  drawSide(frame, 1);
  drawPiles(frame, before);
  drawLobby(frame, before);
  drawControls();
  drawMoves();
}

// Safari refuses more than a hundred addresses in ten seconds, which dragging the slider would reach.
let keeping = 0;
function keepAddress() {
  clearTimeout(keeping);
  keeping = setTimeout(() => {
    const address = new URL(location.href);
    address.searchParams.set("move", current);
    history.replaceState(null, "", address);
  }, 120);
}

function go(move) {
  const wanted = Math.min(last, Math.max(0, move));
  if (wanted === current) return;
  current = wanted;
  draw();
  const seat = { 0: "A", 1: "B" }[frames[current].seat] ?? "";
  live.textContent = `${seat} ${moves[current].textContent.trim()}`;
  keepAddress();
}

function onClick(event) {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(Number(new URL(link.href).searchParams.get("move")));
}

const keys = {
  ArrowRight: () => go(current + 1),
  ArrowLeft: () => go(current - 1),
  Home: () => go(0),
  End: () => go(last),
  PageDown: () => go(roundsAround()[1]),
  PageUp: () => go(roundsAround()[0]),
};

function onKey(event) {
  const act = keys[event.key];
  if (!act || event.altKey || event.ctrlKey || event.metaKey || event.target === slider) return;
  event.preventDefault();
  act();
}

find("[data-controls]").addEventListener("click", onClick);
moveList.addEventListener("click", onClick);
slider.addEventListener("input", () => go(Number(slider.value)));
scrub.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", onKey);
find("button", scrub).hidden = true;
find("[data-help]").hidden = false;
draw();
