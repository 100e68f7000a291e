//! The reader of test262: headers, classes that are left out, wrapping, and the list of expected failures.

use std::collections::{BTreeMap, BTreeSet};

use isobox_spec::test262::{Ending, Expectation, ExpectedFailures, Form, LeftOut, Metadata, Test, Wrapped, judge};

fn test(header: &str, code: &str) -> Test {
    let text = format!("/*---\n{header}\n---*/\n{code}");
    let metadata = Metadata::parse(&text).expect("the metadata is valid");
    let harness = "function helper() {}\nvar first = 1;\n".to_owned();
    Test { name: "language/a.js".to_owned(), text, metadata, harness, files: BTreeMap::new() }
}

#[test]
fn a_header_is_read_in_both_forms_of_lists() {
    let text = "// x\n/*---\ndescription: >\n  eval: no\nflags: [async, module]\nincludes:\n  - a.js # why\n  - b.js\n\
                features: []\nnegative:\n  phase: runtime\n  type: TypeError\nesid: x\n---*/\n";
    let metadata = Metadata::parse(text).expect("the metadata is valid");
    assert_eq!(metadata.flags, ["async", "module"]);
    assert_eq!(metadata.includes, ["a.js", "b.js"]);
    assert!(metadata.features.is_empty());
    assert_eq!(metadata.expectation(), Expectation::Throws("TypeError".to_owned()));
    assert_eq!(Metadata::parse(&text.replace('\n', "\r")).expect("the metadata is valid"), metadata);
}

#[test]
fn a_header_without_an_end_or_with_half_an_error_is_a_problem() {
    assert!(Metadata::parse("throw 1").is_err());
    assert!(Metadata::parse("/*---\nflags: [raw]").is_err());
    assert!(Metadata::parse("/*---\nnegative:\n  phase: parse\n---*/").is_err());
}

#[test]
fn what_programs_cannot_do_is_left_out_by_class() {
    for (header, code, class) in [
        ("flags: [noStrict]", "", Some(LeftOut::Sloppy)),
        ("features: [Temporal]", "", Some(LeftOut::Temporal)),
        ("features: [Atomics.waitAsync]", "", Some(LeftOut::SharedMemory)),
        ("a:", "new SharedArrayBuffer(1)", Some(LeftOut::SharedMemory)),
        ("a:", "$262.createRealm()", Some(LeftOut::Realms)),
        ("a:", "$262.evalScript('')", Some(LeftOut::Scripts)),
        ("features: [decorators]", "", Some(LeftOut::Proposals)),
        ("a:", "(0, eval)('1')", Some(LeftOut::CodeFromText)),
        ("a:", "new Function", Some(LeftOut::CodeFromText)),
        ("a:", "Function.call(this, 'return 1')", Some(LeftOut::CodeFromText)),
        ("a:", "class A extends Function {}", Some(LeftOut::CodeFromText)),
        ("description: eval", "// eval\n/* Function() */ f instanceof Function; evaluate()", None),
        ("a:", "Function.prototype.call.bind(f); new Function.prototype.call()", None),
        ("negative:\n  phase: parse\n  type: SyntaxError", "eval = 1", None),
    ] {
        assert_eq!(LeftOut::of(&test(header, code)), class, "{header}: {code}");
    }
}

#[test]
fn a_test_that_must_not_parse_is_not_completed_by_the_wrapper() {
    let refused = test("negative:\n  phase: parse\n  type: SyntaxError", "if (true)");
    let wrapped = Wrapped::new(&refused);
    assert!(wrapped.files[&wrapped.entry].ends_with("if (true)"));
    let wrapped = Wrapped::new(&test("a:", "f()"));
    assert!(wrapped.files[&wrapped.entry].ends_with("f()\nreturn \"ran\""));
    assert!(wrapped.files[&wrapped.entry].contains("globalThis.helper = helper;\n"));
}

#[test]
fn the_form_of_a_program_follows_from_flags_and_files() {
    let mut module = test("flags: [module]", "");
    assert_eq!(Wrapped::new(&module).form, Form::Module);
    module.metadata.flags.clear();
    assert_eq!(Wrapped::new(&module).form, Form::Body);
    module.files.insert("language/b.js".to_owned(), String::new());
    assert_eq!(Wrapped::new(&module).form, Form::BodyWithFiles);
}

#[test]
fn only_the_expected_end_is_a_pass() {
    let threw = |name: &str| Ending::Threw { name: name.to_owned(), message: String::new() };
    let refused = Ending::Refused { message: String::new() };
    let completed = |lines: &[&str]| Ending::Completed { lines: lines.iter().map(|&line| line.to_owned()).collect() };
    let expected = Expectation::Throws("TypeError".to_owned());
    assert!(judge(&expected, &threw("TypeError")).is_ok());
    assert!(judge(&expected, &threw("RangeError")).is_err());
    assert!(judge(&expected, &completed(&[])).is_err());
    assert!(judge(&Expectation::IsRefused, &refused).is_ok());
    assert!(judge(&Expectation::IsRefused, &threw("SyntaxError")).is_err());
    assert!(judge(&Expectation::Completes, &completed(&[])).is_ok());
    assert!(judge(&Expectation::Completes, &refused).is_err());
    assert!(judge(&Expectation::CallsDone, &completed(&["x", "Test262:AsyncTestComplete"])).is_ok());
    assert!(judge(&Expectation::CallsDone, &completed(&[])).is_err());
    assert!(judge(&Expectation::CallsDone, &completed(&["Test262:AsyncTestComplete"; 2])).is_err());
}

#[test]
fn the_list_of_expected_failures_is_strict() {
    let list = ExpectedFailures::parse("# why\na/b.js\n\nc/d.js\n").expect("the list is valid");
    assert!(list.contains("a/b.js") && list.contains("c/d.js") && !list.contains("a/c.js"));
    assert!(list.check(&BTreeSet::from(["a/b.js", "c/d.js", "c/e.js"])).is_ok());
    assert!(list.check(&BTreeSet::from(["a/b.js", "c/e.js"])).is_err());
    assert!(ExpectedFailures::parse("a.js\na.js").is_err());
}
