//! Learns the types of results in the background, and keeps them in the store.
//!
//! An execution only puts a result into a queue. A task reads the queue a little later, so that many results make one
//! write, and writes only what has changed. What was learned is lost if the process ends before; nothing waits for it
//! and nothing fails because of it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use isobox_core::Tool;
use isobox_core::experience::{ExperienceOptions, Learned, Learner};
use isobox_core::policy::Policy;
use isobox_core::store::{Amended, Document, Error, LESSONS, Store};
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::OnceCell;

/// The time for which results are collected before they are learned from.
const COLLECTED_FOR: Duration = Duration::from_millis(500);
/// The maximum of results in the queue, and of their sizes as JSON together. Further results are not learned from.
const MAX_QUEUED: usize = 256;
const MAX_QUEUED_BYTES: usize = 8 << 20;
/// The maximum time of reading the store before a catalogue is built, and of writing to it before a process ends.
const PATIENCE: Duration = Duration::from_secs(2);

/// The knowledge of a runtime about the results of its tools. Clones of the runtime share it.
pub(crate) struct Experience {
    pub(crate) options: ExperienceOptions,
    policy: Arc<Policy>,
    store: OnceLock<Arc<dyn Store>>,
    queue: Mutex<Queue>,
    known: Mutex<BTreeMap<String, Known>>,
    /// The knowledge at the time when the first catalogue was built. Later catalogues of this process show the same, so
    /// that the text for models keeps its bytes.
    at_start: OnceCell<BTreeMap<String, Known>>,
    /// The knowledge of this process that is not written yet.
    unwritten: tokio::sync::Mutex<BTreeMap<String, Learned>>,
    own: Weak<Self>,
}

#[derive(Default)]
struct Queue {
    seen: Vec<(Tool, Value)>,
    bytes: usize,
    /// Whether a task will read the queue.
    is_awaited: bool,
}

#[derive(Clone)]
pub(crate) struct Known {
    learned: Learned,
    schema: Option<Arc<Value>>,
}

impl Known {
    fn new(learned: Learned) -> Self {
        Self { schema: learned.schema().map(Arc::new), learned }
    }
}

impl Experience {
    /// Returns none if learning is switched off.
    pub(crate) fn new(
        options: ExperienceOptions,
        policy: Arc<Policy>,
        store: Option<&Arc<dyn Store>>,
    ) -> Option<Arc<Self>> {
        if !options.is_enabled {
            return None;
        }
        Some(Arc::new_cyclic(|own| Self {
            options,
            policy,
            store: store.map(|store| Arc::clone(store).into()).unwrap_or_default(),
            queue: Mutex::default(),
            known: Mutex::default(),
            at_start: OnceCell::new(),
            unwritten: tokio::sync::Mutex::default(),
            own: own.clone(),
        }))
    }

    /// Sets the store, unless there is one.
    #[cfg(feature = "config")]
    pub(crate) fn keep_in(&self, store: &Arc<dyn Store>) {
        self.store.get_or_init(|| Arc::clone(store));
    }

    /// Reads what earlier processes have learned, once, and returns what to show in catalogues. If the store cannot be
    /// read, only what this process has learned is shown.
    pub(crate) async fn recall(
        &self,
        other: impl Future<Output = Result<Option<Arc<dyn Store>>, Error>>,
    ) -> &BTreeMap<String, Known> {
        let start = self.at_start.get_or_init(|| async {
            match tokio::time::timeout(PATIENCE, self.read(other)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::warn!(%error, "what was learned about tools could not be read"),
                Err(_) => tracing::warn!("what was learned about tools could not be read in time"),
            }
            self.known().clone()
        });
        start.await
    }

    /// Reads the store, or another one if there is none.
    async fn read(&self, other: impl Future<Output = Result<Option<Arc<dyn Store>>, Error>>) -> Result<(), Error> {
        let store = match self.store.get() {
            Some(store) => Some(Arc::clone(store)),
            None => other.await?,
        };
        let Some(store) = store else { return Ok(()) };
        for Document { key, bytes } in store.documents(LESSONS, "", LESSONS.most).await? {
            if let Some(learned) = Learned::opened(store.key(), &key, &bytes) {
                self.add(&key, &learned);
            }
        }
        Ok(())
    }

    /// Adds to what is known. Returns whether the store should know it too.
    fn add(&self, tool: &str, learned: &Learned) -> bool {
        let mut known = self.known();
        let has_room = known.len() < LESSONS.most;
        match known.get_mut(tool) {
            None => {
                if has_room {
                    known.insert(tool.to_owned(), Known::new(learned.clone()));
                }
                true
            }
            Some(before) => {
                let mut merged = before.learned.clone();
                merged.merge(learned);
                let is_news = merged != before.learned;
                if is_news {
                    *before = Known::new(merged);
                }
                is_news
            }
        }
    }

    /// Learns from the queued results, and writes what has changed.
    pub(crate) async fn learn(&self) -> Result<(), Error> {
        let mut unwritten = self.unwritten.lock().await;
        let seen = {
            let mut queue = self.queue();
            queue.is_awaited = false;
            queue.bytes = 0;
            std::mem::take(&mut queue.seen)
        };
        let (options, policy) = (self.options.clone(), Arc::clone(&self.policy));
        let learned = tokio::task::spawn_blocking(move || {
            let each = seen.into_iter().filter_map(|(tool, result)| {
                Some((tool.path().as_str().to_owned(), Learned::of(&tool, result, &policy, &options)?))
            });
            merged(each)
        });
        // A panic is a defect, and costs only what would have been learned.
        for (tool, learned) in learned.await.unwrap_or_default() {
            if self.add(&tool, &learned) {
                merge_into(&mut unwritten, tool, learned);
            }
        }
        let Some(store) = self.store.get() else {
            unwritten.clear();
            return Ok(());
        };
        while let Some((tool, learned)) = unwritten.pop_first() {
            if let Err(error) = write(store, &tool, learned.clone()).await {
                // The number of tools is bounded, so that what waits for the store is, too.
                if unwritten.len() < LESSONS.most {
                    unwritten.insert(tool, learned);
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Learns from the queued results before a process ends.
    #[cfg(feature = "config")]
    pub(crate) async fn finish(&self) {
        if !matches!(tokio::time::timeout(PATIENCE, self.learn()).await, Ok(Ok(()))) {
            tracing::warn!("what was learned about tools could not be kept");
        }
    }

    pub(crate) async fn forget(&self, tool: &str) -> Result<bool, Error> {
        let mut unwritten = self.unwritten.lock().await;
        unwritten.remove(tool);
        let was_known = self.known().remove(tool).is_some();
        let Some(store) = self.store.get() else { return Ok(was_known) };
        let was_kept = Arc::new(Mutex::new(false));
        let told = Arc::clone(&was_kept);
        let remove = move |kept: Option<&[u8]>| {
            *told.lock().unwrap_or_else(PoisonError::into_inner) = kept.is_some();
            Amended::Removed
        };
        store.amend_document(LESSONS, tool, Arc::new(remove)).await?;
        let was_kept = *was_kept.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(was_known || was_kept)
    }

    /// Returns the schema that is known for this version of a tool.
    pub(crate) fn schema_of(&self, known: &BTreeMap<String, Known>, tool: &Tool) -> Option<Arc<Value>> {
        let Known { learned, schema } = known.get(tool.path().as_str())?;
        let is_same = self.options.version(tool, &self.policy).as_deref() == Some(learned.version());
        schema.clone().filter(|_| is_same)
    }

    pub(crate) fn known(&self) -> MutexGuard<'_, BTreeMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Learner for Experience {
    fn saw(&self, tool: &Tool, result: Value, size: usize) {
        let Ok(handle) = Handle::try_current() else { return };
        let mut queue = self.queue();
        if queue.seen.len() >= MAX_QUEUED || queue.bytes.saturating_add(size) > MAX_QUEUED_BYTES {
            return;
        }
        queue.seen.push((tool.clone(), result));
        queue.bytes += size;
        if !std::mem::replace(&mut queue.is_awaited, true) {
            let own = self.own.clone();
            handle.spawn(async move {
                tokio::time::sleep(COLLECTED_FOR).await;
                if let Some(experience) = own.upgrade()
                    && let Err(error) = experience.learn().await
                {
                    tracing::warn!(%error, "what was learned about tools could not be kept");
                }
            });
        }
    }

    fn observed(&self, tool: &Tool) -> Option<Arc<Value>> {
        self.schema_of(&self.known(), tool)
    }
}

/// Adds to what a store keeps about a tool.
async fn write(store: &Arc<dyn Store>, tool: &str, learned: Learned) -> Result<(), Error> {
    let (key, path) = (store.key().clone(), tool.to_owned());
    let add = move |kept: Option<&[u8]>| {
        let mut all = kept.and_then(|kept| Learned::opened(&key, &path, kept)).unwrap_or_else(|| learned.clone());
        let before = all.clone();
        if kept.is_some() {
            all.merge(&learned);
        }
        match all.sealed(&key, &path) {
            Some(bytes) if kept.is_none() || all != before => Amended::Replaced(bytes),
            Some(_) | None => Amended::Unchanged,
        }
    };
    store.amend_document(LESSONS, tool, Arc::new(add)).await
}

fn merged(each: impl Iterator<Item = (String, Learned)>) -> BTreeMap<String, Learned> {
    let mut all = BTreeMap::new();
    for (tool, learned) in each {
        merge_into(&mut all, tool, learned);
    }
    all
}

fn merge_into(all: &mut BTreeMap<String, Learned>, tool: String, learned: Learned) {
    match all.get_mut(&tool) {
        Some(before) => before.merge(&learned),
        None => drop(all.insert(tool, learned)),
    }
}
