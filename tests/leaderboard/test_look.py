"""The design system: filters, parts rendered with their contexts, and the contrast of the palette."""

import json
import math
import re
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from django import forms
from django.template import Context, Engine

from leaderboard.templatetags import look, parts
from submissions.models.submission import SubmissionStatus

ROOT = Path(__file__).resolve().parents[2]
CSS = ROOT / "static" / "css"
ENGINE = Engine(dirs=[ROOT / "templates"], libraries={"look": "leaderboard.templatetags.look"})


def render(part: str, **context: object) -> str:
    """The part's markup with runs of white space made one."""
    return in_one_line(ENGINE.get_template(f"_parts/{part}.html").render(Context(context)))


def in_one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (64.4444, 2, "64.44"),
        (0, 2, "0.00"),
        (-0.001, 2, "0.00"),
        (12345.6, 1, "12345.6"),
        (0.82, 5, "0.82000"),
        (None, 2, "—"),
        (math.nan, 2, "—"),
        (-math.inf, 2, "—"),
    ],
)
def test_fixed(value: float | None, digits: int, text: str) -> None:
    assert look.fixed(value, digits) == text


def test_percent_keeps_zero_and_missing_apart() -> None:
    assert look.percent(0) == "0.00\u202f%"
    assert look.percent(64.444) == "64.44\u202f%"
    assert look.percent(None, "not attempted") == "not attempted"
    assert look.percent(math.nan) == "—"


@pytest.mark.parametrize(
    ("value", "text"),
    [(-1, "0.00"), (0, "0.00"), (33.333, "33.33"), (101, "100.00"), (None, "0"), (math.nan, "0")],
)
def test_bar_width(value: float | None, text: str) -> None:
    assert look.bar_width(value) == text


def test_whisker_ends_stay_on_the_bar() -> None:
    assert (look.whisker_low(1, 2), look.whisker_high(99, 2)) == ("0.00", "100.00")
    assert (look.whisker_low(50, None), look.whisker_high(50, 1.5)) == ("50.00", "51.50")


def test_times_are_utc_with_z() -> None:
    moment = datetime(2026, 3, 23, 1, 30, 5, 999, tzinfo=timezone(timedelta(hours=2)))
    assert look.isoz(moment) == "2026-03-22T23:30:05Z"
    assert look.when(moment) == '<time datetime="2026-03-22T23:30:05Z">2026-03-22 23:30 UTC</time>'
    assert look.when(date(2026, 3, 23)) == '<time datetime="2026-03-23">2026-03-23</time>'
    assert (look.isoz(None), look.when(None)) == ("", "")
    with pytest.raises(ValueError, match="zone"):
        look.isoz(datetime(2026, 3, 23))


def states(*args: str) -> list[str]:
    return [step.state for step in look.life_steps(*args)]


def test_steps_of_a_life() -> None:
    assert states("checking") == ["is-done"] * 2 + ["is-current"] + [""] * 6
    assert states("published") == ["is-done"] * 9
    assert states("rejected") == ["is-done"] * 3 + ["is-stopped"]
    assert states("withdrawn", "graded") == ["is-done"] * 7 + ["is-stopped"]
    assert states("withdrawn", "queued") == ["is-done"] * 5 + ["is-stopped"]
    assert states("withdrawn", "awaiting_team") == ["is-done"] * 3 + ["is-stopped"], "it was never confirmed"
    assert states("abandoned", "awaiting_team") == ["is-done"] * 3 + ["is-stopped"]
    assert states("abandoned") == ["is-stopped"]
    assert look.life_steps("grading_failed")[-1].label == "Grading failed"
    with pytest.raises(ValueError, match="unheard"):
        look.life_steps("unheard")


def test_every_status_has_a_step() -> None:
    assert [*look.LIFE, *look.EXITS] == SubmissionStatus.values


def test_bar_shows_figure_whisker_or_the_lack_of_it() -> None:
    full = in_one_line(parts.bar(value=64.44, sem=1.18))
    assert "<b>64.44</b>" in full
    assert "± 1.18" in full
    assert 'd="M63.26 6H65.62"' in full
    single = in_one_line(parts.bar(value=16.9, n=1))
    assert "n = 1" in single
    assert "±" not in single
    assert "whisker" not in single
    assert "± 0.00" in in_one_line(parts.bar(value=40.0, sem=0.0))
    assert in_one_line(parts.bar(value=None)) == '<span class="absent">not attempted</span>'


def test_an_interval_is_the_whisker_where_there_is_one() -> None:
    sure = {"interval_low": 55.6, "interval_high": 72.94}
    full = in_one_line(parts.bar(value=64.44, sem=1.18, interval=sure))
    assert "55.6–72.9" in full
    assert "M55.60 3v6M72.94 3v6M55.60 6H72.94" in full
    without = in_one_line(
        parts.bar(value=0.0, sem=0.0, interval={"interval_low": None, "interval_high": None})
    )
    assert "whisker" not in without
    # Dashed: one SEM is another thing than an interval.
    assert "whisker--sem" in in_one_line(parts.bar(value=64.44, sem=1.18))
    assert "whisker--sem" not in full


@pytest.mark.parametrize(
    ("rank", "low", "high", "shown"),
    [
        (1, 1, 3, '<span class="visually-hidden">rank 1, range </span>1–<wbr>3'),
        (2, 2, 2, "2"),
        (10, None, None, "10"),
        (None, None, None, '<span aria-hidden="true">–</span><span class="visually-hidden">unranked</span>'),
    ],
)
def test_a_rank_is_a_range_where_neighbours_cannot_be_told_apart(
    rank: int | None, low: int | None, high: int | None, shown: str
) -> None:
    assert in_one_line(parts.rank(rank=rank, statistics={"rank_low": low, "rank_high": high})) == shown
    if low is None:
        assert in_one_line(parts.rank(rank=rank, statistics=None)) == shown


@pytest.mark.parametrize("mark", look.MARKS)
def test_every_mark_has_a_shape_and_a_word(mark: str) -> None:
    text = render("medal", medal=mark)
    assert look.MARKS[mark] in text
    assert "<path" in text or "<circle" in text
    assert f' 0<span class="visually-hidden"> {look.MARKS[mark]}</span>' in render(
        "medal", medal=mark, count=0
    )


def test_badges_say_their_words_or_the_given_ones() -> None:
    assert "self-graded, unverified" in render("badge", kind="self-graded")
    assert ">rounded<" in render("badge", kind="plain", text="rounded")


def test_facts_tell_silence_from_zero() -> None:
    text = render("facts", facts=[{"term": "Cost", "value": None}, {"term": "Calls", "value": 0}])
    assert text.count("undisclosed</span>") == 1
    assert "<dd>0</dd>" in text


def test_parts_escape_what_they_are_given() -> None:
    evil = "<script>alert(1)</script>"
    problems = [{"code": evil, "where": evil, "message": evil}]
    event = {"at": datetime(2026, 3, 1, tzinfo=UTC), "what": evil, "who": evil, "note": evil}
    pages = [
        render("problems", problems=problems),
        render("timeline", events=[event]),
        render("chips", chips=[{"text": evil, "url": evil, "kind": evil}]),
        render("code", id="x", text=evil),
        render("badge", kind=evil, text=evil),
    ]
    assert not [page for page in pages if "<script" in page]


class ExampleForm(forms.Form):
    name = forms.CharField(help_text="As on the board.")
    scope = forms.ChoiceField(
        choices=[("low", "Low"), ("all", "All")], widget=forms.RadioSelect, required=False
    )
    agreed = forms.BooleanField(label="I agree")

    def clean(self) -> None:
        raise forms.ValidationError("Nothing fits.")


def test_fields_tie_label_help_and_errors_to_the_control() -> None:
    form = ExampleForm({})
    name = render("field", field=form["name"])
    assert '<label for="id_name">Name</label>' in name
    assert 'aria-describedby="id_name_helptext id_name_error"' in name
    assert 'id="id_name_helptext"' in name
    assert 'id="id_name_error"' in name
    assert 'aria-invalid="true"' in name


def test_radio_buttons_become_cards_and_a_checkbox_stands_before_its_label() -> None:
    form = ExampleForm({})
    scope = render("field", field=form["scope"])
    assert scope.count('class="radio-card"') == 2
    assert "(optional)" in scope
    assert re.search(r"type=\"checkbox\".*I agree</label>", render("field", field=form["agreed"]))
    assert "Nothing fits." in render("form_errors", form=form)


def test_specimen_puts_json_and_times_into_the_context() -> None:
    source = (
        '{% load look %}{% specimen x %}[{"at": "2026-03-01T09:12:00Z"}]{% endspecimen %}{% when x.0.at %}'
    )
    assert "2026-03-01 09:12 UTC" in ENGINE.from_string(source).render(Context())


def test_templates_hold_no_inline_script_or_style() -> None:
    inline = re.compile(
        r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|javascript:|hx-on|hx-vals=.js", re.I
    )
    paths = [*(ROOT / "templates").glob("*.html"), *(ROOT / "templates" / "_parts").glob("*.html")]
    assert len(paths) > 20
    assert not [path.name for path in paths if inline.search(path.read_text())]


def test_htmx_adds_no_style_and_evaluates_nothing() -> None:
    config = re.search(r"htmx-config\" content='([^']+)'", (ROOT / "templates" / "base.html").read_text())
    assert config
    settings = json.loads(config[1])
    assert not settings["includeIndicatorStyles"]
    assert not settings["allowEval"]


def test_style_sheets_stay_small_and_fetch_nothing() -> None:
    text = "".join(path.read_text() for path in CSS.glob("*.css"))
    assert len(text.encode()) < 52_000
    assert "url(" not in text
    assert "@import" not in text


def palette(scheme: str) -> dict[str, str]:
    light, dark = (CSS / "tokens.css").read_text().split("@media (prefers-color-scheme: dark)")
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", light))
    return colours | dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", dark)) if scheme == "dark" else colours


def luminance(colour: str) -> float:
    """Relative luminance of an sRGB colour. Source: WCAG 2.2, "relative luminance"."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


GROUNDS = ["paper", "surface", "sunken"]
TEXT_PAIRS = [
    *((text, ground) for text in ("ink", "ink-soft", "accent") for ground in GROUNDS),
    *(
        (text, ground)
        for text in ("amber", "danger", "success")
        for ground in ("paper", "surface", f"{text}-soft")
    ),
    *((text, ground) for text in ("ink", "ink-soft", "accent") for ground in ("amber-soft", "accent-soft")),
    *(("ink", ground) for ground in ("danger-soft", "success-soft")),
    ("on-accent", "accent"),
    ("on-accent", "accent-deep"),
    ("accent-deep", "paper"),
    ("accent-deep", "surface"),
]
SHAPE_PAIRS = [
    *((edge, ground) for edge in ("line-strong", "accent") for ground in ("paper", "surface")),
    *((f"{medal}-edge", ground) for medal in ("gold", "silver", "bronze") for ground in ("paper", "surface")),
    *((f"{kind}-edge", "surface") for kind in ("amber", "danger", "success")),
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_meets_aa(scheme: str) -> None:
    colours = palette(scheme)
    needed = [(pair, 4.5) for pair in TEXT_PAIRS] + [(pair, 3.0) for pair in SHAPE_PAIRS]
    found = {pair: (round(contrast(*(colours[name] for name in pair)), 2), least) for pair, least in needed}
    assert not {pair: ratio for pair, (ratio, least) in found.items() if ratio < least}
