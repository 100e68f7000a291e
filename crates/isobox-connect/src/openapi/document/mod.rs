//! Documents: their text, their places, and the references between them.

mod json;
mod place;
mod pointer;
mod source;
mod yaml;

use std::collections::HashMap;

use serde_json::Value;

pub use place::Place;
pub(super) use pointer::{Pointer, escaped};
pub(super) use source::{Fetch, bytes_of, document_of, load};

use super::error::Refusal;

/// The limits of a set of documents.
#[derive(Debug, Clone, Copy)]
pub(super) struct DocumentLimits {
    /// The maximum size of all documents together, in bytes.
    pub(super) bytes: usize,
    /// The maximum number of values in all documents together, with aliases expanded.
    pub(super) values: usize,
}

/// The maximum nesting of a document.
const MAX_DEPTH: usize = 120;
/// The maximum number of documents, with those that cannot be read.
const MAX_DOCUMENTS: usize = 500;
/// The maximum number of references that are followed to reach a value.
const MAX_HOPS: usize = 50;

/// A document with everything that it refers to.
#[derive(Debug)]
pub(super) struct Documents {
    /// The documents. The first one is the configured one.
    all: Vec<(Place, Value)>,
    by_place: HashMap<Place, usize>,
    /// The documents that could not be read, and why.
    missing: HashMap<Place, String>,
}

/// A value in a document.
#[derive(Debug, Clone)]
pub(super) struct Node<'d> {
    pub(super) documents: &'d Documents,
    pub(super) document: usize,
    pub(super) pointer: Pointer<'d>,
    pub(super) value: &'d Value,
}

impl Documents {
    /// Returns the configured document.
    pub(super) fn root(&self) -> Node<'_> {
        Node { documents: self, document: 0, pointer: Pointer::default(), value: &self.all[0].1 }
    }

    /// Returns the place of the configured document.
    pub(super) fn place(&self) -> &Place {
        &self.all[0].0
    }

    /// Finds the target of a reference that is in a document. Returns why there is none.
    pub(super) fn find(&self, document: usize, reference: &str) -> Result<Node<'_>, String> {
        let (file, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let document = match file {
            "" => document,
            file => {
                let place = self.all[document].0.join(file, &self.all[0].0)?;
                match self.by_place.get(&place) {
                    Some(document) => *document,
                    None => {
                        return Err(self.missing.get(&place).cloned().unwrap_or_else(|| "it was not read".to_owned()));
                    }
                }
            }
        };
        let pointer = Pointer::parse(fragment)?;
        let value = pointer.find(&self.all[document].1).ok_or("there is nothing at this place")?;
        Ok(Node { documents: self, document, pointer, value })
    }
}

impl<'d> Node<'d> {
    /// Returns the value of a key, without following references.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        let (key, value) = self.value.as_object()?.get_key_value(key)?;
        Some(Self { pointer: self.pointer.child(key.as_str()), value, ..self.clone() })
    }

    /// Returns the text of a key.
    pub(super) fn text(&self, key: &str) -> Option<&'d str> {
        self.value.get(key)?.as_str()
    }

    /// Returns the boolean of a key. Some documents write it as text.
    pub(super) fn truth(&self, key: &str) -> Option<bool> {
        match self.value.get(key)? {
            Value::Bool(truth) => Some(*truth),
            Value::String(text) => text.parse().ok(),
            Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// Returns the entries of an object, or nothing.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'d str, Self)> + use<'d> {
        let parent = self.clone();
        let entries = self.value.as_object().into_iter().flatten();
        entries.map(move |(key, value)| {
            (key.as_str(), Self { pointer: parent.pointer.child(key.as_str()), value, ..parent.clone() })
        })
    }

    /// Returns the elements of a list, or nothing.
    pub(super) fn items(&self) -> impl Iterator<Item = Self> + use<'d> {
        let parent = self.clone();
        let items = self.value.as_array().into_iter().flatten().enumerate();
        items.map(move |(index, value)| Self {
            pointer: parent.pointer.child(index.to_string()),
            value,
            ..parent.clone()
        })
    }

    /// Returns the reference of the value, if it is one.
    pub(super) fn reference(&self) -> Option<&'d str> {
        self.value.get("$ref")?.as_str()
    }

    /// Follows references until a value is reached that is none.
    pub(super) fn resolved(&self) -> Result<Self, Refusal> {
        let mut node = self.clone();
        for _ in 0..MAX_HOPS {
            let Some(reference) = node.reference() else { return Ok(node) };
            node = self.documents.find(node.document, reference).map_err(|why| {
                node.refuse(format!("the reference `{}` leads nowhere: {why}", isobox_core::brief(reference, 200)))
            })?;
        }
        Err(self.refuse("the reference leads back to itself"))
    }

    /// Refuses the document because of this value.
    pub(super) fn refuse(&self, reason: impl Into<String>) -> Refusal {
        Refusal::of(self.shown(), reason)
    }

    /// Describes the place of the value for people.
    fn shown(&self) -> String {
        let pointer = isobox_core::brief(&format!("#{}", self.pointer), 300);
        match self.document {
            0 => pointer,
            number => format!("{}{pointer}", self.documents.all[number].0),
        }
    }
}

#[cfg(test)]
pub(super) fn documents_of(value: Value) -> Documents {
    let place = Place::File("/api/document.json".into());
    Documents { by_place: HashMap::from([(place.clone(), 0)]), all: vec![(place, value)], missing: HashMap::new() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_are_followed_to_their_end_and_circles_are_told() {
        let documents = documents_of(json!({
            "a": { "$ref": "#/b~1c" }, "b/c": { "$ref": "#/d%20e" }, "d e": { "is": 1 },
            "x": { "$ref": "#/y" }, "y": { "$ref": "#/x" }, "z": { "$ref": "#/nowhere" }, "list": [{ "$ref": "#/list/1" }, 7],
        }));
        let resolved = |key: &str| documents.root().get(key).unwrap().resolved();
        let found = resolved("a").unwrap();
        assert_eq!((found.value, found.shown()), (&json!({ "is": 1 }), "#/d e".to_owned()));
        assert_eq!(resolved("x").unwrap_err().to_string(), "#/x: the reference leads back to itself");
        assert_eq!(
            resolved("z").unwrap_err().to_string(),
            "#/z: the reference `#/nowhere` leads nowhere: there is nothing at this place"
        );
        let first = documents.root().get("list").unwrap().items().next().unwrap();
        assert_eq!(first.resolved().unwrap().value, &json!(7));
    }
}
