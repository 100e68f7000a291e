//! Runs tests through the library.

use std::num::NonZeroU32;
use std::time::Duration;

use isobox::{ByteSize, Code, Failure, Isobox, Limits, Outcome, Run};

use super::wrapper::RAN;
use super::{Ending, Wrapped};

/// The library, with limits that no test needs.
#[derive(Clone)]
pub struct Library {
    isobox: Isobox,
}

impl Library {
    /// Starts the library.
    pub fn start() -> Result<Self, Failure> {
        let limits = Limits::default()
            .timeout(Duration::from_secs(120))
            .cpu(Duration::from_secs(60))
            .memory(ByteSize::mib(256))
            .source(ByteSize::mib(8));
        let live = NonZeroU32::new(64).unwrap_or(NonZeroU32::MIN);
        Ok(Self { isobox: Isobox::builder().limits(limits).max_live(live).build()? })
    }

    /// Runs a test.
    pub async fn run(&self, wrapped: &Wrapped) -> Ending {
        let program = match wrapped.program() {
            Ok(program) => program,
            Err(fault) => return Ending::Stopped { message: fault.to_string() },
        };
        match self.isobox.run(Run::new(program).seed(1)).await {
            Outcome::Completed(completed) => {
                if wrapped.tells_its_end && completed.result != RAN {
                    return Ending::Stopped { message: format!("it returned {}", completed.result) };
                }
                Ending::Completed { lines: completed.logs.into_iter().map(|log| log.message).collect() }
            }
            Outcome::Failed(failed) => ending_of(failed.error),
            other => Ending::Stopped { message: format!("{other:?}") },
        }
    }
}

fn ending_of(failure: Failure) -> Ending {
    match failure.code {
        Code::Syntax => Ending::Refused { message: failure.message },
        Code::Thrown => Ending::Threw { name: failure.name, message: failure.message },
        code => Ending::Stopped { message: format!("{code}: {}", failure.message) },
    }
}
