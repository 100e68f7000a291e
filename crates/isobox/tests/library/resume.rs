//! A configured runtime stores executions as configured, and resuming returns their outcomes.

use std::num::NonZeroU32;
use std::path::PathBuf;

use isobox::config::Config;
use isobox::journal::{Entry, Verdict};
use isobox::store::Filter;
use isobox::store::memory_store;
use isobox::workspace::{Workspace, WorkspaceOptions};
use isobox::{
    CallSeq, CancellationToken, Code, ConflictKind, Decisions, ExecutionId, Isobox, Outcome, PendingKind, Region, Run,
    demo, json,
};
use isobox::{Resume, Resumed};

const ASKS: &str = r#"{ "policy": [{ "tools": "mail.*", "require": "approval" }] }"#;
const SENDS: &str = "return (await tools.mail.send({ to: 'ada', subject: 'hi' })).to";

struct Folder(PathBuf);

impl Folder {
    fn with(name: &str, config: &str) -> Self {
        let folder = Self(std::env::temp_dir().join(format!("isobox-resume-{name}-{}", std::process::id())));
        std::fs::create_dir_all(&folder.0).expect("a folder");
        std::fs::write(folder.0.join("isobox.json"), config).expect("written");
        folder
    }

    /// Creates a workspace, as another process would.
    fn workspace(&self) -> Workspace {
        let config = Config::read(&self.0.join("isobox.json"), &|_| None).expect("it is read");
        Workspace::with_tools(config, few(), demo::tools).expect("a workspace")
    }

    fn has_store(&self) -> bool {
        self.0.join(".isobox").exists()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).expect("removed");
    }
}

/// Limits live executions: many workspaces exist at the same time, and each reserves address space.
fn few() -> WorkspaceOptions {
    WorkspaceOptions::default().max_live(NonZeroU32::new(2))
}

async fn reported(isobox: &Isobox, id: &ExecutionId) -> Outcome {
    match isobox
        .resume(id, Resume::default().only_if_decided().abandoned_by(CancellationToken::new()))
        .await
        .expect("it is kept")
    {
        Resumed::Here(outcome) => *outcome,
        Resumed::Elsewhere => panic!("no other process runs it"),
    }
}

async fn length(isobox: &Isobox, id: &ExecutionId) -> usize {
    isobox.inspect(id).await.expect("it is kept").entries.len()
}

#[tokio::test]
async fn the_store_is_opened_when_something_is_to_be_kept_and_not_before() {
    let folder = Folder::with("opened", ASKS);
    let workspace = folder.workspace();
    let ready = workspace.ready().await.expect("it starts").isobox;
    assert!(!ready.keeps_executions() && !folder.has_store());
    let failure = ready.run(Run::from(SENDS)).await.into_result().expect_err("there is no approver");
    assert_eq!(failure.code, Code::ApprovalRequired);
    let durable = workspace.durable().await.expect("the store opens").isobox;
    assert!(durable.keeps_executions() && folder.has_store());

    let none = Folder::with("none", r#"{ "store": "none" }"#);
    assert!(!none.workspace().durable().await.expect("it starts").isobox.keeps_executions());
    assert!(!none.workspace().archive().await.expect("it starts").keeps_executions());
    let config = Config::parse("{}", &|_| None).expect("it is read");
    let own = few().store(memory_store());
    let workspace = Workspace::new(config, own).expect("a workspace");
    assert!(
        workspace
            .archive()
            .await
            .expect("it starts")
            .executions(Filter::newest(1))
            .await
            .expect("a list")
            .executions
            .is_empty()
    );
    assert!(!std::path::Path::new(".isobox").exists(), "the host's own store stands in for it");
}

#[tokio::test]
async fn a_store_that_cannot_be_opened_fails_and_may_work_later() {
    let folder = Folder::with("later", ASKS);
    std::fs::write(folder.0.join(".isobox"), "in the way").expect("written");
    let workspace = folder.workspace();
    for _ in 0..2 {
        assert_eq!(workspace.archive().await.err().expect("there is a file").code, Code::Store);
    }
    std::fs::remove_file(folder.0.join(".isobox")).expect("removed");
    workspace.archive().await.expect("nothing is in the way any more");
}

#[tokio::test]
async fn an_execution_is_reported_and_resumed_only_where_something_was_decided() {
    let folder = Folder::with("reported", ASKS);
    let isobox = folder.workspace().durable().await.expect("the store opens").isobox;
    let Outcome::Paused(paused) = isobox.run(Run::from(SENDS).durable()).await else { panic!("it asks") };
    let id = &paused.execution_id;

    let elsewhere = folder.workspace();
    let archive = elsewhere.archive().await.expect("the store opens");
    let before = length(&archive, id).await;
    assert_eq!(reported(&isobox, id).await, Outcome::Paused(paused.clone()));
    assert_eq!(length(&archive, id).await, before, "there is no decision");
    archive.decide(id, Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)])).await.expect("it waits for that");
    let done = reported(&isobox, id).await;
    assert_eq!(done.clone().into_result().expect("it completes"), json!("ada"));
    let after = length(&archive, id).await;
    assert_eq!(reported(&archive, id).await, done, "for every process");
    assert_eq!(length(&archive, id).await, after);

    let unknown = isobox.resume(&ExecutionId::new(1, 2), Resume::default().only_if_decided()).await;
    assert_eq!(unknown.expect_err("there is none").code, Code::NotFound);
}

#[tokio::test]
async fn a_resume_may_be_abandoned_and_an_execution_that_runs_elsewhere_is_left_there() {
    let folder = Folder::with("runs", r#"{ "policy": [{ "tools": "demo.wait", "require": "approval" }] }"#);
    let isobox = folder.workspace().durable().await.expect("the store opens").isobox;
    let waits = Run::from("return await tools.demo.wait({ ms: 600000 })").durable();
    let Outcome::Paused(paused) = isobox.run(waits).await else { panic!("it asks") };
    let id = paused.execution_id.clone();
    isobox.decide(&id, Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)])).await.expect("it waits for that");
    let token = CancellationToken::new();
    let running = tokio::spawn({
        let (isobox, id, token) = (isobox.clone(), id.clone(), token.clone());
        async move { isobox.resume(&id, Resume::default().only_if_decided().abandoned_by(token.clone())).await }
    });
    let archive = folder.workspace().archive().await.expect("the store opens");
    let inspect = || async { archive.inspect(&id).await.expect("it is kept") };
    while !matches!(inspect().await.entries.last(), Some(Entry::Started(_))) {
        tokio::task::yield_now().await;
    }
    let other = archive
        .resume(&id, Resume::default().only_if_decided().abandoned_by(CancellationToken::new()))
        .await
        .expect("it is kept");
    assert!(matches!(other, Resumed::Elsewhere), "{other:?}");
    token.cancel();
    let given_up = running.await.expect("no panic").expect_err("it was given up");
    assert_eq!(given_up.code, Code::Aborted);
    assert!(given_up.message.contains("can be resumed"), "{given_up}");
    while inspect().await.is_held {
        tokio::task::yield_now().await;
    }
    let Outcome::Paused(paused) = reported(&archive, &id).await else { panic!("it is not over") };
    assert_eq!(paused.pending[0].kind, PendingKind::InDoubt, "it was in the middle of its call");

    // Decides about the call in doubt.
    let says = |verdict| isobox.decide(&id, Decisions::new("ada", [(CallSeq::new(0), verdict)]));
    let early = says(Verdict::DidNotHappen).await.expect_err("it may still happen");
    assert_eq!(early.conflict_kind(), Some(ConflictKind::TooEarly));
    assert!(early.message.contains("may still take effect") && early.hint.is_some(), "{early}");
    says(Verdict::Happened(json!(7))).await.expect("it waits for that");
    let token = CancellationToken::new();
    token.cancel();
    let nobody = isobox
        .resume(&id, Resume::default().only_if_decided().abandoned_by(token.clone()))
        .await
        .expect_err("the caller stopped waiting");
    assert_eq!(nobody.code, Code::Aborted);
    let Resumed::Here(outcome) =
        isobox.resume(&id, Resume::default().cancelled_by(token.clone())).await.expect("it is kept")
    else {
        panic!("no other process runs it")
    };
    assert_eq!(outcome.into_result().expect_err("it was ended").code, Code::Aborted);
}

#[tokio::test]
async fn a_program_keeps_the_locale_and_the_time_zone_that_it_was_started_with() {
    let asks = |zone: &str| ASKS.replacen('{', &format!("{{ \"timeZone\": \"{zone}\","), 1);
    let folder = Folder::with("region", &asks("Europe/Berlin"));
    let isobox = folder.workspace().durable().await.expect("the store opens").isobox;
    let program = "await tools.mail.send({ to: 'ada', subject: 'hi' }); return new Date(0).getHours()";
    let Outcome::Paused(paused) = isobox.run(Run::from(program).durable()).await else { panic!("it asks") };
    let id = &paused.execution_id;
    std::fs::write(folder.0.join("isobox.json"), asks("Asia/Tokyo")).expect("written");
    let elsewhere = folder.workspace().durable().await.expect("the store opens").isobox;
    let approved = Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)]);
    elsewhere.decide(id, approved).await.expect("it waits for that");
    assert_eq!(reported(&elsewhere, id).await.into_result().expect("it completes"), json!(1));

    let region = |region: Region| isobox.run(Run::from("return new Date(0).getHours()").region(region));
    let own = region(Region::default().time_zone("Asia/Tokyo")).await;
    assert_eq!(own.into_result().expect("it completes"), json!(9));
    let unknown = region(Region::default().locale("not a tag")).await;
    assert_eq!(unknown.into_result().expect_err("there is no such locale").code, Code::Config);
}
