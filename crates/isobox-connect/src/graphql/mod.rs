//! The tools of a GraphQL service: one for each query and mutation of its schema.

mod answer;
mod connector;
mod document;
mod functions;
mod general_tools;
mod input;
mod introspection;
mod offering;
mod options;
mod roots;
mod schema;
mod selection;
mod values;

#[cfg(test)]
mod mutation_tests;

pub use connector::GraphQlConnector;
pub use options::{GraphQlOptions, GraphQlService};
