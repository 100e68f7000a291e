//! Decimal numbers of any size, and how they are rounded.

use crate::error::{Error, Result};

/// The longest number that is accepted, in digits, and the largest exponent.
pub(crate) const MAX_DIGITS: usize = 4096;
const MAX_EXPONENT: i32 = 4096;

/// A number as it is formatted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Number {
    Nan,
    Infinite { is_negative: bool },
    Finite(Decimal),
}

/// A finite decimal: the digits, most significant first, times ten to the power of `scale`. Zero has no digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decimal {
    pub(crate) is_negative: bool,
    digits: Vec<u8>,
    scale: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RoundingMode {
    Ceil,
    Floor,
    Expand,
    Trunc,
    HalfCeil,
    HalfFloor,
    HalfExpand,
    HalfTrunc,
    HalfEven,
}

impl RoundingMode {
    pub(crate) const NAMES: [&'static str; 9] =
        ["ceil", "floor", "expand", "trunc", "halfCeil", "halfFloor", "halfExpand", "halfTrunc", "halfEven"];

    pub(crate) fn named(name: &str) -> Self {
        match name {
            "ceil" => Self::Ceil,
            "floor" => Self::Floor,
            "expand" => Self::Expand,
            "trunc" => Self::Trunc,
            "halfCeil" => Self::HalfCeil,
            "halfFloor" => Self::HalfFloor,
            "halfTrunc" => Self::HalfTrunc,
            "halfEven" => Self::HalfEven,
            _ => Self::HalfExpand,
        }
    }
}

impl Number {
    /// Reads what `String(number)` or `String(bigint)` writes, or a numeric string.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        match text {
            "NaN" => return Ok(Self::Nan),
            "Infinity" | "+Infinity" => return Ok(Self::Infinite { is_negative: false }),
            "-Infinity" => return Ok(Self::Infinite { is_negative: true }),
            _ => {}
        }
        Decimal::parse(text).map(Self::Finite)
    }
}

impl Decimal {
    fn parse(text: &str) -> Result<Self> {
        let invalid = || Error::range(format!("{} is not a decimal number", shown(text)));
        let (is_negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !is_number(whole) || !is_number(fraction) {
            return Err(invalid());
        }
        if whole.len() + fraction.len() > MAX_DIGITS {
            return Err(Error::range(format!("numbers of more than {MAX_DIGITS} digits cannot be formatted")));
        }
        let exponent: i32 = exponent.parse().map_err(|_| invalid())?;
        if exponent.abs() > MAX_EXPONENT {
            return Err(Error::range(format!("numbers with an exponent over {MAX_EXPONENT} cannot be formatted")));
        }
        let digits = whole.bytes().chain(fraction.bytes()).map(|byte| byte - b'0').collect();
        let scale = exponent - i32::try_from(fraction.len()).unwrap_or(MAX_EXPONENT);
        let mut decimal = Self { is_negative, digits, scale };
        decimal.trim();
        Ok(decimal)
    }

    fn trim(&mut self) {
        let zeros = self.digits.iter().take_while(|digit| **digit == 0).count();
        self.digits.drain(..zeros);
        while self.digits.last() == Some(&0) {
            self.digits.pop();
            self.scale += 1;
        }
        if self.digits.is_empty() {
            self.scale = 0;
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Returns the power of ten of the first digit; 0 for zero.
    pub(crate) fn magnitude(&self) -> i32 {
        if self.is_zero() { 0 } else { self.scale + self.length() - 1 }
    }

    fn length(&self) -> i32 {
        i32::try_from(self.digits.len()).unwrap_or(i32::MAX / 2)
    }

    /// Returns the power of ten of the last digit that is not 0.
    pub(crate) fn lowest(&self) -> i32 {
        self.scale
    }

    /// Multiplies with a power of ten.
    pub(crate) fn shift(&mut self, power: i32) {
        if !self.is_zero() {
            self.scale += power;
        }
    }

    /// Returns the digit at a power of ten.
    pub(crate) fn digit(&self, power: i32) -> u8 {
        let from_end = power - self.scale;
        if from_end < 0 || from_end >= self.length() {
            return 0;
        }
        self.digits[self.digits.len() - 1 - from_end.unsigned_abs() as usize]
    }

    /// Rounds to a multiple of `increment` times ten to the power of `position`.
    pub(crate) fn round(&mut self, position: i32, increment: u32, mode: RoundingMode) {
        if self.is_zero() || (increment == 1 && self.scale >= position) {
            return;
        }
        // The part that is kept, in units of `position`, and whether what is dropped is less than half, half or more.
        let kept: Vec<u8> = (position..=self.magnitude()).rev().map(|power| self.digit(power)).collect();
        let has_rest = self.scale < position;
        let (mut quotient, remainder) = divide(&kept, increment);
        let doubled = 2 * remainder;
        let half = match doubled.cmp(&increment) {
            std::cmp::Ordering::Greater => Half::Above,
            std::cmp::Ordering::Equal if has_rest => Half::Above,
            std::cmp::Ordering::Equal => Half::Exactly,
            std::cmp::Ordering::Less if !has_rest => {
                if remainder == 0 {
                    Half::Nothing
                } else {
                    Half::Below
                }
            }
            // With an odd increment the half may lie inside of the unit.
            std::cmp::Ordering::Less if doubled + 1 == increment => self.half_below(position),
            std::cmp::Ordering::Less => Half::Below,
        };
        let is_odd = quotient.last().is_some_and(|digit| digit % 2 == 1);
        if away_from_zero(mode, half, self.is_negative, is_odd) {
            add_one(&mut quotient);
        }
        self.digits = multiply(&quotient, increment);
        self.scale = position;
        self.trim();
    }

    /// Compares what is below a position with half a unit of it.
    fn half_below(&self, position: i32) -> Half {
        match self.digit(position - 1).cmp(&5) {
            std::cmp::Ordering::Greater => Half::Above,
            std::cmp::Ordering::Less => Half::Below,
            std::cmp::Ordering::Equal if self.scale < position - 1 => Half::Above,
            std::cmp::Ordering::Equal => Half::Exactly,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    Nothing,
    Below,
    Exactly,
    Above,
}

fn away_from_zero(mode: RoundingMode, half: Half, is_negative: bool, is_odd: bool) -> bool {
    match (half, mode) {
        (Half::Nothing, _) | (_, RoundingMode::Trunc) => false,
        (_, RoundingMode::Expand) => true,
        (_, RoundingMode::Ceil) => !is_negative,
        (_, RoundingMode::Floor) => is_negative,
        (Half::Below, _) => false,
        (Half::Above, _) => true,
        (Half::Exactly, RoundingMode::HalfCeil) => !is_negative,
        (Half::Exactly, RoundingMode::HalfFloor) => is_negative,
        (Half::Exactly, RoundingMode::HalfExpand) => true,
        (Half::Exactly, RoundingMode::HalfTrunc) => false,
        (Half::Exactly, RoundingMode::HalfEven) => is_odd,
    }
}

fn divide(digits: &[u8], divisor: u32) -> (Vec<u8>, u32) {
    let mut rest = 0;
    let quotient = digits
        .iter()
        .map(|digit| {
            let value = rest * 10 + u32::from(*digit);
            rest = value % divisor;
            u8::try_from(value / divisor).unwrap_or(9)
        })
        .collect();
    (quotient, rest)
}

fn multiply(digits: &[u8], factor: u32) -> Vec<u8> {
    let mut product = Vec::with_capacity(digits.len() + 4);
    let mut carry = 0;
    for digit in digits.iter().rev() {
        let value = u32::from(*digit) * factor + carry;
        product.push(u8::try_from(value % 10).unwrap_or(0));
        carry = value / 10;
    }
    while carry > 0 {
        product.push(u8::try_from(carry % 10).unwrap_or(0));
        carry /= 10;
    }
    product.reverse();
    product
}

fn add_one(digits: &mut Vec<u8>) {
    for digit in digits.iter_mut().rev() {
        if *digit < 9 {
            *digit += 1;
            return;
        }
        *digit = 0;
    }
    digits.insert(0, 1);
}

/// Quotes a text of the program in an error, cut to a readable length.
pub(crate) fn shown(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    if short.len() < text.len() { format!("\"{short}…\"") } else { format!("\"{short}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(text: &str, position: i32, increment: u32, mode: &str) -> String {
        let mut decimal = Decimal::parse(text).expect("a number");
        decimal.round(position, increment, RoundingMode::named(mode));
        let digits: String = decimal.digits.iter().map(|digit| char::from(digit + b'0')).collect();
        format!("{}{}e{}", if decimal.is_negative { "-" } else { "" }, digits, decimal.scale)
    }

    #[test]
    fn halves_are_rounded_as_the_mode_says() {
        for (mode, plus, minus) in [
            ("ceil", "2e0", "-1e0"),
            ("floor", "1e0", "-2e0"),
            ("expand", "2e0", "-2e0"),
            ("trunc", "1e0", "-1e0"),
            ("halfCeil", "2e0", "-1e0"),
            ("halfFloor", "1e0", "-2e0"),
            ("halfExpand", "2e0", "-2e0"),
            ("halfTrunc", "1e0", "-1e0"),
            ("halfEven", "2e0", "-2e0"),
        ] {
            assert_eq!(rounded("1.5", 0, 1, mode), plus, "{mode}");
            assert_eq!(rounded("-1.5", 0, 1, mode), minus, "{mode}");
        }
        assert_eq!(rounded("2.5", 0, 1, "halfEven"), "2e0");
        assert_eq!(rounded("2.51", 0, 1, "halfEven"), "3e0");
    }

    #[test]
    fn increments_round_to_their_multiples() {
        assert_eq!(rounded("1.12", -2, 5, "halfExpand"), "11e-1");
        assert_eq!(rounded("1.125", -2, 5, "halfExpand"), "115e-2");
        assert_eq!(rounded("1.13", -2, 5, "halfExpand"), "115e-2");
        assert_eq!(rounded("12.4", 0, 25, "halfExpand"), "e0");
        assert_eq!(rounded("12.5", 0, 25, "halfExpand"), "25e0");
        assert_eq!(rounded("0.001", 0, 1, "ceil"), "1e0");
        assert_eq!(rounded("999.9", 0, 1, "halfExpand"), "1e3");
    }

    #[test]
    fn what_is_no_number_is_an_error() {
        for text in ["", ".", "1x", "0x10", "1e", "--1", "1e99999"] {
            assert!(Decimal::parse(text).is_err(), "{text}");
        }
    }
}
