//! Tests of the knowledge that is learned from results, and of the values that are never kept.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::observe::Enumerations;
use super::shape::{MAX_BYTES, Shape};
use super::{ExperienceOptions, Learned};
use crate::journal::StoreKey;
use crate::policy::{Action, Policy, Rule};
use crate::{Code, Tool, ToolHints, schema_to_typescript};

fn tool(path: &str) -> Tool {
    Tool::new(path, |input| async move { Ok(input) }).unwrap()
}

fn patterns(all: &[&str]) -> Vec<crate::policy::PathPattern> {
    all.iter().map(|pattern| pattern.parse().unwrap()).collect()
}

fn shape(values: &[Value]) -> Shape {
    values.iter().fold(Shape::default(), |mut shape, value| {
        shape.merge(&Shape::of(value, Enumerations::Forbidden));
        shape
    })
}

/// Returns the type of the results of a tool, in TypeScript.
fn type_of(values: &[Value]) -> String {
    shape(values).schema().map_or("unknown".to_owned(), |schema| schema_to_typescript(&Value::Object(schema)).text)
}

fn learned(values: impl IntoIterator<Item = Value>, policy: &Policy, options: &ExperienceOptions) -> Learned {
    let tool = tool("a.b");
    let each = values.into_iter().map(|value| Learned::of(&tool, value, policy, options).unwrap());
    each.reduce(|mut all, one| {
        all.merge(&one);
        all
    })
    .unwrap()
}

fn typescript(learned: &Learned) -> String {
    learned.schema().map_or("unknown".to_owned(), |schema| schema_to_typescript(&schema).text)
}

#[test]
fn types_and_optional_fields_are_learned() {
    for (values, expected) in [
        (vec![], "unknown"),
        (vec![json!(1), json!(2.5)], "number"),
        (vec![json!("a"), json!(null), json!(true)], "string | boolean | null"),
        (vec![json!([])], "unknown[]"),
        (vec![json!([]), json!([1, "a"])], "(string | number)[]"),
        (vec![json!({})], "Record<string, unknown>"),
        (vec![json!({ "id": 1, "name": "a" })], "{ id: number; name: string }"),
        (vec![json!({ "id": 1, "name": "a" }), json!({ "id": 2 })], "{ id: number; name?: string }"),
        (vec![json!([{ "a": 1 }, { "a": null, "b": [true] }])], "{ a: number | null; b?: boolean[] }[]"),
        (vec![json!({ "a": { "b": 1 } }), json!({ "a": "text" })], "{ a: { b: number } | string }"),
    ] {
        assert_eq!(type_of(&values), expected, "{values:?}");
    }
}

#[test]
fn keys_that_are_data_make_a_record() {
    let by_id = json!({ "42": { "n": 1 }, "43": { "n": 2, "m": "x" } });
    assert_eq!(type_of(&[by_id]), "Record<string, { m?: string; n: number }>");
    let by_mail = json!({ "ada@example.com": 1, "total": 1 });
    assert_eq!(type_of(&[by_mail]), "{\n  total: number;\n  [key: string]: unknown;\n}");
    let users = ["ada", "bob", "cy", "dan"].map(|name| (name.to_owned(), json!({ "age": 1, "mail": "x" })));
    assert_eq!(type_of(&[users.into_iter().collect()]), "Record<string, { age: number; mail: string }>");
    let varying: Vec<Value> = (0..9_u8).map(|at| json!({ format!("key_{}", char::from(b'a' + at)): at })).collect();
    assert_eq!(type_of(&varying), "Record<string, number>");
    let few = type_of(&varying[..3]);
    assert_eq!(few, "{ key_a?: number; key_b?: number; key_c?: number }");
    let words = |count: usize| (0..count).map(|at| (word(at), json!(1))).collect::<Map<_, _>>();
    assert_eq!(type_of(&[words(129).into()]), "Record<string, number>");
    assert!(type_of(&[words(128).into()]).contains("aaaa: number"));
    let optional: Vec<Value> = vec![
        json!({ "id": 1 }),
        [words(33), json!({ "id": 1 }).as_object().unwrap().clone()].into_iter().flatten().collect(),
    ];
    assert_eq!(type_of(&optional), "Record<string, number>");
}

/// Returns a word of four letters.
fn word(at: usize) -> String {
    let letter = |shift: u32| char::from(b'a' + u8::try_from(at / 26_usize.pow(shift) % 26).unwrap());
    (0..4).rev().map(letter).collect()
}

#[test]
fn few_texts_that_recur_are_an_enumeration_only_where_the_host_allows_it() {
    let state = |at: usize| if at.is_multiple_of(2) { "open" } else { "closed" };
    let states = |count: usize| (0..count).map(|at| json!({ "state": state(at), "id": "x y" }));
    let allowed = ExperienceOptions::default().enums(patterns(&["a.*"]));
    let none = Policy::default();
    assert_eq!(typescript(&learned(states(10), &none, &allowed)), r#"{ id: string; state: "closed" | "open" }"#);
    assert_eq!(typescript(&learned(states(9), &none, &allowed)), "{ id: string; state: string }", "not often enough");
    let elsewhere = ExperienceOptions::default().enums(patterns(&["b.*"]));
    for options in [ExperienceOptions::default(), elsewhere] {
        let learned = learned(states(10), &none, &options);
        assert_eq!(typescript(&learned), "{ id: string; state: string }");
        assert!(!serde_json::to_string(&learned).unwrap().contains("open"), "no value is kept");
    }
    let names = (0..90).map(|at| json!(word(at % 9)));
    assert_eq!(typescript(&learned(names, &none, &allowed)), "string", "there are too many");
    let mails = (0..20).map(|at| json!(format!("{}@example.com", state(at))));
    let mails = learned(mails, &none, &allowed);
    assert!(!serde_json::to_string(&mails).unwrap().contains("open"), "data is no state");
}

#[test]
fn what_was_learned_says_that_it_was_observed_and_changes_its_words_rarely() {
    let words = |count: usize| {
        let learned = learned((0..count).map(|at| json!(at)), &Policy::default(), &ExperienceOptions::default());
        learned.schema().unwrap()["description"].as_str().unwrap().to_owned()
    };
    assert_eq!(words(1), "Observed in one result, not promised by the tool.");
    assert_eq!(words(12), "Observed in at least 10 results, not promised by the tool.");
    assert_eq!(words(19), words(10));
    assert_eq!(words(300), "Observed in at least 100 results, not promised by the tool.");
}

#[test]
fn what_the_policy_redacts_is_not_learned() {
    let redact = |pointers: &[&str]| {
        let pointers = pointers.iter().map(|pointer| (*pointer).to_owned()).collect();
        Policy::new(vec![Rule::new(patterns(&["a.*"]), Action::Redact(pointers))])
    };
    let value = json!({ "user": { "name": "a", "password": "b" }, "cards": [{ "number": 1, "kind": "x" }] });
    let options = ExperienceOptions::default();
    let kept = learned([value.clone()], &redact(&["/user/password", "/cards/0/number"]), &options);
    assert_eq!(typescript(&kept), "{ cards: { kind: string }[]; user: { name: string } }");
    assert_eq!(Learned::of(&tool("a.b"), value, &redact(&[""]), &options), None);
}

#[test]
fn a_tool_that_says_what_its_results_are_is_not_learned_from() {
    let (policy, options) = (Policy::default(), ExperienceOptions::default());
    let of = |tool: &Tool| Learned::of(tool, json!(1), &policy, &options).is_some();
    assert!(of(&tool("a.b")));
    assert!(!of(&tool("a.b").output_schema(json!({ "type": "string" })).unwrap()));
    assert!(!of(&tool("a.b").types("() => Promise<void>")));
    assert!(!of(&tool("a.b").ephemeral()));
    let off = ExperienceOptions::default().is_enabled(false);
    assert_eq!(Learned::of(&tool("a.b"), json!(1), &policy, &off), None);
}

#[test]
fn what_was_learned_belongs_to_one_definition_one_set_of_redactions_and_one_permission() {
    let (policy, options) = (Policy::default(), ExperienceOptions::default());
    let version = |tool: &Tool, policy: &Policy, options: &ExperienceOptions| options.version(tool, policy).unwrap();
    let usual = version(&tool("a.b"), &policy, &options);
    assert_eq!(usual, version(&tool("a.b"), &policy, &options.clone().enums(patterns(&["c"]))));
    let redacting = Policy::new(vec![Rule::new(patterns(&["*"]), Action::Redact(vec!["/a".to_owned()]))]);
    for other in [
        version(&tool("a.b").description("other"), &policy, &options),
        version(&tool("a.b").input_schema(json!({})).unwrap(), &policy, &options),
        version(&tool("a.b"), &redacting, &options),
        version(&tool("a.b"), &policy, &options.clone().enums(patterns(&["a.*"]))),
    ] {
        assert_ne!(usual, other);
    }
    let mut kept = Learned::of(&tool("a.b"), json!(1), &policy, &options).unwrap();
    let later = Learned::of(&tool("a.b").description("other"), json!("text"), &policy, &options).unwrap();
    kept.merge(&later);
    assert_eq!(kept, later, "what was learned before is replaced");
}

#[test]
fn what_is_kept_is_sealed_for_its_tool() {
    let key = StoreKey::new([1; 32]);
    let one = learned([json!({ "a": 1 })], &Policy::default(), &ExperienceOptions::default());
    let mut sealed = one.sealed(&key, "a.b").unwrap();
    assert_eq!(Learned::opened(&key, "a.b", &sealed), Some(one));
    assert_eq!(Learned::opened(&key, "a.c", &sealed), None);
    assert_eq!(Learned::opened(&StoreKey::new([2; 32]), "a.b", &sealed), None);
    let last = sealed.len() - 2;
    sealed[last] ^= 1;
    assert_eq!(Learned::opened(&key, "a.b", &sealed), None);
    assert_eq!(Learned::opened(&key, "a.b", b"short"), None);
}

#[test]
fn hostile_results_are_learned_in_bounds() {
    let million: Map<String, Value> = (0..1_000_000).map(|at| (format!("key{at}"), json!(at))).collect();
    let mut deep = json!("x".repeat(100));
    for level in 0..90 {
        deep = json!({ "a": [deep, level], "b": { "c": level } });
    }
    let wide: Value = (0..100).map(|at| (word(at), wide_object(3))).collect::<Map<_, _>>().into();
    let long: Value = (0..400_000).map(|at| json!({ "n": at })).collect();
    for value in [million.into(), deep, wide, long, json!("y".repeat(4 << 20))] {
        let shape = shape(&[value.clone(), value]);
        assert!(serde_json::to_vec(&shape).unwrap().len() <= MAX_BYTES);
    }
    assert_eq!(type_of(&[(0..100_000).map(|at| json!({ "n": at })).collect()]), "{ n: number }[]");
}

fn wide_object(levels: usize) -> Value {
    if levels == 0 {
        return json!(1);
    }
    (0..30).map(|at| (word(at), wide_object(levels - 1))).collect::<Map<_, _>>().into()
}

#[test]
fn only_tools_that_change_nothing_are_called_to_learn_from_them() {
    let read_only = ToolHints::default().read_only(true);
    let offered = |is_trusted: bool| {
        let hinted = |path: &str| tool(path).hints(read_only, is_trusted);
        let mut builder = crate::Catalogue::builder();
        for tool in [
            hinted("mail.list").input_schema(json!({ "type": "object", "required": ["page"] })).unwrap(),
            hinted("mail.ask"),
            hinted("mail.typed").output_schema(json!({ "type": "string" })).unwrap(),
            tool("mail.send"),
        ] {
            builder.tool(tool).unwrap();
        }
        builder.build()
    };
    let (trusted, untrusted) = (offered(true), offered(false));
    let ask = Action::RequireApproval { except_read_only: false };
    let policy = Policy::new(vec![Rule::new(patterns(&["mail.ask"]), ask)]);
    let usual = ExperienceOptions::default();
    let of = |catalogue, path, options: &ExperienceOptions| {
        let checked = options.check_call(catalogue, path, &json!({ "page": 1 }), &policy, &[]);
        checked.map_err(|failure| failure.code)
    };
    assert_eq!(of(&trusted, "mail.list", &usual), Ok(()));
    assert_eq!(of(&untrusted, "mail.list", &usual), Err(Code::Forbidden));
    assert_eq!(of(&trusted, "mail.send", &usual), Err(Code::Forbidden));
    assert_eq!(of(&untrusted, "mail.send", &usual.clone().read_only(patterns(&["mail.send"]))), Ok(()));
    assert_eq!(of(&trusted, "mail.ask", &usual), Err(Code::ApprovalRequired));
    assert_eq!(of(&trusted, "mail.typed", &usual), Err(Code::Config));
    assert_eq!(of(&trusted, "mail.lits", &usual), Err(Code::UnknownTool));
    assert_eq!(of(&trusted, "mail.list", &usual.clone().is_enabled(false)), Err(Code::Config));
    let wrong = usual.check_call(&trusted, "mail.list", &json!({}), &policy, &[]).unwrap_err();
    assert_eq!(wrong.code, Code::InvalidInput);
}

/// Generates values with few names of fields, so that objects overlap, and with keys and texts that are data.
fn some_value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![Just("open".to_owned()), "[a-zA-Z0-9 @.-]{0,40}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    let key = prop_oneof![8 => "[a-f]", 1 => "[a-z]{6}", 1 => "[0-9]{4}"];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            btree_map(key.clone(), inner, 0..7).prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// Collects the texts in a value.
fn texts<'v>(value: &'v Value, all: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => all.push(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, all)),
        Value::Object(entries) => entries.values().for_each(|item| texts(item, all)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_order_of_results_and_their_repetition_make_no_difference(
        values in vec(some_value(), 1..8), turn in 0_usize..8, split in 0_usize..8,
    ) {
        let forward = shape(&values);
        let mut turned = values.clone();
        turned.rotate_left(turn % values.len());
        turned.extend_from_slice(&values);
        prop_assert_eq!(&forward, &shape(&turned));
        // As two processes learn at the same time, and then one adds what the other has kept.
        let (one, other) = values.split_at(split % values.len());
        let (mut one, other) = (shape(one), shape(other));
        one.merge(&other);
        prop_assert_eq!(&forward, &one);
        one.merge(&forward);
        prop_assert_eq!(forward, one);
    }

    #[test]
    fn no_value_is_learned(values in vec(some_value(), 1..6)) {
        let known = learned(values.clone(), &Policy::default(), &ExperienceOptions::default());
        let written = format!("{} {}", json!(known), typescript(&known));
        let mut all = Vec::new();
        values.iter().for_each(|value| texts(value, &mut all));
        // The words of the format itself are shorter than eight letters, or in its description.
        for text in all.into_iter().filter(|text| text.len() >= 8) {
            prop_assert!(!written.contains(text), "{text} in {written}");
        }
    }

    #[test]
    fn no_data_is_learned_as_the_name_of_a_field(
        keys in vec(prop_oneof![
            "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}",
            "[a-z]{3,9}@[a-z]{3,9}\\.(com|org|example)",
            "[a-z]{0,4}[_-]?[0-9]{4,20}",
            "[A-Za-z0-9]{41,80}",
            "[A-Za-z0-9]{8,20}[+/=][A-Za-z0-9]{8,20}",
            "(https://|/)[a-z]{4,9}(/[a-z]{4,9}){0,3}",
            "[A-Z][a-z]{3,9} [A-Z][a-z]{3,9}",
            "\\PC{2,10}[äßčπ語🙂]",
        ], 1..6),
    ) {
        let value: Map<String, Value> = keys.iter().map(|key| (key.clone(), json!({ "a": 1 }))).collect();
        let known = learned([json!({ "data": value, "all": [value] })], &Policy::default(), &ExperienceOptions::default());
        prop_assert_eq!(typescript(&known), "{\n  all: Record<string, { a: number }>[];\n  data: Record<string, { a: number }>;\n}");
        let written = json!(known).to_string();
        prop_assert!(keys.iter().all(|key| !written.contains(&**key)), "{written}");
    }

    #[test]
    fn what_is_kept_is_bounded_and_read_again(values in vec(some_value(), 1..30)) {
        let known = learned(values, &Policy::default(), &ExperienceOptions::default().enums(patterns(&["*"])));
        let key = StoreKey::new([3; 32]);
        let sealed = known.sealed(&key, "a.b").unwrap();
        prop_assert!(sealed.len() <= Learned::MOST_BYTES);
        prop_assert_eq!(Learned::opened(&key, "a.b", &sealed), Some(known));
    }
}
