//! Compact notation: 1.2K, 1.2 thousand.

use std::collections::HashMap;

use super::symbols::Pattern;
use crate::archive::Section;
use crate::decimal::Decimal;

/// The patterns of one locale: for each power of ten and plural category.
pub(super) struct Compact {
    patterns: HashMap<(i32, String), String>,
    multipliers: Vec<i32>,
}

impl Compact {
    pub(super) fn load(numbers: &Section, system: &str, is_long: bool, is_money: bool) -> Self {
        let kinds: &[&str] = match (is_money, is_long) {
            (true, _) => &["money"],
            (false, true) => &["long", "short"],
            (false, false) => &["short"],
        };
        let mut rows = Vec::new();
        for kind in kinds {
            for system in [system, "latn"] {
                if rows.is_empty() {
                    rows = numbers.under(&format!("{system}/{kind}/"));
                }
            }
        }
        let mut patterns = HashMap::new();
        let mut multipliers = Vec::new();
        for (key, pattern) in rows {
            let mut parts = key.split('/');
            let (Some(power), Some(plural), None) = (parts.next(), parts.next(), parts.next()) else { continue };
            let power = i32::try_from(power.len()).unwrap_or(1) - 1;
            let zeros = Pattern::parse(pattern).zeros;
            if multipliers.len() <= power.unsigned_abs() as usize {
                multipliers.resize(power.unsigned_abs() as usize + 1, 0);
            }
            if pattern != "0" && zeros > 0 {
                multipliers[power.unsigned_abs() as usize] = zeros - power - 1;
            }
            patterns.insert((power, plural.to_owned()), pattern.to_owned());
        }
        Self { patterns, multipliers }
    }

    /// Returns the power of ten by which a number of that magnitude is multiplied.
    pub(super) fn multiplier(&self, magnitude: i32) -> i32 {
        if magnitude < 0 || self.multipliers.is_empty() {
            return 0;
        }
        let at = (magnitude.unsigned_abs() as usize).min(self.multipliers.len() - 1);
        self.multipliers[at]
    }

    /// Returns the pattern for a number of that magnitude, before it was divided; `None` where it is not compacted.
    pub(super) fn pattern(&self, magnitude: i32, plural: &str, shown: &Decimal) -> Option<Pattern> {
        let highest = i32::try_from(self.multipliers.len()).unwrap_or(0) - 1;
        let magnitude = magnitude.min(highest);
        let get = |plural: &str| self.patterns.get(&(magnitude, plural.to_owned()));
        let is_one = !shown.is_zero()
            && !shown.is_negative
            && shown.magnitude() == 0
            && shown.lowest() == 0
            && shown.digit(0) == 1;
        let exact = if is_one {
            get("1")
        } else if shown.is_zero() {
            get("0")
        } else {
            None
        };
        let pattern = exact.or_else(|| get(plural)).or_else(|| get("other"))?;
        (pattern != "0").then(|| Pattern::parse(pattern))
    }
}
