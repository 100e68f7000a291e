//! Snippets that run at the same time, also in a runtime with the fewest places.

use std::num::NonZeroU32;
use std::sync::Arc;

use isobox::snippets::NewSnippet;
use isobox::store::memory_store;
use isobox::{Isobox, Principal, Program, Run, Tool, Value, json};

fn double() -> Tool {
    let double =
        Tool::new("math.double", |input| async move { Ok(json!(input["n"].as_i64().unwrap_or_default() * 2)) });
    double.expect("a path")
}

async fn put(isobox: &Isobox, name: &str, code: &str) {
    let new = NewSnippet::new(name, Program::single(code)).description("Does something.");
    isobox.snippets().expect("a store").put(new, Principal::host()).await.expect("it is saved");
}

async fn completed(isobox: &Isobox, run: impl Into<Run>) -> Value {
    isobox.run(run).await.into_result().expect("it completes")
}

#[tokio::test]
async fn an_execution_that_is_alone_has_a_place_for_every_snippet_that_it_may_run() {
    let builder = Isobox::builder().max_live(NonZeroU32::MIN).store(memory_store());
    let isobox = builder.build().expect("a runtime");
    let snippets = [
        ("deep", "return input > 1 ? codemode.run('deep', input - 1) : 1"),
        ("wide", "return input > 1 ? Promise.all([1, 2, 3, 4].map(() => codemode.run('wide', input - 1))) : 1"),
    ];
    for (name, code) in snippets {
        put(&isobox, name, code).await;
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

#[tokio::test]
async fn eight_snippets_of_a_program_run_at_the_same_time() {
    let barrier = Arc::new(tokio::sync::Barrier::new(8));
    let meet = Tool::new("meet", move |_| {
        let barrier = Arc::clone(&barrier);
        async move {
            barrier.wait().await;
            Ok(Value::Null)
        }
    });
    let isobox = Isobox::builder().tool(meet.expect("a path")).store(memory_store()).build().expect("a runtime");
    put(&isobox, "meets", "await tools.meet(); return input").await;
    let program = "return Promise.all([...Array(8).keys()].map((number) => codemode.run('meets', number)))";
    assert_eq!(completed(&isobox, program).await, json!([0, 1, 2, 3, 4, 5, 6, 7]));
}

#[tokio::test]
async fn a_snippet_runs_as_many_others_at_the_same_time_as_are_allowed() {
    let isobox = Isobox::builder().tool(double()).store(memory_store()).build().expect("a runtime");
    put(&isobox, "doubled", "return tools.math.double({ n: input })").await;
    put(&isobox, "all", "return Promise.all([...Array(input).keys()].map((n) => codemode.run('doubled', n)))").await;
    let program = "const all = await codemode.run('all', 23);
        return [all.length, all[22], await codemode.run('all', 24).catch((error) => error.code)]";
    assert_eq!(completed(&isobox, program).await, json!([23, 44, "IN_FLIGHT_LIMIT"]));
}
