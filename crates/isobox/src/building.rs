//! The steps of building a runtime.

use std::num::NonZeroU32;
use std::sync::Arc;

use isobox_core::program::Rules;
use isobox_core::snippets::MOST_AT_ONCE;
use isobox_core::{Ability, ByteSize, Catalogue, Code, Driver, Failure, Tool};
use isobox_sandbox::{Sandbox, SandboxOptions};

use crate::system;

/// Refuses rules that mean nothing.
pub(crate) fn check_rules(rules: &Rules) -> Result<(), Failure> {
    if rules.list().len() > Rules::MAXIMUM {
        let message = format!("there are more than {} rules over the syntax", Rules::MAXIMUM);
        return Err(Failure::new(Code::Config, message));
    }
    for (index, rule) in rules.list().iter().enumerate() {
        rule.check().map_err(|wrong| {
            let message = format!("rule {} over the syntax {wrong}", index + 1);
            Failure::new(Code::Config, message)
        })?;
    }
    Ok(())
}

/// Returns the given catalogue, or one of the tools. Nothing can be added to a catalogue, because it never changes.
pub(crate) fn only_catalogue(mut given: Vec<Catalogue>, tools: Vec<Tool>) -> Result<Catalogue, Failure> {
    let excess = match (given.len(), tools.len()) {
        (0, _) => {
            let mut builder = Catalogue::builder();
            tools.into_iter().try_for_each(|tool| builder.tool(tool))?;
            return Ok(builder.build());
        }
        (1, 0) => return Ok(given.remove(0)),
        (1, _) => "single tools and a catalogue".to_owned(),
        (catalogues, _) => format!("{catalogues} catalogues"),
    };
    let message = format!("the builder has {excess}, and a catalogue cannot change");
    let hint = "add all tools to the builder of one catalogue, with `CatalogueBuilder::tool`";
    Err(Failure::new(Code::Config, message).hint(hint))
}

/// Creates the sandbox for this many live executions.
pub(crate) fn sandbox_for(live: u32, options: SandboxOptions) -> Result<Arc<dyn Driver>, Failure> {
    // Ended instances keep their slots for a tick or two.
    let spare = (live / 4).clamp(8, 256);
    // An execution that is alone can run all of its snippets, so that one that was interrupted for want of a place goes on
    // when it is resumed. An instance that is not used takes address space only.
    let instances = live
        .checked_add(spare + MOST_AT_ONCE)
        .and_then(NonZeroU32::new)
        .ok_or_else(|| Failure::new(Code::Config, format!("{live} live executions are more than possible")))?;
    Ok(Arc::new(Sandbox::shared(options.instances(instances))?))
}

/// Lists the limits that a driver does not enforce.
pub(crate) fn unenforced(driver: &dyn Driver) -> impl Iterator<Item = String> {
    let limits = [
        (Ability::CpuTime, "processor time: only the time-out ends a program that computes"),
        (Ability::MemoryLimit, "memory"),
    ];
    limits
        .into_iter()
        .filter(|(ability, _)| !driver.can(*ability))
        .map(|(_, limit)| format!("the driver does not limit {limit}"))
}

/// Returns half of the memory that is available, or 2 GiB if the system does not tell.
pub(crate) fn half_of_free_memory() -> ByteSize {
    let available = system::available_memory();
    available.map_or(ByteSize::mib(2048), |bytes| ByteSize::bytes(bytes / 2))
}
