//! Hints of a connector about a tool.

use serde::{Deserialize, Serialize};

/// Hints of a connector about the effects of a tool. A missing hint says nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct ToolHints {
    /// The tool changes nothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub read_only: Option<bool>,
    /// The tool may destroy something.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub destructive: Option<bool>,
    /// The tool is idempotent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub idempotent: Option<bool>,
    /// The tool reaches beyond its server, for example to the web.
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
