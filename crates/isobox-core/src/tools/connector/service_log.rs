//! Log messages of the services behind connectors.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Content;

/// A log message of the service behind a connector. It belongs to no call and to no execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ServiceLog {
    /// The name of the connector.
    pub connector: String,
    /// The severity.
    pub level: ServiceLevel,
    /// The part of the service that logged it, if the service says so.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub logger: Option<String>,
    /// The message: a text or any other value, without the secrets of the connector. A large one has only its size.
    pub data: Content,
    /// The number of messages that were dropped since the last one, because they came too fast.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub dropped: u64,
}

/// Receives log messages of services. It must not block.
pub type ServiceLogSink = dyn Fn(ServiceLog) + Send + Sync;

/// The severity of a log message, as in syslog (RFC 5424) and in MCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ServiceLevel {
    /// Details for debugging.
    Debug,
    /// Normal operation.
    Info,
    /// Normal, but significant.
    Notice,
    /// A warning.
    Warning,
    /// An error.
    Error,
    /// A critical condition.
    Critical,
    /// Action must be taken at once.
    Alert,
    /// The service is unusable.
    Emergency,
}

impl ServiceLog {
    /// Creates a message.
    pub fn new(connector: impl Into<String>, level: ServiceLevel, data: Content) -> Self {
        Self { connector: connector.into(), level, logger: None, data, dropped: 0 }
    }

    setters! {
        logger: impl Into<Option<String>>,
        dropped: u64,
    }
}

impl ServiceLevel {
    const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    /// Returns its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }
}

impl fmt::Display for ServiceLevel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A text that is not the name of a level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a log level")]
pub struct NotALevel;

impl FromStr for ServiceLevel {
    type Err = NotALevel;

    fn from_str(text: &str) -> Result<Self, NotALevel> {
        Self::ALL.into_iter().find(|level| level.as_str() == text).ok_or(NotALevel)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_has_one_json_shape_and_is_read_back_from_it() {
        let data = Content { bytes: Some(6), value: Some(json!("slow")) };
        let log = ServiceLog::new("docs", ServiceLevel::Warning, data).logger("index".to_owned()).dropped(3);
        let shape = json!({ "connector": "docs", "level": "warning", "logger": "index",
            "data": { "bytes": 6, "value": "slow" }, "dropped": 3 });
        assert_eq!(serde_json::to_value(&log).unwrap(), shape);
        assert_eq!(serde_json::from_value::<ServiceLog>(shape).unwrap(), log);
    }

    #[test]
    fn every_level_is_read_from_its_name_and_they_are_ordered() {
        assert!(ServiceLevel::ALL.is_sorted());
        for level in ServiceLevel::ALL {
            assert_eq!(level.as_str().parse(), Ok(level));
            assert_eq!(serde_json::to_value(level).unwrap(), level.as_str());
        }
        assert_eq!("loud".parse::<ServiceLevel>(), Err(NotALevel));
    }
}
