"""Pages with charts: the same figures as the board, a table behind each, and nothing the policy forbids."""

import json
import re
from html import unescape
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from leaderboard.boards import find_boards, list_boards, rows_of
from leaderboard.charts.chart import fixed
from leaderboard.models import Entry
from leaderboard.standings import rebuild_standings
from leaderboard.views.charts import charts_url
from tests.factories import NOW
from tests.leaderboard.boards import make_board_benchmark, make_placed, make_published, make_reviewed
from tests.leaderboard.medal_boards import make_wide, make_wide_benchmark, row_of

pytestmark = pytest.mark.django_db
FIGURES = ("over-time", "cost", "gpu-hours", "hours", "medals", "scaffolds")
SCRIPT = re.compile(r'data-chart="([a-z-]+)".*?<script type="application/json">(.*?)</script>', re.S)


@pytest.fixture
def entries() -> list[Entry]:
    """Two graded here with other medals, and one imported."""
    benchmark = make_wide_benchmark()
    graded = [make_wide(benchmark, medals) for medals in ("333333000000", "321000000000")]
    return [*graded, make_placed(benchmark, "no-private-lb", 20.0)]


def text_of(response: HttpResponse) -> str:
    return unescape(response.content.decode())


def figures_in(response: Any) -> dict[str, Any]:
    """The figures a page carries, by name."""
    return {name: json.loads(text) for name, text in SCRIPT.findall(response.content.decode())}


def tables_in(response: Any) -> dict[str, list[list[str]]]:
    """The words of each cell of the table behind each chart."""
    found = {}
    for figure in re.findall(r'<figure class="chart" id="chart-.*?</figure>', text_of(response), re.S):
        body = figure.partition("<tbody>")[2]
        rows = re.findall(r"<tr>(.*?)</tr>", body, re.S)
        cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in rows]
        found[figure.split('"')[3]] = [[re.sub("<.*?>", "", cell) for cell in row] for row in cells]
    return found


def test_charts_have_the_figures_of_the_board(client: Client, entries: list[Entry]) -> None:
    response = client.get("/charts/wide/")
    boards = find_boards(list_boards(), "wide")
    rows = rows_of(boards, "all", boards.main_split)
    tables = tables_in(response)
    shown = {(agent, mean) for agent, _, _, mean, *_ in tables["chart-over-time"]}
    assert shown == {(row["agent"], fixed(row["result"]["any_medal_mean"])) for row in rows}
    means = sorted(y for trace in figures_in(response)["over-time"]["data"][1::2] for y in trace["y"])
    assert means == sorted(row["result"]["any_medal_mean"] for row in rows)
    interval = next(row for row in rows if row["entry"] == entries[0].pk)["statistics"]
    whisker = f"{fixed(interval['interval_low'], 1)}–{fixed(interval['interval_high'], 1)}"
    assert whisker in {row[4] for row in tables["chart-over-time"]}


def test_the_medals_are_those_of_the_runs(client: Client, entries: list[Entry]) -> None:
    table = tables_in(client.get("/charts/wide/?track=clean"))["chart-medals"]
    assert [row[:2] for row in table[:2]] == [["c00", "3 gold of 3"], ["c01", "3 gold of 3"]]
    assert table[1][2] == "2 gold of 3"
    assert table[11] == ["c11", "none of 3", "none of 3"]
    low = tables_in(client.get("/charts/wide/?split=low"))["chart-medals"]
    assert [row[0] for row in low] == [f"c{at:02}" for at in range(8)]


def test_each_chart_has_its_table_and_nothing_inline(client: Client, entries: list[Entry]) -> None:
    for address in ("/charts/wide/", f"/entries/{entries[0].slug}/", "/competitions/c00/", "/insights/"):
        response = client.get(address)
        page = response.content.decode()
        assert figures_in(response), address
        assert all(tables_in(response)[f"chart-{name}"] for name in figures_in(response)), address
        assert 'id="plotly.js-style-global" class="no-inline-styles"' in page
        assert " style=" not in page
        assert "<style" not in page
        assert "unsafe" not in response["Content-Security-Policy"]
        # Plotly itself waits until a chart is seen.
        assert not re.search(r"<script[^>]*src=[^>]*plotly", page)


def test_scripts_of_charts_stay_off_pages_without_any(client: Client, entries: list[Entry]) -> None:
    imported = entries[2]
    for address in ("/", f"/entries/{imported.slug}/", "/competitions/", "/docs/"):
        page = text_of(client.get(address))
        assert "charts.js" not in page
        assert "plotly" not in page


ADDRESSES = {
    "/charts/": 200,
    "/charts/wide/": 200,
    "/charts/wide/?track=clean&split=medium": 200,
    "/charts/none/": 404,
    "/charts/wide/?track=none": 404,
    "/charts/wide/?split=none": 404,
    "/insights/": 200,
}


def test_addresses(client: Client, entries: list[Entry]) -> None:
    assert {address: client.get(address).status_code for address in ADDRESSES} == ADDRESSES


def test_a_reader_who_has_a_page_gets_no_second_one(client: Client, entries: list[Entry]) -> None:
    for address in ("/charts/wide/", "/insights/"):
        first = client.get(address)
        assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
        make_placed(entries[0].benchmark, "no-private-lb", 99.0)
        again = client.get(address, headers={"If-None-Match": first["ETag"]})
        assert again.status_code == 200
        assert again["ETag"] != first["ETag"]


def test_queries_do_not_grow_with_entries(
    client: Client, entries: list[Entry], django_assert_num_queries: Any
) -> None:
    make_wide(entries[0].benchmark, "300000000000")
    with django_assert_num_queries(9):
        client.get("/charts/wide/")
    with django_assert_num_queries(3):
        client.get("/insights/")


def test_an_empty_board_says_so_without_axes(client: Client) -> None:
    benchmark = make_board_benchmark()
    rebuild_standings(benchmark, NOW)
    response = client.get("/charts/bench/")
    assert figures_in(response) == {}
    assert "No entry has a figure on this split yet." in text_of(response)
    assert "No data yet" in text_of(client.get("/insights/"))


def test_before_publication_nothing_is_drawn(client: Client) -> None:
    benchmark = make_board_benchmark()
    entry = make_reviewed(benchmark, {"s1": {"comp-low": 0.91234}})
    rebuild_standings(benchmark, NOW)
    for address in ("/charts/bench/", "/competitions/comp-low/", "/insights/"):
        page = text_of(client.get(address))
        assert "0.91234" not in page
        assert entry.agent.name not in page


def test_the_charts_of_an_entry(client: Client, entries: list[Entry]) -> None:
    response = client.get(f"/entries/{entries[1].slug}/")
    tables, statistics = tables_in(response), row_of(entries[1])["statistics"]
    assert list(tables) == ["chart-seeds", "chart-pass-at-k", "chart-humans"]
    result = entries[1].results.get(split="all")
    assert tables["chart-seeds"] == [[seed, fixed(mean)] for seed, mean in sorted(result.per_seed.items())]
    assert [row[1] for row in tables["chart-pass-at-k"]] == [fixed(each) for each in statistics["pass_at_k"]]
    assert len(tables["chart-humans"]) == 36
    assert tables["chart-humans"][0][:4] == ["c00", "s0", "0.95000", "gold"]


def test_an_entry_of_one_competition_keeps_to_the_drawing_of_its_scores(client: Client) -> None:
    entry = make_published(make_board_benchmark(), {"s1": {"comp-low": 0.91234}, "s2": {"comp-low": 0.5}})
    assert list(tables_in(client.get(f"/entries/{entry.slug}/"))) == ["chart-seeds", "chart-pass-at-k"]


def test_a_competition_shows_every_entry_against_its_cutoffs(client: Client) -> None:
    benchmark = make_board_benchmark()
    entry = make_published(benchmark, {"s1": {"comp-low": 0.91234}, "s2": {"comp-low": None}})
    response = client.get("/competitions/comp-low/")
    assert tables_in(response)["chart-scores"] == [[entry.agent.name, "s1", "0.91234", "gold"]]
    shapes = figures_in(response)["scores"]["layout"]["shapes"]
    assert sorted(shape["x0"] for shape in shapes) == [0.5, 0.7, 0.8, 0.9]


def test_names_of_agents_cannot_leave_the_figure(client: Client) -> None:
    entry = make_placed(make_board_benchmark(), "no-private-lb", 20.0)
    entry.agent.name = '</script><a href="https://evil.example/">x</a>'
    entry.agent.save()
    rebuild_standings(entry.benchmark, NOW)
    response = client.get("/charts/bench/")
    assert b"</script><a" not in response.content
    assert "&lt;/script&gt;&lt;a" in json.dumps(figures_in(response)["over-time"])


def test_addresses_of_charts_leave_out_what_is_usual() -> None:
    assert charts_url("wide") == "/charts/wide/"
    assert charts_url("wide", "clean", "low") == "/charts/wide/?track=clean&split=low"
