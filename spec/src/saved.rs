//! Saves the snippets of a case.

use std::sync::Arc;

use isobox::snippets::NewSnippet;
use isobox::store::Store;
use isobox::{Failure, Principal, Program};

use crate::header::{SpecSnippet, WholeSnippet};
use crate::runtime::keeping_runtime;
use crate::{Case, World};

/// Saves the snippets of a case, unless the store has them.
pub(crate) async fn save_snippets(case: &Case, store: &Arc<dyn Store>) -> Result<(), String> {
    if case.header.snippets.is_empty() {
        return Ok(());
    }
    let text = |failure: Failure| failure.to_string();
    let isobox = keeping_runtime(case, Arc::clone(store), &World::default())?.build().map_err(text)?;
    let snippets = isobox.snippets().map_err(text)?;
    for (name, snippet) in &case.header.snippets {
        let whole = match snippet {
            SpecSnippet::Code(code) => WholeSnippet {
                code: code.clone(),
                description: String::new(),
                input_schema: None,
                tools: std::collections::BTreeMap::new(),
            },
            SpecSnippet::Whole(whole) => whole.clone(),
        };
        let program = Program::single(whole.code);
        if snippets.get(name).await.is_ok_and(|kept| kept.latest().program == program) {
            continue;
        }
        let schema = whole.input_schema.as_deref().map(serde_json::from_str);
        let schema: Option<isobox::Value> = schema.transpose().map_err(|error| error.to_string())?;
        let new = NewSnippet::new(name, program).description(whole.description).input_schema(schema).tools(whole.tools);
        // Some cases are about snippets with mistakes.
        let new = new.is_forced(true);
        snippets.put(new, Principal::host()).await.map_err(text)?;
    }
    Ok(())
}
