//! Finds the lines of a program that findings are about.

use std::collections::HashMap;

use crate::program::Program;

/// The lines of a program. A file is split when its first line is asked for, and only once.
pub(crate) struct Lines<'p> {
    program: &'p Program,
    /// The start of each line, by file.
    starts: HashMap<&'p str, Vec<usize>>,
}

impl<'p> Lines<'p> {
    pub(crate) fn of(program: &'p Program) -> Self {
        Self { program, starts: HashMap::new() }
    }

    /// Returns a line as positions count them: a lone CR ends a line. A line that does not exist is empty.
    pub(super) fn line(&mut self, file: &str, number: u32) -> &'p str {
        let program = self.program;
        let Some((path, text)) = program.files().get_key_value(file) else { return "" };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let starts = self.starts.entry(path.as_str()).or_insert_with(|| starts_of(text));
        let from = (number as usize).checked_sub(1).and_then(|index| starts.get(index));
        let to = starts.get(number as usize).copied().unwrap_or(text.len());
        from.and_then(|from| text.get(*from..to)).unwrap_or_default().trim_end_matches(['\r', '\n'])
    }

    /// Tells whether the program has more files than its entry.
    pub(super) fn are_of_several_files(&self) -> bool {
        self.program.files().len() > 1
    }
}

/// Returns where the lines of a text start.
fn starts_of(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = |at: usize| match bytes.get(at) {
        Some(b'\n') => true,
        Some(b'\r') => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    std::iter::once(0).chain((0..bytes.len()).filter(|at| ends(*at)).map(|at| at + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_positions_count_them() {
        let program = Program::single("\u{feff}one\ntwo\r\nthree\rfour\r\r\n\nsix\r");
        let mut lines = Lines::of(&program);
        let all: Vec<&str> = (0..=9).map(|number| lines.line("main.ts", number)).collect();
        assert_eq!(all, ["", "one", "two", "three", "four", "", "", "six", "", ""]);
        assert_eq!(lines.line("other.ts", 1), "");
    }

    #[test]
    fn a_file_is_split_once_and_only_if_a_line_of_it_is_asked_for() {
        let program = Program::single("one\ntwo");
        let mut lines = Lines::of(&program);
        assert!(lines.starts.is_empty());
        assert_eq!((lines.line("main.ts", 2), lines.line("main.ts", 1)), ("two", "one"));
        lines.starts.insert("main.ts", vec![0]);
        assert_eq!(lines.line("main.ts", 2), "", "what is known of the file is used");
    }
}
