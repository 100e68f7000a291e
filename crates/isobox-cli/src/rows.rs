//! Breaks long lines where the terminal would, and marks each row. A terminal begins a new row without a mark, so that
//! text from outside could begin one with words of ours.

use std::io::{self, IsTerminal};

use console::Term;
use isobox::text::brief;
use unicode_width::UnicodeWidthChar;

/// The number of columns that a line of a stream may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Columns {
    /// A terminal of this width.
    Terminal(usize),
    /// A file or a pipe, which has no rows.
    Unlimited,
}

/// The beginning of each row of a broken line but the first. No line of ours begins with it.
const MARK: &str = "  | ";
/// The width of a terminal that does not tell its own.
const UNKNOWN: usize = 80;
/// The minimum width: the mark and some text behind it.
const NARROWEST: usize = 16;

impl Columns {
    pub(crate) fn of_standard_error() -> Self {
        Self::of(&io::stderr(), &Term::stderr())
    }

    pub(crate) fn of_standard_output() -> Self {
        Self::of(&io::stdout(), &Term::stdout())
    }

    fn of(stream: &impl IsTerminal, terminal: &Term) -> Self {
        if !stream.is_terminal() {
            return Self::Unlimited;
        }
        let width = terminal.size_checked().map_or(UNKNOWN, |(_, columns)| usize::from(columns));
        Self::Terminal(width.max(NARROWEST))
    }

    /// Breaks the lines of a text that are longer than a row. The text may have colours of ours, which take no columns.
    /// Everything else in it is visible: the caller has escaped it.
    pub(crate) fn broken(self, text: &str) -> String {
        let Self::Terminal(width) = self else { return text.to_owned() };
        let lines: Vec<String> = text.split('\n').map(|line| break_line(line, width)).collect();
        lines.join("\n")
    }
}

fn break_line(line: &str, width: usize) -> String {
    // No character takes more columns than bytes.
    if line.len() <= width {
        return line.to_owned();
    }
    let mut rows = String::with_capacity(line.len() + line.len() / 8);
    let mut column = 0;
    // The place behind the last blank of the row, and its column.
    let mut blank = None;
    let mut is_colour = false;
    for character in line.chars() {
        if is_colour || character == '\u{1b}' {
            is_colour = character != 'm';
            rows.push(character);
            continue;
        }
        let columns = columns_of(character);
        if column + columns > width {
            // Words stay whole, unless that leaves half of the row empty.
            let (place, left) = match blank {
                Some((place, at)) if 2 * at > width => (place, column - at),
                _ => (rows.len(), 0),
            };
            rows.insert_str(place, &format!("\n{MARK}"));
            column = MARK.len() + left;
            blank = None;
        }
        rows.push(character);
        column += columns;
        if character == ' ' {
            blank = Some((rows.len(), column));
        }
    }
    rows
}

/// Returns how many columns a character takes at most.
pub(crate) fn columns_of(character: char) -> usize {
    match character {
        // Makes the character before it wide.
        '\u{fe0f}' => 1,
        character => character.width().unwrap_or(1),
    }
}

/// Returns how many columns a text takes at most.
pub(crate) fn width_of(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// Cuts a text to this many columns, with a mark where it was cut: between words, unless that leaves half of the room empty.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if width_of(text) <= columns {
        return text.to_owned();
    }
    let mut used = 0;
    let is_outside = |(_, character): &(usize, char)| {
        used += columns_of(*character);
        used >= columns
    };
    let end = text.char_indices().find(is_outside).map_or(text.len(), |(at, _)| at);
    let (kept, rest) = text.split_at(end);
    let word = if rest.starts_with(' ') { Some(end) } else { kept.rfind(' ') };
    let word = word.filter(|at| 2 * width_of(&kept[..*at]) > columns);
    format!("{}…", word.map_or(kept, |at| &kept[..at]).trim_end())
}

/// Returns a text from outside in one line of at most this many columns, cut between words.
pub(crate) fn in_one_line(text: &str, columns: usize) -> String {
    // Escapes are longer than their characters, so no more than this can be shown.
    cut(&brief(text, columns), columns)
}

/// Adds blanks to a text until it takes this many columns.
pub(crate) fn padded(text: &str, columns: usize) -> String {
    format!("{text}{:missing$}", "", missing = columns.saturating_sub(width_of(text)))
}

/// Replaces long runs of blanks by their number, so that nothing stands far behind them.
pub(crate) fn without_gaps(line: &str) -> String {
    /// The maximum number of blanks, more than code is indented by.
    const BLANKS: usize = 40;
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find(char::is_whitespace) {
        let (before, behind) = rest.split_at(start);
        let end = behind.find(|character: char| !character.is_whitespace()).unwrap_or(behind.len());
        let (blanks, after) = behind.split_at(end);
        let count = blanks.chars().count();
        shown.push_str(before);
        if count > BLANKS {
            shown.push_str(&format!(" [{count} blanks] "));
        } else {
            shown.push_str(blanks);
        }
        rest = after;
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;

    fn rows(text: &str, width: usize) -> Vec<String> {
        Columns::Terminal(width).broken(text).split('\n').map(str::to_owned).collect()
    }

    #[test]
    fn every_row_of_a_line_is_marked() {
        let forged = format!("log │ {}error[INTERNAL]: gone", " ".repeat(74));
        assert_eq!(rows(&forged, 80), [format!("log │ {}", " ".repeat(74)), "  | error[INTERNAL]: gone".to_owned()]);
        assert_eq!(Columns::Unlimited.broken(&forged), forged);
        assert_eq!(rows("one\ntwo", 80), ["one", "two"]);
        assert_eq!(rows("warn: here are words", 16), ["warn: here are ", "  | words"]);
        let long = rows(&"x".repeat(100), 20);
        assert_eq!((long.len(), long[0].len(), long[1].as_str()), (6, 20, "  | xxxxxxxxxxxxxxxx"));
    }

    #[test]
    fn no_row_is_wider_than_the_terminal_and_nothing_is_lost() {
        for text in ["日本語", "😀", "e\u{301}", "❤\u{fe0f}", "a ", "\u{1b}[1;31mred\u{1b}[0m ", "ü"] {
            let line = text.repeat(60);
            for width in [16, 17, 40, 80] {
                let rows = rows(&line, width);
                let visible = |row: &String| row.replace("\u{1b}[1;31m", "").replace("\u{1b}[0m", "");
                assert!(rows.iter().all(|row| visible(row).width() <= width), "{width}: {rows:?}");
                assert!(rows[1..].iter().all(|row| visible(row).starts_with(MARK)), "{width}: {rows:?}");
                let whole: Vec<&str> = rows.iter().map(|row| row.strip_prefix(MARK).unwrap_or(row)).collect();
                assert_eq!(whole.concat(), line);
            }
        }
    }

    #[test]
    fn texts_are_cut_between_words_and_by_columns() {
        assert_eq!(in_one_line("the server did not answer", 25), "the server did not answer");
        assert_eq!(in_one_line("the server did not answer", 21), "the server did not…");
        assert_eq!(in_one_line("the server did not answer", 19), "the server did not…");
        assert_eq!(in_one_line("a incomprehensibilities", 10), "a incompr…");
        assert_eq!(in_one_line("日本語 日本語 日本語", 18), "日本語 日本語…");
        assert_eq!(in_one_line("日本語日本語", 6), "日本…");
        assert_eq!(in_one_line("two\nlines", 20), "two\\nlines");
        assert_eq!([padded("日本", 6), padded("abcdefg", 6)], ["日本  ", "abcdefg"]);
    }

    #[test]
    fn a_long_run_of_blanks_is_a_number() {
        assert_eq!(without_gaps(&format!("ls{}; rm -rf ~", " ".repeat(200))), "ls [200 blanks] ; rm -rf ~");
        let indented = format!("{}return 1;  // one", " ".repeat(40));
        assert_eq!(without_gaps(&indented), indented);
        assert_eq!(without_gaps(&format!("a{}", "\u{3000} ".repeat(30))), "a [60 blanks] ");
    }
}
