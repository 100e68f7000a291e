//! Programs whose preparation has to wait for that of others.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use isobox::driver::SandboxOptions;
use isobox::policy::{Action, Policy, Rule};
use isobox::program::{Answer, Prepared, Task};
use isobox::snippets::NewSnippet;
use isobox::store::memory_store;
use isobox::{BoxFuture, Code, Isobox, LoweredLimits, Principal, Program, Run};
use isobox_core::driver::{Error, ErrorKind};
use isobox_core::{Ability, Driver, Instance, Snapshot, StartOptions};
use isobox_sandbox::Sandbox;

/// Longer than anything waits.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// The snippet that is not prepared.
const SNIPPET: &str = "return 'the snippet'";

/// A driver that answers only these tasks.
struct Occupied {
    sandbox: Sandbox,
    answers: fn(&Task<'_>) -> bool,
    others: Others,
}

/// What becomes of other tasks.
#[derive(Clone, Copy)]
enum Others {
    /// They wait for other programs for ever.
    Wait,
    /// They take too many resources.
    Refused,
}

impl Driver for Occupied {
    fn prepare<'a>(&'a self, task: Task<'a>) -> BoxFuture<'a, Result<Answer, Error>> {
        if (self.answers)(&task) {
            return self.sandbox.prepare(task);
        }
        match self.others {
            Others::Wait => Box::pin(std::future::pending()),
            Others::Refused => {
                let error = Error::new(ErrorKind::Excessive("time"), "the program takes too long to be read");
                Box::pin(std::future::ready(Err(error)))
            }
        }
    }

    fn start(&self, program: Arc<Prepared>, options: StartOptions) -> BoxFuture<'_, Result<Box<dyn Instance>, Error>> {
        self.sandbox.start(program, options)
    }

    fn restore<'a>(
        &'a self,
        snapshot: &'a Snapshot,
        options: StartOptions,
    ) -> BoxFuture<'a, Result<Box<dyn Instance>, Error>> {
        self.sandbox.restore(snapshot, options)
    }

    fn image(&self) -> &str {
        self.sandbox.image()
    }

    fn can(&self, ability: Ability) -> bool {
        self.sandbox.can(ability)
    }
}

fn occupied(answers: fn(&Task<'_>) -> bool) -> Arc<dyn Driver> {
    driver(answers, Others::Wait)
}

fn driver(answers: fn(&Task<'_>) -> bool, others: Others) -> Arc<dyn Driver> {
    let instances = NonZeroU32::new(2).expect("it is not zero");
    let sandbox = Sandbox::new(SandboxOptions::default().instances(instances)).expect("a sandbox");
    Arc::new(Occupied { sandbox, answers, others })
}

fn nothing(_: &Task<'_>) -> bool {
    false
}

/// Whether a task is not to look for calls.
fn unchecked(task: &Task<'_>) -> bool {
    match task {
        Task::Prepare(preparation) => preparation.namespaces.is_none(),
        Task::Explain(_) | Task::Mask(_) | Task::Link(_) => true,
    }
}

/// Whether a task is to prepare a program that is not the snippet.
fn programs(task: &Task<'_>) -> bool {
    match task {
        Task::Prepare(preparation) => preparation.program.files().values().all(|text| !text.contains(SNIPPET)),
        Task::Explain(_) | Task::Mask(_) | Task::Link(_) => false,
    }
}

#[tokio::test(start_paused = true)]
async fn a_program_waits_for_the_preparation_of_others_no_longer_than_it_may_take() {
    let isobox = Isobox::builder().driver(occupied(nothing)).build().expect("a runtime");
    let limits = LoweredLimits::default().timeout(Duration::from_millis(50));
    let run = isobox.run(Run::from("return 1").limits(limits));
    let outcome = tokio::time::timeout(DAY, run).await.expect("it does not wait for ever");
    assert_eq!(outcome.into_result().expect_err("it is not prepared").code, Code::Busy);
}

#[tokio::test]
async fn a_program_for_which_checking_takes_too_much_runs_unchecked() {
    let isobox = Isobox::builder().driver(driver(unchecked, Others::Refused)).build().expect("a runtime");
    assert_eq!(isobox.run("return 1").await.into_result().expect("it completes"), 1);
    let isobox = Isobox::builder().driver(driver(nothing, Others::Refused)).build().expect("a runtime");
    let failure = isobox.run("return 1").await.into_result().expect_err("it cannot be prepared");
    assert_eq!((failure.code, failure.message.as_str()), (Code::Syntax, "the program takes too long to be read"));
}

#[tokio::test(start_paused = true)]
async fn what_the_engine_refuses_is_explained_no_longer_than_the_program_may_take() {
    let isobox = Isobox::builder().driver(occupied(programs)).build().expect("a runtime");
    let run = isobox.run("const re = /(/;\nreturn re");
    let outcome = tokio::time::timeout(DAY, run).await.expect("it does not wait for ever");
    let failure = outcome.into_result().expect_err("the engine refuses it");
    assert_eq!((failure.code, failure.line), (Code::Syntax, None), "the engine says no more: {failure}");
}

#[tokio::test(start_paused = true)]
async fn a_snippet_is_prepared_no_longer_than_the_program_that_runs_it_may_take() {
    let store = memory_store();
    let keeps = Isobox::builder().store(Arc::clone(&store)).build().expect("a runtime");
    let new = NewSnippet::new("slow", Program::single(SNIPPET));
    keeps.snippets().expect("a store").put(new, Principal::host()).await.expect("it is saved");
    let isobox = Isobox::builder().driver(occupied(programs)).store(store).build().expect("a runtime");
    let timeout = Duration::from_secs(10);
    let run = isobox.run(Run::from("return codemode.run('slow')").limits(LoweredLimits::default().timeout(timeout)));
    let outcome = tokio::time::timeout(timeout + Duration::from_secs(1), run).await.expect("it is over in time");
    assert_eq!(outcome.into_result().expect_err("the snippet is not prepared").code, Code::Timeout);
}

#[tokio::test(start_paused = true)]
async fn a_program_that_is_not_masked_in_time_is_hidden() {
    let redacted = Rule::new(vec!["*".parse().expect("a pattern")], Action::Redact(vec!["/password".to_owned()]));
    let builder = Isobox::builder().driver(occupied(programs)).policy(Policy::new(vec![redacted]));
    let isobox = builder.build().expect("a runtime");
    let program = Program::single("return 'secret'\n");
    let shown = tokio::time::timeout(DAY, isobox.shown(&program)).await.expect("it does not wait for ever");
    assert_eq!(shown, Program::single("****** ********\n"));
}
