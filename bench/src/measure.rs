//! Times two contestants in turns, so that disturbances of the machine affect both.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Effort;

/// The times of one contestant.
#[derive(Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    pub(crate) fn extend(&mut self, more: Self) {
        self.0.extend(more.0);
    }

    pub(crate) fn minimum(&self) -> Duration {
        self.0.iter().min().copied().unwrap_or_default()
    }

    pub(crate) fn median(&self) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort();
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }

    pub(crate) fn json(&self) -> Value {
        json!({ "minUs": micros(self.minimum()), "medianUs": micros(self.median()) })
    }
}

/// The promised ratio native / Isobox (above 1: Isobox is faster).
pub(crate) struct Wanted(pub(crate) f64);

/// Times both contestants in a number of turns of several runs each, after a warm-up. The first run of each turn finds
/// the CPU caches full of the other's data, so it is also reported separately.
pub(crate) fn compare(
    effort: Effort,
    (turns, runs): (usize, usize),
    wanted: Wanted,
    mut isobox: impl FnMut(),
    mut native: impl FnMut(),
) -> Value {
    let turns = match effort {
        Effort::Full => turns,
        Effort::Quick => 1,
    };
    let (mut ours, mut theirs) = (Turns::default(), Turns::default());
    for turn in 0..=turns {
        let (our_times, their_times) = (times(runs, &mut isobox), times(runs, &mut native));
        if turn > 0 {
            ours.add(our_times);
            theirs.add(their_times);
        }
    }
    let ratio = ratio(theirs.all.median(), ours.all.median());
    json!({
        "isobox": ours.all.json(),
        "native": theirs.all.json(),
        "ratio": ratio,
        "ratioOfMinimums": self::ratio(theirs.all.minimum(), ours.all.minimum()),
        "ratioOfFirstRuns": self::ratio(theirs.first.median(), ours.first.median()),
        "wanted": wanted.0,
        "met": ratio >= wanted.0,
    })
}

/// The times of all runs, and of the first run of each turn.
#[derive(Default)]
struct Turns {
    all: Times,
    first: Times,
}

impl Turns {
    fn add(&mut self, times: Times) {
        self.first.0.extend(times.0.first());
        self.all.0.extend(times.0);
    }
}

pub(crate) fn time(work: &mut impl FnMut()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

pub(crate) fn times(runs: usize, mut work: impl FnMut()) -> Times {
    Times((0..runs).map(|_| time(&mut work)).collect())
}

pub(crate) fn micros(duration: Duration) -> f64 {
    round(duration.as_secs_f64() * 1e6)
}

pub(crate) fn ratio(above: Duration, below: Duration) -> f64 {
    round(above.as_secs_f64() / below.as_secs_f64().max(1e-9))
}

pub(crate) fn round(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
