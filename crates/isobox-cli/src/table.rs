//! Tables of lists.

use crate::rows::{cut, width_of};
use crate::style::{Colours, Look};

/// The minimum width of a column that is cut.
const NARROW: usize = 20;

/// A row. Its texts are escaped.
pub(crate) struct Row<const N: usize> {
    pub(crate) cells: [String; N],
    /// The text below the row, which is never cut: what follows its beginning may say the contrary.
    pub(crate) note: String,
}

impl<const N: usize> From<[String; N]> for Row<N> {
    fn from(cells: [String; N]) -> Self {
        Self { cells, note: String::new() }
    }
}

/// The layout of a table.
pub(crate) struct Layout<const N: usize> {
    /// The names of the columns, if there is a line with them.
    pub(crate) header: Option<[&'static str; N]>,
    pub(crate) looks: [Option<Look>; N],
    /// The column that is cut if the table is wider than the terminal.
    pub(crate) cut: usize,
    /// The width of the terminal. None if the output is no terminal: then nothing is cut.
    pub(crate) width: Option<usize>,
    pub(crate) colours: Colours,
}

impl<const N: usize> Layout<N> {
    /// Draws a table. Each column is as wide as its widest cell, and a column without text takes no place. Notes may be longer
    /// than a row.
    pub(crate) fn draw(&self, rows: &[Row<N>]) -> String {
        let header = self.header.map(|names| names.map(str::to_owned));
        let cells = || header.iter().chain(rows.iter().map(|row| &row.cells));
        let mut widths: [usize; N] =
            std::array::from_fn(|column| cells().map(|cells| width_of(&cells[column])).max().unwrap_or_default());
        if let Some(width) = self.width {
            let gaps = widths.iter().filter(|width| **width > 0).count().saturating_sub(1) * 2;
            let excess = (widths.iter().sum::<usize>() + gaps).saturating_sub(width);
            let least = NARROW.min(widths[self.cut]);
            widths[self.cut] = widths[self.cut].saturating_sub(excess).max(least);
        }
        let mut lines: Vec<String> =
            header.iter().map(|cells| self.line(cells, &widths, &[Some(Look::Faint); N])).collect();
        for Row { cells, note } in rows {
            lines.push(self.line(cells, &widths, &self.looks));
            if !note.is_empty() {
                lines.push(format!("  {}", self.colours.paint(Look::Faint, note)));
            }
        }
        lines.join("\n")
    }

    fn line(&self, cells: &[String; N], widths: &[usize; N], looks: &[Option<Look>; N]) -> String {
        let last = cells.iter().rposition(|cell| !cell.is_empty()).unwrap_or_default();
        let shown = (0..=last).filter(|column| widths[*column] > 0).map(|column| {
            let cell = cut(&cells[column], widths[column]);
            let missing = if column < last { widths[column].saturating_sub(width_of(&cell)) } else { 0 };
            let painted = match looks[column] {
                Some(look) if !cell.is_empty() => self.colours.paint(look, &cell),
                Some(_) | None => cell,
            };
            format!("{painted}{:missing$}", "")
        });
        shown.collect::<Vec<_>>().join("  ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Columns;

    fn drawn(width: Option<usize>, colours: Colours) -> String {
        let looks = [Some(Look::Strong), Some(Look::Warning), None];
        let row = |cells: [&str; 3]| Row::from(cells.map(str::to_owned));
        let noted =
            Row { note: "Allowed if it is small. Denied otherwise.".to_owned(), ..row(["pay.charge", "may deny", ""]) };
        let rows = [row(["mail.send", "", "Sends a mail to somebody far away."]), noted];
        Layout { header: None, looks, cut: 2, width, colours }.draw(&rows)
    }

    #[test]
    fn a_table_is_as_wide_as_its_cells_and_has_notes_below_its_rows() {
        let expected = "mail.send             Sends a mail to somebody far away.\n\
                        pay.charge  may deny\n  \
                        Allowed if it is small. Denied otherwise.";
        assert_eq!(drawn(None, Colours::Off), expected);
        assert_eq!(drawn(Some(100), Colours::Off), expected);
    }

    #[test]
    fn a_table_fits_the_terminal_unless_that_is_too_narrow() {
        let expected = "mail.send             Sends a mail to…\n\
                        pay.charge  may deny\n  \
                        Allowed if it is small. Denied otherwise.";
        assert_eq!(drawn(Some(43), Colours::Off), expected);
        assert!(drawn(Some(5), Colours::Off).starts_with("mail.send             Sends a mail to…\n"));
    }

    #[test]
    fn a_note_is_shown_whole_at_any_width() {
        let note = format!("Allowed if the input fits {}. Denied otherwise.", "x".repeat(300));
        for width in [40, 80, 500] {
            let row = Row { cells: ["pay.charge".to_owned(), "may deny".to_owned()], note: note.clone() };
            let (looks, colours) = ([None, None], Colours::Off);
            let table = Layout { header: None, looks, cut: 0, width: Some(width), colours }.draw(&[row]);
            let shown = Columns::Terminal(width).broken(&table);
            assert!(shown.lines().all(|line| line.len() <= width), "{shown}");
            assert_eq!(shown.replace("\n  | ", ""), format!("pay.charge  may deny\n  {note}"));
        }
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let rows =
            ["日本語", "an", "日本語日本語日本語日本語"].map(|word| Row::from([word.to_owned(), "end".to_owned()]));
        let (looks, colours) = ([None, None], Colours::Off);
        let layout = |width| Layout { header: None, looks, cut: 0, width, colours }.draw(&rows);
        let expected = "日本語                    end\n\
                        an                        end\n\
                        日本語日本語日本語日本語  end";
        assert_eq!(layout(None), expected);
        let expected = "日本語                end\n\
                        an                    end\n\
                        日本語日本語日本語…   end";
        assert_eq!(layout(Some(25)), expected);
    }

    #[test]
    fn a_terminal_has_colours_that_change_no_width() {
        let plain = drawn(None, Colours::Off);
        let painted = drawn(None, Colours::On);
        assert!(
            painted.starts_with("\u{1b}[1mmail.send\u{1b}[0m ") && painted.contains("\u{1b}[33mmay deny"),
            "{painted}"
        );
        let looks = ["\u{1b}[1m", "\u{1b}[33m", "\u{1b}[2m", "\u{1b}[0m"];
        assert_eq!(looks.iter().fold(painted, |text, look| text.replace(look, "")), plain);
    }
}
