//! The service with an OpenAPI document.

use isobox_connect::{OpenApiConnector, OpenApiOptions, OpenApiService, Place};
use serde_json::{Value, json};

pub(crate) use crate::service::{Service, answer, call, leaves_effect_unknown, ok};

impl Service {
    /// Returns the service with this document, at the address of this one.
    pub(crate) fn described(&self, document: &Value) -> OpenApiService {
        let path = self.folder.path().join("api.json");
        std::fs::write(&path, document.to_string()).expect("written");
        OpenApiService::new(Place::File(path)).base_url(self.url())
    }

    /// Returns a connector to it with these paths.
    pub(crate) fn connector(&self, paths: Value) -> OpenApiConnector {
        self.connector_with(paths, OpenApiOptions::default())
    }

    /// Returns a connector to it with these paths and options.
    pub(crate) fn connector_with(&self, paths: Value, options: OpenApiOptions) -> OpenApiConnector {
        let document = json!({ "openapi": "3.0.3", "info": { "title": "Shop" }, "paths": paths });
        OpenApiConnector::new("shop", self.described(&document), options)
    }
}
