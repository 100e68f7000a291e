//! Makes what the sandbox loads.
//!
//! `initialise` runs the guest's `isobox_init` once and freezes the memory that it leaves into a new module. `compile` turns a
//! module into the machine code of a target.

use std::task::{Context, Poll, Waker};

use wasmtime::{Config, Engine, Instance, Linker, Module, Result, Store, Val, error::Context as _};
use wasmtime_wizer::{InstanceState, SnapshotVal, ValType, Wizer};

#[path = "../../../crates/isobox-sandbox/compile.rs"]
mod compile;

const INITIALISE: &str = "isobox_init";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (input, output, made) = match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["initialise", input, output] => (*input, *output, pre_initialise(&read(input)?)?),
        ["compile", input, output, target] => (*input, *output, compile::compile(&read(input)?, target)?),
        _ => wasmtime::bail!(
            "usage: isobox-guest-builder initialise INPUT.wasm OUTPUT.wasm\n       \
             isobox-guest-builder compile INPUT.wasm OUTPUT.cwasm TARGET"
        ),
    };
    std::fs::write(output, made).with_context(|| format!("cannot write what {input} became to {output}"))
}

fn read(path: &str) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {path}"))
}

fn pre_initialise(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut config = Config::new();
    // The second is checked against the first, although nothing is asynchronous.
    config.max_wasm_stack(4 << 20);
    config.async_stack_size(6 << 20);
    let engine = Engine::new(&config)?;
    let mut wizer = Wizer::new();
    wizer.init_func(INITIALISE);
    let (context, instrumented) = wizer.instrument(wasm)?;
    let module = Module::new(&engine, instrumented)?;
    // Nothing may leave the guest while it initialises: every import traps.
    let mut linker = Linker::new(&engine);
    linker.define_unknown_imports_as_traps(&module)?;
    let mut store = Store::new(&engine, ());
    let instance = linker.instantiate(&mut store, &module)?;
    instance.get_typed_func::<(), ()>(&mut store, INITIALISE)?.call(&mut store, ())?;
    block_on(wizer.snapshot(&context, &mut Initialised { store, instance }))
}

/// What the guest is after it has initialised. Wizer has this too, together with half of wasmtime's features.
struct Initialised {
    store: Store<()>,
    instance: Instance,
}

impl InstanceState for Initialised {
    async fn global_get(&mut self, name: &str, _: ValType) -> SnapshotVal {
        let global = self.instance.get_global(&mut self.store, name).expect("Wizer exports it");
        match global.get(&mut self.store) {
            Val::I32(value) => SnapshotVal::I32(value),
            Val::I64(value) => SnapshotVal::I64(value),
            Val::F32(value) => SnapshotVal::F32(value),
            Val::F64(value) => SnapshotVal::F64(value),
            Val::V128(value) => SnapshotVal::V128(value.as_u128()),
            other => panic!("a global that Wizer refuses: {other:?}"),
        }
    }

    async fn memory_contents(&mut self, name: &str, contents: impl FnOnce(&[u8]) + Send) {
        contents(self.instance.get_memory(&mut self.store, name).expect("Wizer exports it").data(&self.store));
    }
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
