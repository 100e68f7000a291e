//! What one execution runs with, for as long as it does.

use crate::run::host::{Execution, Host};
use crate::run::reporter::Reporter;

/// An execution, the host that runs it, and who is told what happens.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub(crate) host: &'a Host,
    pub(crate) reporter: &'a Reporter<'a>,
    pub(crate) execution: &'a Execution,
}
