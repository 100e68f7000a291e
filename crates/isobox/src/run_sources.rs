//! Makes a run of a text or a program.

use crate::{Program, Run};

impl From<&str> for Run {
    fn from(source: &str) -> Self {
        Self::new(Program::single(source))
    }
}

impl From<String> for Run {
    fn from(source: String) -> Self {
        Self::new(Program::single(source))
    }
}

impl From<Program> for Run {
    fn from(program: Program) -> Self {
        Self::new(program)
    }
}
