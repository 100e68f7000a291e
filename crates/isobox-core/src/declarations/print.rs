//! Writes a type: parentheses where they are needed, small objects on one line, properties below each other with their
//! comments above them.

use super::shape::{Member, Object, Type};

/// How long an object on one line may be.
const INLINE_WIDTH: usize = 72;
const INLINE_MEMBERS: usize = 4;

/// Appends a type that starts on a line of this indentation.
pub(super) fn print(out: &mut String, kind: &Type, indent: usize) {
    print_in(out, kind, indent, Slot::Alone);
}

/// Starts a new line of this indentation.
pub(super) fn new_line(out: &mut String, indent: usize) {
    out.push('\n');
    for _ in 0..indent {
        out.push_str("  ");
    }
}

/// What a type is part of, which decides about parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Alone,
    Union,
    Intersection,
    /// Before `[]` or `?`.
    Postfix,
}

fn print_in(out: &mut String, kind: &Type, indent: usize, slot: Slot) {
    let needs_parentheses = match kind {
        Type::Union(_) => matches!(slot, Slot::Intersection | Slot::Postfix),
        Type::Intersection(_) | Type::Opaque(_) | Type::Noted(..) => slot == Slot::Postfix,
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
        out.push('(');
        print_bare(out, kind, indent);
        out.push(')');
    } else {
        print_bare(out, kind, indent);
    }
}

fn print_bare(out: &mut String, kind: &Type, indent: usize) {
    match kind {
        Type::Unknown => out.push_str("unknown"),
        Type::Never => out.push_str("never"),
        Type::Keyword(text) => out.push_str(text),
        Type::Literal(text) => out.push_str(text),
        Type::Opaque(reason) => print_noted(out, "unknown", reason),
        Type::Noted(inner, note) => {
            print_in(out, inner, indent, Slot::Postfix);
            print_noted(out, "", note);
        }
        Type::Array(items) => {
            print_in(out, items, indent, Slot::Postfix);
            out.push_str("[]");
        }
        Type::Tuple { elements, required, rest } => print_tuple(out, elements, *required, rest.as_deref(), indent),
        Type::Record { keys, values } => {
            out.push_str("Record<");
            out.push_str(keys);
            out.push_str(", ");
            print(out, values, indent);
            out.push('>');
        }
        Type::Object(object) => print_object(out, object, indent),
        Type::Union(parts) => print_joined(out, parts, " | ", indent, Slot::Union),
        Type::Intersection(parts) => print_joined(out, parts, " & ", indent, Slot::Intersection),
    }
}

fn print_noted(out: &mut String, text: &str, note: &str) {
    out.push_str(text);
    out.push_str(" /* ");
    out.push_str(note);
    out.push_str(" */");
}

fn print_joined(out: &mut String, parts: &[Type], separator: &str, indent: usize, slot: Slot) {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            out.push_str(separator);
        }
        print_in(out, part, indent, slot);
    }
}

fn print_tuple(out: &mut String, elements: &[Type], required: usize, rest: Option<&Type>, indent: usize) {
    out.push('[');
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        if index < required {
            print(out, element, indent);
        } else {
            print_in(out, element, indent, Slot::Postfix);
            out.push('?');
        }
    }
    if let Some(rest) = rest {
        out.push_str(if elements.is_empty() { "..." } else { ", ..." });
        print_in(out, rest, indent, Slot::Postfix);
        out.push_str("[]");
    }
    out.push(']');
}

fn print_object(out: &mut String, object: &Object, indent: usize) {
    if object.members.is_empty() && !object.is_open && object.omitted == 0 {
        out.push_str("{}");
    } else if is_small(object, &mut { INLINE_WIDTH }) {
        out.push_str("{ ");
        for (index, member) in object.members.iter().enumerate() {
            if index > 0 {
                out.push_str("; ");
            }
            print_member(out, member, indent);
        }
        out.push_str(" }");
    } else {
        print_members(out, object, indent);
    }
}

fn print_members(out: &mut String, object: &Object, indent: usize) {
    out.push('{');
    for member in &object.members {
        if !member.comment.is_empty() {
            new_line(out, indent + 1);
            out.push_str("/** ");
            out.push_str(&member.comment);
            out.push_str(" */");
        }
        new_line(out, indent + 1);
        print_member(out, member, indent + 1);
        out.push(';');
    }
    if object.omitted > 0 {
        new_line(out, indent + 1);
        let plural = if object.omitted == 1 { "property" } else { "properties" };
        out.push_str(&format!("/* and {} more {plural} */", object.omitted));
    }
    if object.is_open {
        new_line(out, indent + 1);
        out.push_str("[key: string]: unknown;");
    }
    new_line(out, indent);
    out.push('}');
}

fn print_member(out: &mut String, member: &Member, indent: usize) {
    out.push_str(&member.name);
    out.push_str(if member.is_optional { "?: " } else { ": " });
    print(out, &member.value, indent);
}

/// Whether an object is written on one line; takes its width from what is left, and looks no further than that.
fn is_small(object: &Object, left: &mut usize) -> bool {
    !object.is_open
        && object.omitted == 0
        && object.members.len() <= INLINE_MEMBERS
        && object
            .members
            .iter()
            .all(|member| member.comment.is_empty() && take(left, member.name.len() + 4) && fits(&member.value, left))
}

fn fits(kind: &Type, left: &mut usize) -> bool {
    match kind {
        Type::Unknown | Type::Never => take(left, 7),
        Type::Keyword(text) => take(left, text.len()),
        Type::Literal(text) => take(left, text.len()),
        Type::Opaque(reason) => take(left, reason.len() + 14),
        Type::Noted(inner, note) => take(left, note.len() + 7) && fits(inner, left),
        Type::Array(items) => take(left, 2) && fits(items, left),
        Type::Tuple { elements, rest, .. } => {
            take(left, 2)
                && elements.iter().all(|it| take(left, 2) && fits(it, left))
                && rest.as_deref().is_none_or(|it| take(left, 5) && fits(it, left))
        }
        Type::Record { keys, values } => take(left, keys.len() + 10) && fits(values, left),
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
