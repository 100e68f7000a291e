//! `isobox sessions`: the sessions whose globals programs use.

use std::num::NonZeroU32;

use anyhow::{Context, Result};
use isobox::sessions::{SessionInfo, SessionVersion, Sessions};
use isobox::text::brief;
use isobox::workspace::{Freshness, Workspace};
use isobox::{ByteSize, Code, Failure, Timestamp, json};

use crate::Exit;
use crate::arguments::{SessionsCommand, SessionsOptions};
use crate::executions::moment::date_and_time;
use crate::rows::Columns;
use crate::setting::{Needs, Wanted, reach_store, read_config_and_store, workspace_options};
use crate::style::{Colours, Look, print_drawn, print_error, print_json, width_of_terminal};
use crate::table::{Layout, Row};
use crate::trust::Asks;

pub(crate) fn sessions(options: &SessionsOptions) -> Result<Exit> {
    let wanted =
        Wanted { file: options.config.as_deref(), is_trusted: options.trust, needs: Needs::Store, asks: Asks::Person };
    let config = read_config_and_store(wanted, options.store.as_deref())?;
    if !config.store.keeps_executions() {
        return Err(Failure::new(Code::Config, "sessions need a store, and none is configured")
            .hint("name the configuration with --config, or the store with --store")
            .into());
    }
    let own = workspace_options(Freshness::Kept).max_live(NonZeroU32::MIN);
    let workspace = Workspace::with_tools(config, own, || Ok(Vec::new()))?;
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    executor.block_on(async {
        let isobox = reach_store(&workspace).await?;
        let exit = answer(isobox.sessions(), options).await;
        workspace.close().await;
        exit
    })
}

async fn answer(sessions: &Sessions, options: &SessionsOptions) -> Result<Exit> {
    match &options.command {
        SessionsCommand::List { limit, after } => {
            let found = sessions.list(after, *limit).await?;
            if options.json {
                print_json(&json!({ "sessions": found }).to_string()).context("cannot write the list")?;
            } else if found.is_empty() {
                print_error("there are no sessions: run a program with --session NAME --globals");
            } else {
                print_drawn(&Columns::of_standard_output().broken(&draw_list(&found)))
                    .context("cannot write the list")?;
            }
            return Ok(if found.is_empty() { Exit::Failed } else { Exit::Completed });
        }
        SessionsCommand::Show { name } => tell(&sessions.get(name).await?, options)?,
        SessionsCommand::Fork { name, new, version } => tell(&sessions.fork(name, *version, new).await?, options)?,
        SessionsCommand::Rewind { name, version } => tell(&sessions.rewind(name, *version).await?, options)?,
        SessionsCommand::Delete { name } => {
            sessions.delete(name).await?;
            if options.json {
                print_json(&json!({ "deleted": name }).to_string()).context("cannot write the answer")?;
            } else {
                print_error(&format!("deleted {}", brief(name, 200)));
            }
        }
    }
    Ok(Exit::Completed)
}

fn tell(session: &SessionInfo, options: &SessionsOptions) -> Result<()> {
    let text = if options.json {
        serde_json::to_string(session)?
    } else {
        Columns::of_standard_output().broken(&draw(session))
    };
    let written = if options.json { print_json(&text) } else { print_drawn(&text) };
    written.context("cannot write the session")
}

fn draw_list(sessions: &[SessionInfo]) -> String {
    let row = |session: &SessionInfo| {
        let last = session.versions.last();
        Row::from([
            brief(&session.name, 60),
            last.map(|version| version.number.to_string()).unwrap_or_default(),
            last.map(|version| size(version.bytes)).unwrap_or_default(),
            moment(session.used),
            session.used_by.as_ref().map(ToString::to_string).unwrap_or_default(),
        ])
    };
    draw_rows(["SESSION", "VERSION", "SIZE", "USED", "IN USE BY"], &sessions.iter().map(row).collect::<Vec<_>>())
}

fn draw(session: &SessionInfo) -> String {
    let SessionInfo { name, owner, used, used_by, versions, .. } = session;
    let mut lines = vec![format!("session {}, of {}, last used {}", brief(name, 200), brief(owner, 80), moment(*used))];
    lines.extend(used_by.iter().map(|id| format!("in use by {id}")));
    let row = |SessionVersion { number, by, at, bytes, .. }: &SessionVersion| {
        Row::from([number.to_string(), size(*bytes), moment(*at), by.to_string()])
    };
    let rows: Vec<Row<4>> = versions.iter().map(row).collect();
    lines.push(draw_rows(["VERSION", "SIZE", "KEPT", "LEFT BY"], &rows));
    lines.join("\n")
}

fn draw_rows<const N: usize>(header: [&'static str; N], rows: &[Row<N>]) -> String {
    let mut looks = [None; N];
    looks[0] = Some(Look::Strong);
    let (width, colours) = (width_of_terminal(), Colours::of_standard_output());
    Layout { header: Some(header), looks, cut: 0, width, colours }.draw(rows)
}

fn size(bytes: usize) -> String {
    ByteSize::bytes(bytes as u64).to_string()
}

fn moment(at: Timestamp) -> String {
    format!("{} UTC", date_and_time(at))
}
