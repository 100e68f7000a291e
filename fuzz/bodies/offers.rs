//! Whatever a document or a schema offers, the catalogue keeps every tool, and the declarations parse.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use isobox_core::connector::Error;
use isobox_core::policy::Policy;
use isobox_core::{Catalogue, Connector, ConnectorSettings, Offer, ToolCall, ToolError};
use serde_json::Value;

/// The number of tools whose declarations are parsed together.
const CHUNK: usize = 100;

/// A connector that offers nothing itself.
struct Nothing;

impl Connector for Nothing {
    fn name(&self) -> &str {
        "api"
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, Error>> {
        Box::pin(std::future::ready(Ok(Offer::default())))
    }

    fn call<'a>(&'a self, _: &'a str, _: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(std::future::ready(Ok(Value::Null)))
    }
}

pub(crate) fn check(offer: &Offer, parses: impl Fn(&str) -> bool) {
    let connector: Arc<dyn Connector> = Arc::new(Nothing);
    for tools in offer.tools.chunks(CHUNK) {
        let mut builder = Catalogue::builder();
        builder.connector(&connector, Offer::default().tools(tools.to_vec()), &ConnectorSettings::default());
        let catalogue = builder.build();
        assert_eq!(catalogue.len(), tools.len(), "{:?}", catalogue.warnings());
        let declarations = catalogue.declarations(&Policy::default(), &[]);
        assert!(parses(&declarations), "{declarations}");
    }
}
