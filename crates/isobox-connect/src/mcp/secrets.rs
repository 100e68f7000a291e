//! Conceals secrets in quoted output of a server.

use super::McpServer;

/// Values that are concealed in quoted texts of a server.
#[derive(Default)]
pub(super) struct Secrets(Vec<String>);

/// The minimum length of a concealed value. A text without every `1` or `on` would be unreadable.
const SHORTEST: usize = 4;
/// The minimum length of a concealed value from the configuration itself, where words like `true` and `debug` are
/// common.
const SHORTEST_WRITTEN: usize = 6;

impl Secrets {
    /// Collects the secrets of a server: values that the configuration took from the environment, and values that it
    /// sets in the environment of the server.
    pub(super) fn of(server: &McpServer) -> Self {
        let taken = server.secrets.iter().flat_map(|value| lines(value, SHORTEST));
        let written = server.env.values().flat_map(|value| lines(value, SHORTEST_WRITTEN));
        let mut values: Vec<String> = taken.chain(written).map(str::to_owned).collect();
        // Longer values first, because one value may be part of another.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values.dedup();
        Self(values)
    }

    /// Replaces the secrets in a text.
    pub(super) fn conceal(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| {
            if text.contains(secret.as_str()) { text.replace(secret.as_str(), "***") } else { text }
        })
    }
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
        let server = McpServer {
            args: vec!["--root".to_owned(), "/srv/data".to_owned()],
            env: [("TOKEN", "hunter2-hunter2"), ("LEVEL", "debug")]
                .map(|(name, value)| (name.into(), value.into()))
                .into(),
            secrets: vec![
                "abcd".to_owned(),
                "xyz".to_owned(),
                "abcd-efgh".to_owned(),
                "first line\nsecond line\n".to_owned(),
            ],
            ..McpServer::default()
        };
        let secrets = Secrets::of(&server);
        for (text, expected) in [
            ("bad token hunter2-hunter2 (debug)", "bad token *** (debug)"),
            ("abcd abcd-efgh xyz", "*** *** xyz"),
            ("no such folder: /srv/data", "no such folder: /srv/data"),
            ("key: second line", "key: ***"),
        ] {
            assert_eq!(secrets.conceal(text), expected);
        }
    }
}
