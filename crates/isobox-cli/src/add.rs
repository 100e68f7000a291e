//! `isobox add`: adds a server or a service to the configuration, and finds out which of them it is.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, chown};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use isobox::config::{ConfigFile, ConfigText};
use isobox::connector::{GraphQlOptions, OpenApiOptions, Place, Recognised, is_graphql, recognise};
use isobox::text::brief;
use isobox::{Code, Failure, Limits, Value, json};
use serde_json::Map;

use crate::Exit;
use crate::arguments::{AddOptions, TargetType};
use crate::commands::quoted;
use crate::init::{TEMPLATE, config_flag, create, to_do, without_place};
use crate::outcome::Form;
use crate::secrets::Secrets;
use crate::setting::DEFAULT_FILE;
use crate::signals::EndSignals;
use crate::style::{print_json, print_lines};

/// The kind of server or service that is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An MCP server that is started by a command.
    Command,
    /// An MCP server with an address.
    Address,
    /// An MCP server with an address that asks for a login.
    AddressWithLogin,
    /// A web service with an OpenAPI document.
    Document,
    /// A GraphQL service.
    GraphQl,
}

pub(crate) fn add(options: &AddOptions) -> Result<Exit> {
    let file = options.config.as_deref().unwrap_or(Path::new(DEFAULT_FILE));
    let is_new = file.symlink_metadata().is_err();
    let before = if is_new { TEMPLATE.as_bytes().to_vec() } else { ConfigFile::read(file)?.content().to_vec() };
    let before = String::from_utf8(before).map_err(|_| anyhow!("{} is not UTF-8", file.display()))?;
    let mut text = ConfigText::parse(Some(file), before)?;
    let name = &options.name;
    let there = text.section_of(name);
    if there.is_some() && !options.replace {
        bail!("{} has `{}` already; choose another name, or pass --replace", file.display(), brief(name, 80));
    }
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let kind = executor.block_on(async {
        let mut signals = EndSignals::listen()?;
        tokio::select! {
            kind = kind(options) => kind.map(Ok),
            signal = signals.next() => Ok(Err(signal.end(Form::json_if(options.json)))),
        }
    })?;
    let kind = match kind {
        Ok(kind) => kind,
        Err(exit) => return Ok(exit),
    };
    let mut secrets = Secrets::default();
    let (section, entry) = entry(options, kind, file, &mut secrets)?;
    if let Some(there) = there.filter(|there| *there != section) {
        text.remove(&there, name)?;
    }
    text.set(section, name, &entry).map_err(without_place)?;
    if is_new {
        create(file, &text)?;
    } else {
        replace(file, text.as_str()).with_context(|| format!("cannot write {}", file.display()))?;
    }
    tell(options, kind, file, &secrets)
}

/// The advice if the type of the target is not known.
const SAY_TYPE: &str = "say what it is: --type mcp, --type openapi or --type graphql";

/// Finds out what the target is.
async fn kind(options: &AddOptions) -> Result<Kind> {
    let target = options.target[0].as_str();
    let place = Place::parse(target);
    let is_address = matches!(place, Place::Url(_));
    match options.kind {
        Some(TargetType::Mcp) if is_address => return Ok(Kind::Address),
        Some(TargetType::Mcp) => return Ok(Kind::Command),
        Some(TargetType::Openapi) => return Ok(Kind::Document),
        Some(TargetType::Graphql) => return Ok(Kind::GraphQl),
        None if options.schema.is_some() => return Ok(Kind::GraphQl),
        None => {}
    }
    let limits = OpenApiOptions::for_output(Limits::default().output);
    if is_address {
        ensure!(!target.contains("${"), "an address with variables cannot be asked; {SAY_TYPE}");
        let found = recognise(&place, &limits).await;
        let is_graphql = match found {
            Ok(Recognised::Document) | Err(_) => false,
            Ok(Recognised::Unauthorized | Recognised::Page | Recognised::Other(_)) => {
                is_graphql(target, &GraphQlOptions::default()).await
            }
        };
        return match found {
            Ok(Recognised::Document) => Ok(Kind::Document),
            Ok(_) if is_graphql => Ok(Kind::GraphQl),
            Ok(Recognised::Unauthorized) => Ok(Kind::AddressWithLogin),
            Ok(Recognised::Page) => {
                let failure = Failure::new(Code::Config, format!("{place} is a page for people"));
                Err(failure
                    .hint(format!("give the address of the document (`openapi.json`, for example), or {SAY_TYPE}"))
                    .into())
            }
            Ok(Recognised::Other(_)) => Ok(Kind::Address),
            Err(error) => {
                let failure = Failure::new(Code::Config, error.to_string());
                Err(failure.hint(SAY_TYPE).into())
            }
        };
    }
    let path = Path::new(target);
    if is_graphql_schema(path) {
        let name = quoted(&options.name);
        let failure = Failure::new(
            Code::Config,
            format!("{target} is the schema of a GraphQL service, which also has an address"),
        );
        return Err(failure.hint(format!("isobox add {name} https://… --schema {}", quoted(target))).into());
    }
    let is_named_so =
        ["yaml", "yml", "json"].iter().any(|one| path.extension().is_some_and(|extension| extension == *one));
    if options.target.len() > 1 || !(is_named_so || path.is_file()) {
        let is_one_word = !target.contains(char::is_whitespace) || path.is_file();
        ensure!(
            is_one_word,
            "a command is written as separate words: isobox add {} -- {target}",
            quoted(&options.name)
        );
        return Ok(Kind::Command);
    }
    match recognise(&place, &limits).await {
        Ok(Recognised::Document) => Ok(Kind::Document),
        Ok(Recognised::Other(why)) if is_named_so => {
            let failure = Failure::new(Code::Config, format!("{target} cannot be used: {why}"));
            Err(failure.hint("correct the document, or say what it is with --type").into())
        }
        Err(error) if is_named_so => bail!("{error}"),
        Ok(Recognised::Page | Recognised::Other(_) | Recognised::Unauthorized) | Err(_) => Ok(Kind::Command),
    }
}

/// Tells whether a file is a schema of GraphQL, by its name or by the beginning of an introspection.
fn is_graphql_schema(path: &Path) -> bool {
    /// The number of bytes that are looked at.
    const BEGINNING: u64 = 4096;
    if ["graphql", "graphqls", "gql"].iter().any(|one| path.extension().is_some_and(|extension| extension == *one)) {
        return true;
    }
    let mut beginning = Vec::new();
    let read =
        path.is_file().then(|| fs::File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning)));
    let text = String::from_utf8_lossy(&beginning);
    matches!(read, Some(Ok(_))) && text.trim_start().starts_with('{') && text.contains("\"__schema\"")
}

/// Returns the entry, and the section that it belongs to.
fn entry(options: &AddOptions, kind: Kind, file: &Path, secrets: &mut Secrets) -> Result<(&'static str, Value)> {
    let (target, arguments) = options.target.split_first().context("there is no target")?;
    let name = &options.name;
    let mut entry = Map::new();
    let is_command = kind == Kind::Command;
    ensure!(is_command || arguments.is_empty(), "only a command has arguments; options come before `--`");
    ensure!(is_command || options.env.is_empty(), "--env is for commands: an address or a document has no environment");
    ensure!(!is_command || options.headers.is_empty(), "--header is for addresses: a command is sent no requests");
    ensure!(kind == Kind::GraphQl || options.schema.is_none(), "--schema is for GraphQL services");
    let section = match kind {
        Kind::Command => {
            entry.insert("command".to_owned(), json!(target));
            if !arguments.is_empty() {
                entry.insert("args".to_owned(), json!(secrets.arguments(name, arguments)));
            }
            let mut variables = Map::new();
            for variable in &options.env {
                let (key, value) = match variable.split_once('=') {
                    Some((key, value)) => (key, secrets.variable(name, key, value)),
                    None => (variable.as_str(), format!("${{{variable}}}")),
                };
                variables.insert(key.to_owned(), value.into());
            }
            if !variables.is_empty() {
                entry.insert("env".to_owned(), Value::Object(variables));
            }
            let folder = if is_here(file) { PathBuf::from(".") } else { std::env::current_dir()? };
            entry.insert("cwd".to_owned(), json!(folder));
            "mcpServers"
        }
        Kind::Address | Kind::AddressWithLogin => {
            entry.insert("url".to_owned(), secrets.address(name, target).into());
            "mcpServers"
        }
        Kind::GraphQl => {
            ensure!(matches!(Place::parse(target), Place::Url(_)), "a GraphQL service is added by its address");
            entry.insert("url".to_owned(), secrets.address(name, target).into());
            if let Some(schema) = &options.schema {
                ensure!(schema.is_file(), "there is no file {}", schema.display());
                entry.insert("schema".to_owned(), json!(seen_from(file, schema.clone())?));
            }
            "graphql"
        }
        Kind::Document => {
            let spec = match Place::parse(target) {
                Place::Url(url) => json!(secrets.address(name, &url)),
                Place::File(path) => json!(seen_from(file, path)?),
            };
            entry.insert("spec".to_owned(), spec);
            "openapi"
        }
    };
    let mut headers = Map::new();
    for header in &options.headers {
        let (key, value) = header.split_once(':').context("a header is written as 'NAME: VALUE'")?;
        headers.insert(key.trim().to_owned(), secrets.header(name, key.trim(), value.trim()).into());
    }
    if !headers.is_empty() {
        entry.insert("headers".to_owned(), Value::Object(headers));
    }
    Ok((section, Value::Object(entry)))
}

/// Returns a path of the current folder as a configuration names it.
fn seen_from(file: &Path, path: PathBuf) -> std::io::Result<PathBuf> {
    if is_here(file) || path.is_absolute() { Ok(path) } else { std::path::absolute(path) }
}

/// Tells whether a configuration is in the current folder, from which relative paths are resolved.
fn is_here(file: &Path) -> bool {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), Path::new(".").canonicalize()) {
        (Ok(folder), Ok(here)) => folder == here,
        _ => false,
    }
}

/// Replaces the content of a file atomically, and keeps its permissions and its owner. A link stays, and the file that it
/// leads to is replaced.
fn replace(file: &Path, content: &str) -> std::io::Result<()> {
    let file = file.canonicalize()?;
    let before = fs::metadata(&file)?;
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    let new = file.with_file_name(name);
    let mut written = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
    let done = (|| {
        written.write_all(content.as_bytes())?;
        let own = written.metadata()?;
        if (own.uid(), own.gid()) != (before.uid(), before.gid()) {
            chown(&new, Some(before.uid()), Some(before.gid()))?;
        }
        written.set_permissions(before.permissions())?;
        written.sync_all()?;
        fs::rename(&new, &file)
    })();
    if done.is_err() {
        // The temporary file is useless if it could not be renamed.
        drop(fs::remove_file(&new));
    }
    done
}

fn tell(options: &AddOptions, kind: Kind, file: &Path, secrets: &Secrets) -> Result<Exit> {
    let name = quoted(&options.name);
    let what = match kind {
        Kind::Command => "MCP server (a command)",
        Kind::Address | Kind::AddressWithLogin => "MCP server (an address)",
        Kind::Document => "web service (an OpenAPI document)",
        Kind::GraphQl => "GraphQL service",
    };
    let flag = options.config.as_deref().map(config_flag).unwrap_or_default();
    let to_do = to_do(file, secrets);
    let has_credential = options.headers.iter().any(|header| header.to_lowercase().starts_with("authorization"));
    let next = match kind {
        Kind::AddressWithLogin if !has_credential => format!("isobox login {name}{flag}"),
        Kind::Command | Kind::Address | Kind::AddressWithLogin | Kind::Document | Kind::GraphQl => {
            format!("isobox tools list{flag}")
        }
    };
    if options.json {
        let done = json!({ "name": options.name, "what": what, "file": file.display().to_string(), "toDo": to_do, "next": next });
        print_json(&done.to_string())?;
    } else {
        let added = format!("added the {what} `{}` to {}", options.name, file.display());
        print_lines(&[vec![added], to_do, vec![format!("next: {next}")]].concat().join("\n"))?;
    }
    Ok(Exit::Completed)
}
