//! Reads log notifications of a server, and passes them on at a bounded rate and without secrets.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use isobox_core::connector::{ServiceLevel, ServiceLog, ServiceLogSink};
use isobox_core::{Content, brief};
use serde_json::{Map, Value};
use tokio::time::Instant;

use super::concealing::Concealing;

/// The maximum size of a message that is passed on, in bytes of JSON. Of larger ones only the size is.
const MAX_BYTES: usize = 16 << 10;
/// The maximum number of characters of the name of a logger.
const LOGGER_CHARACTERS: usize = 200;
/// The maximum number of messages in a period. Further ones are counted.
const MAX_MESSAGES: u32 = 1_000;
const PERIOD: Duration = Duration::from_secs(60);

/// The receiver of the log messages of a server. Clones are the same receiver.
#[derive(Clone, Default)]
pub(super) struct Logs(Arc<Mutex<Receiver>>);

#[derive(Default)]
struct Receiver {
    sink: Option<Arc<ServiceLogSink>>,
    since: Option<Instant>,
    count: u32,
    dropped: u64,
}

impl Logs {
    /// Sets the receiver.
    pub(super) fn send_to(&self, sink: Arc<ServiceLogSink>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).sink = Some(sink);
    }

    /// Passes a message on if it is a log notification. Returns whether it is one.
    pub(super) fn receive(&self, message: &Map<String, Value>, connector: &str, secrets: &Concealing) -> bool {
        if message.get("method").and_then(Value::as_str) != Some("notifications/message") {
            return false;
        }
        let Some(params) = message.get("params").and_then(Value::as_object) else { return true };
        let Some((sink, dropped)) = self.admit(now()) else { return true };
        let secrets = secrets.quoted();
        // A level that is not one of the protocol says nothing about the severity.
        let level = params.get("level").and_then(Value::as_str).and_then(|level| level.parse().ok());
        let logger = params.get("logger").and_then(Value::as_str);
        let logger = logger.map(|logger| brief(&secrets.conceal(logger), LOGGER_CHARACTERS));
        let data = params.get("data").unwrap_or(&Value::Null);
        let bytes = data.to_string().len();
        let value = (bytes <= MAX_BYTES).then(|| {
            let mut value = data.clone();
            secrets.conceal_value(&mut value);
            value
        });
        let content = Content { bytes: Some(bytes), value };
        let log = ServiceLog::new(connector, level.unwrap_or(ServiceLevel::Info), content);
        sink(log.logger(logger).dropped(dropped));
        true
    }

    /// Returns the receiver and the number of messages that were dropped before this one. None if this one is dropped.
    fn admit(&self, now: Instant) -> Option<(Arc<ServiceLogSink>, u64)> {
        let mut receiver = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sink = Arc::clone(receiver.sink.as_ref()?);
        if receiver.since.is_none_or(|since| now.saturating_duration_since(since) >= PERIOD) {
            receiver.since = Some(now);
            receiver.count = 0;
        }
        if receiver.count == MAX_MESSAGES {
            receiver.dropped = receiver.dropped.saturating_add(1);
            return None;
        }
        receiver.count += 1;
        Some((sink, std::mem::take(&mut receiver.dropped)))
    }
}

#[expect(clippy::disallowed_methods, reason = "the rate of a server is one of real time")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::Secrets;
    use serde_json::json;

    fn receiving() -> (Logs, Arc<Mutex<Vec<ServiceLog>>>) {
        let (logs, received) = (Logs::default(), Arc::new(Mutex::new(Vec::new())));
        let kept = Arc::clone(&received);
        logs.send_to(Arc::new(move |log| kept.lock().unwrap().push(log)));
        (logs, received)
    }

    fn message(params: Value) -> Map<String, Value> {
        Map::from_iter([("method".to_owned(), json!("notifications/message")), ("params".to_owned(), params)])
    }

    #[test]
    fn a_message_is_passed_on_bounded_and_without_secrets() {
        let (logs, received) = receiving();
        let secrets = Concealing::new(Secrets::new(&["hunter2".to_owned()], &[]), Secrets::default());
        let data = json!({ "hunter2": ["password hunter2", 7] });
        for params in [
            json!({ "level": "warning", "logger": "db\nhunter2", "data": data }),
            json!({ "level": "loud" }),
            json!({ "level": "error", "data": "x".repeat(MAX_BYTES) }),
            json!([]),
        ] {
            assert!(logs.receive(&message(params), "docs", &secrets));
        }
        let received = serde_json::to_value(received.lock().unwrap().as_slice()).unwrap();
        let expected = json!([
            { "connector": "docs", "level": "warning", "logger": "db\\n***",
              "data": { "bytes": data.to_string().len(), "value": { "***": ["password ***", 7] } } },
            { "connector": "docs", "level": "info", "data": { "bytes": 4, "value": null } },
            { "connector": "docs", "level": "error", "data": { "bytes": MAX_BYTES + 2 } },
        ]);
        assert_eq!(received, expected);
        let other = Map::from_iter([("method".to_owned(), json!("notifications/progress"))]);
        assert!(!logs.receive(&other, "docs", &secrets));
    }

    #[test]
    fn of_messages_that_come_too_fast_the_rest_is_counted() {
        let (logs, _) = receiving();
        let start = now();
        let admitted = |at| logs.admit(at).map(|(_, dropped)| dropped);
        let first = (0..MAX_MESSAGES + 5).filter_map(|_| admitted(start)).count();
        assert_eq!(first, MAX_MESSAGES as usize);
        assert_eq!([admitted(start + PERIOD), admitted(start + PERIOD)], [Some(5), Some(0)]);
        assert!(Logs::default().admit(start).is_none(), "without a receiver nothing is built");
    }
}
