"""Data that is not a whole four-player game raises an Error with its place, and nothing else."""

from __future__ import annotations

import pickle
import re
import time
from pathlib import Path

import pytest

from houjuu import logs
from houjuu.arena.selfplay import play
from houjuu.game.tiles import KIND
from houjuu.logs import mjai, mjlog, xml_elements
from houjuu.util.errors import Error, LogError

WHOLE = mjlog.write(play(5)).decode()


def rejected(document: str | bytes, reason: str) -> LogError:
    data = document if isinstance(document, bytes) else document.encode()
    with pytest.raises(LogError, match=reason) as caught:
        mjlog.parse(data, "folder/game.xml")
    assert caught.value.file == "folder/game.xml"
    assert str(caught.value).startswith("folder/game.xml")
    return caught.value


def swapped(pattern: str, replacement: str, count: int = 1) -> str:
    document, n_replaced = re.subn(pattern, replacement, WHOLE, count=count)
    assert n_replaced, "the pattern must occur in the game"
    return document


ENTITIES = '<!DOCTYPE m [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY c "&b;&b;">]>'
OUTSIDE = '<!DOCTYPE m [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ("", "is not XML"),
        ("nonsense", "is not XML"),
        ("<html/>", "is not mjlog"),
        ("<mjloggm/>", "is not a game"),
        (ENTITIES + WHOLE, "declaration"),
        (OUTSIDE + WHOLE.replace("<GO", "&a;<GO"), "declaration"),
        ((ENTITIES + WHOLE).encode("utf-16"), "declaration"),
        (WHOLE.replace("<GO", "<GO><GO/></GO><GO"), "elements within elements"),
        (WHOLE.replace('type="8"', 'type="24"'), "three-player"),
        (swapped(r"<GO [^>]*>", ""), "no GO"),
        (swapped(r'n3="[^"]*"', 'n3=""'), "fewer than four players"),
        (swapped(r' owari="[^"]*"', ""), "is cut off"),
        (WHOLE[: len(WHOLE) // 2], "is not XML"),
        (WHOLE[: WHOLE.rindex("<INIT")] + "</mjloggm>", "is cut off"),
        (b"<mjloggm>\xff\xfe</mjloggm>", "is not XML"),
        (swapped(r'n0="[^"]*"', 'n0="%FF%FE"'), "cannot be read"),
        (WHOLE + " " * mjlog.MAX_BYTES, "is longer than"),
    ],
)
def test_documents_that_are_not_a_game(document: str | bytes, reason: str) -> None:
    rejected(document, reason)


@pytest.mark.parametrize(
    ("pattern", "replacement", "reason"),
    [
        (r"<T\d+/>", "<T136/>", "tile 136 is out of range"),
        (r"<T\d+/>", "<T-1/>", "out of turn"),
        (r'hai0="\d+', 'hai0="136', "tile 136 is out of range"),
        (r'hai0="(\d+),\d+', r'hai0="\1,\1', "appears twice"),
        (r'hai1="\d+,', 'hai1="', "is dealt 12 tiles"),
        (r"<T(\d+)/>(<D\d+/>)", r"<T\1/>\2\2", "out of turn"),
        (r"<T\d+/><D\d+/><U\d+/>", "", "out of turn"),
        (r'<N who="(\d)" m="\d+"/>', r'<N who="\1" m="65535"/>', "chi of the run"),
        (r'<N who="(\d)" m="\d+"/>', r'<N who="\1" m="1"/>', "seat"),
        (r'<N who="(\d)" m="\d+"/>', r'<N who="7" m="1"/>', "seats are 0 to 3"),
        (r'<N who="(\d)" m="\d+"/>', r'<N who="\1"/>', "has no attribute m"),
        (r'm="(\d+)"/>', r'm="x\1"/>', "cannot be read"),
        (r'step="1"', 'step="3"', "step must be 1 or 2, not 3"),
        (r'ten="(\d+),', 'ten="x,', "cannot be read"),
        (r' sc="\d+,', ' sc="', "sc has 7 numbers, not 8"),
        (r' sc="\d+,', ' sc="999,', "do not follow"),
        (r'machi="\d+"', 'machi="135"', "did not"),
        (r'owari="\d+,[^,]*,', 'owari="1,nan,', "nan, not a number from -1,000,000 to"),
        (r'type="8"', 'type="' + "9" * 5000 + '"', "cannot be read"),
        (
            r"<INIT ",
            "<INIT " + " ".join(f'a{i}="1"' for i in range(40)) + " ",
            "more than 32 attributes",
        ),
    ],
)
def test_impossible_events(pattern: str, replacement: str, reason: str) -> None:
    """The message names the element, and the round after the first deal."""
    error = rejected(swapped(pattern, replacement), reason)
    assert error.element is not None
    assert error.element.startswith("<")
    assert error.round is not None or error.element.startswith(("<GO", "<INIT"))


def test_a_call_the_hand_cannot_make() -> None:
    """A seat pons a tile although it has no such tile."""
    match = re.search(r"<([DEFG])(\d+)/>(?=<[TUVW])", WHOLE)
    assert match is not None
    seat, tile = "DEFG".index(match[1]), int(match[2])
    kind, caller = KIND[tile], (seat + 2) % 4
    missing = next(copy for copy in range(4) if copy != tile % 4)
    index = [copy for copy in range(4) if copy != missing].index(tile % 4)
    code = (kind * 3 + index) << 9 | missing << 5 | 8 | 2
    document = WHOLE.replace(match[0], f'{match[0]}<N who="{caller}" m="{code}"/>', 1)
    assert "does not hold" in rejected(document, "does not hold").reason


def test_a_million_attributes_are_refused_at_once() -> None:
    bomb = "<mjloggm><INIT " + " ".join(f'a{i:x}=""' for i in range(1_000_000)) + "/></mjloggm>"
    start = time.monotonic()
    rejected(bomb, "is longer than")
    rejected(
        bomb[: mjlog.MAX_BYTES - 50].rsplit(" ", 1)[0] + "/></mjloggm>", "more than 32 attributes"
    )
    assert time.monotonic() - start < 5


def test_deep_and_wide_documents_are_refused_at_once() -> None:
    rejected("<mjloggm>" * 100_000, "is not XML")
    rejected(f"<mjloggm>{'<T1/>' * 200_000}</mjloggm>", "out of turn")


@pytest.mark.parametrize(
    "document",
    [
        "<!DOCTYPE a [<!ENTITY e 'e'>]><a><b c='&e;'/></a>".encode("utf-16"),
        b"<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a><b/></a>",
    ],
)
def test_a_declaration_ends_the_reading(document: bytes) -> None:
    for parser in (xml_elements.document, xml_elements.by_expat):
        assert parser(document)[-1], "it is declared"


def test_errors_name_the_place_and_can_be_pickled() -> None:
    error = LogError("why", file="a.xml", round=3, element="<N/>")
    assert str(error) == "a.xml, round 3, <N/>: why"
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.round) == (LogError, str(error), 3)


def test_reading_continues_after_errors(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(WHOLE)
    (tmp_path / "b.xml").write_text("<html/>")
    (tmp_path / "c.mjson").write_text(mjai.write(play(6)))
    errors: list[Error] = []
    ids = [game.id for game in logs.games(tmp_path, errors.append)]
    assert ids == ["a", "c"]
    assert [error.file for error in errors] == [f"{tmp_path.name}/b.xml"] or "b.xml" in str(
        errors[0]
    )
    with pytest.raises(LogError, match=r"b\.xml"):
        list(logs.games(tmp_path))


def test_a_game_with_chips() -> None:
    """``sc`` and ``owari`` have eight more numbers, which count the chips."""
    chips = re.sub(r'(sc|owari)="([^"]*)"', r'\1="\2,0,1,0,-1,0,0,0,0"', WHOLE)
    plain, with_chips = mjlog.parse(WHOLE.encode()), mjlog.parse(chips.encode())
    assert with_chips.events == plain.events
    assert with_chips.final == plain.final
    rejected(re.sub(r'sc="([^"]*)"', r'sc="\1,0"', WHOLE), "sc has 9 numbers, not 8, or 16")


def test_a_game_in_progress() -> None:
    """Without the last elements and the final scores, it is read on request."""
    cut = WHOLE[: WHOLE.rindex("<INIT")] + "</mjloggm>"
    rejected(cut, "is cut off")
    game = logs.parse(cut.encode(), "game.xml", unfinished=True)
    whole = mjlog.parse(WHOLE.encode())
    assert game.events == whole.events[: len(game.events)]
    assert game.rounds == whole.rounds - 1
    within = WHOLE[: WHOLE.rindex("<AGARI")] + "</mjloggm>"
    assert logs.parse(within.encode(), "game.xml", unfinished=True).final is None
