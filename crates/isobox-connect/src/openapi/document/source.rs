//! Reads a document and everything that it refers to.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use futures_util::future::BoxFuture;
use serde_json::Value;

use super::super::error::Refusal;
use super::{DocumentLimits, Documents, MAX_DOCUMENTS, Place, json, yaml};
use crate::service::{file_error, read_file};

/// Fetches the text at an address, at most this many bytes. Returns why that failed.
pub(in crate::openapi) type Fetch<'f> =
    dyn Fn(String, usize) -> BoxFuture<'f, Result<Vec<u8>, String>> + Send + Sync + 'f;

/// Reads a document, and then the documents that it refers to.
///
/// The document is refused if it cannot be read. A document that it refers to and that cannot be read matters only
/// where the reference is needed.
pub(in crate::openapi) async fn load(
    place: Place,
    limits: DocumentLimits,
    fetch: &Fetch<'_>,
) -> Result<Documents, Refusal> {
    let mut reader = Reader { bytes: limits.bytes, values: limits.values, folder: None, fetch };
    let root = reader.read(&place).await?;
    reader.folder = match &place {
        Place::File(path) => {
            let file = fs::canonicalize(path).map_err(|error| Refusal::of(&place, file_error(&error)))?;
            file.parent().map(Path::to_owned)
        }
        Place::Url(_) => None,
    };
    let mut documents = Documents { all: Vec::new(), by_place: HashMap::new(), missing: HashMap::new() };
    let mut wanted = VecDeque::new();
    documents.add(place, root, &mut wanted);
    while let Some(place) = wanted.pop_front() {
        if documents.by_place.contains_key(&place) || documents.missing.contains_key(&place) {
            continue;
        }
        // Those that cannot be read take as long as the others.
        if documents.all.len() + documents.missing.len() >= MAX_DOCUMENTS {
            documents.missing.insert(place, format!("there are more than {MAX_DOCUMENTS} documents"));
            continue;
        }
        match reader.read(&place).await {
            Ok(value) => documents.add(place, value, &mut wanted),
            Err(refusal) => {
                documents.missing.insert(place, refusal.to_string());
            }
        }
    }
    Ok(documents)
}

/// Reads the bytes of a document, without the documents that it refers to.
pub(in crate::openapi) fn document_of(place: Place, bytes: &[u8], mut values: usize) -> Result<Documents, Refusal> {
    let root = parse_bytes(&place, bytes, &mut values)?;
    Ok(Documents { by_place: HashMap::from([(place.clone(), 0)]), all: vec![(place, root)], missing: HashMap::new() })
}

/// Reads the bytes of a file.
pub(in crate::openapi) fn bytes_of(path: &Path, limit: usize) -> Result<Vec<u8>, String> {
    read_file(path, None, limit).map_err(|error| file_error(&error))
}

impl Documents {
    fn add(&mut self, place: Place, value: Value, wanted: &mut VecDeque<Place>) {
        let configured = self.all.first().map_or(&place, |(configured, _)| configured).clone();
        let mut note = |reference: &str| {
            let file = reference.split('#').next().unwrap_or_default();
            if !file.is_empty()
                && let Ok(other) = place.join(file, &configured)
            {
                wanted.push_back(other);
            }
        };
        each_reference(&value, &mut note);
        self.by_place.insert(place.clone(), self.all.len());
        self.all.push((place, value));
    }
}

fn each_reference(value: &Value, note: &mut impl FnMut(&str)) {
    match value {
        Value::Object(entries) => {
            if let Some(Value::String(reference)) = entries.get("$ref") {
                note(reference);
            }
            entries.values().for_each(|entry| each_reference(entry, note));
        }
        Value::Array(items) => items.iter().for_each(|item| each_reference(item, note)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

struct Reader<'f, 'g> {
    bytes: usize,
    values: usize,
    /// The folder that files must be in, once the configured one was read.
    folder: Option<PathBuf>,
    fetch: &'f Fetch<'g>,
}

impl Reader<'_, '_> {
    async fn read(&mut self, place: &Place) -> Result<Value, Refusal> {
        let bytes = match place {
            Place::File(path) => {
                let read = read_file(path, self.folder.as_deref(), self.bytes);
                read.map_err(|error| Refusal::of(place, file_error(&error)))?
            }
            Place::Url(url) => (self.fetch)(url.clone(), self.bytes).await.map_err(|why| Refusal::of(place, why))?,
        };
        self.bytes -= bytes.len().min(self.bytes);
        parse_bytes(place, &bytes, &mut self.values)
    }
}

fn parse_bytes(place: &Place, bytes: &[u8], values: &mut usize) -> Result<Value, Refusal> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Refusal::of(place, format!("it is not UTF-8, from byte {} on", error.valid_up_to())))?;
    parse(text, values).map_err(|error| error.in_place(place))
}

/// Parses JSON if the text begins like a JSON object, and otherwise YAML.
fn parse(text: &str, values: &mut usize) -> Result<Value, super::super::error::SyntaxError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !text.trim_start().starts_with('{') {
        return yaml::parse(text, values);
    }
    json::parse(text, values).or_else(|error| {
        // YAML may begin with a brace too. If it is neither, the JSON error is the one that helps.
        yaml::parse(text, values).map_err(|_| error)
    })
}
