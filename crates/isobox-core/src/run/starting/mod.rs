//! Starts a new execution: prepares its source, starts the program in the sandbox, and begins its journal.

pub(crate) mod restoration;
pub(super) mod resuming;
pub(super) mod revival;

use std::borrow::Cow;
use std::sync::Arc;

use crate::checks::{self, Checked, check_program, failure, separate};
use crate::driver::{self, ErrorKind};
use crate::durable::journaling::Journaling;
use crate::durable::keeper::Held;
use crate::durable::recorder::{JournalPosition, Recorder};
use crate::durable::tenure::TenureNumber;
use crate::journal::{Beginning, encode_beginning};
use crate::program::Prepared;
use crate::run::host::own_tools::recorded;
use crate::run::host::setting::Setting;
use crate::run::host::{Durability, Execution, keeps_nothing};
use crate::run::run_loop::RunLoop;
use crate::run::waiting::location::Live;
use crate::store::{Lease, NewExecution};
use crate::text::brief;
use crate::{Code, ConflictKind, Failure, Keeper, Right, Timestamp};

/// Starts an execution. When this returns, the program has not run yet. If this fails, nothing is stored.
pub(super) async fn start(setting: Setting<'_>) -> Result<RunLoop<'_>, Failure> {
    let Setting { host, execution, .. } = setting;
    let Execution { program, limits, principal, region, .. } = execution;
    principal.require(Right::Run)?;
    host.driver.check_region(region)?;
    let size = program.source_size();
    if !limits.source.holds(size) {
        let message = format!("the program is {size} bytes, and the limit is {}", limits.source);
        return Err(Failure::new(Code::SourceTooLarge, message)
            .hint("keep data out of the program: fetch it with a tool instead")
            .detail("limit", limits.source.get())
            .detail("size", size));
    }
    let globals = host.globals();
    let (prepared, warnings) = check(setting, &globals).await?;
    let prepared = Arc::new(prepared);
    let permit = host.admit(limits.timeout).await?;
    let started = host.start(Arc::clone(&prepared), execution.start_options(&globals, &permit)).await;
    let instance = started.map_err(|error| unusable_session(execution, error))?;
    let created = host.clock.now();
    let journal = match execution.durability {
        Durability::Nothing => Journaling::Off,
        Durability::Journal => Journaling::on(begin_journal(setting, created, &prepared, &globals, &warnings)?),
    };
    let run = RunLoop::new(setting, (prepared, globals), Live::new(instance, permit), journal);
    Ok(RunLoop { warnings, created, ..run })
}

/// Explains why the globals of a session cannot be used, if that is the reason.
fn unusable_session(execution: &Execution, error: driver::Error) -> Failure {
    let has_globals = execution.used_globals().is_some();
    match (error.kind, &execution.session) {
        (ErrorKind::Snapshot, Some(session)) if has_globals => {
            let message = format!("the session `{}` cannot be used here: {error}", brief(session, 80));
            Failure::conflict(ConflictKind::Incompatible, message).hint(
                "nothing is lost: run the program with the version of Isobox that kept the session, rewind it, or delete it",
            )
        }
        _ => error.into(),
    }
}

/// Prepares the program, and checks it before anything runs. Returns the program and the warnings about it.
async fn check(setting: Setting<'_>, globals: &[String]) -> Result<(Prepared, Vec<String>), Failure> {
    let Setting { host, execution, .. } = setting;
    let checks = execution.checks.unwrap_or(host.checks);
    let roles = execution.principal.roles();
    // A program of the same session may have put something else in the place of a namespace.
    let globals = if execution.used_globals().is_some() { &[] } else { globals };
    let Checked { program, findings } =
        check_program(host, &execution.program, (checks, globals), roles, execution.limits.timeout).await?;
    let (errors, warnings) = separate(findings, checks);
    match failure(errors) {
        Some(failure) => Err(failure),
        None => Ok((program, checks::warnings(&warnings))),
    }
}

fn begin_journal(
    setting: Setting<'_>,
    created: Timestamp,
    prepared: &Prepared,
    globals: &[String],
    warnings: &[String],
) -> Result<Recorder, Failure> {
    let Setting { host, execution, .. } = setting;
    let Some(keeper) = &host.keeper else { return Err(keeps_nothing()) };
    let Keeper { store, node, .. } = keeper;
    let Execution { id, seed, program, limits, principal, label, details, session, tools, region, .. } = execution;
    let beginning = Beginning {
        owner: Some(principal.name().to_owned()),
        roles: principal.roles().into(),
        session: session.as_deref().map(str::to_owned),
        details: *details,
        function: label.function.clone(),
        program: Cow::Borrowed(program),
        prepared: Cow::Borrowed(prepared),
        image: host.driver.image().into(),
        limits: Cow::Borrowed(limits),
        seed: *seed,
        namespaces: globals.into(),
        tools: recorded(tools)?.into(),
        region: region.clone(),
        created,
        node: Some(Cow::Borrowed(&node.0)),
        forked_from: None,
        warnings: warnings.into(),
        globals: execution.used_globals().cloned(),
    };
    let beginning = encode_beginning(store.key(), id, &beginning)?;
    let (lease, presence) = (Lease::first(id, node), keeper.enter(id)?);
    let held = Held { lease, presence, proved: TenureNumber::default() };
    let place = JournalPosition::first(&beginning);
    let mut recorder = Recorder::new(keeper, held, Arc::clone(&host.clock), limits, execution.caption(), place);
    let head = recorder.head();
    recorder.create(NewExecution { created, beginning, head });
    Ok(recorder)
}
