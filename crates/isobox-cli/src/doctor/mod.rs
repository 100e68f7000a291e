//! `isobox doctor`: checks everything that a program needs, and says what to do about what fails.

mod partial;
mod report;

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use isobox::config::{Config, ConfigError, ConfigFile, StoreConfig};
use isobox::connector::{ConnectorReport, WebOptions};
use isobox::store::Filter;
use isobox::store::owned::{self, Guard};
use isobox::text::brief;
use isobox::workspace::{Freshness, Workspace};
use isobox::{Isobox, Outcome, json};
use rustix::fs::{Access, access};
use tokio::time::Instant;

use crate::Exit;
use crate::arguments::DoctorOptions;
use crate::outcome::Form;
use crate::setting::{DEFAULT_FILE, environment, missing_variables, workspace_options};
use crate::signals::EndSignals;
use crate::state::{NO_HOME, state_folder};
use crate::trust::{self, Asks};
use partial::{Partial, without_missing};
use report::{Check, Report};

/// The maximum time of a check that has no limit of its own.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) fn doctor(options: &DoctorOptions) -> Result<Exit> {
    let mut report = Report::new(Form::json_if(options.json));
    let Found { config, is_store_missing } = check_configuration(options, &mut report)?;
    check_state(&mut report)?;
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    executor.block_on(async {
        let mut signals = EndSignals::listen()?;
        let workspace = match config {
            Some(config) => {
                let options = workspace_options(Freshness::Asked).max_live(NonZeroU32::MIN);
                Some(Workspace::new(config, options)?)
            }
            None => None,
        };
        let work = async {
            check_sandbox(&mut report).await?;
            match &workspace {
                Some(workspace) => {
                    if !is_store_missing {
                        check_store(workspace, &mut report).await?;
                    }
                    check_connectors(workspace, &mut report).await?;
                }
                None => {
                    let message = "the store, the servers and the services were not checked";
                    report.add(Check::warning("servers", message).hint("correct the configuration first"))?;
                }
            }
            report.finish()
        };
        let done = tokio::select! {
            done = work => done,
            signal = signals.next() => Ok(signal.end(Form::json_if(options.json))),
        };
        if let Some(workspace) = &workspace {
            workspace.close().await;
        }
        done
    })
}

/// The parts of the configuration that were found.
#[derive(Default)]
struct Found {
    /// The parts that can be checked. None if it cannot be used.
    config: Option<Config>,
    /// Whether its store needs a variable that is not set.
    is_store_missing: bool,
}

/// Reads the configuration.
fn check_configuration(options: &DoctorOptions, report: &mut Report) -> Result<Found> {
    const KIND: &str = "configuration";
    let default = Path::new(DEFAULT_FILE);
    let Some(path) = options.config.as_deref().or_else(|| default.exists().then_some(default)) else {
        let check = Check::warning(KIND, format!("there is no {DEFAULT_FILE} in this folder"));
        report.add(check.hint("run `isobox init`, or name a file with --config"))?;
        return Ok(Found { config: Some(Config::default()), is_store_missing: false });
    };
    let started = now();
    let read = ConfigFile::read(path);
    let missing = read.as_ref().map(missing_variables).unwrap_or_default();
    let partial = read.as_ref().ok().filter(|_| !missing.is_empty()).and_then(|file| without_missing(file, &missing));
    let file = read.as_ref().ok().cloned();
    let read = read.and_then(|file| Ok((file.parse(&environment)?, file)));
    let mut is_store_missing = false;
    let config = match read {
        Ok((config, file)) => {
            report.add(Check::fine(KIND, summary(path, &config)).took(started.elapsed()))?;
            for warning in &config.warnings {
                report.add(Check::warning(KIND, warning))?;
            }
            is_trusted(&file, &config, options, report)?.then_some(config)
        }
        Err(error) => {
            add_problems(&error, report)?;
            match partial.zip(file) {
                Some((partial, file)) => {
                    let Partial { config, left_out, .. } = partial;
                    is_store_missing = partial.is_store_missing;
                    left_out.into_iter().try_for_each(|check| report.add(check))?;
                    is_trusted(&file, &config, options, report)?.then_some(config)
                }
                None => None,
            }
        }
    };
    let names = |names: &BTreeSet<String>| names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    if !missing.is_empty() {
        let check = Check::failed("environment", format!("these variables are not set: {}", names(&missing)));
        report.add(check.hint("set them where Isobox is started, for instance with `export NAME=VALUE`"))?;
    } else if let Some(set) = config.as_ref().map(|config| &config.reach.variables).filter(|set| !set.is_empty()) {
        report.add(Check::fine("environment", format!("these variables are set: {}", names(set))))?;
    }
    Ok(Found { config, is_store_missing })
}

fn summary(path: &Path, config: &Config) -> String {
    let mut parts = Vec::new();
    for (count, one, many) in [
        (config.mcp_servers.len(), "server", "servers"),
        (config.openapi.len() + config.graphql.len(), "service", "services"),
        (config.disabled_servers.len(), "disabled", "disabled"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {}", if count == 1 { one } else { many }));
        }
    }
    let content = if parts.is_empty() { "no servers yet".to_owned() } else { parts.join(", ") };
    format!("{} has {content}", path.display())
}

fn add_problems(error: &ConfigError, report: &mut Report) -> Result<()> {
    let file = error.file().map(|file| file.display().to_string()).unwrap_or_default();
    for problem in error.problems() {
        let place = problem.place.as_ref().map(|place| format!(":{}:{}", place.line, place.column));
        let message = format!("{file}{}: {}", place.unwrap_or_default(), problem.message);
        report.add(Check::failed("configuration", message))?;
    }
    if error.left_out() > 0 {
        report.add(Check::failed("configuration", format!("{file}: and {} problems more", error.left_out())))?;
    }
    Ok(())
}

/// Tells whether the commands of the configuration may be started.
fn is_trusted(file: &ConfigFile, config: &Config, options: &DoctorOptions, report: &mut Report) -> Result<bool> {
    let is_named = options.config.is_some() && file.stranger().is_none();
    if options.trust || is_named || config.reach.is_nothing() {
        return Ok(true);
    }
    match trust::agree(file, &config.reach, Asks::Person, &environment) {
        Ok(()) => {
            report.add(Check::fine("trust", format!("{} is trusted", file.path().display())))?;
            Ok(true)
        }
        Err(error) => {
            let text = format!("{error:#}");
            let (message, hint) = text.split_once("\n  hint: ").unwrap_or((&text, "agree to it, or pass --trust"));
            let message = message.lines().map(str::trim).collect::<Vec<_>>().join("; ");
            report.add(Check::failed("trust", message).hint(hint))?;
            Ok(false)
        }
    }
}

/// Checks the files of this user: only this user may read or change them.
fn check_state(report: &mut Report) -> Result<()> {
    const KIND: &str = "state";
    let Some(folder) = state_folder(&environment) else {
        let message = format!("{NO_HOME}, so logins, lists of tools and known stores are not kept");
        return report.add(Check::warning(KIND, message).hint("set HOME"));
    };
    if folder.symlink_metadata().is_err() {
        return report.add(Check::fine(KIND, format!("{} is created when it is needed", folder.display())));
    }
    let folders = [folder.clone(), folder.join("logins"), folder.join("servers")];
    let files = [folder.join("trusted.json"), folder.join("decide.key")];
    let folders = folders.iter().filter(|path| path.exists()).map(|path| (path, owned::check_folder(path)));
    let check_file = |path: &Path| owned::open_to_read(path).and_then(|file| owned::check(&file, path, Guard::Secret));
    let files = files.iter().filter(|path| path.exists()).map(|path| (path, check_file(path)));
    let mut is_fine = true;
    for (path, checked) in folders.chain(files) {
        if let Err(error) = checked {
            is_fine = false;
            report.add(Check::failed(KIND, format!("{} cannot be used: {error}", path.display())))?;
        }
    }
    if is_fine {
        report.add(Check::fine(KIND, format!("{} belongs to you alone", folder.display())))?;
    }
    Ok(())
}

/// Runs a small program.
async fn check_sandbox(report: &mut Report) -> Result<()> {
    const KIND: &str = "sandbox";
    let started = now();
    let built = Isobox::builder().max_live(NonZeroU32::MIN).build();
    let isobox = match built {
        Ok(isobox) => isobox,
        Err(failure) => return report.add(Check::failure(KIND, failure)),
    };
    let outcome = isobox.run("return 6 * 7").await;
    let took = started.elapsed();
    report.add(match outcome {
        Outcome::Completed(completed) if completed.result == json!(42) => {
            Check::fine(KIND, "a program has run").took(took)
        }
        Outcome::Failed(failed) => Check::failure(KIND, failed.error).took(took),
        _ => Check::failed(KIND, "a program has run, and its result is wrong").took(took),
    })
}

/// Opens the store only to read, so that nothing in it changes, and looks whether it can be written.
async fn check_store(workspace: &Workspace, report: &mut Report) -> Result<()> {
    const KIND: &str = "store";
    let path = match &workspace.config().store {
        StoreConfig::Nowhere => return report.add(Check::fine(KIND, "none: executions end with their process")),
        StoreConfig::Sqlite(path) => Some(path.as_path()),
        StoreConfig::Postgres { .. } => None,
    };
    let started = now();
    // Opening checks its version and its key. Reading checks its tables and the rights of this user.
    let read = async { workspace.look().await?.executions(Filter::newest(1)).await };
    let read = tokio::time::timeout(PATIENCE, read).await;
    let took = started.elapsed();
    match read {
        Ok(Ok(_)) => {}
        Ok(Err(failure)) => return report.add(Check::failure(KIND, failure).took(took)),
        Err(_) => return report.add(Check::failed(KIND, "it cannot be read in time").took(took)),
    }
    let Some(path) = path else {
        return report.add(Check::fine(KIND, "the PostgreSQL database can be read").took(took));
    };
    // A new store is made in the nearest folder that exists, and SQLite makes files beside the database.
    let folders =
        path.ancestors().skip(1).map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let folder = folders.into_iter().find(|folder| folder.exists()).unwrap_or(Path::new("."));
    let wanted = [Some(folder), path.exists().then_some(path)];
    for place in wanted.into_iter().flatten() {
        if access(place, Access::WRITE_OK).is_err() {
            let check = Check::failed(KIND, format!("{} cannot be written", place.display())).took(took);
            return report.add(check.hint("change its permissions, or name another `store` in isobox.json"));
        }
    }
    let state = if path.exists() { "can be read and written" } else { "is created by the first program" };
    report.add(Check::fine(KIND, format!("{} {state}", path.display())).took(took))
}

/// Asks all servers and services for their tools at the same time. Each is reported when it has answered.
async fn check_connectors(workspace: &Workspace, report: &mut Report) -> Result<()> {
    const GLANCE: Duration = Duration::from_millis(50);
    let mut reported = BTreeSet::new();
    let ready = {
        let mut work = std::pin::pin!(workspace.ready());
        loop {
            let ready = tokio::select! {
                ready = &mut work => Some(ready),
                () = tokio::time::sleep(GLANCE) => None,
            };
            let connectors = workspace.connectors();
            let count = connectors.len();
            for (at, one) in connectors.into_iter().enumerate().filter(|(_, one)| one.took.is_some()) {
                if reported.insert(at) {
                    // The connector of `fetch` is the last one.
                    let fetch = workspace.config().fetch.as_ref().filter(|_| at + 1 == count);
                    let check = fetch.map_or_else(|| check_of(workspace.config(), one), check_fetch);
                    report.add(check)?;
                }
            }
            if let Some(ready) = ready {
                break ready;
            }
        }
    };
    match ready {
        Ok(ready) => {
            for warning in ready.isobox.warnings() {
                report.add(Check::warning("tools", warning))?;
            }
        }
        Err(failure) => report.add(Check::failure("tools", failure))?,
    }
    Ok(())
}

fn check_fetch(options: &WebOptions) -> Check {
    let (addresses, methods) = (options.allow.join(", "), options.methods.join(", "));
    Check::fine("fetch", format!("programs may request {} with {methods}", brief(&addresses, 500)))
}

fn check_of(config: &Config, connector: ConnectorReport) -> Check {
    let ConnectorReport { name, problem, offered, took, .. } = connector;
    let kind = if config.mcp_servers.contains_key(&name) { "server" } else { "service" };
    let check = match (problem, offered) {
        (Some(problem), _) => Check::failure(kind, problem.into()),
        (None, None | Some(0)) => Check::warning(kind, "it offers no tools").tools(0),
        (None, Some(1)) => Check::fine(kind, "1 tool").tools(1),
        (None, Some(count)) => Check::fine(kind, format!("{count} tools")).tools(count),
    };
    check.name(name).took(took)
}

#[expect(clippy::disallowed_methods, reason = "checks take real time")]
fn now() -> Instant {
    Instant::now()
}
