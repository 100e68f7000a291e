//! How long it takes to prepare, or to refuse, 256 KiB of each kind of text that is hard on the parser: the best of three.
//!
//! ```sh
//! cargo run --release -p isobox-sandbox --example hostile [FILTER]
//! ```

#![expect(clippy::disallowed_methods, reason = "it measures time, and takes an argument")]

use std::collections::BTreeMap;
use std::time::Instant;

use isobox_core::program::{Program, prepare};
use isobox_sandbox::{Sandbox, SandboxOptions};

const SIZE: usize = 256 << 10;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("there is a runtime");
    let sandbox = Sandbox::new(SandboxOptions::default()).expect("there is a sandbox");
    let prepare = |program: &Program| runtime.block_on(prepare(&sandbox, program)).map(drop).map_err(|it| it.message);
    let filter = std::env::args().nth(1).unwrap_or_default();
    println!("{:32} {:>9} {:>9}  outcome", "kind", "half, ms", "whole, ms");
    for (kind, text) in kinds() {
        if kind.contains(&filter) {
            report(kind, &prepare, |size| Program::single(text(size)));
        }
    }
    for (kind, files) in several_files() {
        if kind.contains(&filter) {
            report(kind, &prepare, |size| Program::new(files(size), "main.ts").expect("the paths are fine"));
        }
    }
}

fn report(kind: &str, prepare: &dyn Fn(&Program) -> Result<(), String>, program: impl Fn(usize) -> Program) {
    let measure = |size: usize| {
        let program = program(size);
        let mut outcome = String::new();
        let times = (0..3).map(|_| {
            let start = Instant::now();
            let result = prepare(&program);
            let milliseconds = start.elapsed().as_secs_f64() * 1e3;
            outcome = result.map_or_else(|message| message, |()| "prepared".to_owned());
            milliseconds
        });
        let best = times.fold(f64::MAX, f64::min);
        (best, outcome)
    };
    let (half, _) = measure(SIZE / 2);
    let (whole, outcome) = measure(SIZE);
    println!("{kind:32} {half:9.1} {whole:9.1}  {}", outcome.chars().take(60).collect::<String>());
}

type Text = Box<dyn Fn(usize) -> String>;

fn kinds() -> Vec<(&'static str, Text)> {
    /// Repeats a unit.
    fn flat(unit: &'static str) -> Text {
        Box::new(move |size| unit.repeat(size / unit.len()))
    }
    /// Repeats a unit between a start and an end.
    fn inside(start: &'static str, unit: &'static str, end: &'static str) -> Text {
        Box::new(move |size| format!("{start}{}{end}", unit.repeat(size / unit.len())))
    }
    /// Nests a long list in `count` pairs.
    fn around(count: usize, open: &'static str, close: &'static str) -> Text {
        Box::new(move |size| {
            let list = "1,".repeat(size.saturating_sub(count * (open.len() + close.len())) / 2);
            format!("x={}[{list}]{}", open.repeat(count), close.repeat(count))
        })
    }
    vec![
        ("statements", flat("a.b(c);\n")),
        ("list", inside("[", "1,", "]")),
        ("words", flat("static\n")),
        ("words of one kind", flat("async\n")),
        ("modifiers", flat("static declare static\n")),
        ("bad escapes", flat("'\\xz';(a);")),
        ("bad code points", flat("\"\\u{110000}\";(a);")),
        ("bad numbers", flat("1_;(a);")),
        ("bad exponents", flat("1e;(a);")),
        ("escaped names", flat("\\u{61};(a);")),
        ("escapes in templates", flat("`\\u{110000}`;(a);")),
        ("HTML comments", flat("<!--\n(a);\n")),
        ("parentheses", flat("(a);")),
        ("async parentheses", flat("async(a),")),
        ("comparisons", flat("a<b;")),
        ("comparisons on lines", flat("a<b\n")),
        ("lists of comparisons", inside("[", "a<[],", "]")),
        ("conditions", inside("[", "a?(b):c,", "]")),
        ("optional types", inside("type T=", "a?|", "a")),
        ("comments", flat("/**/a;")),
        ("pure comments", flat("/*#__PURE__*/a();")),
        ("conflicts", flat("a<b\n<<<<<<<\n")),
        ("closing angles", flat("x=f<A<B<C<D<E<F<G\n>>>>>>>();\n")),
        ("labels", flat("a:b\n")),
        ("template", inside("`", "${a}", "`")),
        ("dynamic imports", flat("import('./main');")),
        ("slashes behind braces", flat("{}/a/;\n")),
        ("slashes behind angles", flat("a>/b/;\n")),
        ("slashes behind await", flat("await/b/;\n")),
        ("few slashes behind braces", inside("{}/a/;{}/`/;{}/a/;{}/`/;\n", "a.b(c);\n", "")),
        ("semicolons", flat(";")),
        ("members", inside("class A{", "a;", "}")),
        ("names", inside("var ", "a,", "b")),
        ("exports", inside("let a;export default 1;", "export{a as b};", "")),
        ("typed names", inside("let ", "a:b,", "c")),
        ("typed members", inside("class A{", "private a?:b;", "}")),
        ("enumeration", inside("enum A{", "a,", "}")),
        ("enumeration of sums", inside("enum A{a=1,", "b=a+a,", "}")),
        (
            "enumeration of a long name",
            Box::new(|size| format!("enum {}{{{}}}", "a".repeat(size / 2), "b,".repeat(size / 4))),
        ),
        (
            "members that double",
            Box::new(|size| {
                (1..size / 16).fold("enum A{a0=\"x\"".to_owned(), |text, it| format!("{text},a{it}=a{0}+a{0}", it - 1))
                    + "}"
            }),
        ),
        (
            "exports of long names",
            Box::new(|size| format!("namespace {0}{{{1}}}", "a".repeat(size / 2), "export let b=1;".repeat(size / 30))),
        ),
        ("enumerations", flat("enum A{a,b=a}\n")),
        ("namespaces", flat("namespace A{export let a=1}\n")),
        ("parameter properties", flat("class A{constructor(private a){}}\n")),
        ("import aliases", flat("import a=b.c;")),
        ("carriage returns", flat("a:b\r")),
        ("separators", flat("a\u{2028}")),
        ("one line, generated", inside("enum A{a};[", "1,", "]")),
        ("assertions", flat("a as b;")),
        ("assertions on lines", flat("<a>\nb;")),
        ("8 defaults", around(8, "(a=", ")")),
        ("240 defaults", around(240, "(a=", ")")),
        ("240 defaults of arrows", around(240, "(a=", ")=>b")),
        ("600 conditional arrows", around(600, "a?(b):c=>", "")),
        ("12 arrows in angles", Box::new(|_| format!("x={}T{}", "f<(a=".repeat(12), ")=>1".repeat(12)))),
        ("500 angles", around(500, "a<", "")),
        ("80 angles around keys", around(80, "a<{[", "]:1}")),
        ("4 angles around keys", around(4, "a<{[", "]:1}")),
        ("120 patterns in types", around(120, "0 as([b=", "])=>c")),
        ("3 patterns in types", around(3, "0 as([b=", "])=>c")),
        ("200 constraints", around(200, "0 as infer A extends[", "]?b:c")),
        ("240 parentheses", around(240, "(", ")")),
        ("240 brackets", around(240, "[", "]")),
        ("100 functions", around(100, "function(){return ", "}")),
        ("100 immediate functions", around(100, "(()=>{return ", "})()")),
        ("20 immediate functions", around(20, "(()=>{return ", "})()")),
        ("80 interfaces", around(80, "function(){interface A extends B<{[", "]:1}>x{}}")),
    ]
}

type Files = Box<dyn Fn(usize) -> BTreeMap<String, String>>;

fn several_files() -> Vec<(&'static str, Files)> {
    fn two(main: impl Fn(usize) -> String + 'static, other: impl Fn(usize) -> String + 'static) -> Files {
        Box::new(move |size| {
            let file = |path: &str, text: String| (path.to_owned(), text);
            BTreeMap::from([file("main.ts", main(size / 2)), file("a.ts", other(size / 2))])
        })
    }
    vec![
        (
            "imports of many names",
            two(
                |size| (0..size / 27).map(|it| format!("import{{b{it}}}from'./a';")).collect(),
                |size| (0..size / 20).map(|it| format!("export let b{it}=1;")).collect(),
            ),
        ),
        (
            "imports by many paths",
            two(
                |size| (0..size / 300).map(|it| format!("import'{}a';", "./".repeat(it.min(120) + 1))).collect(),
                |_| String::new(),
            ),
        ),
        ("the same import", two(|size| "import'./a';".repeat(size / 12), |size| "export let b=1;".repeat(size / 15))),
        (
            "re-exports of each other",
            two(
                |size| "export*from'./a';".repeat(size / 17) + "export default 1",
                |size| "export*from'./main';".repeat(size / 20),
            ),
        ),
        (
            "names through re-exports",
            two(
                |size| (0..size / 27).map(|it| format!("import{{b{it}}}from'./a';")).collect(),
                |size| (0..size / 26).map(|it| format!("export{{b{it}}}from'./main';")).collect(),
            ),
        ),
    ]
}
