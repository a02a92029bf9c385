"""From folders of runs to one bundle, whose bytes depend on the names and contents alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .benchmarks import splits_of
from .compress import compressed, compressor_for
from .errors import ClientError
from .found import Found, FoundFile, Wanted, find_files
from .rules import RUN_CARDS, Kind, Layout
from .starter_card import starter_card
from .tar_stream import tar_stream

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Packed:
    """A written bundle. `starter`: the run card that was written to be filled in, where there was none."""

    path: Path
    size: int
    found: Found
    starter: Path | None


def look_into(
    folders: Sequence[Path], benchmark: str, wanted: Wanted | None = None, run_card: Path | None = None
) -> Found:
    """What a bundle of these folders would hold. `run_card` takes the place of any that lies in them."""
    found = find_files(folders, Layout(frozenset(splits_of(benchmark))), wanted or Wanted())
    if not found.seeds:
        raise ClientError(_no_predictions(found, benchmark))
    return _with_card(found, run_card) if run_card else found


def pack(
    folders: Sequence[Path],
    out: Path,
    benchmark: str,
    *,
    wanted: Wanted | None = None,
    run_card: Path | None = None,
    began: Callable[[int], None] = lambda total: None,
    progress: Progress = lambda count: None,
) -> Packed:
    """Writes the bundle. `began` gets the bytes there are to read, `progress` those that were.

    Where there is no run card, one to be filled in is written beside the runs (of several folders: beside the
    bundle) and goes in as it is. Raises ClientError; no half bundle is left behind.
    """
    compressor = compressor_for(out)
    place = folders[0] if len(folders) == 1 else out.parent
    found = look_into(folders, benchmark, wanted, run_card or _card_in(place))
    starter = None
    if found.run_card is None:
        starter = _write_starter(place, found)
        found = _with_card(found, starter)
    began(sum(file.size for file in found.files))
    draft = out.with_name(f".{out.name}.part")
    try:
        with draft.open("wb") as file:
            for piece in compressed(tar_stream(found.files, progress), compressor):
                file.write(piece)
        draft.replace(out)
    finally:
        draft.unlink(missing_ok=True)
    return Packed(out, out.stat().st_size, found, starter)


def _card_in(folder: Path) -> Path | None:
    return next((folder / name for name in RUN_CARDS if (folder / name).is_file()), None)


def _with_card(found: Found, card: Path) -> Found:
    if card.suffix not in (".yaml", ".yml", ".json"):
        raise ClientError(f"{card} must be a .yaml or .json file.")
    try:
        size = card.stat().st_size
    except OSError as error:
        raise ClientError(f"{card} cannot be read: {error.strerror}.") from error
    entry = FoundFile(f"run_card{card.suffix}", card, size, Kind.RUN_CARD, None, False)
    others = [file for file in found.files if file.kind is not Kind.RUN_CARD]
    return replace(found, files=tuple(sorted([*others, entry], key=lambda file: file.name)))


def _write_starter(folder: Path, found: Found) -> Path:
    path = folder / RUN_CARDS[0]
    try:
        path.write_text(starter_card(found.seeds, found.run_groups), encoding="utf-8")
    except OSError as error:
        raise ClientError(
            f"A run card to fill in could not be written to {path}: {error.strerror}. Give one with --run-card."
        ) from error
    return path


def _no_predictions(found: Found, benchmark: str) -> str:
    hints = [f"{each.name}: {each.reason}" for each in found.left_out if each.looks_like_predictions][:3]
    near = "".join(f"\n  {hint}" for hint in hints)
    return (
        f"No predictions for {benchmark} were found. They belong at <seed>/<competition-id>/submission.csv, or "
        f"<run-group>/<competition-id>_<suffix>/submission/submission.csv.{near}"
    )
