//! Reads the answers of a service. Decisions only; no I/O.

use isobox_core::{OneLine, brief, lines_without_escapes, parse_json};
use serde_json::{Map, Value, json};

use crate::http::HttpResponse;
use crate::service::{ServiceError, ServiceSecrets, response};

/// An answer: data, errors, or both.
#[derive(Debug)]
pub(super) struct Answer {
    /// Null if there is none.
    data: Value,
    errors: Vec<Value>,
    /// The status and what to do about it, if it is not successful.
    status: Option<String>,
    /// An error without a message, which has the details of the response.
    error: ServiceError,
}

/// The advice about a redirect.
const REDIRECTED: &str = " (redirects are not followed; the operator sets the final address as `url`)";
/// The number of errors that are told. Further ones are counted.
const TOLD_ERRORS: usize = 5;
/// The maximum length of an error, in characters.
const MAX_ERROR: usize = 500;

/// Reads an answer. Returns why it is none.
pub(super) fn read(response: &HttpResponse, secrets: &ServiceSecrets) -> Result<Answer, ServiceError> {
    let is_success = response.status.is_success();
    let error = |message: String| ServiceError::from(message).with_response(response, &secrets.quoted);
    let value = match is_success {
        true => response::value(response, secrets).map_err(error)?,
        false => {
            let mut value = parse_json(&response.body).unwrap_or_default();
            secrets.credentials.conceal_value(&mut value);
            value
        }
    };
    let errors = match value.get("errors") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(errors)) => errors.clone(),
        Some(other) => vec![other.clone()],
    };
    let data = value.get("data").cloned();
    if !is_success && errors.is_empty() {
        return Err(error(response::failure("the request", response, &secrets.quoted, REDIRECTED)));
    }
    if data.is_none() && errors.is_empty() {
        let message = "the answer is none of GraphQL: it has neither `data` nor `errors` (the operator checks that `url` is \
                       the address of a GraphQL service)";
        return Err(error(message.to_owned()));
    }
    let status = (!is_success).then(|| {
        let reason = response.status.canonical_reason().unwrap_or_default();
        format!("{} {reason}{}", response.status.as_u16(), response::advice(response.status, REDIRECTED))
    });
    Ok(Answer { data: data.unwrap_or_default(), errors, status, error: error(String::new()) })
}

impl Answer {
    /// Returns the value of a field. An answer with any error has none: what a part of it means is not known.
    pub(super) fn field(mut self, name: &str) -> Result<Value, ServiceError> {
        if !self.errors.is_empty() {
            return Err(self.described());
        }
        let field = self.data.get_mut(name).map(Value::take);
        field.ok_or_else(|| self.error.saying(format!("the answer has no `{}`", brief(name, 80))))
    }

    /// Returns data and errors. An answer without data is an error.
    pub(super) fn whole(self) -> Result<Value, ServiceError> {
        if self.data.is_null() && !self.errors.is_empty() {
            return Err(self.described());
        }
        let mut whole = Map::from_iter([("data".to_owned(), self.data)]);
        if !self.errors.is_empty() {
            whole.insert("errors".to_owned(), json!(self.errors));
        }
        Ok(Value::Object(whole))
    }

    /// Returns the data if there are no errors.
    pub(super) fn data(self) -> Result<Value, ServiceError> {
        if self.errors.is_empty() { Ok(self.data) } else { Err(self.described()) }
    }

    /// Describes the errors. The message has no credentials, but is not yet free of other secrets.
    fn described(self) -> ServiceError {
        let one = |error: &Value| {
            let message = error.get("message").and_then(Value::as_str);
            let message = message.map_or_else(|| error.to_string(), str::to_owned);
            let lines: Vec<String> = lines_without_escapes(message.trim()).map(OneLine::into_owned).collect();
            let message = brief(&lines.join(" "), MAX_ERROR);
            match path(error) {
                Some(path) => format!("{message} (at `{path}`)"),
                None => message,
            }
        };
        let mut told: Vec<String> = self.errors.iter().take(TOLD_ERRORS).map(one).collect();
        if self.errors.len() > TOLD_ERRORS {
            told.push(format!("and {} more errors", self.errors.len() - TOLD_ERRORS));
        }
        let errors = told.join("; ");
        let message = match &self.status {
            Some(status) => format!("{errors}: {status}"),
            None => errors,
        };
        self.error.saying(message)
    }
}

/// Returns the place of an error in the data.
fn path(error: &Value) -> Option<String> {
    let parts = error.get("path")?.as_array()?;
    let part = |part: &Value| part.as_str().map_or_else(|| part.to_string(), str::to_owned);
    let parts: Vec<String> = parts.iter().take(20).map(part).collect();
    if parts.is_empty() { None } else { Some(brief(&parts.join("."), 200)) }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use hyper::StatusCode;
    use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue};

    use super::*;

    fn answer(status: u16, media_type: &'static str, body: &str) -> Result<Answer, String> {
        let response = HttpResponse {
            status: StatusCode::from_u16(status).unwrap(),
            headers: HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(media_type))]),
            body: Bytes::copy_from_slice(body.as_bytes()),
            is_cut: false,
            url: "https://a.example/".parse().unwrap(),
        };
        read(&response, &ServiceSecrets::default().with(["hunter2"])).map_err(message)
    }

    fn message(error: ServiceError) -> String {
        error.message().to_owned()
    }

    const JSON: &str = "application/graphql-response+json";

    #[test]
    fn data_is_a_result_and_errors_are_told_with_their_places() {
        let good = r#"{ "data": { "a": 1, "b": null } }"#;
        assert_eq!(answer(200, JSON, good).unwrap().field("a").map_err(message), Ok(json!(1)));
        assert_eq!(answer(200, JSON, good).unwrap().field("b").map_err(message), Ok(Value::Null));
        assert_eq!(
            answer(200, JSON, good).unwrap().field("c").map_err(message),
            Err("the answer has no `c`".to_owned())
        );
        assert_eq!(
            answer(200, JSON, good).unwrap().whole().map_err(message),
            Ok(json!({ "data": { "a": 1, "b": null } }))
        );
        let partial = r#"{ "data": { "a": [null] }, "errors": [{ "message": "no\nway", "path": ["a", 0] }, "odd"] }"#;
        let told = "no way (at `a.0`); \"odd\"";
        assert_eq!(answer(200, JSON, partial).unwrap().field("a").map_err(message), Err(told.to_owned()));
        assert_eq!(answer(200, JSON, partial).unwrap().data().map_err(message), Err(told.to_owned()));
        assert_eq!(
            answer(200, JSON, partial).unwrap().whole().map_err(message).unwrap()["errors"][0]["message"],
            "no\nway"
        );
        let failed = r#"{ "data": null, "errors": [{ "message": "no" }] }"#;
        assert_eq!(answer(200, JSON, failed).unwrap().whole().map_err(message), Err("no".to_owned()));
        let many = json!({ "errors": (0..100).map(|_| json!({ "message": "x".repeat(10_000) })).collect::<Vec<_>>() });
        let many = answer(200, JSON, &many.to_string()).unwrap().whole().map_err(message).unwrap_err();
        assert!(many.len() < 3_500 && many.ends_with("and 95 more errors"), "{many}");
    }

    #[test]
    fn an_answer_has_no_credentials() {
        let echo = r#"{ "data": { "a": ["x hunter2"], "hunter2": 1 }, "errors": [{ "message": "no hunter\u0032" }] }"#;
        let shown = json!({ "data": { "a": ["x ***"], "***": 1 }, "errors": [{ "message": "no ***" }] });
        for status in [200, 500] {
            assert_eq!(answer(status, JSON, echo).unwrap().whole().map_err(message), Ok(shown.clone()), "{status}");
            let told = answer(status, JSON, echo).unwrap().field("a").map_err(message).unwrap_err();
            assert!(told.starts_with("no ***"), "{told}");
        }
    }

    #[test]
    fn what_is_no_answer_says_what_to_do() {
        for (status, media_type, body, expected) in [
            (200, "text/html", "<html>", "the operator checks that `url` is"),
            (200, JSON, "[1]", "neither `data` nor `errors`"),
            (200, JSON, r#"{ "errors": [] }"#, "neither `data` nor `errors`"),
            (200, JSON, "{", "not valid JSON"),
            (404, "text/plain", "nothing here", "the request: 404 Not Found: nothing here"),
            (302, "text/plain", "", "sets the final address as `url`"),
            (401, "text/plain", "", "sets the credentials under `auth`"),
        ] {
            let refused = answer(status, media_type, body).unwrap_err();
            assert!(refused.contains(expected), "{body}: {refused}");
        }
        let unauthorised =
            answer(401, JSON, r#"{ "errors": [{ "message": "who are you" }] }"#).unwrap().whole().map_err(message);
        let expected = "who are you: 401 Unauthorized (the operator sets the credentials under `auth`)";
        assert_eq!(unauthorised, Err(expected.to_owned()));
    }
}
