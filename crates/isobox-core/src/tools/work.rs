//! Counts the work of checks against schemas, so that many checks have one budget.
//!
//! A check runs on one thread without a pause, so the budget is in a variable of the thread. The code between
//! [`within`] and a check, such as the policy, knows nothing about it.

use std::cell::Cell;

/// A budget that is being spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget {
    /// The steps that are left. A step takes up to a hundred nanoseconds.
    pub(crate) left: u64,
    /// Whether a check was given up because it would have taken more, so that its result says nothing.
    pub(crate) is_exceeded: bool,
}

thread_local! {
    /// The budget of the checks that this thread makes now. None if each check has only its own limit.
    static BUDGET: Cell<Option<Budget>> = const { Cell::new(None) };
}

/// Restores the budget from before, also after a panic.
struct Restore(Option<Budget>);

impl Drop for Restore {
    fn drop(&mut self) {
        BUDGET.set(self.0);
    }
}

/// Runs checks that together may take this many steps. Returns their result, and what is left.
pub(crate) fn within<T>(steps: u64, checks: impl FnOnce() -> T) -> (T, Budget) {
    let budget = Budget { left: steps, is_exceeded: false };
    let _restore = Restore(BUDGET.replace(Some(budget)));
    let result = checks();
    (result, BUDGET.get().unwrap_or(budget))
}

/// Returns the steps that a check may take whose own limit is `most`.
pub(crate) fn allowed(most: u64) -> u64 {
    BUDGET.get().map_or(most, |budget| budget.left.min(most))
}

/// Counts steps that were taken.
pub(crate) fn spend(steps: u64) {
    BUDGET.set(BUDGET.get().map(|budget| Budget { left: budget.left.saturating_sub(steps), ..budget }));
}

/// Counts steps that are taken whether they are left or not. The budget is exceeded if they are not.
pub(crate) fn take(steps: u64) {
    exceed(allowed(steps), steps);
}

/// Records that a check was given up after as many steps as were allowed. That is due to the budget if the check alone may
/// take `most`, and was allowed less.
pub(crate) fn exceed(allowed: u64, most: u64) {
    spend(allowed);
    if allowed < most {
        BUDGET.set(BUDGET.get().map(|budget| Budget { is_exceeded: true, ..budget }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::defaults::fill_defaults;
    use crate::tools::schema::{Checked, Schema};
    use serde_json::{Value, json};

    /// Returns a schema and a value whose check takes many steps, because both alternatives are counted at every level.
    fn costly() -> (Value, Value) {
        let branch = json!({ "properties": { "a": { "$ref": "#/$defs/t" } } });
        let schema = json!({ "$defs": { "t": { "anyOf": [branch.clone(), branch] } }, "$ref": "#/$defs/t" });
        (schema, (0..12).fold(json!({}), |value, _| json!({ "a": value })))
    }

    #[test]
    fn checks_share_a_budget_and_are_given_up_when_it_is_spent() {
        let (text, value) = costly();
        let schema = Schema::offered(text);
        let (checked, once) = within(1_000_000, || schema.check_input(&value));
        assert_eq!((checked, once.is_exceeded), (Checked::Fits, false));
        let cost = 1_000_000 - once.left;
        assert!(cost > 10_000, "{cost}");
        let (checked, twice) = within(2 * cost, || [schema.check_input(&value), schema.check_input(&value)]);
        assert_eq!((checked, twice), ([Checked::Fits, Checked::Fits], Budget { left: 0, is_exceeded: false }));
        let (checked, short) = within(2 * cost - 1, || [schema.check_input(&value), schema.check_input(&value)]);
        assert_eq!((checked, short), ([Checked::Fits, Checked::Undecided], Budget { left: 0, is_exceeded: true }));
        assert_eq!(schema.check_input(&value), Checked::Fits, "the budget has ended");
    }

    #[test]
    fn adding_defaults_is_counted() {
        let fields: serde_json::Map<String, Value> =
            (0..1_000).map(|number| (format!("f{number}"), json!({ "default": number }))).collect();
        let schema = json!({ "properties": fields });
        let (filled, budget) = within(100_000, || fill_defaults(&schema, &json!({})));
        assert!(filled.is_some() && budget.left < 99_000 && !budget.is_exceeded, "{budget:?}");
        let (filled, budget) = within(500, || fill_defaults(&schema, &json!({})));
        assert_eq!((filled, budget), (None, Budget { left: 0, is_exceeded: true }));
    }

    #[test]
    fn a_budget_ends_with_a_panic() {
        let panicked = std::panic::catch_unwind(|| within(1, || assert_eq!(allowed(7), 7, "a validator fails")));
        assert!(panicked.is_err());
        assert_eq!(allowed(7), 7);
    }
}
