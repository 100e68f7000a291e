//! Reads what a server says when it refuses a request for lack of a login (RFC 6750, RFC 9728).

use hyper::header::{HeaderMap, WWW_AUTHENTICATE};

/// The parameters of a `Bearer` challenge.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Challenge {
    /// The address of the metadata of the server.
    pub(crate) resource_metadata: Option<String>,
    /// The scopes that the request needs.
    pub(crate) scope: Option<String>,
    /// The reason, such as `invalid_token`.
    pub(crate) error: Option<String>,
}

/// The maximum length of a challenge that is read, in bytes.
const MAX_LENGTH: usize = 8 << 10;

impl Challenge {
    /// Reads the first `Bearer` challenge of a response.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let values = headers.get_all(WWW_AUTHENTICATE).iter().filter_map(|value| value.to_str().ok());
        values.filter(|value| value.len() <= MAX_LENGTH).find_map(parse).unwrap_or_default()
    }

    /// Tells whether the login lacks a scope.
    pub(crate) fn is_about_scope(&self) -> bool {
        self.error.as_deref() == Some("insufficient_scope")
    }
}

fn parse(value: &str) -> Option<Challenge> {
    // A value may have several challenges. A quoted text that contains the word does no harm: its parameters are not
    // ours.
    let at = value.to_ascii_lowercase().find("bearer")?;
    let mut rest = &value[at + "bearer".len()..];
    let mut challenge = Challenge::default();
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        let Some((name, after)) = rest.split_once('=') else { break };
        let name = name.trim();
        // A name with a space begins another challenge.
        if name.is_empty() || name.contains(char::is_whitespace) {
            break;
        }
        let (text, after) = value_at(after.trim_start());
        rest = after;
        match name.to_ascii_lowercase().as_str() {
            "resource_metadata" => challenge.resource_metadata = Some(text),
            "scope" => challenge.scope = Some(text),
            "error" => challenge.error = Some(text),
            _ => {}
        }
    }
    Some(challenge)
}

/// Reads a token or a quoted text. Returns it and the rest.
fn value_at(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([',', ' ', '\t']).unwrap_or(text.len());
        return (text[..end].to_owned(), &text[end..]);
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            _ => value.push(character),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn challenges_are_read_as_servers_write_them() {
        let read = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.append(WWW_AUTHENTICATE, "Basic realm=\"x\"".parse().unwrap());
            headers.append(WWW_AUTHENTICATE, value.parse().unwrap());
            let Challenge { resource_metadata, scope, error } = Challenge::of(&headers);
            [resource_metadata, scope, error].map(Option::unwrap_or_default)
        };
        for (value, expected) in [
            ("Bearer", ["", "", ""]),
            (
                "Bearer error=\"invalid_token\", error_description=\"it \\\"expired\\\", sorry\", \
                 resource_metadata=\"https://a.example/.well-known/oauth-protected-resource\"",
                ["https://a.example/.well-known/oauth-protected-resource", "", "invalid_token"],
            ),
            ("bearer scope=\"a b\",error=insufficient_scope", ["", "a b", "insufficient_scope"]),
            ("Bearer realm=x, Basic realm=\"y\", scope=\"no\"", ["", "", ""]),
            ("Bearer scope=\"unfinished", ["", "unfinished", ""]),
            ("Bearer =,=,=", ["", "", ""]),
        ] {
            assert_eq!(read(value), expected, "{value}");
        }
    }
}
