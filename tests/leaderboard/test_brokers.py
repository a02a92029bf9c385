"""What Celery is told about each broker."""

from pathlib import Path

import pytest
from kombu import Connection, Queue

from leaderboard.brokers import QUEUES, broker_settings
from leaderboard.settings import CELERY_BEAT_SCHEDULE, CELERY_TASK_DEFAULT_QUEUE, CELERY_TASK_ROUTES

FOLDER = Path("/somewhere")


def test_every_route_leads_to_a_known_queue() -> None:
    routed = {route["queue"] for route in CELERY_TASK_ROUTES.values()}
    rung = {each["options"]["queue"] for each in CELERY_BEAT_SCHEDULE.values()}
    assert routed | rung | {CELERY_TASK_DEFAULT_QUEUE} == set(QUEUES)


def test_the_clock_does_not_pile_up_before_what_submissions_wait_for() -> None:
    for each in CELERY_BEAT_SCHEDULE.values():
        assert each["options"]["expires"] == max(each["schedule"], 30)
        assert each["options"]["queue"] != CELERY_TASK_DEFAULT_QUEUE


@pytest.mark.parametrize("url", ["amqp://host//", "amqps://host//"])
def test_rabbitmq_has_quorum_queues_and_confirms(url: str) -> None:
    told = broker_settings(url, FOLDER)
    assert {queue.name for queue in told["TASK_QUEUES"]} == set(QUEUES)
    assert all(queue.queue_arguments == {"x-queue-type": "quorum"} for queue in told["TASK_QUEUES"])
    assert told["BROKER_TRANSPORT_OPTIONS"] == {"confirm_publish": True}


@pytest.mark.parametrize("url", ["redis://host/0", "rediss://host/0"])
def test_redis_takes_back_what_a_killed_worker_had(url: str) -> None:
    options = broker_settings(url, FOLDER)["BROKER_TRANSPORT_OPTIONS"]
    assert options["unacked_restore_interval"] <= 2
    assert options["visibility_timeout"] > 3600


def test_files_lie_in_the_folder() -> None:
    options = broker_settings("filesystem://", FOLDER)["BROKER_TRANSPORT_OPTIONS"]
    assert options["data_folder_in"] == options["data_folder_out"] == "/somewhere/messages"


def test_others_are_left_to_celery() -> None:
    assert broker_settings("memory://", FOLDER) == {}


def test_a_file_that_is_no_message_comes_as_one_that_nobody_can_read(tmp_path: Path) -> None:
    for name in ("messages", "processed", "control"):
        (tmp_path / name).mkdir()
    told = broker_settings("filesystem://", tmp_path)
    options = told["BROKER_TRANSPORT_OPTIONS"]
    with Connection("filesystem://", transport=told["BROKER_TRANSPORT"], transport_options=options) as broker:
        queue = Queue("intake", channel=broker.channel())
        queue.declare()
        (tmp_path / "messages" / "0_half.intake.msg").write_text('{"half')
        message = queue.get()
        assert (message.body, message.headers) == (b"JSONDecodeError", {})
        message.ack()
        assert queue.get() is None
