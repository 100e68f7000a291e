//! The runtime and the run of a case.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};
use isobox::calls::CallDetails;
use isobox::config::Config;
use isobox::store::Store;
use isobox::store::Timing;
use isobox::tools::Catalogue;
use isobox::{Builder, CancellationToken, ExecutionId, Failure, Isobox, Outcome, Principal, Run, Tool, demo};

use crate::web::web_tools;
use crate::{Case, SpecCapacity, World, compare, spec_tools};

/// Returns the tools of all cases.
pub fn all_tools() -> Result<Vec<Tool>, Failure> {
    Ok(demo::tools()?.into_iter().chain(spec_tools()?).collect())
}

/// Returns a durable runtime for one case. The world records the effects of its tools.
pub(crate) fn keeping_runtime(case: &Case, store: Arc<dyn Store>, world: &World) -> Result<Builder, String> {
    let text = |failure: Failure| failure.to_string();
    let config = case.config()?;
    let config = Config::parse(config.as_deref().unwrap_or("{}"), &|_| None).map_err(|error| error.to_string())?;
    let mut catalogue = Catalogue::builder();
    for (path, settings) in config.tools {
        catalogue.settings(path, settings);
    }
    let is_there = |tool: &Tool| case.missing.iter().all(|missing| *missing != tool.path().as_str());
    for tool in all_tools().map_err(text)?.into_iter().filter(is_there) {
        catalogue.tool(world.watch(tool)).map_err(text)?;
    }
    for tool in config.fetch.map(web_tools).transpose()?.into_iter().flatten() {
        catalogue.tool(world.watch(tool)).map_err(text)?;
    }
    let builder = Isobox::builder()
        .limits(config.limits)
        .region(config.region)
        .policy(config.policy)
        .validation(config.validation)
        .checks(config.checks)
        .rules(config.rules)
        .modules(case.modules()?)
        .snippets(config.snippets)
        .catalogue(catalogue.build())
        .store(store)
        // No process is slow here: it is either alive or dead.
        .timing(Timing::default().doubt(Duration::ZERO))
        .max_live(NonZeroU32::MIN);
    Ok(match case.approver()? {
        Some(person) => builder.approver(person),
        None => builder,
    })
}

/// Compares the failure of a runtime that cannot be built with the expectations of its case.
pub fn compare_refusal(case: &Case, built: Result<(), Failure>) -> Result<(), String> {
    match built {
        Ok(()) => Err("the runtime was built".to_owned()),
        Err(failure) => compare(case, &Outcome::refused(ExecutionId::new(0, 0), failure)),
    }
}

/// Returns the run that a case asks for.
pub fn run_of(case: &Case, caller: &CancellationToken) -> Result<Run, String> {
    let details = CallDetails::default().inputs(case.header.inputs);
    let run = Run::new(case.program()?).limits(case.header.limits.lowered()?).cancelled_by(caller.clone());
    let run = run.details(details).principal(Principal::host().with_roles(case.header.roles.iter().cloned()));
    Ok(match case.header.seed {
        Some(seed) => run.seed(seed),
        None => run,
    })
}

/// Runs in a separate runtime that other executions already use.
pub async fn run_among_others(builder: Builder, run: Run, capacity: &SpecCapacity) -> Result<Outcome, String> {
    let isobox =
        builder.max_live(capacity.live).queue(capacity.queue).build().map_err(|failure| failure.to_string())?;
    let mut others = FuturesUnordered::new();
    for number in 1..=capacity.occupants {
        let mut occupant = Box::pin(isobox.run(capacity.occupant.as_str()));
        // Polled only until the occupant has its place, so that it does not end before the case starts, however slow
        // the machine is.
        while isobox.capacity().usage().live + isobox.capacity().usage().queued < number {
            if futures_util::poll!(&mut occupant).is_ready() {
                return Err("an occupant ended before the case came".to_owned());
            }
        }
        others.push(occupant);
    }
    let mut run = std::pin::pin!(isobox.run(run));
    loop {
        tokio::select! {
            outcome = &mut run => return Ok(outcome),
            Some(_) = others.next() => {}
        }
    }
}

/// Cancels after the given number of polls, if any.
pub async fn cancel_after_polls<T>(
    polls: Option<u32>,
    token: &CancellationToken,
    execution: impl Future<Output = T>,
) -> T {
    let mut execution = std::pin::pin!(execution);
    let mut polled = 0;
    std::future::poll_fn(|context| {
        if polls == Some(polled) {
            token.cancel();
        }
        let poll = execution.as_mut().poll(context);
        polled += 1;
        if polls == Some(polled) {
            token.cancel();
        }
        poll
    })
    .await
}
