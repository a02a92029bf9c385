"""All settings, read from the environment (`docs/running.md` lists every variable).

Two modes: `local` (the default; loopback, SQLite, files) and `production`, which refuses to start without its secrets.
"""

import os
from datetime import timedelta
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF

from grading.vault import data_home
from leaderboard.brokers import broker_settings
from leaderboard.environment import Environment
from leaderboard.local_secret import local_secret_key
from leaderboard.logs.redact import secret_values
from leaderboard.logs.settings import logging_settings
from leaderboard.object_storage import file_stores, require_fitting_parts, storage_settings, upload_origins
from leaderboard.schedule import ROUTES, beat_schedule
from leaderboard.security import account_settings

BASE_DIR = Path(__file__).resolve().parent.parent
env = Environment(os.environ)

MODE = env.choice("MODE", ("local", "production"), "local")
IS_LOCAL = MODE == "local"
DEBUG = env.flag("DEBUG", False)
VAR_DIR = env.path("VAR", BASE_DIR / "var")
VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
VAR_DIR.chmod(0o700)  # Unpublished scores, sessions and bundles lie there.

SECRET_KEY = env.text("SECRET_KEY") or (local_secret_key(VAR_DIR) if IS_LOCAL else "")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]" if IS_LOCAL else "")
SITE_URL = env.text("SITE_URL", "http://127.0.0.1:8000")
SITE_NAME = "MLE-bench leaderboard"
VERSION = "0.1.0"
COMMIT = env.text("COMMIT")

INSTALLED_APPS = [
    "leaderboard",
    "submissions",
    "grading",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "django_htmx",
    "rest_framework",
    "knox",
    "drf_spectacular",
]
MIDDLEWARE = [
    # Before all: every answer has its number, those that are kept too.
    "leaderboard.logs.middleware.RequestLog",
    "leaderboard.metrics.http.CountRequests",
    # So early that what is kept passes by all others; it went through them once.
    "leaderboard.kept_answers.KeptAnswers",
    "django.middleware.security.SecurityMiddleware",
    "leaderboard.headers.SecurityHeaders",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "leaderboard.body_limit.BodyLimit",
    "allauth.account.middleware.AccountMiddleware",
    "leaderboard.audit.middleware.Audit",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "submissions.api.limits.LimitHeaders",
]
ROOT_URLCONF = "leaderboard.urls"
WSGI_APPLICATION = "leaderboard.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "leaderboard.context_processors.site",
            ],
        },
    },
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates" / "jinja"],
        "OPTIONS": {"environment": "leaderboard.templatetags.jinja.make_environment"},
    },
]

# SQLite: WAL and BEGIN IMMEDIATE, so that writers wait for each other instead of failing half-way.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
}
DATABASES = {
    "default": dj_database_url.parse(
        os.environ.get("DATABASE_URL", f"sqlite:///{VAR_DIR / 'db.sqlite3'}"),
        conn_max_age=60,
        conn_health_checks=True,
    )
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = SQLITE_OPTIONS
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Throttles count in a cache that all web workers share. Django's caches unpickle what they read, so a process that
# sees the vault must not read one that the web process writes: grading runs with MLEB_CACHE=none.
CACHE = env.text("CACHE", "files")
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": VAR_DIR / "cache",
    }
}
if CACHE == "none":
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
elif CACHE != "files":
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": CACHE}}

AUTH_USER_MODEL = "submissions.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "submissions"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = "username"
ACCOUNT_EMAIL_VERIFICATION = env.choice(
    "EMAIL_VERIFICATION", ("mandatory", "optional", "none"), "optional" if IS_LOCAL else "mandatory"
)
ACCOUNT_LOGOUT_ON_GET = False
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
REQUIRE_MAINTAINER_TOTP = env.flag("REQUIRE_MAINTAINER_TOTP", not IS_LOCAL)
globals().update(account_settings(env))

EMAIL_BACKEND = (
    "django.core.mail.backends.filebased.EmailBackend"
    if IS_LOCAL
    else "django.core.mail.backends.smtp.EmailBackend"
)
EMAIL_FILE_PATH = VAR_DIR / "mail"
EMAIL_HOST = env.text("EMAIL_HOST", "localhost")
EMAIL_PORT = env.number("EMAIL_PORT", 587)
EMAIL_HOST_USER = env.text("EMAIL_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_TLS", True)
EMAIL_TIMEOUT = 10  # Seconds for each step of the talk with the mail server.
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM", "leaderboard@localhost")
# Webhooks to plain http on this machine, to try them out. Never in production: they would reach what listens there.
WEBHOOK_LOOPBACK = IS_LOCAL and env.flag("WEBHOOK_LOOPBACK", False)

LANGUAGE_CODE = "en-gb"
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = env.path("STATIC_ROOT", VAR_DIR / "static")
STATICFILES_DIRS = [BASE_DIR / "static"]
# Separate stores, so that production can give each its own bucket and credentials.
STORAGES = {
    **file_stores(env, VAR_DIR),
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
globals().update(storage_settings(env))
FILE_UPLOAD_PERMISSIONS = 0o600
# On disk: /tmp is memory in the namespaces of the quick start.
FILE_UPLOAD_TEMP_DIR = VAR_DIR / "incoming"
FILE_UPLOAD_TEMP_DIR.mkdir(mode=0o700, exist_ok=True)
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000

# Each part costs a request: with smaller ones a large bundle takes markedly longer.
UPLOAD_PART_BYTES = env.number("UPLOAD_PART_BYTES", 32 * 2**20, least=2**16)
UPLOAD_MAX_BYTES = env.number("UPLOAD_MAX_BYTES", 20 * 2**30, least=1)
require_fitting_parts(env, UPLOAD_PART_BYTES, UPLOAD_MAX_BYTES)
UPLOAD_EXPIRES = timedelta(hours=env.number("UPLOAD_EXPIRES_HOURS", 48, least=1))
BUNDLE_RETENTION = timedelta(days=env.number("BUNDLE_RETENTION_DAYS", 730, least=1))
INVITATION_EXPIRES = timedelta(days=14)

QUOTA_SUBMISSIONS = env.number("QUOTA_SUBMISSIONS", 5)
QUOTA_PERIOD = timedelta(days=env.number("QUOTA_DAYS", 7, least=1))
GRADING_LEASE = timedelta(seconds=env.number("GRADING_LEASE_S", 30, least=3))
GRADING_ATTEMPTS = env.number("GRADING_ATTEMPTS", 4, least=1)
GRADING_WALL_S = env.number("GRADING_WALL_S", 600, least=1)
GRADING_MEMORY_MB = env.number("GRADING_MEMORY_MB", 4096, least=256)
GRADING_SLOTS = env.number("GRADING_SLOTS", 0)
SANDBOX = env.choice("SANDBOX", ("bwrap", "gvisor"), "bwrap")
INTAKE_LEASE = timedelta(seconds=env.number("INTAKE_LEASE_S", 60, least=3))
INTAKE_ATTEMPTS = env.number("INTAKE_ATTEMPTS", 4, least=1)
VALIDITY_MAX_BYTES = env.number("VALIDITY_MAX_BYTES", 2**30, least=1)
VALIDITY_WALL_S = env.number("VALIDITY_WALL_S", 120, least=1)
VALIDITY_WAITING = env.number("VALIDITY_WAITING", 5, least=1)
VALIDITY_LEASE = timedelta(seconds=env.number("VALIDITY_LEASE_S", 30, least=3))
VALIDITY_ATTEMPTS = env.number("VALIDITY_ATTEMPTS", 3, least=1)
VALIDITY_FILE_RETENTION = timedelta(hours=1)
VALIDITY_RETENTION = timedelta(days=7)
# Reading logs and code: what it may cost for one submission, and a maintainers' own file of patterns.
EVIDENCE_FILE_BYTES = env.number("EVIDENCE_FILE_BYTES", 128 * 2**20, least=1)
EVIDENCE_TOTAL_BYTES = env.number("EVIDENCE_TOTAL_BYTES", 2**30, least=1)
EVIDENCE_LINES = env.number("EVIDENCE_LINES", 20_000_000, least=1)
EVIDENCE_WALL_S = env.number("EVIDENCE_WALL_S", 600, least=1)
EVIDENCE_LEASE = timedelta(seconds=env.number("EVIDENCE_LEASE_S", 30, least=3))
EVIDENCE_ATTEMPTS = env.number("EVIDENCE_ATTEMPTS", 4, least=1)
EVIDENCE_PATTERNS = env.path("EVIDENCE_PATTERNS", Path()) if env.text("EVIDENCE_PATTERNS") else None
# What else the evidence worker does with the same files before the review opens: functions of submission and time.
EVIDENCE_STAGES: tuple[str, ...] = (
    "leaderboard.code_similarity.stage.compare_code",
    "leaderboard.second_reading.stage.read_again",
)
# Reading the code of one submission may take so long; what is left then is named on the case.
CODE_READING_S = env.number("CODE_READING_S", 300, least=1)
# A second reading of logs and code by an llm: off without an address. docs/second-reading.md.
SECOND_READING_URL = env.text("SECOND_READING_URL")
SECOND_READING_KEY = env.text("SECOND_READING_KEY")
SECOND_READING_LLM = env.text("SECOND_READING_LLM")
SECOND_READING_TIMEOUT_S = env.number("SECOND_READING_TIMEOUT_S", 60, least=1)
SECOND_READING_RETRIES = env.number("SECOND_READING_RETRIES", 3)
SECOND_READING_BUDGET_TOKENS = env.number("SECOND_READING_BUDGET_TOKENS", 500_000, least=1)
SECOND_READING_WALL_S = env.number("SECOND_READING_WALL_S", 1200, least=1)
SECOND_READING_PIECE_CHARS = env.number("SECOND_READING_PIECE_CHARS", 24_000, least=1_000)
SECOND_READING_QUESTIONS = env.path(
    "SECOND_READING_QUESTIONS", BASE_DIR / "leaderboard" / "second_reading" / "questions.toml"
)
# Where keys that sign receipts lie. Housekeeping alone can see it.
SIGNING_DIR = env.path("SIGNING_DIR", data_home(os.environ) / "signing")
GRADED_TASK = "leaderboard.tasks.review"
# Rung with its id once a submission is confirmed; each may ring again, and has a sweep of its own.
CONFIRMED_TASKS = ("leaderboard.evidence.tasks.read",)
SWEEP_S = env.number("SWEEP_S", 5, least=1)
# A worker that is to end lets what runs go on for so long; then it is given back.
STOP_WITHIN = timedelta(seconds=env.number("STOP_WITHIN_S", 15))

BROKER_DIR = VAR_DIR / "broker"
CELERY_BROKER_URL = os.environ.get("BROKER_URL", "filesystem://")
if CELERY_BROKER_URL.startswith("filesystem"):
    for folder in ("messages", "processed", "control"):
        (BROKER_DIR / folder).mkdir(parents=True, exist_ok=True)
globals().update(
    {f"CELERY_{name}": value for name, value in broker_settings(CELERY_BROKER_URL, BROKER_DIR).items()}
)
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "housekeeping"
CELERY_TASK_ROUTES = ROUTES
# The clock's own memory is a pickle on disk by default, which others could write; ours needs none.
CELERY_BEAT_SCHEDULER = "celery.beat.Scheduler"
CELERY_BEAT_SCHEDULE = beat_schedule(SWEEP_S)

# For so long a web process may answer from what it last read of the boards. With PUBLIC_MAX_AGE_S of the caches
# outside, nobody sees a board that is much older than a second.
BOARD_CHECK_S = 0.5

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "knox.auth.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.IsAuthenticatedOrReadOnly",
        "submissions.api.scopes.HasScope",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
    "PAGE_SIZE": 100,
    "DEFAULT_THROTTLE_CLASSES": [
        "submissions.api.limits.AnonThrottle",
        "submissions.api.limits.UserThrottle",
        "submissions.api.limits.ScopeThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": env.text("THROTTLE_ANON", "120/min"),
        "user": env.text("THROTTLE_USER", "600/min"),
        "upload": env.text("THROTTLE_UPLOAD", "3000/min"),
        "create": env.text("THROTTLE_CREATE", "30/hour"),
        "validity": env.text("THROTTLE_VALIDITY", "60/hour"),
    },
    "NUM_PROXIES": env.number("PROXIES", 0),
    "STRICT_JSON": True,
    "DATETIME_FORMAT": "%Y-%m-%dT%H:%M:%S.%fZ",
    "EXCEPTION_HANDLER": "leaderboard.api.errors.handle",
}
REST_KNOX = {"TOKEN_TTL": timedelta(days=90), "TOKEN_LIMIT_PER_USER": 20, "AUTO_REFRESH": False}
SPECTACULAR_SETTINGS = {
    "TITLE": "MLE-bench leaderboard API",
    "VERSION": "1.0.0",
    "DESCRIPTION": "Rankings, entries, competitions, tracks, and your own submissions. All times are UTC.",
    "SERVE_INCLUDE_SCHEMA": False,
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF, *upload_origins(env)],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 14 * 24 * 3600
CSRF_COOKIE_SAMESITE = "Lax"
if not IS_LOCAL:
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = env.flag("SSL_REDIRECT", True)
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.flag("BEHIND_PROXY", False) else None
CSRF_TRUSTED_ORIGINS = env.words("TRUSTED_ORIGINS")

LOG_SECRETS = (*secret_values(os.environ), *filter(None, [SECRET_KEY]))
LOGGING = logging_settings(
    env.choice("LOG_FORMAT", ("json", "text"), "text" if IS_LOCAL else "json"),
    env.text("LOG_LEVEL", "INFO"),
    LOG_SECRETS,
)
SENTRY_DSN = os.environ.get("SENTRY_DSN", "")
METRICS_TOKEN = env.text("METRICS_TOKEN")
