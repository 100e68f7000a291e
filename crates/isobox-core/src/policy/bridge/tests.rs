//! Decisions about calls.

use super::*;
use crate::policy::{Action, Rule};

fn catalogue() -> Catalogue {
    let mut builder = Catalogue::builder();
    for (path, description) in [
        ("mail.send", "Sends a mail to a person."),
        ("mail.list", "Lists the mails in a folder."),
        ("pay.charge", "Charges a card."),
        ("admin.ban", "Bans a user."),
    ] {
        let tool = Tool::new(path, |input| async move { Ok(input) }).expect("a path").description(description);
        builder.tool(tool).expect("it is free");
    }
    builder.build()
}

fn rule(tools: &str, action: Action) -> Rule {
    Rule::new(vec![tools.parse().expect("a pattern")], action)
}

fn failure(route: Result<Route, Failure>) -> Failure {
    route.err().expect("the call is refused")
}

#[test]
fn a_call_that_the_policy_forbids_says_which_rule() {
    let (catalogue, policy) = (catalogue(), Policy::new(vec![rule("pay.*", Action::Deny(None))]));
    let failure = failure(Bridge::new(&catalogue, &policy, &[]).route("pay.charge", &json!({})));
    assert_eq!(failure.code, Code::Forbidden);
    assert_eq!(failure.message, "the policy forbids this call of `pay.charge`: rule 1 (`pay.*`) denies it");
}

#[test]
fn methods_of_functions_are_refused_with_what_to_write() {
    let (catalogue, policy) = (catalogue(), Policy::new(vec![rule("pay.*", Action::OnlyRoles)]));
    let mut bridge = Bridge::new(&catalogue, &policy, &[]);
    for method in ["call", "apply", "bind"] {
        let refused = failure(bridge.route(&format!("mail.send.{method}"), &json!({})));
        let advice = "; tools have no methods: write `(input) => tools.mail.send(input)`";
        assert_eq!(refused.code, Code::UnknownTool);
        assert_eq!(refused.message, format!("unknown tool: `mail.send.{method}`{advice}"));
        let hidden = failure(bridge.route(&format!("pay.charge.{method}"), &json!({})));
        assert!(!hidden.message.contains("tools.pay.charge"), "{}", hidden.message);
    }
}

/// A connector with a tool that does anything.
struct General;

impl crate::Connector for General {
    fn name(&self) -> &str {
        "shop"
    }

    fn offer(&self) -> futures_util::future::BoxFuture<'_, Result<crate::Offer, crate::connector::Error>> {
        Box::pin(std::future::ready(Ok(crate::Offer::default())))
    }

    fn call<'a>(
        &'a self,
        _: &'a str,
        call: crate::ToolCall,
    ) -> futures_util::future::BoxFuture<'a, Result<Value, crate::ToolError>> {
        Box::pin(async move { Ok(call.input) })
    }

    fn equivalents(&self, _: &str, input: &Value) -> Vec<(String, Value)> {
        assert_ne!(input["names"], "panic", "the connector panics");
        let names = input["names"].as_str().unwrap_or_default().split_whitespace();
        names.map(|name| (name.to_owned(), input["input"].clone())).collect()
    }
}

fn catalogue_with_general_tool() -> Catalogue {
    let mut builder = Catalogue::builder();
    let connector: std::sync::Arc<dyn crate::Connector> = std::sync::Arc::new(General);
    let strict = json!({ "type": "object", "required": ["id"] });
    let tools = vec![
        crate::OfferedTool::new("any").is_general(true),
        crate::OfferedTool::new("read").hints(crate::ToolHints::default().read_only(true)),
        crate::OfferedTool::new("buy").input_schema(strict),
        crate::OfferedTool::new("drop"),
    ];
    let trusted = crate::ConnectorSettings::default().is_trusted(true);
    builder.connector(&connector, crate::Offer::default().tools(tools), &trusted);
    builder.build()
}

#[test]
fn a_general_tool_takes_the_policy_of_what_it_amounts_to() {
    let catalogue = catalogue_with_general_tool();
    let ask = Action::RequireApproval { except_read_only: true };
    let policy = Policy::new(vec![rule("shop.drop", Action::Deny(None)), rule("shop.*", ask)]);
    let bridge = Bridge::new(&catalogue, &policy, &[]);
    let general = |names: &str| bridge.recheck("shop.any", &json!({ "names": names, "input": { "id": 1 } }));
    assert!(matches!(general("read"), Ok(Route::Call)));
    assert!(matches!(general("buy"), Ok(Route::Ask(_))));
    assert_eq!(failure(general("drop")).code, Code::Forbidden);
    // The strictest decision counts, wherever it is.
    assert!(matches!(general("read read"), Ok(Route::Call)));
    for several in ["read buy", "buy read"] {
        assert!(matches!(general(several), Ok(Route::Ask(_))), "{several}");
    }
    for several in ["read drop", "drop buy", "read buy drop"] {
        assert_eq!(failure(general(several)).code, Code::Forbidden, "{several}");
    }
    // No rule can decide about a tool that is not there.
    assert_eq!(failure(general("read nothing")).code, Code::UnknownTool);
    let wrong = bridge.recheck("shop.any", &json!({ "names": "buy", "input": {} }));
    assert_eq!(failure(wrong).code, Code::InvalidInput);
    // The connector refuses what amounts to nothing.
    assert!(matches!(bridge.recheck("shop.any", &json!({})), Ok(Route::Ask(_))));
}

#[test]
fn a_call_is_refused_and_hidden_if_its_connector_cannot_tell_what_it_amounts_to() {
    let catalogue = catalogue_with_general_tool();
    let policy = Policy::new(vec![rule("shop.drop", Action::Redact(vec!["/id".to_owned()]))]);
    let mut bridge = Bridge::new(&catalogue, &policy, &[]);
    let input = json!({ "names": "panic" });
    assert_eq!(failure(bridge.recheck("shop.any", &input)).code, Code::Internal);
    assert_eq!(failure(bridge.route("shop.any", &input)).code, Code::Internal);
    let hidden = hidden_parts(&catalogue, &policy, "shop.any", &input);
    assert_eq!(policy.redacted(catalogue.names("shop.any").hiding(&hidden), &input), json!("[redacted]"));
}

#[test]
fn a_rate_counts_also_the_calls_that_a_general_tool_amounts_to() {
    let catalogue = catalogue_with_general_tool();
    let policy = Policy::new(vec![rule("shop.buy", Action::Rate(2))]);
    let input = |names: &str| json!({ "names": names, "input": { "id": 1 } });
    let mut live = Bridge::new(&catalogue, &policy, &[]);
    assert_eq!(failure(live.route("shop.any", &input("buy read buy buy"))).code, Code::CallLimit);
    assert!(live.route("shop.any", &input("buy read")).is_ok(), "a call that was refused was not counted");
    assert!(live.route("shop.buy", &json!({ "id": 1 })).is_ok());

    let mut resumed = Bridge::new(&catalogue, &policy, &[]);
    resumed.count_past("shop.any", &input("buy read"));
    resumed.count_past("shop.buy", &json!({ "id": 1 }));
    assert_eq!(resumed.counted(), live.counted());
    for mut bridge in [live, resumed] {
        assert_eq!(failure(bridge.route("shop.any", &input("buy"))).code, Code::CallLimit);
        assert_eq!(failure(bridge.route("shop.buy", &json!({ "id": 1 }))).code, Code::CallLimit);
        assert!(bridge.route("shop.any", &input("read")).is_ok());
    }

    let mut partly = Bridge::new(&catalogue, &policy, &[]);
    partly.count_past("shop.any", &input("buy gone buy"));
    let refused = failure(partly.route("shop.buy", &json!({ "id": 1 })));
    assert_eq!(refused.code, Code::CallLimit, "a tool that is gone keeps no other from being counted");
}

#[test]
fn tools_of_another_role_are_unknown_and_nobody_is_pointed_at_them() {
    let admin = Rule { roles: vec!["admin".to_owned()], ..rule("admin.*", Action::OnlyRoles) };
    let (catalogue, policy) = (catalogue(), Policy::new(vec![admin]));
    let mut bridge = Bridge::new(&catalogue, &policy, &[]);
    assert_eq!(failure(bridge.route("admin.ban", &json!({}))).message, "unknown tool: `admin.ban`");
    let Ok(Route::Answered(found)) = bridge.route("codemode.search", &json!("ban a user")) else { panic!("found") };
    assert_eq!(found["results"].as_array().map(Vec::len), Some(0), "{found}");
    assert_eq!(failure(bridge.route("codemode.describe", &json!("admin"))).code, Code::NotFound);
    let roles = ["admin".to_owned()];
    assert!(matches!(Bridge::new(&catalogue, &policy, &roles).route("admin.ban", &json!({})), Ok(Route::Call)));
}

#[test]
fn calls_above_a_rate_are_refused_and_all_rates_count() {
    let policy = Policy::new(vec![rule("mail.*", Action::Rate(2)), rule("mail.send", Action::Rate(1))]);
    let catalogue = catalogue();
    let mut bridge = Bridge::new(&catalogue, &policy, &[]);
    assert!(bridge.route("mail.send", &json!({})).is_ok());
    assert_eq!(failure(bridge.route("mail.send", &json!({}))).code, Code::CallLimit);
    assert!(bridge.route("mail.list", &json!({})).is_ok(), "a call that was refused was not counted");
    let failure = failure(bridge.route("mail.list", &json!({})));
    assert!(failure.message.contains("2 calls") && failure.message.contains("rule 1"), "{}", failure.message);
}

#[test]
fn what_the_policy_redacts_is_not_quoted_where_it_does_not_fit() {
    let schema = json!({ "properties": { "password": { "type": "integer" }, "to": { "type": "string" } } });
    let tool = Tool::new("login", |input| async move { Ok(input) }).and_then(|tool| tool.input_schema(schema));
    let mut builder = Catalogue::builder();
    builder.tool(tool.expect("a tool")).expect("it is free");
    let (catalogue, policy) =
        (builder.build(), Policy::new(vec![rule("*", Action::Redact(vec!["/password".to_owned()]))]));
    let mut bridge = Bridge::new(&catalogue, &policy, &[]);
    let failure = failure(bridge.route("login", &json!({ "password": "hunter2", "to": 1 })));
    assert_eq!(failure.code, Code::InvalidInput);
    assert!(!failure.message.contains("hunter2") && failure.message.contains("/to"), "{}", failure.message);
}

#[test]
fn a_tool_whose_results_are_not_stored_cannot_wait_for_approval() {
    let tool = Tool::new("token", |input| async move { Ok(input) }).expect("a path").ephemeral().with_approval();
    let mut builder = Catalogue::builder();
    builder.tool(tool).expect("it is free");
    let (catalogue, policy) = (builder.build(), Policy::default());
    let failure = failure(Bridge::new(&catalogue, &policy, &[]).route("token", &json!({})));
    assert_eq!(failure.code, Code::ApprovalRequired);
}

#[test]
fn search_and_describe_take_a_text_and_options_in_any_usual_form() {
    let (catalogue, policy) = (catalogue(), Policy::default());
    let mut bridge = Bridge::new(&catalogue, &policy, &[]);
    for (path, input) in [
        ("codemode.search", json!("send mail")),
        ("codemode.search", json!(["send mail", { "limit": 1 }])),
        ("search", json!({ "query": "send mail", "limit": 1 })),
    ] {
        let Ok(Route::Answered(found)) = bridge.route(path, &input) else { panic!("{path} {input}") };
        assert_eq!(found["results"][0]["path"], "mail.send", "{input}");
        assert_eq!(found["results"][0]["requiresApproval"], false);
    }
    let Ok(Route::Answered(described)) = bridge.route("describe", &json!("tools.mail")) else {
        panic!("the tool exists")
    };
    assert_eq!((&described["path"], &described["kind"]), (&json!("mail"), &json!("namespace")));
    assert!(described["types"].as_str().is_some_and(|types| types.contains("send(")), "{described}");
    for input in [json!(1), json!(["a", "b"]), json!({ "limit": 3 }), json!({ "query": "a", "limit": -1 })] {
        assert_eq!(failure(bridge.route("codemode.search", &input)).code, Code::InvalidInput, "{input}");
    }
    assert_eq!(failure(bridge.route("codemode.run", &json!({}))).code, Code::UnknownTool);
}
