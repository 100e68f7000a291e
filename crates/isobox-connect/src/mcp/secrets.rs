//! What is not quoted of what a server says.

use super::McpServer;

/// Values that are made unreadable wherever a text of a server's is quoted.
#[derive(Default)]
pub(super) struct Secrets(Vec<String>);

/// Shorter values are not concealed: text without every `1` or `on` could not be read.
const SHORTEST: usize = 4;
/// The same for values that stand in the configuration itself: many of them are words like `true` or `debug`.
const SHORTEST_WRITTEN: usize = 6;

impl Secrets {
    /// Those of a server: what the configuration took from our environment, and what it puts into the server's.
    pub(super) fn of(server: &McpServer) -> Self {
        let taken = server.secrets.iter().flat_map(|value| lines(value, SHORTEST));
        let written = server.env.values().flat_map(|value| lines(value, SHORTEST_WRITTEN));
        let mut values: Vec<String> = taken.chain(written).map(str::to_owned).collect();
        // One may be a part of another.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values.dedup();
        Self(values)
    }

    /// The text without them.
    pub(super) fn conceal(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| {
            if text.contains(secret.as_str()) { text.replace(secret.as_str(), "***") } else { text }
        })
    }
}

/// A value of several lines is quoted line by line.
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
