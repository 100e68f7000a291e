//! What came of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use isobox_spec::test262::{ExpectedFailures, LeftOut};

use crate::work::{Ran, Verdict};

/// The share of tests, in points, by which the library may be behind the engine as it is released.
const ALLOWED_POINTS: f64 = 0.1;

/// How many problems are printed.
const SHOWN: usize = 40;

/// What came of a run.
#[derive(Default)]
pub(crate) struct Summary {
    left_out: BTreeMap<LeftOut, usize>,
    ran: Vec<String>,
    passed: usize,
    failed_as_listed: usize,
    /// Tests that fail and are not on the list, with how they end.
    unlisted: Vec<(String, String)>,
    /// Tests on the list that pass.
    passing: Vec<String>,
    /// What is wrong with the list.
    problem: Option<String>,
    /// How many tests the engine as it is released passes.
    unpatched: Option<usize>,
}

impl Summary {
    pub(crate) fn new(names: &[String], results: &[Verdict], expected: &ExpectedFailures) -> Self {
        let mut summary = Self::default();
        for (name, result) in names.iter().zip(results) {
            match result {
                Verdict::LeftOut(class) => *summary.left_out.entry(*class).or_default() += 1,
                Verdict::Ran(ran) => summary.add(name, ran, expected),
            }
        }
        summary
    }

    fn add(&mut self, name: &str, ran: &Ran, expected: &ExpectedFailures) {
        self.ran.push(name.to_owned());
        match (&ran.ours, expected.contains(name)) {
            (None, false) => self.passed += 1,
            (None, true) => {
                self.passed += 1;
                self.passing.push(name.to_owned());
            }
            (Some(_), true) => self.failed_as_listed += 1,
            (Some(problem), false) => self.unlisted.push((name.to_owned(), problem.clone())),
        }
        if let Some(compared) = &ran.unpatched {
            *self.unpatched.get_or_insert(0) += usize::from(compared.wrapped.is_none());
        }
    }

    /// Checks that the list names tests that are run, and nothing else. Takes a run of all tests.
    pub(crate) fn check_list(&mut self, expected: &ExpectedFailures) {
        let names: BTreeSet<&str> = self.ran.iter().map(String::as_str).collect();
        self.problem = expected.check(&names).err();
    }

    /// Returns the tests on the list that pass. `--prune` takes them off.
    pub(crate) fn take_passing(&mut self) -> Vec<String> {
        std::mem::take(&mut self.passing)
    }

    pub(crate) fn is_as_expected(&self) -> bool {
        self.unlisted.is_empty()
            && self.passing.is_empty()
            && self.problem.is_none()
            && self.points_behind().is_none_or(|points| points <= ALLOWED_POINTS)
    }

    fn share(&self, passed: usize) -> f64 {
        100.0 * passed as f64 / self.ran.len().max(1) as f64
    }

    fn points_behind(&self) -> Option<f64> {
        Some(self.share(self.unpatched?) - self.share(self.passed))
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left_out: usize = self.left_out.values().sum();
        writeln!(formatter, "{left_out} are left out:")?;
        for (class, count) in &self.left_out {
            writeln!(formatter, "{count:>7}  {}", class.reason())?;
        }
        for (name, problem) in self.unlisted.iter().take(SHOWN) {
            writeln!(formatter, "failed: {name}: {}", one_line(problem))?;
        }
        for name in self.passing.iter().take(SHOWN) {
            writeln!(formatter, "passed: {name}: take it off the list of expected failures")?;
        }
        if let Some(problem) = &self.problem {
            writeln!(formatter, "{problem}")?;
        }
        write!(
            formatter,
            "{} tests run, {} passed ({:.3}%), {} failed as listed, {} failed and are not listed, {} are listed and passed",
            self.ran.len(),
            self.passed,
            self.share(self.passed),
            self.failed_as_listed,
            self.unlisted.len(),
            self.passing.len()
        )?;
        if let (Some(unpatched), Some(points)) = (self.unpatched, self.points_behind()) {
            let share = self.share(unpatched);
            write!(
                formatter,
                "; the released engine passes {unpatched} ({share:.3}%), {points:.3} points more ({ALLOWED_POINTS} are allowed)"
            )?;
        }
        writeln!(formatter)
    }
}

/// Returns a table of tab-separated values: the test, its class or how it ended, how the released engine ended it in the same
/// wrapper and as scripts. Nothing stands for a pass.
pub(crate) fn table(names: &[String], results: &[Verdict]) -> String {
    let mut table = String::new();
    for (name, result) in names.iter().zip(results) {
        let cell = |problem: &Option<String>| problem.as_deref().map(one_line).unwrap_or_default();
        let row = match result {
            Verdict::LeftOut(class) => format!("{name}\tleft out\t{class:?}\t\n"),
            Verdict::Ran(ran) => {
                let compared = ran.unpatched.as_ref();
                let wrapped = compared.map(|it| cell(&it.wrapped)).unwrap_or_default();
                let scripts = compared.map(|it| cell(&it.scripts)).unwrap_or_default();
                format!("{name}\t{}\t{wrapped}\t{scripts}\n", cell(&ran.ours))
            }
        };
        table.push_str(&row);
    }
    table
}

fn one_line(text: &str) -> String {
    let line: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).take(300).collect();
    line
}
