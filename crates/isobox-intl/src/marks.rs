//! Marks that follow each other: accents, vowel signs and the like. Unicode sets no limit to their number.

use unicode_general_category::{GeneralCategory, get_general_category};

/// The most marks in succession within a piece. What ICU4X does with them takes time in the square of their number.
const MAX_MARKS: usize = 256;

/// Divides a text wherever it has more marks in succession. A text of people is one piece.
pub(crate) fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut marks) = (0, 0);
    // Each mark has two bytes or more.
    if text.len() > 2 * MAX_MARKS {
        for (at, character) in text.char_indices() {
            marks = if is_mark(character) { marks + 1 } else { 0 };
            if marks > MAX_MARKS {
                pieces.push(&text[start..at]);
                (start, marks) = (at, 1);
            }
        }
    }
    pieces.push(&text[start..]);
    pieces
}

fn is_mark(character: char) -> bool {
    // What this table does not know yet may be a mark of the Unicode version that ICU4X has.
    !character.is_ascii()
        && matches!(
            get_general_category(character),
            GeneralCategory::NonspacingMark
                | GeneralCategory::SpacingMark
                | GeneralCategory::EnclosingMark
                | GeneralCategory::Unassigned
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_divided_where_it_has_too_many_marks_in_succession() {
        let marks = "\u{301}".repeat(MAX_MARKS);
        for text in ["", "a", &format!("a{marks}b{marks}c"), &"a".repeat(5_000)] {
            assert_eq!(pieces(text), [text]);
        }
        let text = format!("a{marks}{marks}\u{5b0}b");
        let (first, last) = (format!("a{marks}"), "\u{5b0}b");
        assert_eq!(pieces(&text), [first.as_str(), marks.as_str(), last]);
    }
}
