// Plays a match on the page that the server drew: step by step, by itself, and on to its other games.

import { Table, find, findAll, frames } from "./replay-table.js";

const STEP_MS = 900;
const TAKE_MS = 1500;
const NEXT_GAME_MS = 2500;
const QUIET_MS = 2500;
const KEPT_SPEED = "replay-speed";

const player = find("[data-player]");
const live = find("[data-live]", player);
let playing = false;
let speed = keptSpeed();
let timer = 0;
let keeping = 0;
let loads = 0;
let loading = false;
let saidAt = 0;
let game;

// One game in one view: the elements of the stage and the frames that came with it.
class Game {
  constructor(stage) {
    const film = JSON.parse(find("#film", stage).textContent);
    this.stage = stage;
    this.frames = frames(film.columns);
    this.rounds = film.rounds;
    this.last = this.frames.length - 1;
    this.table = new Table(stage, this.frames, film.ranks);
    this.controls = find("[data-controls]", stage);
    this.moveList = find("[data-moves]", stage);
    this.moves = findAll("a", this.moveList);
    this.scrub = find("[data-scrub]", stage);
    this.slider = find("input[type=range]", this.scrub);
    this.views = findAll("[data-views] a", stage);
    this.walls = this.moves.map((link) => find("[data-wall]", link)?.textContent ?? "");
    this.printed = JSON.parse(find("#printed", stage)?.textContent ?? "{}");
    this.nextGame = this.link("next").dataset.nextGame;
    this.current = Number(this.slider.value);
    this.place = placeOf(new URL(location.href));
    this.reveal();
    this.draw(this.current);
  }

  link(id) {
    return find(`#${id}`, this.controls);
  }

  // What works with this script alone, and what is needed without it alone.
  reveal() {
    find("button:not([type])", this.scrub).hidden = true;
    this.link("play").hidden = false;
    this.link("full").hidden = !document.fullscreenEnabled;
    find("[data-speed]", this.controls).hidden = false;
    find("#speed", this.controls).value = speed;
    this.drawPlaying();
    this.drawFull();
  }

  draw(cameFrom) {
    this.table.draw(this.current, cameFrom);
    this.drawControls();
    this.drawMoves();
    this.drawWalls();
    this.drawPrinted();
  }

  drawPlaying() {
    show(find('[data-when="paused"]', this.controls), !playing);
    show(find('[data-when="playing"]', this.controls), playing);
  }

  drawFull() {
    this.link("full").setAttribute("aria-pressed", String(document.fullscreenElement === player));
  }

  drawControls() {
    const { current, last } = this;
    const targets = {
      first: 0,
      "round-back": this.roundBack(),
      back: Math.max(0, current - 1),
      next: Math.min(last, current + 1),
      "round-next": this.roundNext(),
      last,
    };
    for (const [id, move] of Object.entries(targets)) {
      atMove(this.link(id), move);
      this.link(id).classList.toggle("is-off", move === current);
    }
    const ends = current === last && this.nextGame !== "";
    if (ends) {
      this.link("next").setAttribute("href", this.nextGame);
      this.link("next").classList.remove("is-off");
    }
    show(find('[data-when="at-end"]', this.controls), ends);
    show(find('[data-when="inside"]', this.controls), !ends);
    for (const view of this.views) atMove(view, current);
    this.slider.value = current;
    this.slider.setAttribute("aria-valuetext", this.words());
    find("[data-number]", this.scrub).textContent = current;
  }

  drawMoves() {
    find("[aria-current]", this.moveList)?.removeAttribute("aria-current");
    const link = this.moves[this.current];
    link.setAttribute("aria-current", "step");
    const room = this.moveList.clientHeight - link.clientHeight;
    this.moveList.scrollTop = link.offsetTop - this.moveList.offsetTop - room / 2;
  }

  // The wall time of each seat's latest decision, where the page has it.
  drawWalls() {
    for (const clock of findAll("[data-wall-clock]", this.stage)) {
      const { side } = clock.closest("[data-side]").dataset;
      const upToNow = this.walls.slice(0, this.current + 1);
      clock.textContent = upToNow.findLast((wall, at) => wall && this.frames[at].seat === side) ?? "–";
    }
  }

  drawPrinted() {
    for (const [seat, texts] of Object.entries(this.printed)) {
      const part = find(`[data-printed="${seat}"]`, this.stage);
      const text = texts[this.current] ?? "";
      find("[data-text]", part).textContent = text;
      show(find("[data-text]", part), text !== "");
      show(find("[data-nothing]", part), text === "");
    }
  }

  roundBack() {
    return this.rounds.findLast((at) => at < this.current) ?? 0;
  }

  roundNext() {
    return this.rounds.find((at) => at > this.current) ?? this.last;
  }

  // The move as a screen reader says it: `A lays 9♥`.
  words() {
    const said = this.moves[this.current].cloneNode(true);
    for (const aside of findAll("small, .prints", said)) aside.remove();
    return `${this.frames[this.current].seat} ${said.textContent.trim()}`.trim();
  }
}

function show(element, isShown) {
  element.hidden = !isShown;
}

function addressOf(link) {
  return new URL(link.getAttribute("href"), location.href);
}

function atMove(link, move) {
  const address = addressOf(link);
  address.searchParams.set("move", move);
  link.setAttribute("href", address.search);
}

function go(move) {
  const wanted = Math.min(game.last, Math.max(0, move));
  const cameFrom = game.current;
  if (wanted === cameFrom) return;
  game.current = wanted;
  game.draw(cameFrom);
  if (document.activeElement !== game.slider) say(game.words());
  keepAddress();
}

// While it plays fast, most moves go unsaid: they are in the list.
function say(text) {
  const now = performance.now();
  if (playing && now - saidAt < QUIET_MS) return;
  saidAt = now;
  live.textContent = text;
}

// Safari refuses more than a hundred addresses in ten seconds, which dragging the slider would reach.
function keepAddress() {
  clearTimeout(keeping);
  keeping = setTimeout(writeAddress, 120);
}

function writeAddress() {
  const address = new URL(location.href);
  address.searchParams.set("move", game.current);
  history.replaceState(null, "", address);
}

// Another game, or another view of this one, in place: full screen and playing go on.
async function load(address, remember) {
  const turn = ++loads;
  loading = true;
  clearTimeout(timer);
  clearTimeout(keeping);
  if (remember) writeAddress(); // that is where the way back leads
  let page;
  try {
    const answer = await fetch(address);
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    page = null;
  }
  if (turn !== loads) return;
  const stage = page && find("[data-stage]", page);
  if (!stage) {
    location.assign(address);
    return;
  }
  const focused = document.activeElement?.id;
  find("[data-stage]", player).replaceWith(stage);
  document.title = page.title;
  if (remember) history.pushState(null, "", address);
  game = new Game(stage);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  live.textContent = find("h1", stage).textContent;
  loading = false;
  wait();
}

// The game and the view that an address asks for; the rest of it is the move.
function placeOf(address) {
  return address.pathname + (address.searchParams.get("see") ?? "");
}

function follow(address, remember) {
  if (placeOf(address) === game.place) go(Number(address.searchParams.get("move")));
  else load(address, remember);
}

function onward() {
  if (game.current < game.last) go(game.current + 1);
  else if (game.nextGame) load(new URL(game.nextGame, location.href), true);
  else play(false);
}

function wait() {
  clearTimeout(timer);
  if (!playing || loading) return;
  const isTake = game.frames[game.current].what === "take";
  const step = isTake ? TAKE_MS : game.current === game.last ? NEXT_GAME_MS : STEP_MS;
  timer = setTimeout(() => {
    onward();
    wait();
  }, step / Number(speed));
}

function play(wanted) {
  playing = wanted;
  if (playing && game.current === game.last && !game.nextGame) go(0);
  game.drawPlaying();
  if (!playing) say(game.words());
  wait();
}

function keptSpeed() {
  try {
    return localStorage.getItem(KEPT_SPEED) ?? "1";
  } catch {
    return "1";
  }
}

function setSpeed(wanted) {
  speed = wanted;
  try {
    localStorage.setItem(KEPT_SPEED, speed);
  } catch {
    // it holds for this page alone
  }
  wait();
}

function toggleFull() {
  if (document.fullscreenElement) document.exitFullscreen();
  else player.requestFullscreen();
}

const keys = {
  Space: () => play(!playing),
  ArrowRight: onward,
  ArrowLeft: () => go(game.current - 1),
  Home: () => go(0),
  End: () => go(game.last),
  PageDown: () => go(game.roundNext()),
  PageUp: () => go(game.roundBack()),
  KeyF: () => document.fullscreenEnabled && toggleFull(),
};

function onKey(event) {
  const act = keys[event.code] ?? keys[event.key];
  if (!act || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("select, textarea, pre, input:not([type=range])")) return;
  if (event.code === "Space" && event.target.closest("button, summary")) return;
  event.preventDefault();
  act();
  wait();
}

function onClick(event) {
  if (event.target.closest("[data-play]")) play(!playing);
  else if (event.target.closest("[data-full]")) toggleFull();
  const link = event.target.closest("[data-controls] a, [data-moves] a, [data-views] a, [data-games] a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  follow(addressOf(link), true);
  wait();
}

function onInput(event) {
  if (event.target === game.slider) go(Number(game.slider.value));
  else if (event.target.id === "speed") setSpeed(event.target.value);
  wait();
}

player.addEventListener("click", onClick);
player.addEventListener("input", onInput);
player.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", onKey);
document.addEventListener("fullscreenchange", () => game.drawFull());
addEventListener("popstate", () => follow(new URL(location.href), false));
find("[data-help]").hidden = false;
game = new Game(find("[data-stage]", player));
