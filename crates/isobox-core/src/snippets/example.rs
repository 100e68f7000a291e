//! Examples of a snippet: inputs, and what is expected for them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::experience::Shape;
use crate::text::shorten;

/// An example of a snippet, which `isobox snippets test` runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Example {
    /// The input.
    #[serde(default)]
    pub input: Value,
    /// The expected result.
    #[serde(flatten)]
    pub expected: Expected,
}

/// The expected result of an example.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Expected {
    /// Exactly this result.
    Result(Value),
    /// A result with the types and fields of this one.
    Shape(Value),
}

impl Example {
    /// Compares a result with what is expected. Returns the difference.
    pub fn difference(&self, result: &Value) -> Option<String> {
        const SHOWN: usize = 300;
        let shown = |value: &Value| shorten(&value.to_string(), SHOWN);
        match &self.expected {
            Expected::Result(expected) if expected == result => None,
            Expected::Result(expected) => Some(format!("it gave {} instead of {}", shown(result), shown(expected))),
            Expected::Shape(expected) if Shape::of_result(expected) == Shape::of_result(result) => None,
            Expected::Shape(expected) => {
                Some(format!("it gave {}, which does not have the types of {}", shown(result), shown(expected)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_example_expects_a_result_or_a_shape() {
        let read = |value| serde_json::from_value::<Example>(value).expect("it is an example");
        let exact = read(json!({ "input": 1, "result": { "a": 1 } }));
        assert_eq!(exact.difference(&json!({ "a": 1 })), None);
        assert_eq!(exact.difference(&json!({ "a": 2 })).as_deref(), Some(r#"it gave {"a":2} instead of {"a":1}"#));
        let shape = read(json!({ "shape": [{ "a": 1 }] }));
        assert_eq!(shape.difference(&json!([{ "a": 7 }, { "a": 8 }])), None);
        assert!(shape.difference(&json!([{ "a": "x" }])).is_some_and(|why| why.contains("does not have the types")));
        assert!(serde_json::from_value::<Example>(json!({ "input": 1 })).is_err());
    }
}
