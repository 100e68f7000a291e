//! Places of documents: files and addresses.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use percent_encoding::percent_decode_str;

use crate::http::{Origin, join_url, parse_url};

/// The place of a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Place {
    /// A file.
    File(PathBuf),
    /// An address of HTTP or HTTPS.
    Url(String),
}

impl Place {
    /// Reads a place as it is written in a configuration: an address if it begins with `http://` or `https://`,
    /// otherwise a file.
    pub fn parse(text: &str) -> Self {
        let is_url = ["http://", "https://"]
            .iter()
            .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
        if is_url { Self::Url(text.to_owned()) } else { Self::File(text.into()) }
    }

    /// Returns the place of a relative reference. Returns why it may not be read.
    ///
    /// A file may refer to files in the folder of the configured document and below it, an address to addresses of its
    /// own origin.
    pub(super) fn join(&self, reference: &str, configured: &Self) -> Result<Self, String> {
        match (self, configured) {
            (Self::File(file), Self::File(root)) => {
                if reference.contains("://") {
                    return Err("a file may refer to files only; save that document beside it".to_owned());
                }
                let decoded = percent_decode_str(reference).decode_utf8().map_err(|_| "it is not UTF-8")?;
                let folder = file.parent().unwrap_or(Path::new(""));
                let joined = normalised(&folder.join(&*decoded));
                if !joined.starts_with(normalised(root.parent().unwrap_or(Path::new("")))) {
                    return Err("it is outside the folder of the document".to_owned());
                }
                Ok(Self::File(joined))
            }
            (Self::Url(url), Self::Url(_)) => {
                let base = parse_url(url)?;
                let joined = join_url(&base, reference)?;
                if Origin::of(&joined) != Origin::of(&base) {
                    return Err("it is not of the origin of the document".to_owned());
                }
                Ok(Self::Url(joined.to_string()))
            }
            (Self::File(_), Self::Url(_)) | (Self::Url(_), Self::File(_)) => Err("it is of another kind".to_owned()),
        }
    }
}

/// Removes `.` and `..` from a path without looking at the disk.
fn normalised(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some() => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

/// Leaves out the query of an address, which may be a secret.
impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(formatter, "{}", path.display()),
            Self::Url(url) => formatter.write_str(url.split(['?', '#']).next().unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_stay_in_the_folder_or_the_origin() {
        let file = Place::File("/api/v1/main.yaml".into());
        let nested = Place::File("/api/v1/parts/a.yaml".into());
        for (from, reference, expected) in [
            (&file, "pets.yaml", Ok("/api/v1/pets.yaml")),
            (&file, "./parts/a%20b.yaml", Ok("/api/v1/parts/a b.yaml")),
            (&nested, "../main.yaml", Ok("/api/v1/main.yaml")),
            (&file, "../v2/main.yaml", Err("it is outside the folder of the document")),
            (&file, "/etc/passwd", Err("it is outside the folder of the document")),
            (&nested, "../../../etc/passwd", Err("it is outside the folder of the document")),
            (&file, "..%2F..%2Fetc/passwd", Err("it is outside the folder of the document")),
            (&file, "https://a.example/x", Err("a file may refer to files only; save that document beside it")),
        ] {
            let joined = from.join(reference, &file).map(|place| place.to_string());
            assert_eq!(joined, expected.map(str::to_owned).map_err(str::to_owned), "{reference}");
        }
        let url = Place::Url("https://a.example/v1/main.yaml?token=x".into());
        for (reference, expected) in [
            ("pets.yaml", Ok("https://a.example/v1/pets.yaml")),
            ("/x", Ok("https://a.example/x")),
            ("https://b.example/x", Err("it is not of the origin of the document")),
            ("http://a.example/x", Err("it is not of the origin of the document")),
            ("file:///etc/passwd", Err("it is neither http nor https")),
        ] {
            let joined = url.join(reference, &url).map(|place| place.to_string());
            assert_eq!(joined, expected.map(str::to_owned).map_err(str::to_owned), "{reference}");
        }
        assert_eq!(url.to_string(), "https://a.example/v1/main.yaml");
        assert_eq!(Place::parse("HTTPS://a.example/x"), Place::Url("HTTPS://a.example/x".into()));
        assert_eq!(Place::parse("./x.yaml"), Place::File("./x.yaml".into()));
    }
}
