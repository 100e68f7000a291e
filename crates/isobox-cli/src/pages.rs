//! Shows a text page by page before a person decides about it.

use crate::rows::Columns;
use crate::style::print_laid_out;

/// The number of rows of a page.
const PAGE: usize = 40;
/// The maximum number of rows that a page is longer by, if they are the last ones.
const REST: usize = 8;

/// The part of a text that a person has not seen yet.
#[derive(Debug)]
pub(crate) struct Pages {
    rows: Vec<String>,
    shown: usize,
}

impl Pages {
    /// Breaks a text into rows of the terminal, and shows the first page.
    pub(crate) fn open(text: &str) -> Self {
        let broken = Columns::of_standard_error().broken(text);
        let mut pages = Self { rows: broken.split('\n').map(str::to_owned).collect(), shown: 0 };
        pages.show(PAGE);
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
            "m" | "more" => self.show(PAGE),
            "all" => self.show(self.rows.len()),
            _ => return false,
        }
        true
    }

    fn show(&mut self, rows: usize) {
        let left = self.rows.len() - self.shown;
        let rows = if left <= rows.saturating_add(REST) { left } else { rows };
        print_laid_out(&self.rows[self.shown..self.shown + rows].join("\n"));
        self.shown += rows;
    }
}
