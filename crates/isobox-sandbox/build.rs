//! Finds the machine code of the images, so that the program that ships needs no compiler. It is kept in the repository for
//! the usual targets; for others the feature `compile-guest` compiles it.

use std::path::{Path, PathBuf};
use std::{env, fs};

type Error = Box<dyn std::error::Error>;

/// A link to the folder of the repository. A package has the files themselves.
const GUEST: &str = "guest";

fn main() -> Result<(), Error> {
    let guest = Path::new(GUEST).canonicalize()?;
    let hash_file = guest.join("isobox-guest.wasm.sha256");
    let hash = fs::read_to_string(&hash_file)?;
    let hash = hash.split_whitespace().next().ok_or("the hash of the guest image is missing")?;
    println!("cargo::rerun-if-changed={}", hash_file.display());
    println!("cargo::rustc-env=ISOBOX_IMAGE_HASH={hash}");
    for image in ["guest", "preparer"] {
        let code = machine_code(&guest, image)?;
        println!("cargo::rerun-if-changed={}", code.display());
        println!("cargo::rustc-env=ISOBOX_{}_CODE={}", image.to_uppercase(), code.display());
    }
    Ok(())
}

/// Returns the file that holds the machine code of an image for the target.
fn machine_code(guest: &Path, image: &str) -> Result<PathBuf, Error> {
    let system = format!("{}-{}", from_cargo("CARGO_CFG_TARGET_ARCH")?, from_cargo("CARGO_CFG_TARGET_OS")?);
    let kept = guest.join("code").join(&system).join(format!("{image}.cwasm"));
    if kept.is_file() { Ok(kept) } else { compiled(guest, image, &system) }
}

#[cfg(not(feature = "compile-guest"))]
fn compiled(_guest: &Path, _image: &str, system: &str) -> Result<PathBuf, Error> {
    Err(format!(
        "no machine code of the guest is kept for {system}: build with the feature `isobox-sandbox/compile-guest`"
    )
    .into())
}

#[cfg(feature = "compile-guest")]
fn compiled(guest: &Path, image: &str, _system: &str) -> Result<PathBuf, Error> {
    let wasm = guest.join(format!("isobox-{image}.wasm"));
    println!("cargo::rerun-if-changed={}", wasm.display());
    let code = Path::new(&from_cargo("OUT_DIR")?).join(format!("{image}.cwasm"));
    fs::write(&code, compile::compile(&fs::read(wasm)?, &from_cargo("TARGET")?)?)?;
    Ok(code)
}

#[cfg(feature = "compile-guest")]
extern crate compiler as wasmtime;

#[cfg(feature = "compile-guest")]
mod compile;

#[expect(clippy::disallowed_methods, reason = "cargo speaks to build scripts through the environment")]
fn from_cargo(name: &str) -> Result<String, env::VarError> {
    env::var(name)
}
