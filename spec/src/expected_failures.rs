//! Reads the list of known deviations.

use std::collections::BTreeSet;
use std::path::Path;

/// Returns `subject::case` of every known deviation. The list is strict: an entry that starts to pass fails, and so
/// does an entry without a case.
pub fn expected_failures(root: &Path) -> Result<BTreeSet<String>, String> {
    let text = std::fs::read_to_string(root.join("expected-failures.txt")).map_err(|error| error.to_string())?;
    let mut names = BTreeSet::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (subjects, case) = line.split_once("::").ok_or_else(|| format!("`{line}` is not `subject::case`"))?;
        names.extend(subjects.split('+').map(|subject| format!("{subject}::{case}")));
    }
    Ok(names)
}
