//! Remembers that a server did not answer in time, so that not every process waits for it.

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;

use isobox_core::Timestamp;
use isobox_core::connector::{Error, ErrorKind};
use isobox_store::owned::{self, Guard};
use serde_json::{Value, json};

use super::offer_file::OfferFile;

/// The time for which a server that did not answer is not asked by other processes.
const REMEMBERED_FOR: Duration = Duration::from_secs(5 * 60);
/// The maximum size of a file.
const MAX_SIZE: u64 = 16 << 10;

impl OfferFile {
    /// Returns the error of a server that did not answer an earlier process in time, if that was minutes ago.
    pub(super) fn outage(&self, now: Timestamp) -> Option<Error> {
        let path = self.outage_path();
        let file = owned::open_to_read(&path).ok()?;
        owned::check(&file, &path, Guard::Secret).ok()?;
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

    /// Notes that the server did not answer in time. Other errors cost no time, and are not noted.
    pub(super) fn note_outage(&self, error: &Error, now: Timestamp) {
        if error.kind() != ErrorKind::TimedOut {
            return;
        }
        let content = json!({ "failed": now.0, "message": error.message() }).to_string();
        if let Err(error) = owned::replace(&self.outage_path(), content.as_bytes()) {
            tracing::debug!(server = self.server, %error, "the outage of a server cannot be noted");
        }
    }

    pub(super) fn forget_outage(&self) {
        drop(fs::remove_file(self.outage_path()));
    }

    fn outage_path(&self) -> PathBuf {
        self.path.with_extension("json.outage")
    }
}

fn in_words(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds => format!("{} min", seconds / 60),
    }
}
