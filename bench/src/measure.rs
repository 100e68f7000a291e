//! Timing of two contestants in turns, so that what disturbs the machine disturbs both.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Effort;

/// The times of one contestant.
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn minimum(&self) -> Duration {
        self.0.iter().min().copied().unwrap_or_default()
    }

    pub(crate) fn median(&self) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort();
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }

    fn json(&self) -> Value {
        json!({ "minUs": micros(self.minimum()), "medianUs": micros(self.median()) })
    }
}

/// What is promised of the ratio native / Isobox (above 1: Isobox is faster).
pub(crate) struct Wanted(pub(crate) f64);

/// Times both in rounds of a few runs each, after a warm-up.
pub(crate) fn compare(
    effort: Effort,
    rounds: usize,
    wanted: Wanted,
    mut isobox: impl FnMut(),
    mut native: impl FnMut(),
) -> Value {
    const RUNS_PER_ROUND: usize = 5;
    let rounds = match effort {
        Effort::Full => rounds,
        Effort::Quick => 1,
    };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..rounds + 1 {
        for _ in 0..RUNS_PER_ROUND {
            let (our_time, their_time) = (time(&mut isobox), time(&mut native));
            if round > 0 || rounds == 1 {
                ours.push(our_time);
                theirs.push(their_time);
            }
        }
    }
    report(&Times(ours), &Times(theirs), &wanted)
}

fn report(ours: &Times, theirs: &Times, wanted: &Wanted) -> Value {
    let ratio = ratio(theirs.median(), ours.median());
    json!({
        "isobox": ours.json(),
        "native": theirs.json(),
        "ratio": ratio,
        "ratioOfMinimums": self::ratio(theirs.minimum(), ours.minimum()),
        "wanted": wanted.0,
        "met": ratio >= wanted.0,
    })
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
