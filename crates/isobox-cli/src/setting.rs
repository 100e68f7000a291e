//! The configuration that a command works with, and what people are told while its servers start.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use isobox::config::Config;
use isobox::{Failure, Ready, Workspace, without_escapes};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::style::{Colours, Look, print_error};

/// What is read where no other file is named.
const DEFAULT_FILE: &str = "isobox.json";

/// What the file says that was named, or `isobox.json` of this folder, or nothing at all.
pub(crate) fn read_config(file: Option<&Path>) -> Result<Config> {
    #[expect(clippy::disallowed_methods, reason = "this is where the environment enters")]
    let environment = |name: &str| std::env::var(name).ok();
    let file = match file {
        Some(file) => file.to_owned(),
        None if Path::new(DEFAULT_FILE).exists() => PathBuf::from(DEFAULT_FILE),
        None => return Ok(Config::default()),
    };
    let config = match Config::read(&file, &environment) {
        Ok(config) => config,
        Err(error) => bail!("{error}"),
    };
    for warning in &config.warnings {
        warn(warning);
    }
    Ok(config)
}

/// Starts the servers of a workspace, and says what becomes of them.
pub(crate) async fn start(workspace: &Workspace) -> Result<Ready, Failure> {
    let count = workspace.config().mcp_servers.len();
    let is_watched = Colours::of_standard_error() == Colours::On;
    if count > 0 && is_watched {
        print_error(&Colours::On.paint(Look::Faint, &format!("starting {count} servers …")));
    }
    let ready = workspace.ready().await?;
    tell(&ready);
    Ok(ready)
}

/// What is missing from a workspace, and why.
pub(crate) fn tell(ready: &Ready) {
    for problem in ready.problems.iter() {
        warn(&problem.message);
        if let Some(hint) = &problem.hint {
            print_error(&format!("  {}", without_escapes(hint)));
        }
    }
    for warning in ready.isobox.catalogue().warnings() {
        warn(warning);
    }
}

/// The signals that ask us to end. Servers are children: without listening for these they would outlive us.
pub(crate) struct EndSignals([Signal; 3]);

impl EndSignals {
    /// From now on they do not end the process by themselves.
    pub(crate) fn listen() -> Result<Self> {
        let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
        let [terminate, interrupt, hang_up] = kinds.map(signal);
        Ok(Self([terminate?, interrupt?, hang_up?]))
    }

    /// Waits for the next one.
    pub(crate) async fn next(&mut self) {
        let [terminate, interrupt, hang_up] = &mut self.0;
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hang_up.recv() => {}
        }
    }
}

pub(crate) fn warn(text: &str) {
    let colours = Colours::of_standard_error();
    print_error(&format!("{} {}", colours.paint(Look::Warning, "warn:"), without_escapes(text)));
}
