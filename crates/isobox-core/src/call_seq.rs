//! The number of a call, as written in journals and outcomes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The number of a call or a timer within an execution.
///
/// It is written as text. The calls of the program itself are `0`, `1`, `2` …. Nested calls have the number of their
/// parent before their own: `3.0`. Numbers are ordered as the calls were made, and a call comes before its children.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CallSeq {
    /// The number at each level. Zero beyond `depth`.
    parts: [u32; Self::MAX_DEPTH],
    depth: u8,
}

impl CallSeq {
    /// The maximum depth of nested calls.
    pub const MAX_DEPTH: usize = 9;

    /// The length of the longest number: ten digits and a point at each level.
    const MAX_LENGTH: usize = 11 * Self::MAX_DEPTH;

    /// Returns the number of a call that the program itself makes.
    pub const fn new(number: u32) -> Self {
        let mut parts = [0; Self::MAX_DEPTH];
        parts[0] = number;
        Self { parts, depth: 1 }
    }

    /// Returns the number of a call that this call makes. None if calls are nested too deeply.
    #[must_use]
    pub fn child(self, number: u32) -> Option<Self> {
        let mut parts = self.parts;
        *parts.get_mut(usize::from(self.depth))? = number;
        Some(Self { parts, depth: self.depth + 1 })
    }

    /// Returns the number of the call that makes this one. None for a call of the program itself.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        let depth = self.depth.checked_sub(1).filter(|depth| *depth > 0)?;
        let mut parts = self.parts;
        parts[usize::from(depth)] = 0;
        Some(Self { parts, depth })
    }

    /// Tells whether the call is made by another one, directly or not.
    pub(crate) fn is_below(self, other: Self) -> bool {
        self.depth > other.depth && self.parts().starts_with(other.parts())
    }

    /// Returns the number among the calls of the same program: the last part.
    pub fn number(self) -> u32 {
        self.parts().last().copied().unwrap_or_default()
    }

    /// Returns the number of a call of the program itself. None for a nested call.
    pub fn of_program(self) -> Option<u32> {
        (self.depth == 1).then_some(self.parts[0])
    }

    fn parts(&self) -> &[u32] {
        &self.parts[..usize::from(self.depth)]
    }

    /// Writes the number to a buffer, from its end. Every entry of a journal has numbers of calls, and the formatting
    /// machinery takes several times as long.
    fn written<'t>(&self, text: &'t mut [u8; Self::MAX_LENGTH]) -> &'t str {
        let mut start = text.len();
        let mut put = |byte| {
            start -= 1;
            text[start] = byte;
        };
        for (place, part) in self.parts().iter().enumerate().rev() {
            let mut rest = *part;
            loop {
                put(b'0' + (rest % 10) as u8);
                rest /= 10;
                if rest == 0 {
                    break;
                }
            }
            if place > 0 {
                put(b'.');
            }
        }
        std::str::from_utf8(&text[start..]).expect("digits and points are ASCII")
    }
}

impl PartialOrd for CallSeq {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for CallSeq {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.parts().cmp(other.parts())
    }
}

impl fmt::Display for CallSeq {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.written(&mut [0; Self::MAX_LENGTH]))
    }
}

impl fmt::Debug for CallSeq {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "CallSeq({self})")
    }
}

/// A text that is not the number of a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the number of a call")]
pub struct NotACallSeq(String);

impl FromStr for CallSeq {
    type Err = NotACallSeq;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.split('.').map(number);
        let first = parts.next().flatten().map(Self::new);
        let whole = parts.fold(first, |outer, part| outer?.child(part?));
        whole.ok_or_else(|| NotACallSeq(crate::text::brief(text, 40)))
    }
}

/// Parses a number in its only valid form: digits without leading zeros.
fn number(text: &str) -> Option<u32> {
    let is_plain = text == "0" || (!text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit()));
    if is_plain { text.parse().ok() } else { None }
}

impl Serialize for CallSeq {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.written(&mut [0; Self::MAX_LENGTH]))
    }
}

impl<'de> Deserialize<'de> for CallSeq {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seq(text: &str) -> CallSeq {
        text.parse().expect("a number")
    }

    #[test]
    fn numbers_of_children_are_written_behind_that_of_their_call() {
        let third = CallSeq::new(3);
        let child = third.child(0).expect("there is room");
        assert_eq!((third.to_string(), child.to_string()), ("3".to_owned(), "3.0".to_owned()));
        assert_eq!((child.parent(), third.parent(), child.number()), (Some(third), None, 0));
        assert_eq!(seq("3.0"), child);
        let longest = vec![u32::MAX.to_string(); CallSeq::MAX_DEPTH].join(".");
        assert_eq!((seq(&longest).to_string(), format!("{third:>3}")), (longest, "  3".to_owned()));
    }

    #[test]
    fn calls_come_in_their_order_and_before_their_children() {
        let ordered = ["0", "3", "3.0", "3.0.7", "3.1", "3.10", "4", "10"].map(seq);
        assert!(ordered.is_sorted());
    }

    #[test]
    fn what_is_not_a_number_in_its_only_form_is_refused() {
        for text in ["", ".", "3.", ".3", "03", "3.00", "+3", "3 ", "3,0", "4294967296", "0.1.2.3.4.5.6.7.8.9", "٣"] {
            assert!(text.parse::<CallSeq>().is_err(), "{text}");
        }
        assert_eq!(seq("4294967295").child(u32::MAX).map(|child| child.number()), Some(u32::MAX));
        assert_eq!(seq("0.1.2.3.4.5.6.7.8").child(0), None, "it is nested too deeply");
    }
}
