//! Remembers that a server or a service did not answer in time, so that not every process waits for it.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use isobox_connect::LoginNeeded;
use isobox_core::Timestamp;
use isobox_core::connector::{Error, ErrorKind};
use isobox_store::owned::{self, Guard};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The time for which a server that did not answer is not asked by other processes.
const REMEMBERED_FOR: Duration = Duration::from_secs(5 * 60);
/// The time from which a failure is an outage, unless the server or service has less time to answer.
const COSTLY: Duration = Duration::from_secs(5);
/// The maximum size of a file.
const MAX_SIZE: u64 = 16 << 10;

/// The file with the outage of one server.
#[derive(Debug)]
pub(super) struct OutageFile {
    path: PathBuf,
    /// The name of the server. The path is not told: it depends on values that may be secrets.
    server: String,
}

/// Returns the time from which a failure is an outage. `timeout` is the configured time to answer.
pub(super) fn costly(timeout: Option<Duration>) -> Duration {
    timeout.map_or(COSTLY, |timeout| timeout.min(COSTLY))
}

/// Tells whether a failure after this time is an outage. A login that a person can begin is none: the server has answered, and
/// it is used as soon as the person has logged in.
pub(super) fn is_outage(error: &Error, took: Duration, costly: Duration) -> bool {
    let can_log_in = LoginNeeded::of(error).is_some_and(|needed| needed.url().is_some());
    !can_log_in && (error.kind() == ErrorKind::TimedOut || took >= costly)
}

impl OutageFile {
    /// Names the file beside the one with the kept offer of a server. Does not create it.
    pub(super) fn beside(offer: &Path, server: &str) -> Self {
        Self { path: offer.with_extension("json.outage"), server: server.to_owned() }
    }

    /// Names the file of a service that is asked at this address. Does not create it.
    pub(super) fn of_service(folder: &Path, name: &str, url: &str) -> Self {
        let digest = Sha256::new().chain_update(name).chain_update([0]).chain_update(url).finalize();
        let file: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        Self::beside(&folder.join(file), name)
    }

    /// Returns the error of a server that did not answer an earlier process in time, if that was minutes ago.
    pub(super) fn recent(&self, now: Timestamp) -> Option<Error> {
        let file = owned::open_to_read(&self.path).ok()?;
        owned::check(&file, &self.path, Guard::Secret).ok()?;
        let mut bytes = Vec::new();
        file.take(MAX_SIZE).read_to_end(&mut bytes).ok()?;
        let content: Value = serde_json::from_slice(&bytes).ok()?;
        // A clock that was set back makes it old, too.
        let age = Duration::from_millis(now.0.abs_diff(content["failed"].as_u64()?));
        let left = REMEMBERED_FOR.checked_sub(age).filter(|left| !left.is_zero())?;
        let message = format!("not asked again so soon: {} ago, {}", in_words(age), content["message"].as_str()?);
        let hint = format!("with `--refresh` it is asked at once; otherwise again in {}", in_words(left));
        Some(Error::new(ErrorKind::TimedOut, message).hint(hint))
    }

    /// Notes that the server did not answer in time. Errors that cost no time need no note.
    pub(super) fn note(&self, error: &Error, now: Timestamp) {
        let content = json!({ "failed": now.0, "message": error.message() }).to_string();
        if let Err(error) = owned::replace(&self.path, content.as_bytes()) {
            tracing::debug!(server = self.server, %error, "the outage of a server cannot be noted");
        }
    }

    /// Forgets an outage, if one was noted.
    pub(super) fn forget(&self) {
        drop(fs::remove_file(&self.path));
    }
}

fn in_words(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds => format!("{} min", seconds / 60),
    }
}
