//! The tools of a web service that an OpenAPI document describes.

mod body;
mod collisions;
mod connector;
mod deep_parts;
mod document;
mod error;
mod fields;
mod general_tools;
mod matching;
mod model;
mod naming;
mod offering;
mod openapi3;
mod operation;
mod options;
mod paging;
mod reading;
mod recognition;
mod request;
mod routes;
mod schema;
mod serialise;
mod servers;
mod spec_part;
mod swagger2;
mod template;
mod terms;

pub use connector::OpenApiConnector;
#[cfg(any(fuzzing, test))]
pub(crate) use connector::offer_of;
pub use document::Place;
pub use options::{OpenApiOptions, OpenApiService};
pub use recognition::{Recognised, recognise};
