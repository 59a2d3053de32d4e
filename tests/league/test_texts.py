from league.texts import line, storable


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
