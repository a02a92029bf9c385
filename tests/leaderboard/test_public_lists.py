"""The lists of the API: cursors, tables, conditional requests, other sites, and errors that say what to do."""

import csv
import io
from base64 import b64encode
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.test import Client

from leaderboard.api.tables import Kind, Table, column, table_to_parquet
from leaderboard.models import Snapshot, StoredBoard
from tests.leaderboard.boards import make_board_benchmark, make_placed, make_published, make_reviewed

pytestmark = pytest.mark.django_db
SCORES = {"s1": {"comp-low": 0.91234}, "s2": {"comp-low": None}, "s3": {}}
LISTS = ("entries", "gradings", "agents", "organisations", "decisions", "snapshots")


def lines_of(answer: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_gradings_are_the_runs_of_published_entries(client: Client) -> None:
    benchmark = make_board_benchmark()
    make_reviewed(benchmark, {"hidden": {"comp-low": 0.99}})
    entry = make_published(benchmark, SCORES, track="no-private-lb")
    found = client.get("/api/v1/gradings/").json()["results"]
    assert {each["seed"] for each in found} == {"s1", "s2"} | {run.seed for run in entry.runs.all()}
    assert "hidden" not in {each["seed"] for each in found}
    scored = next(each for each in found if each["seed"] == "s1")
    assert (scored["outcome"], scored["score"], scored["medal"]) == ("scored", 0.91234, "gold")
    assert (scored["slug"], scored["thresholds_version"]) == (entry.slug, 1)
    assert scored["graded_at"].endswith("Z")
    assert [each["seed"] for each in client.get("/api/v1/gradings/?outcome=invalid").json()["results"]] == [
        "s2"
    ]
    assert client.get("/api/v1/gradings/?entry=nope").json()["results"] == []


@pytest.mark.parametrize("name", LISTS)
def test_lists_go_on_by_cursor_and_end(client: Client, name: str) -> None:
    benchmark = make_board_benchmark()
    for _ in range(3):
        make_published(benchmark, {"s1": {"comp-low": 0.95}}, track="no-private-lb")
    seen: list[str] = []
    address = f"/api/v1/{name}/?limit=2"
    while address:
        answer = client.get(address)
        body = answer.json()
        assert len(body["results"]) <= 2
        seen += [str(each) for each in body["results"]]
        address = body["next"]
        assert address is None or address.startswith(f"/api/v1/{name}/?"), "no host of the moment"
        assert (address is None) == ("Link" not in answer)
    assert len(seen) == len(set(seen)) == 3


@pytest.mark.parametrize("name", LISTS)
def test_lists_as_csv_say_the_same(client: Client, name: str) -> None:
    make_published(make_board_benchmark(), SCORES, track="no-private-lb")
    found = client.get(f"/api/v1/{name}/").json()["results"]
    lines = lines_of(client.get(f"/api/v1/{name}/?format=csv"))
    assert len(lines) == len(found) > 0
    for line, each in zip(lines, found, strict=True):
        assert set(line) == set(each), "every field has a column"


@pytest.mark.parametrize("name", LISTS)
def test_lists_take_a_number_of_queries_that_does_not_grow(
    client: Client, name: str, django_assert_max_num_queries: Any
) -> None:
    benchmark = make_board_benchmark()
    for _ in range(4):
        make_published(benchmark, {"s1": {"comp-low": 0.95}}, track="no-private-lb")
    with django_assert_max_num_queries(3):
        client.get(f"/api/v1/{name}/")


def test_nothing_unpublished_is_in_any_list(client: Client) -> None:
    entry = make_reviewed(make_board_benchmark(), {"s1": {"comp-low": 0.95}})
    for name in ("entries", "gradings", "agents", "organisations", "decisions"):
        assert client.get(f"/api/v1/{name}/").json()["results"] == [], name
    for address in (f"agents/{entry.agent.slug}", f"organisations/{entry.agent.organisation.slug}"):
        assert client.get(f"/api/v1/{address}").status_code == 404


def test_one_of_each(client: Client) -> None:
    entry = make_published(make_board_benchmark(), {"s1": {"comp-low": 0.95}}, track="no-private-lb")
    agent = client.get(f"/api/v1/agents/{entry.agent.slug}").json()
    assert agent["entries"] == [entry.slug]
    organisation = client.get(f"/api/v1/organisations/{agent['organisation_slug']}").json()
    assert organisation["agents"] == [entry.agent.slug]
    decision = entry.decisions.get()
    assert client.get(f"/api/v1/decisions/{decision.pk}").json()["hash"] == decision.hash


def test_parquet_has_types_also_where_nothing_is_known(client: Client) -> None:
    make_published(make_board_benchmark(), SCORES, track="no-private-lb")
    answer = client.get("/api/v1/gradings/?format=parquet")
    assert answer["Content-Type"] == "application/vnd.apache.parquet"
    table = pq.read_table(io.BytesIO(answer.content))
    assert {str(table.schema.field(name).type) for name in ("entry", "answers_version")} == {"int64"}
    assert str(table.schema.field("graded_at").type) == "timestamp[us, tz=UTC]"
    found = client.get("/api/v1/gradings/").json()["results"]
    assert table.column("score").to_pylist() == [each["score"] for each in found]
    board = pq.read_table(io.BytesIO(client.get("/api/v1/rankings/all?split=low&format=parquet").content))
    assert board.column("any_medal_mean").to_pylist() == [50.0]
    assert str(board.schema.field("cost_usd").type) == "double"
    assert board.schema.metadata[b"split"] == b"low"


def test_parquet_of_no_rows() -> None:
    table = pq.read_table(io.BytesIO(table_to_parquet(Table([column("a", Kind.DAY)], []))))
    assert (table.num_rows, str(table.schema.field("a").type)) == (0, "date32[day]")


@pytest.mark.parametrize(
    "name", [*(f"{name}/" for name in LISTS), "tracks/", "competitions/", "rankings/all"]
)
def test_every_public_answer_can_be_asked_for_again(client: Client, name: str) -> None:
    make_placed(make_board_benchmark(), "no-private-lb", 50.0)
    first = client.get(f"/api/v1/{name}")
    assert not first["ETag"].startswith("W/")
    assert "public" in first["Cache-Control"]
    again = client.get(f"/api/v1/{name}", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]
    assert again["Access-Control-Allow-Origin"] == "*"
    assert client.head(f"/api/v1/{name}")["ETag"] == first["ETag"]


def test_other_sites_may_read_what_is_public_and_nothing_else(client: Client) -> None:
    make_board_benchmark()
    origin = {"origin": "https://elsewhere.example"}
    for address in ("/api/v1/rankings/all", "/api/v1/rankings/nope", "/api/v1/entries/nope"):
        answer = client.get(address, headers=origin)
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer
    asked = client.options("/api/v1/rankings/all", headers={**origin, "access-control-request-method": "GET"})
    assert asked.status_code == 204
    assert "POST" not in asked["Access-Control-Allow-Methods"]
    assert "authorization" not in asked["Access-Control-Allow-Headers"].lower()
    for answer in (client.get("/api/v1/submissions", headers=origin), client.options("/api/v1/submissions")):
        assert "Access-Control-Allow-Origin" not in answer


@pytest.mark.parametrize(
    ("address", "status", "says"),
    [
        ("/api/v1/nope", 404, "no such address"),
        ("/api/v2/rankings/all", 404, "no such address"),
        ("/api/v1/submissions/not-an-id", 404, "no such address"),
        ("/api/v1/entries/nope", 404, "nothing here"),
        ("/api/v1/entries/?limit=0", 400, "limit: a whole number from 1 to 1,000"),
        ("/api/v1/entries/?limit=1001", 400, "limit:"),
        ("/api/v1/entries/?cursor=x", 400, "cursor: not one of ours"),
        *(
            (f"/api/v1/{name}/?cursor={b64encode(position).decode()}", 400, "cursor: not one of ours")
            for name in ("entries", "gradings", "decisions", "snapshots", "restatements", "pin-moves")
            for position in (b"p=NaN", b"p=1e400", b"p=a&r=1&o=1")
        ),
        ("/api/v1/entries/?organization=x", 400, "organization: unknown here"),
        ("/api/v1/entries/?source=typed", 400, "graded, imported"),
        ("/api/v1/entries/?format=parquet", 400, "none of json, csv"),
        ("/api/v1/decisions/?kind=vote", 400, "publish"),
        ("/api/v1/gradings/?medal=tin", 400, "gold"),
        ("/api/v1/rankings/all?llms=GPT-5", 400, "llms: unknown here"),
        ("/api/v1/rankings/all?fields=score", 400, "fields: 'score' is none of"),
        ("/api/v1/rankings/all?category=Tabular", 400, "category: 'Tabular'"),
        ("/api/v1/rankings/all?cursor=MTAw", 400, "cursor: not one of ours"),
        ("/api/v1/rankings/all?exact=yes", 400, "exact:"),
    ],
)
def test_errors_are_problems_that_say_what_to_do(
    client: Client, address: str, status: int, says: str
) -> None:
    make_board_benchmark()
    answer = client.get(address)
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert says in answer.json()["detail"]
    assert answer.json()["status"] == status


@pytest.mark.parametrize("kind", ["text/csv", "application/vnd.apache.parquet"])
def test_errors_are_problems_whatever_was_asked_for(client: Client, kind: str) -> None:
    make_board_benchmark()
    for address in ("rankings/nope", "rankings/all?sort=x", "gradings/?limit=0"):
        answer = client.get(f"/api/v1/{address}", headers={"accept": kind})
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["status"] == answer.status_code >= 400


def test_a_crash_of_a_route_is_a_problem_too(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*args: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("leaderboard.api.decisions.public_decisions", crash)
    client.raise_request_exception = False
    answer = client.get("/api/v1/decisions/")
    assert (answer.status_code, answer["Content-Type"]) == (500, "application/problem+json")
    assert "on our side" in answer.json()["detail"]


def test_a_list_without_its_last_slash_is_sent_on(client: Client) -> None:
    answer = client.get("/api/v1/tracks?x=1")
    assert (answer.status_code, answer["Location"]) == (301, "/api/v1/tracks/?x=1")


def test_rankings_go_on_by_cursor_until_the_board_changes(client: Client) -> None:
    benchmark = make_board_benchmark()
    for number in range(5):
        make_placed(benchmark, "no-private-lb", 50.0 + number)
    first = client.get("/api/v1/rankings/no-private-lb?limit=2&sort=-agent&fields=slug").json()
    assert (first["count"], first["total"], len(first["rows"])) == (5, 5, 2)
    second = client.get(first["next"]).json()
    third = client.get(second["next"]).json()
    rows = [*first["rows"], *second["rows"], *third["rows"]]
    assert len({row["slug"] for row in rows}) == 5
    assert third["next"] is None
    assert len(lines_of(client.get("/api/v1/rankings/no-private-lb?format=csv"))) == 5
    make_placed(benchmark, "no-private-lb", 10.0)
    late = client.get(first["next"])
    assert late.status_code == 400
    assert "has changed since" in late.json()["detail"]


def test_page_csv_and_json_show_the_same_narrowed_view(client: Client) -> None:
    benchmark = make_board_benchmark()
    for number in range(4):
        make_placed(benchmark, "no-private-lb", 50.0 + number, vcpus=float(number), llms=["=X"])
    words = "vcpus_min=1&sort=-hardware&columns=hardware,llm"
    page = client.get(f"/boards/bench/no-private-lb/all/?{words}")
    context = page.context
    shown = [row["slug"] for row in context["board"].rows]
    assert len(shown) == 3
    answer = client.get(context["json_url"]).json()
    assert [row["slug"] for row in answer["rows"]] == shown
    assert set(answer["rows"][0]) == {
        "entry", "slug", "url", "rank", "position", "view_position", "agent", "version", "organisation", "llms",
        "no_llm", "gpus", "gpu_model", "vcpus",
    }  # fmt: skip
    assert answer["view"]["conditions"] == ["vCPUs at least 1"]
    lines = lines_of(client.get(context["csv_url"]))
    assert [line["slug"] for line in lines] == shown
    assert lines[0]["llms"] == "'=X"
    assert "any_medal_mean" not in lines[0]


def test_snapshots_keep_their_rows_for_a_while(client: Client) -> None:
    benchmark = make_board_benchmark()
    make_placed(benchmark, "no-private-lb", 50.0)
    first = Snapshot.objects.get(is_current=True)
    make_placed(benchmark, "no-private-lb", 60.0)
    old = client.get(f"/api/v1/snapshots/{first.pk}").json()
    assert [row["result"]["any_medal_mean"] for row in old["rows"]] == [50.0]
    assert old["is_current"] is False
    page = client.get(f"/snapshots/{first.pk}/").content.decode()
    assert first.digest in page
    assert "50.00" in page
    assert "60.00" not in page
    StoredBoard.objects.filter(snapshot=first).delete()
    assert client.get(f"/api/v1/snapshots/{first.pk}").json()["rows"] is None
    assert "not kept any more" in client.get(f"/snapshots/{first.pk}/").content.decode()
    assert client.get(f"/snapshots/{first.pk}/?track=nope").status_code == 404
    assert client.get("/snapshots/999999/").status_code == 404


def test_headers_say_how_much_is_left(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from rest_framework.throttling import SimpleRateThrottle

    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "anon", "2/min")
    answers = [client.get("/api/v1/tracks/") for _ in range(3)]
    assert [answer["RateLimit-Remaining"] for answer in answers] == ["1", "0", "0"]
    assert answers[0]["RateLimit-Limit"] == "2"
    assert answers[0]["RateLimit-Policy"] == "2;w=60"
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert 0 < int(answers[2]["Retry-After"]) <= 60
    assert answers[2]["Content-Type"] == "application/problem+json"
    assert "RateLimit-Limit" not in client.get("/healthz")


def test_what_is_kept_is_not_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from rest_framework.throttling import SimpleRateThrottle

    make_placed(make_board_benchmark(), "no-private-lb", 50.0)
    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "anon", "1/min")
    first = client.get("/api/v1/rankings/all")
    second = client.get("/api/v1/rankings/all")
    assert (second.status_code, second.content, second["ETag"]) == (200, first.content, first["ETag"])
    assert client.get("/api/v1/rankings/all?sort=agent").status_code == 429
