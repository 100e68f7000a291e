//! A TypeScript type before it is printed. Its texts are still those of the schema.

use std::borrow::Cow;

use serde_json::Value;

use super::documentation::Documentation;

/// A type expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Type<'schema> {
    /// `unknown`.
    Unknown,
    /// `unknown`, with the reason and the names of the missing parts.
    Opaque {
        reason: Cow<'static, str>,
        names: Vec<&'schema str>,
    },
    Never,
    /// `string`, `number`, `boolean`, `null`.
    Keyword(&'static str),
    /// A text, number or boolean.
    Literal(&'schema Value),
    /// A type followed by a comment.
    Noted(Box<Self>, Cow<'schema, str>),
    Array(Box<Self>),
    Tuple {
        elements: Vec<Self>,
        /// The number of required ones.
        required: usize,
        rest: Option<Box<Self>>,
    },
    Record {
        /// The patterns of the keys.
        keys: Vec<&'schema str>,
        values: Box<Self>,
    },
    Object(Object<'schema>),
    Union(Vec<Self>),
    Intersection(Vec<Self>),
}

/// An object with known properties.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Object<'schema> {
    pub(super) members: Vec<Member<'schema>>,
    /// Whether it explicitly allows other properties.
    pub(super) is_open: bool,
    /// The number of properties that are not shown.
    pub(super) omitted: usize,
}

/// A property.
#[derive(Debug, Clone)]
pub(super) struct Member<'schema> {
    pub(super) name: &'schema str,
    pub(super) is_optional: bool,
    pub(super) documentation: Documentation<'schema>,
    pub(super) value: Type<'schema>,
}

/// Documentation does not distinguish types.
impl PartialEq for Member<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.is_optional == other.is_optional && self.value == other.value
    }
}

impl<'schema> Type<'schema> {
    pub(super) const NULL: Self = Self::Keyword("null");

    pub(super) fn record_of(values: Self) -> Self {
        Self::Record { keys: Vec::new(), values: Box::new(values) }
    }

    /// Creates a flat union without duplicates.
    pub(super) fn union(types: impl IntoIterator<Item = Self>) -> Self {
        let mut parts = Vec::new();
        for part in types {
            match part {
                Self::Union(inner) => inner.into_iter().for_each(|it| add_once(&mut parts, it)),
                Self::Never => {}
                Self::Unknown => return Self::Unknown,
                other => add_once(&mut parts, other),
            }
        }
        if let Some(null) = parts.iter().position(|part| *part == Self::NULL) {
            let null = parts.remove(null);
            parts.push(null);
        }
        only_or(parts, Self::Never, Self::Union)
    }

    /// Creates an intersection.
    pub(super) fn intersection(types: impl IntoIterator<Item = Self>) -> Self {
        let mut parts = Vec::new();
        for part in types {
            match part {
                Self::Intersection(inner) => inner.into_iter().for_each(|it| add_once(&mut parts, it)),
                Self::Unknown => {}
                Self::Never => return Self::Never,
                other => add_once(&mut parts, other),
            }
        }
        only_or(parts, Self::Unknown, Self::Intersection)
    }

    /// Tells whether an empty object satisfies the type.
    pub(super) fn is_satisfied_by_nothing(&self) -> bool {
        match self {
            Self::Object(object) => object.members.iter().all(|member| member.is_optional),
            Self::Union(parts) => parts.iter().any(Self::is_satisfied_by_nothing),
            Self::Intersection(parts) => parts.iter().all(Self::is_satisfied_by_nothing),
            Self::Noted(inner, _) => inner.is_satisfied_by_nothing(),
            Self::Record { .. } | Self::Unknown | Self::Opaque { .. } => true,
            Self::Never | Self::Keyword(_) | Self::Literal(_) | Self::Array(_) | Self::Tuple { .. } => false,
        }
    }
}

fn add_once<'schema>(parts: &mut Vec<Type<'schema>>, part: Type<'schema>) {
    if let Type::Opaque { reason, names } = &part {
        for known in parts.iter_mut() {
            if let Type::Opaque { reason: known, names: known_names } = known
                && known == reason
            {
                return known_names.extend(names);
            }
        }
    }
    if !parts.contains(&part) {
        parts.push(part);
    }
}

fn only_or<'schema>(
    mut parts: Vec<Type<'schema>>,
    none: Type<'schema>,
    several: impl FnOnce(Vec<Type<'schema>>) -> Type<'schema>,
) -> Type<'schema> {
    match parts.len() {
        0 => none,
        1 => parts.swap_remove(0),
        _ => several(parts),
    }
}
