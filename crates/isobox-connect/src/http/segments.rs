//! Finds segments of paths that lead elsewhere.

use percent_encoding::percent_decode_str;

/// Tells whether a path has a segment that leads elsewhere once a server decodes it. Some servers decode twice.
pub(crate) fn climbs(path: &str) -> bool {
    let once = percent_decode_str(path).decode_utf8_lossy();
    let twice = percent_decode_str(&once).decode_utf8_lossy();
    has_dots(path) || has_dots(&once) || has_dots(&twice)
}

/// Tells whether a segment of a path is `.` or `..`. Its parameters (`..;x=1`) do not count: some servers drop them before
/// they route.
fn has_dots(path: &str) -> bool {
    path.split(['/', '\\'])
        .any(|segment| matches!(segment.split_once(';').map_or(segment, |(name, _)| name), "." | ".."))
}
