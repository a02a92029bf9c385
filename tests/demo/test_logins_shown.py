"""Whoever ran the demo can sign in afterwards, whether or not the site was left running."""

import pytest

from demo.logins import MAINTAINER_EMAIL, TEAM_EMAIL, Logins
from demo.run import show_logins


@pytest.mark.parametrize(("stays", "said"), [(True, "http://here:1"), (False, "make run")])
def test_the_logins_are_told(stays: bool, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    show_logins("http://here:1", Logins("of-team", "of-maintainer"), stays=stays)
    told = capsys.readouterr().out
    for words in (said, TEAM_EMAIL, "of-team", MAINTAINER_EMAIL, "of-maintainer"):
        assert words in told
    assert ("http://here:1" in told) == stays
