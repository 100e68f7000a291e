//! Lists the prompts and resources of a server as functions. Nothing here fails an offer: a server may have usable tools
//! and lists that do not work.

use std::time::Duration;

use isobox_core::OfferedTool;
use rmcp::model::{ClientRequest, ErrorCode, JsonObject, RequestMetaObject};
use serde_json::Value;
use tokio::time::timeout;

use super::complaint::clean;
use super::concealing::Concealing;
use super::functions::{FOR_RESOURCES, Function};
use super::inventory::Inventory;
use super::listing::Listing;
use super::session::{Patience, RequestError, Session};

/// The functions of a server beside its tools.
#[derive(Debug, Default)]
pub(super) struct Extras {
    pub(super) functions: Vec<OfferedTool>,
    pub(super) warnings: Vec<String>,
}

/// The maximum time for the list of prompts, and for all lists of resources, which are only named in a description.
const PROMPTS_WITHIN: Duration = Duration::from_secs(10);
const RESOURCES_WITHIN: Duration = Duration::from_secs(5);

/// Lists what the server declares to have.
pub(super) async fn extras(session: &Session, secrets: &Concealing, patience: Duration) -> Extras {
    let mut extras = Extras::default();
    let capabilities = session.capabilities();
    if capabilities.prompts.is_some() {
        extras.functions.push(Function::ListPrompts.offered());
        extras.add_prompts(session, secrets, patience.min(PROMPTS_WITHIN)).await;
    }
    if capabilities.resources.is_some() {
        let inventory = timeout(patience.min(RESOURCES_WITHIN), inventory(session, secrets)).await;
        // A list that does not come is still there to be asked for by a program.
        let inventory = inventory.unwrap_or_default();
        extras.functions.extend(FOR_RESOURCES.into_iter().map(|function| match function {
            Function::ReadResource => function.offered().inventory(&*inventory),
            other => other.offered(),
        }));
    }
    extras
}

impl Extras {
    async fn add_prompts(&mut self, session: &Session, secrets: &Concealing, patience: Duration) {
        let mut listing = Listing::of_prompts();
        let listed = async {
            let mut cursor = None;
            loop {
                let page = list(session, Function::ListPrompts, cursor).await;
                let mut page = page.map_err(|error| why(error, secrets))?;
                secrets.conceal_descriptions(&mut page);
                match listing.add(page)? {
                    None => return Ok::<_, String>(()),
                    next => cursor = next,
                }
            }
        };
        match timeout(patience, listed).await {
            Ok(Ok(())) => {}
            Ok(Err(reason)) => self.warnings.push(format!("its prompts are left out: it {reason}")),
            Err(_elapsed) => {
                listing.cut(&format!("it did not list all its prompts within {patience:?}"));
            }
        }
        let (prompts, warnings) = listing.into_parts();
        self.functions.extend(prompts);
        self.warnings.extend(warnings);
    }
}

/// Returns the resources and the templates in words, without credentials, as far as they are listed and few.
async fn inventory(session: &Session, secrets: &Concealing) -> String {
    let lists = [
        (Function::ListResources, "resources", "uri", "Resources now"),
        (Function::ListTemplates, "resourceTemplates", "uriTemplate", "Templates of URIs"),
    ];
    let mut parts = Vec::new();
    for (function, key, id, what) in lists {
        let mut inventory = Inventory::default();
        let mut cursor = None;
        while let Ok(mut page) = list(session, function, cursor).await {
            if let Some(entries) = page.get_mut(key) {
                // Before they are shortened, so that no part of a credential remains.
                secrets.conceal_value(entries);
            }
            match inventory.add(&page, key, id) {
                None => break,
                next => cursor = next,
            }
        }
        parts.push(inventory.in_words(what));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

async fn list(session: &Session, function: Function<'_>, cursor: Option<String>) -> Result<Value, RequestError> {
    session.request(page_request(function, cursor)?, RequestMetaObject::new(), Patience::Endless).await
}

fn page_request(function: Function<'_>, cursor: Option<String>) -> Result<ClientRequest, RequestError> {
    let arguments = JsonObject::from_iter(cursor.map(|cursor| ("cursor".to_owned(), Value::String(cursor))));
    // A cursor is a string, so the arguments fit.
    function.request(arguments).map_err(|_| RequestError::NotSent)
}

/// Returns why a list did not come, in words that follow the name of the server.
fn why(error: RequestError, secrets: &Concealing) -> String {
    match error {
        RequestError::Refused(error) if error.code == ErrorCode::METHOD_NOT_FOUND => {
            "declares prompts and does not list them".to_owned()
        }
        RequestError::Refused(error) => {
            format!("did not list them: {}", clean(&secrets.conceal(&error.message)))
        }
        RequestError::TimedOut(patience) => format!("did not list them within {patience:?}"),
        RequestError::Failed(error) => format!("did not list them: {}", clean(&secrets.conceal(&error.to_string()))),
        RequestError::Stuck => "does not read its standard input".to_owned(),
        RequestError::NotSent => "ended before it listed them".to_owned(),
        RequestError::Ended(ending) => format!("{} while it listed them", ending.describe()),
    }
}
