//! The environment of one execution.

use crate::run::host::reporter::Reporter;
use crate::run::host::{Execution, Host};

/// An execution, its host, and its reporter.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub(crate) host: &'a Host,
    pub(crate) reporter: &'a Reporter<'a>,
    pub(crate) execution: &'a Execution,
}
