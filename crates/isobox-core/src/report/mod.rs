//! Reports on executions: outcomes, records of calls, events, texts for people and models.

pub(crate) mod call_details;
pub(crate) mod call_record;
pub(crate) mod content;
pub(crate) mod kept_details;
pub(crate) mod observer;
pub(crate) mod outcome;
pub(crate) mod presentation;
pub(crate) mod reshape;
pub(crate) mod rolled_back;
pub(crate) mod stack;
