//! `isobox login` and `isobox logout`: logins to remote servers and to services.

use std::num::NonZeroU32;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};
use isobox::connector::LogIn;
use isobox::text::brief;
use isobox::workspace::{Freshness, Workspace};
use isobox::{Failure, json};

use crate::Exit;
use crate::arguments::LoginOptions;
use crate::outcome::Form;
use crate::setting::{Needs, Wanted, environment, read_config, workspace_options};
use crate::signals::EndSignals;
use crate::style::{print_error, print_json, print_laid_out, print_lines};
use crate::trust::Asks;

/// The change that a command makes to the login to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Begin,
    End,
}

pub(crate) fn change_login(options: &LoginOptions, change: Change) -> Result<Exit> {
    let wanted = Wanted {
        file: options.config.as_deref(),
        is_trusted: options.trust,
        needs: Needs::Servers,
        asks: Asks::Person,
    };
    let config = read_config(wanted)?;
    let workspace = Workspace::new(config, workspace_options(Freshness::Asked).max_live(NonZeroU32::MIN))?;
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    executor.block_on(async {
        let Some(server) = workspace.login_to(&options.name) else {
            let config = workspace.config();
            let names = config.mcp_servers.keys().chain(config.openapi.keys()).chain(config.graphql.keys());
            let names: Vec<&str> = names.map(String::as_str).collect();
            let known =
                if names.is_empty() { "it has none".to_owned() } else { format!("it has {}", names.join(", ")) };
            bail!("there is no server or service `{}` in the configuration; {known}", brief(&options.name, 100));
        };
        let mut signals = EndSignals::listen()?;
        let work = async {
            match change {
                Change::Begin => log_in(server, options).await,
                Change::End => log_out(server, options).await,
            }
        };
        let done = tokio::select! {
            done = work => done,
            signal = signals.next() => Ok(signal.end(Form::json_if(options.json))),
        };
        workspace.close().await;
        done
    })
}

async fn log_in(server: &dyn LogIn, options: &LoginOptions) -> Result<Exit> {
    let name = &options.name;
    let Some(needed) = server.login().await.map_err(Failure::from)? else {
        return tell(options, "notNeeded", &format!("`{name}` can be used as it is: no login is needed"));
    };
    let url = needed.url().unwrap_or_default();
    // It has to be copied whole.
    print_laid_out(&format!("Log in to `{name}` at:\n\n  {url}\n"));
    if !options.no_browser && open_browser(url) {
        print_error("It should be open in a browser now.");
    }
    print_error("Waiting for the login …");
    server.logged_in().await.map_err(Failure::from)?;
    // What was granted is tried at once.
    match server.login().await.map_err(Failure::from)? {
        None => tell(options, "loggedIn", &format!("logged in to `{name}`")),
        Some(_) => bail!("`{name}` does not accept the login that its authorization server granted"),
    }
}

async fn log_out(server: &dyn LogIn, options: &LoginOptions) -> Result<Exit> {
    let name = &options.name;
    let was_in = server.logout().await.map_err(Failure::from)?;
    match was_in {
        true => tell(options, "loggedOut", &format!("logged out of `{name}`")),
        false => tell(options, "notLoggedIn", &format!("there was no login to `{name}`")),
    }
}

fn tell(options: &LoginOptions, status: &str, text: &str) -> Result<Exit> {
    if options.json {
        print_json(&json!({ "name": options.name, "status": status }).to_string())?;
    } else {
        print_lines(text)?;
    }
    Ok(Exit::Completed)
}

/// Opens an address in the browser of this user. Returns whether there is one.
fn open_browser(url: &str) -> bool {
    let named = environment("BROWSER").filter(|command| !command.is_empty());
    let candidates = named.as_deref().into_iter().chain(["xdg-open", "open"]);
    candidates.into_iter().any(|command| {
        let started =
            Command::new(command).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        started.is_ok()
    })
}
