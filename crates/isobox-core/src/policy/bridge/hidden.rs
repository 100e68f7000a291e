//! Finds what rules redact in a call that amounts to calls of other tools, and writes the values of those calls in another
//! form.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::policy::redaction::ANYWHERE;
use crate::policy::{Policy, ToolNames};
use crate::tools::amounting::Amounting;
use crate::{Catalogue, Tool};

/// The maximum number of parts that are named. With more, the whole input and the whole result are hidden.
const MOST_PARTS: usize = 100;
/// The maximum length of all their names together, in bytes. The keys that a name consists of may be as long as an input.
const MOST_WRITTEN: usize = 4 << 20;
/// The maximum number of comparisons of a value with a part of an input. With more, both are hidden, too: a program may pass a list
/// of any length where a rule names one part.
const MOST_COMPARISONS: usize = 10_000_000;
/// The number of bytes of a text that take as long as another comparison.
const BYTES_PER_COMPARISON: usize = 64;

/// Returns the parts of a call and of its result that rules about the calls that it amounts to redact, in the form of
/// [`ToolNames::hidden`].
///
/// A rule names a part of the input of an operation. A general call has the same value somewhere else: below another
/// name, or inside a text. So its pointer counts at every depth, and texts that contain the value are hidden as a whole.
pub(crate) fn hidden_parts(catalogue: &Catalogue, policy: &Policy, path: &str, input: &Value) -> Vec<String> {
    if !policy.redacts() {
        return Vec::new();
    }
    let Some(tool) = catalogue.get(path) else { return Vec::new() };
    // What the call amounts to is not known, so that everything may have to be hidden.
    let Ok(Amounting { connector, calls }) = tool.equivalents(input) else { return vec![String::new()] };
    let known = calls.iter().filter_map(|(name, amounting)| {
        let other: &Tool = catalogue.offered_as(connector, name)?;
        Some((other.names(), amounting))
    });
    hidden_in(policy, known, input)
}

fn hidden_in<'c>(
    policy: &Policy,
    amounting: impl Iterator<Item = (ToolNames<'c>, &'c Value)>,
    input: &Value,
) -> Vec<String> {
    let (mut hidden, mut secrets) = (BTreeSet::new(), BTreeSet::new());
    for (names, value) in amounting {
        for pointer in policy.redactions(names) {
            hidden.insert(format!("{ANYWHERE}{pointer}"));
            if let Some(secret) = value.pointer(pointer) {
                let _ = leaves(secret, &mut String::new(), &mut |_, leaf| {
                    secrets.insert(text_of(leaf));
                    ControlFlow::Continue(())
                });
            }
        }
    }
    secrets.remove("");
    match hide_texts(&secrets, input, &mut hidden) {
        ControlFlow::Continue(()) if hidden.len() <= MOST_PARTS => hidden.into_iter().collect(),
        ControlFlow::Continue(()) | ControlFlow::Break(()) => vec![String::new()],
    }
}

/// Adds the parts of an input that are or contain one of these values. Breaks off if there are too many.
fn hide_texts(secrets: &BTreeSet<Cow<'_, str>>, input: &Value, hidden: &mut BTreeSet<String>) -> ControlFlow<()> {
    if secrets.is_empty() {
        return ControlFlow::Continue(());
    }
    let mut size = 0_usize;
    leaves(input, &mut String::new(), &mut |_, leaf| {
        size += 1 + leaf.as_str().map_or(0, str::len) / BYTES_PER_COMPARISON;
        ControlFlow::Continue(())
    })?;
    if size.saturating_mul(secrets.len()) > MOST_COMPARISONS {
        return ControlFlow::Break(());
    }
    let (mut found, mut obscure, mut written) = (vec![false; secrets.len()], BTreeSet::new(), 0_usize);
    leaves(input, &mut String::new(), &mut |place, leaf| {
        let text = text_of(leaf);
        let decoded =
            if text.contains('%') { percent_decode_str(&text).decode_utf8_lossy() } else { Cow::Borrowed(&*text) };
        let mut is_hidden = false;
        for (secret, is_found) in secrets.iter().zip(&mut found) {
            let is_inside = || leaf.is_string() && (text.contains(&**secret) || decoded.contains(&**secret));
            if text == *secret || is_inside() {
                (is_hidden, *is_found) = (true, true);
            }
        }
        let is_obscure = text.contains(['\\', '%']) && obscure.len() <= MOST_PARTS;
        written += if is_hidden || is_obscure { place.len() } else { 0 };
        if written > MOST_WRITTEN {
            return ControlFlow::Break(());
        }
        if is_hidden {
            hidden.insert(place.to_owned());
        }
        if is_obscure {
            obscure.insert(place.to_owned());
        }
        if hidden.len() > MOST_PARTS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    // A text may have a value in a form that is not recognised here.
    if found.contains(&false) {
        hidden.append(&mut obscure);
    }
    ControlFlow::Continue(())
}

/// Visits every value that is neither an object nor an array, with its JSON pointer, which begins with `place`.
fn leaves<'v>(
    value: &'v Value,
    place: &mut String,
    visit: &mut impl FnMut(&str, &'v Value) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let length = place.len();
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                place.push('/');
                place.push_str(&name.replace('~', "~0").replace('/', "~1"));
                leaves(member, place, visit)?;
                place.truncate(length);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                place.push('/');
                place.push_str(&index.to_string());
                leaves(item, place, visit)?;
                place.truncate(length);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => visit(place, value)?,
    }
    ControlFlow::Continue(())
}

fn text_of(leaf: &Value) -> Cow<'_, str> {
    match leaf {
        Value::Null => Cow::Borrowed(""),
        Value::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::policy::{Action, Rule};

    /// Returns an input and a result as they are shown, if the call amounts to one of `shop.pay` with this input.
    fn shown(pointer: &str, amounting: &Value, input: &Value, result: &Value) -> (Value, Value) {
        let rule = Rule::new(vec!["shop.pay".parse().unwrap()], Action::Redact(vec![pointer.to_owned()]));
        let policy = Policy::new(vec![rule]);
        let hidden = hidden_in(&policy, [("shop.pay".into(), amounting)].into_iter(), input);
        let names = ToolNames::from("shop.request").hiding(&hidden);
        (policy.redacted(names, input), policy.redacted(names, result))
    }

    #[test]
    fn values_are_hidden_under_every_name_and_in_texts() {
        let nothing = Value::Null;
        for (pointer, amounting, input, expected) in [
            (
                "/body/card",
                json!({ "body": { "card": "4111", "to": "ada" } }),
                json!({ "path": "/pay", "body": { "card": "4111", "to": "ada" } }),
                json!({ "path": "/pay", "body": { "card": "[redacted]", "to": "ada" } }),
            ),
            (
                "/pin",
                json!({ "pin": 1234 }),
                json!({ "path": "/pay", "query": { "PIN": "1234" } }),
                json!({ "path": "/pay", "query": { "PIN": "[redacted]" } }),
            ),
            (
                "/user",
                json!({ "user": "ada b" }),
                json!({ "path": "/users/ada%20b", "method": "GET" }),
                json!({ "path": "[redacted]", "method": "GET" }),
            ),
            (
                "/password",
                json!({ "password": "a\nb", "name": "x" }),
                json!({ "query": "{ pay(password: \"a\\nb\") }", "variables": { "n": "x" } }),
                json!({ "query": "[redacted]", "variables": { "n": "x" } }),
            ),
            (
                "/card",
                json!({ "card": { "number": "4111", "cvc": null } }),
                json!({ "query": "{ pay(card: $c) }", "variables": { "c": { "number": "4111" } } }),
                json!({ "query": "{ pay(card: $c) }", "variables": { "c": { "number": "[redacted]" } } }),
            ),
            ("/absent", json!({ "b": 1 }), json!({ "path": "/pay", "b": 1 }), json!({ "path": "/pay", "b": 1 })),
        ] {
            assert_eq!(shown(pointer, &amounting, &input, &nothing).0, expected, "{pointer}");
        }
    }

    #[test]
    fn the_result_is_hidden_at_every_depth() {
        let result = json!({ "status": 200, "body": { "token": "t", "id": 7 }, "pages": [{ "token": "u" }] });
        let (_, shown) = shown("/token", &json!({}), &json!({ "path": "/pay" }), &result);
        let expected =
            json!({ "status": 200, "body": { "token": "[redacted]", "id": 7 }, "pages": [{ "token": "[redacted]" }] });
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_call_with_more_parts_than_can_be_named_is_hidden_as_a_whole() {
        let many: Vec<Value> = (0..200).map(|_| json!("4111")).collect();
        let (input, result) =
            shown("/card", &json!({ "card": "4111" }), &json!({ "many": many }), &json!({ "ok": true }));
        assert_eq!((input, result), (json!("[redacted]"), json!("[redacted]")));
    }

    #[test]
    fn a_call_with_parts_of_long_names_is_hidden_as_a_whole() {
        let input = |key: &str| json!({ "path": "/pay", key: vec!["4111"; 60] });
        let shown = |key: &str| shown("/card", &json!({ "card": "4111" }), &input(key), &Value::Null).0;
        assert_eq!(shown("n"), json!({ "path": "/pay", "n": vec!["[redacted]"; 60] }));
        assert_eq!(shown(&"n".repeat(100_000)), json!("[redacted]"));
    }

    #[test]
    fn a_call_with_more_values_than_can_be_compared_is_hidden_as_a_whole() {
        let list: Vec<Value> = (0..100_000).map(|number| json!(format!("{number}x"))).collect();
        let input = json!({ "path": "/pay", "n".repeat(100_000): list });
        for (pointer, amounting) in
            [("/cards", json!({ "cards": list })), ("/card", json!({ "card": "4111", "cards": ["4111"] }))]
        {
            let (shown, _) = shown(pointer, &amounting, &input, &Value::Null);
            assert_eq!(shown == json!("[redacted]"), pointer == "/cards", "{pointer}");
        }
    }
}
