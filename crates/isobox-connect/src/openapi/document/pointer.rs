//! JSON Pointers.

use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

use percent_encoding::percent_decode_str;
use serde_json::Value;

/// A JSON Pointer. Shares its beginning with the pointers that it was made from.
#[derive(Debug, Clone, Default)]
pub(in crate::openapi) struct Pointer<'d>(Option<Rc<Step<'d>>>);

#[derive(Debug)]
struct Step<'d> {
    before: Pointer<'d>,
    key: Cow<'d, str>,
}

/// The maximum length of a pointer in a reference, in bytes.
const MAX_LENGTH: usize = 10_000;

impl<'d> Pointer<'d> {
    /// Parses the fragment of a reference. Returns why it is not a pointer.
    pub(in crate::openapi) fn parse(fragment: &str) -> Result<Self, String> {
        if fragment.len() > MAX_LENGTH {
            return Err("it is too long".to_owned());
        }
        let decoded = percent_decode_str(fragment).decode_utf8().map_err(|_| "it is not UTF-8")?;
        if decoded.is_empty() || decoded == "/" {
            return Ok(Self::default());
        }
        let Some(steps) = decoded.strip_prefix('/') else {
            return Err("names of anchors are not supported".to_owned());
        };
        let unescaped = steps.split('/').map(|step| step.replace("~1", "/").replace("~0", "~"));
        Ok(unescaped.fold(Self::default(), |pointer, step| pointer.child(Cow::Owned(step))))
    }

    pub(in crate::openapi) fn child(&self, key: impl Into<Cow<'d, str>>) -> Self {
        Self(Some(Rc::new(Step { before: self.clone(), key: key.into() })))
    }

    /// Returns the last key.
    pub(in crate::openapi) fn last(&self) -> Option<&str> {
        self.0.as_ref().map(|step| &*step.key)
    }

    /// Returns the keys from the root on.
    pub(in crate::openapi) fn keys(&self) -> Vec<&str> {
        let mut keys = Vec::new();
        let mut place = self;
        while let Some(step) = &place.0 {
            keys.push(&*step.key);
            place = &step.before;
        }
        keys.reverse();
        keys
    }

    /// Finds the value at the pointer.
    pub(super) fn find<'v>(&self, root: &'v Value) -> Option<&'v Value> {
        self.keys().into_iter().try_fold(root, |value, key| match value {
            Value::Object(entries) => entries.get(key),
            Value::Array(items) => items.get(key.parse::<usize>().ok()?),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        })
    }
}

/// Returns a key as it is written in a pointer.
pub(in crate::openapi) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

impl fmt::Display for Pointer<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.keys().into_iter().try_for_each(|key| write!(formatter, "/{}", escaped(key)))
    }
}

/// Long pointers are dropped without recursion.
impl Drop for Step<'_> {
    fn drop(&mut self) {
        let mut before = self.before.0.take();
        while let Some(mut step) = before.and_then(Rc::into_inner) {
            before = step.before.0.take();
        }
    }
}
