//! Values as far as the text of a program determines them, and their short form in messages.

use std::fmt;

use serde::de::{Error, IgnoredAny, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// An argument as far as its text determines it.
///
/// In messages, `null` is an unknown value, `true` is some text, and a string or a number is itself. Everything else is a list
/// that begins with its [`Form`].
#[derive(Debug, Clone, PartialEq, Eq)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All parts are listed.
    Closed,
    /// There may be other parts.
    Open,
}

/// The first item of a list that stands for a [`Literal`]. It says what the other items are.
enum Form {
    /// One item: the value.
    Value,
    /// The items of an array.
    Array(Extent),
    /// The properties of an object: each name is followed by its value.
    Object(Extent),
}

impl Form {
    fn number(&self) -> u8 {
        match self {
            Self::Value => 0,
            Self::Array(Extent::Closed) => 1,
            Self::Array(Extent::Open) => 2,
            Self::Object(Extent::Closed) => 3,
            Self::Object(Extent::Open) => 4,
        }
    }

    fn of_number(number: u8) -> Option<Self> {
        let all = [
            Self::Value,
            Self::Array(Extent::Closed),
            Self::Array(Extent::Open),
            Self::Object(Extent::Closed),
            Self::Object(Extent::Open),
        ];
        all.into_iter().find(|form| form.number() == number)
    }
}

impl Serialize for Literal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Unknown => serializer.serialize_unit(),
            Self::Text => serializer.serialize_bool(true),
            Self::Value(value @ (Value::String(_) | Value::Number(_))) => value.serialize(serializer),
            Self::Value(value) => (Form::Value.number(), value).serialize(serializer),
            Self::Array(items, extent) => {
                let mut list = serializer.serialize_seq(Some(1 + items.len()))?;
                list.serialize_element(&Form::Array(*extent).number())?;
                items.iter().try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Self::Object(entries, extent) => {
                let mut list = serializer.serialize_seq(Some(1 + 2 * entries.len()))?;
                list.serialize_element(&Form::Object(*extent).number())?;
                for (name, value) in entries {
                    list.serialize_element(name)?;
                    list.serialize_element(value)?;
                }
                list.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Literal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LiteralVisitor)
    }
}

struct LiteralVisitor;

impl<'de> Visitor<'de> for LiteralVisitor {
    type Value = Literal;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a literal")
    }

    fn visit_unit<E: Error>(self) -> Result<Literal, E> {
        Ok(Literal::Unknown)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Literal, E> {
        Ok(Literal::Text)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Literal, E> {
        Ok(Literal::Value(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Literal, E> {
        Ok(Literal::Value(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Literal, E> {
        Ok(Literal::Value(value.into()))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Literal, E> {
        Ok(Literal::Value(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Literal, A::Error> {
        let number = list.next_element()?.unwrap_or_default();
        match Form::of_number(number).ok_or_else(|| A::Error::custom("a literal has no such form"))? {
            Form::Value => {
                let value = list.next_element()?.unwrap_or_default();
                while let Some(IgnoredAny) = list.next_element()? {}
                Ok(Literal::Value(value))
            }
            Form::Array(extent) => {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(Literal::Array(items, extent))
            }
            Form::Object(extent) => {
                let mut entries = Vec::new();
                while let Some(name) = list.next_element()? {
                    entries.push((name, list.next_element()?.unwrap_or(Literal::Unknown)));
                }
                Ok(Literal::Object(entries, extent))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn literals_are_the_same_after_a_message() {
        let property = |name: &str, value| (name.to_owned(), value);
        let values =
            [json!(null), json!(true), json!(false), json!(-3), json!(1.5), json!("a"), json!({ "a": [1] }), json!([])];
        for extent in [Extent::Closed, Extent::Open] {
            let mut items: Vec<Literal> = values.iter().cloned().map(Literal::Value).collect();
            items.extend([Literal::Unknown, Literal::Text, Literal::Array(Vec::new(), extent)]);
            let literal = Literal::Object(
                vec![property("a", Literal::Array(items, extent)), property("", Literal::Text)],
                extent,
            );
            let message = serde_json::to_string(&literal).unwrap();
            assert_eq!(serde_json::from_str::<Literal>(&message).unwrap(), literal, "{message}");
        }
    }

    #[test]
    fn a_list_without_a_known_form_is_refused() {
        for message in ["[9]", "[\"a\"]", "[-1, 2]", "{}"] {
            assert!(serde_json::from_str::<Literal>(message).is_err(), "{message}");
        }
    }
}
