//! What a connector says about a tool.

use serde::{Deserialize, Serialize};

/// What a connector says about the effects of a tool; nothing where it says nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct ToolHints {
    /// It changes nothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub read_only: Option<bool>,
    /// It may destroy something.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub destructive: Option<bool>,
    /// Doing it twice is doing it once.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub idempotent: Option<bool>,
    /// It deals with what is outside of its server: the web, say.
    #[serde(skip_serializing_if = "Option::is_none", default)]
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
