//! Serialises the values of parameters: every style, in every part of a request. Decisions only; no I/O.

use serde_json::Value;

use super::model::Style;
use crate::service::{Escape, Location, escape};

/// The name and the value of a serialised parameter, both escaped.
pub(super) type Pair = (String, String);

/// The maximum depth of values in `deepObject`.
const MAX_DEPTH: usize = 20;
/// The bytes that names may take in a request where they are repeated for each value of a list. Without a bound, a long name and a
/// long list would take far more memory than both.
pub(super) const REPEATED_NAMES: usize = 4 << 20;

/// Serialises a value for a path or a header: one text.
pub(super) fn inline(name: &str, value: &Value, style: Style, explode: bool, how: Escape) -> String {
    let name = escape(name, how);
    match (style, value) {
        (Style::Label, Value::Array(items)) => {
            let separator = if explode { "." } else { "," };
            format!(".{}", texts(items, how).join(separator))
        }
        (Style::Label, Value::Object(_)) => {
            let separator = if explode { "." } else { "," };
            format!(".{}", fields(value, explode, how).join(separator))
        }
        (Style::Label, other) => format!(".{}", text(other, how)),
        (Style::Matrix, Value::Array(items)) if explode => {
            texts(items, how).iter().map(|item| named(&name, item)).collect()
        }
        (Style::Matrix, Value::Object(_)) if explode => {
            fields(value, true, how).iter().map(|field| format!(";{field}")).collect()
        }
        (Style::Matrix, Value::Array(items)) => named(&name, &texts(items, how).join(",")),
        (Style::Matrix, Value::Object(_)) => named(&name, &fields(value, false, how).join(",")),
        (Style::Matrix, other) => named(&name, &text(other, how)),
        (_, Value::Array(items)) => texts(items, how).join(","),
        (_, Value::Object(_)) => fields(value, explode, how).join(","),
        (_, other) => text(other, how),
    }
}

/// Returns a matrix parameter. An empty value has no equals sign.
fn named(name: &str, value: &str) -> String {
    if value.is_empty() { format!(";{name}") } else { format!(";{name}={value}") }
}

/// Serialises a value for a query, a form or cookies: pairs of names and values. `room` is what is left of [`REPEATED_NAMES`].
pub(super) fn pairs(
    name: &str,
    value: &Value,
    style: Style,
    explode: bool,
    how: Escape,
    room: &mut usize,
) -> Result<Vec<Pair>, String> {
    let key = escape(name, names_of(how));
    let separator = match style {
        Style::SpaceDelimited => "%20",
        Style::PipeDelimited => "%7C",
        Style::TabDelimited => "%09",
        Style::Simple | Style::Label | Style::Matrix | Style::Form | Style::DeepObject | Style::Cookie => ",",
    };
    Ok(match (style, value) {
        (Style::DeepObject, Value::Array(_) | Value::Object(_)) => {
            let mut found = Vec::new();
            deep(&key, value, how, MAX_DEPTH, room, &mut found)?;
            found
        }
        (_, Value::Array(items)) if items.is_empty() => Vec::new(),
        (_, Value::Object(entries)) if entries.is_empty() => Vec::new(),
        (_, Value::Array(items)) if explode => {
            repeat(&key, items.len(), room)?;
            texts(items, how).into_iter().map(|item| (key.clone(), item)).collect()
        }
        (_, Value::Object(entries)) if explode => {
            let pair = |(key, value): (&String, &Value)| (escape(key, names_of(how)), text(value, how));
            entries.iter().filter(|(_, value)| !value.is_null()).map(pair).collect()
        }
        (_, Value::Array(items)) => vec![(key, texts(items, how).join(separator))],
        (_, Value::Object(_)) => vec![(key, fields(value, false, how).join(separator))],
        (_, other) => vec![(key, text(other, how))],
    })
}

/// Counts a name that is sent this many times.
pub(super) fn repeat(name: &str, times: usize, room: &mut usize) -> Result<(), String> {
    let left = room.checked_sub(name.len().saturating_mul(times));
    *room = left.ok_or("a long name is repeated for too many values; use a shorter name, or fewer values")?;
    Ok(())
}

/// Returns a character in a part of a value that a service would take for a separator between parts, if there is one. What is
/// escaped separates nothing.
pub(super) fn ambiguity(value: &Value, style: Style, explode: bool, how: Escape) -> Option<char> {
    let is_bare = how == Escape::Nothing;
    let separators: &[char] = match (style, explode) {
        (Style::Label, true) => &['.'],
        (Style::SpaceDelimited, false) => &[' '],
        (Style::PipeDelimited, false) => &['|'],
        (Style::TabDelimited, false) => &['\t'],
        (Style::Cookie, true) => &[';'],
        (Style::Cookie, false) => &[';', ','],
        (Style::Form, false) if matches!(how, Escape::KeepReserved | Escape::Nothing) => &[','],
        (Style::Simple, true) if is_bare && value.is_object() => &[',', '='],
        (Style::Simple, _) if is_bare => &[','],
        _ => &[],
    };
    let in_keys: &[char] = if is_bare && explode { &['='] } else { &[] };
    let find = |part: &str, among: &[char]| part.chars().find(|sign| among.contains(sign));
    let find_in_value = |part: &Value| find(&text(part, Escape::Nothing), separators);
    match value {
        Value::Array(items) => items.iter().find_map(find_in_value),
        Value::Object(entries) => entries.iter().filter(|(_, value)| !value.is_null()).find_map(|(key, value)| {
            find(key, separators).or_else(|| find(key, in_keys)).or_else(|| find_in_value(value))
        }),
        single if style == Style::Cookie => find(&text(single, Escape::Nothing), &[';']),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// Returns the escaping of names for values that are escaped in this way. Names never keep reserved characters.
fn names_of(how: Escape) -> Escape {
    match how {
        Escape::KeepReserved => Escape::All,
        other => other,
    }
}

/// Adds `name[a][b]=c` for every value in an object or list.
fn deep(
    key: &str,
    value: &Value,
    how: Escape,
    levels: usize,
    room: &mut usize,
    found: &mut Vec<Pair>,
) -> Result<(), String> {
    repeat(key, 1, room)?;
    let open = |inner: &str| format!("{key}%5B{}%5D", escape(inner, names_of(how)));
    match value {
        Value::Object(entries) if levels > 0 => {
            for (inner, value) in entries {
                deep(&open(inner), value, how, levels - 1, room, found)?;
            }
        }
        Value::Array(items) if levels > 0 => {
            for (index, value) in items.iter().enumerate() {
                deep(&open(&index.to_string()), value, how, levels - 1, room, found)?;
            }
        }
        Value::Null => {}
        other => found.push((key.to_owned(), text(other, how))),
    }
    Ok(())
}

fn texts(items: &[Value], how: Escape) -> Vec<String> {
    items.iter().map(|item| text(item, how)).collect()
}

/// Returns the fields of an object: `k=v` if it is exploded, otherwise keys and values in turn.
fn fields(value: &Value, explode: bool, how: Escape) -> Vec<String> {
    let entries = value.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    let field = |(key, value): (&String, &Value)| {
        let (key, value) = (escape(key, names_of(how)), text(value, how));
        if explode { vec![format!("{key}={value}")] } else { vec![key, value] }
    };
    entries.flat_map(field).collect()
}

/// Returns a single value as text. What is not a single value becomes JSON.
fn text(value: &Value, how: Escape) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => escape(text, how),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => escape(&value.to_string(), how),
    }
}

/// Returns the escape of a part of a request.
pub(super) fn escape_in(location: Location, style: Style, is_reserved_allowed: bool) -> Escape {
    match location {
        Location::Header => Escape::Nothing,
        Location::Cookie if style == Style::Cookie => Escape::Nothing,
        Location::Cookie => Escape::Cookie,
        Location::Query | Location::QueryString if is_reserved_allowed => Escape::KeepReserved,
        // A path parameter must stay in its segment, also if the document allows reserved characters.
        Location::Path | Location::Query | Location::QueryString => Escape::All,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Follows the table of the specification, with the form of RFC 6570 for lists that are not exploded.
    #[test]
    fn paths_and_headers_follow_the_table_of_the_specification() {
        let (empty, text) = (json!(""), json!("blue"));
        let list = json!(["blue", "black", "brown"]);
        let object = json!({ "R": 100, "G": 200, "B": 150 });
        for (style, explode, value, expected) in [
            (Style::Matrix, false, &empty, ";color"),
            (Style::Matrix, false, &text, ";color=blue"),
            (Style::Matrix, false, &list, ";color=blue,black,brown"),
            (Style::Matrix, false, &object, ";color=R,100,G,200,B,150"),
            (Style::Matrix, true, &empty, ";color"),
            (Style::Matrix, true, &text, ";color=blue"),
            (Style::Matrix, true, &list, ";color=blue;color=black;color=brown"),
            (Style::Matrix, true, &object, ";R=100;G=200;B=150"),
            (Style::Label, false, &empty, "."),
            (Style::Label, false, &text, ".blue"),
            (Style::Label, false, &list, ".blue,black,brown"),
            (Style::Label, false, &object, ".R,100,G,200,B,150"),
            (Style::Label, true, &list, ".blue.black.brown"),
            (Style::Label, true, &object, ".R=100.G=200.B=150"),
            (Style::Simple, false, &text, "blue"),
            (Style::Simple, false, &list, "blue,black,brown"),
            (Style::Simple, false, &object, "R,100,G,200,B,150"),
            (Style::Simple, true, &list, "blue,black,brown"),
            (Style::Simple, true, &object, "R=100,G=200,B=150"),
        ] {
            assert_eq!(inline("color", value, style, explode, Escape::All), expected, "{style:?} {explode} {value}");
        }
        assert_eq!(
            inline("a", &json!("x/y?#%;=,é"), Style::Simple, false, Escape::All),
            "x%2Fy%3F%23%25%3B%3D%2C%C3%A9"
        );
        assert_eq!(inline("a", &json!(["x,y", "z"]), Style::Simple, false, Escape::All), "x%2Cy,z");
        assert_eq!(inline("a", &json!("x/y é"), Style::Simple, false, Escape::Nothing), "x/y é");
    }

    #[test]
    fn queries_follow_the_table_of_the_specification() {
        let (empty, text) = (json!(""), json!("blue"));
        let list = json!(["blue", "black"]);
        let object = json!({ "R": 100, "G": 200 });
        for (style, explode, value, expected) in [
            (Style::Form, false, &empty, "color="),
            (Style::Form, false, &text, "color=blue"),
            (Style::Form, false, &list, "color=blue,black"),
            (Style::Form, false, &object, "color=R,100,G,200"),
            (Style::Form, true, &list, "color=blue&color=black"),
            (Style::Form, true, &object, "R=100&G=200"),
            (Style::SpaceDelimited, false, &list, "color=blue%20black"),
            (Style::SpaceDelimited, false, &object, "color=R%20100%20G%20200"),
            (Style::SpaceDelimited, true, &list, "color=blue&color=black"),
            (Style::PipeDelimited, false, &list, "color=blue%7Cblack"),
            (Style::PipeDelimited, false, &object, "color=R%7C100%7CG%7C200"),
            (Style::TabDelimited, false, &list, "color=blue%09black"),
            (Style::DeepObject, true, &object, "color%5BR%5D=100&color%5BG%5D=200"),
            (Style::DeepObject, true, &list, "color%5B0%5D=blue&color%5B1%5D=black"),
            (Style::DeepObject, true, &text, "color=blue"),
            (Style::Form, true, &json!([]), ""),
            (Style::Form, false, &json!({}), ""),
            (Style::Form, true, &json!(true), "color=true"),
            (Style::Form, true, &json!(1.5), "color=1.5"),
            (Style::Form, true, &json!([{ "a": 1 }]), "color=%7B%22a%22%3A1%7D"),
            (Style::Form, true, &json!({ "a": null, "b": [1] }), "b=%5B1%5D"),
            (Style::DeepObject, true, &json!({ "a": { "b": [1, null], "c": null } }), "color%5Ba%5D%5Bb%5D%5B0%5D=1"),
        ] {
            let found = pairs("color", value, style, explode, Escape::All, &mut { REPEATED_NAMES }).unwrap();
            let found: Vec<String> = found.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
            assert_eq!(found.join("&"), expected, "{style:?} {explode} {value}");
        }
    }

    #[test]
    fn what_a_service_would_read_otherwise_is_found() {
        for (value, style, explode, how, expected) in [
            (json!(["a", "b,c"]), Style::Simple, false, Escape::Nothing, Some(',')),
            (json!(["a", "b,c"]), Style::Simple, false, Escape::All, None),
            (json!("b,c"), Style::Simple, false, Escape::Nothing, None),
            (json!([[1, 2]]), Style::Simple, false, Escape::Nothing, Some(',')),
            (json!({ "a": "b,c" }), Style::Simple, true, Escape::Nothing, Some(',')),
            (json!({ "a=b": "c" }), Style::Simple, true, Escape::Nothing, Some('=')),
            (json!({ "a=b": "c=d" }), Style::Simple, false, Escape::Nothing, None),
            (json!({ "a": "b=c" }), Style::Simple, true, Escape::Nothing, Some('=')),
            (json!({ "a": "b=c" }), Style::Cookie, true, Escape::Nothing, None),
            (json!({ "a": null, "b": "c" }), Style::Simple, true, Escape::Nothing, None),
            (json!([1.5, 2]), Style::Label, true, Escape::All, Some('.')),
            (json!({ "a.b": 1 }), Style::Label, true, Escape::All, Some('.')),
            (json!([1.5, 2]), Style::Label, false, Escape::All, None),
            (json!(1.5), Style::Label, true, Escape::All, None),
            (json!(["a;b", "c=d"]), Style::Matrix, true, Escape::All, None),
            (json!(["a b", "c"]), Style::SpaceDelimited, false, Escape::All, Some(' ')),
            (json!(["a b", "c"]), Style::SpaceDelimited, true, Escape::All, None),
            (json!(["a|b", "c"]), Style::PipeDelimited, false, Escape::All, Some('|')),
            (json!({ "a|b": 1 }), Style::PipeDelimited, false, Escape::All, Some('|')),
            (json!(["a\tb", "c"]), Style::TabDelimited, false, Escape::All, Some('\t')),
            (json!(["a,b"]), Style::Form, false, Escape::KeepReserved, Some(',')),
            (json!(["a,b"]), Style::Form, false, Escape::Nothing, Some(',')),
            (json!(["a,b"]), Style::Form, false, Escape::All, None),
            (json!(["a,b"]), Style::Form, true, Escape::KeepReserved, None),
            (json!("a; sid=forged"), Style::Cookie, true, Escape::Nothing, Some(';')),
            (json!(["a", "b;c"]), Style::Cookie, true, Escape::Nothing, Some(';')),
            (json!(["a,b"]), Style::Cookie, false, Escape::Nothing, Some(',')),
            (json!({ "sid=forged": "x" }), Style::Cookie, true, Escape::Nothing, Some('=')),
            (json!("a,b"), Style::Cookie, false, Escape::Nothing, None),
        ] {
            assert_eq!(ambiguity(&value, style, explode, how), expected, "{style:?} {explode} {how:?} {value}");
        }
    }

    #[test]
    fn a_value_cannot_end_its_parameter() {
        let pairs = |name: &str, value: Value, explode: bool, how| {
            pairs(name, &value, Style::Form, explode, how, &mut { REPEATED_NAMES }).unwrap()
        };
        let query = |how| pairs("a&b", json!("x&y=1#z+/:?"), true, how);
        assert_eq!(query(Escape::All), [("a%26b".to_owned(), "x%26y%3D1%23z%2B%2F%3A%3F".to_owned())]);
        assert_eq!(query(Escape::KeepReserved), [("a%26b".to_owned(), "x%26y=1%23z%2B/:?".to_owned())]);
        let cookie = pairs("a", json!("x; admin=1, \"é\""), false, Escape::Cookie);
        assert_eq!(cookie, [("a".to_owned(), "x%3B%20admin=1%2C%20%22%C3%A9%22".to_owned())]);
    }

    #[test]
    fn a_long_name_is_not_repeated_for_each_value_of_a_long_list() {
        let (name, list) = ("n".repeat(100_000), json!(vec![1; 100_000]));
        let nested = json!({ name.clone(): vec![json!({}); 100_000] });
        for (name, value, style) in [
            (name.as_str(), &list, Style::Form),
            (name.as_str(), &list, Style::DeepObject),
            ("short", &nested, Style::DeepObject),
        ] {
            let refused = pairs(name, value, style, true, Escape::All, &mut { REPEATED_NAMES }).unwrap_err();
            assert!(refused.contains("repeated for too many values"), "{refused}");
        }
        for (name, value, style, count) in [
            (name.as_str(), &list, Style::Simple, 1),
            ("short", &list, Style::Form, 100_000),
            (name.as_str(), &json!([1, 2]), Style::Form, 2),
        ] {
            let explode = style == Style::Form;
            let found = pairs(name, value, style, explode, Escape::All, &mut { REPEATED_NAMES }).unwrap();
            assert_eq!(found.len(), count);
        }
    }
}
