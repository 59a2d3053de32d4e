"""The replay player: every control, the keyboard, the address, the views, and what it says to whom."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.tabs import Tabs

if TYPE_CHECKING:
    from tests.e2e.conftest import League

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

Watch = Callable[..., Page]
NOTE_MOTION = """() => {
  window.lengthsMs = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    window.lengthsMs.push(options.duration);
    return animate.call(this, frames, options);
  };
}"""


@pytest.fixture
def watch(league: League, browser: Browser, tabs: Tabs) -> Iterator[Watch]:
    """Opens a game of a match of the scene, in a browser that shows motion; the page may not log an error."""
    with tabs.lent() as take:

        def watch(
            match: str = "completed_match", game: int = 1, query: str = "", who: str = "", **options: object
        ) -> Page:
            options = {"viewport": {"width": 1280, "height": 900}, **options}
            page = take(
                f"replay {options}",
                lambda: browser.new_context(base_url=league.address, **options),  # type: ignore[arg-type]
            ).page
            page.context.set_storage_state({"cookies": league.cookies(who), "origins": []})  # type: ignore[typeddict-item]
            page.goto(f"/matches/{league.subjects[match]}/games/{game}/{query}")
            return page

        yield watch


def at(page: Page, move: int) -> None:
    """It shows that move, in all places."""
    expect(page.locator("[data-number]")).to_have_text(str(move))
    expect(page.locator("#move")).to_have_value(str(move))
    expect(page.locator("[data-moves] [aria-current=step]")).to_have_attribute("href", re.compile(rf"move={move}\b"))


def played_past(page: Page, move: int) -> None:
    earlier = "|".join(str(each) for each in range(move + 1))
    expect(page.locator("[data-number]")).not_to_have_text(re.compile(f"^({earlier})$"))


def last_move(page: Page) -> int:
    return int(page.locator("#move").get_attribute("max") or 0)


def moves_of(page: Page, kind: str) -> list[int]:
    links = page.locator(f".move-{kind} a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    return [int(re.findall(r"move=(\d+)", link)[0]) for link in links]


def test_every_button_goes_where_it_says(watch: Watch) -> None:
    page = watch()
    last = last_move(page)
    rounds = [int(move) for move in page.evaluate("JSON.parse(document.getElementById('film').textContent).rounds")]
    at(page, 0)
    for button, move in [
        ("Next", 1),
        ("Next", 2),
        ("Back", 1),
        ("Round", rounds[0]),
        ("Round", rounds[1]),
        ("End", last),
        ("Start", 0),
    ]:
        page.locator(".steps").get_by_role("link", name=button, exact=True).last.click()
        at(page, move)
    page.locator("[data-moves] a").nth(11).click()
    at(page, 11)
    page.locator("#round-back").click()
    at(page, max(move for move in rounds if move < 11))
    page.locator("#move").fill("20")
    at(page, 20)
    expect(page).to_have_url(re.compile(r"\?move=20$"))


def test_the_keyboard_does_all_that_the_buttons_do(watch: Watch) -> None:
    page = watch()
    last = last_move(page)
    rounds = page.evaluate("JSON.parse(document.getElementById('film').textContent).rounds")
    for key, move in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("PageDown", rounds[0]),
        ("PageDown", rounds[1]),
        ("PageUp", rounds[0]),
        ("End", last),
        ("Home", 0),
    ]:
        page.keyboard.press(key)
        at(page, move)
    page.locator("#move").focus()
    page.keyboard.press("PageDown")  # with the slider in focus as well
    at(page, rounds[0])
    page.locator("#next").focus()
    page.keyboard.press("Enter")
    at(page, rounds[0] + 1)


def test_it_plays_by_itself_and_pauses(watch: Watch) -> None:
    page = watch()
    page.get_by_label("Speed").select_option("8×")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    played_past(page, 5)
    page.keyboard.press("Space")  # the button has the focus: it is pressed once, not twice
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    stopped = page.locator("[data-number]").text_content()
    page.wait_for_timeout(500)
    expect(page.locator("[data-number]")).to_have_text(str(stopped))
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    page.reload()
    expect(page.get_by_label("Speed")).to_have_value("8")


def test_it_plays_on_into_the_next_game(watch: Watch) -> None:
    page = watch(query="?see=A")
    page.get_by_label("Speed").select_option("8×")
    page.keyboard.press("End")
    expect(page.locator("#next")).to_contain_text("Next game")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Game 2 of 12")
    played_past(page, 2)
    expect(page).to_have_url(re.compile(r"/games/2/\?move=\d+&see=A$"))
    assert page.title().startswith("Game 2: ")
    page.keyboard.press("Space")


def test_from_the_last_move_one_steps_into_the_next_game_and_back(watch: Watch) -> None:
    page = watch()
    last = last_move(page)
    page.keyboard.press("End")
    at(page, last)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", level=1)).to_have_text("Game 2 of 12")
    at(page, 0)
    page.locator("[data-games] a").nth(6).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Game 7 of 12")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Game 2 of 12")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Game 1 of 12")
    at(page, last)
    final = watch(game=12)
    final.keyboard.press("End")
    at(final, last_move(final))
    final.keyboard.press("ArrowRight")
    at(final, last_move(final))


def test_a_reload_keeps_game_move_and_view(watch: Watch) -> None:
    page = watch(game=3, query="?see=B")
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    at(page, 7)
    expect(page).to_have_url(re.compile(r"/games/3/\?see=B&move=7$"))
    before = page.locator("[data-table]").inner_html()
    page.reload()
    at(page, 7)
    expect(page.get_by_role("heading", level=1)).to_have_text("Game 3 of 12")
    expect(page.locator("#see-b")).to_have_attribute("aria-current", "true")
    assert page.locator("[data-table] .card").count() == len(re.findall(r'class="card[ "]', before))


@pytest.mark.parametrize(("view", "own", "other"), [("a", "a", "b"), ("b", "b", "a")])
def test_a_seats_view_shows_no_card_that_it_does_not_know(watch: Watch, view: str, own: str, other: str) -> None:
    page = watch("foreign_match")  # in which both draw
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    move = int(page.locator("[data-number]").text_content() or 0)
    page.locator(f"#see-{view}").click()
    expect(page.locator(f"#see-{view}")).to_have_attribute("aria-current", "true")
    at(page, move)
    for _ in range(25):
        page.keyboard.press("ArrowRight")
        theirs = page.locator(f".side-{other} [data-hand] .card")
        assert theirs.count() == page.locator(f".side-{other} [data-hand] .card-back").count()
        assert theirs.locator("b").count() == 0  # no rank
        assert page.locator(f".side-{own} [data-hand] .card-back").count() == 0
    draws = page.locator(".move-draw a").filter(has=page.locator(f".seat-{other}")).all_inner_texts()
    assert draws
    assert all("draws a card of" in words for words in draws)
    hands = page.evaluate(f"JSON.parse(document.getElementById('film').textContent).columns.hand{other.upper()}")
    assert re.findall(r"[2-9TJQKA][CDHS]", " ".join(map(str, hands))) == []


def test_marks_lead_to_their_moves_and_have_words(watch: Watch) -> None:
    page = watch()
    taken = moves_of(page, "take")
    marks = page.locator("[data-marks] a")
    names = marks.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert [int(re.findall(r"^Move (\d+): [AB] takes ", name)[0]) for name in names if " takes " in name] == taken
    page.locator(f'[data-marks] a[aria-label^="Move {taken[1]}:"]').click()
    at(page, taken[1])


def test_a_capture_is_in_motion_for_less_than_a_fifth_of_a_second(watch: Watch) -> None:
    taken = moves_of(watch(), "take")[0]
    page = watch(query=f"?move={taken - 1}")
    points = page.locator("[data-points]").all_inner_texts()
    page.evaluate(NOTE_MOTION)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".note-take")).to_be_visible()
    lengths = page.evaluate("window.lengthsMs")
    assert lengths
    assert max(lengths) < 200
    expect(page.locator(".is-leaving")).to_have_count(0)
    assert page.locator("[data-points]").all_inner_texts() != points
    calm = watch(query=f"?move={taken - 1}", reduced_motion="reduce")
    calm.evaluate(NOTE_MOTION)
    calm.keyboard.press("ArrowRight")
    expect(calm.locator(".note-take")).to_be_visible()
    assert calm.evaluate("window.lengthsMs") == []
    expect(page.locator("[data-points]")).to_have_text(calm.locator("[data-points]").all_inner_texts())


def test_a_screen_reader_hears_each_step_but_no_flood(watch: Watch) -> None:
    page = watch()
    live = page.locator("[aria-live=polite]")
    page.keyboard.press("ArrowRight")
    expect(live).to_have_text(re.compile(r"^[AB] deals from (clubs|diamonds|hearts|spades)$"))
    page.keyboard.press("ArrowRight")
    expect(live).to_have_text(re.compile(r"^[AB] turns (10|[2-9JQKA])[♣♦♥♠]\ufe0e$"))
    page.evaluate(
        """window.said = 0;
        new MutationObserver(() => window.said++).observe(document.querySelector("[data-live]"), {childList: true})"""
    )
    page.get_by_label("Speed").select_option("8×")
    page.get_by_role("button", name="Play").click()
    played_past(page, 14)
    page.get_by_role("button", name="Pause").click()
    assert page.evaluate("window.said") <= 4


def test_the_match_in_full_screen_goes_on_from_game_to_game(watch: Watch) -> None:
    page = watch()
    page.keyboard.press("f")
    expect(page.locator("#full")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-games] a").nth(1).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Game 2 of 12")
    page.locator("#see-a").click()
    expect(page.locator("#see-a")).to_have_attribute("aria-current", "true")
    assert page.evaluate("document.fullscreenElement !== null")
    page.get_by_role("button", name="Full screen").click()
    expect(page.locator("#full")).to_have_attribute("aria-pressed", "false")


def test_the_last_position_shows_why_a_bot_forfeited(watch: Watch) -> None:
    page = watch("hostile_match")
    expect(page.locator("[data-fault]:visible")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator(".side-b [data-fault]")).to_be_visible()
    expect(page.locator(".side-b [data-fault]")).to_contain_text("Forfeits the match here:")
    expect(page.locator(".side-b [data-says]")).to_have_text("forfeit")
    expect(page.locator(".side-a [data-fault]")).to_be_hidden()
    assert page.locator("[data-table] img").count() == 0
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-fault]:visible")).to_have_count(0)
    page.locator("[data-marks] .mark-fault").click()
    expect(page.locator(".side-b [data-fault]")).to_be_visible()


def test_the_owner_reads_his_output_beside_the_move(watch: Watch) -> None:
    assert watch().locator("[data-printed]").count() == 0
    page = watch(who="staff")
    expect(page.locator("[data-printed] [data-text]")).to_have_text("ready\n")
    printing = page.locator(".move-list a:has(.prints)")
    expect(printing).to_have_count(2)
    page.keyboard.press("ArrowRight")
    texts = page.locator("[data-printed] [data-text]:visible")
    while texts.count() == 0:
        page.keyboard.press("ArrowRight")
    expect(texts).to_have_text("hand 9S TH\n")
    expect(page.locator("[data-moves] [aria-current=step] .prints")).to_have_count(1)


def test_the_owners_clock_shows_the_wall_time_of_his_latest_decision(watch: Watch) -> None:
    assert watch().locator("[data-wall], [data-wall-clock]").count() == 0
    page = watch(who="owner")
    clock = page.locator("[data-wall-clock]")
    expect(clock).to_have_text("–")
    timed = page.locator(".move-list a:has([data-wall])")
    for index in (2, 0):
        timed.nth(index).click()
        shown = timed.nth(index).locator("[data-wall]").inner_text()
        expect(clock).to_have_text(shown)
    page.keyboard.press("ArrowRight")  # the other's move
    expect(clock).to_have_text(shown)
    page.keyboard.press("Home")
    expect(clock).to_have_text("–")


def test_without_script_every_step_is_a_link(watch: Watch) -> None:
    page = watch(query="?see=A", java_script_enabled=False)
    for button in ("play", "full"):
        expect(page.locator(f"#{button}")).to_be_hidden()
    page.get_by_role("link", name="Next").click()
    expect(page.locator("[data-number]")).to_have_text("1")
    page.locator("[data-marks] a").first.click()
    assert int(page.locator("[data-number]").text_content() or 0) > 1
    page.locator("#move").fill("5")
    page.get_by_role("button", name="Go").click()
    expect(page).to_have_url(re.compile(r"move=5&see=A$"))
    page.get_by_role("link", name="End").click()
    page.get_by_role("link", name="Next game").click()
    expect(page).to_have_url(re.compile(r"/games/2/\?move=0&see=A$"))


def test_on_a_phone_the_controls_stay_at_hand(watch: Watch) -> None:
    page = watch("completed_match", 1, "?move=30", viewport={"width": 390, "height": 844}, has_touch=True)
    page.evaluate("document.fonts.ready")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for button in page.locator(".steps a, .steps button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["width"] >= 40
        assert box["height"] >= 44
        assert box["y"] + box["height"] <= 844
    page.locator("#next").tap()
    at(page, 31)
    for card in page.locator("[data-table] .card:not(.is-leaving .card)").all():
        box = card.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390


def test_the_record_is_downloaded_under_its_name(watch: Watch, league: League) -> None:
    page = watch()
    for form in ("json", "txt"):
        name = f"match-{league.subjects['completed_match']}.{form}"
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        assert download.value.suggested_filename == name
