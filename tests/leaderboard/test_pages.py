"""Documents, status, health, and the files for programs."""

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone

from grading.models import GradingHost
from leaderboard.documents import list_documents, read_document, render_document
from tests.factories import make_submission
from tests.leaderboard.boards import make_board_benchmark, make_published
from tests.leaderboard.test_board_page import text_of

DOCS = settings.BASE_DIR / "docs"


def test_raw_html_stays_text() -> None:
    html = render_document("# T\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))").html
    assert "<script>" not in html
    assert 'href="javascript' not in html


def test_headings_get_anchors_and_the_title_goes_to_the_page() -> None:
    document = render_document("# Title\n\nFirst `words`.\n\n## One two\n\n## One two\n")
    assert (document.title, document.summary) == ("Title", "First words.")
    assert [heading.anchor for heading in document.headings] == ["one-two", "one-two-2"]
    assert "<h1" not in document.html


def test_the_note_of_a_generated_document_is_not_its_summary() -> None:
    assert render_document("# T\n\nWritten from `a`.\n\nWhat it is.").summary == "What it is."


def test_a_set_anchor_belongs_to_the_heading_after_it() -> None:
    document = render_document('# T\n\n<a id="seed-count"></a>\n\n## Number of seeds (`seed-count`)\n')
    assert document.headings[0].anchor == "seed-count"
    assert "&lt;a id" not in document.html


def test_links_between_documents_become_links_between_pages() -> None:
    html = render_document("[a](tracks.md#clean) [b](https://example.org/x.md)").html
    assert 'href="/docs/tracks/#clean"' in html
    assert 'href="https://example.org/x.md"' in html


def test_every_document_has_a_title_and_links_that_lead_somewhere() -> None:
    documents = list_documents(DOCS)
    assert documents
    slugs = {document.slug for document in documents}
    for document in documents:
        assert document.title, document.slug
        targets = re.findall(r'href="([^"]+)"', document.html)
        assert all(target.startswith(("/", "#", "https://")) for target in targets), document.slug
        linked = {found[1] for target in targets if (found := re.match(r"/docs/([^/#]+)/", target))}
        assert linked <= slugs, document.slug


@pytest.mark.parametrize("slug", ["../README", "nope", "", "a/b", "run_card.example"])
def test_only_documents_of_the_folder_are_read(slug: str) -> None:
    assert read_document(DOCS, slug) is None


def test_a_changed_document_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text("# One")
    assert read_document(tmp_path, "page").title == "One"  # type: ignore[union-attr]
    path.write_text("# Two, longer")
    assert read_document(tmp_path, "page").title == "Two, longer"  # type: ignore[union-attr]


def test_document_pages(client: Client) -> None:
    assert "Tracks and rules" in text_of(client.get("/docs/"))
    assert "What Clean does not prove" in text_of(client.get("/docs/tracks/"))
    assert 'id="what-clean-does-not-prove"' in client.get("/docs/tracks/").content.decode()
    assert client.get("/docs/nope/").status_code == 404


def test_examples_beside_the_documents(client: Client) -> None:
    assert 'href="/docs/run_card.example.yaml"' in client.get("/docs/run-card/").content.decode()
    assert client.get("/docs/run_card.example.yaml")["Content-Type"].startswith("text/plain")
    for name in ("nope.yaml", "tracks.md", "..%2Fpyproject.toml"):
        assert client.get(f"/docs/{name}").status_code in (301, 404)


def test_run_card_schema(client: Client) -> None:
    answer = client.get("/schemas/run-card/1.json")
    assert answer["Content-Type"] == "application/schema+json"
    assert json.loads(answer.content)["$id"] == "/schemas/run-card/1.json"


def test_style_guide(client: Client) -> None:
    assert client.get("/styleguide/").status_code == 200


def make_host(**columns: Any) -> GradingHost:
    defaults = {"name": "grader-1", "is_isolated": True, "mode": "user", "checked_at": timezone.now()}
    return GradingHost.objects.create(**{**defaults, **columns})


@pytest.mark.django_db
def test_status_without_hosts(client: Client) -> None:
    assert "No grading host has reported yet" in text_of(client.get("/status/"))


@pytest.mark.django_db
def test_status_of_a_host_that_is_well(client: Client) -> None:
    make_host(sandbox_version="0.11.0")
    page = text_of(client.get("/status/"))
    assert "Grading is running" in page
    assert "bubblewrap 0.11.0" in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"is_isolated": False, "reason": "Namespaces are off. Switch them on."}, "Switch them on."),
        ({"checked_at": timezone.now() - timedelta(hours=3)}, "Not checked for more than two hours"),
    ],
)
def test_status_is_red_when_a_host_cannot_be_trusted(
    client: Client, columns: dict[str, Any], said: str
) -> None:
    make_host(**columns)
    page = text_of(client.get("/status/"))
    assert "Grading stands still" in page
    assert said in page


@pytest.mark.django_db
def test_proposed_track_is_drawn_for_the_confirm_page() -> None:
    submission = make_submission(benchmark=make_board_benchmark(), document={})
    html = render_to_string("leaderboard/_proposed_track.html", {"submission": submission})
    assert "Proposed track: Additional" in html
    assert "Why not Clean" in html
    assert "Why not No Private LB" in html


@pytest.mark.django_db
def test_no_page_has_inline_script_or_style(client: Client) -> None:
    entry = make_published(make_board_benchmark(), {"s1": {"comp-low": 0.9}})
    for path in (
        "/",
        "/competitions/",
        "/competitions/comp-low/",
        "/docs/tracks/",
        "/status/",
        f"/entries/{entry.slug}/",
    ):
        html = client.get(path).content.decode()
        assert " style=" not in html
        assert "<style" not in html
        assert "<script>" not in html
