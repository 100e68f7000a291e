//! Persists executions beyond their process: journal, store, leases, decisions, resumption.

pub(crate) mod deciding;
pub(crate) mod instructing;
pub mod journal;
pub(crate) mod journaling;
pub(crate) mod keeper;
pub(crate) mod permission;
pub(crate) mod recorder;
pub(crate) mod remembering;
pub(crate) mod request_error;
pub(crate) mod resumption;
pub(crate) mod sessions;
pub mod store;
pub(crate) mod tenure;
pub(crate) mod transcript;
