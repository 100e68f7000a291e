//! Starts a new execution: prepares its source, starts the program in the sandbox, and begins its journal.

use std::borrow::Cow;
use std::sync::Arc;

use crate::durable::journaling::Journaling;
use crate::durable::recorder::{Held, JournalPosition, Recorder};
use crate::durable::tenure::TenureNumber;
use crate::journal::{Beginning, encode_beginning};
use crate::program::{Prepared, prepare};
use crate::run::host::{Durability, Execution, keeps_nothing};
use crate::run::location::Live;
use crate::run::own_tools::recorded;
use crate::run::run_loop::RunLoop;
use crate::run::setting::Setting;
use crate::store::{Lease, NewExecution};
use crate::{Code, Failure, Keeper, Right};

/// Starts an execution. When this returns, the program has not run yet. If this fails, nothing is stored.
pub(super) async fn start(setting: Setting<'_>) -> Result<RunLoop<'_>, Failure> {
    let Setting { host, execution, .. } = setting;
    let Execution { program, limits, principal, region, .. } = execution;
    principal.require(Right::Run)?;
    host.driver.check_region(region).map_err(|reason| Failure::new(Code::Config, reason))?;
    let size = program.source_size();
    if !limits.source.holds(size) {
        let message = format!("the program is {size} bytes, and the limit is {}", limits.source);
        return Err(Failure::new(Code::SourceTooLarge, message)
            .hint("keep data out of the program: fetch it with a tool instead")
            .detail("limit", limits.source.get())
            .detail("size", size));
    }
    let prepared = Arc::new(prepare(&*host.driver, program).await?);
    let permit = host.admit(limits.timeout).await?;
    let globals = host.globals();
    let instance = host.start(Arc::clone(&prepared), execution.start_options(&globals, &permit)).await?;
    let journal = match execution.durability {
        Durability::Nothing => Journaling::Off,
        Durability::Journal => Journaling::on(begin_journal(setting, &prepared, &globals)?),
    };
    Ok(RunLoop::new(setting, (prepared, globals), Live::new(instance, permit), journal))
}

fn begin_journal(setting: Setting<'_>, prepared: &Prepared, globals: &[String]) -> Result<Recorder, Failure> {
    let Setting { host, execution, .. } = setting;
    let Some(keeper) = &host.keeper else { return Err(keeps_nothing()) };
    let Keeper { store, node, .. } = keeper;
    let Execution { id, seed, program, limits, principal, label, details, session, tools, region, .. } = execution;
    let created = host.clock.now();
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
