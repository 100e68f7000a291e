//! Rounding to the digits that the options ask for.

use super::options::{Digits, Priority};
use crate::decimal::Decimal;

impl Digits {
    /// Rounds a number; returns how many fraction digits it shows at least.
    pub(crate) fn round(&self, decimal: &mut Decimal) -> i32 {
        let shown = match (self.fraction, self.significant) {
            (Some(fraction), Some(significant)) if self.priority != Priority::Auto => {
                self.round_by_priority(decimal, fraction, significant)
            }
            (_, Some((low, high))) => {
                decimal.round(decimal.magnitude() - high + 1, 1, self.mode);
                -(decimal.magnitude() - low + 1)
            }
            (Some((low, high)), None) => {
                decimal.round(-high, self.increment, self.mode);
                low
            }
            (None, None) => 0,
        };
        let is_integer = decimal.is_zero() || decimal.lowest() >= 0;
        if self.strips_zeros && is_integer { 0 } else { shown.max(0) }
    }

    fn round_by_priority(&self, decimal: &mut Decimal, fraction: (i32, i32), significant: (i32, i32)) -> i32 {
        let by_fraction = -fraction.1;
        let mut by_significant = decimal.magnitude() - significant.1 + 1;
        let is_relaxed = self.priority == Priority::MorePrecision;
        let position = if is_relaxed { by_fraction.min(by_significant) } else { by_fraction.max(by_significant) };
        if !decimal.is_zero() {
            let before = decimal.magnitude();
            decimal.round(position, 1, self.mode);
            if !decimal.is_zero() && decimal.magnitude() != before && by_fraction == by_significant {
                by_significant += 1;
            }
        }
        let shown_by_significant = -(decimal.magnitude() - significant.0 + 1);
        if is_relaxed == (by_significant <= by_fraction) { shown_by_significant } else { fraction.0 }
    }

    /// Multiplies with a power of ten that depends on the magnitude, and rounds. Returns the fraction digits and the
    /// exponent by which the number was divided.
    pub(crate) fn round_scaled(&self, decimal: &mut Decimal, multiplier: impl Fn(i32) -> i32) -> (i32, i32) {
        if decimal.is_zero() {
            return (self.round(decimal), 0);
        }
        let magnitude = decimal.magnitude();
        let power = multiplier(magnitude);
        decimal.shift(power);
        let fraction = self.round(decimal);
        if decimal.is_zero() || decimal.magnitude() == magnitude + power {
            return (fraction, -power);
        }
        // Rounding has made the number one digit longer.
        let next = multiplier(magnitude + 1);
        if next == power {
            return (fraction, -power);
        }
        decimal.shift(next - power);
        (self.round(decimal), -next)
    }
}
