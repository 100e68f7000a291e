//! Makes identifiers from arbitrary names.

use std::collections::{HashMap, HashSet};

/// The maximum length of an identifier without its suffix.
const MAX_LENGTH: usize = 100;

/// Reserved words, and properties that the `tools` object answers itself.
const RESERVED: &[&str] = &[
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "then",
    "this",
    "throw",
    "toJSON",
    "toString",
    "true",
    "try",
    "typeof",
    "undefined",
    "valueOf",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// Returns a JavaScript identifier for any text. An identifier stays unchanged.
///
/// Hyphens, dots and white space become `_`; other characters than ASCII letters, digits, `_` and `$` are dropped; a
/// leading digit gets `_` before it and a reserved word `_` after it; an empty text becomes `_`. The result can be a
/// segment of a [`ToolPath`](crate::ToolPath). Two texts may have the same one: see [`unique_identifiers`].
///
/// ```
/// use isobox_core::identifier_of;
///
/// assert_eq!(identifier_of("create-issue"), "create_issue");
/// assert_eq!(identifier_of("2 things"), "_2_things");
/// assert_eq!(identifier_of("new"), "new_");
/// ```
pub fn identifier_of(name: &str) -> String {
    let mut identifier = String::new();
    for character in name.chars() {
        if identifier.len() == MAX_LENGTH {
            break;
        }
        match character {
            '0'..='9' if identifier.is_empty() => identifier.extend(['_', character]),
            '-' | '.' => identifier.push('_'),
            _ if character.is_whitespace() => identifier.push('_'),
            _ if is_part(character) => identifier.push(character),
            _ => {}
        }
    }
    if identifier.is_empty() || RESERVED.contains(&identifier.as_str()) {
        identifier.push('_');
    }
    identifier
}

/// Returns unique identifiers for a list of names, in the same order.
///
/// A name that is an identifier keeps it. If others would have the same one, each gets a suffix derived from its text.
/// The identifier of a name therefore does not depend on the order, and a name that is added later never takes over the
/// identifier of another. Only duplicates of the same name are numbered.
///
/// ```
/// use isobox_core::unique_identifiers;
///
/// let identifiers = unique_identifiers(["get_user", "get-user", "list"]);
/// assert_eq!(identifiers[0], "get_user");
/// assert!(identifiers[1].starts_with("get_user_"));
/// assert_eq!(identifiers[2], "list");
/// ```
pub fn unique_identifiers<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let names: Vec<&str> = names.into_iter().collect();
    let mut identifiers: Vec<String> = names.iter().map(|name| identifier_of(name)).collect();
    let mut claims: HashMap<&str, HashSet<&str>> = HashMap::new();
    for (name, identifier) in names.iter().zip(&identifiers) {
        claims.entry(identifier).or_default().insert(name);
    }
    let is_settled: Vec<bool> =
        names.iter().zip(&identifiers).map(|(name, it)| name == it || claims[it.as_str()].len() == 1).collect();
    let mut taken: HashSet<String> = HashSet::new();
    let mut open: Vec<usize> = Vec::new();
    for (index, identifier) in identifiers.iter().enumerate() {
        if !(is_settled[index] && taken.insert(identifier.clone())) {
            open.push(index);
        }
    }
    open.sort_by_key(|index| (names[*index], *index));
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for index in open {
        let stem = match is_settled[index] {
            true => identifiers[index].clone(),
            false => format!("{}_{:06x}", identifiers[index], fingerprint(names[index]) & 0xff_ffff),
        };
        let mut candidate = stem.clone();
        let number = numbers.entry(stem.clone()).or_insert(1);
        while !taken.insert(candidate.clone()) {
            *number += 1;
            candidate = format!("{stem}_{number}");
        }
        identifiers[index] = candidate;
    }
    identifiers
}

/// Tells whether a text is an ASCII identifier, reserved or not. It can be a property name without quotes.
pub(super) fn is_identifier(text: &str) -> bool {
    text.starts_with(|first: char| is_part(first) && !first.is_ascii_digit()) && text.chars().all(is_part)
}

fn is_part(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_' || character == '$'
}

/// Returns the FNV-1a hash. It must be the same in every version, and need not resist collisions.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_gives_an_identifier() {
        for (name, expected) in [
            ("list_issues", "list_issues"),
            ("list-issues.all now", "list_issues_all_now"),
            ("a\u{2003}b\tc", "a_b_c"),
            ("GET /users/{id}", "GET_usersid"),
            ("", "_"),
            ("日本", "_"),
            ("größe", "gre"),
            ("3d", "_3d"),
            ("/3d", "_3d"),
            ("delete", "delete_"),
            ("then", "then_"),
            ("$_", "$_"),
            ("-", "_"),
        ] {
            assert_eq!(identifier_of(name), expected, "{name:?}");
            assert!(identifier_of(name).parse::<crate::ToolPath>().is_ok());
        }
        assert_eq!(identifier_of(&"x".repeat(10_000_000)).len(), MAX_LENGTH);
    }

    #[test]
    fn names_side_by_side_are_unique() {
        assert_eq!(unique_identifiers(["a-b", "c"]), ["a_b", "c"]);
        assert_eq!(unique_identifiers(["a-b", "a_b"]), ["a_b_644883", "a_b"]);
        assert_eq!(unique_identifiers(["a-b", "a.b"]), ["a_b_644883", "a_b_66522c"]);
        assert_eq!(unique_identifiers(["a", "a", "a_2", "a"]), ["a", "a_3", "a_2", "a_4"]);
        assert_eq!(unique_identifiers(["a-b", "a.b", "a.b"]).iter().collect::<HashSet<_>>().len(), 3);
        let many = vec!["x"; 20_000];
        assert_eq!(unique_identifiers(many).iter().collect::<HashSet<_>>().len(), 20_000);
    }

    #[test]
    fn what_a_name_is_called_does_not_depend_on_the_order() {
        let names = ["日本", "中国", "a b", "a-b", "a_b", "c d", "delete"];
        let forward = unique_identifiers(names);
        let mut backward = unique_identifiers(names.iter().rev().copied());
        backward.reverse();
        assert_eq!(forward, backward);
    }

    #[test]
    fn a_name_that_is_added_takes_over_no_identifier() {
        let before = unique_identifiers(["a-b", "a.b", "c-d"]);
        let after = unique_identifiers(["a-b", "a.b", "c-d", "a b", "c.d", "a_b", "c_d"]);
        let old: HashMap<&String, usize> = before.iter().enumerate().map(|(index, it)| (it, index)).collect();
        for (index, identifier) in after.iter().enumerate() {
            // `c_d` belonged to `c-d`: only the name that is spelt so may take it.
            assert!(old.get(identifier).is_none_or(|before| *before == index) || identifier == "c_d", "{identifier}");
        }
    }
}
