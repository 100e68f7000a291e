//! Long computations: the cost of the sandbox for pure computation.

use isobox::Value;

use crate::measure::{Wanted, compare};
use crate::{Effort, executions, native};

/// At most twice the time of native code.
const WANTED: f64 = 0.5;

pub(crate) fn fib(effort: Effort) -> Value {
    work(effort, "const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); return fib(27);")
}

pub(crate) fn counting(effort: Effort) -> Value {
    work(effort, "let sum = 0; for (let i = 0; i < 1e6; i++) sum = (sum + i * 3) % 1000003; return sum;")
}

pub(crate) fn json(effort: Effort) -> Value {
    work(
        effort,
        "const rows = Array.from({ length: 9000 }, (_, id) => ({ id, name: `row number ${id}`, tags: ['a', 'b'],
            amount: id / 7, nested: { ok: id % 2 === 0, text: 'some text that is copied' } }));
         const text = JSON.stringify(rows);
         const back = JSON.parse(text);
         return [text.length, back.length, back[8999].name];",
    )
}

pub(crate) fn sort(effort: Effort) -> Value {
    work(
        effort,
        "let seed = 1; const next = () => (seed = (seed * 48271) % 2147483647);
         const numbers = Array.from({ length: 1e5 }, next);
         numbers.sort((a, b) => a - b);
         return [numbers[0], numbers[50000], numbers[99999]];",
    )
}

pub(crate) fn regex(effort: Effort) -> Value {
    work(
        effort,
        "const line = 'On 2026-03-01 at 12:34:56 user42@example.com paid 1,234.50 EUR for order #A-9981. ';
         const text = line.repeat(2000);
         const words = text.match(/[A-Za-z0-9._]+@[a-z]+\\.com|\\d{4}-\\d{2}-\\d{2}|#[A-Z]-\\d+/g).length;
         return [words, text.replace(/(\\d+),(\\d+)/g, '$1$2').length];",
    )
}

fn work(effort: Effort, source: &str) -> Value {
    let (runtime, isobox) = (executions::executor(1), executions::isobox());
    let code = executions::javascript(&runtime, &isobox, source);
    let expected = native::run(&code);
    compare(
        effort,
        (15, 1),
        Wanted(WANTED),
        || assert_eq!(executions::completed(runtime.block_on(isobox.run(source))), expected),
        || assert_eq!(native::run(&code), expected),
    )
}
