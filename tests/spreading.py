"""Which tests go to one worker together: those of a file, and all that look at the one site of the browser tests."""

from xdist.scheduler import LoadFileScheduling

TOGETHER = ("tests/browser/",)


class ByPlace(LoadFileScheduling):
    def _split_scope(self, nodeid: str) -> str:
        shared = (place for place in TOGETHER if nodeid.startswith(place))
        return next(shared, None) or super()._split_scope(nodeid)
