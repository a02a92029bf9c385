"""The command line of a sandbox, as data: no process is started here."""

from dataclasses import replace
from pathlib import Path

import pytest

from grading.sandbox import policy
from grading.sandbox.host import own_mode
from grading.sandbox.policy import (
    GRADERS_TARGET,
    INSIDE_TARGET,
    TEMPLATE_PROCESSES,
    Descriptors,
    Layout,
    Limits,
    Mode,
    Mount,
    Tools,
    grading_mounts,
    own_limits,
    sandbox_argv,
    template_mounts,
    user_of_slot,
)
from grading.sandbox.result import OUT_OF_MEMORY_EXIT, Outcome, outcome_of_exit
from grading.sandbox.seccomp import seccomp_filter

TOOLS = Tools(Path("/b/bwrap"), Path("/usr/bin/prlimit"), Path("/usr/bin/setpriv"))
LAYOUT = Layout(
    mounts=(Mount(Path("/usr"), "/usr"), Mount(Path("/home/u/py"), "/home/u/py")),
    symlinks=(("usr/lib", "/lib"), ("/usr/bin/python3", "/app/.venv/bin/python")),
    python_dir="/app/.venv/bin",
)
DESCRIPTORS = Descriptors(status=11, go=12, seccomp=13, result=14)


def argv_of(mode: Mode = Mode.ROOT, **changes: object) -> list[str]:
    given: dict[str, object] = {
        "tools": TOOLS,
        "mode": mode,
        "layout": LAYOUT,
        "mounts": grading_mounts(submission=Path("/data/s.csv"), answers=Path("/vault/a.csv")),
        "limits": Limits(),
        "descriptors": DESCRIPTORS,
    }
    return sandbox_argv(["python", "-I"], **{**given, **changes})  # type: ignore[arg-type]


def has(argv: list[str], *words: str) -> bool:
    return any(tuple(argv[at : at + len(words)]) == words for at in range(len(argv)))


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(
    "words",
    [
        ("--unshare-pid",),
        ("--unshare-net",),
        ("--unshare-ipc",),
        ("--unshare-uts",),
        ("--cap-drop", "ALL"),
        ("--die-with-parent",),
        ("--new-session",),
        ("--clearenv",),
        ("--seccomp", "13"),
        ("--json-status-fd", "11"),
        ("--block-fd", "12"),
        ("--setenv", "RESULT_FD", "14"),
        ("--remount-ro", "/", "--chdir", "/"),
        ("--ro-bind", "/data/s.csv", "/in/submission.csv"),
        ("--ro-bind", "/vault/a.csv", "/answers/answers.csv"),
    ],
)
def test_all_modes_have_it(mode: Mode, words: tuple[str, ...]) -> None:
    assert has(argv_of(mode), *words)


@pytest.mark.parametrize("mode", list(Mode))
def test_proc_is_read_only_or_absent(mode: Mode) -> None:
    argv = argv_of(mode)
    assert has(argv, "--proc", "/proc", "--remount-ro", "/proc") is (mode is not Mode.INNER)
    assert ("/proc" in argv) is (mode is not Mode.INNER)


def test_inner_mode_starts_neither_process_nor_thread() -> None:
    """Where no limit counts them, the filter refuses them."""
    assert seccomp_filter(may_fork=False) != seccomp_filter()
    assert has(argv_of(Mode.INNER), "--unshare-user")
    assert "--disable-userns" not in argv_of(Mode.INNER)  # It would be written into a covered part of /proc.


@pytest.mark.parametrize(
    ("uid", "environ", "mode"),
    [
        (0, {}, Mode.ROOT),
        (0, {"MLEB_SANDBOX_MODE": "inner"}, Mode.ROOT),
        (1000, {}, Mode.USER),
        (1000, {"MLEB_SANDBOX_MODE": "inner"}, Mode.INNER),
        (1000, {"MLEB_SANDBOX_MODE": "root"}, Mode.USER),
    ],
)
def test_mode_of_a_process(
    uid: int, environ: dict[str, str], mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: uid)
    assert own_mode(environ) is mode


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(
    "word", ["--unshare-all", "--unshare-user-try", "--share-net", "--bind", "--dev", "--tmpfs"]
)
def test_neither_mode_has_it(mode: Mode, word: str) -> None:
    assert word not in argv_of(mode)


def test_root_drops_to_the_uid_of_its_slot() -> None:
    argv = argv_of(Mode.ROOT, slot=3)
    uid = str(policy.FIRST_SLOT_UID + 3)
    assert has(argv, "--", "/usr/bin/setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups")
    assert "--unshare-user" not in argv


def test_user_has_a_namespace_that_allows_no_other() -> None:
    argv = argv_of(Mode.USER)
    assert has(argv, "--unshare-user", "--disable-userns", "--uid", "65534", "--gid", "65534")
    assert not [word for word in argv if "setpriv" in word or word == "--cap-add"]


def test_limits_bind_the_command_alone() -> None:
    limits = Limits(cpu_s=8, memory_mb=1000, processes=20, file_mb=2)
    argv = argv_of(Mode.ROOT, limits=limits)
    inner = argv[argv.index("/usr/bin/prlimit") :]
    assert {"--cpu=8:9", f"--as={1512 << 20}:{1512 << 20}", "--nproc=20:20", "--core=0"} <= set(inner)
    assert inner[-3:] == ["--", "python", "-I"]


def test_user_mode_counts_bwrap_as_a_process() -> None:
    assert "--nproc=21:21" in argv_of(Mode.USER, limits=Limits(processes=20))


@pytest.mark.parametrize("mode", [Mode.ROOT, Mode.USER])
def test_template_has_no_proc_and_may_nest(mode: Mode) -> None:
    argv = argv_of(mode, is_template=True, mounts=template_mounts())
    assert not {"--proc", "/proc", "--disable-userns"} & set(argv)
    assert has(argv, "--remount-ro", "/")
    assert [argv[at + 2] for at, word in enumerate(argv) if word == "--ro-bind"][2:] == [
        GRADERS_TARGET,
        INSIDE_TARGET,
    ]
    inner = argv[argv.index("/usr/bin/prlimit") :]
    assert {f"--nproc={TEMPLATE_PROCESSES}", "--nofile=256", "--core=0"} <= set(inner)


def test_own_limits_leave_no_room_to_raise_them() -> None:
    limits = own_limits(Limits(cpu_s=8, memory_mb=1000, processes=20, file_mb=2), companions=0)
    assert limits == {
        "AS": (1512 << 20, 1512 << 20),
        "CPU": (8, 9),
        "FSIZE": (2 << 20, 2 << 20),
        "NPROC": (20, 20),
    }


def test_parents_are_open_and_come_first() -> None:
    argv = argv_of()
    for parent in ("/home", "/home/u", "/in", "/answers", "/app", "/app/grading", "/app/.venv/bin"):
        assert has(argv, "--perms", "0755", "--dir", parent)
    assert argv.index("/home/u") < argv.index("--ro-bind")


def test_no_parent_is_made_inside_a_mount() -> None:
    layout = replace(LAYOUT, mounts=(Mount(Path("/usr"), "/usr"), Mount(Path("/usr/x/y"), "/usr/x/y")))
    assert not has(argv_of(layout=layout), "--dir", "/usr/x")


def test_copied_file_is_readable_for_the_dropped_uid() -> None:
    argv = argv_of(mounts=[Mount(Path("/vault/a.csv"), "/answers/answers.csv", copy_fd=7)])
    assert has(argv, "--perms", "0444", "--ro-bind-data", "7", "/answers/answers.csv")
    assert "/vault/a.csv" not in argv


def test_tmp_is_sized_and_sticky() -> None:
    assert has(argv_of(limits=Limits(tmp_mb=2)), "--perms", "1777", "--size", str(2 << 20), "--tmpfs", "/tmp")


def test_answers_are_optional() -> None:
    assert [mount.target for mount in grading_mounts(submission=Path("s"))][1:] == ["/in/submission.csv"]


@pytest.mark.parametrize("slot", [-1, 500])
def test_slot_out_of_range(slot: int) -> None:
    with pytest.raises(ValueError, match=rf"slot {slot} is outside 0\.\.499"):
        user_of_slot(slot)


@pytest.mark.parametrize(
    ("exit_code", "cpu_used_s", "outcome"),
    [
        (0, 0.1, Outcome.FINISHED),
        (1, 0.1, Outcome.CRASHED),
        (139, 0.1, Outcome.CRASHED),
        (152, 2.0, Outcome.TIMED_OUT),
        (137, 2.0, Outcome.TIMED_OUT),
        (137, 0.1, Outcome.CRASHED),
        (153, 0.1, Outcome.KILLED_OUTPUT),
        (OUT_OF_MEMORY_EXIT, 0.1, Outcome.OUT_OF_MEMORY),
    ],
)
def test_outcome_of_exit(exit_code: int, cpu_used_s: float, outcome: Outcome) -> None:
    assert outcome_of_exit(exit_code, cpu_used_s=cpu_used_s, cpu_limit_s=2) is outcome
