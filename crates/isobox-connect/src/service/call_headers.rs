//! The headers by which a service recognises a call that it has carried out before, or that comes too late.

use hyper::header::{HeaderName, HeaderValue};
use isobox_core::CallContext;

use super::folded::Folded;
use crate::http::{HttpRequest, Origin};

/// The headers in which a service gets the idempotency key and the fencing token of a call. Requests that only read have
/// neither.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallHeaders {
    /// The header for the [idempotency key](CallContext::key): the same for every attempt of a call. None sends no key.
    pub idempotency: Option<String>,
    /// The header for the [fencing token](CallContext::fencing_token), which durable executions have. None sends no token.
    pub fencing: Option<String>,
}

impl CallHeaders {
    /// Sets `idempotency`.
    #[must_use]
    pub fn idempotency(mut self, idempotency: impl Into<Option<String>>) -> Self {
        self.idempotency = idempotency.into();
        self
    }

    /// Sets `fencing`.
    #[must_use]
    pub fn fencing(mut self, fencing: impl Into<Option<String>>) -> Self {
        self.fencing = fencing.into();
        self
    }

    /// Tells whether the host fills in this header, so that programs do not.
    pub(crate) fn fills(&self, name: &str) -> bool {
        let folded = Folded::of(name);
        self.idempotency.iter().chain(&self.fencing).any(|own| folded.is(&Folded::of(own)))
    }

    /// Adds the headers for a call to a request, in place of those of the program. Adds nothing to a request to another
    /// origin.
    pub(crate) fn add(&self, request: &mut HttpRequest, call: &CallContext, origin: &Origin) -> Result<(), String> {
        if Origin::of(&request.url).ok().as_ref() != Some(origin) {
            return Ok(());
        }
        let given: Vec<HeaderName> = request.headers.keys().filter(|name| self.fills(name.as_str())).cloned().collect();
        for name in given {
            request.headers.remove(name);
        }
        let token = call.fencing_token.map(|token| token.to_string());
        for (name, value) in [(&self.idempotency, Some(call.key())), (&self.fencing, token)] {
            let (Some(name), Some(value)) = (name, value) else { continue };
            let name: HeaderName = name.parse().map_err(|_| "the name of a configured header is not valid")?;
            let value = HeaderValue::from_str(&value).map_err(|_| "the key of the call is not a header")?;
            request.headers.insert(name, value);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use hyper::{HeaderMap, Method};
    use isobox_core::{CallSeq, ExecutionId};

    use super::*;

    #[test]
    fn a_request_has_the_key_and_the_token_of_its_call_and_none_of_the_program() {
        let headers = CallHeaders::default().idempotency("Idempotency-Key".to_owned()).fencing("X-Fence".to_owned());
        let mut call = CallContext::new(ExecutionId::new(1, 2), CallSeq::new(3));
        let request = || {
            let mut headers = HeaderMap::new();
            headers.insert("idempotency_key", HeaderValue::from_static("of the program"));
            headers.insert("x-fence", HeaderValue::from_static("0"));
            let url = "https://shop.example/pay".parse().unwrap();
            HttpRequest { method: Method::POST, url, headers, body: Bytes::new() }
        };
        let origin = Origin::of(&request().url).unwrap();
        let mut sent = request();
        headers.add(&mut sent, &call, &origin).unwrap();
        assert_eq!((sent.headers.len(), sent.headers["idempotency-key"].to_str().unwrap()), (1, call.key().as_str()));
        call.fencing_token = Some(7);
        headers.add(&mut sent, &call, &origin).unwrap();
        assert_eq!((sent.headers.len(), sent.headers["x-fence"].to_str().unwrap()), (2, "7"));
        let mut elsewhere = request();
        headers.add(&mut elsewhere, &call, &Origin::of(&"https://other.example/".parse().unwrap()).unwrap()).unwrap();
        assert_eq!(elsewhere.headers, request().headers);
        let wrong = CallHeaders::default().fencing("not a name".to_owned());
        assert!(wrong.add(&mut request(), &call, &origin).is_err());
    }
}
