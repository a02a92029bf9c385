"""The leaderboard for scripts: everything the command line does, as typed functions."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx

from .answers import (
    Ranking,
    RunCard,
    Status,
    Submission,
    SubmissionDetail,
    Upload,
    read_card,
    read_detail,
    read_ranking,
    read_submission,
    read_upload,
)
from .benchmarks import DEFAULT_BENCHMARK
from .errors import ClientError
from .http import Patience, Session, path_of
from .parts import FileChanged, send_parts
from .settings import choose_site, choose_token
from .shapes import Shape, ShapeCache
from .state import UploadState, remembered
from .streams import digest_file
from .validity import Validity, validate_file

API = "/api/v1"
FIRST_POLL_S, LONGEST_POLL_S = 1.0, 15.0
JOBS = 3


class AlreadySubmitted(ClientError):
    """This very bundle is at the site already; `submission` is its id."""

    def __init__(self, submission: Submission) -> None:
        super().__init__(
            f"This bundle was submitted before, as {submission.id}: {submission.page}\n"
            "Give its id to `status` to follow it, or add --again to submit the same bytes once more."
        )
        self.submission = submission


class Client:
    """One site, as one person or as nobody. A context manager; close it otherwise.

    `site` and `token` may be left out where MLEB_URL, MLEB_TOKEN or `mlebench-leaderboard login` give them.
    Every method raises ClientError, with a message for people.
    """

    def __init__(
        self,
        site: str | None = None,
        token: str | None = None,
        *,
        patience: Patience | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        chosen = choose_site(site)
        token = token or choose_token(chosen)
        self.session = Session(chosen, token, patience=patience, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.session.close()

    @property
    def site(self) -> str:
        return self.session.site

    # What everybody may read

    def rankings(
        self, track: str = "clean", benchmark: str = "", split: str = "", *, exact: bool = False
    ) -> Ranking:
        """A board. The benchmark is the site's first and the split its main one, where they are left out."""
        return read_ranking(self.session.get(_ranking(track), params=_board(benchmark, split, exact)).json())

    def rankings_csv(
        self, track: str = "clean", benchmark: str = "", split: str = "", *, exact: bool = False
    ) -> str:
        """The same board as the site's own CSV."""
        params = {**_board(benchmark, split, exact), "format": "csv"}
        return self.session.get(_ranking(track), params=params).text

    def shape(self, competition: str) -> Shape:
        """The label-free outline of a competition's answers; from the cache where the site says it still holds."""
        return ShapeCache(self.site).fetch(self.session, competition)

    # What a team may read and do

    def submissions(self) -> Iterator[Submission]:
        """Your teams' submissions, newest first. Pages are fetched as they are needed."""
        page: str | None = f"{API}/submissions"
        while page:
            plain = self.session.get(page).json()
            yield from (read_submission(each, self.site) for each in plain["results"])
            # Its path alone: behind a proxy the site may not know its own address.
            page = path_of(plain["next"]) if plain["next"] else None

    def submission(self, submission_id: str) -> SubmissionDetail:
        return read_detail(self.session.get(_submission(submission_id)).json(), self.site)

    def run_card(self, submission_id: str) -> RunCard:
        """The newest revision, or the confirmed one once there is one."""
        return read_card(self.session.get(_submission(submission_id, "run-card")).json())

    def submit(
        self,
        bundle: Path,
        benchmark: str = DEFAULT_BENCHMARK,
        *,
        team: str = "",
        supersedes: str = "",
        what_changed: str = "",
        again: bool = False,
        jobs: int = JOBS,
        progress: Callable[[int], None] = lambda count: None,
        began: Callable[[Submission, Upload], None] = lambda submission, upload: None,
    ) -> Submission:
        """The submission with this bundle, uploaded in parts and handed to the site's checks.

        Goes on where an earlier call with the same file broke off. `progress` gets bytes as they are sent, negative
        ones where a part begins anew; `began` is told what is there already. `again` makes a second submission of a
        bundle that was submitted before; without it that raises AlreadySubmitted.
        """
        before = bundle.stat()
        state = remembered(self.site, benchmark, team, digest_file(bundle), before.st_size)
        if again and state.is_complete:
            state.forget()
            state = remembered(self.site, benchmark, team, state.sha256, state.size)
        if state.is_complete:
            raise AlreadySubmitted(self.submission(state.submission))
        state.save()
        submission, upload = self._begin(state, bundle.name, supersedes, what_changed)
        began(submission, upload)
        if submission.status is Status.UPLOADING:
            send_parts(self.session, upload, bundle, jobs, progress)
            _require_unchanged(bundle, before.st_mtime_ns, before.st_size)
            plain = self.session.request("POST", _submission(submission.id, "complete")).json()
            submission = read_submission(plain, self.site)
        replace(state, submission=submission.id, is_complete=True).save()
        return submission

    def _begin(
        self, state: UploadState, name: str, supersedes: str, what_changed: str
    ) -> tuple[Submission, Upload]:
        """The creation key makes this the same submission however often it is asked for."""
        asked: dict[str, Any] = {
            "benchmark": state.benchmark,
            "filename": name,
            "size": state.size,
            "creation_key": state.creation_key,
        }
        if state.team:
            asked["team"] = state.team
        if supersedes:
            asked |= {"supersedes": supersedes, "what_changed": what_changed}
        plain = self.session.request("POST", f"{API}/submissions", json=asked).json()
        return read_submission(plain, self.site), read_upload(plain["upload"])

    def confirm(self, submission_id: str, scope: str, name: str, revision: int) -> Submission:
        """Fixes scope and run card, and queues the submission.

        By calling this, `name` attests the run card's revision and accepts that once grading starts, this attempt
        and its scores become part of the public record, even if withdrawn.
        """
        said = {"scope": scope, "attested_name": name, "revision": revision, "accept": True}
        plain = self.session.request("POST", _submission(submission_id, "confirm"), json=said).json()
        return read_submission(plain, self.site)

    def watch(self, submission_id: str, *, timeout_s: float = float("inf")) -> Iterator[SubmissionDetail]:
        """The submission again and again, until nothing moves before somebody acts; the last one is as it rests."""
        pause, deadline = FIRST_POLL_S, time.monotonic() + timeout_s
        while True:
            found = self.submission(submission_id)
            yield found
            if found.is_resting or time.monotonic() + pause > deadline:
                return
            self.session.patience.sleep(pause)
            pause = min(pause * 1.3, LONGEST_POLL_S)

    def validate(self, competition: str, file: Path, *, timeout_s: float = 600) -> Validity:
        """Whether the site calls this CSV valid, and if not why. Never a score."""
        return validate_file(self.session, competition, file, timeout_s)


def _ranking(track: str) -> str:
    return f"{API}/rankings/{quote(track, safe='')}"


def _board(benchmark: str, split: str, exact: bool) -> Mapping[str, str]:
    asked = {"benchmark": benchmark, "split": split, "exact": "1" if exact else ""}
    return {name: value for name, value in asked.items() if value}


def _submission(submission_id: str, what: str = "") -> str:
    return "/".join([f"{API}/submissions", quote(submission_id, safe=""), *filter(None, [what])])


def _require_unchanged(path: Path, mtime_ns: int, size: int) -> None:
    now = path.stat()
    if (now.st_mtime_ns, now.st_size) != (mtime_ns, size):
        raise FileChanged(f"{path} was changed while it was sent. Submit it anew.")
