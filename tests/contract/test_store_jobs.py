"""The queue of jobs: leased to one, in order within a thread, and recovered when its owner dies."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from souvenance.domain import Job, JobState, ThreadId
from souvenance.errors import BadInput, Conflict
from souvenance.ports import Store
from souvenance.writes import AddJob, EndJob, PutThread, RequeueJob

World = Any  # see conftest.World


def filled(store: Store, world: World, *threads: str, each: int = 2) -> None:
    for number in range(each):
        for thread in threads:
            world.commit(store, *world.exchange(number, thread))


def test_a_claim_leases_the_job_and_counts_an_attempt(store: Store, world: World) -> None:
    """Who holds it and until when stands in the row, for a crash to be seen."""
    filled(store, world, "main", each=1)
    job = store.jobs.claim("w1", world.now, 30)
    assert job is not None
    assert job == store.jobs.job(job.job_id)
    held = (job.state, job.attempts, job.lease_owner, job.lease_until, job.heartbeat_at)
    assert held == (JobState.RUNNING, 1, "w1", world.later(30), world.now)
    assert job.messages == ("main-m0", "main-r0")


def test_a_job_is_leased_to_one(store: Store, world: World) -> None:
    """Two workers never reflect on the same exchange."""
    filled(store, world, "main", each=1)
    assert store.jobs.claim("w1", world.now, 30) is not None
    assert store.jobs.claim("w2", world.now, 30) is None
    assert store.jobs.claim("w1", world.now, 30) is None


def test_many_claims_at_once_lease_each_job_once(store: Store, world: World) -> None:
    """Also when the workers are threads of one program."""
    threads = [f"t{n}" for n in range(10)]
    filled(store, world, *threads, each=1)
    with ThreadPoolExecutor(8) as pool:
        claimed = list(pool.map(lambda n: store.jobs.claim(f"w{n}", world.now, 30), range(24)))
    ids = [job.job_id for job in claimed if job is not None]
    assert len(ids) == len(set(ids)) == 10


def test_the_jobs_of_a_thread_run_in_order(store: Store, world: World) -> None:
    """A later exchange may rest on an earlier one; other threads do not wait."""
    filled(store, world, "one", "two")
    claimed = [store.jobs.claim("w", world.now, 30) for _ in range(3)]
    assert [job and job.job_id for job in claimed] == ["ines-one-0", "ines-two-0", None]
    first = claimed[0]
    assert first is not None
    world.commit(store, EndJob(first.job_id, "w", JobState.DONE))
    after = store.jobs.claim("w", world.now, 30)
    assert after is not None
    assert after.job_id == "ines-one-1"


def test_a_job_that_waits_holds_back_those_behind_it(store: Store, world: World) -> None:
    """A retry in ten minutes is not overtaken by the next exchange."""
    filled(store, world, "main")
    job = store.jobs.claim("w", world.now, 30)
    assert job is not None
    store.jobs.release(job.job_id, "w", world.later(600), count_attempt=True)
    assert store.jobs.claim("w", world.later(599), 30) is None
    again = store.jobs.claim("w", world.later(600), 30)
    assert again is not None
    assert (again.job_id, again.attempts) == (job.job_id, 2)


def test_an_expired_lease_is_recovered(store: Store, world: World) -> None:
    """A worker that died keeps nothing: its job is leased again, at the time the lease says."""
    filled(store, world, "main")
    dead = store.jobs.claim("dead", world.now, 30)
    assert dead is not None
    assert store.jobs.claim("w", world.later(29.9), 30) is None
    alive = store.jobs.claim("w", world.later(30), 30)
    assert alive is not None
    assert (alive.job_id, alive.attempts, alive.lease_owner) == (dead.job_id, 2, "w")


def test_who_lost_a_lease_can_no_longer_use_it(store: Store, world: World) -> None:
    """A worker that wakes up late must not write over the one that took its place."""
    filled(store, world, "main")
    job = store.jobs.claim("slow", world.now, 30)
    assert job is not None
    assert store.jobs.claim("w", world.later(31), 30) is not None
    assert not store.jobs.heartbeat(job.job_id, "slow", world.later(32), 30)
    store.jobs.release(job.job_id, "slow", world.later(32), count_attempt=True)
    with pytest.raises(Conflict):
        world.commit(store, EndJob(job.job_id, "slow", JobState.DONE))
    held = store.jobs.job(job.job_id)
    assert held is not None
    assert (held.state, held.lease_owner) == (JobState.RUNNING, "w")


def test_a_heartbeat_prolongs_a_lease(store: Store, world: World) -> None:
    """A slow model is not a dead worker."""
    filled(store, world, "main")
    job = store.jobs.claim("w", world.now, 30)
    assert job is not None
    assert store.jobs.heartbeat(job.job_id, "w", world.later(25), 30)
    assert store.jobs.claim("other", world.later(54), 30) is None
    assert store.jobs.claim("other", world.later(55), 30) is not None


def test_a_job_given_back_for_a_turn_does_not_count(store: Store, world: World) -> None:
    """Being interrupted by the person is nobody's failure."""
    filled(store, world, "main")
    job = store.jobs.claim("w", world.now, 30)
    assert job is not None
    store.jobs.release(job.job_id, "w", world.later(3), count_attempt=False)
    given_back = store.jobs.job(job.job_id)
    assert given_back == replace(
        job,
        state=JobState.PENDING,
        attempts=0,
        lease_owner=None,
        lease_until=None,
        heartbeat_at=None,
        not_before=world.later(3),
    )


@pytest.mark.parametrize("end", [JobState.DONE, JobState.PARKED, JobState.CANCELLED])
def test_an_ended_job_stays_ended_until_it_is_put_back(
    store: Store, world: World, end: JobState
) -> None:
    """An exchange can be reflected again, on request only."""
    filled(store, world, "main", each=1)
    job = store.jobs.claim("w", world.now, 30)
    assert job is not None
    world.commit(store, EndJob(job.job_id, "w", end, "why"))
    ended = store.jobs.job(job.job_id)
    assert ended is not None
    assert (ended.state, ended.error, ended.lease_owner) == (end, "why", None)
    world.commit(store, AddJob(world.job(job.job_id, "main-m0")))
    assert store.jobs.claim("w", world.later(999), 30) is None
    assert store.jobs.unfinished() == []
    world.commit(store, RequeueJob(job.job_id, world.later(5)))
    again = store.jobs.claim("w", world.later(5), 30)
    assert again is not None
    assert (again.attempts, again.error, again.seq) == (1, "", job.seq)


def test_a_job_ends_in_an_end(store: Store, world: World) -> None:
    """Pending and running are not outcomes."""
    filled(store, world, "main", each=1)
    store.jobs.claim("w", world.now, 30)
    for state in (JobState.PENDING, JobState.RUNNING):
        with pytest.raises(BadInput):
            world.commit(store, EndJob(world.job("ines-main-0").job_id, "w", state))


def test_putting_back_a_running_job_changes_nothing(store: Store, world: World) -> None:
    """Its owner still works on it."""
    filled(store, world, "main", each=1)
    job = store.jobs.claim("w", world.now, 30)
    assert job is not None
    world.commit(store, RequeueJob(job.job_id, world.now))
    assert store.jobs.job(job.job_id) == job


def test_claims_can_be_kept_to_one_address(store: Store, world: World) -> None:
    """A program that serves one person leaves the others' jobs alone."""
    other = world.at("oskar")
    filled(store, world, "main", each=1)
    filled(store, other, "main", each=1)
    job = store.jobs.claim("w", world.now, 30, other.address)
    assert job is not None
    assert job.address == other.address
    assert store.jobs.claim("w", world.now, 30, other.address) is None
    assert [j.address for j in store.jobs.unfinished(world.address)] == [world.address]
    assert len(store.jobs.unfinished()) == 2


def test_a_job_enqueued_twice_is_one(store: Store, world: World) -> None:
    """Delivering an exchange again does not reflect on it again."""
    filled(store, world, "main", each=1)
    twice: Job = world.job("ines-main-0", "main-m0", "main-r0")
    for _ in range(3):
        world.commit(store, AddJob(twice))
    assert len(store.jobs.unfinished()) == 1


def test_the_oldest_job_comes_first_whoever_owns_it(store: Store, world: World) -> None:
    """Nobody starves behind a talkative person."""
    other = world.at("oskar")
    for who, thread, age in ((world, "one", 1), (other, "main", 5), (world, "two", 3)):
        job = who.job(f"{thread}-{age}", thread=thread, created_at=world.later(-age))
        who.commit(store, PutThread(who.thread(thread)), AddJob(job))
    order = [store.jobs.claim("w", world.now, 30) for _ in range(3)]
    assert [job and job.thread for job in order] == [ThreadId("main"), "two", "one"]


def test_every_job_reaches_its_end_past_a_hundred_deaths(store: Store, world: World) -> None:
    """Trials: 100 workers that die holding a lease, on a clock that only the test moves."""
    filled(store, world, "one", "two", each=3)
    at, ended = 0.0, []
    for number in range(100):
        assert store.jobs.claim(f"dead-{number}", world.later(at), 60) is not None
        at += 30
    for _ in range(40):
        job = store.jobs.claim("w", world.later(at), 60)
        if job is None:
            at += 60
            continue
        world.commit(store, EndJob(job.job_id, "w", JobState.DONE))
        ended.append(job.job_id)
    assert len(ended) == len(set(ended)) == 6
    assert [i for i in ended if "one" in i] == [f"ines-one-{n}" for n in range(3)]
    assert store.jobs.unfinished() == []
