//! The yardstick: QuickJS-ng as native code through rquickjs, with a new runtime and context for every execution.
//! Values cross as JSON, as in Isobox.

use isobox::Value;
use rquickjs::{Context, Function, Promise, Runtime};

const BRIDGE: &str = "
let queue = [], taken = [];
globalThis.tools = { add: (input) => new Promise((resolve) => queue.push([JSON.stringify(input), resolve])) };
globalThis.take = () => { taken = queue; queue = []; return taken.map((one) => one[0]); };
globalThis.give = (answers) => { for (let i = 0; i < answers.length; i++) taken[i][1](JSON.parse(answers[i])); };";

/// Runs code that evaluates to an async function, answers its calls of `tools.add`, and returns its result as JSON.
pub(crate) fn run(code: &str) -> Value {
    let runtime = Runtime::new().expect("QuickJS starts");
    let context = Context::full(&runtime).expect("QuickJS makes a context");
    context.with(|ctx| {
        ctx.eval::<(), _>(BRIDGE).expect("the bridge is JavaScript");
        let main: Function<'_> = ctx.eval(code).expect("the program is JavaScript");
        let take: Function<'_> = ctx.globals().get("take").expect("the bridge defines it");
        let give: Function<'_> = ctx.globals().get("give").expect("the bridge defines it");
        let promise: Promise<'_> = main.call(()).expect("the program starts");
        loop {
            while ctx.execute_pending_job() {}
            if let Some(result) = promise.result::<rquickjs::Value<'_>>() {
                let result = result.expect("the program completes");
                let json = ctx.json_stringify(result).expect("the result is JSON");
                let json = json.map_or_else(|| "null".to_owned(), |json| json.to_string().expect("JSON is Unicode"));
                return serde_json::from_str(&json).expect("JSON can be read");
            }
            let inputs: Vec<String> = take.call(()).expect("the bridge works");
            assert!(!inputs.is_empty(), "the program waits for something");
            let answer = |input: String| {
                let input: Value = serde_json::from_str(&input).expect("the input is JSON");
                serde_json::to_string(&crate::programs::add(&input)).expect("the answer is JSON")
            };
            let answers: Vec<String> = inputs.into_iter().map(answer).collect();
            give.call::<_, ()>((answers,)).expect("the bridge works");
        }
    })
}
