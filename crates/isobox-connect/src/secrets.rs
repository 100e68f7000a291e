//! Conceals secrets in quoted output of a counterpart.

/// Values that are concealed in quoted texts of a counterpart.
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
        let mut values: Vec<String> = taken.chain(written).map(str::to_owned).collect();
        // Longer values first, because one value may be part of another.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values.dedup();
        Self(values)
    }

    /// Replaces the secrets in a text.
    pub(crate) fn conceal(&self, text: &str) -> String {
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
}
