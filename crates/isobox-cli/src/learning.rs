//! `isobox tools learn` and `forget`: the types of results that were seen.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use isobox::store::owned;
use isobox::text::brief;
use isobox::{Failure, Isobox, Outcome, Value, json};

use crate::Exit;
use crate::arguments::ToolsOptions;
use crate::style::{complain, print_error, print_json, print_lines};
use crate::tool_call::{DESCRIPTION, one_call};

/// The maximum size of a file of inputs, in bytes.
const MAX_FILE: u64 = 16 << 20;

/// Calls tools with inputs, and shows the types of their results. Checks everything before the first call.
pub(crate) async fn learn(
    isobox: &Isobox,
    paths: &[String],
    input: &[String],
    inputs: Option<&Path>,
    options: &ToolsOptions,
) -> Result<Exit> {
    ensure!(
        isobox.keeps_executions(),
        "there is no store to keep what is learned: add an isobox.json, or a `store` to it"
    );
    let calls = match inputs {
        Some(file) => calls_of(&read(file)?, paths)?,
        None => given(paths, input)?,
    };
    for (path, input) in &calls {
        isobox.check_learning(path, input, &options.roles)?;
    }
    let mut failed: Vec<(&str, Failure)> = Vec::new();
    for (path, input) in &calls {
        match isobox.run(one_call(path, &input.to_string(), options)?).await {
            Outcome::Completed(_) => {}
            Outcome::Failed(outcome) => failed.push((path, outcome.error)),
            _ => bail!("the call of `{path}` has not ended"),
        }
    }
    isobox.learned().await?;
    let mut tools: Vec<&str> = calls.iter().map(|(path, _)| path.as_str()).collect();
    tools.sort_unstable();
    tools.dedup();
    let mut types = Vec::new();
    for path in tools {
        types.push((path, isobox.describe(path, DESCRIPTION, &options.roles)?.types));
    }
    if options.json {
        let failed: Vec<Value> = failed.iter().map(|(path, error)| json!({ "path": path, "error": error })).collect();
        let learned: Vec<Value> = types.iter().map(|(path, types)| json!({ "path": path, "types": types })).collect();
        print_json(&json!({ "learned": learned, "failed": failed }).to_string())?;
    } else {
        failed.iter().for_each(|(path, error)| complain(&format!("{path}: {error}")));
        let types: Vec<&str> = types.iter().map(|(_, types)| types.trim_end()).collect();
        print_lines(&types.join("\n")).context("cannot write the declarations")?;
    }
    Ok(if failed.is_empty() { Exit::Completed } else { Exit::Failed })
}

/// Forgets the types of results of tools.
pub(crate) async fn forget(isobox: &Isobox, paths: &[String], options: &ToolsOptions) -> Result<Exit> {
    let mut forgotten = Vec::new();
    for path in paths {
        if isobox.forget(path).await? {
            forgotten.push(path);
        } else if !options.json {
            print_error(&format!("nothing was learned about `{}`", brief(path, 80)));
        }
    }
    if options.json {
        print_json(&json!({ "forgotten": forgotten }).to_string())?;
    }
    Ok(if forgotten.len() == paths.len() { Exit::Completed } else { Exit::Failed })
}

/// Returns the calls of all tools with all inputs.
fn given(paths: &[String], input: &[String]) -> Result<Vec<(String, Value)>> {
    let parsed: Vec<Value> =
        input.iter().map(|text| serde_json::from_str(text).context("--input is not JSON")).collect::<Result<_>>()?;
    let inputs = if parsed.is_empty() { vec![json!({})] } else { parsed };
    Ok(paths.iter().flat_map(|path| inputs.iter().map(|input| (path.clone(), input.clone()))).collect())
}

/// Returns the calls of a file: those of these tools, or all.
fn calls_of(file: &Value, paths: &[String]) -> Result<Vec<(String, Value)>> {
    let Value::Object(inputs) = file else { bail!("the file of --inputs is not an object of inputs by path") };
    let paths = if paths.is_empty() { inputs.keys().cloned().collect() } else { paths.to_vec() };
    let mut calls = Vec::new();
    for path in paths {
        match inputs.get(&path) {
            Some(Value::Array(several)) => calls.extend(several.iter().map(|input| (path.clone(), input.clone()))),
            Some(input) => calls.push((path, input.clone())),
            None => bail!("the file of --inputs has none for `{}`", brief(&path, 80)),
        }
    }
    Ok(calls)
}

fn read(file: &Path) -> Result<Value> {
    let name = || format!("cannot read {}", file.display());
    let mut text = String::new();
    let opened = owned::open_stream(file).with_context(name)?;
    opened.take(MAX_FILE + 1).read_to_string(&mut text).with_context(name)?;
    ensure!(text.len() as u64 <= MAX_FILE, "{} is larger than {MAX_FILE} bytes", file.display());
    serde_json::from_str(&text).with_context(|| format!("{} is not JSON", file.display()))
}
