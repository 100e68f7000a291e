//! Answers what programs ask of `Intl` and the `toLocale…` methods.
//!
//! Everything here is a pure function of a request: no clock, no environment, no time zone of the machine. So a program
//! that is replayed gets the same answers, as long as [`DATA_VERSION`] is the same. The guest keeps no handle of a
//! formatter. It sends locale and options with every request, and formatters are cached here.
//!
//! A request is one line with an operation, one line of JSON with the locales and options of a constructor, and the
//! value to format. What is not supported is a `RangeError` that says so, never another result.

mod archive;
mod collate;
mod date;
mod decimal;
mod dispatch;
mod error;
mod list;
mod locale;
mod marks;
mod names;
mod number;
mod options;
mod parts;
mod plural;
mod plural_rules;
mod relative;
mod segment;
mod tags;

pub use date::check_zone;
pub use dispatch::{Answer, answer};
pub use locale::check_locale;

/// The data that answers depend on: CLDR for formats, the Unicode version of ICU4X for collation and segmentation, and
/// the time zone database. A journal that was recorded with another version may be replayed with other texts.
pub const DATA_VERSION: &str = "cldr-48.2.0 icu4x-2.4.0 tz-2026e";
