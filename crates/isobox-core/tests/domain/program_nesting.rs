//! Texts that exceed the stack, time or memory of the parser, and texts that only look like them.

use isobox_core::{Code, Failure, program::Program};

use crate::preparing::prepare;

fn failure(source: &str) -> Failure {
    match prepare(&Program::single(source)) {
        Ok(_) => panic!("it was prepared: {}", source.chars().take(40).collect::<String>()),
        Err(failure) => failure,
    }
}

#[test]
fn deep_programs_are_prepared_or_refused_and_never_overflow_the_stack() {
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
    for n in [30, 240, 1_900, 100_000] {
        for source in deep(n) {
            if let Err(failure) = prepare(&Program::single(&source)) {
                let start: String = source.chars().take(30).collect();
                assert_eq!(failure.code, Code::Syntax, "{start}: {failure:?}");
            }
        }
    }
    assert_eq!(failure(&"(".repeat(100_000)).message, "the program is nested too deeply");
}

/// Each of these would take the parser years, or all memory of the machine.
#[test]
fn what_the_parser_would_read_over_and_over_is_given_up() {
    let levels = |count: usize, open: &str, close: &str| format!("x={}1{}", open.repeat(count), close.repeat(count));
    for hostile in [
        "a<b[{[await[as<T(".repeat(20),
        levels(60, "a<{[", "]:1}"),
        levels(60, "0 as([b=", "])=>c"),
        levels(60, "f<(a=", ")=>1"),
        format!("type x={}a{}", "infer A extends(".repeat(60), ")?b:c".repeat(60)),
        format!("{{}}/`/\n{}", "0 as([b=".repeat(60)),
    ] {
        let start: String = hostile.chars().take(40).collect();
        let failure = failure(&hostile);
        assert_eq!(failure.code, Code::Syntax, "{start}: {failure:?}");
    }
}

/// The output grows linearly: nothing is computed before the program runs, and no name is repeated too often.
#[test]
fn what_is_lowered_grows_with_the_text_and_no_faster() {
    let doubling: String = (1..60).map(|it| format!(",A{it}=A{0}+A{0}", it - 1)).collect();
    let (long, members) = ("a".repeat(20_000), "b,".repeat(5_000));
    let exports = "export let b=1;".repeat(2_000);
    for hostile in [
        format!("enum E{{A0=\"x\"{doubling}}}"),
        format!("const enum E{{A0=\"x\"{doubling}}}"),
        format!("enum E{{A0=`x`,A1=`${{A0}}${{A0}}`{}}}", doubling.replace("A0+A0", "A1")),
        format!("enum {long}{{{members}}}"),
        format!("namespace {long}{{{exports}}}"),
        format!("namespace a{{export let {long}=1;{exports}}}"),
        format!("namespace {}b{{{exports}}}", "a.".repeat(1_000)),
        format!("class A{{constructor({}){{}}}}", "private a,".repeat(5_000)),
        "enum E{A=B}enum E{B}".repeat(2_000),
        "namespace N{export const a=1}".repeat(2_000),
    ] {
        let start: String = hostile.chars().take(40).collect();
        match prepare(&Program::single(&hostile)) {
            Ok(prepared) => {
                let size: usize = prepared.files.iter().map(|file| file.code.len()).sum();
                assert!(size < 64 * hostile.len() + 4_096, "{start}: {size} bytes of {}", hostile.len());
            }
            Err(failure) => assert_eq!(failure.code, Code::Syntax, "{start}: {failure:?}"),
        }
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
        "const f = (v) => v ? /\\d/.test(v) : false; switch (1) { case 1: /\\d/.test(s) } if (x) /\\d/.test(s)\n".repeat(200),
        "for (const a of /b/g) typeof /c/; throw /d/; {} /e/.test(f)\n".to_owned(),
        "const \\u0061b = 1;\n".to_owned() + &"x.\\u0061b;\n".repeat(40),
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
