//! What a tool is called.

/// The names of a tool: what programs call it, what its server calls it, and what it was called before it was renamed.
#[derive(Debug, Clone, Copy)]
pub struct ToolNames<'a> {
    /// What programs call it.
    pub path: &'a str,
    /// Its other names that no other tool has: `files.delete` for `files.delete_`.
    pub others: &'a [String],
    /// Its other names that another tool has as well. Rules that tighten go by them, rules that allow do not.
    pub shared: &'a [String],
}

impl<'a> ToolNames<'a> {
    /// All of them.
    pub fn all(self) -> impl Iterator<Item = &'a str> {
        self.own().chain(self.shared.iter().map(String::as_str))
    }

    /// Those that no other tool has.
    pub fn own(self) -> impl Iterator<Item = &'a str> {
        std::iter::once(self.path).chain(self.others.iter().map(String::as_str))
    }
}

impl<'a> From<&'a str> for ToolNames<'a> {
    fn from(path: &'a str) -> Self {
        Self { path, others: &[], shared: &[] }
    }
}
