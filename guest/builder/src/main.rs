//! Pre-initialises the guest: runs its `isobox_init` once and freezes the memory it leaves into a new module.

use std::task::{Context, Poll, Waker};

use wasmtime::{Config, Engine, Linker, Result, Store, error::Context as _};
use wasmtime_wizer::Wizer;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(output), None) = (arguments.next(), arguments.next(), arguments.next()) else {
        wasmtime::bail!("usage: isobox-guest-builder INPUT.wasm OUTPUT.wasm");
    };
    let wasm = std::fs::read(&input).with_context(|| format!("cannot read {input}"))?;
    let image = pre_initialise(&wasm)?;
    std::fs::write(&output, image).with_context(|| format!("cannot write {output}"))?;
    Ok(())
}

fn pre_initialise(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut config = Config::new();
    config.max_wasm_stack(4 << 20);
    config.async_stack_size(6 << 20);
    let engine = Engine::new(&config)?;
    let mut store = Store::new(&engine, ());
    let mut wizer = Wizer::new();
    wizer.init_func("isobox_init");
    let run = wizer.run(&mut store, wasm, async |store, module| {
        // Nothing may leave the guest while it initialises: every import traps.
        let mut linker = Linker::new(store.engine());
        linker.define_unknown_imports_as_traps(module)?;
        linker.instantiate_async(store, module).await
    });
    block_on(run)
}

/// Nothing in here ever waits, so one poll after the other is all the executor that is needed.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}
