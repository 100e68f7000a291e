//! `${NAME}` in a text.

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// Literal text.
    Text(&'a str),
    /// `$${`, which is an escaped `${`.
    Escaped,
    /// `${NAME}`, which is replaced by the value of a variable.
    Variable(&'a str),
    /// `${` and everything after it, if that is not a variable.
    Malformed(&'a str),
}

/// Splits a text into parts, each with its offset.
pub(super) fn parts(text: &str) -> Vec<(usize, Part<'_>)> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(length) = text[at..].find("${") {
        let opening = at + length;
        let is_escaped = text[at..opening].ends_with('$');
        let before = if is_escaped { opening - 1 } else { opening };
        if before > at {
            parts.push((at, Part::Text(&text[at..before])));
        }
        if is_escaped {
            parts.push((before, Part::Escaped));
            at = opening + 2;
            continue;
        }
        let name = text[opening + 2..].split_once('}').map(|(name, _)| name);
        let Some(name) = name.filter(|name| is_name(name)) else {
            parts.push((opening, Part::Malformed(&text[opening..])));
            return parts;
        };
        parts.push((opening, Part::Variable(name)));
        at = opening + 2 + name.len() + 1;
    }
    if at < text.len() {
        parts.push((at, Part::Text(&text[at..])));
    }
    parts
}

fn is_name(name: &str) -> bool {
    const MAX_LENGTH: usize = 200;
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    name.len() <= MAX_LENGTH
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_taken_apart_at_its_variables() {
        use Part::{Escaped, Malformed, Text, Variable};
        let table: [(&str, &[(usize, Part<'_>)]); 8] = [
            ("", &[]),
            ("plain $5 {x}", &[(0, Text("plain $5 {x}"))]),
            ("${A}", &[(0, Variable("A"))]),
            ("Bearer ${A_1}!", &[(0, Text("Bearer ")), (7, Variable("A_1")), (13, Text("!"))]),
            ("$${A}${B}", &[(0, Escaped), (3, Text("A}")), (5, Variable("B"))]),
            ("$$${A}", &[(0, Text("$")), (1, Escaped), (4, Text("A}"))]),
            ("a${B:-c}", &[(0, Text("a")), (1, Malformed("${B:-c}"))]),
            ("ä${", &[(0, Text("ä")), (2, Malformed("${"))]),
        ];
        for (text, expected) in table {
            assert_eq!(parts(text), expected, "{text}");
        }
    }
}
