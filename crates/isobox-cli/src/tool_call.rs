//! One call of a tool for a person, and the length of its description.

use anyhow::{Context, Result};
use isobox::{Checks, Principal, Run, Value};

use crate::arguments::ToolsOptions;
use crate::deciding::user;

/// The maximum length of a description requested by a person, in tokens.
pub(crate) const DESCRIPTION: usize = 100_000;

/// Returns a program that calls one tool, so that checks, limits and policy apply.
pub(crate) fn one_call(path: &str, input: &str, options: &ToolsOptions) -> Result<Run> {
    serde_json::from_str::<Value>(input).context("the input is not JSON")?;
    let path: isobox::tools::ToolPath = path.parse()?;
    // The input is embedded as text because an object literal would give `__proto__` a special meaning.
    let program = format!("return await tools.{path}(JSON.parse({}))", Value::String(input.to_owned()));
    let principal = Principal::named(user()).with_roles(options.roles.iter().cloned());
    // The errors are those of the call, not of the program around it.
    Ok(Run::from(program).principal(principal).checks(Checks::Off))
}
