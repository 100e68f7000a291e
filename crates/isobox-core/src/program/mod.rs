//! Programs, which the driver prepares inside its sandbox.

mod checks;
mod modules;

use std::borrow::Cow;
use std::time::Duration;

pub use isobox_program::{
    About, Answer, Extent, Fault, FaultKind, FaultPlace, Handling, Import, Interface, Kind, LinkedModule, Literal,
    Module, ModuleSource, Name, Place, Preparation, Prepared, PreparedFile, Program, Promised, Reach, Read, Refused,
    Rules, SYNTAX, SeenCall, Segment, Stance, Survey, Surveyed, SyntaxRule, Task, Violation, WrongRule,
};

pub use checks::Checks;
pub use modules::Modules;
pub(crate) use modules::with_modules;

use crate::run::waiting::until;
use crate::{Clock, Code, Driver, Failure};

/// The maximum time in which a program is masked. Programs of others may be prepared before.
const MAX_MASKING: Duration = Duration::from_secs(30);

/// Prepares a program for running.
///
/// # Errors
///
/// `SYNTAX`, with the place in the author's text, if the text is not a program, or if parsing it takes too much time,
/// memory or stack. `BUSY` if the driver has no capacity.
pub async fn prepare(driver: &dyn Driver, program: &Program) -> Result<Prepared, Failure> {
    Ok(survey(driver, Preparation::new(program), &Modules::default()).await?.program)
}

/// Prepares a program with the modules that it imports, and surveys it.
///
/// # Errors
///
/// As [`prepare`].
pub async fn survey(
    driver: &dyn Driver,
    mut preparation: Preparation<'_>,
    modules: &Modules,
) -> Result<Surveyed, Failure> {
    preparation.modules = Cow::Borrowed(modules.interfaces());
    match driver.prepare(Task::Prepare(preparation)).await? {
        Answer::Prepared(mut surveyed) => {
            modules.add_to(&mut surveyed.program);
            Ok(surveyed)
        }
        Answer::Fault(fault) => Err(fault.into()),
        Answer::Masked(_) | Answer::Linked(_) => {
            Err(Failure::new(Code::Internal, "the driver has done something else with the program"))
        }
    }
}

/// Returns the program for readers who must not see the values that a policy redacts: its literals and comments are
/// masked, and every character keeps its line and column. If that is impossible, or takes longer than 30 s because others
/// are prepared before, only white space is shown.
pub async fn without_literals(driver: &dyn Driver, clock: &dyn Clock, program: &Program) -> Program {
    let limit = clock.elapsed().saturating_add(MAX_MASKING);
    match until(clock, limit, driver.prepare(Task::Mask(Cow::Borrowed(program)))).await {
        Some(Ok(Answer::Masked(masked))) => masked,
        Some(Ok(Answer::Prepared(_) | Answer::Fault(_) | Answer::Linked(_)) | Err(_)) | None => {
            let hidden = |character: char| if character.is_whitespace() { character } else { '*' };
            program.map_sources(|source| source.chars().map(hidden).collect())
        }
    }
}

/// Explains what is wrong with a program that the engine refused, and where.
pub(crate) async fn explain(driver: &dyn Driver, refused: Refused) -> Failure {
    let said = Failure::new(Code::Syntax, refused.message.clone());
    match driver.prepare(Task::Explain(Cow::Owned(refused))).await {
        Ok(Answer::Fault(fault)) => fault.into(),
        // The engine has refused the program nevertheless.
        Ok(Answer::Prepared(_) | Answer::Masked(_) | Answer::Linked(_)) | Err(_) => said,
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        let Fault { kind, message, place, hint } = fault;
        let code = match kind {
            FaultKind::Syntax => Code::Syntax,
            FaultKind::Config => Code::Config,
        };
        let mut failure = Self::new(code, message);
        if let Some(FaultPlace { file, line, column, source }) = place {
            failure = failure.at(line, column).detail("file", file).detail("source", source);
        }
        failure.hint = hint;
        failure
    }
}
