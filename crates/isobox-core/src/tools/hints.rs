//! What a connector says about a tool.

/// What a connector says about the effects of a tool; nothing where it says nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ToolHints {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy something.
    pub destructive: Option<bool>,
    /// Doing it twice is doing it once.
    pub idempotent: Option<bool>,
    /// It deals with what is outside of its server: the web, say.
    pub open_world: Option<bool>,
}

impl ToolHints {
    setters! {
        read_only: impl Into<Option<bool>>,
        destructive: impl Into<Option<bool>>,
        idempotent: impl Into<Option<bool>>,
        open_world: impl Into<Option<bool>>,
    }
}
