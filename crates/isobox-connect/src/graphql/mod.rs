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
mod recognition;
mod roots;
mod schema;
mod selection;
mod values;

#[cfg(test)]
mod mutation_tests;

pub use connector::GraphQlConnector;
#[cfg(any(fuzzing, test))]
pub(crate) use connector::offer_of;
pub use options::{GraphQlOptions, GraphQlService};
pub use recognition::is_graphql;
