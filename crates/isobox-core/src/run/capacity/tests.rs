use super::*;
use futures_util::FutureExt;

fn capacity(live: u32, queue: u32) -> Capacity {
    Capacity::new(CapacityLimits { memory: ByteSize::mib(1024), live, queue })
}

fn now(admission: Admission) -> Permit {
    admission.now_or_never().expect("admitted at once").expect("not busy")
}

#[test]
fn places_are_given_in_the_order_in_which_they_were_asked_for() {
    let capacity = capacity(1, 2);
    let first = now(capacity.admit());
    let mut second = Box::pin(capacity.admit());
    let mut third = Box::pin(capacity.admit());
    assert!((&mut second).now_or_never().is_none());
    assert!((&mut third).now_or_never().is_none());
    drop(first);
    assert!((&mut third).now_or_never().is_none());
    let second = second.now_or_never().expect("its turn").expect("not busy");
    drop(second);
    assert!(third.now_or_never().expect("its turn").is_ok());
}

#[test]
fn a_full_queue_is_busy() {
    let capacity = capacity(1, 0);
    let _first = now(capacity.admit());
    let refused = capacity.admit().now_or_never().expect("refused at once");
    assert_eq!(refused.map_err(|failure| failure.code).err(), Some(Code::Busy));
}

#[test]
fn giving_up_in_the_queue_frees_the_place_in_it() {
    let capacity = capacity(1, 1);
    let first = now(capacity.admit());
    drop(capacity.admit());
    assert_eq!(capacity.usage().queued, 0);
    let second = capacity.admit();
    drop(first);
    assert_eq!(capacity.usage().live, 1, "the queued one was admitted");
    drop(second);
    assert_eq!(capacity.usage().live, 0, "its unused permit was returned");
}

#[test]
fn memory_that_was_taken_keeps_others_out_until_it_is_given_back() {
    let capacity = Capacity::new(CapacityLimits { memory: ByteSize::mib(1), live: 100, queue: 10 });
    let large = now(capacity.admit());
    assert!(large.meter().grow(10 << 20, u64::MAX));
    let mut waiting = Box::pin(capacity.admit());
    assert!((&mut waiting).now_or_never().is_none());
    let late = large.meter();
    drop(large);
    assert!(late.grow(10 << 20, u64::MAX));
    assert!(waiting.now_or_never().is_some());
    assert_eq!(capacity.usage().memory, ByteSize::bytes(0), "an old meter counts nothing");
}

#[test]
fn instances_of_one_execution_share_a_limit_and_give_back_what_they_had() {
    let capacity = capacity(2, 0);
    let permit = now(capacity.admit());
    let before = capacity.usage().memory.get();
    let (program, other) = (permit.meter(), permit.meter());
    let snippet = program.clone();
    assert!(program.grow(6, 10) && !snippet.grow(5, 10) && snippet.grow(4, 10) && other.grow(10, 10));
    assert_eq!(capacity.usage().memory.get(), before + 20);
    snippet.shrink(4);
    assert!(snippet.grow(3, 10) && !program.grow(2, 10));
    assert_eq!(capacity.usage().memory.get(), before + 19);
    drop(permit);
    snippet.shrink(3);
    assert_eq!(capacity.usage().memory.get(), 0, "an old meter counts nothing");
}

#[test]
fn the_longest_idle_execution_is_evicted_first_and_only_while_another_waits() {
    let capacity = capacity(2, 1);
    let (first, second) = (now(capacity.admit()), now(capacity.admit()));
    let (mut one, mut other) = (first.idle(), second.idle());
    assert!((&mut one).now_or_never().is_none() && (&mut other).now_or_never().is_none());
    let third = capacity.admit();
    assert!((&mut one).now_or_never().is_some() && (&mut other).now_or_never().is_none());
    let (evicted, ()) = (capacity.evicted(100), drop(first));
    drop(one);
    let third = now(third);
    assert_eq!((capacity.usage().live, capacity.usage().evicted), (2, 1));
    assert!((&mut other).now_or_never().is_none(), "one permit was enough");
    let back = capacity.readmit();
    assert!((&mut other).now_or_never().is_some());
    drop(other);
    drop(third);
    let _back = now(back);
    drop(evicted);
    assert_eq!(capacity.usage().evicted, 0);
}

#[test]
fn who_declines_passes_the_question_on_and_who_comes_back_goes_first() {
    let capacity = capacity(2, 2);
    let (first, second) = (now(capacity.admit()), now(capacity.admit()));
    let (one, mut other) = (first.idle(), second.idle());
    let (queued, back) = (capacity.admit(), capacity.readmit());
    let mut queued = Box::pin(queued);
    assert!((&mut other).now_or_never().is_some(), "two wait, two are asked");
    drop(one);
    drop(other);
    drop(second);
    assert!((&mut queued).now_or_never().is_none());
    let _back = now(back);
    let _late = first.idle();
    assert!(_late.now_or_never().is_some(), "an execution that becomes idle while another waits is asked at once");
}

#[test]
fn a_full_queue_is_not_busy_while_an_execution_is_idle() {
    let capacity = capacity(1, 0);
    let first = now(capacity.admit());
    let idle = first.idle();
    let second = capacity.admit();
    let refused = capacity.admit().now_or_never().expect("refused at once");
    assert_eq!(refused.map_err(|failure| failure.code).err(), Some(Code::Busy));
    drop(first);
    drop(idle);
    now(second);
}

#[test]
fn limits_can_be_changed_and_reset_while_others_wait() {
    let capacity = capacity(2, 5);
    capacity.set(CapacityLimits { live: 1, ..capacity.limits() });
    let _first = now(capacity.admit());
    let second = capacity.admit();
    assert_eq!(capacity.usage().queued, 1);
    capacity.reset();
    assert_eq!(capacity.limits().live, 2);
    let _second = now(second);
    assert!(capacity.admit().now_or_never().is_none());
}

#[test]
fn no_more_are_ever_live_than_it_was_made_for() {
    let capacity = capacity(2, 5);
    capacity.set(CapacityLimits { live: 100, ..capacity.limits() });
    assert_eq!(capacity.limits().live, 2);
}

#[test]
fn the_longest_idle_execution_is_also_evicted_for_one_for_which_only_the_driver_has_no_place() {
    let capacity = capacity(3, 1);
    let (first, second) = (now(capacity.admit()), now(capacity.admit()));
    let (mut one, mut other) = (first.idle(), second.idle());
    assert!((&mut one).now_or_never().is_none());
    capacity.reclaim();
    assert!((&mut one).now_or_never().is_some() && (&mut other).now_or_never().is_none());
    drop((first, one));
    let (_third, _fourth) = (now(capacity.admit()), now(capacity.admit()));
    assert!((&mut other).now_or_never().is_none(), "no permit is awaited");
    let _waiting = capacity.admit();
    assert!((&mut other).now_or_never().is_some(), "the earlier request is done with");
}
