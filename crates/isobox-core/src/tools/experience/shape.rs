//! The shape of values that were seen: a lattice, so that the order in which values are seen makes no difference.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::{Deserialize, Serialize};

/// The maximum number of fields of an object. An object with more is a map.
pub(super) const MAX_FIELDS: usize = 128;
/// The maximum number of fields that only some objects have. With more, the keys are data.
const MAX_OPTIONAL: usize = 32;
/// The maximum number of fields of an object without a field that all have.
const MAX_VARYING: usize = 8;
/// The maximum number of different texts of an enumeration.
const MAX_TEXTS: usize = 8;
/// The minimum number of texts, and of occurrences of each, that make an enumeration.
const LEAST_SEEN: u32 = 10;
const LEAST_REPEATED: u32 = 2;
/// The maximum that is counted.
const MAX_COUNT: u32 = 1_000;
/// The maximum depth of a shape.
pub(super) const MAX_LEVELS: usize = 10;
/// The maximum size of a shape as JSON, in bytes.
pub(super) const MAX_BYTES: usize = 16 << 10;

/// The types of the values that were seen at one place. The default is the shape of no value.
///
/// [`Shape::merge`] is commutative, associative and idempotent, except for the numbers of times that texts were seen,
/// which are added up, and for shapes that are too large to be kept as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Shape {
    /// Whether there was more than is kept: any value may be here.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) anything: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) null: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) boolean: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) number: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<Texts>,
    /// The shape of the items of arrays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) items: Option<Box<Self>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) object: Option<Box<ObjectShape>>,
}

/// The texts that were seen at one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Texts {
    /// Any texts. None of them is kept.
    Any,
    /// These texts, with the number of times that each was seen. Only where the host allows it.
    Of(BTreeMap<String, u32>),
}

/// The objects that were seen at one place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(super) struct ObjectShape {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) fields: BTreeMap<String, Field>,
    /// The shape of all values whose keys are not names of fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) others: Option<Box<Shape>>,
    /// Whether no key is the name of a field.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) is_map: bool,
}

/// A field of an object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(super) struct Field {
    pub(super) shape: Shape,
    /// Whether an object without the field was seen.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) is_optional: bool,
}

impl Shape {
    /// Returns the shape that any value fits.
    pub(super) fn anything() -> Self {
        Self { anything: true, ..Self::default() }
    }

    /// Tells whether nothing is known.
    pub(super) fn is_unknown(&self) -> bool {
        self.anything || *self == Self::default()
    }

    /// Adds the values that another shape was made of.
    pub fn merge(&mut self, other: &Self) {
        if self.anything || other.anything {
            *self = Self::anything();
            return;
        }
        self.null |= other.null;
        self.boolean |= other.boolean;
        self.number |= other.number;
        match (&mut self.text, &other.text) {
            (_, None) => {}
            (Some(texts), Some(others)) => texts.merge(others),
            (none @ None, Some(others)) => *none = Some(others.clone()),
        }
        merge_boxed(&mut self.items, other.items.as_deref());
        match (&mut self.object, &other.object) {
            (_, None) => {}
            (Some(object), Some(other)) => object.merge(other),
            (none @ None, Some(other)) => *none = Some(other.clone()),
        }
    }

    /// Replaces the deepest parts by anything until the shape is small enough to be kept.
    pub(super) fn fit(&mut self) {
        let mut levels = MAX_LEVELS;
        while !self.is_small() && levels > 0 {
            levels -= 1;
            self.cut(levels);
        }
        if !self.is_small() {
            *self = Self::anything();
        }
    }

    fn is_small(&self) -> bool {
        serde_json::to_vec(self).is_ok_and(|bytes| bytes.len() <= MAX_BYTES)
    }

    /// Replaces everything that is nested deeper than this many levels.
    fn cut(&mut self, levels: usize) {
        let Some(below) = levels.checked_sub(1) else {
            if self.items.is_some() || self.object.is_some() {
                *self = Self::anything();
            }
            return;
        };
        if let Some(items) = &mut self.items {
            items.cut(below);
        }
        if let Some(object) = &mut self.object {
            object.fields.values_mut().for_each(|field| field.shape.cut(below));
            if let Some(others) = &mut object.others {
                others.cut(below);
            }
        }
    }
}

impl Texts {
    fn merge(&mut self, other: &Self) {
        let (Self::Of(seen), Self::Of(others)) = (&mut *self, other) else {
            *self = Self::Any;
            return;
        };
        for (text, count) in others {
            let seen = seen.entry(text.clone()).or_default();
            *seen = seen.saturating_add(*count).min(MAX_COUNT);
        }
        if seen.len() > MAX_TEXTS {
            *self = Self::Any;
        }
    }

    /// Returns the texts, if they are few and were seen often enough to be all that there are.
    pub(super) fn enumeration(&self) -> Option<impl Iterator<Item = &str>> {
        let Self::Of(seen) = self else { return None };
        let is_often = seen.values().sum::<u32>() >= LEAST_SEEN && seen.values().all(|count| *count >= LEAST_REPEATED);
        (seen.len() > 1 && is_often).then(|| seen.keys().map(String::as_str))
    }
}

impl ObjectShape {
    fn merge(&mut self, other: &Self) {
        for (name, field) in &mut self.fields {
            field.is_optional |= !other.fields.contains_key(name);
        }
        for (name, theirs) in &other.fields {
            match self.fields.entry(name.clone()) {
                Entry::Occupied(mut own) => {
                    let own = own.get_mut();
                    own.is_optional |= theirs.is_optional;
                    own.shape.merge(&theirs.shape);
                }
                Entry::Vacant(place) => {
                    place.insert(Field { shape: theirs.shape.clone(), is_optional: true });
                }
            }
        }
        merge_boxed(&mut self.others, other.others.as_deref());
        self.is_map |= other.is_map;
        self.settle();
    }

    /// Makes the object a map if it is one, or if its keys vary as those of a map do.
    pub(super) fn settle(&mut self) {
        let optional = self.fields.values().filter(|field| field.is_optional).count();
        let is_varying = optional == self.fields.len() && optional > MAX_VARYING;
        self.is_map |= is_varying || optional > MAX_OPTIONAL || self.fields.len() > MAX_FIELDS;
        if self.is_map {
            for field in std::mem::take(&mut self.fields).into_values() {
                merge_boxed(&mut self.others, Some(&field.shape));
            }
        }
    }
}

pub(super) fn merge_boxed(own: &mut Option<Box<Shape>>, other: Option<&Shape>) {
    if let Some(other) = other {
        own.get_or_insert_default().merge(other);
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}
