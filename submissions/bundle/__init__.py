"""Reading untrusted bundles: one pass over a stream of bytes gives a Manifest, or BundleError.

Rules of the archive and of its layout. Imports the standard library and zstandard only, because the client is
built from the same files. The format is described in docs/bundle-format.md.
"""

from .budget import Budget
from .layout import EXPECTED_LAYOUT, Kind, Layout
from .manifest import IgnoredMember, KeptMember, Manifest, Member, MemberSink
from .problems import BundleError, Code, Problem
from .read import read_bundle

__all__ = [
    "EXPECTED_LAYOUT",
    "Budget",
    "BundleError",
    "Code",
    "IgnoredMember",
    "KeptMember",
    "Kind",
    "Layout",
    "Manifest",
    "Member",
    "MemberSink",
    "Problem",
    "read_bundle",
]
