//! Words of HTTP that requests and responses are made of: escaped texts, base64, media types.

use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Standard base64, with or without padding.
pub(crate) const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// All characters except the unreserved ones of RFC 3986.
const ALL: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// Keeps reserved characters that cannot end a value or begin another one.
const RESERVED: &AsciiSet = &ALL
    .remove(b':')
    .remove(b'/')
    .remove(b'?')
    .remove(b'[')
    .remove(b']')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b',')
    .remove(b';')
    .remove(b'=');
/// Keeps characters that a cookie may contain (RFC 6265).
const COOKIE: &AsciiSet = &percent_encoding::CONTROLS.add(b' ').add(b'"').add(b',').add(b';').add(b'\\').add(b'%');

/// The characters of a text that are escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escape {
    /// All but unreserved characters.
    All,
    /// All but unreserved characters and those reserved ones that do not separate parameters.
    KeepReserved,
    /// The characters that a cookie cannot contain.
    Cookie,
    /// Nothing: the value is checked elsewhere.
    Nothing,
}

/// Escapes a text.
pub(crate) fn escape(text: &str, escape: Escape) -> String {
    match escape {
        Escape::All => utf8_percent_encode(text, ALL).to_string(),
        Escape::KeepReserved => utf8_percent_encode(text, RESERVED).to_string(),
        Escape::Cookie => utf8_percent_encode(text, COOKIE).to_string(),
        Escape::Nothing => text.to_owned(),
    }
}

/// Returns a media type without parameters, in lower case.
pub(crate) fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Tells whether a media type is JSON.
pub(crate) fn is_json(media_type: &str) -> bool {
    matches!(media_type, "application/json" | "text/json" | "text/x-json") || media_type.ends_with("+json")
}
