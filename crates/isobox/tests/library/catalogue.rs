//! The tools that programs find: connectors, search, namespaces as globals, and the effect of the policy.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox::connector::{Connector, ConnectorSettings, Offer, OfferedTool};
use isobox::policy::{Action, Policy, Rule};
use isobox::policy::{Approval, ApprovalRequest, Approver};
use isobox::tools::{Catalogue, Strictness, ToolHints, ToolPath, ToolSettings};
use isobox::{
    Builder, Code, Failure, Isobox, Limits, Principal, Run, Tool, ToolCall, ToolError, Value, connector, json,
};

/// Offers the given tools. Each one returns its own name and its input.
struct Fake {
    name: &'static str,
    tools: Vec<OfferedTool>,
}

impl Connector for Fake {
    fn name(&self) -> &str {
        self.name
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, connector::Error>> {
        let (tools, instructions) = (self.tools.clone(), "Use with care.".to_owned());
        let offer =
            Offer::default().tools(tools).instructions(instructions).warnings(vec!["a tool is left out".to_owned()]);
        Box::pin(async { Ok(offer) })
    }

    fn call<'a>(&'a self, tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move { Ok(json!([self.name, tool, call.input])) })
    }
}

fn offered(name: &str) -> OfferedTool {
    OfferedTool::new(name.to_owned()).description(format!("Does {name}."))
}

async fn catalogue(connectors: Vec<Fake>, settings: Vec<(&str, ToolSettings)>) -> Catalogue {
    let mut builder = Catalogue::builder();
    for (path, settings) in settings {
        builder.settings(path, settings);
    }
    for connector in connectors {
        let connector: Arc<dyn Connector> = Arc::new(connector);
        let offer = connector.offer().await.expect("it offers");
        builder.connector(&connector, offer, &ConnectorSettings::default());
    }
    builder.build()
}

fn builder() -> Builder {
    Isobox::builder().max_live(NonZeroU32::new(4).expect("it is not zero"))
}

async fn result(builder: Builder, program: &str) -> Result<Value, Failure> {
    builder.build().expect("the runtime starts").run(program).await.into_result()
}

fn rule(tools: &str, action: Action) -> Rule {
    Rule::new(vec![tools.parse().expect("a pattern")], action)
}

#[tokio::test]
async fn a_catalogue_and_single_tools_are_not_mixed_in_silence() {
    let single = Tool::new("single", |_| async { Ok(json!(1)) }).expect("a path");
    let mixed = builder().tool(single.clone()).catalogue(catalogue(vec![], vec![]).await).build();
    assert_eq!(mixed.err().map(|failure| failure.code), Some(Code::Config));
    let value = result(builder().tool(single), "return await tools.single()").await.expect("it runs");
    assert_eq!(value, json!(1));
}

#[tokio::test]
async fn whatever_the_order_nothing_that_was_added_to_a_builder_is_dropped() {
    let single = |path| Tool::new(path, |_| async { Ok(json!(1)) }).expect("a tool");
    let made = async || catalogue(vec![], vec![]).await;
    let fake = || Arc::new(Fake { name: "alpha", tools: vec![] });
    let settings = ConnectorSettings::default;
    for (builder, expected) in [
        (builder().tool(single("a")).catalogue(made().await), "single tools and a catalogue"),
        (builder().catalogue(made().await).tools([single("a")]), "single tools and a catalogue"),
        (builder().catalogue(made().await).catalogue(made().await), "2 catalogues"),
        (builder().tool(single("a")).tools([single("a")]), "two tools have the path `a`"),
        (builder().connector(fake(), settings()).catalogue(made().await), "the connector `alpha`"),
    ] {
        let failure = builder.build().err().expect("it does not add up");
        assert!(failure.code == Code::Config && failure.message.contains(expected), "{failure}");
    }
    let connected = builder().catalogue(made().await).connector(fake(), settings()).build_connected();
    assert_eq!(connected.err().map(|failure| failure.code), Some(Code::Config));
    let all = builder().tool(single("a")).tools([single("b")]).tool(single("c")).connector(fake(), settings());
    let ready =
        all.connector(fake(), settings()).build_connected().expect("a runtime").ready().await.expect("it is ready");
    assert_eq!(ready.isobox.catalogue().namespaces().keys().collect::<Vec<_>>(), ["a", "b", "c"]);
}

#[tokio::test]
async fn two_connectors_with_the_same_names_are_both_reachable_and_the_mapping_is_reported() {
    let tools = || vec![offered("create-issue"), offered("create_issue"), offered("list")];
    let made =
        catalogue(vec![Fake { name: "git hub", tools: tools() }, Fake { name: "git hub", tools: tools() }], vec![]);
    let made = made.await;
    let paths: Vec<&str> = made.iter().map(|tool| tool.path().as_str()).collect();
    assert_eq!(
        paths,
        [
            "git_hub.create_issue",
            "git_hub.create_issue_2",
            "git_hub.list",
            "git_hub_2.create_issue",
            "git_hub_2.create_issue_2",
            "git_hub_2.list"
        ]
    );
    let renamed: Vec<(&str, &str)> =
        made.renamings().iter().map(|renaming| (renaming.name.as_str(), renaming.path.as_str())).collect();
    assert!(renamed.contains(&("create-issue", "git_hub.create_issue_2")), "{renamed:?}");
    let program = "return [await tools.git_hub.create_issue_2({ a: 1 }), await tools.git_hub_2.create_issue()]";
    let value = result(builder().catalogue(made), program).await.expect("it runs");
    assert_eq!(value, json!([["git hub", "create-issue", { "a": 1 }], ["git hub", "create_issue", {}]]));
}

#[tokio::test]
async fn names_do_not_depend_on_who_is_there() {
    let rename = ToolSettings::default().rename("beta.list".parse::<ToolPath>().expect("a path"));
    let present = |absent: &[usize]| {
        let mut builder = Catalogue::builder();
        builder.settings("alpha.all", rename.clone());
        for (at, name) in ["alpha", "be-ta", "be_ta", "beta"].into_iter().enumerate() {
            if absent.contains(&at) {
                builder.absent_connector(name);
                continue;
            }
            let connector: Arc<dyn Connector> = Arc::new(Fake { name, tools: vec![] });
            let offer = Offer::default().tools(vec![offered("all"), offered("list")]);
            builder.connector(&connector, offer, &ConnectorSettings::default());
        }
        builder.build()
    };
    let all = present(&[]);
    let expected = ["alpha.list", "be_ta.all", "be_ta.list", "be_ta_2.all", "be_ta_2.list", "beta.all", "beta.list"];
    let paths = |made: &Catalogue| made.iter().map(|tool| tool.path().to_string()).collect::<Vec<_>>();
    assert_eq!(paths(&all)[..7], expected);
    assert_eq!(paths(&all)[7..], ["beta.list_2"]);
    let warning = "the tools of `be_ta` are found under `be_ta_2`, because `be_ta` is taken";
    assert!(all.warnings().contains(&warning.to_owned()), "{:?}", all.warnings());
    for absent in [&[0][..], &[1], &[2], &[0, 1, 2], &[3]] {
        let some = present(absent);
        let strangers: Vec<_> = paths(&some).into_iter().filter(|path| !paths(&all).contains(path)).collect();
        assert!(strangers.is_empty(), "without {absent:?} there are {strangers:?}");
        for renaming in some.renamings() {
            assert!(all.renamings().contains(renaming), "without {absent:?}: {renaming:?}");
        }
        let warnings = some.check_names(&Policy::default(), Strictness::Strict);
        assert_eq!(warnings.expect("it may be absent"), Vec::<String>::new());
    }
}

#[tokio::test]
async fn what_a_connector_leaves_out_is_a_warning_and_of_many_the_first_are_kept() {
    let mut tools: Vec<OfferedTool> = (0..1_000).map(|number| offered(&format!("t{number}"))).collect();
    for tool in &mut tools {
        tool.input_schema = Some(json!("no schema"));
    }
    let made = catalogue(vec![Fake { name: "x", tools }], vec![]).await;
    assert_eq!(made.warnings()[0], "`x`: a tool is left out");
    assert_eq!(made.warnings().len(), 51);
    assert_eq!(made.warnings()[50], "`x`: there are 951 more warnings about it");
}

#[tokio::test]
async fn what_a_connector_offers_may_be_anything_and_the_tool_stays_usable() {
    let mut absurd = offered("constructor");
    absurd.input_schema = Some(json!({ "type": 7 }));
    let mut long = offered("long");
    long.description = "x".repeat(10_000_000);
    let mut huge = offered("huge");
    huge.input_schema = Some(json!({ "description": "y".repeat(1_000_000) }));
    let mut text = offered("text");
    text.output_schema = Some(json!("no schema"));
    let mut endless = offered("endless");
    let mut definitions = json!({ "a40": { "type": "string" } });
    for level in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/a{}", level + 1) });
        definitions[format!("a{level}")] = json!({ "anyOf": [next, next] });
    }
    endless.input_schema = Some(json!({ "$defs": definitions, "properties": { "a": { "$ref": "#/$defs/a0" } } }));
    let tools = vec![
        absurd,
        long,
        huge,
        text,
        endless,
        offered(""),
        offered("then"),
        offered("🙂"),
        offered(&"n".repeat(5000)),
    ];
    let made = catalogue(vec![Fake { name: "x", tools }], vec![]).await;
    let warned = made.warnings().join("\n");
    for name in ["x.long", "x.huge", "x.text", "x.endless"] {
        assert!(warned.contains(name), "{name} is named:\n{warned}");
    }
    assert!(made.iter().all(|tool| tool.description_text().len() <= 20_100));
    let program = "return [(await tools.x.constructor({ any: 1 }))[2], (await tools.x.endless({ a: 1 }))[2]]";
    let value = result(builder().catalogue(made), program).await;
    assert_eq!(value.expect("it runs"), json!([{ "any": 1 }, { "a": 1 }]));
}

#[tokio::test]
async fn the_host_renames_describes_and_restricts_tools_of_a_connector() {
    let settings = ToolSettings::default()
        .rename("github.issues.create".parse::<ToolPath>().expect("a path"))
        .description("Opens an issue.".to_owned())
        .needs_approval(true)
        .types("(input: { title: string }) => Promise<{ number: number }>".to_owned());
    let connector = Fake { name: "github", tools: vec![offered("create_issue")] };
    let made = catalogue(
        vec![connector],
        vec![("github.create_issue", settings), ("github.nothing", ToolSettings::default())],
    );
    let made = made.await;
    let warnings = made.check_names(&Policy::default(), Strictness::Lenient).expect("it is lenient");
    assert!(warnings.iter().any(|warning| warning.contains("github.nothing")), "{warnings:?}");
    let program = "const { results } = await codemode.search('open issue');
                   const { types, description } = await tools.describe('github.issues');
                   return [results, types.includes('{ title: string }'), description]";
    let value = result(builder().catalogue(made), program).await.expect("it runs");
    assert_eq!(value[0][0]["path"], "github.issues.create");
    assert_eq!(value[0][0]["description"], "Opens an issue.");
    assert_eq!(value[0][0]["requiresApproval"], true);
    assert_eq!((&value[1], &value[2]), (&json!(true), &json!("Use with care.")));
}

#[tokio::test]
async fn no_tool_of_a_connector_gets_the_path_of_the_reverts_of_a_tool() {
    let mut builder = Catalogue::builder();
    let rename = ToolSettings::default().rename("mail.send.revert".parse::<ToolPath>().expect("a path"));
    builder.settings("alpha.undo", rename);
    let send = Tool::new("mail.send", |_| async { Ok(json!(1)) }).expect("a tool");
    builder.tool(send.revert(|_| async { Ok(json!(1)) })).expect("its path is free");
    let offer = Offer::default().tools(vec![offered("undo")]);
    let connector: Arc<dyn Connector> = Arc::new(Fake { name: "alpha", tools: vec![] });
    builder.connector(&connector, offer, &ConnectorSettings::default());
    let made = builder.build();
    let paths: Vec<&str> = made.iter().map(|tool| tool.path().as_str()).collect();
    assert_eq!(paths, ["mail.send", "mail.send.revert_2"]);
}

#[tokio::test]
async fn namespaces_are_globals_when_asked_and_shadow_nothing() {
    let names = ["github", "Math", "console", "tools"];
    let connectors = || names.map(|name| Fake { name, tools: vec![offered("list")] }).into_iter().collect::<Vec<_>>();
    let program = "return [typeof github, Math.max(1, 2), typeof console.log, await tools.Math.list(), await tools.github.list()]";
    let asked = builder().catalogue(catalogue(connectors(), vec![]).await).namespaces_as_globals();
    let value = result(asked, &program.replace("tools.github", "github")).await.expect("it runs");
    assert_eq!(value, json!(["function", 2, "function", ["Math", "list", {}], ["github", "list", {}]]));
    let plain = result(builder().catalogue(catalogue(connectors(), vec![]).await), program).await.expect("it runs");
    assert_eq!(plain[0], "undefined");
}

#[tokio::test]
async fn roles_decide_which_tools_there_are() {
    let only = rule("admin.*", Action::OnlyRoles).roles(vec!["admin".to_owned()]);
    let connector = Fake { name: "admin", tools: vec![offered("ban")] };
    let made = catalogue(vec![connector], vec![]).await;
    let isobox = builder().catalogue(made).policy(Policy::new(vec![only])).build().expect("the runtime starts");
    let program = "return [await tools.admin.ban().then(() => 'done', (error) => error.code),
                           (await codemode.search('ban')).total]";
    assert_eq!(isobox.run(program).await.into_result().expect("it runs"), json!(["UNKNOWN_TOOL", 0]));
    let admin = isobox.run(Run::from(program).principal(Principal::named("ada").with_roles(["admin"]))).await;
    assert_eq!(admin.into_result().expect("it runs"), json!(["done", 1]));
}

/// Decides as configured, after a while, and records the requests.
struct Person {
    answer: Approval,
    after: Duration,
    asked: Arc<Mutex<Vec<ApprovalRequest>>>,
}

impl Approver for Person {
    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'static, Approval> {
        self.asked.lock().expect("no thread panicked").push(request);
        let (answer, after) = (self.answer.clone(), self.after);
        Box::pin(async move {
            tokio::time::sleep(after).await;
            answer
        })
    }
}

fn send(sent: &Arc<AtomicU32>) -> Tool {
    let sent = Arc::clone(sent);
    Tool::new("mail.send", move |_| {
        sent.fetch_add(1, Ordering::SeqCst);
        async { Ok(json!("sent")) }
    })
    .expect("a path")
    .with_approval()
    .input_schema(json!({ "type": "object", "required": ["to"] }))
    .expect("a schema")
}

#[tokio::test(start_paused = true)]
async fn a_call_that_needs_approval_waits_for_a_person_and_that_time_does_not_count() {
    let (sent, asked) = (Arc::new(AtomicU32::new(0)), Arc::default());
    let person = Person { answer: Approval::Approved, after: Duration::from_secs(3600), asked: Arc::clone(&asked) };
    let redacted = rule("mail.*", Action::Redact(vec!["/password".to_owned()]));
    let limits = Limits::default().timeout(Duration::from_secs(5));
    let builder = builder().tool(send(&sent)).approver(person).policy(Policy::new(vec![redacted])).limits(limits);
    let value = result(builder, "return await tools.mail.send({ to: 'a', password: 'secret' })").await;
    assert_eq!(value.expect("it is approved"), json!("sent"));
    let asked = asked.lock().expect("no thread panicked");
    let [request] = asked.as_slice() else { panic!("asked once: {asked:?}") };
    assert_eq!(request.input, json!({ "to": "a", "password": "[redacted]" }));
    assert_eq!((request.path.as_str(), request.why.as_str()), ("mail.send", "the tool itself asks for approval"));
}

#[tokio::test]
async fn a_call_that_is_denied_or_cannot_be_approved_is_never_made() {
    let sent = Arc::new(AtomicU32::new(0));
    let denying = Person { answer: Approval::Denied(None), after: Duration::ZERO, asked: Arc::default() };
    let program = "return await tools.mail.send({ to: 'a' })";
    let denied = result(builder().tool(send(&sent)).approver(denying), program).await.expect_err("it is denied");
    assert_eq!(denied.code, Code::ApprovalDenied);
    let alone = result(builder().tool(send(&sent)), program).await.expect_err("there is no approver");
    assert_eq!(alone.code, Code::ApprovalRequired);
    assert_eq!(sent.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn nobody_is_asked_about_a_call_that_could_not_be_made_anyway() {
    let asked = Arc::default();
    let person = Person { answer: Approval::Approved, after: Duration::ZERO, asked: Arc::clone(&asked) };
    let builder = builder().tool(send(&Arc::default())).approver(person);
    let failure = result(builder, "return await tools.mail.send({ too: 'a' })").await.expect_err("it does not fit");
    assert_eq!(failure.code, Code::Check);
    assert!(failure.message.contains("is `too` meant to be it?"), "{}", failure.message);
    assert!(asked.lock().expect("no thread panicked").is_empty());
}

#[tokio::test]
async fn a_destructive_tool_needs_approval_unless_a_rule_allows_it() {
    let destructive = offered("drop").hints(ToolHints::default().destructive(true));
    let made = || async { catalogue(vec![Fake { name: "db", tools: vec![destructive.clone()] }], vec![]).await };
    let program = "return (await tools.db.drop())[1]";
    let failure = result(builder().catalogue(made().await), program).await.expect_err("there is no approver");
    assert_eq!(failure.code, Code::ApprovalRequired);
    let allowing = builder().catalogue(made().await).policy(Policy::new(vec![rule("db.*", Action::Allow)]));
    assert_eq!(result(allowing, program).await.expect("it is allowed"), json!("drop"));
}

#[tokio::test]
async fn only_servers_that_are_trusted_are_believed_that_a_call_can_be_made_twice() {
    let hints = |read_only, idempotent| ToolHints::default().read_only(read_only).idempotent(idempotent);
    for (hints, is_trusted, configured, expected) in [
        (hints(None, Some(true)), true, None, true),
        (hints(Some(true), None), true, None, true),
        (hints(Some(true), Some(true)), false, None, false),
        (hints(None, None), true, None, false),
        (hints(None, None), false, Some(true), true),
        (hints(None, Some(true)), true, Some(false), false),
    ] {
        let mut builder = Catalogue::builder();
        builder.settings("db.get", isobox::tools::ToolSettings::default().is_idempotent(configured));
        let connector: Arc<dyn Connector> = Arc::new(Fake { name: "db", tools: vec![] });
        let offer = Offer::default().tools(vec![offered("get").hints(hints)]);
        builder.connector(&connector, offer, &ConnectorSettings::default().is_trusted(is_trusted));
        let catalogue = builder.build();
        assert_eq!(
            catalogue.get("db.get").map(Tool::is_idempotent),
            Some(expected),
            "{hints:?} {is_trusted} {configured:?}"
        );
    }
}

#[tokio::test]
async fn a_tool_of_one_execution_shares_the_name_that_a_tool_of_a_connector_has_beside_its_path() {
    let made = catalogue(vec![Fake { name: "db", tools: vec![offered("delete")] }], vec![]).await;
    let names = |catalogue: &Catalogue| {
        let names = catalogue.get("db.delete_").expect("its name is no identifier").names();
        (names.others.contains(&"db.delete".to_owned()), names.shared.contains(&"db.delete".to_owned()))
    };
    assert_eq!(names(&made), (true, false));
    let own = Tool::new("db.delete", |_| async { Ok(json!(null)) }).expect("a tool");
    assert_eq!(names(&made.with_tools([own]).expect("its path is free")), (false, true));
    assert_eq!(names(&made), (true, false), "the catalogue of the runtime stays as it is");
}

#[test]
fn tools_of_one_execution_are_found_beside_those_of_the_runtime() {
    let tool =
        |path: &str| Tool::new(path, |_| async { Ok(json!(null)) }).expect("a tool").description("sends letters");
    let mut builder = Catalogue::builder();
    builder.tool(tool("mail.send")).expect("its path is free");
    let catalogue = builder.build();
    let more = catalogue.with_tools([tool("mail.print"), tool("client.show")]).expect("their paths are free");
    let policy = Policy::default();
    let found = |catalogue: &Catalogue| catalogue.search("letters", 10, &policy, &[]).total;
    assert_eq!((found(&catalogue), found(&more), more.len()), (1, 3, 3));
    assert_eq!(more.namespaces()["mail"].tools, 2);
    let taken = catalogue.with_tools([tool("mail.send")]).expect_err("its path is taken");
    assert_eq!(taken.code, Code::Config);
}
