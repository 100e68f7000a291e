//! Turns source text into code that the engine runs, and keeps the author's lines and columns.
//!
//! Each file is parsed, and its types are overwritten with spaces. The program is not printed anew, so that most positions
//! in the code are also positions in the author's text. Where text is inserted, or where syntax takes more than erasing
//! (`lower/`), [`Segment`]s map the positions.
//!
//! The front end does not bound its own time, memory or stack. The sandbox in which it runs does.

mod brackets;
mod compose;
mod declarations;
mod diagnose;
mod erase;
mod fence;
mod graph;
mod hint;
mod host_modules;
mod intent;
mod link;
mod lower;
mod mask;
mod modules;
mod packages;
mod parse;
mod resolve;
mod review;
mod shape;
mod survey;
mod text;
mod trivia;
mod types;
mod unit;

use crate::{
    Answer, Fault, FaultPlace, Import, Kind, LinkedModule, Module, Place, Preparation, Prepared, PreparedFile, Program,
    Refused, Segment, Surveyed, Task,
};

/// Answers one task. The preparer in the sandbox calls this function.
pub fn answer(task: &Task<'_>) -> Answer {
    match task {
        Task::Prepare(preparation) => survey(preparation).map_or_else(Answer::Fault, Answer::Prepared),
        Task::Explain(refused) => Answer::Fault(explain(refused)),
        Task::Mask(program) => Answer::Masked(mask::masked_program(program)),
        Task::Link(modules) => link(modules).map_or_else(Answer::Fault, Answer::Linked),
    }
}

/// Prepares a program, so that the engine can run it.
///
/// # Errors
///
/// Returns a syntax fault with the place in the author's text.
pub fn prepare(program: &Program) -> Result<Prepared, Fault> {
    Ok(survey(&Preparation::new(program))?.program)
}

/// Prepares a program, and looks for its tool calls and for violations of rules.
///
/// # Errors
///
/// Returns a syntax fault with the place in the author's text.
pub fn survey(preparation: &Preparation<'_>) -> Result<Surveyed, Fault> {
    link::prepare(preparation)
}

/// Prepares the modules of the host, so that programs can import them.
///
/// # Errors
///
/// Returns a fault with the module as its file: a syntax fault, or a configuration fault if modules import each other in a
/// circle or import what there is not.
pub fn link(modules: &[Module]) -> Result<Vec<LinkedModule>, Fault> {
    host_modules::link(modules)
}

/// Explains why the engine refused a program that the front end had accepted.
pub fn explain(refused: &Refused) -> Fault {
    review::refused(refused)
}
