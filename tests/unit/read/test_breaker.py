"""The breaker opens after failures in a row, waits longer each time, and lets one caller probe."""

from souvenance.read.breaker import FIRST_PAUSE_S, LONGEST_PAUSE_S, Breaker


def opened(at: float = 100.0) -> Breaker:
    breaker = Breaker()
    breaker.failed(at)
    breaker.failed(at)
    return breaker


def test_one_failure_is_chance() -> None:
    """A single late answer must not blind the next turns."""
    breaker = Breaker()
    breaker.failed(0)
    assert breaker.state == "closed"


def test_one_failure_that_somebody_waited_for_opens_it() -> None:
    """A deadline is a lot to pay; nobody pays it twice for one server."""
    breaker = Breaker()
    breaker.failed(0, waited=True)
    assert (breaker.state, breaker.pause_s) == ("open", FIRST_PAUSE_S)


def test_a_success_between_two_failures_starts_the_count_again() -> None:
    """Only failures in a row say that a server is down."""
    breaker = Breaker()
    breaker.failed(0)
    breaker.succeeded()
    breaker.failed(1)
    assert not breaker.is_open


def test_the_second_failure_in_a_row_opens_it() -> None:
    """From there a turn costs nothing."""
    assert opened().state == "open"


def test_nobody_probes_before_the_pause_is_over() -> None:
    """A server that restarts is not helped by questions."""
    assert not opened(100).may_probe(100 + FIRST_PAUSE_S - 0.1)


def test_one_caller_probes_at_a_time() -> None:
    """Two probes would cost twice for one answer."""
    breaker = opened(100)
    assert [breaker.may_probe(100 + FIRST_PAUSE_S) for _ in range(3)] == [True, False, False]
    assert breaker.state == "half-open"


def test_a_probe_that_succeeds_closes_it() -> None:
    """The next turn is an ordinary one."""
    breaker = opened(0)
    breaker.may_probe(FIRST_PAUSE_S)
    breaker.succeeded()
    assert (breaker.state, breaker.pause_s) == ("closed", 0.0)


def test_each_failed_probe_lengthens_the_pause_up_to_its_limit() -> None:
    """A server down for an hour is asked about once a minute, and is found within one when it returns."""
    breaker, now, pauses = opened(0), 0.0, []
    for _ in range(5):
        now += breaker.pause_s
        assert breaker.may_probe(now)
        breaker.failed(now)
        pauses.append(breaker.pause_s)
    assert pauses == sorted(pauses)
    assert pauses[0] > FIRST_PAUSE_S
    assert pauses[-1] == LONGEST_PAUSE_S <= 60


def test_a_failure_asked_for_before_it_opened_does_not_prolong_it() -> None:
    """Turns that ran side by side fail together; they say the same thing once."""
    breaker = opened(100)
    breaker.failed(129)
    assert breaker.may_probe(100 + FIRST_PAUSE_S)
