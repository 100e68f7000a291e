//! `modules`: the modules that programs may import.

use std::io::Read;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use isobox_core::program::{Module, Modules};
use isobox_core::{Code, Failure, parse_json};
use isobox_store::owned::{self, Guard};
use jsonc_parser::common::Ranged;

use super::reader::{ConfigReader, Keys};
use super::syntax::Value;

pub(super) const KEYS: Keys = Keys { known: &["path", "types"], tolerated: &[], later: &[] };

/// A module in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModuleConfig {
    /// The file with the source, or with a value if its name ends with `.json`.
    pub path: PathBuf,
    /// The file with the declarations that models see.
    pub types: Option<PathBuf>,
}

impl ModuleConfig {
    /// Makes relative paths start at a folder.
    pub(super) fn within(&mut self, folder: &Path) {
        self.path = folder.join(&self.path);
        self.types = self.types.as_ref().map(|types| folder.join(types));
    }

    /// Reads the files of a module.
    ///
    /// # Errors
    ///
    /// `CONFIG` if a file cannot be read, is too large, or is not what its name says.
    pub fn read(&self, specifier: &str) -> Result<Module, Failure> {
        let text = read_text(specifier, &self.path)?;
        let is_json = self.path.extension().is_some_and(|extension| extension == "json");
        let module = if is_json {
            let value = parse_json(text.as_bytes()).map_err(|error| {
                let message = format!("the module `{specifier}` is not JSON: {error}");
                Failure::new(Code::Config, message).detail("file", self.path.display().to_string())
            })?;
            Module::json(specifier, value)?
        } else {
            Module::code(specifier, text)?
        };
        Ok(match &self.types {
            Some(types) => module.types(read_text(specifier, types)?),
            None => module,
        })
    }
}

fn read_text(specifier: &str, path: &Path) -> Result<String, Failure> {
    let limit = Module::MAXIMUM_SOURCE;
    let wrong = |why: String| {
        let message = format!("the module `{specifier}` cannot be read from {}: {why}", path.display());
        Failure::new(Code::Config, message)
    };
    let read = || {
        let file = owned::open_to_read(path)?;
        owned::check_rights(&file.metadata()?, path, Guard::Unchanged)?;
        let mut bytes = Vec::new();
        file.take(limit as u64 + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error: std::io::Error| wrong(error.to_string()))?;
    if bytes.len() > limit {
        return Err(wrong(format!("it has more than {limit} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8".to_owned()))
}

pub(super) fn read<'d>(reader: &mut ConfigReader<'_>, value: &'d Value<'d>) -> IndexMap<String, ModuleConfig> {
    let mut modules = IndexMap::new();
    let entries = reader.entries("", "modules", value).unwrap_or_default();
    if let Some((start, ..)) = entries.get(Modules::MAXIMUM) {
        reader.problem(*start, "`modules`", format!("there are more than {} modules", Modules::MAXIMUM));
    }
    for (start, specifier, value) in entries {
        if let Err(fault) = Module::code(specifier, "") {
            reader.problem(start, "`modules`", fault.message);
            continue;
        }
        if let Some(module) = module(reader, specifier, value) {
            modules.insert(specifier.to_owned(), module);
        }
    }
    modules
}

fn module<'d>(reader: &mut ConfigReader<'_>, specifier: &str, value: &'d Value<'d>) -> Option<ModuleConfig> {
    let owner = format!("the module `{specifier}`");
    if let Value::StringLit(_) = value {
        let path = reader.text_of(&owner, "path", value, "the path of a file")?;
        reader.reads_file(value);
        return Some(ModuleConfig { path: path.value.into(), types: None });
    }
    let section = reader.section(owner, value, &KEYS)?;
    for key in ["path", "types"] {
        section.get(key).into_iter().for_each(|value| reader.reads_file(value));
    }
    let types = reader.text(&section, "types").map(|types| types.value.into());
    match reader.text(&section, "path") {
        Some(path) => Some(ModuleConfig { path: path.value.into(), types }),
        None => {
            if section.get("path").is_none() {
                reader.problem(value.start(), &section.owner, "there is no `path`; name the file with its source");
            }
            None
        }
    }
}
