//! Compiles the images to machine code, so that the program that ships needs no compiler.

use std::path::Path;
use std::{env, fs};

use wasmtime::{Config, Engine};

#[path = "src/codegen.rs"]
mod codegen;

const IMAGE: &str = "../../guest/isobox-guest.wasm";
const PREPARER: &str = "../../guest/isobox-preparer.wasm";

#[expect(clippy::disallowed_methods, reason = "cargo speaks to build scripts through the environment")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed={IMAGE}");
    println!("cargo::rerun-if-changed={IMAGE}.sha256");
    println!("cargo::rerun-if-changed={PREPARER}");
    println!("cargo::rerun-if-changed=src/codegen.rs");
    let image = fs::read(IMAGE)?;
    let hash = fs::read_to_string(format!("{IMAGE}.sha256"))?;
    let hash = hash.split_whitespace().next().ok_or("the hash of the guest image is missing")?;

    let mut config = Config::new();
    codegen::configure(&mut config);
    // Naming the target asks for its baseline: the code runs on any such processor, not only on this one.
    config.target(&env::var("TARGET")?)?;
    config.cranelift_nan_canonicalization(true);
    let engine = Engine::new(&config)?;
    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("guest.cwasm"), engine.precompile_module(&image)?)?;
    fs::write(Path::new(&out).join("preparer.cwasm"), engine.precompile_module(&fs::read(PREPARER)?)?)?;
    println!("cargo::rustc-env=ISOBOX_IMAGE_HASH={hash}");
    Ok(())
}
