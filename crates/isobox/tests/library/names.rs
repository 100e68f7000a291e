//! The tools that rules and settings match: by their paths, by their names on their servers, and by their names before
//! they were renamed. A pattern that matches no tool is reported.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use isobox::connector::{Connector, ConnectorSettings, Offer, OfferedTool};
use isobox::policy::{Action, Condition, Policy, Rule};
use isobox::tools::{BriefingOptions, Catalogue, CatalogueBuilder, Strictness, ToolSettings};
use isobox::{Code, Isobox, ToolCall, ToolError, Value, connector, json};

/// A server whose tools return their own names.
struct Server(&'static str);

impl Connector for Server {
    fn name(&self) -> &str {
        self.0
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, connector::Error>> {
        Box::pin(async { Ok(Offer::default()) })
    }

    fn call<'a>(&'a self, tool: &'a str, _: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move { Ok(json!(tool)) })
    }
}

fn add(builder: &mut CatalogueBuilder, server: &'static str, names: &[&str]) {
    add_tools(builder, server, names.iter().map(|name| OfferedTool::new((*name).to_owned())).collect());
}

fn add_tools(builder: &mut CatalogueBuilder, server: &'static str, tools: Vec<OfferedTool>) {
    let connector: Arc<dyn Connector> = Arc::new(Server(server));
    builder.connector(&connector, Offer::default().tools(tools), &ConnectorSettings::default());
}

fn files(names: &[&str]) -> Catalogue {
    let mut builder = Catalogue::builder();
    add(&mut builder, "files", names);
    builder.build()
}

fn rule(tools: &str, action: Action) -> Rule {
    Rule::new(vec![tools.parse().expect("a pattern")], action)
}

fn deny(tools: &str) -> Policy {
    Policy::new(vec![rule(tools, Action::Deny(None))])
}

/// Returns the outcome of a call of each of these paths.
async fn calls(catalogue: Catalogue, policy: Policy, paths: &[&str]) -> Vec<Value> {
    let isobox = Isobox::builder().catalogue(catalogue).policy(policy).build().expect("a runtime");
    let mut results = Vec::new();
    for path in paths {
        let program = format!("return await tools.{path}().catch((error) => error.code)");
        results.push(isobox.run(program).await.into_result().expect("it completes"));
    }
    results
}

#[tokio::test]
async fn a_rule_is_about_the_tool_that_its_server_calls_so() {
    for order in [["delete", "write-file", "write_file"], ["write_file", "write-file", "delete"]] {
        let paths = ["files.delete_", "files.write_file", "files.write_file_2"];
        let plain = calls(files(&order), Policy::default(), &paths).await;
        assert_eq!(plain, ["delete", "write_file", "write-file"], "whatever the order of the list");
        let denied = calls(files(&order), deny("files.delete"), &paths).await;
        assert_eq!(denied, ["FORBIDDEN", "write_file", "write-file"]);
        let denied = calls(files(&order), deny("files.write-*"), &paths).await;
        assert_eq!(denied, ["delete", "write_file", "FORBIDDEN"]);
        let denied = calls(files(&order), deny("files.write_file"), &paths).await;
        assert_eq!(denied, ["delete", "FORBIDDEN", "FORBIDDEN"], "both names come to it");
    }
}

#[tokio::test]
async fn a_rule_that_allows_goes_by_names_that_one_tool_has_alone() {
    let allow = |tools: &str| Policy::new(vec![rule(tools, Action::Allow), rule("*", Action::Deny(None))]);
    let paths = ["files.write_file", "files.write_file_2"];
    let tools = || files(&["write-file", "write_file"]);
    assert_eq!(calls(tools(), allow("files.write_file"), &paths).await, ["write_file", "FORBIDDEN"]);
    assert_eq!(calls(tools(), allow("files.write-file"), &paths).await, ["FORBIDDEN", "write-file"]);
}

#[tokio::test]
async fn a_rule_is_about_a_renamed_tool_by_all_of_its_names() {
    let renamed = || {
        let mut builder = Catalogue::builder();
        let rename = Some("trash.put".parse().expect("a path"));
        builder.settings("files.re-move", ToolSettings::default().rename(rename));
        add(&mut builder, "files", &["re-move", "list"]);
        builder.build()
    };
    for name in ["trash.put", "files.re_move", "files.re-move"] {
        assert_eq!(calls(renamed(), deny(name), &["trash.put", "files.list"]).await, ["FORBIDDEN", "list"], "{name}");
    }
}

#[tokio::test]
async fn rules_and_settings_find_a_tool_by_its_own_name_however_its_connector_offers_it() {
    let offered = || {
        let task = |name: &str| OfferedTool::new(format!("tasks/call/{name}")).own_names(vec![name.to_owned()]);
        vec![task("delete"), task("write-file"), task("files.delete"), OfferedTool::new("list")]
    };
    let tools = || {
        let mut builder = Catalogue::builder();
        add_tools(&mut builder, "srv", offered());
        builder.build()
    };
    let own = ["delete", "write-file", "files.delete"];
    let paths = ["srv.delete_", "srv.write_file", "srv.files_delete"];
    let allowed = calls(tools(), Policy::default(), &paths).await;
    assert_eq!(allowed, own.map(|name| format!("tasks/call/{name}")));
    for (name, path) in own.into_iter().zip(paths) {
        let denied = calls(tools(), deny(&format!("srv.{name}")), &[path, "srv.list"]).await;
        assert_eq!(denied, ["FORBIDDEN", "list"], "{name}");
        let mut builder = Catalogue::builder();
        builder.settings(format!("srv.{name}"), ToolSettings::default().needs_approval(true));
        add_tools(&mut builder, "srv", offered());
        let catalogue = builder.build();
        assert!(catalogue.get(path).is_some_and(|tool| tool.subject().wants_approval), "{name}");
        let warnings = catalogue.check_names(&Policy::default(), Strictness::Strict);
        assert_eq!(warnings.expect("the settings are used"), Vec::<String>::new(), "{name}");
    }
}

#[tokio::test]
async fn a_name_that_two_tools_of_a_service_have_denies_both_and_allows_neither_more_nor_less_than_the_path() {
    let count = || OfferedTool::new("count").path("count".to_owned());
    let counted =
        || OfferedTool::new("count_mutation").path("count_mutation".to_owned()).own_names(vec!["count".into()]);
    let build = |settings: Option<ToolSettings>| {
        let mut builder = Catalogue::builder();
        settings.into_iter().for_each(|settings| builder.settings("shop.count", settings));
        add_tools(&mut builder, "shop", vec![counted(), count()]);
        builder.build()
    };
    let paths = ["shop.count", "shop.count_mutation"];
    assert_eq!(calls(build(None), deny("shop.count"), &paths).await, ["FORBIDDEN", "FORBIDDEN"]);
    assert_eq!(calls(build(None), deny("shop.count_mutation"), &paths).await, ["count", "FORBIDDEN"]);
    let allow = Policy::new(vec![rule("shop.count", Action::Allow), rule("*", Action::Deny(None))]);
    assert_eq!(calls(build(None), allow, &paths).await, ["count", "FORBIDDEN"]);
    let catalogue = build(Some(ToolSettings::default().needs_approval(true)));
    let asks = paths.map(|path| catalogue.get(path).is_some_and(|tool| tool.subject().wants_approval));
    assert_eq!(asks, [true, false], "settings are for one tool: the one with that path");
}

#[test]
fn a_tool_that_is_renamed_leaves_its_path_to_nobody() {
    let mut builder = Catalogue::builder();
    let rename = Some("files.other".parse().expect("a path"));
    builder.settings("files.write_file", ToolSettings::default().rename(rename));
    add(&mut builder, "files", &["write-file", "write_file"]);
    let catalogue = builder.build();
    let paths: Vec<&str> = catalogue.iter().map(|tool| tool.path().as_str()).collect();
    assert_eq!(paths, ["files.other", "files.write_file_2"]);
}

#[test]
fn a_property_in_a_rule_that_no_tool_has_is_a_warning_that_names_the_nearest() {
    let name = json!({ "type": "object", "properties": { "name": {} }, "additionalProperties": false });
    let properties = json!({ "amount": { "type": "number" }, "to": { "$ref": "#/$defs/person" } });
    let closed = json!({ "properties": properties, "additionalProperties": false, "$defs": { "person": name } });
    let tools = vec![
        OfferedTool::new("send").input_schema(closed.clone()).output_schema(closed),
        OfferedTool::new("pay").input_schema(json!({ "type": "object", "properties": { "amount": {} } })),
    ];
    let mut builder = Catalogue::builder();
    add_tools(&mut builder, "bank", tools);
    let catalogue = builder.build();
    let when = |tools: &str, property: &str| {
        let condition = json!({ "properties": { property: { "minimum": 10 } }, "required": [property] });
        rule(tools, Action::Deny(None)).condition(Condition::new(condition).expect("it is a condition"))
    };
    let redact = |tools: &str, pointer: &str| rule(tools, Action::Redact(vec![pointer.to_owned()]));
    let policy = Policy::new(vec![
        when("bank.send", "amuont"),
        when("bank.send", "amount"),
        when("bank.pay", "amuont"),
        when("bank.*", "amuont"),
        redact("bank.send", "/to/nmae"),
        redact("bank.send", "/to/name"),
        redact("bank.send", "/amount/cents"),
        redact("bank.pay", "/anything"),
    ]);
    let warnings = catalogue.check_names(&policy, Strictness::Strict).expect("these are no errors");
    let expected = [
        "rule 1 of the policy: its `when` is about `amuont`, which no tool that it matches takes; did you mean `amount`?",
        "rule 5 of the policy: it redacts `/to/nmae`, which no tool that it matches takes or returns; did you mean `/to/name`?",
        "rule 7 of the policy: it redacts `/amount/cents`, which no tool that it matches takes or returns",
    ];
    assert_eq!(warnings, expected);
}

#[test]
fn what_names_no_tool_is_a_warning_that_names_the_nearest_and_an_error_where_that_is_strict() {
    let mut builder = Catalogue::builder();
    builder.settings("files.lits", ToolSettings::default());
    builder.settings("files.list", ToolSettings::default());
    add(&mut builder, "files", &["list", "delete"]);
    add(&mut builder, "mail", &["send", "read"]);
    let catalogue = builder.build();
    let rules = ["mial.*", "files.delte", "mail.send", "*", "files.delete", "nothing"];
    let policy = Policy::new(rules.map(|tools| rule(tools, Action::Deny(None))).into());
    let warnings = catalogue.check_names(&policy, Strictness::Lenient).expect("it is lenient");
    let expected = [
        "something is configured for the tool `files.lits`, but no connector offers it; did you mean `files.list`?",
        "rule 1 of the policy: `mial.*` matches no tool; did you mean `mail.*`?",
        "rule 2 of the policy: `files.delte` matches no tool; did you mean `files.delete`?",
        "rule 6 of the policy: `nothing` matches no tool",
    ];
    assert_eq!(warnings, expected);
    let failure = catalogue.check_names(&policy, Strictness::Strict).expect_err("it is strict");
    assert_eq!((failure.code, failure.message), (Code::Config, expected.join("; ")));
    let strict = Isobox::builder().catalogue(files(&["list"])).policy(deny("fiels.*")).strict();
    assert_eq!(strict.build().err().map(|failure| failure.code), Some(Code::Config));
    let lenient = Isobox::builder().catalogue(files(&["list"])).policy(deny("fiels.*")).build().expect("a runtime");
    assert_eq!(lenient.warnings(), ["rule 1 of the policy: `fiels.*` matches no tool; did you mean `files.*`?"]);
}

#[tokio::test]
async fn a_program_is_told_that_the_server_of_a_tool_is_down() {
    let mut builder = Catalogue::builder();
    add(&mut builder, "files", &["list"]);
    builder.absent_connector("mail");
    let isobox = Isobox::builder().catalogue(builder.build()).build().expect("the runtime starts");
    let failure = isobox.run("return await tools.mail.send({})").await.into_result().expect_err("it is down");
    assert_eq!(failure.code, Code::UnknownTool);
    assert_eq!(failure.message, "tool `mail.send` is not available: its server `mail` has not started");
    let failure = isobox.run("return await tools.files.lst({})").await.into_result().expect_err("there is none");
    assert_eq!(failure.message, "unknown tool: `files.lst`; did you mean `files.list`?");
    let program = "const { problem, total } = await codemode.search('send a mail');
        const why = (path) => codemode.describe(path).then(() => 'described', (error) => [error.code, error.message]);
        return [problem, await why('mail'), await why('mail.send'), await why('files')]";
    let told = isobox.run(program).await.into_result().expect("it runs");
    let down = "is not available: its server `mail` has not started";
    assert_eq!(told[0], "the server `mail` has not started: its tools are not available now");
    assert_eq!(told[1], json!(["NOT_FOUND", format!("namespace `mail` {down}")]));
    assert_eq!(told[2], json!(["NOT_FOUND", format!("tool `mail.send` {down}")]));
    assert_eq!(told[3], "described");
}

#[test]
fn servers_that_are_down_are_in_the_briefing_for_those_who_may_see_them() {
    let mut builder = Catalogue::builder();
    add(&mut builder, "files", &["list"]);
    ["mail", "pay", "admin"].into_iter().for_each(|name| builder.absent_connector(name));
    let catalogue = builder.build();
    let policy = Policy::new(vec![rule("admin.*", Action::OnlyRoles).roles(vec!["admin".to_owned()])]);
    let briefing = |roles: &[String]| catalogue.briefing(&BriefingOptions::default(), &policy, roles);
    let note = "\n\nNote: the servers `mail` and `pay` have not started: their tools are not available now.\n";
    assert!(briefing(&[]).contains(note), "{}", briefing(&[]));
    assert!(briefing(&["admin".to_owned()]).contains("the servers `mail`, `pay` and `admin` have not started"));
    let failure = catalogue.describe("admin", 1000, &policy, &[]).expect_err("it is hidden");
    assert_eq!(failure.message, "there is no tool or namespace `admin`");
}

#[test]
fn a_server_that_is_down_makes_no_rule_wrong_and_is_named() {
    let mut builder = Catalogue::builder();
    let rename = Some("letters.send".parse().expect("a path"));
    builder.settings("mail.send", ToolSettings::default().rename(rename));
    add(&mut builder, "files", &["list"]);
    builder.absent_connector("mail");
    builder.disabled_connector("pay");
    let catalogue = builder.build();
    let policy = Policy::new(["mail.*", "letters.*", "pay.*"].map(|tools| rule(tools, Action::Deny(None))).into());
    let warnings = catalogue.check_names(&policy, Strictness::Strict).expect("they may be about what is absent");
    let expected = [
        "rule 1 of the policy: `mail.*` matches no tool now; it may be about `mail`, which has not started",
        "rule 2 of the policy: `letters.*` matches no tool now; it may be about `mail`, which has not started",
    ];
    assert_eq!(warnings, expected);
    let wrong = catalogue.check_names(&deny("fiels.*"), Strictness::Strict);
    assert!(wrong.is_err(), "no server that is down could have it");
}

#[test]
fn an_error_after_many_that_may_be_about_a_server_that_is_down_is_an_error() {
    let mut builder = Catalogue::builder();
    add(&mut builder, "files", &["list"]);
    builder.absent_connector("mail");
    let catalogue = builder.build();
    let rules = |last: &str| {
        let down = (0..30).map(|number| format!("mail.t{number}")).chain([last.to_owned()]);
        Policy::new(down.map(|tools| rule(&tools, Action::Deny(None))).collect())
    };
    let warnings = catalogue.check_names(&rules("files.list"), Strictness::Strict).expect("they may be about `mail`");
    assert_eq!((warnings.len(), warnings[20].as_str()), (21, "more rules and settings name no tool"));
    let failure = catalogue.check_names(&rules("fiels.list"), Strictness::Strict).expect_err("it is strict");
    assert_eq!(failure.message, "rule 31 of the policy: `fiels.list` matches no tool; did you mean `files.list`?");
    let many = Policy::new((0..30).map(|number| rule(&format!("fiels.t{number}"), Action::Deny(None))).collect());
    let failure = catalogue.check_names(&many, Strictness::Strict).expect_err("it is strict");
    assert!(failure.message.ends_with("; more rules and settings name no tool"), "{}", failure.message);
}

#[test]
fn settings_are_found_by_the_servers_name_and_twice_is_said() {
    let mut builder = Catalogue::builder();
    let described = |text: &str| ToolSettings::default().description(text.to_owned());
    builder.settings("my files.write-file", described("by the server's name"));
    builder.settings("my_files.write_file", described("by the path"));
    builder.settings("my_files.write_file_2", described("twice"));
    add(&mut builder, "my files", &["write-file", "write_file"]);
    let catalogue = builder.build();
    let description = |path: &str| catalogue.get(path).map(|tool| tool.description_text().to_owned());
    assert_eq!(description("my_files.write_file").as_deref(), Some("by the path"));
    assert_eq!(description("my_files.write_file_2").as_deref(), Some("by the server's name"));
    let warnings = catalogue.check_names(&Policy::default(), Strictness::Lenient).expect("it is lenient");
    let expected = "the settings for the tool `my_files.write_file_2` are not used: `my_files.write_file_2` is \
                    configured under another name";
    assert_eq!(warnings, [expected]);
}
