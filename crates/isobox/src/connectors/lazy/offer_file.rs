//! The file in which the offer of one server is kept.

use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use isobox_connect::{McpRemote, McpServer, McpTarget, OAuthClient};
use isobox_core::{Offer, Timestamp};
use isobox_store::owned::{self, Guard};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::super::outage::OutageFile;
use super::KeptOffer;
use crate::config::McpServerConfig;

/// The version of the format, and of what is made of the lists of servers. Files of other versions are not found.
const FORMAT: &str = "4";
/// The maximum size of a file. An offer is smaller; see the limits of lists of tools.
const MAX_SIZE: u64 = 128 << 20;
/// The number of hexadecimal digits of a file's name.
const NAME: usize = 32;
/// The maximum number of files. The oldest ones are removed.
const MAX_FILES: usize = 200;

/// A file for the offer of one server, as it is configured now. With another command, environment, working folder,
/// address, header, transport, client or root, or when the program or script of the server has changed, it is another file.
#[derive(Debug)]
pub(crate) struct OfferFile {
    pub(super) path: PathBuf,
    /// The name of the server. The path is not told: it depends on values that may be secrets.
    pub(super) server: String,
}

impl OfferFile {
    /// Names the file. Does not create it.
    pub(crate) fn new(folder: &Path, name: &str, server: &McpServerConfig) -> Self {
        let mut digest = Sha256::new();
        let mut add = |part: &OsStr| {
            digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
            digest.update(part.as_bytes());
        };
        for text in [FORMAT, env!("CARGO_PKG_VERSION"), name] {
            add(text.as_ref());
        }
        // Lists have their lengths before them, so that no text moves from one list to the next.
        add(format!("{} roots", server.roots.len()).as_ref());
        for root in &server.roots {
            add(root.as_ref());
        }
        match &server.target {
            McpTarget::Child(McpServer { command, args, env, cwd, .. }) => {
                add(command.as_ref());
                let cwd = cwd.clone().or_else(|| std::env::current_dir().ok()).unwrap_or_default();
                add(cwd.as_os_str());
                add(format!("{} variables, {} words", env.len(), args.len()).as_ref());
                for (name, value) in env {
                    add(format!("{name}={value}").as_ref());
                }
                for word in args {
                    add(word.as_ref());
                }
                let scripts = args.iter().map(|word| cwd.join(word)).filter(|path| is_code(path));
                for file in program(command, &cwd).into_iter().chain(scripts) {
                    add(version(&file).as_ref());
                }
            }
            McpTarget::Remote(McpRemote { url, headers, transport, oauth, .. }) => {
                let OAuthClient { client_id, client_secret, scopes, grant, .. } = oauth;
                add(url.as_ref());
                add(format!("{transport:?} {grant:?}").as_ref());
                for text in [client_id, client_secret] {
                    add(text.as_deref().unwrap_or_default().as_ref());
                }
                add(format!("{} scopes, {} headers", scopes.len(), headers.len()).as_ref());
                for scope in scopes {
                    add(scope.as_ref());
                }
                for (name, value) in headers {
                    add(format!("{name}={value}").as_ref());
                }
            }
        }
        let file: String = digest.finalize().iter().take(NAME / 2).map(|byte| format!("{byte:02x}")).collect();
        Self { path: folder.join(file).with_extension("json"), server: name.to_owned() }
    }

    /// Returns the kept offer. Returns none if there is none, or if the file cannot be used.
    pub(super) fn read(&self) -> Option<KeptOffer> {
        match self.try_read() {
            Ok(kept) => Some(kept),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                tracing::warn!(server = self.server, %error, "a kept list of tools cannot be used");
                None
            }
        }
    }

    fn try_read(&self) -> io::Result<KeptOffer> {
        let file = owned::open_to_read(&self.path)?;
        owned::check(&file, &self.path, Guard::Secret)?;
        let mut bytes = Vec::new();
        file.take(MAX_SIZE).read_to_end(&mut bytes)?;
        let mut content: Value = serde_json::from_slice(&bytes)?;
        let listed = content["listed"].as_u64().map(Timestamp).ok_or(io::ErrorKind::InvalidData)?;
        let is_changing = content["isChanging"].as_bool().unwrap_or(true);
        Ok(KeptOffer { offer: serde_json::from_value(content["offer"].take())?, listed, is_changing })
    }

    /// Keeps an offer for later processes, unless it is not whole. The caller need not know if this fails: the server is
    /// then asked again.
    pub(super) fn write(&self, offer: &Offer, now: Timestamp, is_changing: bool) {
        self.outage().forget();
        if offer.is_cut {
            return;
        }
        let content = json!({ "listed": now.0, "isChanging": is_changing, "offer": offer }).to_string();
        if let Err(error) = owned::replace(&self.path, content.as_bytes()) {
            tracing::debug!(server = self.server, %error, "the list of tools of a server cannot be kept");
        }
        self.remove_oldest();
    }

    /// Returns the file with the outage of the server.
    pub(super) fn outage(&self) -> OutageFile {
        OutageFile::beside(&self.path, &self.server)
    }

    fn remove_oldest(&self) {
        let Some(Ok(entries)) = self.path.parent().map(fs::read_dir) else { return };
        let modified = |entry: &DirEntry| entry.metadata().and_then(|metadata| metadata.modified()).ok();
        let own = entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(is_own));
        let mut files: Vec<_> = own.map(|entry| (modified(&entry), entry.path())).collect();
        files.sort_unstable();
        for (_, path) in files.iter().take(files.len().saturating_sub(MAX_FILES)) {
            drop(fs::remove_file(path));
        }
    }
}

/// Tells whether a file of this name is one of these, or one that was not finished.
fn is_own(name: &str) -> bool {
    let (digest, rest) = name.split_at_checked(NAME).unwrap_or_default();
    digest.bytes().all(|byte| byte.is_ascii_hexdigit()) && (rest == ".json" || rest.starts_with(".json."))
}

/// Returns an offer as it is read from its file, for comparison: a file may round the numbers of a schema.
pub(super) fn as_kept(offer: &Offer) -> Offer {
    let kept = serde_json::to_string(offer).and_then(|text| serde_json::from_str(&text));
    kept.unwrap_or_else(|_| offer.clone())
}

/// Returns the file that a command starts, if it is found.
fn program(command: &str, cwd: &Path) -> Option<PathBuf> {
    if command.contains('/') {
        return Some(cwd.join(command));
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(command)).find(|file| file.is_file())
}

/// Tells whether a file may be the server itself, by its name. Other files, such as a database, change with every call.
fn is_code(path: &Path) -> bool {
    const CODE: [&str; 11] = ["cjs", "jar", "js", "mjs", "mts", "php", "py", "rb", "sh", "ts", "wasm"];
    path.extension().is_some_and(|extension| CODE.iter().any(|known| extension == *known))
}

/// Returns the size of a file and the time of its last change. Empty if there is no such file.
fn version(file: &Path) -> String {
    let Ok(metadata) = fs::metadata(file).and_then(|metadata| match metadata.is_file() {
        true => Ok(metadata),
        false => Err(io::ErrorKind::IsADirectory.into()),
    }) else {
        return String::new();
    };
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    format!("{} {}", metadata.len(), changed.as_nanos())
}

#[cfg(test)]
mod tests {
    use isobox_core::{OfferedTool, ToolHints};

    use super::*;
    use crate::config::Config;

    fn file(server: &Value) -> PathBuf {
        let text = json!({ "mcpServers": { "one": server } }).to_string();
        let config = Config::parse(&text, &|_| None).expect("it is a configuration");
        OfferFile::new(Path::new("/offers"), "one", &config.mcp_servers["one"]).path
    }

    #[test]
    fn another_command_environment_or_folder_has_another_file() {
        let servers = [
            json!({ "command": "a" }),
            json!({ "command": "b" }),
            json!({ "command": "a", "args": ["b"] }),
            json!({ "command": "a", "args": ["b", "c"] }),
            json!({ "command": "a", "args": ["bc"] }),
            json!({ "command": "a", "env": { "TOKEN": "1" } }),
            json!({ "command": "a", "env": { "TOKEN": "2" } }),
            json!({ "command": "a", "cwd": "/x" }),
        ];
        let mut files: Vec<PathBuf> = servers.iter().map(file).collect();
        assert_eq!(file(&servers[0]), files[0]);
        files.sort_unstable();
        files.dedup();
        assert_eq!(files.len(), servers.len());
        // The name tells nothing of the values, which may be secrets.
        assert!(files.iter().all(|file| file.display().to_string().len() == "/offers/".len() + 32 + ".json".len()));
    }

    #[test]
    fn another_transport_client_or_root_has_another_file() {
        let url = "https://maps.example/mcp";
        let servers = [
            json!({ "command": "a" }),
            json!({ "command": "a", "roots": ["/x"] }),
            json!({ "command": "a", "roots": ["/x", "/y"] }),
            json!({ "url": url }),
            json!({ "url": url, "roots": ["/x"] }),
            json!({ "url": url, "headers": { "X-Team": "1" } }),
            json!({ "url": url, "type": "http" }),
            json!({ "url": url, "type": "sse" }),
            json!({ "url": url, "oauth": { "clientId": "a" } }),
            json!({ "url": url, "oauth": { "clientId": "b" } }),
            json!({ "url": url, "oauth": { "clientId": "a", "clientSecret": "s" } }),
            json!({ "url": url, "oauth": { "clientId": "a", "clientSecret": "s", "grant": "client_credentials" } }),
            json!({ "url": url, "oauth": { "clientId": "a", "scopes": ["read"] } }),
        ];
        let mut files: Vec<PathBuf> = servers.iter().map(file).collect();
        files.sort_unstable();
        files.dedup();
        assert_eq!(files.len(), servers.len());
        let same = json!({ "url": url, "timeout": "5s", "hint": "maps" });
        assert_eq!(file(&same), file(&json!({ "url": url })), "it changes nothing that the server offers");
    }

    #[test]
    fn a_script_that_has_changed_has_another_file_and_a_database_has_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let name_with = |argument: &str, content: &str| {
            let path = folder.path().join(argument);
            fs::write(&path, content).expect("written");
            file(&json!({ "command": "python3", "args": [path.display().to_string()] }))
        };
        assert_ne!(name_with("server.py", "a"), name_with("server.py", "ab"));
        assert_eq!(name_with("data.db", "a"), name_with("data.db", "ab"));
    }

    #[test]
    fn only_the_newest_files_are_left() {
        let folder = tempfile::tempdir().expect("a folder");
        for number in 0..MAX_FILES + 10 {
            let path = folder.path().join(format!("{number:032x}.json"));
            OfferFile { path, server: String::new() }.write(&Offer::default(), Timestamp(0), false);
            fs::write(folder.path().join(format!("{number}.json")), "of the host").expect("written");
        }
        let names = fs::read_dir(folder.path()).expect("listed").flatten().map(|entry| entry.file_name());
        let (own, others): (Vec<_>, Vec<_>) = names.partition(|name| is_own(name.to_str().expect("text")));
        assert_eq!((own.len(), others.len()), (MAX_FILES, MAX_FILES + 10));
    }

    #[test]
    fn what_is_kept_of_a_list_belongs_to_the_format() {
        let hints = ToolHints::default().read_only(true).destructive(true).idempotent(true).open_world(true);
        let offer = json!(Offer::default().tools(vec![OfferedTool::default().hints(hints)]));
        let tool = &offer["tools"][0];
        let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>().join(" ");
        // A list of an earlier build, without one of these, would differ from every later offer of its server.
        let kept = [keys(&offer), keys(tool), keys(&tool["hints"])];
        let expected = [
            "tools instructions warnings isCut",
            "name ownNames path title description inventory inputSchema outputSchema isOutputUnchecked isGeneral servesFetch hints binding",
            "readOnly destructive idempotent openWorld",
        ];
        assert_eq!((FORMAT, kept), ("4", expected.map(str::to_owned)), "another list needs another format");
    }

    #[test]
    fn a_list_that_is_not_whole_is_not_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = OfferFile { path: folder.path().join("one.json"), server: String::new() };
        file.write(&Offer::default().is_cut(true), Timestamp(0), false);
        assert_eq!(file.read(), None);
        let offer = Offer::default().instructions("Be gentle.");
        file.write(&offer, Timestamp(7), true);
        assert_eq!(file.read(), Some(KeptOffer { offer, listed: Timestamp(7), is_changing: true }));
    }
}
