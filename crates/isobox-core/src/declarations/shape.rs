//! A type of TypeScript, before it is written.

/// A type expression. What is text in it is TypeScript already.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Type {
    /// `unknown`.
    Unknown,
    /// `unknown`, and why, for the reader.
    Opaque(String),
    Never,
    /// `string`, `number`, `boolean`, `null`.
    Keyword(&'static str),
    Literal(String),
    /// A type with a comment behind it.
    Noted(Box<Type>, String),
    Array(Box<Type>),
    Tuple {
        elements: Vec<Type>,
        /// How many of them have to be there.
        required: usize,
        rest: Option<Box<Type>>,
    },
    Record {
        /// The type of the keys.
        keys: String,
        values: Box<Type>,
    },
    Object(Object),
    Union(Vec<Type>),
    Intersection(Vec<Type>),
}

/// An object with known properties.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Object {
    pub(super) members: Vec<Member>,
    /// Whether it says that it may hold anything else.
    pub(super) is_open: bool,
    /// How many properties are not shown.
    pub(super) omitted: usize,
}

/// A property.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    /// Its name, quoted if need be.
    pub(super) name: String,
    pub(super) is_optional: bool,
    /// The text of its comment, if any.
    pub(super) comment: String,
    pub(super) value: Type,
}

impl Type {
    pub(super) const NULL: Self = Self::Keyword("null");

    /// Any of these: flat, each once.
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

    /// All of these at once.
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

    /// Whether nothing has to be there: an object without a required property.
    pub(super) fn is_satisfied_by_nothing(&self) -> bool {
        match self {
            Self::Object(object) => object.members.iter().all(|member| member.is_optional),
            Self::Union(parts) => parts.iter().any(Self::is_satisfied_by_nothing),
            Self::Intersection(parts) => parts.iter().all(Self::is_satisfied_by_nothing),
            Self::Noted(inner, _) => inner.is_satisfied_by_nothing(),
            Self::Record { .. } | Self::Unknown | Self::Opaque(_) => true,
            Self::Never | Self::Keyword(_) | Self::Literal(_) | Self::Array(_) | Self::Tuple { .. } => false,
        }
    }
}

fn add_once(parts: &mut Vec<Type>, part: Type) {
    if !parts.contains(&part) {
        parts.push(part);
    }
}

fn only_or(mut parts: Vec<Type>, none: Type, several: impl FnOnce(Vec<Type>) -> Type) -> Type {
    match parts.len() {
        0 => none,
        1 => parts.swap_remove(0),
        _ => several(parts),
    }
}
