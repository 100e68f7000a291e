//! Reads the list of tests that are known to fail.

use std::collections::BTreeSet;

/// Tests that are known to fail. The list is strict: a test on it that passes is a failure as well.
#[derive(Debug, Default)]
pub struct ExpectedFailures {
    names: BTreeSet<String>,
}

impl ExpectedFailures {
    /// Reads a list. A line is a comment (`#`) or the name of a test.
    ///
    /// # Errors
    ///
    /// Names a test that is on the list twice.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut list = Self::default();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if !list.names.insert(line.to_owned()) {
                return Err(format!("`{line}` is on the list of expected failures twice"));
            }
        }
        Ok(list)
    }

    /// Tells whether a test is on the list.
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Checks the list against the names of all tests that are run.
    ///
    /// # Errors
    ///
    /// Names the first test on the list that is not run.
    pub fn check(&self, names: &BTreeSet<&str>) -> Result<(), String> {
        match self.names.iter().find(|name| !names.contains(name.as_str())) {
            Some(name) => Err(format!("the list of expected failures names `{name}`, which is not run")),
            None => Ok(()),
        }
    }
}
