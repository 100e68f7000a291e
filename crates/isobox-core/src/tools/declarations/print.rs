//! Prints a type: with parentheses where they are needed, small objects on one line, and properties on lines of their
//! own with comments above them.

use serde_json::Value;

use super::{
    comment::{quote, write_line},
    identifier::is_identifier,
    shape::{Member, Object, Type},
};

/// The maximum length of an object on one line.
const INLINE_WIDTH: usize = 72;
const INLINE_MEMBERS: usize = 4;
/// The maximum length of a name or note inside a comment, and the maximum number of names.
const MAX_NOTE: usize = 60;
const MAX_NAMES: usize = 3;

/// Appends a type that starts on a line of this indentation. `description` is the maximum length of property
/// descriptions.
pub(super) fn print(out: &mut String, kind: &Type<'_>, indent: usize, description: usize) {
    Printer { out, description }.print(kind, indent, Slot::Alone);
}

/// Starts a new line with this indentation.
pub(super) fn new_line(out: &mut String, indent: usize) {
    out.push('\n');
    for _ in 0..indent {
        out.push_str("  ");
    }
}

/// The context of a type, which decides about parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Alone,
    Union,
    Intersection,
    /// Before `[]` or `?`.
    Postfix,
}

struct Printer<'out> {
    out: &'out mut String,
    description: usize,
}

impl Printer<'_> {
    fn print(&mut self, kind: &Type<'_>, indent: usize, slot: Slot) {
        let needs_parentheses = match kind {
            Type::Union(_) => matches!(slot, Slot::Intersection | Slot::Postfix),
            Type::Intersection(_) | Type::Opaque { .. } | Type::Noted(..) => slot == Slot::Postfix,
            Type::Unknown
            | Type::Never
            | Type::Keyword(_)
            | Type::Literal(_)
            | Type::Array(_)
            | Type::Tuple { .. }
            | Type::Record { .. }
            | Type::Object(_) => false,
        };
        if needs_parentheses {
            self.out.push('(');
            self.print_bare(kind, indent);
            self.out.push(')');
        } else {
            self.print_bare(kind, indent);
        }
    }

    fn print_bare(&mut self, kind: &Type<'_>, indent: usize) {
        match kind {
            Type::Unknown => self.out.push_str("unknown"),
            Type::Never => self.out.push_str("never"),
            Type::Keyword(text) => self.out.push_str(text),
            Type::Literal(Value::String(text)) => quote(self.out, text),
            Type::Literal(value) => self.out.push_str(&value.to_string()),
            Type::Opaque { reason, names } => self.print_opaque(reason, names),
            Type::Noted(inner, note) => {
                self.print(inner, indent, Slot::Postfix);
                self.print_note(&[note]);
            }
            Type::Array(items) => {
                self.print(items, indent, Slot::Postfix);
                self.out.push_str("[]");
            }
            Type::Tuple { elements, required, rest } => self.print_tuple(elements, *required, rest.as_deref(), indent),
            Type::Record { keys, values } => {
                self.out.push_str("Record<string");
                if !keys.is_empty() {
                    self.print_note(keys);
                }
                self.out.push_str(", ");
                self.print(values, indent, Slot::Alone);
                self.out.push('>');
            }
            Type::Object(object) => self.print_object(object, indent),
            Type::Union(parts) => self.print_joined(parts, " | ", indent, Slot::Union),
            Type::Intersection(parts) => self.print_joined(parts, " & ", indent, Slot::Intersection),
        }
    }

    fn print_opaque(&mut self, reason: &str, names: &[&str]) {
        self.out.push_str("unknown /* ");
        self.out.push_str(reason);
        for (index, name) in names.iter().take(MAX_NAMES).enumerate() {
            self.out.push_str(if index == 0 { ": " } else { ", " });
            write_line(self.out, name, MAX_NOTE);
        }
        if names.len() > MAX_NAMES {
            self.out.push_str(&format!(" and {} more", names.len() - MAX_NAMES));
        }
        self.out.push_str(" */");
    }

    fn print_note<T: AsRef<str>>(&mut self, parts: &[T]) {
        self.out.push_str(" /* ");
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            write_line(self.out, part.as_ref(), MAX_NOTE);
        }
        self.out.push_str(" */");
    }

    fn print_joined(&mut self, parts: &[Type<'_>], separator: &str, indent: usize, slot: Slot) {
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.out.push_str(separator);
            }
            self.print(part, indent, slot);
        }
    }

    fn print_tuple(&mut self, elements: &[Type<'_>], required: usize, rest: Option<&Type<'_>>, indent: usize) {
        self.out.push('[');
        for (index, element) in elements.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            if index < required {
                self.print(element, indent, Slot::Alone);
            } else {
                self.print(element, indent, Slot::Postfix);
                self.out.push('?');
            }
        }
        if let Some(rest) = rest {
            self.out.push_str(if elements.is_empty() { "..." } else { ", ..." });
            self.print(rest, indent, Slot::Postfix);
            self.out.push_str("[]");
        }
        self.out.push(']');
    }

    fn print_object(&mut self, object: &Object<'_>, indent: usize) {
        if object.members.is_empty() && !object.is_open && object.omitted == 0 {
            self.out.push_str("{}");
        } else if is_small(object, &mut { INLINE_WIDTH }) {
            self.out.push_str("{ ");
            for (index, member) in object.members.iter().enumerate() {
                if index > 0 {
                    self.out.push_str("; ");
                }
                self.print_member(member, indent);
            }
            self.out.push_str(" }");
        } else {
            self.print_members(object, indent);
        }
    }

    fn print_members(&mut self, object: &Object<'_>, indent: usize) {
        self.out.push('{');
        for member in &object.members {
            if !member.documentation.is_silent(member.name) {
                new_line(self.out, indent + 1);
                self.out.push_str("/** ");
                member.documentation.write(self.out, member.name, self.description);
                self.out.push_str(" */");
            }
            new_line(self.out, indent + 1);
            self.print_member(member, indent + 1);
            self.out.push(';');
        }
        if object.omitted > 0 {
            new_line(self.out, indent + 1);
            let plural = if object.omitted == 1 { "property" } else { "properties" };
            self.out.push_str(&format!("/* and {} more {plural} */", object.omitted));
        }
        if object.is_open {
            new_line(self.out, indent + 1);
            self.out.push_str("[key: string]: unknown;");
        }
        new_line(self.out, indent);
        self.out.push('}');
    }

    fn print_member(&mut self, member: &Member<'_>, indent: usize) {
        if is_identifier(member.name) {
            self.out.push_str(member.name);
        } else {
            quote(self.out, member.name);
        }
        self.out.push_str(if member.is_optional { "?: " } else { ": " });
        self.print(&member.value, indent, Slot::Alone);
    }
}

/// Tells whether an object fits on one line. Subtracts its width from `left`, and stops at zero.
fn is_small(object: &Object<'_>, left: &mut usize) -> bool {
    !object.is_open
        && object.omitted == 0
        && object.members.len() <= INLINE_MEMBERS
        && object.members.iter().all(|member| {
            member.documentation.is_silent(member.name)
                && take(left, member.name.len() + 4)
                && fits(&member.value, left)
        })
}

fn fits(kind: &Type<'_>, left: &mut usize) -> bool {
    match kind {
        Type::Unknown | Type::Never => take(left, 7),
        Type::Keyword(text) => take(left, text.len()),
        Type::Literal(Value::String(text)) => take(left, text.len() + 2),
        Type::Literal(_) => take(left, 5),
        Type::Opaque { reason, names } => {
            take(left, reason.len() + 14) && names.iter().all(|name| take(left, name.len().min(MAX_NOTE) + 2))
        }
        Type::Noted(inner, note) => take(left, note.len() + 7) && fits(inner, left),
        Type::Array(items) => take(left, 2) && fits(items, left),
        Type::Tuple { elements, rest, .. } => {
            take(left, 2)
                && elements.iter().all(|it| take(left, 2) && fits(it, left))
                && rest.as_deref().is_none_or(|it| take(left, 5) && fits(it, left))
        }
        Type::Record { keys, values } => take(left, 16 + keys.len() * 10) && fits(values, left),
        Type::Object(object) => take(left, 4) && is_small(object, left),
        Type::Union(parts) | Type::Intersection(parts) => parts.iter().all(|it| take(left, 3) && fits(it, left)),
    }
}

fn take(left: &mut usize, width: usize) -> bool {
    match left.checked_sub(width) {
        Some(rest) => {
            *left = rest;
            true
        }
        None => false,
    }
}
