//! Calls the built-in functions of the engine with lengths, indexes and counts at the borders of 32 bits.

use std::time::Duration;

use isobox_core::driver::Returned;
use isobox_core::program::Program;
use isobox_core::{Exhausted, Limits, ProgramState};

use crate::Cleaning;
use crate::tests::{options, sandbox, step};

/// The number of cases without `PROPTEST_CASES`, which `./soak` sets.
const CASES: u32 = 1_500;

/// The names of errors that a built-in function may throw.
const ERRORS: [&str; 8] = [
    "TypeError",
    "RangeError",
    "SyntaxError",
    "ReferenceError",
    "URIError",
    "InternalError",
    "DataCloneError",
    "InvalidCharacterError",
];

#[tokio::test]
async fn a_built_in_function_at_a_border_of_32_bits_returns_or_throws_or_runs_out() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let limits = Limits::default().cpu(Duration::from_millis(40));
    let wanted = std::env::var_os("PROPTEST_CASES").and_then(|cases| cases.to_str()?.parse().ok());
    let cases = wanted.unwrap_or(CASES);
    let mut ended = [0_u32; 3];
    for case in 0..cases {
        let source = format!("const CASE = {case};\n{}", include_str!("borders.js"));
        let program = std::sync::Arc::new(sandbox.prepared_for_test(&Program::single(source)));
        let mut start = options(limits.clone());
        start.seed = u64::from(case);
        let mut instance = sandbox.start_wasm(program, start).expect("an instance can be made");
        match step(&mut instance, vec![]).await.state {
            ProgramState::Done(Returned { result, .. }) if result == "value" => ended[0] += 1,
            ProgramState::Done(Returned { result, .. }) => {
                assert!(ERRORS.iter().any(|name| result == *name), "case {case}: {result}");
                ended[1] += 1;
            }
            ProgramState::Exhausted(Exhausted::Cpu | Exhausted::Memory) => ended[2] += 1,
            ProgramState::Failed(error) if error.message == "out of memory" => ended[2] += 1,
            other => panic!("case {case}: {other:?}"),
        }
    }
    let [values, errors, exhausted] = ended;
    assert!(values > cases / 10 && errors > cases / 10, "{values} values, {errors} errors, {exhausted} exhausted");
}
