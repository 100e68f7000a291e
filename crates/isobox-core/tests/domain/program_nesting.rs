//! Texts that would take the parser too much stack or time, and texts that only look like them.

use isobox_core::{
    Code, Failure,
    program::{Program, prepare},
};

fn failure(source: &str) -> Failure {
    match prepare(&Program::single(source)) {
        Ok(_) => panic!("it was prepared: {}", source.chars().take(40).collect::<String>()),
        Err(failure) => failure,
    }
}

#[test]
fn deep_programs_are_refused_and_never_overflow_the_stack() {
    let deep = |n: usize| {
        let r = |text: &str| text.repeat(n);
        vec![
            r("("),
            format!("{}1{}", r("("), r(")")),
            format!("{}1{}", r("["), r("]")),
            format!("{}{}", r("{"), r("}")),
            format!("{}1{}", r("`${"), r("}`")),
            format!("{}1{}", r("f("), r(")")),
            format!("x={}1{}", r("{a:"), r("}")),
            format!("{}x", r("!")),
            format!("{}x", r("- ")),
            format!("{}x", r("typeof ")),
            format!("{}x", r("await\n")),
            format!("{}x", r("new ")),
            format!("{}x", r("a=>")),
            format!("{}x", r("a=")),
            format!("{}x", r("a?b:")),
            format!("{}x", r("a+")),
            format!("{}x", r("a**")),
            format!("a{}", r(".b")),
            format!("a{}", r("\n.b(() => {})")),
            format!("a{}", r("()")),
            format!("a{}", r("``")),
            format!("a{}", r("!")),
            format!("a{}", r(" as b")),
            format!("{}x", r("if(a)b;else ")),
            format!("{}x", r("if(a){}else ")),
            format!("{}x", r("if(a)\n")),
            format!("{}x", r("for(;;)")),
            format!("{}x", (0..n).map(|i| format!("l{i}:")).collect::<String>()),
            format!("let x:a{}", r("[]")),
            format!("let x:{}a", r("keyof ")),
            format!("type x={}a", r("a extends b?c:")),
            format!("type x={}a", r("()=>")),
            format!("type x={}a{}", r("a<"), r(">")),
            format!("type x={}a{}", r("a<b,"), r(">")),
            format!("{}x", r("<a>")),
            format!("{}x", r("a<")),
            format!("x={}y{}", r("class extends "), r("{}")),
            format!("if(x)/`/\n{}", r("(")),
            format!("x=1\n{}/`/g\n{}", "{}", r("(")),
            format!("x={{}}/`/+`\n{}", r("(")),
            format!("enum A{{B}};{}x", r("a+")),
        ]
    };
    // Tests run on stacks of 2 MiB, like the workers of an asynchronous runtime.
    for source in deep(100_000) {
        let failure = failure(&source);
        let start: String = source.chars().take(30).collect();
        assert_eq!(
            (failure.code, failure.message.as_str()),
            (Code::Syntax, "the program is nested too deeply"),
            "{start}"
        );
    }
    for n in [30, 200, 240, 600, 1_900] {
        for source in deep(n) {
            let _ = prepare(&Program::single(source));
        }
    }
}

/// What the parser tries several ways costs it twice as much with every level, or as much again for each; see the
/// module that keeps account of it. Were any of these parsed, the tests would not end.
#[test]
fn what_the_parser_would_read_over_and_over_is_refused() {
    let levels = |count: usize, open: &str, close: &str| format!("x={}1{}", open.repeat(count), close.repeat(count));
    let around = |count: usize, open: &str, close: &str| {
        format!("x={}[{}]{}", open.repeat(count), "1,".repeat(100_000), close.repeat(count))
    };
    for hostile in [
        "a<b[{[await[as<T(".repeat(20),
        "x<[".repeat(20),
        "a<(b)=>(".repeat(40),
        levels(60, "a<{[", "]:1}"),
        levels(60, "new a<{[", "]:1}>"),
        levels(60, "a?.b<{[", "]:1}"),
        levels(60, "0 as([b=", "])=>c"),
        levels(60, "0 as({b=", "})=>c"),
        levels(60, "0 as({[", "]:b})=>c"),
        levels(60, "0 satisfies([b=", "])=>c"),
        levels(60, "0 as infer A extends[", "]?b:c"),
        format!("type x={}a{}", "infer A extends X<".repeat(60), ">?b:c".repeat(60)),
        format!("type x={}a{}", "infer A extends(".repeat(60), ")?b:c".repeat(60)),
        levels(40, "class extends A<{[", "]:1}>{}"),
        levels(40, "function(){interface A extends B<{[", "]:1}>x{}}"),
        around(60, "(a=", ")"),
        around(60, "async(a=", ")"),
        around(60, "([a=", "])"),
        around(60, "<a>(b=", ")"),
        around(300, "a?(b):c=>", ""),
        around(300, "a<", ""),
        format!("[{}]", "a<b,".repeat(10_000)),
        format!("enum A{{B}};[{}]", "(a<b),".repeat(10_000)),
        // What is hidden behind a `/` that may be a division as well as the start of a regular expression.
        format!("x={{}}/`/\n{}", "0 as([b=".repeat(60)),
        format!("{{}}/`/\n{}", "0 as([b=".repeat(60)),
        format!("await/`/\n{}", "0 as([b=".repeat(60)),
        format!("keyof/`a/`;{}", "0 as([b=".repeat(60)),
        format!("let a\n/`/;{}", "0 as([b=".repeat(60)),
        format!("a as return/`/`;{}", "0 as([b=".repeat(60)),
        format!("a as b?/`/`;{}", "0 as([b=".repeat(60)),
        format!("1..in/`a/`;{}", "0 as([b=".repeat(60)),
        format!("retur\\u006e/`/\n{}", "0 as([b=".repeat(60)),
    ] {
        let start: String = hostile.chars().take(40).collect();
        assert_eq!(failure(&hostile).message, "the program is nested too deeply", "{start}");
    }
    for (hostile, message) in [
        ("static\n".repeat(30_000), "too many modifiers follow each other"),
        ("'\\xz';(a);".repeat(20_000), "there are too many mistakes in the text"),
        ("'\\u{110000}';(a);".repeat(20_000), "there are too many mistakes in the text"),
        ("1_;(a);".repeat(20_000), "there are too many mistakes in the text"),
        ("1e;(a);".repeat(20_000), "there are too many mistakes in the text"),
        ("\\u{61};(a);".repeat(20_000), "there are too many mistakes in the text"),
        ("a\n<!--\n(a);".repeat(20_000), "there are no HTML comments here"),
        (format!("\\'{}", "a<{[".repeat(60)), "there is a backslash outside of any string"),
        ("01.in/1/(a);".repeat(10_000), "a number cannot start with 0"),
        ("{}/a/;\n".repeat(30_000), "too many `/` may be divisions as well as the start of regular expressions"),
    ] {
        assert_eq!(failure(&hostile).message, message);
    }
}

#[test]
fn long_programs_are_not_deep() {
    let prepared = |text: String| assert!(prepare(&Program::single(text)).is_ok());
    let lines = |line: &str| prepared(format!("{}return 1", line.repeat(20_000)));
    lines("const { a } = f(b, [c, d]).e?.g < 3 ? h : i\n");
    lines("if (a) b()\nelse { c }\n");
    lines("x = `${a}/${b}/c` + (d) / e / f\n");
    prepared(format!("[{}]", "{ a: b.c < d, e: !f },\n".repeat(20_000)));
}

#[test]
fn what_is_only_long_or_only_nested_is_not_refused() {
    let data = "{ a: [1, 2, { b: 'c' }], d: e < f, g: (h) },\n".repeat(4_000);
    for ordinary in [
        "const m: Map<string, Array<Promise<Set<[{ a: Map<string, (x: Array<number>) => void> }]>>>> = new Map()".to_owned(),
        "type A<T> = T extends [infer B extends string, ...infer C] ? [B, ...A<C>] : T extends { a: infer D extends number } ? D : []".to_owned(),
        "const f = (g: ({ a, b }: { a: string; b: ([c]: [number]) => void }) => void) => g".to_owned(),
        "const z = s.object({ a: s.object({ b: s.object({ c: s.object({ d: s.array(s.object({ e: s.x() })) }) }) }) })".to_owned(),
        "const a = b ? (c) : d ? (e) : f ? (g) : (h): i => j".to_owned(),
        "const a = [1., 1.5, .5, 1e5, 1e+5, 1.5e-5, 0x1e, 0b1, 0o7, 1_000, 1n, 0xdead_beef, 1..toFixed(), 1.0.toFixed()]".to_owned(),
        "const s = '\\x41\\u0041\\u{41}\\u{00000041}\\0\\n\\'\\q'".to_owned(),
        "const f = (a) => { if (a) return /x/.test(a); return /y/.test(a) }\n".repeat(200),
        "const a = b\n  / c\n  / d / e\nconst g = (h) / i / j".to_owned(),
        "for (const a of b) {}\n/x/.test(c)\nif (d) {}\n/y/.test(e)".to_owned(),
        format!("({{ a: [{data}] }})"),
        format!("({{ a: ({{ b: ({{ c: [{}] }}) }}) }})", &data[..data.len() / 20]),
        format!("(async () => {{ (() => {{ const x = (\n[{data}]); f(x) }})() }})()"),
        format!("const x = `{}`", "${a} ".repeat(10_000)),
        format!("f({})", "(a) => b < c ? (d) : e, ".repeat(100)),
    ] {
        let start: String = ordinary.chars().take(60).collect();
        assert!(prepare(&Program::single(&ordinary)).is_ok(), "{start}: {:?}", prepare(&Program::single(&ordinary)).err());
    }
}
