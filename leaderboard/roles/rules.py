"""What each kind of process may do with each table. A table without a line here fails a test.

Letters: r(ead), a(dd), c(hange), d(elete); C: change, of the columns below alone. Who owns the tables (migrations,
loading of catalogue and answers, `load_…` commands) may do everything and is no process of the site.

Records that must not be rewritten can be added and read by whoever makes them and changed by nobody: decisions and
what they did, events, revisions of run cards, receipts, checkpoints, the audit log. The web process writes no grading.
The grading process sees no person, team or submission, and of gradings changes what a grading comes to.
"""

from leaderboard.roles.grants import Rules, read_matrix

ROLES = ("web", "intake", "grading", "validity", "evidence", "housekeeping", "notices")

COLUMNS = {
    ("grading.Grading", "grading"): (
        "state", "not_before", "rung_at", "lease_until", "fencing_token", "attempts", "outcome", "score", "code",
        "message", "wall_s", "peak_memory_mb", "graded_with", "graded_at",
    ),
    # What it asks for, and that it rang; never what a grading came to.
    ("grading.Grading", "housekeeping"): ("rung_at", "priority", "lane_id", "lease_until", "not_before"),
    ("grading.GradingLane", "grading"): ("clock", "expected_s"),
    ("submissions.Submission", "intake"): (
        "status", "problems", "lease_until", "fencing_token", "attempts",
    ),
    ("submissions.Run", "housekeeping"): ("grading_id",),
    ("submissions.ValidityCheck", "validity"): (
        "state", "not_before", "rung_at", "lease_until", "fencing_token", "attempts", "outcome", "reasons", "key",
        "checked_at",
    ),
    # To lock the row while a board is rebuilt: PostgreSQL lets nobody who may not change some column of it.
    ("grading.Benchmark", "web"): ("position",),
    ("grading.Benchmark", "housekeeping"): ("position",),
    # Numbers of the chain's end; the rows themselves are only added.
    ("leaderboard.ChainHead", "web"): ("count", "number", "hash"),
}  # fmt: skip

MATRIX = """
                                    web   intake grading validity evidence housekeeping notices
grading.Benchmark                   rC    r      -       -        r        rC           r
grading.Competition                 r     r      r       r        r        r            r
grading.Membership                  r     r      -       -        r        r            r
grading.ThresholdsVersion           r     -      -       -        r        r            r
grading.AnswersVersion              r     r      r       r        r        r            r
grading.Blob                        r     ra     r       -        r        r            -
grading.GradingLane                 r     -      rC      -        -        rac          -
grading.Grading                     r     r      rC      -        r        raC          r
grading.Ring                        r     -      r       -        -        ra           -
grading.GradingHost                 r     -      rac     -        -        r            r

submissions.User                    racd  -      -       -        -        rd           r
submissions.User_groups             rad   -      -       -        -        r            -
submissions.User_user_permissions   rad   -      -       -        -        r            -
submissions.Organisation            rac   r      -       -        r        r            r
submissions.Team                    racd  r      -       -        r        r            r
submissions.TeamMember              racd  -      -       -        r        r            r
submissions.Invitation              racd  -      -       -        -        rd           r
submissions.Submission              rac   rC     -       -        r        rac          r
submissions.RunCardRevision         ra    ra     -       -        r        ra           r
submissions.Event                   ra    ra     -       -        ra       ra           r
submissions.Upload                  racd  rc     -       -        -        rcd          -
submissions.UploadPart              racd  rd     -       -        -        rcd          -
submissions.AnnouncedPart           racd  r      -       -        -        rcd          -
submissions.Bundle                  r     ra     -       -        r        r            r
submissions.EvidenceFile            r     ra     -       -        r        r            -
submissions.Run                     r     ra     -       -        r        rC           r
submissions.Closure                 rac   r      -       -        -        r            r
submissions.QuotaPeriod             rac   -      -       -        -        rac          -
submissions.QuotaUse                racd  -      -       -        -        racd         -
submissions.TokenGrant              racd  -      -       -        -        rd           -
submissions.ValidityCheck           racd  -      -       rC       -        rcd          -
submissions.ValidityHost            r     -      -       rac      -        r            -

leaderboard.Agent                   rac   -      -       -        r        rac          r
leaderboard.Entry                   rac   r      -       -        r        rac          r
leaderboard.EntryRun                rac   r      -       -        r        racd         r
leaderboard.EntryResult             racd  -      -       -        r        racd         r
leaderboard.Claim                   racd  -      -       -        r        racd         r
leaderboard.Decision                ra    -      -       -        r        ra           r
leaderboard.PinMove                 ra    -      -       -        r        ra           r
leaderboard.Restatement             ra    -      -       -        r        ra           r
leaderboard.ChainHead               raC   -      -       -        -        rac          -
leaderboard.Flag                    rac   -      -       -        r        rac          r
leaderboard.FlagReply               rac   -      -       -        -        r            r
leaderboard.Appeal                  rac   -      -       -        -        rac          r
leaderboard.AuditRecord             ra    a      a       a        a        rad          a
leaderboard.Track                   rac   -      -       -        r        r            r
leaderboard.Track_shows_also        rad   -      -       -        r        r            -
leaderboard.Placement               ra    -      -       -        r        ra           r
leaderboard.Snapshot                racd  -      -       -        -        racd         r
leaderboard.StoredRow               racd  -      -       -        -        racd         -
leaderboard.StoredBoard             racd  -      -       -        -        racd         -
leaderboard.SigningKey              r     -      -       -        -        rac          -
leaderboard.Receipt                 r     -      -       -        -        ra           r
leaderboard.Checkpoint              r     -      -       -        -        ra           -
leaderboard.EvidenceReading         rac   -      -       -        rac      rac          r
leaderboard.EvidenceMatch           r     -      -       -        racd     r            -
leaderboard.Finding                 racd  r      -       -        racd     racd         r
leaderboard.FingerprintBlock        r     ra     -       -        r        racd         -
leaderboard.Fingerprint             r     rac    -       -        r        rac          -
leaderboard.SampleFingerprint       r     r      -       -        r        r            -
leaderboard.Likeness                rac   rac    -       -        -        rac          -
leaderboard.RunComparison           rac   -      -       -        -        racd         -
leaderboard.CardTrait               racd  -      -       -        r        racd         -
leaderboard.NewsTold                r     -      -       -        -        rad          rad
leaderboard.NoticeSetting           racd  -      -       -        -        r            r
leaderboard.Webhook                 racd  -      -       -        -        rc           rc
leaderboard.Notice                  racd  -      -       -        -        racd         racd
leaderboard.SourcePromise           rac   -      -       -        -        rac          r
leaderboard.Question                rac   -      -       -        -        rac          r
leaderboard.CodeFile                r     -      -       -        racd     r            -
leaderboard.CodeMatch               r     -      -       -        racd     r            -
leaderboard.CodeComparison          r     -      -       -        racd     r            -
leaderboard.SecondReading           r     -      -       -        racd     r            -
leaderboard.SecondAnswer            r     -      -       -        racd     r            -
leaderboard.Contamination           racd  -      -       -        r        racd         -
leaderboard.Heartbeat               r     racd   racd    racd     racd     racd         racd
leaderboard.FailedTask              rcd   racd   racd    racd     racd     racd         racd

admin.LogEntry                      ra    -      -       -        -        r            -
auth.Permission                     r     -      -       -        -        -            -
auth.Group                          r     -      -       -        -        -            -
auth.Group_permissions              r     -      -       -        -        -            -
contenttypes.ContentType            ra    -      -       -        -        r            -
sessions.Session                    racd  -      -       -        -        rd           -
account.EmailAddress                racd  -      -       -        -        rd           r
account.EmailConfirmation           racd  -      -       -        -        rd           -
mfa.Authenticator                   racd  -      -       -        -        r            r
usersessions.UserSession            racd  -      -       -        -        rd           -
knox.AuthToken                      racd  -      -       -        -        rd           -
django_migrations                   r     r      r       r        r        r            r
"""

RULES: Rules = read_matrix("\n".join(line for line in MATRIX.splitlines() if line.strip()), COLUMNS)
