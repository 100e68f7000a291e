//! Large programs are surveyed in a number of steps that grows with their size alone.

#![cfg(feature = "parser")]

use std::borrow::Cow;
use std::sync::Arc;

use isobox_program::{About, Preparation, Program, Reach, Rules, SeenCall, Stance, Survey, SyntaxRule, survey};

fn survey_of(source: String, rules: Rules) -> Survey {
    let program = Program::single(source);
    let preparation = Preparation {
        rules: Cow::Owned(rules),
        namespaces: Some(Cow::Owned(Vec::new())),
        ..Preparation::new(&program)
    };
    let surveyed = survey(&preparation).unwrap_or_else(|fault| panic!("{fault:?}"));
    Arc::unwrap_or_clone(surveyed.survey)
}

fn seen(source: String) -> Vec<SeenCall> {
    survey_of(source, Rules::default()).calls
}

/// A text with so many lines, each with its number in place of `#`.
fn lines(line: &str, count: usize) -> String {
    (0..count).map(|number| line.replace('#', &number.to_string()) + "\n").collect()
}

#[test]
fn a_name_that_is_declared_thousands_of_times_is_looked_up_once_for_each_use() {
    let calls = lines("{ const e = await tools.a(#); f(e.x) }", 200);
    let functions = lines("f((e) => e + e + e + #);", 20_000);
    let seen = seen(format!("{calls}{functions}return 1"));
    assert_eq!(seen.len(), 200);
    assert!(seen.iter().all(|call| call.reads.len() == 1), "every result has its own uses");
}

#[test]
fn functions_and_variables_with_one_name_are_told_apart() {
    let functions = lines("{ const e = async () => await tools.a(#); await e() }", 200);
    let others = lines("{ const e = async () => #; await e(); f.g(e) }", 20_000);
    let seen = seen(format!("{functions}{others}return 1"));
    assert_eq!(seen.len(), 200);
    assert!(seen.iter().all(|call| call.reach == Reach::Certain));
}

#[test]
fn calls_of_a_name_with_many_declarations_are_no_tools() {
    let calls = lines("{ const e = f; e.g(#) }", 20_000);
    assert_eq!(seen(format!("await tools.a()\n{calls}")).len(), 1);
}

#[test]
fn globals_are_found_among_names_that_are_declared_thousands_of_times() {
    let functions = lines("f((e) => e + e + #);", 20_000);
    let rules = Rules::new(vec![SyntaxRule::new(Stance::Deny, About::Globals, ["e"])]);
    let violations = survey_of(format!("{functions}return e"), rules).violations;
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0].place.line, 20_001);
}
