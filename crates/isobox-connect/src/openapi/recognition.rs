//! Recognises OpenAPI documents, for people who name a file or an address and nothing else.

use isobox_core::brief;
use isobox_core::connector::{Error, ErrorKind};

use super::connector::{MAX_VALUES, configured_hosts, request_for};
use super::document::{Place, bytes_of, document_of};
use super::options::{OpenApiOptions, OpenApiService};
use super::reading::version;
use crate::http::{AddressPolicy, HttpClient, parse_url};
use crate::service::too_large;

/// The kind of thing that is at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recognised {
    /// An OpenAPI document of a supported version.
    Document,
    /// An address that answers only to a login or a token.
    Unauthorized,
    /// A page for people.
    Page,
    /// Anything else. The text says why it is not a document.
    Other(String),
}

/// Reads a place, and tells whether an OpenAPI document is there. Does not read the documents that it refers to. An
/// address is sent no credentials.
///
/// # Errors
///
/// If the file cannot be read, or the address cannot be reached.
pub async fn recognise(place: &Place, options: &OpenApiOptions) -> Result<Recognised, Error> {
    let unavailable =
        |why: &str| Error::new(ErrorKind::Unavailable, format!("cannot read {place}: {}", brief(why, 500)));
    let limit = usize::try_from(options.max_document.get()).unwrap_or(usize::MAX);
    let (bytes, is_page) = match place {
        Place::File(path) => (bytes_of(path, limit).map_err(|why| unavailable(&why))?, false),
        Place::Url(url) => {
            let answer = tokio::time::timeout(options.timeout, fetched(url, limit, options)).await;
            match answer.unwrap_or_else(|_| Err(format!("there was no answer within {:?}", options.timeout))) {
                Ok(Answer::Body { bytes, is_page }) => (bytes, is_page),
                Ok(Answer::Unauthorized) => return Ok(Recognised::Unauthorized),
                Ok(Answer::Other(why)) => return Ok(Recognised::Other(why)),
                Err(why) => return Err(unavailable(&why)),
            }
        }
    };
    let place = place.clone();
    // Reading a large document takes longer than a task may block its thread.
    let reading = tokio::task::spawn_blocking(move || {
        let documents = document_of(place, &bytes, MAX_VALUES)?;
        version(&documents.root()).map(|_| ())
    });
    match reading.await {
        Ok(Ok(())) => Ok(Recognised::Document),
        // Some services say of a document that it is a page.
        Ok(Err(_)) if is_page => Ok(Recognised::Page),
        Ok(Err(refusal)) => Ok(Recognised::Other(refusal.to_string())),
        Err(_) => Ok(Recognised::Other("reading it failed".to_owned())),
    }
}

enum Answer {
    Body {
        bytes: Vec<u8>,
        is_page: bool,
    },
    Unauthorized,
    /// An answer that is not a document, whatever its body is.
    Other(String),
}

async fn fetched(url: &str, limit: usize, options: &OpenApiOptions) -> Result<Answer, String> {
    let hosts = configured_hosts(&OpenApiService::new(Place::Url(url.to_owned())));
    let policy = AddressPolicy::for_hosts(hosts.iter().map(String::as_str));
    let client = HttpClient::new(policy, options.connect_timeout);
    let request = request_for(parse_url(url)?);
    let opened = client.open_following(request, options.redirects).await;
    let (mut stream, _) = opened.map_err(|error| error.to_string())?;
    match stream.status.as_u16() {
        200 => {}
        401 => return Ok(Answer::Unauthorized),
        status => return Ok(Answer::Other(format!("the answer was {status}"))),
    }
    let media = stream.headers.get(hyper::header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let is_of_type = |kind: &str| media.is_some_and(|media| media.to_ascii_lowercase().starts_with(kind));
    let is_page = is_of_type("text/html");
    // Such a body has no end.
    if is_of_type("text/event-stream") {
        return Ok(Answer::Other("the answer is a stream of events".to_owned()));
    }
    match stream.read(limit).await {
        Ok((_, true)) => Ok(Answer::Other(too_large(limit))),
        Ok((body, false)) => Ok(Answer::Body { bytes: body.to_vec(), is_page }),
        Err(error) => Err(error.to_string()),
    }
}
