//! Reports the parts that reading a schema had to omit, with their places.

use super::comment::one_line;

/// The maximum length of a name in a place.
const MAX_NAME: usize = 60;
const MAX_WARNINGS: usize = 8;

/// A step from a value to a part.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'schema> {
    Property(&'schema str),
    Items,
    Element(usize),
    Values,
}

/// The current place, and the warnings so far.
pub(super) struct Report<'schema> {
    root: &'static str,
    place: Vec<Step<'schema>>,
    warnings: Vec<String>,
    more_warnings: usize,
    first_cut: Option<String>,
    more_cuts: usize,
}

impl<'schema> Report<'schema> {
    pub(super) fn new(root: &'static str) -> Self {
        Self { root, place: Vec::new(), warnings: Vec::new(), more_warnings: 0, first_cut: None, more_cuts: 0 }
    }

    pub(super) fn enter(&mut self, step: Step<'schema>) {
        self.place.push(step);
    }

    pub(super) fn leave(&mut self) {
        self.place.pop();
    }

    /// Adds a warning about the current place.
    pub(super) fn warn(&mut self, message: &str) {
        if self.warnings.len() == MAX_WARNINGS {
            self.more_warnings += 1;
        } else {
            self.warnings.push(format!("{}: {message}", self.place()));
        }
    }

    /// Records that the current place is not shown.
    pub(super) fn cut(&mut self) {
        match self.first_cut {
            None => self.first_cut = Some(self.place()),
            Some(_) => self.more_cuts += 1,
        }
    }

    /// Records that not even the top of the schema could be shown in full.
    pub(super) fn exceed(&mut self) {
        self.place.clear();
        self.warn("it is too large to be shown whole");
    }

    pub(super) fn into_warnings(mut self) -> Vec<String> {
        if let Some(place) = self.first_cut {
            let others = match self.more_cuts {
                0 => "it is".to_owned(),
                1 => "it and another place are".to_owned(),
                more => format!("it and {more} other places are"),
            };
            self.warnings.push(format!("{place}: too deep for a schema of this size, so {others} `unknown`"));
        }
        if self.more_warnings > 0 {
            self.warnings.push(format!("{}: and {} more", self.root, self.more_warnings));
        }
        self.warnings
    }

    fn place(&self) -> String {
        let mut place = self.root.to_owned();
        for step in &self.place {
            match step {
                Step::Property(name) => place.push_str(&format!(".{}", one_line(name, MAX_NAME))),
                Step::Items => place.push_str("[]"),
                Step::Element(index) => place.push_str(&format!("[{index}]")),
                Step::Values => place.push_str(".*"),
            }
        }
        place
    }
}
