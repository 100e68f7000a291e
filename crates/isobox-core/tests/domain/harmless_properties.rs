//! Properties of any text that is printed inside one of our lines.

use isobox_core::{brief, json_without_escapes, lines_without_escapes, marked, without_escapes};
use proptest::prelude::*;

/// Generates texts with many characters that break lines, control a terminal or hide.
fn hostile() -> impl Strategy<Value = String> {
    let hidden = prop::sample::select(vec![
        '\n',
        '\r',
        '\t',
        '\u{b}',
        '\u{c}',
        '\u{85}',
        '\u{2028}',
        '\u{2029}',
        '\u{1b}',
        '\u{9b}',
        '\u{ad}',
        '\u{200b}',
        '\u{200d}',
        '\u{200f}',
        '\u{202e}',
        '\u{2060}',
        '\u{2069}',
        '\u{feff}',
        '\u{fe0f}',
        '\u{fe01}',
        '\u{e0041}',
        '\u{e0101}',
        '\u{301}',
        '\u{3164}',
        '\u{2800}',
        '❤',
        '\\',
    ]);
    prop::collection::vec(prop_oneof![hidden, any::<char>()], 0..60).prop_map(|all| all.into_iter().collect())
}

/// Tells whether a text is one visible line for terminals, editors and models, without control characters.
fn is_harmless(text: &str) -> bool {
    let is_hidden = |(before, character): (Option<char>, char)| match character {
        '\u{fe0e}' | '\u{fe0f}' => before.is_none_or(|before| before.is_ascii()),
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{2800}' => true,
        '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}' => true,
        _ => character.is_control(),
    };
    let before = std::iter::once(None).chain(text.chars().map(Some));
    !before.zip(text.chars()).any(is_hidden)
}

proptest! {
    #[test]
    fn what_is_shown_is_one_line_without_anything_hidden(text in hostile()) {
        let shown = without_escapes(&text);
        prop_assert!(is_harmless(&shown), "{shown:?}");
        prop_assert_eq!(&*without_escapes(&shown), &*shown, "once is enough");
    }

    #[test]
    fn what_is_quoted_is_harmless_and_short(text in hostile(), characters in 0..40_usize) {
        let shown = brief(&text, characters);
        prop_assert!(is_harmless(&shown) && shown.chars().count() <= characters + 1, "{shown:?}");
    }

    #[test]
    fn no_line_but_the_first_comes_without_its_mark(text in hostile()) {
        let shown = marked(&text);
        for (index, line) in shown.split('\n').enumerate() {
            prop_assert!(is_harmless(line) && (index == 0 || line.starts_with("  | ")), "{line:?}");
        }
        prop_assert_eq!(shown.split('\n').count(), lines_without_escapes(&text).count());
    }

    #[test]
    fn json_stays_the_same_value(text in hostile()) {
        let json = serde_json::to_string(&text).expect("it is a text");
        let shown = json_without_escapes(&json);
        prop_assert!(shown.chars().all(|character| !character.is_control()), "{shown}");
        prop_assert_eq!(serde_json::from_str::<String>(&shown).expect("it is still JSON"), text);
    }
}
