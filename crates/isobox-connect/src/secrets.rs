//! Conceals secrets in the output of a counterpart.

#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
use std::borrow::Cow;

#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
use percent_encoding::percent_decode_str;
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
use serde_json::{Map, Value};

/// Values that are concealed in texts of a counterpart.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<String>);

/// The minimum length of a concealed value. A text without every `1` or `on` would be unreadable.
const SHORTEST: usize = 4;
/// The minimum length of a concealed value from the configuration itself, where words like `true` and `debug` are
/// common.
const SHORTEST_WRITTEN: usize = 6;

impl Secrets {
    /// Collects secrets: values that the configuration took from the environment, and values that are written in it.
    pub(crate) fn new<'a>(
        taken: impl IntoIterator<Item = &'a String>,
        written: impl IntoIterator<Item = &'a String>,
    ) -> Self {
        let taken = taken.into_iter().flat_map(|value| lines(value, SHORTEST));
        let written = written.into_iter().flat_map(|value| lines(value, SHORTEST_WRITTEN));
        Self::longest_first(taken.chain(written).map(str::to_owned).collect())
    }

    /// Returns these secrets and values that were granted later.
    #[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
    pub(crate) fn with<'v>(&self, granted: impl IntoIterator<Item = &'v str>) -> Self {
        let granted = granted.into_iter().flat_map(|value| lines(value, SHORTEST)).map(str::to_owned);
        Self::longest_first(self.0.iter().cloned().chain(granted).collect())
    }

    /// Sorts longer values first, because one value may be part of another.
    fn longest_first(mut values: Vec<String>) -> Self {
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values.dedup();
        Self(values)
    }

    /// Replaces the secrets in a text.
    pub(crate) fn conceal(&self, text: &str) -> String {
        let mut text = text.to_owned();
        self.conceal_text(&mut text);
        text
    }

    /// Replaces the secrets in all texts of a value, keys included. A text without a secret is not copied. The value must not be
    /// nested deeper than the stack allows.
    #[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
    pub(crate) fn conceal_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.conceal_text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.conceal_value(item)),
            Value::Object(entries) => {
                self.conceal_keys(entries);
                entries.values_mut().for_each(|value| self.conceal_value(value));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Replaces the secrets in the keys of an object.
    #[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
    pub(crate) fn conceal_keys(&self, entries: &mut Map<String, Value>) {
        let has_secret = |key: &String| self.0.iter().any(|secret| key.contains(secret.as_str()));
        if entries.keys().any(has_secret) {
            let taken = std::mem::take(entries);
            entries.extend(taken.into_iter().map(|(key, value)| (self.conceal(&key), value)));
        }
    }

    /// Replaces the secrets in a text. One without a secret is not copied.
    pub(crate) fn conceal_text(&self, text: &mut String) {
        for secret in &self.0 {
            if text.contains(secret.as_str()) {
                *text = text.replace(secret.as_str(), "***");
            }
        }
    }
}

/// Returns the credentials among values with names, such as headers or variables, in the forms in which a counterpart may repeat
/// them.
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
pub(crate) fn credentials_of<'v>(named: impl IntoIterator<Item = (&'v str, &'v str)>) -> Vec<String> {
    named.into_iter().filter(|(name, _)| is_credential(name)).flat_map(|(_, value)| forms(value)).collect()
}

/// Tells whether the value of a header, a parameter or a variable with this name is a credential.
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
fn is_credential(name: &str) -> bool {
    const PARTS: [&str; 8] = ["auth", "cookie", "credential", "key", "passw", "secret", "session", "token"];
    /// Words with such a part that name something else: `GIT_AUTHOR_NAME`. `authorization` is none of them.
    const OTHERS: [&str; 3] = ["author", "keyboard", "keyword"];
    let name = name.to_ascii_lowercase().replace("authoris", "auth").replace("authoriz", "auth");
    let name = OTHERS.iter().fold(name, |name, other| name.replace(other, " "));
    PARTS.iter().any(|part| name.contains(part))
}

/// Returns the forms in which a counterpart may repeat a credential: as it was sent, without its scheme, and decoded.
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
fn forms(value: &str) -> Vec<String> {
    const SCHEMES: [&str; 3] = ["basic", "bearer", "token"];
    let bare = value.split_once(' ').filter(|(word, _)| SCHEMES.contains(&word.to_ascii_lowercase().as_str()));
    let bare = bare.map(|(_, bare)| bare.to_owned());
    // Those in the query of an address may be escaped.
    let decoded = percent_decode_str(value).decode_utf8().ok().filter(|decoded| decoded != value);
    std::iter::once(value.to_owned()).chain(bare).chain(decoded.map(Cow::into_owned)).collect()
}

/// Splits a value into lines, because output is quoted line by line.
fn lines(value: &str, shortest: usize) -> impl Iterator<Item = &str> {
    value.lines().map(str::trim).filter(move |line| line.len() >= shortest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_from_the_environment_is_concealed_and_what_is_too_short_is_not() {
        let taken = ["abcd", "xyz", "abcd-efgh", "first line\nsecond line\n"].map(str::to_owned);
        let written = ["hunter2-hunter2", "debug"].map(str::to_owned);
        let secrets = Secrets::new(&taken, &written);
        for (text, expected) in [
            ("bad token hunter2-hunter2 (debug)", "bad token *** (debug)"),
            ("abcd abcd-efgh xyz", "*** *** xyz"),
            ("no such folder: /srv/data", "no such folder: /srv/data"),
            ("key: second line", "key: ***"),
        ] {
            assert_eq!(secrets.conceal(text), expected);
        }
    }

    #[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
    #[test]
    fn a_name_tells_a_credential_from_ordinary_data() {
        for (name, is_it) in [
            ("Authorization", true),
            ("X-Authorisation", true),
            ("X-Auth", true),
            ("OAUTH_SECRET", true),
            ("AUTHOR_API_KEY", true),
            ("AUTHORIZED_KEYS", true),
            ("GIT_AUTHOR_NAME", false),
            ("AUTHORITY_HOST", false),
            ("keywords", false),
            ("X-Version", false),
        ] {
            assert_eq!(is_credential(name), is_it, "{name}");
        }
    }

    #[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
    #[test]
    fn a_value_is_concealed_at_every_depth_and_what_was_granted_later_too() {
        let secrets = Secrets::new(&["hunter2".to_owned()], &[]).with(["granted", "abc"]);
        let mut value = serde_json::json!({
            "a": ["x hunter2 y", { "hunter2": "granted" }], "granted-hunter2": { "b": "abc" }, "c": [1, true, null],
        });
        secrets.conceal_value(&mut value);
        let expected = serde_json::json!({
            "a": ["x *** y", { "***": "***" }], "***-***": { "b": "abc" }, "c": [1, true, null],
        });
        assert_eq!(value, expected);
    }
}
