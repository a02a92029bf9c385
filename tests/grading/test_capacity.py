"""As many gradings at a time as there are cores, if they fit into memory; in a container, into the container's."""

from pathlib import Path

import pytest

from grading.capacity import MB, cores_here, count_slots, memory_here_mb, slots_here


@pytest.mark.parametrize(
    ("cores", "memory_mb", "grading_mb", "slots"),
    [
        (2, 24_000, 4096, 2),
        (16, 24_000, 4096, 5),
        (16, 5_000, 4096, 1),
        (4, 1_000, 4096, 1),
        (0.5, 24_000, 4096, 1),
        (2.5, 64_000, 4096, 2),
    ],
)
def test_the_scarcer_one_counts(cores: float, memory_mb: float, grading_mb: int, slots: int) -> None:
    assert count_slots(cores, memory_mb, grading_mb) == slots


def test_what_is_asked_for_is_what_there_is() -> None:
    assert slots_here(7, 4096) == 7
    assert slots_here(0, 4096) >= 1


def group_of(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("files", "cores"),
    [
        ({}, 64),
        ({"cpu.max": "max 100000\n"}, 64),
        ({"cpu.max": "150000 100000\n"}, 1.5),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 64),
        ({"cpu/cpu.cfs_quota_us": "50000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 0.5),
    ],
)
def test_cores_of_a_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], cores: float
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: set(range(64)))
    assert cores_here(group_of(tmp_path, files)) == cores


@pytest.mark.parametrize(
    ("files", "memory_mb"),
    [
        ({}, 24_000),
        ({"memory.max": "max\n"}, 24_000),
        ({"memory.max": f"{2048 * MB}\n"}, 2048),
        ({"memory/memory.limit_in_bytes": "9223372036854771712\n"}, 24_000),
        ({"memory/memory.limit_in_bytes": f"{512 * MB}\n"}, 512),
        ({"memory.max": f"{90_000 * MB}\n"}, 24_000),
    ],
)
def test_memory_of_a_container(tmp_path: Path, files: dict[str, str], memory_mb: float) -> None:
    assert memory_here_mb(group_of(tmp_path, files), lambda: 24_000) == memory_mb
