from league.texts import line, storable, visible


def test_what_databases_refuse_is_made_visible() -> None:
    assert storable("a\0b\ud800c\n", 100) == "a␀b\\ud800c\n"


def test_long_text_keeps_its_ends() -> None:
    found = storable("a" * 500 + "b" * 500, 200)
    assert len(found) <= 200
    assert found.startswith("aaa")
    assert found.endswith("bbb")
    assert "800 characters left out" in found


def test_a_line_is_one_line_and_printable() -> None:
    assert line("a\r\n b\x1b[31m\u202ec\0", 100) == "a b [31m c"
    assert line("x" * 20, 10) == "x" * 9 + "…"


def test_what_can_not_be_seen_is_shown_as_a_mark() -> None:
    assert visible("a\0b\x1b[31m\x7f\r\n\tc") == "a␀b␛[31m␡\n\tc"
    assert visible("a\u202eb\u200b\u2028\x85") == "a⟨U+202E⟩b⟨U+200B⟩⟨U+2028⟩⟨U+0085⟩"


def test_letters_of_all_scripts_and_joined_emoji_stay_as_they_are() -> None:
    words = "шестёрка ♠ 鬼 שלום e\u0301 👩\u200d💻 \xa0"
    assert visible(words) == words
