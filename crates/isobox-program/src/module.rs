//! Modules that a host offers to programs.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Fault, PreparedFile};

/// A module that a host offers: programs import it by its specifier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Module {
    specifier: String,
    source: ModuleSource,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    types: Option<String>,
}

/// The content of a module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ModuleSource {
    /// JavaScript or TypeScript.
    Code(String),
    /// A value. It is the default export, and the properties of an object are exports too.
    Json(Value),
}

impl Module {
    /// The maximum size of the source of a module, in bytes.
    pub const MAXIMUM_SOURCE: usize = 1 << 20;

    /// Creates a module from JavaScript or TypeScript.
    ///
    /// # Errors
    ///
    /// Returns [`FaultKind::Config`](crate::FaultKind::Config) if the specifier is relative, empty, too long or reserved for
    /// modules of Node, or if the source is too large.
    pub fn code(specifier: impl Into<String>, source: impl Into<String>) -> Result<Self, Fault> {
        Self::new(specifier.into(), ModuleSource::Code(source.into()))
    }

    /// Creates a module from a value.
    ///
    /// # Errors
    ///
    /// As [`Module::code`].
    pub fn json(specifier: impl Into<String>, value: Value) -> Result<Self, Fault> {
        Self::new(specifier.into(), ModuleSource::Json(value))
    }

    fn new(specifier: String, source: ModuleSource) -> Result<Self, Fault> {
        let wrong = |why: &str| Err(Fault::config(format!("the module specifier {specifier:?} {why}")));
        if let Some(why) = crate::model::fault_of_path(&specifier) {
            return wrong(why);
        }
        if specifier.starts_with('.') {
            return wrong("is relative: only files of a program are imported by relative paths");
        }
        let name = specifier.strip_prefix("node:").unwrap_or(&specifier);
        let is_builtin = BUILTIN.iter().any(|builtin| builtin.strip_prefix("node:") == Some(name));
        if name.len() < specifier.len() || is_builtin {
            return wrong("is that of a module that programs have anyway");
        }
        if specifier.chars().any(|sign| sign.is_whitespace() || matches!(sign, '"' | '\'' | '`' | '*')) {
            return wrong("holds white space, a quote or a star");
        }
        let module = Self { specifier, source, types: None };
        let size = module.size();
        if size > Self::MAXIMUM_SOURCE {
            let message = format!(
                "the module `{}` has {size} bytes, and the limit is {}",
                module.specifier,
                Self::MAXIMUM_SOURCE
            );
            return Err(Fault::config(message));
        }
        Ok(module)
    }

    /// Sets the declarations that models see, as in the body of `declare module "…"`. Without them, they are derived from the
    /// exports.
    #[must_use]
    pub fn types(mut self, declarations: impl Into<String>) -> Self {
        self.types = Some(declarations.into());
        self
    }

    /// Returns the name by which programs import the module.
    pub fn specifier(&self) -> &str {
        &self.specifier
    }

    /// Returns the size of the content in bytes.
    pub fn size(&self) -> usize {
        match &self.source {
            ModuleSource::Code(code) => code.len(),
            ModuleSource::Json(value) => value.to_string().len(),
        }
    }

    /// Returns the content.
    pub fn source(&self) -> &ModuleSource {
        &self.source
    }

    /// Returns the declarations that the host has given.
    pub fn declarations(&self) -> Option<&str> {
        self.types.as_deref()
    }
}

/// A module that is ready to be imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LinkedModule {
    /// The file that the engine runs. Its path is the specifier.
    pub file: PreparedFile,
    /// What it exports.
    pub interface: Interface,
    /// The declarations that models see.
    pub types: String,
}

/// What a module exports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Interface {
    /// The specifier of the module.
    pub specifier: String,
    /// The names of its exports. `default` is one of them.
    pub exports: Vec<String>,
    /// Whether it exports other names too, which are known only when it runs.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_open: bool,
}

impl Interface {
    /// Checks whether the module exports a name.
    pub fn has(&self, name: &str) -> bool {
        self.exports.iter().any(|export| export == name) || (self.is_open && name != "default")
    }
}

/// The modules of Node that the guest provides, with the prefix `node:`.
pub(crate) const BUILTIN: &[&str] = &[
    "node:assert",
    "node:assert/strict",
    "node:buffer",
    "node:crypto",
    "node:events",
    "node:path",
    "node:path/posix",
    "node:perf_hooks",
    "node:process",
    "node:querystring",
    "node:timers",
    "node:timers/promises",
    "node:url",
    "node:util",
];
