"""What a gVisor container is told, and the command line around it, as data."""

from pathlib import Path

import pytest

from grading.sandbox.gvisor_policy import CONFIG, ROOT, RUNSC, gvisor_argv, within
from grading.sandbox.oci import container_config
from grading.sandbox.policy import Descriptors, Layout, Limits, Mode, Mount

LAYOUT = Layout((Mount(Path("/usr"), "/usr"),), (("usr/bin", "/bin"),), "/usr/bin")


def argv_of(mode: Mode) -> list[str]:
    return gvisor_argv(
        bwrap=Path("/x/bwrap"),
        runsc=Path("/x/runsc"),
        mode=mode,
        layout=LAYOUT,
        mounts=[
            Mount(Path("/checkout/graders"), "/app/graders"),
            Mount(Path("/in/a.csv"), "/in/a.csv", copy_fd=9),
            Mount(Path(CONFIG), CONFIG, copy_fd=8),
        ],
        descriptors=Descriptors(status=5, go=6, seccomp=7, result=4),
    )


def has(argv: list[str], *words: str) -> bool:
    return any(tuple(argv[place : place + len(words)]) == words for place in range(len(argv)))


@pytest.mark.parametrize("mode", [Mode.ROOT, Mode.USER])
@pytest.mark.parametrize(
    "words",
    [
        ("--unshare-pid",),
        ("--unshare-net",),
        ("--die-with-parent",),
        ("--clearenv",),
        ("--ro-bind", "/x/runsc", RUNSC),
        ("--ro-bind", "/usr", f"{ROOT}/usr"),
        ("--ro-bind", "/checkout/graders", f"{ROOT}/app/graders"),
        ("--perms", "0444", "--ro-bind-data", "9", f"{ROOT}/in/a.csv"),
        ("--perms", "0444", "--ro-bind-data", "8", CONFIG),
        ("--perms", "0444", "--ro-bind-data", "7", f"{ROOT}/app/filter"),
        ("--symlink", "usr/bin", f"{ROOT}/bin"),
        ("--perms", "0755", "--dir", f"{ROOT}/tmp/none"),
        ("--remount-ro", "/"),
        ("--cap-drop", "ALL"),
        ("--network=none",),
        ("--platform=ptrace",),
    ],
)
def test_both_modes_have_it(mode: Mode, words: tuple[str, ...]) -> None:
    assert has(argv_of(mode), *words)


@pytest.mark.parametrize(
    ("mode", "is_rootless", "rights"),
    [
        (Mode.ROOT, False, {"SYS_ADMIN", "SYS_CHROOT", "SETUID", "SETGID", "SETPCAP"}),
        (Mode.USER, True, {"SYS_ADMIN", "SYS_CHROOT", "SETUID", "SETGID", "SETPCAP", "SETFCAP"}),
    ],
)
def test_what_runsc_may_do(mode: Mode, is_rootless: bool, rights: set[str]) -> None:
    argv = argv_of(mode)
    given = {argv[place + 1].removeprefix("CAP_") for place, word in enumerate(argv) if word == "--cap-add"}
    assert given == rights
    assert ("--rootless" in argv) is is_rootless is ("--unshare-user" in argv)


def test_the_host_is_not_bound() -> None:
    argv = argv_of(Mode.ROOT)
    bound = [
        argv[place + 2] for place, word in enumerate(argv) if word in ("--ro-bind", "--bind", "--dev-bind")
    ]
    assert {place for place in bound if not place.startswith("/box/")} == {"/dev/null"}
    assert "--bind" not in argv


def test_a_place_of_the_container_lies_below_its_root() -> None:
    assert (within("/in/a.csv"), within(CONFIG)) == (f"{ROOT}/in/a.csv", CONFIG)


def test_the_container_has_no_rights_and_nowhere_to_write() -> None:
    config = container_config(
        ["python"],
        root=ROOT,
        uid=60601,
        environment={"A": "b"},
        limits=Limits(memory_mb=100, cpu_s=7, processes=5),
    )
    process = config["process"]
    assert (process["capabilities"], process["noNewPrivileges"]) == ({}, True)
    assert (process["user"], process["env"]) == ({"uid": 60601, "gid": 60601}, ["A=b"])
    assert config["root"] == {"path": ROOT, "readonly": True}
    assert {mount["destination"] for mount in config["mounts"]} == {"/proc", "/sys"}
    assert all("ro" in mount["options"] for mount in config["mounts"])
    limits = {limit["type"]: (limit["soft"], limit["hard"]) for limit in process["rlimits"]}
    assert limits["RLIMIT_NPROC"] == (5, 5)
    assert limits["RLIMIT_CPU"] == (7, 8)
    assert limits["RLIMIT_AS"] == (612 << 20, 612 << 20)
    assert limits["RLIMIT_CORE"] == (0, 0)
