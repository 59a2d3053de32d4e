"""Names of people and bots, Latin and Cyrillic, each once."""

from collections.abc import Iterable
from itertools import count
from random import Random

FIRST_AUTHOR = "ada"
CYRILLIC_SHARE = 0.3

GIVEN = (
    "ada", "alan", "amelie", "arjun", "bea", "boris", "chen", "clara", "dmitry", "elif", "emil", "fatima", "georg",
    "hana", "igor", "ines", "jonas", "kai", "lena", "luca", "maria", "mei", "nadia", "noor", "oleg", "olga",
    "pavel", "quinn", "rosa", "sami", "sofia", "tomas", "uma", "vera", "viktor", "wei", "yara", "yuri", "zoe",
)  # fmt: skip
FAMILY = (
    "abe", "banerjee", "castro", "dvorak", "eriksen", "fischer", "garcia", "haddad", "ivanova", "jansen", "kim",
    "lopez", "meyer", "novak", "okafor", "petrov", "quist", "rossi", "silva", "tanaka", "usman", "volkov", "weber",
    "xu", "yilmaz", "zhang",
)  # fmt: skip
GIVEN_CYRILLIC = (
    "Алексей", "Анна", "Борис", "Вера", "Глеб", "Дарья", "Егор", "Елена", "Жанна", "Зоя", "Игорь", "Кира", "Лев",
    "Марина", "Никита", "Ольга", "Павел", "Роман", "Софья", "Тимур", "Ульяна", "Фёдор", "Юлия", "Яна",
)  # fmt: skip
FIRST = (
    "Absent", "Blue", "Bold", "Broken", "Calm", "Careful", "Clever", "Cold", "Distant", "Double", "Early",
    "Eastern", "Empty", "Fast", "Final", "Golden", "Grand", "Grey", "Hidden", "Honest", "Hungry", "Iron", "Last",
    "Late", "Little", "Lucky", "Northern", "Old", "Open", "Patient", "Quiet", "Rapid", "Red", "Second", "Sharp",
    "Silent", "Sleepy", "Steady", "Third", "Wild",
)  # fmt: skip
SECOND = (
    "Ace", "Assembly", "Ballot", "Bishop", "Campaign", "Caucus", "Chamber", "Clerk", "Coalition", "Committee",
    "Counter", "Deck", "Delegate", "Elector", "Filibuster", "Gambler", "Gavel", "Herald", "Jack", "Lobbyist",
    "Majority", "Mandate", "Margin", "Marshal", "Minority", "Motion", "Orator", "Pollster", "Quorum", "Recount",
    "Regent", "Senator", "Speaker", "Steward", "Tally", "Teller", "Tribune", "Usher", "Veto", "Whip",
)  # fmt: skip
FIRST_CYRILLIC = (
    "Быстрый", "Верный", "Весёлый", "Вольный", "Грозный", "Дальний", "Железный", "Жадный", "Зоркий", "Красный",
    "Ловкий", "Мудрый", "Новый", "Осторожный", "Первый", "Последний", "Северный", "Серый", "Скромный", "Смелый",
    "Старый", "Тихий", "Третий", "Упрямый", "Хитрый", "Честный", "Южный", "Ясный",
)  # fmt: skip
SECOND_CYRILLIC = (
    "агитатор", "валет", "вождь", "депутат", "избиратель", "игрок", "кандидат", "канцлер", "козырь", "король",
    "кулуар", "лидер", "маршал", "министр", "наблюдатель", "оратор", "писарь", "посол", "пас", "регент",
    "секретарь", "сенатор", "совет", "спикер", "счётчик", "трибун", "туз", "фаворит",
)  # fmt: skip
LONGEST = "The Honourable Member for Nowhere-on-Sea"
"""As many characters as a bot's name may have."""


def authors(chance: Random, number: int, taken: Iterable[str]) -> list[str]:
    """That many names of users that are not `taken`; the first is the one to look around with."""
    latin = [f"{given}.{family}" for given in GIVEN for family in FAMILY]
    cyrillic = [f"{given}_{initial}" for given in GIVEN_CYRILLIC for initial in "БВГДКЛМНПРСТФ"]
    return _choose(number, [FIRST_AUTHOR, *_mixed(chance, latin, cyrillic)], taken, "{}{}")


def bots(chance: Random, number: int, taken: Iterable[str]) -> list[str]:
    """That many names of bots that are not `taken`."""
    latin = [f"{first} {second}" for first in FIRST for second in SECOND]
    cyrillic = [f"{first} {second}" for first in FIRST_CYRILLIC for second in SECOND_CYRILLIC]
    mixed = _mixed(chance, latin, cyrillic)
    return _choose(number, [*mixed[:5], LONGEST, *mixed[5:]], taken, "{} {}")


def _mixed(chance: Random, latin: list[str], cyrillic: list[str]) -> list[str]:
    """All of both, shuffled, so that any beginning holds Cyrillic ones by their share."""
    chance.shuffle(latin)
    chance.shuffle(cyrillic)
    mixed = []
    while latin and cyrillic:
        mixed.append((cyrillic if chance.random() < CYRILLIC_SHARE else latin).pop())
    return mixed + latin + cyrillic


def _choose(number: int, names: list[str], taken: Iterable[str], numbered: str) -> list[str]:
    """The first names that are free; when all are used up, again with a number."""
    used = {name.casefold() for name in taken}
    chosen: list[str] = []
    for lap in count(1):
        for name in names:
            if len(chosen) == number:
                return chosen
            name = name if lap == 1 else numbered.format(name, lap)
            if name.casefold() not in used and len(name) <= len(LONGEST):
                used.add(name.casefold())
                chosen.append(name)
    raise AssertionError("count() does not end")
