//! The locale and the time zone of programs.

use serde::{Deserialize, Serialize};

/// The locale and the time zone that a program uses where it names none. The default is `en-US` and `UTC`.
///
/// A durable execution keeps the region that it was started with.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Region {
    #[serde(skip_serializing_if = "Option::is_none")]
    locale: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_zone: Option<String>,
}

impl Region {
    /// Sets the locale, by its BCP 47 tag: `de-DE`.
    #[must_use]
    pub fn locale(mut self, tag: impl Into<String>) -> Self {
        self.locale = Some(tag.into());
        self
    }

    /// Sets the time zone, by its name in the IANA database or by its offset: `Europe/Berlin`, `+05:30`.
    #[must_use]
    pub fn time_zone(mut self, name: impl Into<String>) -> Self {
        self.time_zone = Some(name.into());
        self
    }

    /// Returns the locale, unless it is the default.
    pub fn chosen_locale(&self) -> Option<&str> {
        self.locale.as_deref()
    }

    /// Returns the time zone, unless it is the default.
    pub fn chosen_time_zone(&self) -> Option<&str> {
        self.time_zone.as_deref()
    }

    /// Tells whether neither has been chosen.
    pub fn is_default(&self) -> bool {
        self.locale.is_none() && self.time_zone.is_none()
    }
}
