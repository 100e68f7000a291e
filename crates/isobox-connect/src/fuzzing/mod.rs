//! Hostile documents, for the fuzz targets of `fuzz/`.

#[cfg(all(test, feature = "openapi", feature = "graphql"))]
mod tests;

use isobox_core::{Offer, lossy_text};

/// Reads bytes as an OpenAPI document, as the connector does. Returns the tools, or why there are none.
#[cfg(feature = "openapi")]
pub fn openapi(data: &[u8]) -> Result<Offer, String> {
    crate::openapi::offer_of(data)
}

/// Reads bytes as a GraphQL schema, as the connector does. Returns the tools, or why there are none.
#[cfg(feature = "graphql")]
pub fn graphql(data: &[u8]) -> Result<Offer, String> {
    crate::graphql::offer_of(&lossy_text(data))
}
