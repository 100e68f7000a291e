//! `tools`: settings for tools of connectors.

use std::collections::{BTreeMap, BTreeSet};

use isobox_core::policy::PathPattern;
use isobox_core::{RevertCall, ToolPath, ToolSettings};
use jsonc_parser::common::Ranged;

use super::json_value::json;
use super::reader::{ConfigReader, Keys, Section, shown};
use super::syntax::Value;
use super::validation::DEFAULTS;

pub(super) const KEYS: Keys = Keys {
    known: &["rename", "description", "idempotent", "readOnly", "approval", "types", "defaults", "revert"],
    tolerated: &[],
    later: &[],
};
pub(super) const REVERT: Keys = Keys { known: &["call", "input"], tolerated: &[], later: &[] };

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
            .is_read_only(reader.truth(&section, "readOnly"))
            .needs_approval(reader.truth(&section, "approval"))
            .types(reader.text(&section, "types").map(|text| text.value))
            .defaults(reader.choice(&section, "defaults", &DEFAULTS))
            .revert(revert(reader, &section, path));
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

/// Reads the call that reverts the calls of a tool.
fn revert(reader: &mut ConfigReader<'_>, section: &Section<'_>, path: &str) -> Option<RevertCall> {
    let value = section.get("revert")?;
    let section = reader.section(format!("the revert of the tool `{}`", shown(path)), value, &REVERT)?;
    let input = match section.get("input") {
        Some(input) => template(reader, &section, input)?,
        None => serde_json::json!({}),
    };
    let Some(call) = reader.text(&section, "call") else {
        if section.get("call").is_none() {
            let message = "`call` is missing; name the tool that reverts the calls of this one";
            reader.problem(value.start(), &section.owner, message);
        }
        return None;
    };
    if let Some(message) = no_name(&call.value) {
        reader.problem(call.start, &section.owner, message);
        return None;
    }
    Some(RevertCall::new(call.value, input))
}

/// Reads the input of a revert. Journals, plans and exports have it as it is, so that it may have no values of variables.
fn template(reader: &mut ConfigReader<'_>, section: &Section<'_>, value: &Value<'_>) -> Option<serde_json::Value> {
    let mut has_variables = false;
    let template = json(reader, (&section.owner, "input"), value, 0, &mut has_variables)?;
    if has_variables {
        let message = "`input` cannot come from the environment: the journals of rollbacks keep it; give a secret to the server \
                       itself, with `env`, `headers` or `auth`";
        reader.problem(value.start(), &section.owner, message);
        return None;
    }
    Some(template)
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
