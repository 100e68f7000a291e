//! The settings that the compiler of the guest and the runtime that loads it share.

use wasmtime::Config;

/// Sets what the machine code of the guest assumes.
pub(crate) fn configure(config: &mut Config) {
    config
        .epoch_interruption(true)
        // Reserves the whole 32-bit address space for each memory, followed by a guard that is larger than any constant
        // offset in the guest, so that no access needs a bounds check.
        .memory_reservation(4 << 30)
        .memory_guard_size(32 << 20)
        .guard_before_linear_memory(false)
        .memory_init_cow(true)
        .concurrency_support(false)
        // Disables features that the guest does not use, and those in which build script and runtime would differ.
        // Without reference types no instruction changes a table, which makes it possible to reuse an instance.
        .wasm_features(wasmtime::WasmFeatures::REFERENCE_TYPES, false)
        .wasm_features(wasmtime::WasmFeatures::CALL_INDIRECT_OVERLONG, true)
        .gc_support(false)
        .wasm_simd(false)
        .wasm_relaxed_simd(false)
        .wasm_multi_memory(false)
        .wasm_memory64(false);
}
