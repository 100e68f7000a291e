//! Turns the text that a model wrote into code that the engine runs, without moving what the author wrote.
//!
//! A program is parsed once. Types are overwritten with spaces instead of printing the program anew, so that a line and
//! column of what runs is a line and column of what was written; only where text has to be put in, or where a file uses
//! syntax that takes more than erasing (`lower/`), do [`Segment`]s say where positions come from.
//!
//! Nothing here bounds its own time, memory or stack: the sandbox that it runs in does.

mod brackets;
mod compose;
mod diagnose;
mod erase;
mod fence;
mod hint;
mod link;
mod lower;
mod mask;
mod modules;
mod resolve;
mod review;
mod shape;
mod text;
mod trivia;
mod unit;

use crate::{Answer, Fault, FaultPlace, Import, Kind, Place, Prepared, PreparedFile, Program, Refused, Segment, Task};

/// Answers one task, as the preparer in the sandbox does.
pub fn answer(task: &Task<'_>) -> Answer {
    match task {
        Task::Prepare(program) => prepare(program).map_or_else(Answer::Fault, Answer::Prepared),
        Task::Explain(refused) => Answer::Fault(explain(refused)),
        Task::Mask(program) => Answer::Masked(mask::masked_program(program)),
    }
}

/// Makes a program ready to run.
///
/// # Errors
///
/// A syntax fault with the place in the author's text.
pub fn prepare(program: &Program) -> Result<Prepared, Fault> {
    link::prepare(program)
}

/// Says what is wrong with a program that only the engine refused, and where.
pub fn explain(refused: &Refused) -> Fault {
    review::refused(refused)
}
