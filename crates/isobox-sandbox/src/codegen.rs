//! The settings that the compiler of the guest and the runtime that loads it have to share.

use wasmtime::Config;

/// What the machine code of the guest assumes.
pub(crate) fn configure(config: &mut Config) {
    config
        .epoch_interruption(true)
        // The whole 32-bit address space is reserved for each memory, and a guard behind it that is larger than any
        // constant offset in the guest, so that no access needs a bounds check.
        .memory_reservation(4 << 30)
        .memory_guard_size(32 << 20)
        .guard_before_linear_memory(false)
        .memory_init_cow(true)
        .concurrency_support(false)
        // Nothing that the guest does not use, nor that the two differ in. Without reference types there is no
        // instruction that changes a table, which is what lets an instance be used again.
        .wasm_features(wasmtime::WasmFeatures::REFERENCE_TYPES, false)
        .wasm_features(wasmtime::WasmFeatures::CALL_INDIRECT_OVERLONG, true)
        .gc_support(false)
        .wasm_simd(false)
        .wasm_relaxed_simd(false)
        .wasm_multi_memory(false)
        .wasm_memory64(false);
}
