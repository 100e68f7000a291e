//! The names of a tool.

/// The names of a tool: its path in programs, its name on the server, and its names before it was renamed.
#[derive(Debug, Clone, Copy)]
pub struct ToolNames<'a> {
    /// The path in programs.
    pub path: &'a str,
    /// Other names that no other tool has: `files.delete` for `files.delete_`.
    pub others: &'a [String],
    /// Other names that another tool also has. Rules that tighten match them. Rules that allow do not, and no rule that
    /// matches only these keeps a later, stricter one from deciding.
    pub shared: &'a [String],
    /// The parts of this call and its result that are hidden because of rules about the calls that it amounts to: JSON
    /// pointers, or `**` and a pointer that counts at every depth. Empty for a tool, because they differ from call to call.
    pub hidden: &'a [String],
}

impl<'a> ToolNames<'a> {
    /// Sets the hidden parts of a call.
    #[must_use]
    pub fn hiding(self, hidden: &'a [String]) -> Self {
        Self { hidden, ..self }
    }

    /// Returns all names.
    pub fn all(self) -> impl Iterator<Item = &'a str> {
        self.own().chain(self.shared.iter().map(String::as_str))
    }

    /// Returns the names that no other tool has.
    pub fn own(self) -> impl Iterator<Item = &'a str> {
        std::iter::once(self.path).chain(self.others.iter().map(String::as_str))
    }
}

impl<'a> From<&'a str> for ToolNames<'a> {
    fn from(path: &'a str) -> Self {
        Self { path, others: &[], shared: &[], hidden: &[] }
    }
}
