//! The file of a credential. Only its owner can read it, and concurrent processes create it only once.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use isobox_core::{Code, Credential, Failure, without_escapes};
use isobox_store::owned::{self, Guard};

/// The length of a secret in bytes. The file contains it in hexadecimal digits.
const SECRET: usize = 32;
/// The maximum size of the file.
const MAX_SIZE: u64 = 1024;

/// Reads the credential of the person who runs this process: 64 hexadecimal digits and a name, on one line. If there is
/// none, creates one with the given name, in a file that only its owner can read.
///
/// # Errors
///
/// `CONFIG` if the file cannot be created or read, has another owner, is accessible to others, or is not a credential.
pub fn own_credential(path: &Path, name: &str) -> Result<Credential, Failure> {
    let read = match read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => make(path, name).and_then(|()| self::read(path)),
        read => read,
    };
    let text = read.map_err(|error| unusable(path, &error.to_string()))?;
    parse(&text).ok_or_else(|| unusable(path, "it does not have 64 hexadecimal digits and a name on one line"))?
}

fn read(path: &Path) -> io::Result<String> {
    let file = owned::open_to_read(path)?;
    owned::check(&file, path, Guard::Secret)?;
    let mut text = String::new();
    file.take(MAX_SIZE).read_to_string(&mut text)?;
    Ok(text)
}

fn parse(text: &str) -> Option<Result<Credential, Failure>> {
    let (digits, name) = text.strip_suffix('\n').unwrap_or(text).split_once(' ')?;
    let mut secret = [0; SECRET];
    if digits.len() != 2 * SECRET || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, at) in secret.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&digits[at..at + 2], 16).ok()?;
    }
    Some(Credential::new(secret, name))
}

/// Writes a new credential to a temporary file and links it to its path. Only one of several concurrent processes
/// succeeds.
fn make(path: &Path, name: &str) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let digits = random_digits()?;
    let mut other_name = path.as_os_str().to_owned();
    other_name.push(format!(".{}", &random_digits()?[..8]));
    let other_name = PathBuf::from(other_name);
    let mut file = OpenOptions::new().mode(0o600).create_new(true).write(true).open(&other_name)?;
    let written = file.write_all(format!("{digits} {name}\n").as_bytes()).and_then(|()| file.sync_all());
    let linked = written.and_then(|()| match std::fs::hard_link(&other_name, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    std::fs::remove_file(&other_name)?;
    linked
}

fn random_digits() -> io::Result<String> {
    let mut bytes = [0; SECRET];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn unusable(path: &Path, why: &str) -> Failure {
    let path = path.display().to_string();
    let message = format!("the credential for deciding, {}, cannot be used: {why}", without_escapes(&path));
    Failure::new(Code::Config, message)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_credential_is_made_once_and_for_its_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state/isobox/decide.key");
        assert_eq!(own_credential(&path, "ada").expect("the credential is created").name(), "ada");
        let written = std::fs::read_to_string(&path).expect("it is there");
        assert_eq!(
            own_credential(&path, "bob").expect("it is read").name(),
            "ada",
            "the name is that of the credential"
        );
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), written);
        let mode = |path: &Path| path.metadata().expect("it is there").permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().expect("a folder"))), (0o600, 0o700));
        assert_eq!(path.parent().expect("a folder").read_dir().expect("it is read").count(), 1, "nothing else is left");
    }

    #[test]
    fn what_others_can_use_or_is_none_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("decide.key");
        own_credential(&path, "ada").expect("the credential is created");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).expect("it is changed");
        let refused = own_credential(&path, "ada").expect_err("others can read it");
        assert!(refused.code == Code::Config && refused.message.contains("chmod 600"), "{refused}");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).expect("it is changed");
        for content in ["", "abc ada\n", &"0".repeat(64), &format!("{} \u{200b}\n", "0".repeat(64))] {
            std::fs::write(&path, content).expect("it is written");
            assert_eq!(
                own_credential(&path, "ada").expect_err("the content is invalid").code,
                Code::Config,
                "{content:?}"
            );
        }
        assert_eq!(own_credential(folder.path(), "ada").expect_err("a folder").code, Code::Config);
    }
}
