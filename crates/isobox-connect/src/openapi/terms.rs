//! Words of OpenAPI and HTTP: media types, names, descriptions.

use isobox_core::shorten;

use crate::service::is_json;

/// The maximum length of a description, in characters.
const MAX_DESCRIPTION: usize = 4_000;

/// Shortens a text of a document.
pub(super) fn description(text: &str) -> String {
    shorten(text.trim(), MAX_DESCRIPTION)
}

/// Tells whether a text can be a method of HTTP or the name of a header.
pub(super) fn is_token(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.len() <= 100 && text.bytes().all(is_part)
}

/// Returns the rank of a media type for bodies: the lower, the better.
pub(super) fn rank(media_type: &str) -> usize {
    match media_type {
        "application/json" => 0,
        other if is_json(other) => 1,
        "multipart/form-data" => 2,
        "application/x-www-form-urlencoded" => 3,
        other if other.starts_with("text/") => 4,
        other if other.contains('*') => 6,
        _ => 5,
    }
}
