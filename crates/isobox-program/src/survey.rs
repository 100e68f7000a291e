//! What the front end sees of a program before it runs: its tool calls, and what the rules of the host object to.

use serde::ser::SerializeSeq;
use serde::{Deserialize, Serialize, Serializer};

use crate::{Literal, Place};

/// Everything that was seen in a program. Empty for a program that calls no tools and keeps all rules.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Survey {
    /// The tool calls whose path is certain, in the order of the text. At most 256 of each file.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub calls: Vec<SeenCall>,
    /// The violations of the rules of the host, in the order of the text. At most 100 of each file.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub violations: Vec<Violation>,
}

impl Survey {
    /// Checks whether there is nothing to say about a program.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.violations.is_empty()
    }
}

/// A tool call in the text of a program. It is written as a list without its last fields if they are the usual ones, because
/// programs have many calls.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SeenCall {
    /// The path of the tool.
    pub path: String,
    /// The place of the last name of the path.
    pub place: Place,
    /// The arguments, or `None` if their number is not known.
    pub arguments: Option<Vec<Literal>>,
    /// The properties of the result that the program reads and does not test.
    #[serde(default)]
    pub reads: Vec<Read>,
    /// Whether the call is made, unless the program fails before.
    #[serde(default)]
    pub reach: Reach,
    /// Whether the program may handle a failure of the call.
    #[serde(default)]
    pub handling: Handling,
    /// What becomes of the promise.
    #[serde(default)]
    pub promise: Promised,
}

impl Serialize for SeenCall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { path, place, arguments, reads, reach, handling, promise } = self;
        let unusual = [!is_default(reads), !is_default(reach), !is_default(handling), !is_default(promise)];
        let further = unusual.iter().rposition(|is_unusual| *is_unusual).map_or(0, |last| last + 1);
        let mut list = serializer.serialize_seq(Some(3 + further))?;
        list.serialize_element(path)?;
        list.serialize_element(place)?;
        list.serialize_element(arguments)?;
        if further > 0 {
            list.serialize_element(reads)?;
        }
        if further > 1 {
            list.serialize_element(reach)?;
        }
        if further > 2 {
            list.serialize_element(handling)?;
        }
        if further > 3 {
            list.serialize_element(promise)?;
        }
        list.end()
    }
}

/// Whether code runs unless the program fails before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Reach {
    /// The code may never run: a condition decides about it, it is in a loop that may have no turns, in a function that may not be
    /// called, or behind a statement that may leave.
    Branch,
    /// The code runs, unless the program fails before.
    #[default]
    Certain,
}

/// Whether a program may handle the failure of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Handling {
    /// Some code may catch the error.
    Handled,
    /// The error ends the program.
    #[default]
    Unhandled,
}

/// What becomes of the promise of a call.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Promised {
    /// The program awaits it, or may do so.
    #[default]
    Used,
    /// The program never looks at it.
    Dropped,
    /// The program uses it as if it were the result. It reads a property, or takes the promise apart, at this place.
    Unawaited(Place),
}

/// A property of a result that a program reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Read {
    /// The names from the result to the property.
    pub names: Vec<Name>,
    /// The places of these names: the last is that of the property.
    pub places: Vec<Place>,
    /// Whether the property is read, unless the program fails before.
    #[serde(skip_serializing_if = "is_default", default)]
    pub reach: Reach,
}

/// One name on the way from a result to a property.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Name {
    /// A property.
    Property(String),
    /// An item of an array.
    Item,
}

/// Something in a program that a rule of the host does not allow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Violation {
    /// What was found, in a few words.
    pub found: String,
    /// The index of the rule.
    pub rule: usize,
    /// The place.
    pub place: Place,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
