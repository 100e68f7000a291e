//! Splits text into words, drops stop words, and stems.

/// The maximum length of a word. Longer ones are cut, to bound memory.
pub(super) const MAX_WORD: usize = 48;

/// Calls `each` with each word of a text. Text is split at everything that is not a letter or digit, at changes of case
/// and around digits, but `s3`, `v2` and `VMs` stay whole. Scripts without spaces between words are split into
/// characters.
pub(super) fn each_word<'a>(text: &'a str, mut each: impl FnMut(&'a str)) {
    let (mut start, mut length, mut before) = (0, 0, Kind::Gap);
    for (at, character) in text.char_indices() {
        let kind = Kind::of(character);
        let mut following = text[at + character.len_utf8()..].chars();
        if before != Kind::Gap && ends(before, length, kind, (following.next(), following.next())) {
            each(&text[start..at]);
            length = 0;
        }
        if length == 0 {
            start = at;
        }
        length = if kind == Kind::Gap { 0 } else { length + 1 };
        before = kind;
    }
    if before != Kind::Gap {
        each(&text[start..]);
    }
}

/// Returns the stem of a word in lower case, so that forms of one word are equal. The stem need not be a word.
pub(super) fn stem_of(word: &str) -> String {
    let mut stemmed = String::new();
    stem(word, &mut stemmed);
    stemmed
}

/// Writes the stem of a word to a reused string.
pub(super) fn stem(word: &str, stemmed: &mut String) {
    stemmed.clear();
    stemmed.extend(word.chars().take(MAX_WORD).flat_map(char::to_lowercase));
    if !stemmed.is_ascii() || stemmed.len() <= 3 || KEPT.contains(&stemmed.as_str()) {
        return;
    }
    without_plural(stemmed);
    if !KEPT.contains(&stemmed.as_str()) {
        without_ending(stemmed);
    }
}

/// Tells whether a lower-case word is a stop word.
pub(super) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Returns at most this many characters from the beginning of a text.
pub(super) fn cut(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(end, _)| &text[..end])
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Gap,
    Upper,
    Lower,
    Digit,
    /// A character that is a word by itself.
    Ideograph,
}

impl Kind {
    fn of(character: char) -> Self {
        match character {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Digit,
            '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3134f}' => Self::Ideograph,
            other if other.is_uppercase() => Self::Upper,
            other if other.is_numeric() => Self::Digit,
            other if other.is_alphabetic() => Self::Lower,
            _ => Self::Gap,
        }
    }
}

/// Tells whether a word of this length ends before the next character.
fn ends(before: Kind, length: usize, kind: Kind, (next, after_next): (Option<char>, Option<char>)) -> bool {
    let is_lower = |character: Option<char>| character.is_some_and(|character| Kind::of(character) == Kind::Lower);
    match (before, kind) {
        (_, Kind::Gap | Kind::Ideograph) | (Kind::Ideograph, _) => true,
        (Kind::Lower, Kind::Upper) | (Kind::Digit, Kind::Upper | Kind::Lower) => true,
        (Kind::Upper | Kind::Lower, Kind::Digit) => length > 2,
        // `HTTPServer` is two words, `VMs` is one.
        (Kind::Upper, Kind::Upper) => is_lower(next) && (next != Some('s') || is_lower(after_next)),
        (Kind::Upper | Kind::Lower, Kind::Lower) | (Kind::Digit, Kind::Digit) | (Kind::Gap, _) => false,
    }
}

fn without_plural(word: &mut String) {
    if word.ends_with("ies") && word.len() > 4 {
        replace_end(word, 3, "y");
    } else if ["sses", "xes", "ches", "shes", "uses", "zes"].iter().any(|end| word.ends_with(end)) && word.len() > 4 {
        replace_end(word, 2, "");
    } else if word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        replace_end(word, 1, "");
    }
}

fn without_ending(word: &mut String) {
    if word.ends_with("ied") && word.len() > 4 {
        replace_end(word, 3, "y");
    } else if word.ends_with("ing") && is_stem(word, 3) {
        replace_end(word, 3, "");
        undouble(word);
    } else if word.ends_with("ed") && !word.ends_with("eed") && is_stem(word, 2) {
        replace_end(word, 2, "");
        undouble(word);
    } else if (word.ends_with("tion") || word.ends_with("sion")) && word.len() > 6 {
        replace_end(word, 3, "");
    } else if word.ends_with("ator") && word.len() > 6 {
        replace_end(word, 2, "");
    }
    if word.ends_with('e') && word.len() > 4 {
        replace_end(word, 1, "");
    }
    let doubled = matches!(word.as_bytes(), [.., last, end] if last == end);
    if doubled && word.len() > 5 {
        replace_end(word, 1, "");
    }
}

/// Tells whether the word without this many letters is long enough and has a vowel.
fn is_stem(word: &str, without: usize) -> bool {
    let rest = &word[..word.len() - without];
    rest.len() >= 3 && rest.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

/// Removes a doubled last letter: `stopp` becomes `stop`, but `call` stays.
fn undouble(word: &mut String) {
    if let [.., last, end] = word.as_bytes()
        && last == end
        && !matches!(end, b'l' | b's' | b'z')
    {
        replace_end(word, 1, "");
    }
}

fn replace_end(word: &mut String, letters: usize, end: &str) {
    word.truncate(word.len() - letters);
    word.push_str(end);
}

/// Words that only look like forms of a verb or like plurals.
const KEPT: [&str; 12] =
    ["building", "dns", "listing", "meeting", "news", "series", "setting", "sms", "status", "string", "this", "tls"];

const STOP_WORDS: [&str; 130] = [
    "a",
    "about",
    "after",
    "again",
    "also",
    "am",
    "an",
    "and",
    "any",
    "anybody",
    "anyone",
    "anything",
    "api",
    "are",
    "as",
    "at",
    "be",
    "because",
    "been",
    "best",
    "but",
    "by",
    "can",
    "certain",
    "could",
    "did",
    "do",
    "does",
    "during",
    "each",
    "every",
    "everybody",
    "everyone",
    "everything",
    "for",
    "from",
    "function",
    "given",
    "had",
    "has",
    "have",
    "her",
    "here",
    "his",
    "how",
    "i",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "just",
    "let",
    "like",
    "ll",
    "many",
    "may",
    "me",
    "method",
    "might",
    "more",
    "most",
    "much",
    "must",
    "my",
    "need",
    "now",
    "of",
    "on",
    "one",
    "only",
    "or",
    "other",
    "our",
    "out",
    "please",
    "re",
    "s",
    "she",
    "should",
    "so",
    "some",
    "somebody",
    "someone",
    "something",
    "specified",
    "still",
    "such",
    "t",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "things",
    "this",
    "through",
    "to",
    "too",
    "tool",
    "tools",
    "until",
    "us",
    "use",
    "using",
    "very",
    "via",
    "want",
    "was",
    "we",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "will",
    "with",
    "without",
    "would",
    "yet",
    "you",
    "your",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_split_at_case_digits_and_punctuation() {
        assert_eq!(words("listHTTPServers_by-name.v2"), ["list", "HTTP", "Servers", "by", "name", "v2"]);
        assert_eq!(words("VMs getURLsOf s3control tier1"), ["VMs", "get", "URLs", "Of", "s3", "control", "tier", "1"]);
        assert_eq!(words("what's übrig? 天気x"), ["what", "s", "übrig", "天", "気", "x"]);
        assert_eq!(words(" ._- "), [""; 0]);
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for forms in [
            &["create", "creates", "created", "creating", "creation"][..],
            &["policy", "policies"],
            &["stop", "stops", "stopped", "stopping"],
            &["cancel", "cancelled", "cancelling", "canceled"],
            &["address", "addresses"],
            &["box", "boxes"],
            &["cache", "caches", "cached", "caching"],
            &["status", "statuses"],
            &["verify", "verifies", "verified", "verifying"],
            &["generate", "generator", "generation"],
            &["call", "calls", "called", "calling"],
        ] {
            let stems: Vec<String> = forms.iter().map(|word| stem_of(word)).collect();
            assert!(stems.windows(2).all(|pair| pair[0] == pair[1]), "{forms:?}: {stems:?}");
        }
    }

    #[test]
    fn words_that_only_look_like_forms_are_left_alone() {
        for word in ["string", "bring", "access", "need", "news", "dns", "sms", "settings", "listing"] {
            let stem = stem_of(word);
            assert!(
                ["string", "bring", "acces", "need", "news", "dns", "sms", "setting", "listing"].contains(&&*stem),
                "{stem}"
            );
        }
        assert_ne!(stem_of("settings"), stem_of("set"));
    }

    #[test]
    fn stop_words_are_sorted_for_binary_search() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("the"));
        assert!(!is_stop_word("list"));
    }

    fn words(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        each_word(text, |word| words.push(word));
        words
    }
}
