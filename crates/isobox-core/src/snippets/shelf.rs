//! The snippets of a store.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::shown::tool_of;
use super::version::check_name;
use super::{NewSnippet, Snippet, SnippetOptions, SnippetVersion, Trust};
use crate::experience::Shape;
use crate::store::{Amended, Collection, Document, DocumentDurability, Error, Store, WhenFull};
use crate::text::brief;
use crate::{Catalogue, Clock, Code, Failure, Timestamp, Tool};

/// The documents of snippets. The key is the name.
const SNIPPETS: Collection =
    Collection { name: "snippet", most: 500, when_full: WhenFull::Refuse, durability: DocumentDurability::Durable };

/// The time for which snippets that were read are taken for the current ones. Changes of this process count at once.
const FRESH: Duration = Duration::from_secs(2);

/// The snippets of a store, as this process knows them.
pub struct Shelf {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    options: SnippetOptions,
    counting: Counting,
    cache: Mutex<Cache>,
}

/// The uses of snippets that are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counting {
    Runs,
    /// For plans and examples.
    Nothing,
}

#[derive(Default)]
struct Cache {
    /// The snippets that were read, and the time of the clock.
    read: Option<(Duration, Arc<Shelved>)>,
    /// The catalogue that was made last, with the catalogue and the snippets that it was made from.
    shown: Option<(Arc<Catalogue>, Arc<Shelved>, Arc<Catalogue>)>,
}

/// Snippets by name, each with the tool by which it is found and described.
type Shelved = BTreeMap<String, (Snippet, Tool)>;

/// One run of a snippet.
#[derive(Debug, Clone)]
pub(crate) struct Use {
    pub(crate) name: String,
    pub(crate) version: u32,
    /// The hash of its code. A snippet that is deleted and saved again has the same numbers of versions.
    pub(crate) hash: String,
    /// The types of its result. None if it failed.
    pub(crate) result: Option<Shape>,
    /// Whether the execution has run the same code before.
    pub(crate) is_repeated: bool,
}

impl Shelf {
    /// Creates the shelf of a store.
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, options: SnippetOptions) -> Self {
        Self { store, clock, options, counting: Counting::Runs, cache: Mutex::default() }
    }

    /// Returns a shelf with the same snippets that counts no runs.
    pub(crate) fn without_counting(&self) -> Self {
        let (store, clock) = (Arc::clone(&self.store), Arc::clone(&self.clock));
        Self { counting: Counting::Nothing, ..Self::new(store, clock, self.options.clone()) }
    }

    /// Returns how far a version is trusted.
    pub fn trust(&self, version: &SnippetVersion) -> Trust {
        self.options.trust(&version.uses)
    }

    /// Returns all snippets, by name. A document that was altered is left out.
    ///
    /// # Errors
    ///
    /// An error of the store.
    pub async fn list(&self) -> Result<Vec<Snippet>, Error> {
        let shelved = self.read().await?;
        Ok(shelved.values().map(|(snippet, _)| snippet.clone()).collect())
    }

    /// Returns a snippet.
    ///
    /// # Errors
    ///
    /// `INVALID_INPUT` if this is not a name, `NOT_FOUND` with the nearest names, `STORE`.
    pub async fn get(&self, name: &str) -> Result<Snippet, Failure> {
        check_name(name)?;
        match self.one(name).await? {
            Some(snippet) => Ok(snippet),
            None => {
                let shelved = self.read().await?;
                Err(not_found(name, &shelved))
            }
        }
    }

    /// Saves a snippet. Returns it with its new version, once that is durable.
    ///
    /// # Errors
    ///
    /// As [`NewSnippet::check`]; `CONFLICT` if there are too many snippets, `STORE`.
    pub async fn save(&self, new: NewSnippet, by: &str) -> Result<Snippet, Failure> {
        new.check()?;
        let (name, by, at) = (new.name.clone(), by.to_owned(), self.clock.now());
        let (key, document) = (self.store.key().clone(), name.clone());
        let add = move |kept: Option<&[u8]>| {
            let before = kept.and_then(|kept| Snippet::opened(&key, &document, kept));
            match Snippet::add(before, new.clone(), &by, at).sealed(&key) {
                Some(bytes) => Amended::Replaced(bytes),
                None => Amended::Unchanged,
            }
        };
        self.store.amend_document(SNIPPETS, &name, Arc::new(add)).await?;
        self.lock().read = None;
        self.get(&name).await
    }

    /// Deletes a snippet with all its versions. Programs that run it go on.
    ///
    /// # Errors
    ///
    /// As [`Shelf::get`].
    pub async fn delete(&self, name: &str) -> Result<(), Failure> {
        self.get(name).await?;
        self.store.amend_document(SNIPPETS, name, Arc::new(|_| Amended::Removed)).await?;
        self.lock().read = None;
        Ok(())
    }

    /// Returns a snippet with its tool, as it was known a moment ago. The inner failure is `NOT_FOUND` with the nearest names.
    pub(crate) async fn find(&self, name: &str) -> Result<Result<(Snippet, Tool), Failure>, Error> {
        let shelved = self.read().await?;
        Ok(shelved.get(name).cloned().ok_or_else(|| not_found(name, &shelved)))
    }

    /// Returns a snippet, as it was known a moment ago. None if there is none of this name.
    pub(crate) async fn look_up(&self, name: &str) -> Result<Option<Snippet>, Error> {
        let shelved = self.read().await?;
        Ok(shelved.get(name).map(|(snippet, _)| snippet.clone()))
    }

    /// Returns the catalogue with the snippets, by which they are found beside tools. None if there are no snippets.
    ///
    /// # Errors
    ///
    /// An error of the store.
    pub async fn shown(&self, catalogue: &Arc<Catalogue>) -> Result<Option<Arc<Catalogue>>, Error> {
        let shelved = self.read().await?;
        if shelved.is_empty() {
            return Ok(None);
        }
        if let Some((base, snippets, shown)) = &self.lock().shown
            && Arc::ptr_eq(base, catalogue)
            && Arc::ptr_eq(snippets, &shelved)
        {
            return Ok(Some(Arc::clone(shown)));
        }
        let tools = shelved.values().map(|(snippet, tool)| super::shown::noted(snippet, tool, catalogue));
        let shown = match catalogue.with_tools(tools) {
            Ok(shown) => Arc::new(shown),
            Err(error) => {
                tracing::warn!(%error, "the snippets cannot be shown beside the tools");
                return Ok(None);
            }
        };
        self.lock().shown = Some((Arc::clone(catalogue), shelved, Arc::clone(&shown)));
        Ok(Some(shown))
    }

    /// Counts uses. They are written in the background, and are lost if the process dies before.
    pub(crate) fn note(&self, uses: Vec<Use>) {
        if self.counting == Counting::Nothing {
            return;
        }
        let mut by_name: BTreeMap<String, Vec<Use>> = BTreeMap::new();
        for one in uses {
            by_name.entry(one.name.clone()).or_default().push(one);
        }
        let at = self.clock.now();
        for (name, uses) in by_name {
            let (key, document) = (self.store.key().clone(), name.clone());
            let count = move |kept: Option<&[u8]>| {
                let snippet = kept.and_then(|kept| Snippet::opened(&key, &document, kept));
                let counted = snippet.and_then(|snippet| counted(snippet, &uses, at).sealed(&key));
                // It may have been deleted.
                counted.map_or(Amended::Unchanged, Amended::Replaced)
            };
            // The store carries it out, although its answer is not waited for.
            drop(self.store.amend_document(SNIPPETS, &name, Arc::new(count)));
        }
    }

    /// Reads all snippets, unless that was done a moment ago.
    async fn read(&self) -> Result<Arc<Shelved>, Error> {
        let now = self.clock.elapsed();
        let before = self.lock().read.clone();
        if let Some((at, shelved)) = &before
            && now.saturating_sub(*at) < FRESH
        {
            return Ok(Arc::clone(shelved));
        }
        let mut shelved = Shelved::new();
        for Document { key: name, bytes } in self.store.documents(SNIPPETS, "", SNIPPETS.most).await? {
            match Snippet::opened(self.store.key(), &name, &bytes) {
                Some(snippet) => shelved.extend(tool_of(&snippet).map(|tool| (name, (snippet, tool)))),
                None => {
                    tracing::warn!(snippet = brief(&name, 80), "a snippet was altered in the store, and is left out")
                }
            }
        }
        let shelved = match before {
            Some((_, before)) if is_same(&before, &shelved) => before,
            Some(_) | None => Arc::new(shelved),
        };
        self.lock().read = Some((now, Arc::clone(&shelved)));
        Ok(shelved)
    }

    async fn one(&self, name: &str) -> Result<Option<Snippet>, Error> {
        let kept = self.store.document(SNIPPETS, name).await?;
        Ok(kept.and_then(|kept| Snippet::opened(self.store.key(), name, &kept)))
    }

    fn lock(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_same(before: &Shelved, now: &Shelved) -> bool {
    before.len() == now.len() && before.values().zip(now.values()).all(|((before, _), (now, _))| before == now)
}

/// Adds uses to those of the versions.
fn counted(mut snippet: Snippet, uses: &[Use], at: Timestamp) -> Snippet {
    for one in uses {
        let is_it = |kept: &&mut SnippetVersion| kept.version == one.version && kept.hash() == one.hash;
        let Some(version) = snippet.versions.iter_mut().find(is_it) else { continue };
        version.uses.last = Some(at);
        match &one.result {
            None => version.uses.failures = version.uses.failures.saturating_add(1),
            Some(shape) => {
                // A program that runs a snippet often earns it no more trust than one that runs it once.
                if !one.is_repeated {
                    version.uses.successes = version.uses.successes.saturating_add(1);
                }
                version.results.get_or_insert_default().add(shape);
            }
        }
    }
    snippet
}

fn not_found(name: &str, shelved: &Shelved) -> Failure {
    const LIKE: f64 = 0.75;
    let scored = shelved.keys().map(|known| (strsim::jaro_winkler(name, known), known));
    let nearest = scored.filter(|(score, _)| *score >= LIKE).max_by(|one, other| one.0.total_cmp(&other.0));
    let advice = nearest.map(|(_, known)| format!("; did you mean `{known}`?")).unwrap_or_default();
    Failure::new(Code::NotFound, format!("there is no snippet `{}`{advice}", brief(name, 80)))
        .hint("search for it: `await codemode.search(\"what it should do\")`, or `isobox snippets list`")
}
