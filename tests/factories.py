"""Small makers of rows for tests. Each fills in what its caller does not care about."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any

from grading.grade import GRADER_VERSION
from grading.models import (
    AnswersVersion,
    Benchmark,
    Blob,
    Competition,
    Grading,
    Membership,
    ThresholdsVersion,
)
from grading.splits import Split
from leaderboard.integrity.ledger import Grounds, Verdict, record_decision
from leaderboard.models import Agent, Decision, Entry, EntryResult, Track
from leaderboard.review import open_review
from submissions.cards import add_revision
from submissions.models import Organisation, Run, Submission, Team, TeamMember, User

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
PASSWORD = "correct-horse-battery"
Status = Submission.Status
_numbers = count(1)


def _number() -> int:
    return next(_numbers)


def make_user(**columns: Any) -> User:
    """Somebody who can sign in with PASSWORD."""
    name = columns.pop("username", f"user{_number()}")
    columns.setdefault("email", f"{name}@example.org")
    return User.objects.create_user(username=name, password=PASSWORD, **columns)


def make_maintainer(**columns: Any) -> User:
    columns.setdefault("public_name", f"Maintainer {_number()}")
    return make_user(is_maintainer=True, **columns)


def make_organisation(name: str = "", verified: bool = True) -> Organisation:
    number = _number()
    organisation = Organisation.objects.create(
        name=name or f"Organisation {number}", slug=f"organisation-{number}"
    )
    if verified:
        organisation.verified_at, organisation.verified_by = NOW, make_maintainer()
        organisation.save()
    return organisation


def make_team(
    organisation: Organisation | None = None, owner: User | None = None, members: Sequence[User] = ()
) -> Team:
    team = Team.objects.create(organisation=organisation or make_organisation(), name=f"Team {_number()}")
    TeamMember.objects.create(team=team, user=owner or make_user(), role=TeamMember.Role.OWNER)
    for user in members:
        TeamMember.objects.create(team=team, user=user)
    return team


def make_competition(
    competition_id: str = "", cutoffs: Sequence[float] | None = (0.9, 0.8, 0.7, 0.5), **columns: Any
) -> Competition:
    """`cutoffs`: gold, silver, bronze, median; None leaves the competition without thresholds."""
    competition_id = competition_id or f"competition-{_number()}"
    defaults = {
        "title": competition_id.title(),
        "category": "Tabular",
        "metric": "Accuracy",
        "metric_family": "accuracy",
        "lower_is_better": False,
        "file_digest": "0" * 64,
    }
    competition = Competition.objects.create(id=competition_id, **{**defaults, **columns})
    if cutoffs:
        make_thresholds(competition, cutoffs)
    return competition


def make_thresholds(
    competition: Competition, cutoffs: Sequence[float], exact: bool = True
) -> ThresholdsVersion:
    gold, silver, bronze, median = cutoffs
    return ThresholdsVersion.objects.create(
        competition=competition,
        number=competition.thresholds.count() + 1,
        gold=gold,
        silver=silver,
        bronze=bronze,
        median=median,
        exact=exact,
        source="made up",
    )


def make_benchmark(slug: str = "", splits: Mapping[str, str] | None = None, **columns: Any) -> Benchmark:
    """A benchmark of new or existing competitions. `splits`: id to split, two low ones if not given."""
    slug = slug or f"benchmark-{_number()}"
    benchmark = Benchmark.objects.create(slug=slug, **{"title": slug.title(), **columns})
    for competition_id, split in (splits or {f"{slug}-a": "low", f"{slug}-b": "low"}).items():
        known = Competition.objects.filter(pk=competition_id).first()
        Membership.objects.create(
            benchmark=benchmark,
            competition=known or make_competition(competition_id),
            split=Split(split).value,
        )
    return benchmark


def make_answers(competition: Competition) -> AnswersVersion:
    number = competition.answers.count() + 1
    return AnswersVersion.objects.create(
        competition=competition, number=number, rows=10, hmac="0" * 64, shape_key=f"shapes/{competition.pk}"
    )


def make_submission(
    team: Team | None = None,
    benchmark: Benchmark | None = None,
    status: str = Status.AWAITING_TEAM,
    scope: str = "",
    document: Mapping[str, Any] | None = None,
    **columns: Any,
) -> Submission:
    """A submission with a run card (empty if not given); with `scope` it counts as confirmed."""
    team, benchmark = team or make_team(), benchmark or make_benchmark()
    owner = team.members.get(role=TeamMember.Role.OWNER).user
    submission = Submission.objects.create(
        team=team, benchmark=benchmark, created_by=owner, status=status, **columns
    )
    card = add_revision(submission, dict(document or {}), author=None)
    if scope:
        submission.scope, submission.confirmed_revision = Split(scope).value, card
        submission.confirmed_at, submission.confirmed_by, submission.attested_name = NOW, owner, "Ada Example"
        submission.save()
    return submission


def make_blob(team: Team, content: bytes = b"") -> Blob:
    number = _number()
    sha256 = hashlib.sha256(content or b"%d" % number).hexdigest()
    return Blob.objects.create(
        realm=team.realm, sha256=sha256, size=len(content), key=f"csv/{number}/{sha256}"
    )


def make_run(submission: Submission, seed: str, competition_id: str, **columns: Any) -> Run:
    blob = columns.pop("blob", None) or make_blob(submission.team)
    return Run.objects.create(
        submission=submission, folder=seed, seed=seed, competition_id=competition_id, blob=blob, **columns
    )


def make_grading(run: Run, score: float | None = None, outcome: str = "", **columns: Any) -> Grading:
    """The finished grading of a run: scored if a score is given, else `outcome` (invalid if not given)."""
    outcome = outcome or (Grading.Outcome.INVALID if score is None else Grading.Outcome.SCORED)
    grading = Grading.objects.create(
        blob=run.blob,
        competition=run.competition,
        grader_version=GRADER_VERSION,
        state=Grading.State.DONE,
        not_before=NOW,
        graded_at=NOW,
        outcome=outcome,
        score=score,
        **columns,
    )
    run.grading = grading
    run.save(update_fields=["grading"])
    return grading


def make_graded_submission(
    scores: Mapping[str, Mapping[str, float | None]], scope: str = "low", **columns: Any
) -> Submission:
    """A graded submission. `scores`: seed to id to score; None is an invalid run, absent is missing."""
    submission = make_submission(status=Status.GRADED, scope=scope, **columns)
    for seed, row in scores.items():
        for competition_id, score in row.items():
            make_grading(make_run(submission, seed, competition_id), score)
    return submission


def make_entry(
    benchmark: Benchmark | None = None,
    any_medal: Mapping[str, tuple[float, float | None]] | None = None,
    organisation: Organisation | None = None,
    run_on: date | None = None,
    **columns: Any,
) -> Entry:
    """An imported entry without a placement. `any_medal`: split to mean and SEM, in percent."""
    number = _number()
    agent = Agent.objects.create(
        organisation=organisation or make_organisation(), name=f"Agent {number}", slug=f"agent-{number}"
    )
    defaults = {"slug": f"entry-{number}", "source": Entry.Source.IMPORTED, "import_key": f"import-{number}"}
    entry = Entry.objects.create(
        agent=agent,
        benchmark=benchmark or make_benchmark(),
        scope=columns.pop("scope", "all"),
        run_on=run_on or NOW.date() - timedelta(days=30),
        **{**defaults, **columns},
    )
    for split, (mean, sem) in (any_medal or {"all": (50.0, 1.0)}).items():
        EntryResult.objects.create(entry=entry, split=split, any_medal_mean=mean, any_medal_sem=sem)
    return entry


def place_entry(entry: Entry, track: str = "no-private-lb", at: datetime = NOW) -> Decision:
    """Puts an imported entry on a track by a recorded decision; the standings are not rebuilt."""
    grounds = Grounds("Made up.", "A rule.", "https://example.org/evidence")
    target = Track.objects.get(slug=track)
    return record_decision(Verdict(Decision.Kind.IMPORT, entry, grounds, None, at, target), at)


def make_placed(
    track: str = "no-private-lb",
    benchmark: Benchmark | None = None,
    any_medal: Mapping[str, tuple[float, float | None]] | None = None,
    **columns: Any,
) -> Entry:
    """An imported entry that stands on a track."""
    entry = make_entry(benchmark, any_medal, **columns)
    place_entry(entry, track)
    return entry


def make_reviewed(submission: Submission) -> Entry:
    """The entry of a graded submission, in review."""
    assert open_review(submission, NOW)
    return Entry.objects.get(submission=submission)
