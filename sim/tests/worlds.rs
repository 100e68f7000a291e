//! Worlds of seeds keep their promises, and it is noticed where one is broken.

use std::num::NonZeroU32;
use std::sync::{Arc, LazyLock};

use isobox_core::Driver;
use isobox_sandbox::{Sandbox, SandboxOptions};
use isobox_sim::falsify::Falsehood;
use isobox_sim::scene::{Report, live};
use isobox_sim::sessions::{Final, Left, Used, wrongs};
use isobox_sim::store::Lies;

static SANDBOX: LazyLock<Arc<dyn Driver>> = LazyLock::new(|| {
    let instances = NonZeroU32::new(64).expect("it is not zero");
    Arc::new(Sandbox::new(SandboxOptions::default().instances(instances)).expect("a sandbox"))
});

fn world(seed: u64, lies: Lies) -> Report {
    live(&SANDBOX, seed, lies)
}

#[test]
fn what_broke_once_does_not_break_again() {
    let seeds = include_str!("../regressions.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    for seed in seeds.map(|line| line.parse().expect("a seed")) {
        assert_eq!(world(seed, Lies::Never).violations, Vec::<String>::new(), "seed {seed}");
    }
}

#[test]
fn worlds_keep_their_promises() {
    for seed in 1_000_000..1_000_400 {
        let report = world(seed, Lies::Never);
        assert_eq!(report.violations, Vec::<String>::new(), "seed {seed}: isobox-sim --trace {seed}");
    }
}

#[test]
fn a_seed_is_the_same_story_every_time() {
    for seed in 2_000_000..2_000_050 {
        assert_eq!(world(seed, Lies::Never).trace, world(seed, Lies::Never).trace, "seed {seed}");
    }
}

/// What happens in some worlds, the rarest in one of hundreds.
const EVENTS: &[&str] = &[
    "fault: lost write",
    "fault: torn write",
    "fault: duplicate write",
    "fault: crash before write",
    "fault: crash after write",
    "fault: failing read",
    "fault: checkpoint missing",
    "fault: checkpoint damaged",
    "fault: no snapshot",
    "fault: sandbox full",
    "fault: held back",
    "fault: outage",
    "process freezes",
    "too early",
    "process dies",
    "process falls silent",
    "caller goes away",
    "cancelled",
    "clock jumps ahead",
    "clock jumps back",
    "decisions race",
    "several decided at once",
    "decided on the spot",
    "decision refused",
    "wrong decision",
    "reject",
    "cancel",
    "expiry",
    "call made again",
    "tool interrupts",
    "place taken by another",
    "decided for the execution",
    "decided for the session",
    "tools change",
    "approval void",
    "world.slow",
    "told: completed",
    "told: paused",
    "told: sleeping",
    "woken",
    "not woken",
    "entry: left memory until a timer",
    "told: interrupted",
    "entry: snippet started",
    "session left",
    "session rewound",
    "session not rewound",
    "session forked",
    "rollback",
    "rollback refused",
    "call reverted",
    "told: rolled back",
    "told: rolled back in part",
    "revert of an earlier rollback in doubt",
    "revert happened in an earlier rollback",
    "world.put.revert",
    "world.unpay",
    "fork",
    "forked",
    "fork refused",
    "entry: asked for approval",
    "entry: asked for something",
    "entry: in doubt",
    "entry: noted",
    "task continued",
    "entry: resumed from snapshot",
    "entry: resumed from journal",
    "entry: completed",
    "entry: rejected",
];

#[test]
fn everything_that_can_go_wrong_does() {
    let mut missing: Vec<&str> = EVENTS.to_vec();
    for seed in 3_000_000..3_004_000 {
        let counts = world(seed, Lies::Never).counts;
        missing.retain(|what| counts.get(*what).is_none_or(|count| *count == 0));
        if missing.is_empty() {
            return;
        }
    }
    panic!("these never happen: {missing:?}");
}

#[test]
fn a_store_that_loses_what_it_acknowledged_is_noticed() {
    let noticed = |batch| (0..20).filter(|seed| !world(*seed, Lies::LosesBatch(batch)).violations.is_empty()).count();
    assert!(noticed(0) >= 15, "{}", noticed(0));
    assert!(noticed(1) >= 10, "{}", noticed(1));
}

#[test]
fn a_store_that_forgets_what_was_decided_is_noticed() {
    let forgotten = |report: &Report| report.violations.iter().any(|one| one.contains("was decided for the session"));
    assert!((0..200).any(|seed| forgotten(&world(seed, Lies::Forgets))));
}

#[test]
fn a_session_that_loses_what_programs_left_is_noticed() {
    let lost = |report: &Report| report.violations.iter().any(|one| one.contains("a program of session"));
    assert!((0..60).any(|seed| lost(&world(seed, Lies::LeavesNothing))));
}

#[test]
fn a_program_that_does_something_else_is_noticed() {
    let noticed = (0..20).filter(|seed| !world(*seed, Lies::RunsAnother).violations.is_empty()).count();
    assert!(noticed >= 12, "{noticed}");
}

#[test]
fn calls_that_are_made_twice_are_noticed() {
    let twice = |report: &Report| report.violations.iter().any(|one| one.contains("took effect 2 times"));
    assert!((0..200).any(|seed| twice(&world(seed, Lies::CallsAgain))));
}

#[test]
fn a_process_that_goes_on_without_knowing_that_it_has_lost_its_lease_is_noticed() {
    let twice = |report: &Report| report.violations.iter().any(|one| one.contains("took effect 2 times"));
    assert!((0..400).any(|seed| twice(&world(seed, Lies::NoTimePasses))));
}

fn notices(lies: Lies, words: &str, seeds: std::ops::Range<u64>) -> bool {
    let mut reports = seeds.map(|seed| world(seed, lies));
    reports.any(|report| report.violations.iter().any(|one| one.contains(words)))
}

#[test]
fn reverts_without_an_effect_are_noticed() {
    assert!(notices(Lies::RevertsNothing, "the result of", 0..100));
}

#[test]
fn timers_that_fire_early_are_noticed() {
    assert!(notices(Lies::Hurries, "ms early", 0..100));
}

#[test]
fn snippets_that_give_something_else_are_noticed() {
    assert!(notices(Lies::RunsOtherSnippets, "unexpected call", 0..60));
}

#[test]
fn forks_of_another_history_are_noticed() {
    assert!(notices(Lies::ForksAnother, "the fork does not take over", 0..60));
}

#[test]
fn every_false_entry_of_a_journal_is_noticed() {
    for what in Falsehood::ALL {
        let reports = (4_000_000..4_002_000).map(|seed| (seed, world(seed, Lies::Misreports(what))));
        let misreported = reports.filter(|(_, report)| report.counts.contains_key("misreported"));
        let misreported: Vec<_> = misreported.take(5).collect();
        assert_eq!(misreported.len(), 5, "{what:?} is not said in enough worlds");
        for (seed, report) in misreported {
            assert!(!report.violations.is_empty(), "{what:?} is not noticed in world {seed}");
        }
    }
}

fn used(found: &[u64], left: Left) -> Used {
    Used { session: "a".to_owned(), found: found.to_vec(), left }
}

fn wrongs_of_session(used: &[Used], results: &[u64], may_be_rewound: bool) -> usize {
    wrongs(used, &[("a".to_owned(), Final { results: results.to_vec(), may_be_rewound })].into()).len()
}

#[test]
fn what_a_session_loses_doubles_or_makes_up_is_noticed() {
    let both = [used(&[], Left::Result(1)), used(&[1], Left::Result(2))];
    assert_eq!(wrongs_of_session(&both, &[1, 2], false), 0);
    assert_eq!(wrongs_of_session(&both, &[1], false), 1, "the second is lost");
    assert_eq!(wrongs_of_session(&both, &[1], true), 0, "it was rewound");
    assert_eq!(wrongs_of_session(&both, &[1, 2, 2], false), 1, "it was left twice");
    let at_once = [used(&[], Left::Result(1)), used(&[], Left::Result(2))];
    assert_eq!(wrongs_of_session(&at_once, &[2], false), 1, "one does not know of the other");
    assert_eq!(wrongs_of_session(&[used(&[7], Left::Nothing)], &[], false), 1, "it found what none has left");
    assert_eq!(wrongs_of_session(&[used(&[], Left::Perhaps(1)), used(&[1], Left::Nothing)], &[1], false), 0);
}
