"""Copies that must be found however they are dressed, and honest code that must be left alone."""

import random
import string
import subprocess
import sys
import time
from itertools import combinations

import numpy as np
import pytest

from leaderboard.code_similarity import candidates
from leaderboard.code_similarity.candidates import find_candidates
from leaderboard.code_similarity.fragments import FRAGMENTS, LINES, keep_fragments
from leaderboard.code_similarity.overlap import NOTHING, compare
from leaderboard.code_similarity.signals import Alike, say_alike
from leaderboard.code_similarity.source import MAX_CHARS, NoCode, code_in, is_code
from leaderboard.code_similarity.stage import is_alike
from leaderboard.code_similarity.tokens import tokens_of
from leaderboard.code_similarity.winnow import RUN, WINDOW, pack, unpack, winnow
from tests.leaderboard.code_similarity.disguises import DISGUISES, NAMES, notebook, rename, solution

IMPORTS = "import numpy as np\nfrom sklearn.model_selection import (\n    KFold,\n    train_test_split,\n)\n"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_copy_is_found(name: str, disguise: str) -> None:
    copy = DISGUISES[disguise](solution(name))
    assert is_alike(compare(tokens_of(solution(name)), tokens_of(copy)))


@pytest.mark.parametrize(("one", "other"), list(combinations(NAMES, 2)))
@pytest.mark.parametrize("disguise", ["untouched", "filled-up", "imports"])
def test_another_solution_of_the_same_task_is_none(one: str, other: str, disguise: str) -> None:
    found = compare(
        tokens_of(DISGUISES[disguise](solution(one))), tokens_of(DISGUISES[disguise](solution(other)))
    )
    assert max(found.left_share, found.right_share) < 40


@pytest.mark.parametrize("code", ["", "   \n\n", "# only words", IMPORTS, '"""Only a text."""', "x = 1"])
def test_too_little_code_is_like_nothing(code: str) -> None:
    tokens = tokens_of(code)
    assert compare(tokens, tokens) == NOTHING
    assert not is_alike(compare(tokens_of("x = f(1)\n" * 6), tokens_of("x = f(1)\n" * 6)))


SAME = [
    ("x = 1", "total=2_000  # sum"),
    ("a, b = f(x, y,)", "c, d = g(\n    u,\n    v\n)"),
    ("s = 'a' 'b'", 's = """c"""'),
    ("import os\nx = 1", "y = 1"),
    ("def f(self):\n    '''Doc.'''\n    return self.a", "def g(this):\n    return this.a"),
    ("x.own = 1\nprint(x.own)", "y.mine = 2\nprint(y.mine)"),
]
DIFFERENT = [
    ("df.groupby(x)", "df.merge(x)"),
    ("x = 1", "x += 1"),
    ("len(x)", "sum(x)"),
    ("if x: pass", "while x: pass"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_can_be_changed_at_will_counts_for_nothing(one: str, other: str) -> None:
    assert tokens_of(one).digest == tokens_of(other).digest


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_cannot_be_changed_counts(one: str, other: str) -> None:
    assert tokens_of(one).digest != tokens_of(other).digest


def test_each_token_knows_its_line() -> None:
    assert tokens_of("import os\n\nx = 1\n\n# no\ny = (\n  2)\n").lines.tolist() == [3, 3, 3, 6, 6, 6, 7, 7]


def test_fingerprints_are_the_same_in_every_process() -> None:
    """Python's own hash of a text is another in each: such fingerprints could not be kept."""
    code = (
        "from leaderboard.code_similarity.tokens import tokens_of\n"
        "from leaderboard.code_similarity.winnow import pack, winnow\n"
        "print(pack(winnow(tokens_of('x = f(y)\\n' * 9))[0]).hex())"
    )
    ours = pack(winnow(tokens_of("x = f(y)\n" * 9))[0]).hex()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ours


def test_what_two_files_share_at_length_is_found_wherever_it_stands() -> None:
    """The guarantee of winnowing: RUN + WINDOW - 1 tokens in a row."""
    shared = [f"m{at}" for at in range(RUN + WINDOW - 1)]
    for seed in range(50):
        draw = random.Random(seed)
        files = []
        for _ in range(2):
            noise = ["".join(draw.choices(string.ascii_lowercase, k=9)) for _ in range(60)]
            at = draw.randrange(60)
            files.append(tokens_of("x." + ".".join(noise[:at] + shared + noise[at:])))
        # Each name brings its dot along, so that the run is twice as long; half of it is enough.
        assert compare(*files).tokens >= RUN


def test_packed_fingerprints_come_back_sorted_and_once() -> None:
    hashes = np.array([3, 1, 3, 2**64 - 1], dtype=np.uint64)
    assert unpack(pack(hashes)).tolist() == [1, 3, 2**64 - 1]


def test_fragments_name_the_lines_of_both_sides() -> None:
    left = solution("pipeline")
    right = "\n" * 7 + rename(left)
    found = compare(tokens_of(left), tokens_of(right))
    kept = keep_fragments(found, left, right)
    first = kept[0]
    assert len(kept) <= FRAGMENTS
    assert first["right"]["from"] > 7
    assert first["left"]["lines"][0] == left.split("\n")[first["left"]["from"] - 1]
    assert all(len(side["lines"]) <= LINES for each in kept for side in (each["left"], each["right"]))


def test_candidates_are_those_that_share_enough_of_either_file() -> None:
    def hashes(*numbers: int) -> np.ndarray:
        return np.array(sorted(numbers), dtype=np.uint64)

    files = {1: hashes(*range(100)), 2: hashes(*range(200, 210)), 3: hashes()}
    others = {
        10: hashes(*range(60)),
        11: hashes(*range(95, 195)),
        12: hashes(*range(200, 400)),
        13: hashes(),
        14: hashes(*range(50, 150)),
    }
    assert find_candidates(files, others) == [(1, 10), (2, 12), (1, 14)]
    assert find_candidates({}, others) == find_candidates(files, {}) == []


def test_candidates_agree_with_counting_one_by_one() -> None:
    draw = np.random.default_rng(0)
    files = {at: np.unique(draw.integers(0, 60, 40).astype(np.uint64)) for at in range(12)}
    others = {at: np.unique(draw.integers(0, 60, 40).astype(np.uint64)) for at in range(20, 35)}
    slow = {
        (left, right)
        for left, mine in files.items()
        for right, theirs in others.items()
        if 100 * len(np.intersect1d(mine, theirs)) / min(len(mine), len(theirs)) >= 45
    }
    assert set(find_candidates(files, others)) == slow


def test_what_everybody_writes_is_dropped_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two common hashes in all files, three rare ones in one pair: the pair is found at a tenth of the cost."""
    monkeypatch.setattr(candidates, "MOST_PAIRS", 300)
    files = {at: np.array([1, 2, 1000 + at], dtype=np.uint64) for at in range(20)}
    others = {at: np.array([1, 2, 2000 + at], dtype=np.uint64) for at in range(100, 120)}
    files[0] = np.array([1, 2, 7, 8, 9], dtype=np.uint64)
    others[100] = np.array([1, 2, 7, 8, 9], dtype=np.uint64)
    assert candidates.find_candidates(files, others) == [(0, 100)]


@pytest.mark.parametrize(
    ("path", "expected"),
    [("a/code/x.py", True), ("x.IPYNB", True), ("x.r", False), ("py", False), ("x.pyc", False)],
)
def test_python_and_notebooks_are_compared(path: str, expected: bool) -> None:
    assert is_code(path) is expected


def test_a_notebook_is_its_code_cells() -> None:
    content = notebook("%matplotlib inline\n!pip install x\nx = 1", "%%bash\nrm -r x", "y = 2")
    assert code_in("n.ipynb", content).split() == ["x", "=", "1", "y", "=", "2"]
    assert code_in("n.ipynb", notebook("# words", kind="markdown")) == ""


def test_a_notebook_and_a_script_of_the_same_code_are_alike() -> None:
    code = solution("boosting")
    half = code.index("params = ")
    cells = code_in("n.ipynb", notebook(code[:half], code[half:]))
    assert tokens_of(cells).digest == tokens_of(code).digest


NO_CODE = [
    ("x.py", b"\xff\xfe\x00", "not UTF-8 text"),
    ("x.py", b"x" * (MAX_CHARS + 1), "more than 524,288 characters of code"),
    ("x.ipynb", b"no", "not a notebook: it is no JSON"),
    ("x.ipynb", b"[" * 200_000, "not a notebook: it is no JSON"),
    ("x.ipynb", b"[]", "not a notebook: it has no cells"),
]


@pytest.mark.parametrize(("path", "content", "reason"), NO_CODE)
def test_what_is_no_code_is_named(path: str, content: bytes, reason: str) -> None:
    with pytest.raises(NoCode, match=reason):
        code_in(path, content)


@pytest.mark.parametrize(
    "document", [b'{"cells": 1}', b'{"cells": [1, {"cell_type": "code", "source": 3}]}', b'{"worksheets": 5}']
)
def test_a_strange_notebook_breaks_nothing(document: bytes) -> None:
    assert code_in("x.ipynb", document).strip() == ""


HOSTILE = {
    "brackets": "(" * 20_000,
    "quotes": '"' * 20_000,
    "backslashes": "'" + "\\" * 20_000,
    "format": "'{0[" * 5_000,
    "lines": "\n" * 20_000,
    "imports": "import a.b\n" * 2_000,
    "one-name": "a" * 20_000,
    "repeats": "x = f(y)\n" * 2_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_code_is_read_in_time_that_grows_with_its_length_alone(kind: str) -> None:
    started = time.process_time()
    tokens = tokens_of(HOSTILE[kind])
    compare(tokens, tokens)
    assert time.process_time() - started < 10


def test_sentences_say_how_many_files_and_how_much() -> None:
    one, two = Alike("0/a/code/x.py", "y.py", 81.26), Alike("1/a/code/x.py", "y.py", 97.0)
    assert say_alike("published notebooks", [one]) == (
        "One file is 81 % like published notebooks: 0/a/code/x.py."
    )
    assert say_alike("code of submission s", [one, two]) == (
        "2 files are up to 97 % like code of submission s: 0/a/code/x.py, 1/a/code/x.py."
    )
