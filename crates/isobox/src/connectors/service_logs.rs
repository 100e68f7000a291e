//! Passes the log messages of connectors' services to the observer of a runtime.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use isobox_core::connector::ServiceLog;
use isobox_core::{Connector, Content, Contents, Host, brief};

/// Makes the connectors log to the observer of a host. Without an observer they log to `tracing` only.
pub(super) fn observe<'c>(connectors: impl Iterator<Item = &'c dyn Connector>, host: &Host) {
    let (observer, contents) = (host.observer.clone(), host.contents);
    let sink = move |log: ServiceLog| {
        let ServiceLog { connector, level, logger, .. } = &log;
        tracing::debug!(connector, %level, logger, "a service logged a message");
        let Some(observer) = &observer else { return };
        let log = within(log, contents);
        if catch_unwind(AssertUnwindSafe(|| observer.service_logged(&log))).is_err() {
            tracing::error!(connector = log.connector, "an observer panicked at a log message of a service");
        }
    };
    let sink = Arc::new(sink);
    for connector in connectors {
        let sink = Arc::clone(&sink);
        if catch_unwind(AssertUnwindSafe(|| connector.log_to(sink))).is_err() {
            tracing::warn!(
                connector = brief(connector.name(), 80),
                "a connector panicked when it was asked for its logs"
            );
        }
    }
}

/// Reduces a message to the amount of content that the observer gets.
fn within(mut log: ServiceLog, contents: Contents) -> ServiceLog {
    match contents {
        Contents::Progress | Contents::Values => {}
        Contents::Sizes => log.data.value = None,
        _ => log.data = Content::default(),
    }
    log
}
