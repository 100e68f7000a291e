//! What holds for every value and every budget.

use isobox_core::{CHARACTERS_PER_TOKEN, show_value};
use proptest::prelude::*;
use serde_json::Value;

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

proptest! {
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
