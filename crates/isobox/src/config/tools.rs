//! `tools`: what a connector cannot say of its own tools.

use std::collections::{BTreeMap, BTreeSet};

use isobox_core::{ToolPath, ToolSettings};

use super::reader::{Keys, Reader, Section, shown};
use super::syntax::Value;
use super::validation::DEFAULTS;

const KEYS: Keys = Keys {
    known: &["rename", "description", "idempotent", "approval", "types", "defaults"],
    tolerated: &[],
    later: &["revert"],
};

pub(super) fn read<'d>(reader: &mut Reader<'_>, value: &'d Value<'d>) -> BTreeMap<String, ToolSettings> {
    let mut tools = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for (start, path, value) in reader.entries("", "tools", value).unwrap_or_default() {
        if let Err(failure) = path.parse::<ToolPath>() {
            reader.problem(start, "`tools`", failure.message);
            continue;
        }
        let Some(section) = reader.section(format!("the tool `{}`", shown(path)), value, &KEYS) else { continue };
        let settings = ToolSettings {
            rename: rename(reader, &section, &mut taken),
            description: reader.text(&section, "description").map(|text| text.value),
            is_idempotent: reader.truth(&section, "idempotent"),
            needs_approval: reader.truth(&section, "approval"),
            types: reader.text(&section, "types").map(|text| text.value),
            defaults: reader.choice(&section, "defaults", &DEFAULTS),
        };
        tools.insert(path.to_owned(), settings);
    }
    tools
}

fn rename(reader: &mut Reader<'_>, section: &Section<'_>, taken: &mut BTreeSet<ToolPath>) -> Option<ToolPath> {
    let text = reader.text(section, "rename")?;
    match text.value.parse::<ToolPath>() {
        Ok(path) => {
            if !taken.insert(path.clone()) {
                let message = "another tool is already renamed to this";
                reader.problem(text.start, &section.owner, format!("{message}; give each a path of its own"));
            }
            Some(path)
        }
        Err(failure) => {
            let message = text.blame(failure.message, "`rename` cannot be the path of a tool");
            reader.problem(text.start, &section.owner, message);
            None
        }
    }
}
