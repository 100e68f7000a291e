//! A store that was restored from a backup makes no call by itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use isobox::journal::Verdict;
use isobox::store::Store;
use isobox::{
    CallSeq, Code, Decisions, Failure, Isobox, Outcome, PendingKind, Program, Resume, Resumed, Run, Tool, json,
};

/// Approves a call, restores the store before it is made, and checks that nothing happens without a person.
pub async fn check_restored(store: &Arc<dyn Store>) -> Result<(), String> {
    let made = Arc::new(AtomicU32::new(0));
    let isobox = runtime(store, &made).map_err(text)?;
    let run = Run::new(Program::single("return await tools.spec.count({})")).durable();
    let id = isobox.run(run).await.execution_id().clone();
    let about = |verdict| Decisions::new("ada", [(CallSeq::new(0), verdict)]);
    isobox.decide(&id, about(Verdict::Approve)).await.map_err(text)?;
    let marked = isobox.mark_restored("ada").await.map_err(text)?;
    if !marked.held.contains(&id) {
        return Err(format!("{id} is not held: {marked:?}"));
    }
    match isobox.resume(&id, Resume::default()).await {
        Err(failure) if failure.code == Code::Conflict => {}
        other => return Err(format!("it is not held: {other:?}")),
    }
    match isobox.resume(&id, Resume::default().restored("root")).await.map_err(text)? {
        Resumed::Here(outcome) => match *outcome {
            Outcome::Paused(paused) if paused.pending[0].kind == PendingKind::InDoubt => {}
            other => return Err(format!("its call is not in doubt: {other:?}")),
        },
        Resumed::Elsewhere => return Err("another process runs it".to_owned()),
    }
    isobox.decide(&id, about(Verdict::Happened(json!(5)))).await.map_err(text)?;
    let resumed = isobox.resume(&id, Resume::default()).await.map_err(text)?;
    let result = resumed.into_outcome().ok_or("another process runs it")?.into_result().map_err(text)?;
    match (result, made.load(Ordering::SeqCst)) {
        (result, 0) if result == json!(5) => Ok(()),
        other => Err(format!("the result and the number of calls are {other:?}")),
    }
}

fn runtime(store: &Arc<dyn Store>, made: &Arc<AtomicU32>) -> Result<Isobox, Failure> {
    let made = Arc::clone(made);
    let count = Tool::new("spec.count", move |_| {
        made.fetch_add(1, Ordering::SeqCst);
        async { Ok(json!(null)) }
    })?;
    Isobox::builder().store(Arc::clone(store)).tool(count.with_approval()).build()
}

fn text(failure: Failure) -> String {
    failure.to_string()
}
