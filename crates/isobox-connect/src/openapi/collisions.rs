//! Reads the names in the query of a request, and says which of them are refused. Decisions only; no I/O.

use hyper::Uri;
use percent_encoding::percent_decode_str;

/// The reason why a parameter or a field is refused whose value some services take for the method of the request.
pub(super) const METHOD_REFUSED: &str = "`_method` and its like would make some services carry out another request";

/// Returns the pairs that the query has before anything is added: those of the address of the service, and those of the path.
pub(super) fn fixed_pairs(base: &Uri, path: &str) -> Vec<(String, String)> {
    let path = path.split('#').next().unwrap_or_default();
    let own = path.split_once('?').map(|(_, query)| query);
    base.query().into_iter().chain(own).flat_map(decoded_pairs).collect()
}

/// Returns the pairs of a query, decoded.
pub(super) fn decoded_pairs(query: &str) -> Vec<(String, String)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
}

/// Decodes a name or a value of a query.
pub(super) fn decoded(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_query_of_a_service_and_of_a_path_is_fixed() {
        let base = "https://a.example/v1?tenant=a%20b".parse().unwrap();
        let fixed = fixed_pairs(&base, "/x?Action=List&flag#part?no=1");
        let expected = [("tenant", "a b"), ("Action", "List"), ("flag", "")];
        assert_eq!(fixed, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert!(fixed_pairs(&"https://a.example".parse().unwrap(), "/x").is_empty());
    }
}
