// The table of a replay: fills the elements that the server drew with any frame of the game.

const SUITS = "CDHS";
const GLYPHS = { C: "♣\ufe0e", D: "♦\ufe0e", H: "♥\ufe0e", S: "♠\ufe0e" };
const SEATS = ["A", "B"];
const MOTION_MS = 160;

const still = matchMedia("(prefers-reduced-motion: reduce)");
const words = (text) => (text ? text.split(" ") : []);
export const find = (selector, root = document) => root.querySelector(selector);
export const findAll = (selector, root = document) => [...root.querySelectorAll(selector)];

// A frame for each move. A 0 in a column stands for what was there before.
export function frames(columns) {
  const made = columns.what.map(() => ({}));
  for (const [name, column] of Object.entries(columns)) {
    let known = column[0];
    column.forEach((value, at) => {
      if (value !== 0) known = value;
      made[at][name] = known;
    });
  }
  return made;
}

export class Table {
  constructor(stage, film, ranks) {
    this.film = film;
    this.ranks = ranks;
    this.takes = film.flatMap((frame, at) => (frame.what === "take" ? [at] : []));
    this.root = find("[data-table]", stage);
    this.lobby = find("[data-lobby]", stage);
    this.lobbyCards = find("[data-lobby-cards]", stage);
    this.worth = find("[data-worth]", stage);
    this.piles = findAll("[data-suit]", stage);
    this.sides = Object.fromEntries(SEATS.map((seat) => [seat, find(`[data-side="${seat}"]`, stage)]));
    this.faces = {
      shown: find("#card-face").content.firstElementChild,
      hidden: find("#card-hidden").content.firstElementChild,
    };
  }

  // Steps forward by one are in motion, all others are not.
  draw(at, cameFrom) {
    const frame = this.film[at];
    const before = this.film[at - 1];
    this.moving = cameFrom === at - 1 && !still.matches;
    this.root.className = this.root.className.replace(/after-\w+/, `after-${frame.what}`);
    for (const seat of SEATS) this.drawSide(frame, at, seat);
    this.drawPiles(frame, before);
    this.drawLobby(frame, before);
    if (this.moving && frame.what === "take") this.slide(frame);
  }

  drawSide(frame, at, seat) {
    const side = this.sides[seat];
    side.classList.toggle("is-to-move", frame.toMove === seat);
    this.fill(find("[data-hand]", side), words(frame[`hand${seat}`]).map((text) => this.card(text)));
    this.countTo(find("[data-points]", side), frame[`points${seat}`]);
    const says = find("[data-says]", side);
    says.textContent = frame[`says${seat}`];
    says.classList.toggle("is-silent", !frame[`says${seat}`]);
    find("[data-thought]", side).textContent = frame[`thought${seat}`] || "–";
    find("[data-bank]", side).textContent = frame[`bank${seat}`];
    const fault = frame.what === "fault" && frame.seat === seat ? frame.fault : "";
    find("[data-fault]", side).hidden = !fault;
    find("[data-reason]", side).textContent = fault;
    const taken = this.takes.filter((take) => take <= at && this.film[take].holder === seat).reverse();
    find("[data-taken]", side).replaceChildren(...taken.map((take) => this.takenItem(this.film[take])));
  }

  drawPiles(frame, before) {
    const counts = frame.piles.split("/");
    const were = before ? before.piles.split("/") : counts;
    for (const pile of this.piles) {
      const at = SUITS.indexOf(pile.dataset.suit);
      find("[data-count]", pile).textContent = counts[at];
      pile.classList.toggle("is-empty", counts[at] === "0");
      pile.classList.toggle("is-source", counts[at] !== were[at]);
    }
    this.root.classList.toggle("is-endgame", frame.what !== "start" && counts.every((count) => count === "0"));
  }

  drawLobby(frame, before) {
    const known = before && before.round === frame.round ? words(before.lobby) : [];
    const texts = words(frame.lobby);
    const isNew = (at) => {
      const same = known.indexOf(texts[at]);
      if (same >= 0) known.splice(same, 1);
      return same < 0;
    };
    const laidBy = { A: "a", B: "b" };
    this.fill(this.lobbyCards, texts.map((text, at) => this.card(text, laidBy[frame.by[at]])), isNew);
    this.worth.textContent = frame.worth;
    this.lobby.classList.toggle("held-a", frame.holder === "A");
    this.lobby.classList.toggle("held-b", frame.holder === "B");
  }

  // A rank as it stands on a card, in the language of the page.
  face(rank) {
    return this.ranks[rank] ?? rank;
  }

  shown(text) {
    return words(text)
      .map(([rank, suit]) => this.face(rank) + GLYPHS[suit])
      .join(" ");
  }

  card(text, laidBy) {
    const [rank, suit] = text;
    const hidden = rank === "?";
    const made = (hidden ? this.faces.hidden : this.faces.shown).cloneNode(true);
    find("use", made).setAttribute("href", `#suit-${suit}`);
    const pile = find(".visually-hidden", this.piles[SUITS.indexOf(suit)]).textContent;
    if (hidden) {
      made.setAttribute("aria-label", `? ${pile}`);
      return made;
    }
    const face = this.face(rank);
    made.classList.replace("card-C", `card-${suit}`);
    if (laidBy) made.classList.add(`laid-${laidBy}`);
    find("b", made).textContent = face;
    made.setAttribute("aria-label", `${face} ${pile}`);
    return made;
  }

  fill(list, cards, isNew = () => false) {
    list.replaceChildren(
      ...cards.map((made, at) => {
        const item = document.createElement("li");
        item.classList.toggle("is-new", this.moving && isNew(at));
        item.append(made);
        return item;
      }),
    );
  }

  takenItem(frame) {
    const item = document.createElement("li");
    const points = document.createElement("b");
    points.textContent = frame[`says${frame.holder}`];
    item.append(this.shown(frame.lobby), " ", points);
    return item;
  }

  // The points of a side, which count up while a sequence is taken.
  countTo(element, points) {
    const from = Number(element.dataset.shown ?? element.textContent);
    element.dataset.shown = points;
    element.textContent = points;
    if (!this.moving || points <= from) return;
    const start = performance.now();
    const tick = (now) => {
      if (element.dataset.shown !== String(points)) return;
      const part = Math.min(1, Math.max(0, now - start) / MOTION_MS);
      element.textContent = Math.round(from + part * (points - from));
      if (part < 1) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  // The sequence slides from the lobby to where its taker keeps what it took.
  slide(frame) {
    const target = find("[data-taken] li", this.sides[frame.holder]);
    const cards = this.lobbyCards.cloneNode(true);
    cards.removeAttribute("data-lobby-cards");
    cards.classList.add("is-leaving");
    cards.setAttribute("aria-hidden", "true");
    this.lobbyCards.after(cards);
    const [from, to] = [cards, target].map((element) => element.getBoundingClientRect());
    const away = `translate(${to.left - from.left}px, ${to.top - from.top}px) scale(0.35)`;
    const flight = cards.animate(
      { transform: ["none", away], opacity: [1, 0.3] },
      { duration: MOTION_MS, easing: "ease-in" },
    );
    flight.onfinish = flight.oncancel = () => cards.remove();
  }
}
