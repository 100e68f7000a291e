//! `fetch`: the requests that programs may make.

use isobox_connect::{WebOptions, WebSecret};
use isobox_core::ByteSize;
use jsonc_parser::common::Ranged;

use super::reader::{ConfigReader, Keys, Section, shown};
use super::servers::texts_written;
use super::syntax::Value;

const OWNER: &str = "`fetch`";
pub(super) const KEYS: Keys = Keys {
    known: &["allow", "methods", "redirects", "headers", "privateHosts", "secrets", "timeout", "maxResponse"],
    tolerated: &[],
    later: &[],
};
pub(super) const SECRET: Keys = Keys { known: &["origin", "value"], tolerated: &[], later: &[] };
const NO_TIME: &str = "`timeout` is 0, which leaves no time for any answer; leave it out where there is none";

/// Reads the options, and what is requested as written in the file.
pub(super) fn read<'d>(reader: &mut ConfigReader<'_>, value: &'d Value<'d>) -> Option<(WebOptions, String)> {
    let section = reader.section(OWNER, value, &KEYS)?;
    let mut options = WebOptions::for_output(ByteSize::mib(4));
    let mut texts = |key: &str| -> Option<Vec<String>> {
        Some(reader.texts(&section, key)?.into_iter().map(|text| text.value).collect())
    };
    options.allow = texts("allow").unwrap_or_default();
    options.headers = texts("headers").unwrap_or_default();
    options.private_hosts = texts("privateHosts").unwrap_or_default();
    if let Some(methods) = texts("methods") {
        options.methods = methods;
    }
    if let Some(redirects) = reader.count(&section, "redirects") {
        options.redirects = redirects;
    }
    if let Some(timeout) = reader.duration(&section, "timeout", NO_TIME) {
        options.timeout = timeout;
    }
    if let Some(size) = reader.size(&section, "maxResponse") {
        options.max_response = size;
    }
    read_secrets(reader, &section, &mut options);
    if options.allow.is_empty() {
        let message =
            "`allow` is missing or empty, so that nothing can be requested; write the beginnings of addresses";
        reader.problem(value.start(), OWNER, message);
    } else if let Err(reason) = options.check() {
        reader.problem(value.start(), OWNER, reason);
    }
    let written = section.get("allow").map(texts_written).unwrap_or_default();
    Some((options, written.join(", ")))
}

fn read_secrets(reader: &mut ConfigReader<'_>, section: &Section<'_>, options: &mut WebOptions) {
    let entries = section.get("secrets").and_then(|value| reader.entries(OWNER, "secrets", value));
    for (start, name, value) in entries.unwrap_or_default() {
        let owner = format!("{OWNER}, the secret `{}`", shown(name));
        let Some(secret) = reader.section(owner.clone(), value, &SECRET) else { continue };
        let origin = reader.text(&secret, "origin");
        let value = reader.text(&secret, "value");
        match (origin, value) {
            (Some(origin), Some(value)) => {
                options.secrets.insert(name.to_owned(), WebSecret { origin: origin.value, value: value.value });
            }
            _ => reader.problem(start, &owner, "it needs an `origin`, which it is sent to, and a `value`"),
        }
    }
}
