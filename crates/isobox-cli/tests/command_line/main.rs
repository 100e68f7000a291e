//! The command line, as people and programs use it.

mod contact;
mod contact_graphql;
mod doctor;
mod executions;
mod files;
mod hostile;
mod json;
mod learning;
mod login;
mod plan;
mod run;
mod sessions;
mod snippets;
mod stateless;
mod tools;
mod trust;
