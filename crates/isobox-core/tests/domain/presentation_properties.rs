//! Properties of presenting any value within any budget.

use isobox_core::{CHARACTERS_PER_TOKEN, CallDetails, CallRecord, CallSummary, show_value, summarise_calls};
use proptest::prelude::*;
use serde_json::{Value, json};

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,400}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 200, 30, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..30).prop_map(Value::from),
            prop::collection::vec((".{0,30}", inner), 0..30)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn calls() -> impl Strategy<Value = Vec<CallRecord>> {
    let call = (".{0,100}", values(), values()).prop_map(|(path, input, output)| {
        let error = json!({ "code": "TOOL", "name": "ToolError", "message": path });
        let record =
            json!({ "seq": "0", "path": path, "state": "applied", "input": input, "output": output, "error": error });
        serde_json::from_value(record).expect("a record")
    });
    prop::collection::vec(call, 0..12)
}

proptest! {
    #[test]
    fn a_summary_of_calls_is_never_over_its_budget_of_tokens_and_entries(
        calls in calls(), entries in 0_usize..15, tokens in 0_usize..500, inputs: bool, outputs: bool,
    ) {
        let details = CallDetails::default().inputs(inputs).outputs(outputs);
        let text = summarise_calls(&calls, &CallSummary::default().entries(entries).tokens(tokens).details(details));
        prop_assert!(text.len() <= tokens * CHARACTERS_PER_TOKEN);
        let listed = text.lines().filter(|line| line.ends_with(": applied")).count();
        prop_assert!(listed <= entries);
        prop_assert_eq!(text.lines().any(|line| line.starts_with("  input: ")) && !inputs, false);
        prop_assert_eq!(text.lines().any(|line| line.starts_with("  output: ")) && !outputs, false);
        if listed < calls.len() && tokens > 10 {
            let missing = calls.len() - listed;
            let rest = format!("… {missing} more call{}", if missing == 1 { "" } else { "s" });
            prop_assert!(text.ends_with(&rest), "{} in\n{}", rest, text);
        }
    }

    #[test]
    fn what_is_shown_is_never_over_its_budget(value in values(), tokens in 0_usize..2000) {
        let shown = show_value(&value, tokens);
        prop_assert!(shown.text.len() <= tokens * CHARACTERS_PER_TOKEN);
        let whole = value.to_string();
        prop_assert_eq!(shown.is_cut, whole.len() > tokens * CHARACTERS_PER_TOKEN);
        if !shown.is_cut {
            prop_assert_eq!(shown.text, whole);
        } else if let Some((json, _)) = shown.text.split_once("\n[cut") {
            prop_assert!(serde_json::from_str::<Value>(json).is_ok(), "it is still JSON: {}", json);
        }
    }
}
