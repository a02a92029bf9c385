"""What can go wrong with the sandbox itself. Never shown to teams: their file is not at fault."""

NAMESPACE_REMEDY = (
    "As an ordinary user the kernel must allow user namespaces: sysctl user.max_user_namespaces above 0, "
    "kernel.unprivileged_userns_clone=1 on older Debian; on Ubuntu 23.10 or newer either "
    "kernel.apparmor_restrict_unprivileged_userns=0 or BWRAP=/usr/bin/bwrap with the distribution's AppArmor "
    "profile. In Docker use --security-opt seccomp=unconfined --security-opt apparmor=unconfined, as root "
    "also --cap-add SYS_ADMIN. See docs/sandbox.md."
)


class SandboxError(Exception):
    """The machine failed, not the submission; the grading may be tried again."""


class SandboxUnavailable(SandboxError):
    """Isolation cannot be had here, so nothing is graded until an operator mends it."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(f"{reason} How to mend it: {remedy}")
        self.reason = reason
        self.remedy = remedy
