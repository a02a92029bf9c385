"""The server's own rules as modules of this package, wherever they come from.

In the wheel they lie in this folder, put there when it was built. In a checkout they are the server's folders
themselves. Either way nothing of the user's that is called `grading` or `submissions` can take their place, nor
they its.
"""

from pathlib import Path

_HERE = Path(__file__).parent

if not (_HERE / "submissions").is_dir():
    __path__.append(str(_HERE.parents[3]))
