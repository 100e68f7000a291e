//! `isobox login`: the browser that it opens, and the way back.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::contact::serve;
use crate::executions::{Done, Folder};
use crate::files::within;

/// A browser that writes down its name and its arguments, and comes back from the login.
const BROWSER: &str = r#"#!/usr/bin/env python3
import os, sys, urllib.parse, urllib.request
with open("opened", "w") as opened:
    opened.write("\n".join([os.path.basename(sys.argv[0]), *sys.argv[1:]]))
asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(sys.argv[1]).query))
back = asked["redirect_uri"] + "?" + urllib.parse.urlencode({"code": "the-code", "state": asked["state"]})
urllib.request.build_opener(urllib.request.ProxyHandler({})).open(back, timeout=30)
"#;

const GRANTED: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 44\r\nconnection: close\r\n\r\n\
    {\"access_token\":\"a-token\",\"expires_in\":3600}";

/// A folder with a service that people log in to, and with a folder `bin` of browsers.
fn folder() -> Folder {
    let oauth = json!({
        "clientId": "isobox", "authorizationUrl": "https://login.example/authorize", "tokenUrl": format!("{}/token", serve(GRANTED)),
    });
    let config = json!({ "openapi": { "shop": { "spec": "./shop.json", "auth": { "oauth": oauth } } } });
    let folder = Folder::with("login", &config.to_string());
    let document = json!({
        "openapi": "3.0.3", "info": { "title": "Shop", "version": "1" }, "servers": [{ "url": "https://shop.example" }],
        "paths": { "/me": { "get": { "operationId": "me", "responses": { "200": { "description": "you" } } } } },
    });
    folder.file("shop.json", &document.to_string());
    fs::create_dir(folder.0.join("bin")).expect("a folder can be made");
    for name in ["xdg-open", "own-browser"] {
        let browser = format!("bin/{name}");
        folder.file(&browser, BROWSER);
        fs::set_permissions(folder.0.join(browser), fs::Permissions::from_mode(0o700)).expect("it can be run");
    }
    folder
}

/// Runs a command that finds the browsers of the folder, with this variable `BROWSER`.
fn isobox(folder: &Folder, arguments: &[&str], browser: Option<&str>) -> Done {
    let mut command = folder.command(arguments);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.0.join("bin")).chain(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(folders).expect("a path"));
    match browser {
        Some(browser) => command.env("BROWSER", browser),
        None => command.env_remove("BROWSER"),
    };
    within(60, command)
}

#[test]
fn a_login_is_opened_in_the_browser_of_the_user() {
    let folder = folder();
    for (browser, expected) in [
        (Some("own-browser"), "own-browser"),
        (None, "xdg-open"),
        (Some(""), "xdg-open"),
        (Some("no-such-browser-anywhere"), "xdg-open"),
    ] {
        let done = isobox(&folder, &["login", "shop", "--trust"], browser);
        assert_eq!((done.status, done.stdout.as_str()), (0, "logged in to `shop`\n"), "{browser:?}: {done:?}");
        let opened = fs::read_to_string(folder.0.join("opened")).expect("a browser was opened");
        let (name, url) = opened.split_once('\n').expect("it has an argument");
        assert_eq!(name, expected, "{browser:?}");
        assert!(url.starts_with("https://login.example/authorize?") && url.contains("client_id=isobox"), "{url}");
        for told in [url, "It should be open in a browser now."] {
            assert!(done.stderr.contains(told), "{browser:?}: {done:?}");
        }
        fs::remove_file(folder.0.join("opened")).expect("removed");
        let again = isobox(&folder, &["login", "shop", "--trust"], browser);
        assert_eq!(again.stdout, "`shop` can be used as it is: no login is needed\n", "{again:?}");
        assert!(!folder.0.join("opened").exists(), "nothing is opened without a need");
        let left = isobox(&folder, &["logout", "shop", "--trust"], browser);
        assert_eq!(left.stdout, "logged out of `shop`\n", "{left:?}");
    }
}
