"""What the client uses of the server's rules for bundles and run cards. Needs no NumPy."""

from typing import TYPE_CHECKING

# One set of names, two places: type checkers see the checkout's files, programs those of this package.
if TYPE_CHECKING:
    from grading.splits import Split
    from submissions.bundle import (
        Budget,
        BundleError,
        KeptMember,
        Kind,
        Layout,
        Manifest,
        Member,
        MemberSink,
        read_bundle,
    )
    from submissions.bundle.layout import RUN_CARDS, SEED, is_noise
    from submissions.bundle.problems import shown, size_text
    from submissions.run_card import SCHEMA, Problem, RunCardError, parse_run_card, title_of, undisclosed
    from submissions.run_card.schema import kind_of, properties
    from submissions.seeds import find_collisions, seed_map
else:
    from ._rules.grading.splits import Split
    from ._rules.submissions.bundle import (
        Budget,
        BundleError,
        KeptMember,
        Kind,
        Layout,
        Manifest,
        Member,
        MemberSink,
        read_bundle,
    )
    from ._rules.submissions.bundle.layout import RUN_CARDS, SEED, is_noise
    from ._rules.submissions.bundle.problems import shown, size_text
    from ._rules.submissions.run_card import (
        SCHEMA,
        Problem,
        RunCardError,
        parse_run_card,
        title_of,
        undisclosed,
    )
    from ._rules.submissions.run_card.schema import kind_of, properties
    from ._rules.submissions.seeds import find_collisions, seed_map

__all__ = [
    "RUN_CARDS",
    "SCHEMA",
    "SEED",
    "Budget",
    "BundleError",
    "KeptMember",
    "Kind",
    "Layout",
    "Manifest",
    "Member",
    "MemberSink",
    "Problem",
    "RunCardError",
    "Split",
    "find_collisions",
    "is_noise",
    "kind_of",
    "parse_run_card",
    "properties",
    "read_bundle",
    "seed_map",
    "shown",
    "size_text",
    "title_of",
    "undisclosed",
]
