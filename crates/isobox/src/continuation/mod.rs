//! Pauses without a store: a paused execution as one encrypted text, which the host keeps.

mod checks;
mod keys;
mod packed;
mod sealed;
mod used;

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use isobox_core::journal::{Beginning, StoreKey, decode_beginning};
use isobox_core::store::{Append, Change, Error, Lease, MemoryStore, NewExecution, Node, Part, Release, Store};
use isobox_core::{ByteSize, Clock, Code, ExecutionId, Failure, Globals, Means, Outcome, Timestamp, Tool};

use crate::heartbeat::DurableHome;
use crate::real_clock::RealClock;
use crate::{Decisions, Isobox, Run};

use checks::{check_shown, is_outdated, mark_of};
use keys::Key;
use packed::Packed;
use sealed::{Nonce, Sealed, seal};
use used::{USED, Use};

/// The time for which a continuation is valid, unless the host says otherwise.
const LIFETIME: Duration = Duration::from_secs(60 * 60);
/// The difference between the clocks of machines that is tolerated.
const SKEW: Duration = Duration::from_secs(60);
/// The maximum size of a continuation, unless the host says otherwise.
const LIMIT: ByteSize = ByteSize::mib(1);

/// Seals paused executions as texts, and opens them again: pauses for hosts that have no store.
///
/// A continuation is encrypted and authenticated. It expires, is for one audience, and can be used once: for good if the
/// runtime has a store, or with [`Continuations::remembered_in`], and otherwise within this process.
#[derive(Clone)]
pub struct Continuations {
    /// The current key, and those of earlier continuations.
    keys: Vec<Key>,
    audience: String,
    lifetime: Duration,
    limit: ByteSize,
    clock: Arc<dyn Clock>,
    /// The store that remembers which were used, in place of that of the runtime.
    store: Option<Arc<dyn Store>>,
    warning: Option<&'static str>,
}

/// The answer to a pause: what was decided about pending calls.
#[derive(Debug, Clone)]
#[must_use = "a continuation does nothing until it is given to `Isobox::resume_stateless`"]
pub struct Continue {
    decisions: Option<(ExecutionId, Decisions)>,
    tools: Vec<Tool>,
}

impl Continue {
    /// Decides about calls of the execution that was shown, as [`Isobox::decide`] does. The decisions name the revision
    /// that was shown ([`Decisions::shown_at`]). Calls that are not decided about stay pending, or the approver of the host
    /// decides about them.
    pub fn decided(id: &ExecutionId, decisions: Decisions) -> Self {
        Self { decisions: Some((id.clone(), decisions)), tools: Vec::new() }
    }

    /// Decides nothing: the approver of the host decides.
    pub fn undecided() -> Self {
        Self { decisions: None, tools: Vec::new() }
    }

    /// Provides the functions of the tools that the execution began with.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools.extend(tools);
        self
    }
}

impl Continuations {
    /// Seals with a key that is derived from this secret. All processes that continue each other's executions have the
    /// same secret.
    ///
    /// # Errors
    ///
    /// `CONFIG` if the secret has less than 32 bytes.
    pub fn new(secret: &[u8]) -> Result<Self, Failure> {
        Ok(Self::sealed_with(Key::of(secret, None)?))
    }

    /// Seals with a random key. Only this process can open the continuations, and only until it ends.
    pub fn of_this_process() -> Self {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).expect("the operating system has random numbers");
        let key = Key::of(&secret, None).expect("the secret is long enough");
        let warning = "no key for continuations is configured: they can be used only in this process";
        Self { warning: Some(warning), ..Self::sealed_with(key) }
    }

    /// Seals as a configuration says. Without a key in it, the key is derived from `secret`, or made for this process.
    ///
    /// # Errors
    ///
    /// As for [`Continuations::new`].
    #[cfg(feature = "config")]
    pub fn configured(config: &crate::config::ContinuationConfig, secret: Option<&[u8]>) -> Result<Self, Failure> {
        let mut continuations = match config.key.as_deref().map(str::as_bytes).or(secret) {
            Some(secret) => Self::new(secret)?,
            None => Self::of_this_process(),
        };
        for earlier in &config.earlier_keys {
            let until = earlier.until.unwrap_or(Timestamp(u64::MAX));
            continuations = continuations.also(earlier.key.as_bytes(), until)?;
        }
        Ok(continuations.lifetime(config.expire_after).limit(config.limit))
    }

    fn sealed_with(key: Key) -> Self {
        Self {
            keys: vec![key],
            audience: String::new(),
            lifetime: LIFETIME,
            limit: LIMIT,
            clock: Arc::new(RealClock::new()),
            store: None,
            warning: None,
        }
    }

    /// Returns what the host should know about its key, if there is something.
    pub fn warning(&self) -> Option<&str> {
        self.warning
    }

    /// Adds an earlier secret: continuations that were sealed with it can be opened until the given time.
    ///
    /// # Errors
    ///
    /// As for [`Continuations::new`].
    pub fn also(mut self, earlier: &[u8], until: Timestamp) -> Result<Self, Failure> {
        self.keys.push(Key::of(earlier, Some(until))?);
        Ok(self)
    }

    /// Sets the audience. Continuations for other audiences are refused: for example those of another user.
    #[must_use]
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audience = audience.into();
        self
    }

    /// Sets the time for which continuations are valid. The default is one hour.
    #[must_use]
    pub fn lifetime(mut self, lifetime: Duration) -> Self {
        self.lifetime = lifetime;
        self
    }

    /// Sets the maximum size of a continuation. The default is 1 MiB.
    #[must_use]
    pub fn limit(mut self, limit: ByteSize) -> Self {
        self.limit = limit;
        self
    }

    /// Remembers used continuations in a store, in place of that of the runtime, so that none is used twice in whatever
    /// process.
    #[must_use]
    pub fn remembered_in(mut self, store: Arc<dyn Store>) -> Self {
        self.store = Some(store);
        self
    }

    /// Seals a paused execution.
    fn seal(&self, mut packed: Packed) -> Result<String, Failure> {
        let now = self.clock.now().0;
        packed.issued = now;
        packed.expires = now.saturating_add(milliseconds(self.lifetime));
        let mut nonce = Nonce::default();
        getrandom::fill(&mut nonce).map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
        let text = seal(&self.keys[0], nonce, &self.audience, &packed.write())?;
        if self.limit.holds(text.len()) {
            return Ok(text);
        }
        let message = format!("the continuation is {} bytes, and the limit is {}", text.len(), self.limit);
        Err(Failure::new(Code::ContinuationTooLarge, message)
            .hint("keep less in the program while it waits, or raise the limit, or use a store")
            .detail("limit", self.limit.get())
            .detail("size", text.len()))
    }

    /// Returns the beginning of the execution in a continuation, with its program, and does not use it up.
    ///
    /// # Errors
    ///
    /// `CONTINUATION` and `CONTINUATION_TOO_LARGE`, as for [`Isobox::resume_stateless`]. A used one is not refused.
    pub fn look(&self, continuation: &str) -> Result<Beginning<'static>, Failure> {
        let (_, packed) = self.unseal(continuation)?;
        Ok(decode_beginning(&StoreKey::new(packed.key), &packed.id, &packed.beginning)?)
    }

    /// Opens a continuation, seals its execution again, and returns the size of the result. Runs nothing, and does not use
    /// the continuation up. This is the work that a pause without a store needs beside that of a store in memory.
    ///
    /// # Errors
    ///
    /// As for [`Continuations::look`].
    pub async fn rehearse(&self, continuation: &str) -> Result<usize, Failure> {
        let (_, packed) = self.unseal(continuation)?;
        let (id, key, store) = (packed.id.clone(), packed.key, empty_store(packed.key));
        let mark = packed.mark.clone();
        unpack(&*store, packed).await?;
        Ok(self.seal(Packed { mark, ..pack(&*store, &id, key).await? })?.len())
    }

    /// Decrypts a continuation that is valid now.
    fn unseal(&self, text: &str) -> Result<(Nonce, Packed), Failure> {
        if !self.limit.holds(text.len()) {
            let message = format!("the continuation is {} bytes, and the limit is {}", text.len(), self.limit);
            return Err(Failure::new(Code::ContinuationTooLarge, message));
        }
        let sealed = Sealed::read(text).ok_or_else(|| refused("it is not a continuation"))?;
        let now = self.clock.now().0;
        let key = self.keys.iter().find(|key| key.id == sealed.key);
        let key = key.ok_or_else(|| refused("it was sealed with another key"))?;
        if let Some(until) = key.until.filter(|until| until.0 <= now) {
            return Err(refused(&format!(
                "it was sealed with an earlier key, which is no longer accepted since {until}"
            )));
        }
        let content = sealed.open(key, &self.audience);
        let content = content.ok_or_else(|| refused("it was altered, or is for another audience"))?;
        let packed = Packed::read(&content).ok_or_else(|| refused("another version of Isobox made it"))?;
        let skew = milliseconds(SKEW);
        if packed.expires.saturating_add(skew) <= now {
            return Err(refused("it has expired"));
        }
        if packed.issued > now.saturating_add(skew) {
            return Err(refused("it is from the future: the clock of this machine is behind"));
        }
        Ok((sealed.nonce, packed))
    }

    /// Uses a continuation up: in this process, and in the store. `store` is that of the runtime. If the store fails, the
    /// continuation is not used up in this process.
    async fn use_up(&self, nonce: Nonce, expires: u64, store: Option<&dyn Store>) -> Result<(), Failure> {
        // A machine accepts it until `SKEW` after its end, and the clock of the one that forgets it may be ahead by as much.
        let (now, until) = (self.clock.now().0, expires.saturating_add(milliseconds(SKEW * 2)));
        let store = self.store.as_deref().or(store);
        let claim = match (USED.claim(nonce, until, now), store) {
            (Use::First(claim), _) => Some(claim),
            // The store remembers it.
            (Use::Full, Some(_)) => None,
            (Use::Full, None) => {
                return Err(Failure::new(Code::Busy, "too many continuations were used in this process")
                    .hint("try again later, or remember them in a store"));
            }
            (Use::Claimed, _) => {
                return Err(refused("it is being used at this moment")
                    .hint("nothing was run here; try again only if the other use fails"));
            }
            (Use::Repeated, _) => return Err(used_before()),
        };
        let is_first = match store {
            Some(store) => {
                let key: String = nonce.iter().map(|byte| format!("{byte:02x}")).collect();
                store.use_once(&key, Timestamp(now), Timestamp(until)).await?
            }
            None => true,
        };
        if let Some(claim) = claim {
            claim.keep();
        }
        if is_first { Ok(()) } else { Err(used_before()) }
    }
}

impl std::fmt::Debug for Continuations {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Continuations").field("audience", &self.audience).finish_non_exhaustive()
    }
}

fn refused(why: &str) -> Failure {
    Failure::new(Code::Continuation, format!("the continuation is refused: {why}"))
        .hint("nothing was run; run the program again if its effects allow that")
}

fn used_before() -> Failure {
    refused("it was used before")
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Isobox {
    /// Runs a program without a store. If it pauses, the outcome has a continuation, and this process keeps nothing of
    /// it.
    ///
    /// A crash while the program runs loses the execution: calls in doubt are not noticed.
    pub async fn run_stateless(&self, run: impl Into<Run>, with: &Continuations) -> Outcome {
        let mut key = [0; 32];
        getrandom::fill(&mut key).expect("the operating system has random numbers");
        let run = run.into();
        if run.globals != Globals::None {
            let message = "a run with continuations cannot use the globals of a session";
            return Outcome::refused(self.identify(&run).id, Failure::new(Code::Config, message));
        }
        let (isobox, store) = self.without_store(key);
        let mut run = run.durable();
        // Nothing could wake it: timers count towards the time-out.
        run.limits.lifetime = Some(Duration::ZERO);
        let outcome = isobox.run(run).await;
        self.carry_away(outcome, &store, key, with).await
    }

    /// Continues a paused program, here or in the process that has the key. If it pauses again, the outcome has another
    /// continuation.
    ///
    /// The continuation is used up right before the program continues. If two callers continue it at the same time, the
    /// program continues for one of them.
    ///
    /// # Errors
    ///
    /// `CONTINUATION` if the continuation is forged, altered, expired, for another audience or already used, and
    /// `CONTINUATION_TOO_LARGE`. `CONFLICT` if the decisions are about another execution, do not name a revision, or do not
    /// fit the pending calls; otherwise as for [`Isobox::decide`] and [`Isobox::resume`]. After an error nothing was run,
    /// and a continuation that was not used before can still be used.
    pub async fn resume_stateless(
        &self,
        continuation: &str,
        with: &Continuations,
        answer: Continue,
    ) -> Result<Outcome, Failure> {
        let (nonce, packed) = with.unseal(continuation)?;
        let remembers = self.store().ok();
        if is_outdated(&packed, with.store.as_deref().or(remembers)).await? {
            return Err(refused("its store was restored from a backup since, so that it may have been used before"));
        }
        let Continue { decisions, tools } = answer;
        let (id, key, expires) = (packed.id.clone(), packed.key, packed.expires);
        let (isobox, store) = self.without_store(key);
        unpack(&*store, packed).await?;
        if let Some((decided, decisions)) = decisions {
            check_shown(&decided, &decisions, &id)?;
            isobox.decide(&id, decisions).await?;
        }
        let use_up = || with.use_up(nonce, expires, remembers).boxed();
        let means = Means { tools: &tools, before: Some(&use_up), ..Means::default() };
        let outcome = isobox.resume_now(&id, means, std::future::pending()).await?;
        Ok(self.carry_away(outcome, &store, key, with).await)
    }

    /// Returns the runtime with an empty store of its own. Its snippets stay those of the runtime.
    fn without_store(&self, key: [u8; 32]) -> (Self, Arc<dyn Store>) {
        let (store, keeper) = (empty_store(key), self.host.keeper.as_ref());
        let timing = keeper.map(|keeper| keeper.timing.clone()).unwrap_or_default();
        let mut home = DurableHome::of_one_execution(Arc::clone(&store), timing);
        if let Some(keeper) = keeper {
            home.keeper.snippets = Arc::clone(&keeper.snippets);
        }
        (self.kept_by(&home), store)
    }

    /// Seals a paused execution.
    async fn carry_away(
        &self,
        outcome: Outcome,
        store: &Arc<dyn Store>,
        key: [u8; 32],
        with: &Continuations,
    ) -> Outcome {
        let Outcome::Paused(mut paused) = outcome else { return outcome };
        let mark = mark_of(with.store.as_deref().or(self.store().ok())).await;
        let sealed = match pack(&**store, &paused.execution_id, key).await {
            Ok(packed) => with.seal(Packed { mark, ..packed }),
            Err(error) => Err(error.into()),
        };
        match sealed {
            Ok(continuation) => {
                paused.continuation = Some(continuation);
                Outcome::Paused(paused)
            }
            Err(failure) => Outcome::abandoned(paused, failure),
        }
    }
}

fn empty_store(key: [u8; 32]) -> Arc<dyn Store> {
    Arc::new(MemoryStore::new(StoreKey::new(key), Arc::new(RealClock::new())))
}

/// Reads everything that a store has of an execution.
async fn pack(store: &dyn Store, id: &ExecutionId, key: [u8; 32]) -> Result<Packed, Error> {
    let (whole, kept) = (store.load(id, Part::Whole).await?, store.load(id, Part::SinceCheckpoint).await?);
    Ok(Packed {
        issued: 0,
        expires: 0,
        mark: Vec::new(),
        id: id.clone(),
        key,
        created: whole.head.updated.0,
        head: whole.head,
        beginning: whole.beginning,
        batches: whole.batches,
        checkpoint: kept.checkpoint,
    })
}

/// Writes an execution to an empty store.
async fn unpack(store: &dyn Store, packed: Packed) -> Result<(), Error> {
    let Packed { id, created, head, beginning, batches, checkpoint, .. } = packed;
    let lease = Arc::new(Lease::first(&id, &Node("continuation".into())));
    let new = NewExecution { created: Timestamp(created), beginning, head: head.clone() };
    store.write(Arc::new(Change::create(Arc::clone(&lease), new))).await?;
    for (position, batch) in (0..).zip(batches) {
        let append = Append { position, batch, head: head.clone(), heard: Vec::new() };
        store.write(Arc::new(Change::append(Arc::clone(&lease), append))).await?;
    }
    if let Some(checkpoint) = checkpoint {
        store.write(Arc::new(Change::checkpoint(Arc::clone(&lease), checkpoint))).await?;
    }
    store.write(Arc::new(Change::release(lease, Release::Anyhow))).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use futures_util::future::BoxFuture;

    use super::*;

    /// A clock that stands still.
    struct At(u64);

    impl Clock for At {
        fn now(&self) -> Timestamp {
            Timestamp(self.0)
        }

        fn elapsed(&self) -> Duration {
            Duration::ZERO
        }

        fn boot_time(&self) -> Duration {
            Duration::ZERO
        }

        fn sleep_until(&self, _moment: Duration) -> BoxFuture<'static, ()> {
            Box::pin(std::future::pending())
        }
    }

    fn at(now: u64) -> Continuations {
        Continuations { clock: Arc::new(At(now)), ..Continuations::new(&[7; 32]).unwrap() }
    }

    #[test]
    fn a_continuation_expires_after_an_hour_and_a_minute_for_the_clocks() {
        const SEALED: u64 = 1_700_000_000_000;
        let continuation = at(SEALED).seal(packed::tests::packed(None)).unwrap();
        let refusal = |now: u64| at(now).unseal(&continuation).err().map(|failure| (failure.code, failure.message));
        for valid in [SEALED - 60_000, SEALED, SEALED + 3_600_000 + 59_999] {
            assert_eq!(refusal(valid), None);
        }
        let (code, message) = refusal(SEALED + 3_600_000 + 60_000).unwrap();
        assert_eq!((code, message.contains("it has expired")), (Code::Continuation, true), "{message}");
        let (code, message) = refusal(SEALED - 60_001).unwrap();
        assert_eq!((code, message.contains("from the future")), (Code::Continuation, true), "{message}");
    }

    #[tokio::test]
    async fn a_clock_that_is_ahead_does_not_forget_what_a_slower_one_still_accepts() {
        const EXPIRES: u64 = 1_700_000_000_000;
        // The last moment at which the slow one accepts it.
        let (slow, store) = (at(EXPIRES + 59_999), empty_store([7; 32]));
        slow.use_up([1; 24], EXPIRES, Some(&*store)).await.unwrap();
        let fast = at(EXPIRES + 59_999 + 59_000);
        fast.use_up([2; 24], EXPIRES + 3_600_000, Some(&*store)).await.unwrap();
        let again = slow.use_up([1; 24], EXPIRES, None).await;
        assert_eq!(again.map_err(|failure| failure.code), Err(Code::Continuation), "this process remembers it");
        // Another process knows of it from the store alone.
        let is_first = store.use_once(&"01".repeat(24), Timestamp(EXPIRES + 59_999), Timestamp(u64::MAX)).await;
        assert!(!is_first.unwrap(), "the store remembers it");
    }

    #[tokio::test]
    async fn a_continuation_whose_use_may_still_fail_is_not_said_to_be_used() {
        const EXPIRES: u64 = 1_700_000_000_000;
        let Use::First(_claim) = USED.claim([3; 24], EXPIRES + 120_000, EXPIRES) else { panic!("it is new") };
        let refused = at(EXPIRES).use_up([3; 24], EXPIRES, None).await.unwrap_err();
        assert!(refused.message.contains("is being used"), "{refused}");
    }
}
