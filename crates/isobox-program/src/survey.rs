//! What the front end sees of a program before it runs: its tool calls, and what the rules of the host object to.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Place;

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

/// A tool call in the text of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SeenCall {
    /// The path of the tool.
    pub path: String,
    /// The place of the last name of the path.
    pub place: Place,
    /// The arguments, or `None` if their number is not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub arguments: Option<Vec<Literal>>,
    /// Whether the call is made, unless the program fails before.
    #[serde(skip_serializing_if = "is_default", default)]
    pub reach: Reach,
    /// Whether the program may handle a failure of the call.
    #[serde(skip_serializing_if = "is_default", default)]
    pub handling: Handling,
    /// What becomes of the promise.
    #[serde(skip_serializing_if = "is_default", default)]
    pub promise: Promised,
    /// The properties of the result that the program reads and does not test.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub reads: Vec<Read>,
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

/// An argument as far as its text determines it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Literal {
    /// Nothing is known. The value may be `undefined`.
    Unknown,
    /// Some text.
    Text,
    /// Exactly this value.
    Value(Value),
    /// An array with these items, and perhaps others between them if it is open.
    Array(Vec<Literal>, Extent),
    /// An object with these properties, and perhaps others if it is open.
    Object(Vec<(String, Literal)>, Extent),
}

/// Whether an array or object has more parts than are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Extent {
    /// All parts are listed.
    Closed,
    /// There may be other parts.
    Open,
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
