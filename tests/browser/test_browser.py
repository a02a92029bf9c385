"""The main job in a real browser, on a real site with its workers: upload, run card, grading, decision, board."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from demo.logins import MAINTAINER_EMAIL, TEAM_EMAIL
from demo.scores import score_bundle
from tests.browser.bundles import BREAKAGES, write_broken_bundle, write_grown_bundle
from tests.browser.conftest import OpenVisitor
from tests.browser.site import Site
from tests.browser.uploading import address_of, read_state, upload, upload_with_interruptions
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.site, pytest.mark.sandbox]
PARTS = 7
AGENT = "CV Baseline"
REASON = "Complete run card, three seeds, graded here from its predictions."
RULE = "Tracks and rules, Clean"
EVIDENCE = "https://www.kaggle.com/c/spaceship-titanic"
# What the team reads of each broken run.
MESSAGES = {
    "missing-row": "row_count The file has 869 data rows; 870 are expected, one per row of the sample submission.",
    "nan": "missing_value Column Transported: 1 value missing (data row 870).",
    "text-label": "labels_incomparable Column Transported does not hold labels of the kind this competition uses",
    "wrong-id": "ids_differ Column PassengerId: 1 id is absent",
}

# Name of what has the focus, and whether one can see that it has: in the window as far as it fits, with an outline.
FOCUSED = """() => {
  const element = document.activeElement, style = getComputedStyle(element), box = element.getBoundingClientRect();
  const isInside = box.left >= 0 && box.right <= innerWidth && box.top >= 0
    && (box.bottom <= innerHeight || (box.height > innerHeight / 2 && box.top < innerHeight));
  const name = document.getElementById(element.getAttribute("aria-labelledby")) ?? element;
  return [name.textContent.trim(), isInside && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2];
}"""


def test_from_a_file_to_the_board(site: Site, new_visitor: OpenVisitor, tmp_path: Path) -> None:
    team = new_visitor()
    team.sign_in(TEAM_EMAIL, site.team_password)
    stored = upload_with_interruptions(team, write_grown_bundle(tmp_path, PARTS))
    assert stored == dict.fromkeys(range(1, PARTS + 1), 1)
    submission = address_of(team)
    mend_the_run_card(team)
    team.follow("Go on to confirm")
    confirm(team)
    follow_the_grading(team)
    assert_no_score(team, submission)

    maintainer = new_visitor()
    maintainer.sign_in(MAINTAINER_EMAIL, site.maintainer_password)
    decision = publish(maintainer, submission)
    assert_published(new_visitor(), decision)
    team.open(submission)
    team.follow("See the entry")
    assert scores_shown(team) == [f"{score:.5f}" for score in score_bundle().values()]


def mend_the_run_card(team: Visitor) -> None:
    """Changes one answer, and sees that answer alone as the new revision's difference."""
    team.look()
    team.follow("Complete the run card")
    team.page.locator('[id="compute.default.ram_gb"]').fill("32")
    team.press("Save a revision")
    team.sees("Saved as revision 2.")
    rows = team.page.get_by_role("region", name="Answers that differ").locator("tbody tr")
    expect(rows).to_have_text([re.compile(r"RAM \(GB\)\s*24\s*32")])


def confirm(team: Visitor) -> None:
    """From the confirmation page to the submission's page."""
    team.page.locator("input[name=scope][value=dev]").check()
    team.page.get_by_label("Your name").fill("Ada Example")
    team.page.get_by_label("Once grading starts").check()
    team.press("Confirm")


def follow_the_grading(team: Visitor) -> None:
    """Waits on the one page, which is never loaded anew, until maintainers have to decide."""
    team.page.evaluate("window.isTheSamePage = true")
    team.sees("In review")
    team.sees("Maintainers decide on the track.")
    assert team.page.evaluate("window.isTheSamePage")
    team.look()


def assert_no_score(visitor: Visitor, submission: str) -> None:
    """Neither page nor API holds one, as a share or in percent; cut short, so that rounding cannot hide it."""
    paths = (submission, f"{submission}run-card/", f"/api/v1{submission.rstrip('/')}", "/submissions/")
    shown = visitor.page.content() + "".join(map(visitor.read, paths))
    for score in score_bundle().values():
        assert f"{score:.5f}"[:5] not in shown
        assert f"{100 * score:.5f}"[:4] not in shown


def publish(maintainer: Visitor, submission: str) -> str:
    """The address of the decision by which the maintainer publishes, found on the docket."""
    maintainer.follow("Docket")
    maintainer.follow(AGENT)
    assert_no_score(maintainer, submission)
    expect(maintainer.page.locator("input[name=track][value=clean]")).to_be_checked()
    maintainer.page.get_by_label("Reason").fill(REASON)
    maintainer.page.get_by_label("Rule").fill(RULE)
    maintainer.page.get_by_label("Evidence link").fill(EVIDENCE)
    maintainer.press("Publish")
    maintainer.sees("Published on Clean by decision")
    number = re.search(r"by decision (\d+)", maintainer.page.content())
    assert number is not None
    return f"/decisions/{number[1]}/"


def assert_published(reader: Visitor, decision: str) -> None:
    """Board, entry and decision, for somebody who is not signed in."""
    scores = [f"{score:.5f}" for score in score_bundle().values()]
    reader.open("/boards/demo/clean/dev/")
    # Other tests may have published the same on this site.
    rows = reader.page.get_by_role("row").filter(has_text=AGENT).all()
    assert scores in [re.findall(r"0\.\d{5}", row.inner_text()) for row in rows]
    reader.open(decision)
    for text in (REASON, RULE, EVIDENCE, "Demo maintainer"):
        reader.sees(text)
    reader.follow(AGENT)
    assert scores_shown(reader) == scores


def scores_shown(visitor: Visitor) -> list[str]:
    """The scores of an entry's runs, by seed."""
    return [text.strip() for text in visitor.page.locator(".runs .score").all_inner_texts()]


def test_bad_runs_are_named_and_the_good_one_is_graded(
    site: Site, new_visitor: OpenVisitor, tmp_path: Path
) -> None:
    team = new_visitor()
    team.sign_in(TEAM_EMAIL, site.team_password)
    submission = upload(team, write_broken_bundle(tmp_path))
    team.sees("Your team's turn")
    team.follow("Choose the scope and confirm")
    confirm(team)
    follow_the_grading(team)
    shown = [" ".join(text.split()) for text in team.page.locator(".problems li").all_inner_texts()]
    for seed, message in MESSAGES.items():
        code, _, sentence = message.partition(" ")
        assert any(line.startswith(f"{code} {seed}/spaceship-titanic {sentence}") for line in shown), shown
    outcomes = {run["seed"]: run["outcome"] for run in read_state(team, submission)["runs"]}
    assert outcomes == {"good": "scored", **dict.fromkeys(BREAKAGES, "invalid")}


def test_a_new_team_and_an_invitation(new_visitor: OpenVisitor) -> None:
    founder, guest = new_visitor(), new_visitor()
    founder.open("/")
    founder.follow("Account")
    founder.follow("Sign up")
    sign_up(founder, "founder@new.example")
    founder.follow("New submission")
    founder.follow("Create a team")
    founder.page.get_by_label("Team name").fill("Newcomers")
    founder.page.get_by_label("Organisation").fill("New Laboratory")
    founder.press("Create")
    founder.sees("A maintainer must verify your organisation")
    founder.press("Make an invitation link")
    link = founder.page.locator("#invitation-link").inner_text()
    guest.open(link)
    guest.follow("Sign up")
    sign_up(guest, "guest@new.example")
    guest.press("Join as guest@new.example")
    guest.sees("You have joined Newcomers.")
    guest.sees("founder@new.example")
    with guest.expecting_faults():
        guest.open(link)
        guest.sees("This invitation no longer opens anything")


def sign_up(visitor: Visitor, email: str) -> None:
    visitor.page.get_by_label("Email").fill(email)
    visitor.page.get_by_label("Password", exact=True).fill("a-long-enough-secret")
    visitor.page.get_by_label("Password (again)").fill("a-long-enough-secret")
    visitor.press("Sign Up")


def test_the_board_by_keyboard(new_visitor: OpenVisitor) -> None:
    reader = new_visitor()
    reader.open("/boards/mle-bench-v1/no-private-lb/all/")
    assert walk(reader, 1) == ["Skip to the content"]
    reader.page.keyboard.press("Enter")
    assert reader.page.evaluate("document.activeElement.id") == "main"
    names = walk(reader, 16)
    for name in ("Demo", "Clean", "Additional", "Low"):
        assert any(each.startswith(name) for each in names), names
    reader.page.get_by_role("navigation", name="Split").get_by_role("link", name="Low").focus()
    with reader.page.expect_navigation():
        reader.page.keyboard.press("Enter")
    assert reader.page.url.endswith("/no-private-lb/low/")


def walk(reader: Visitor, steps: int) -> list[str]:
    """The names of what Tab reaches next; each must be in the window and have an outline."""
    names = []
    for _ in range(steps):
        reader.page.keyboard.press("Tab")
        name, is_seen = reader.page.evaluate(FOCUSED)
        assert is_seen, f"{name} has the focus and does not show it"
        names.append(name)
    return names


PUBLIC = (
    "/",
    "/boards/mle-bench-v1/additional/all/",
    "/boards/mle-bench-v1/clean/low/",
    "/competitions/",
    "/competitions/spaceship-titanic/",
    "/competitions/aerial-cactus-identification/",
    "/entries/1/",
    "/agents/aide/",
    "/organisations/fractal-ai-research/",
    "/compare/",
    "/compare/?entries=1,2,3",
    "/decisions/",
    "/decisions/1/",
    "/restatements/",
    "/about/",
    "/docs/",
    "/docs/tracks/",
    "/docs/run-card/",
    "/status/",
    "/styleguide/",
    "/api/v1/docs/",
    "/account/login/",
    "/account/signup/",
    "/account/password/reset/",
)


def test_every_public_page_is_sound(new_visitor: OpenVisitor) -> None:
    reader = new_visitor()
    for path in PUBLIC:
        reader.open(path)
    with reader.expecting_faults():
        reader.page.goto("/no/such/page/")
        reader.sees("There is no such page here")
    reader.look()
