//! The service with a schema.

use isobox_connect::{GraphQlConnector, GraphQlOptions, GraphQlService};
use isobox_core::Connector;

pub(crate) use crate::service::{Service, answer, call, leaves_effect_unknown, ok};

pub(crate) const SDL: &str = r#"
    "A shop."
    schema { query: Query mutation: Mutation }
    type Query { products(first: Int): [Product!]! product(id: ID!): Product secret: String }
    type Mutation { add(name: String!): Payload remove(id: ID!): Boolean! }
    type Product { id: ID! name: String }
    type Payload { product: Product query: Query }"#;

impl Service {
    /// Returns the service with this schema, at the address of this one.
    pub(crate) fn described(&self, sdl: &str) -> GraphQlService {
        let path = self.folder.path().join("schema.graphql");
        std::fs::write(&path, sdl).expect("written");
        GraphQlService::new(format!("{}/graphql?key=of-the-host", self.url())).schema(path)
    }

    /// Returns a connector to it that has read its schema.
    pub(crate) async fn connector(&self) -> GraphQlConnector {
        connected(self.described(SDL), GraphQlOptions::default()).await
    }
}

/// Returns a connector that has read its schema.
pub(crate) async fn connected(service: GraphQlService, options: GraphQlOptions) -> GraphQlConnector {
    let connector = GraphQlConnector::new("shop", service, options);
    connector.offer().await.expect("a schema");
    connector
}
