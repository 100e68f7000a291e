//! Compiles an image to the machine code of a target.

use wasmtime::{Config, Engine, Result};

#[path = "src/codegen.rs"]
mod codegen;

/// Compiles an image for a target. The code runs on any processor of that architecture, not only on this machine's.
pub(crate) fn compile(image: &[u8], target: &str) -> Result<Vec<u8>> {
    let mut config = Config::new();
    codegen::configure(&mut config);
    // A target that is named stands for its baseline.
    config.target(target)?;
    config.cranelift_nan_canonicalization(true);
    Engine::new(&config)?.precompile_module(image)
}
