//! Shows a text page by page before a person decides about it.

use console::Term;

use crate::rows::Columns;
use crate::style::print_laid_out;

/// The minimum and the maximum number of rows that are shown at once. The maximum is also that of a terminal that does not
/// tell its height.
const FEWEST: usize = 6;
const MOST: usize = 48;
/// The rows of the terminal that are left for the question below a page.
const QUESTION: usize = 4;

/// The part of a text that a person has not seen yet.
#[derive(Debug)]
pub(crate) struct Pages {
    rows: Vec<String>,
    shown: usize,
    /// The number of rows that fit the terminal.
    room: usize,
}

impl Pages {
    /// Breaks a text into rows of the terminal, and shows the first page.
    pub(crate) fn open(text: &str) -> Self {
        let broken = Columns::of_standard_error().broken(text);
        let height = Term::stderr().size_checked().map(|(rows, _)| usize::from(rows));
        let rows = broken.split('\n').map(str::to_owned).collect();
        let mut pages = Self { rows, shown: 0, room: room(height) };
        pages.show_page();
        pages
    }

    /// Tells whether everything was shown.
    pub(crate) fn are_seen(&self) -> bool {
        self.shown == self.rows.len()
    }

    /// Returns the question after a page that is not the last one. `otherwise` says what else can be answered.
    pub(crate) fn question(&self, otherwise: &str) -> String {
        let left = self.rows.len() - self.shown;
        format!("{left} more rows come before you can agree. Type m for more, all for all of them, {otherwise}:")
    }

    /// Shows what an answer asks for. Returns false if it asks for nothing of that.
    pub(crate) fn turn(&mut self, answer: &str) -> bool {
        match answer.trim().to_lowercase().as_str() {
            "m" | "more" => self.show_page(),
            "all" => self.show(self.rows.len() - self.shown),
            _ => return false,
        }
        true
    }

    /// Shows the next page. It leaves a sixth of the room empty, so that the last page is not a few rows.
    fn show_page(&mut self) {
        let left = self.rows.len() - self.shown;
        self.show(if left <= self.room { left } else { self.room - self.room / 6 });
    }

    fn show(&mut self, rows: usize) {
        print_laid_out(&self.rows[self.shown..self.shown + rows].join("\n"));
        self.shown += rows;
    }
}

/// Returns how many rows are shown at once on a terminal of this height.
fn room(height: Option<usize>) -> usize {
    height.map_or(MOST, |height| height.saturating_sub(QUESTION).clamp(FEWEST, MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_leaves_room_for_the_question() {
        let heights = [None, Some(500), Some(24), Some(12), Some(3), Some(0)];
        assert_eq!(heights.map(room), [48, 48, 20, 8, 6, 6]);
    }
}
