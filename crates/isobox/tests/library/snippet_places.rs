//! Nested snippets in a runtime with the fewest places.

use std::num::NonZeroU32;

use isobox::snippets::NewSnippet;
use isobox::store::memory_store;
use isobox::{Isobox, Principal, Program, Run, json};

#[tokio::test]
async fn an_execution_that_is_alone_has_a_place_for_every_snippet_that_it_may_run() {
    let builder = Isobox::builder().max_live(NonZeroU32::MIN).store(memory_store());
    let isobox = builder.build().expect("a runtime");
    let snippets = [
        ("deep", "return input > 1 ? codemode.run('deep', input - 1) : 1"),
        ("wide", "return input > 1 ? Promise.all([1, 2, 3, 4].map(() => codemode.run('wide', input - 1))) : 1"),
    ];
    for (name, code) in snippets {
        let new = NewSnippet::new(name, Program::single(code)).description("Runs itself.");
        isobox.snippets().expect("a store").put(new, Principal::host()).await.expect("it is saved");
    }
    for (source, expected) in [
        ("return Promise.all([4, 4, 4].map((depth) => codemode.run('deep', depth)))", json!([1, 1, 1])),
        ("return (await codemode.run('wide', 3)).flat().length", json!(16)),
        ("return codemode.run('wide', 4).catch(({ code }) => code)", json!("IN_FLIGHT_LIMIT")),
    ] {
        for run in [Run::from(source), Run::from(source).durable()] {
            let result = isobox.run(run).await.into_result();
            assert_eq!(result.unwrap_or_else(|failure| panic!("{source}: {failure}")), expected, "{source}");
        }
    }
}
