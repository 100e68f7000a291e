//! Makes text from a program, a server or a file safe to show to a person or a model.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// Cuts a text to this many characters, with a mark where it was cut.
///
/// ```
/// assert_eq!(isobox_core::shorten("naïveté", 5), "naïve…");
/// ```
pub fn shorten(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Cuts prose to this many characters: at the end of a sentence, or between words with a mark where it was cut.
///
/// ```
/// use isobox_core::excerpt;
///
/// assert_eq!(excerpt("Reads a file. Takes a path below the root.", 30), "Reads a file.");
/// assert_eq!(excerpt("Reads a file below the root", 20), "Reads a file below…");
/// assert_eq!(excerpt("Antidisestablishmentarianism", 10), "Antidisest…");
/// ```
pub fn excerpt(text: &str, characters: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(characters) else { return text.to_owned() };
    let (kept, rest) = text.split_at(end);
    let is_end = |at: &usize| text[*at..].starts_with(char::is_whitespace);
    let sentence = kept.rmatch_indices(['.', '!', '?']).map(|(at, mark)| at + mark.len()).find(is_end);
    if let Some(sentence) = sentence.filter(|at| *at > end / 3) {
        return text[..sentence].to_owned();
    }
    let word = if rest.starts_with(char::is_whitespace) { Some(end) } else { kept.rfind(char::is_whitespace) };
    let kept = word.filter(|at| *at > end / 2).map_or(kept, |at| &kept[..at]);
    format!("{}…", kept.trim_end())
}

/// Decodes text of the engine, in which half of a surrogate pair is three bytes that are not UTF-8. It becomes one
/// U+FFFD.
pub fn lossy_text(bytes: &[u8]) -> String {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return text.to_owned(),
        Err(error) => error,
    };
    let mut mended = bytes.to_vec();
    let mut at = error.valid_up_to();
    while at + 3 <= mended.len() {
        if mended[at] == 0xed && mended[at + 1] >= 0xa0 {
            mended[at..at + 3].copy_from_slice("\u{fffd}".as_bytes());
            at += 3;
        } else {
            at += 1;
        }
    }
    String::from_utf8_lossy(&mended).into_owned()
}

/// Text from outside that is safe inside a line of ours: it does not end the line, control a terminal, or hide
/// characters. Created only by [`without_escapes`] and [`lines_without_escapes`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneLine<'a>(Cow<'a, str>);

impl OneLine<'_> {
    /// Cuts the line to this many characters, with a mark where it was cut.
    #[must_use]
    pub fn shortened(self, characters: usize) -> Self {
        match self.0.char_indices().nth(characters) {
            Some((end, _)) => Self(Cow::Owned(format!("{}…", &self.0[..end]))),
            None => self,
        }
    }

    /// Returns the line as an owned text.
    pub fn into_owned(self) -> String {
        self.0.into_owned()
    }
}

impl Deref for OneLine<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

/// Makes text from outside a single line with visible characters only. Every text that a program, a server or a file
/// controls goes through here before it is printed inside a line of ours.
///
/// Line breaks, control characters, invisible characters, characters that reorder text, and combining marks in unusual
/// numbers become escapes. A tab becomes a space.
///
/// ```
/// assert_eq!(&*isobox_core::without_escapes("\u{1b}[2Jgone\nerror: no"), "\\u{1b}[2Jgone\\nerror: no");
/// ```
pub fn without_escapes(text: &str) -> OneLine<'_> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return OneLine(Cow::Borrowed(text));
    }
    let mut clean = String::with_capacity(text.len() + 16);
    // A mark at the beginning would combine with the text that we print before.
    let (mut before, mut marks) = (None, MAX_MARKS);
    for character in text.chars() {
        let is_mark = is_combining(character);
        marks = if is_mark { marks + 1 } else { 0 };
        match character {
            '\n' => clean.push_str("\\n"),
            '\r' => clean.push_str("\\r"),
            '\t' => clean.push(' '),
            '\u{fe0e}' | '\u{fe0f}' if before.is_some_and(is_pictographic) => clean.push(character),
            _ if is_hidden(character) || (is_mark && marks > MAX_MARKS) => clean.extend(character.escape_unicode()),
            _ => clean.push(character),
        }
        before = Some(character);
    }
    if clean == text { OneLine(Cow::Borrowed(text)) } else { OneLine(Cow::Owned(clean)) }
}

/// Splits text from outside into its lines, each of them made safe. Print each line behind a mark, or it can pass for
/// one of ours: see [`marked`].
pub fn lines_without_escapes(text: &str) -> impl Iterator<Item = OneLine<'_>> {
    text.split('\n').map(|line| without_escapes(line.strip_suffix('\r').unwrap_or(line)))
}

/// Makes text from outside with several lines safe to print behind our own text: each line but the first begins with a
/// mark that no line of ours begins with.
///
/// ```
/// assert_eq!(isobox_core::marked("bad\nerror: worse"), "bad\n  | error: worse");
/// ```
pub fn marked(text: &str) -> String {
    let mut lines = lines_without_escapes(text);
    let mut marked = lines.next().map(OneLine::into_owned).unwrap_or_default();
    for line in lines {
        marked.push_str("\n  | ");
        marked.push_str(&line);
    }
    marked
}

/// Returns the beginning of a text from outside in one line, for quoting in messages.
pub fn brief(text: &str, characters: usize) -> String {
    // Escapes are longer than their characters, so no more than this can be shown.
    let end = text.char_indices().nth(characters).map_or(text.len(), |(end, _)| end);
    let line = without_escapes(&text[..end]);
    if end == text.len() { line.shortened(characters).into_owned() } else { cut(&line, characters) }
}

fn cut(line: &str, characters: usize) -> String {
    let end = line.char_indices().nth(characters).map_or(line.len(), |(end, _)| end);
    format!("{}…", &line[..end])
}

/// Rewrites JSON so that all characters of its texts are visible: the same value, with the same characters escaped as
/// by [`without_escapes`]. Line breaks between its parts stay.
///
/// ```
/// assert_eq!(isobox_core::json_without_escapes("[\"a\u{200b}b\u{e0041}\"]"), r#"["a\u200bb\udb40\udc41"]"#);
/// ```
pub fn json_without_escapes(json: &str) -> Cow<'_, str> {
    // JSON has such characters only inside of texts, where escapes are valid.
    let is_plain = |character: char| character == '\n' || !is_hidden(character);
    if json.chars().all(is_plain) {
        return Cow::Borrowed(json);
    }
    let mut clean = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if is_plain(character) {
            clean.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                clean.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    Cow::Owned(clean)
}

/// The maximum number of combining marks after a character. Some languages need three.
const MAX_MARKS: usize = 4;

/// Tells whether a character is invisible or changes how others are displayed: controls, line and paragraph separators,
/// format characters, default-ignorable characters, blank fillers, and noncharacters.
pub(crate) fn is_hidden(character: char) -> bool {
    match character {
        '\u{ad}'
        | '\u{34f}'
        | '\u{600}'..='\u{605}'
        | '\u{61c}'
        | '\u{6dd}'
        | '\u{70f}'
        | '\u{890}'..='\u{891}'
        | '\u{8e2}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{110bd}'
        | '\u{110cd}'
        | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        _ => character.is_control() || u32::from(character) & 0xfffe == 0xfffe,
    }
}

/// Tells whether a character is drawn over the one before it.
fn is_combining(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}'
            | '\u{483}'..='\u{489}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

/// The characters below U+10000 that are drawn as text or as a picture, whichever the variation selector after them says:
/// those with the property `Emoji` of Unicode, without digits and signs of ASCII.
const EMOJI: &str = "©®‼⁉™ℹ↔↕↖↗↘↙↩↪⌚⌛⌨⏏⏩⏪⏫⏬⏭⏮⏯⏰⏱⏲⏳⏸⏹⏺Ⓜ▪▫▶◀◻◼◽◾☀☁☂☃☄☎☑☔☕\
    ☘☝☠☢☣☦☪☮☯☸☹☺♀♂♈♉♊♋♌♍♎♏♐♑♒♓♟♠♣♥♦♨♻♾♿⚒⚓⚔⚕⚖⚗⚙⚛⚜⚠⚡⚧⚪⚫⚰\
    ⚱⚽⚾⛄⛅⛈⛎⛏⛑⛓⛔⛩⛪⛰⛱⛲⛳⛴⛵⛷⛸⛹⛺⛽✂✅✈✉✊✋✌✍✏✒✔✖✝✡✨✳✴❄❇❌❎❓❔❕❗❣\
    ❤➕➖➗➡➰➿⤴⤵⬅⬆⬇⬛⬜⭐⭕〰〽㊗㊙";

/// Tells whether a variation selector decides if the character is drawn as a picture. After other characters it has no
/// effect, and could hide something.
fn is_pictographic(character: char) -> bool {
    // Above U+FFFF these are whole blocks of pictures.
    let is_picture = matches!(
        character,
        '\u{1f004}' | '\u{1f0cf}' | '\u{1f170}'..='\u{1f251}' | '\u{1f300}'..='\u{1f64f}' | '\u{1f680}'..='\u{1f6ff}'
            | '\u{1f7e0}'..='\u{1f7eb}' | '\u{1f90c}'..='\u{1f9ff}' | '\u{1fa70}'..='\u{1faff}'
    );
    is_picture || EMOJI.contains(character)
}

/// Returns a hash of several texts, in hexadecimal digits.
pub(crate) fn digest(parts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    use sha2::{Digest, Sha256};
    let mut digest = Sha256::new();
    for part in parts {
        let part = part.as_ref();
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part.as_bytes());
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the message of a panic.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a value that is not a text".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortening_counts_characters_and_not_bytes() {
        assert_eq!(shorten("äöü", 3), "äöü");
        assert_eq!(shorten("äöüß", 3), "äöü…");
    }

    #[test]
    fn half_a_surrogate_pair_is_one_replacement_character() {
        assert_eq!(lossy_text(b"a\xed\xa0\xbdb\xff"), "a\u{fffd}b\u{fffd}");
        assert_eq!(lossy_text("\u{d7ff}ä".as_bytes()), "\u{d7ff}ä");
    }

    #[test]
    fn escape_sequences_and_line_breaks_are_made_visible() {
        assert_eq!(&*without_escapes("a\u{1b}[31mb\r\n\tc"), "a\\u{1b}[31mb\\r\\n c");
        assert_eq!(&*without_escapes("\u{202e}txt.exe\u{9b}2J"), "\\u{202e}txt.exe\\u{9b}2J");
        assert_eq!(&*without_escapes("a\u{2028}b\u{85}c\u{b}d\u{c}e"), "a\\u{2028}b\\u{85}c\\u{b}d\\u{c}e");
        assert_eq!(&*without_escapes("ap\u{200b}prove\u{e0041}\u{feff}"), "ap\\u{200b}prove\\u{e0041}\\u{feff}");
        for plain in ["plain ä", "日本語", "e\u{301}", "❤\u{fe0f}", "שלום", "naïve — “quoted” 100 €"]
        {
            assert_eq!(without_escapes(plain), OneLine(Cow::Borrowed(plain)), "{plain}");
        }
    }

    #[test]
    fn marks_and_selectors_are_escaped_where_they_hide_something() {
        assert_eq!(&*without_escapes("a\u{fe0f}b\u{fe00}"), "a\\u{fe0f}b\\u{fe00}");
        for letter in ["あ", "─", "⠁", "㈠"] {
            let followed = format!("{letter}\u{fe0f}");
            assert_eq!(&*without_escapes(&followed), format!("{letter}\\u{{fe0f}}"));
        }
        for emoji in ["❤\u{fe0f}", "©\u{fe0e}", "↔\u{fe0f}", "㊙\u{fe0f}", "⌚\u{fe0e}", "🌶\u{fe0f}"] {
            assert_eq!(&*without_escapes(emoji), emoji);
        }
        assert_eq!(&*without_escapes("\u{301}a"), "\\u{301}a", "the mark would combine with the previous text");
        let flood = format!("x{}", "\u{30f}".repeat(100));
        assert_eq!(without_escapes(&flood).matches('\u{30f}').count(), MAX_MARKS);
    }

    #[test]
    fn every_line_but_the_first_is_marked() {
        assert_eq!(marked("one"), "one");
        assert_eq!(
            marked("one\r\nerror[INTERNAL]: two\u{2028}three\n"),
            "one\n  | error[INTERNAL]: two\\u{2028}three\n  | "
        );
    }

    #[test]
    fn what_is_quoted_is_one_short_line() {
        assert_eq!(brief("a\nb", 10), "a\\nb");
        assert_eq!(brief("abcdef", 3), "abc…");
        assert_eq!(brief("\u{200b}\u{200b}", 5), "\\u{20…");
        assert_eq!(brief("\u{200b}bc", 9), "\\u{200b}b…");
    }

    #[test]
    fn nothing_hidden_is_left_of_any_character() {
        let shows = |text: &str| !text.chars().any(|one| is_hidden(one) && !matches!(one, '\u{fe0e}' | '\u{fe0f}'));
        for character in '\0'..=char::MAX {
            let text = format!("a{character}b");
            assert!(shows(&without_escapes(&text)), "{}", character.escape_unicode());
            let json = serde_json::to_string(&text).expect("a text is JSON");
            let clean = json_without_escapes(&json);
            assert!(shows(&clean) && !clean.contains(['\u{fe0e}', '\u{fe0f}']), "{}", character.escape_unicode());
            if clean != json {
                assert_eq!(serde_json::from_str::<String>(&clean).expect("it is still JSON"), text);
            }
        }
    }
}
