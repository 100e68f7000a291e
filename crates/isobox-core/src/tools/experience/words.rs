//! Tells names from data.

/// The maximum length of a name, in bytes.
const MAX_LENGTH: usize = 40;
/// The maximum number of digits in a name: `sha256`, `line2`. Numbers and dates have more.
const MAX_DIGITS: usize = 3;
/// The maximum length of one word in a name.
const MAX_WORD: usize = 20;
/// The maximum length of one word with a digit inside: `i18n`, `k8s`.
const MAX_MIXED: usize = 10;
/// The number of words from which they have to be [`LEAST_AVERAGE`] letters long on average. In random letters a word,
/// as `camelCase` separates words, is shorter than in a language.
const MANY_WORDS: usize = 4;
const LEAST_AVERAGE: usize = 3;
/// The number of hexadecimal digits from which they are a hash, if there is a digit among them.
const HASH: usize = 6;

/// Tells whether a text looks like the name of a field or of a state, and not like an identifier, an address, a secret
/// or a sentence. A word of a language always looks like a name.
pub(super) fn is_name(text: &str) -> bool {
    let rest = text.strip_prefix('@').unwrap_or(text);
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-$.:".contains(&byte);
    let digits = rest.bytes().filter(u8::is_ascii_digit).count();
    text.len() <= MAX_LENGTH
        && rest.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_' || first == '$')
        && rest.bytes().all(is_allowed)
        && digits <= MAX_DIGITS
        && !is_hash(rest, digits)
        && has_words(rest)
        && !is_host(rest)
}

/// Tells whether a text consists of hexadecimal digits, in groups or not.
fn is_hash(text: &str, digits: usize) -> bool {
    digits > 0 && text.len() >= HASH && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Tells whether a text is the name of a host or a file, such as `example.com`: words in small letters around dots.
/// `odata.nextLink` and `a.b` are not.
fn is_host(text: &str) -> bool {
    const ENDS: [&str; 12] = ["com", "org", "net", "io", "dev", "app", "json", "txt", "md", "js", "ts", "py"];
    text.rsplit_once('.').is_some_and(|(_, end)| ENDS.contains(&end))
}

/// Tells whether the letters of a text are words. A capital begins one after a small letter, and after a digit if a small
/// letter follows: `base64Text`.
fn has_words(text: &str) -> bool {
    let (mut words, mut letters, mut length, mut has_digit) = (0, 0, 0, false);
    let mut before = b'_';
    let mut rest = text.bytes().peekable();
    while let Some(byte) = rest.next() {
        let is_capital = byte.is_ascii_uppercase() && rest.peek().is_some_and(u8::is_ascii_lowercase);
        if !byte.is_ascii_alphanumeric() {
            (length, has_digit) = (0, false);
        } else if length == 0
            || (byte.is_ascii_uppercase() && before.is_ascii_lowercase())
            || (is_capital && before.is_ascii_digit())
        {
            (length, has_digit) = (1, false);
            words += 1;
        } else {
            length += 1;
        }
        letters += usize::from(byte.is_ascii_alphabetic());
        let is_inside = has_digit && byte.is_ascii_alphabetic();
        if length > MAX_WORD || (is_inside && length > MAX_MIXED) {
            return false;
        }
        has_digit |= byte.is_ascii_digit();
        before = byte;
    }
    words < MANY_WORDS || letters >= words * LEAST_AVERAGE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_fields_and_states_are_names() {
        for name in [
            "id",
            "_links",
            "$ref",
            "@type",
            "@odata.nextLink",
            "node_id",
            "content-type",
            "X-RateLimit-Remaining",
            "dc:title",
            "sha256",
            "i18n",
            "base64EncodedContent",
            "oauth2_token",
            "html_url",
            "use_squash_pr_title_as_default",
            "MaximumExecutionTimeoutInSeconds",
            "internationalization",
            "eTag",
            "isOK",
            "IN_PROGRESS",
            "open",
            "facade",
        ] {
            assert!(is_name(name), "{name}");
        }
    }

    #[test]
    fn identifiers_addresses_secrets_and_sentences_are_not_names() {
        for data in [
            "",
            "42",
            "2024-05-01",
            "user_12345",
            "550e8400-e29b-41d4-a716-446655440000",
            "dd1e9f0a",
            "abcdef1",
            "ada@example.com",
            "example.com",
            "notes.txt",
            "https://example.com/a",
            "/home/ada",
            "+4915112345",
            "Ada Lovelace",
            "Größe",
            "sk-proj-a8Fj2kLm93Qx",
            "ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZabcd",
            "AKIAIOSFODNN7EXAMPLE",
            "aaaa0aaa-aaaa-4aa0",
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
            "aGVsbG8gd29ybGQgYWdhaW4",
            "xoxbqwertyuiopasdfghjklzxcvbnm",
            "the quick brown fox",
        ] {
            assert!(!is_name(data), "{data}");
        }
    }
}
