//! Crashes every case at every moment, or holds it up. Another process takes over with the same outcome, and nothing is done
//! twice.

mod child;
mod decisions;
mod held_up;
mod life;

pub use child::{Order, be_a_child};
pub use life::{Harm, Lived, Lives};

use crate::{Case, CaseProgram};

/// Returns why a crash may change the outcome of a case.
pub fn not_swept(case: &Case) -> Option<&'static str> {
    let header = &case.header;
    match header {
        _ if header.capacity.is_some() => Some("others use its runtime"),
        _ if header.cancel_after_polls.is_some() || has(case, "spec.cancel") => Some("its caller gives up"),
        _ if case.all_passes().iter().any(|pass| pass.crash) => Some("it crashes by itself"),
        _ if header.rollback.iter().any(|rollback| !rollback.missing.is_empty()) => Some("its tools go missing"),
        _ if header.differs_kept.is_some() => Some("it is not to be kept"),
        _ if has(case, "spec.gather") => Some("its calls wait for others in their process"),
        _ if case.has_no_runtime() => Some("its runtime cannot be built"),
        _ if header.crash_changes.is_some() => Some("it says so"),
        _ => None,
    }
}

fn has(case: &Case, text: &str) -> bool {
    match &case.program {
        CaseProgram::Itself(source) | CaseProgram::Source(source) => source.contains(text),
        CaseProgram::Files { files, .. } => files.values().any(|source| source.contains(text)),
    }
}
