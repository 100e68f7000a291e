//! The configuration of the store.

use std::path::PathBuf;
use std::time::Duration;

use isobox::config::{Config, StoreConfig};
use isobox::store::Retention;

use super::messages::says;
use super::{Folder, SECRET, environment, error, parse};

const KEY: &str = "00112233445566778899aabbccddeeffABCDEF00112233445566778899aabbcc";

#[test]
fn a_configuration_keeps_executions_beside_itself_unless_it_says_otherwise() {
    assert!(!Config::default().store.keeps_executions());
    let folder = Folder::new("store");
    for (text, expected) in [
        ("{}", Some(folder.0.join(".isobox/isobox.db"))),
        (r#"{ "store": "sqlite:kept/a.db" }"#, Some(folder.0.join("kept/a.db"))),
        (r#"{ "store": "sqlite:/var/a.db" }"#, Some(PathBuf::from("/var/a.db"))),
        (r#"{ "store": { "url": "sqlite:b.db" } }"#, Some(folder.0.join("b.db"))),
        (r#"{ "store": "none" }"#, None),
    ] {
        folder.write("isobox.json", text.as_bytes());
        let config = Config::read(&folder.0.join("isobox.json"), &environment).expect("it is read");
        match (config.store, expected) {
            (StoreConfig::Sqlite(path), Some(expected)) => assert_eq!(path, expected, "{text}"),
            (StoreConfig::Nowhere, None) => {}
            (other, _) => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn a_server_may_be_given_the_key_that_journals_are_sealed_with() {
    let set = |name: &str| match name {
        "URL" => Some(format!("postgres://ada:{SECRET}@db/isobox")),
        "KEY" => Some(KEY.to_owned()),
        _ => None,
    };
    let config = Config::parse(r#"{ "store": { "url": "${URL}", "key": "${KEY}" } }"#, &set).expect("it is read");
    let StoreConfig::Postgres { url, key: Some(key), .. } = &config.store else { panic!("{config:?}") };
    assert_eq!((url.ends_with("@db/isobox"), &key.as_bytes()[..2], key.as_bytes()[31]), (true, &[0, 0x11][..], 0xcc));
    let shown = format!("{config:?}");
    assert!(!shown.contains(SECRET) && !shown.contains("0011"), "{shown}");
    let config = parse(r#"{ "store": { "url": "postgresql://db/isobox", "connections": 2 } }"#);
    let two = isobox_store::Connections::at_most(2).expect("two are enough");
    assert!(matches!(config.store, StoreConfig::Postgres { connections, .. } if connections == two), "{config:?}");
    let config = parse(r#"{ "store": "postgresql://db/isobox" }"#);
    assert!(matches!(config.store, StoreConfig::Postgres { key: None, .. }), "{config:?}");
}

#[test]
fn what_is_wrong_with_a_store_is_said_without_what_may_be_secret() {
    const KINDS: &str =
        "a store is `sqlite:PATH`, `postgres://user:password@host:port/database`, or `none` for no store";
    const KEYS: &str = "the key of a store is 64 hexadecimal digits; `openssl rand -hex 32` makes one";
    says(&[
        (r#"{ "store": "mysql://ada:pw@db" }"#, &[&format!("1:12: `store`: {KINDS}")]),
        (r#"{ "store": "" }"#, &[&format!("1:12: `store`: {KINDS}")]),
        (
            r#"{ "store": "sqlite:" }"#,
            &["1:12: `store`: `sqlite:` needs the path of a file behind it, as in `sqlite:.isobox/isobox.db`"],
        ),
        (
            r#"{ "store": 3 }"#,
            &[
                "1:12: `store` has to be a text like \"sqlite:.isobox/isobox.db\", or an object with `url` and `key`, and is a number",
            ],
        ),
        (r#"{ "store": {} }"#, &["1:12: `store`: there is no `url`, which names the store"]),
        (r#"{ "store": { "url": "none", "keys": "" } }"#, &["1:29: `store`: unknown key `keys`; did you mean `key`?"]),
        (r#"{ "store": { "url": "postgres://db", "key": "${TOKEN}" } }"#, &[&format!("1:45: `store`: {KEYS}")]),
        (
            r#"{ "store": { "url": "postgres://db", "key": 7 } }"#,
            &["1:45: `store`: `key` has to be a text, and is a number"],
        ),
        (
            r#"{ "store": { "url": "sqlite:a.db", "key": "" } }"#,
            &["1:43: `store`: only a store on a server takes a key; that of a file is in another file beside it"],
        ),
        (
            r#"{ "store": { "url": "postgres://db", "connections": 1 } }"#,
            &["1:53: `store`: `connections` has to be from 2 to 100, and is 1: one writes, the others read"],
        ),
        (
            r#"{ "store": { "url": "sqlite:a.db", "connections": 5 } }"#,
            &["1:51: `store`: `connections` is only for a store on a server"],
        ),
    ]);
    let shown = error(r#"{ "store": "mysql://ada:hunter2@db" }"#).to_string();
    assert!(!shown.contains("hunter2"), "{shown}");
}

#[test]
fn how_long_executions_are_kept_can_be_said() {
    assert_eq!(parse("{}").retention, Retention::default().keep(50).expire_after(Duration::from_hours(24)));
    let said = parse(r#"{ "retention": { "keep": 0, "expireAfter": "168h" } }"#).retention;
    assert_eq!(said, Retention::default().keep(0).expire_after(Duration::from_hours(168)));
    assert_eq!(parse(r#"{ "retention": { "keep": 7 } }"#).retention, Retention::default().keep(7));
    says(&[
        (
            r#"{ "retention": { "keep": -1 } }"#,
            &["1:26: `retention`: `keep` has to be a whole number from 0 to 4294967295, and is -1"],
        ),
        (
            r#"{ "retention": { "expireAfter": "0s" } }"#,
            &["1:33: `retention`: `expireAfter` is 0, which leaves no time for decisions"],
        ),
        (
            r#"{ "retention": { "expireAfter": "soon" } }"#,
            &["1:33: `retention`: `expireAfter`: `soon` is not a duration like 5s, 500ms or 2m"],
        ),
        (
            r#"{ "retention": { "expiresAfter": "1h" } }"#,
            &["1:18: `retention`: unknown key `expiresAfter`; did you mean `expireAfter`?"],
        ),
    ]);
}
