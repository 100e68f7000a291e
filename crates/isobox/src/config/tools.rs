//! `tools`: settings for tools of connectors.

use std::collections::{BTreeMap, BTreeSet};

use isobox_core::policy::PathPattern;
use isobox_core::{ToolPath, ToolSettings};

use super::reader::{ConfigReader, Keys, Section, shown};
use super::syntax::Value;
use super::validation::DEFAULTS;

pub(super) const KEYS: Keys = Keys {
    known: &["rename", "description", "idempotent", "approval", "types", "defaults"],
    tolerated: &[],
    later: &["revert"],
};

pub(super) fn read<'d>(reader: &mut ConfigReader<'_>, value: &'d Value<'d>) -> BTreeMap<String, ToolSettings> {
    let mut tools = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for (start, path, value) in reader.entries("", "tools", value).unwrap_or_default() {
        if let Some(message) = no_name(path) {
            reader.problem(start, "`tools`", message);
            continue;
        }
        let Some(section) = reader.section(format!("the tool `{}`", shown(path)), value, &KEYS) else { continue };
        let settings = ToolSettings::default()
            .rename(rename(reader, &section, &mut taken))
            .description(reader.text(&section, "description").map(|text| text.value))
            .is_idempotent(reader.truth(&section, "idempotent"))
            .needs_approval(reader.truth(&section, "approval"))
            .types(reader.text(&section, "types").map(|text| text.value))
            .defaults(reader.choice(&section, "defaults", &DEFAULTS));
        tools.insert(path.to_owned(), settings);
    }
    tools
}

/// Returns what is wrong with the name of a tool, which is its path or its name on its server.
fn no_name(name: &str) -> Option<String> {
    if name.contains('*') {
        return Some(format!("`{}` matches several tools; name one at a time", shown(name)));
    }
    if name.contains('.') {
        return name.parse::<PathPattern>().err().map(|failure| failure.message);
    }
    name.parse::<ToolPath>().err().map(|failure| failure.message)
}

fn rename(reader: &mut ConfigReader<'_>, section: &Section<'_>, taken: &mut BTreeSet<ToolPath>) -> Option<ToolPath> {
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
