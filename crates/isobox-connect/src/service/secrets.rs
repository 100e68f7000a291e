//! The secrets of a service: what programs do not see of its responses.

use std::collections::BTreeMap;

use super::auth::Auth;
use crate::secrets::{Secrets, credentials_in_address, credentials_of};

/// The secrets of a service.
#[derive(Clone, Default)]
pub(crate) struct ServiceSecrets {
    /// The values that are concealed where a response is quoted: everything that the configuration took from the
    /// environment, all credentials and all headers.
    pub(crate) quoted: Secrets,
    /// The values that are concealed in results: credentials only. The rest of the configuration, such as a host or a
    /// version, is ordinary data, and a result without it would be wrong.
    pub(crate) credentials: Secrets,
}

impl ServiceSecrets {
    /// Collects the secrets of a service from the values that the configuration took from the environment, and from
    /// everything that is sent. The addresses may have a key in their queries.
    pub(crate) fn new(taken: &[String], auth: &Auth, headers: &BTreeMap<String, String>, addresses: &[&str]) -> Self {
        let queries = addresses.iter().filter_map(|address| Some(address.split_once('?')?.1));
        let mut credentials = auth.secrets();
        credentials.extend(credentials_of(headers.iter().map(|(name, value)| (name.as_str(), value.as_str()))));
        credentials.extend(addresses.iter().flat_map(|address| credentials_in_address(address)));
        let sent: Vec<&str> = credentials.iter().chain(headers.values()).map(String::as_str).chain(queries).collect();
        let is_sent = |value: &&String| sent.iter().any(|sent| sent.contains(value.as_str()));
        Self {
            quoted: Secrets::new(taken, credentials.iter().chain(headers.values())),
            credentials: Secrets::of_credentials(taken.iter().filter(is_sent), &credentials),
        }
    }

    /// Returns these secrets and tokens that were granted later.
    pub(crate) fn with<'t>(&self, granted: impl IntoIterator<Item = &'t str>) -> Self {
        let granted: Vec<&str> = granted.into_iter().collect();
        Self {
            quoted: self.quoted.with(granted.iter().copied()),
            credentials: self.credentials.with(granted.iter().copied()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn results_are_without_credentials_and_keep_what_is_ordinary_data() {
        let headers = [
            ("X-Api-Version", "2026-01-01"),
            ("X-Api-Key", "key-of-the-host"),
            ("X-Account", "account-from-env"),
            ("Authorization", "Bearer token-of-the-host"),
        ];
        let headers: BTreeMap<String, String> = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let taken = ["api.example.com", "account-from-env", "query-from-env"].map(str::to_owned);
        let auth = Auth::basic("ada", "word/of+ada").with_api_key(None, "k/ey=host").with_api_key(None, "changeme");
        let address = "https://api.example.com/?v=2026-02-02&q=query-from-env&token=token-of-the-address";
        let secrets = ServiceSecrets::new(&taken, &auth, &headers, &[address]).with(["granted-token"]);
        for (text, in_result, quoted) in [
            ("https://api.example.com/", "https://api.example.com/", "https://***/"),
            ("since 2026-01-01", "since 2026-01-01", "since ***"),
            ("since 2026-02-02", "since 2026-02-02", "since 2026-02-02"),
            ("key-of-the-host", "***", "***"),
            ("account-from-env", "***", "***"),
            ("query-from-env", "***", "***"),
            ("Bearer token-of-the-host", "***", "***"),
            ("token-of-the-host", "***", "***"),
            ("token-of-the-address", "***", "***"),
            ("word/of+ada", "***", "***"),
            ("Basic YWRhOndvcmQvb2YrYWRh", "Basic ***", "Basic ***"),
            ("?key=k%2Fey%3Dhost", "?key=***", "?key=***"),
            ("k/ey=host", "***", "***"),
            ("granted-token", "***", "***"),
            ("changeme", "changeme", "***"),
            ("ada", "ada", "ada"),
        ] {
            let mut value = json!([text]);
            secrets.credentials.conceal_value(&mut value);
            assert_eq!((value, secrets.quoted.conceal(text)), (json!([in_result]), quoted.to_owned()), "{text}");
        }
    }
}
