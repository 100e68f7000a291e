//! a first look
use isobox::{Isobox, Tool, json};

#[tokio::test]
async fn smoke() {
    let add = Tool::new("math.add", |input| async move { Ok(json!(input["a"].as_f64().unwrap() + input["b"].as_f64().unwrap())) }).unwrap()
        .input_schema(json!({"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]})).unwrap();
    let boom = Tool::new("boom", |_| async move { panic!("x") }).unwrap();
    let isobox = Isobox::builder().tool(add).tool(boom).max_live(100.try_into().unwrap()).build().unwrap();
    for code in [
        "return 1",
        "const x: number = await tools.math.add({a:1,b:2}); return x",
        "return await Promise.all([1,2,3].map(a => tools.math.add({a,b:1})))",
        "console.log('hi', {a:1}); throw new TypeError('bad')",
        "\n  throw 'str'",
        "await tools.math.ad({})",
        "await tools.math.add({a:'x'})",
        "await tools.boom()",
        "tools.math.add({a:1,b:2}); return 1",
        "await new Promise(() => {})",
        "await new Promise(r => setTimeout(r, 20)); return Date.now() > 0",
        "const f = () => f() + 1; return f()",
        "const a = []; while (true) a.push(new Array(1000).fill(1))",
        "let x = 1; ;; return y",
        "1 +",
        "function f(n) { return n ? f(n-1) + 1 : 0 }; let d = 1; try { for (;;) { f(d); d += 10 } } catch (e) { return [d, e.name, e.message] }",
        "export default async () => { return await tools.math.add({a: 1, b: 5}) }",
        "return (async()=>{}).constructor('return 1')()",
        "let e; try { await tools.boom() } catch (x) { e = x } return [e.name, e.message, e.code, e.stack, e instanceof Error]",
        "return new URL('https://x.y/a?b=c').searchParams.get('b')",
    ] {
        let outcome = isobox.run(code).await;
        println!("{code}\n   => {}", serde_json::to_string(&outcome).unwrap());
    }
}
