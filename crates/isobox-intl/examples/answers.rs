//! Answers requests from standard input, one JSON string per line, with one JSON string per line. For the tests beside Node.

use std::io::{BufRead, Write};

fn main() {
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let request: String = serde_json::from_str(&line.expect("a line")).expect("a JSON string");
        let answer = serde_json::Value::String(isobox_intl::answer(request.as_bytes()).encode());
        writeln!(output, "{answer}").expect("standard output");
    }
}
