//! Calls that a loop of the host answers: in batches, in any order, and after a resume.

use std::time::Duration;

use isobox::journal::Verdict;
use isobox::stepwise::{CallQueue, QueuedCall, Stepped};
use isobox::store::memory_store;
use isobox::{Code, Decisions, Isobox, LoweredLimits, Outcome, Resume, Run, ToolError, Value, json};
use tokio::sync::oneshot;

fn isobox() -> Isobox {
    Isobox::builder().build().expect("a runtime")
}

/// Runs an execution to its end. Each batch of calls goes to `answer`; returns the inputs in batches as well.
async fn drive<F: Future + Unpin>(
    queue: &CallQueue,
    execution: &mut F,
    answer: impl Fn(&QueuedCall) -> Result<Value, ToolError>,
) -> (F::Output, Vec<Vec<Value>>) {
    let mut batches = Vec::new();
    loop {
        match queue.next(execution).await {
            Stepped::Calls(calls) => {
                batches.push(calls.iter().map(|queued| queued.call.input["n"].clone()).collect());
                // The last one first: the order of answers is the host's.
                for queued in calls.into_iter().rev() {
                    let result = answer(&queued);
                    queued.answer(result);
                }
            }
            Stepped::Done(done) => return (done, batches),
        }
    }
}

fn doubled(queued: &QueuedCall) -> Result<Value, ToolError> {
    Ok(json!(queued.call.input["n"].as_i64().map(|n| 2 * n)))
}

const THREE_AND_ONE: &str = "const f = tools.math.double;
    const all = await Promise.all([1, 2, 3].map((n) => f({ n })));
    return [...all, await f({ n: 9 })]";

#[tokio::test]
async fn a_batch_has_all_calls_that_the_program_made_before_it_waited() {
    let (isobox, queue) = (isobox(), CallQueue::new());
    let tool = queue.tool("math.double").expect("a tool");
    let mut execution = Box::pin(isobox.run(Run::from(THREE_AND_ONE).tool(tool)));
    let (outcome, batches) = drive(&queue, &mut execution, doubled).await;
    assert_eq!(outcome.into_result().expect("it completes"), json!([2, 4, 6, 18]));
    assert_eq!(batches, [vec![json!(1), json!(2), json!(3)], vec![json!(9)]]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_execution_with_a_handle_advances_on_its_own() {
    let queue = CallQueue::new();
    let isobox = Isobox::builder().tool(queue.tool("math.double").expect("a tool")).build().expect("a runtime");
    let mut handle = isobox.start(THREE_AND_ONE);
    let (outcome, batches) = drive(&queue, &mut handle, doubled).await;
    assert_eq!(outcome.into_result().expect("it completes"), json!([2, 4, 6, 18]));
    assert_eq!(batches.concat(), [1, 2, 3, 9].map(Value::from));
}

#[tokio::test]
async fn a_program_sees_the_failure_of_a_call_and_that_a_call_got_no_answer() {
    let (isobox, queue) = (isobox(), CallQueue::new());
    let tool = queue.tool("f").expect("a tool");
    let source = "const failure = async (n) => { try { await tools.f({ n }) } catch (error) { return error.message } };
        return Promise.all([failure(1), failure(2)])";
    let mut execution = Box::pin(isobox.run(Run::from(source).tool(tool)));
    let Stepped::Calls(calls) = queue.next(&mut execution).await else { panic!("the program calls") };
    let [first, second] = <[QueuedCall; 2]>::try_from(calls).expect("two calls");
    assert_eq!((first.path.as_str(), first.call.context.seq.to_string()), ("f", "0".to_owned()));
    first.answer(Err(ToolError::new("closed on Mondays")));
    drop(second);
    let (outcome, batches) = drive(&queue, &mut execution, |_| Ok(Value::Null)).await;
    assert!(batches.is_empty());
    let messages = outcome.into_result().expect("it completes");
    assert_eq!(messages, json!(["closed on Mondays", "the host gave no answer to the call"]));
}

#[tokio::test]
async fn limits_hold_and_calls_that_were_cancelled_are_not_given_to_the_host() {
    let (isobox, queue) = (isobox(), CallQueue::new());
    let tool = queue.tool("f").expect("a tool");
    let limits = LoweredLimits::default().timeout(Duration::from_millis(50));
    let run = Run::from("await tools.f({ n: 1 })").tool(tool.clone()).limits(limits);
    // The host never asks for the call.
    let outcome = isobox.run(run).await;
    assert_eq!(outcome.into_result().expect_err("it takes too long").code, Code::Timeout);
    let mut execution = Box::pin(isobox.run(Run::from("return tools.f({ n: 2 })").tool(tool)));
    let (outcome, batches) = drive(&queue, &mut execution, doubled).await;
    assert_eq!(outcome.into_result().expect("it completes"), json!(4));
    assert_eq!(batches, [vec![json!(2)]]);
}

#[tokio::test]
async fn an_execution_that_paused_is_resumed_step_by_step() {
    let queue = CallQueue::new();
    let tool = || queue.tool("math.double").expect("a tool").with_approval();
    let isobox = Isobox::builder().store(memory_store()).build().expect("a runtime");
    let mut execution = Box::pin(isobox.run(Run::from("return tools.math.double({ n: 4 })").durable().tool(tool())));
    let (outcome, batches) = drive(&queue, &mut execution, doubled).await;
    assert!(batches.is_empty(), "nothing is called before it is approved");
    let Outcome::Paused(paused) = outcome else { panic!("it does not pause: {outcome:?}") };
    let decisions = Decisions::about_all("ada", paused.revision, Verdict::Approve);
    isobox.decide(&paused.execution_id, decisions).await.expect("it waits for that");
    let resume = Resume::default().tool(tool());
    let mut execution = Box::pin(isobox.resume(&paused.execution_id, resume));
    let (resumed, batches) = drive(&queue, &mut execution, doubled).await;
    let outcome = resumed.expect("it is resumed").into_outcome().expect("no other process runs it");
    assert_eq!(outcome.into_result().expect("it completes"), json!(8));
    assert_eq!(batches, [vec![json!(4)]]);
}

#[tokio::test]
async fn a_loop_is_woken_although_another_one_that_shared_its_queue_has_ended() {
    let (isobox, queue) = (isobox(), CallQueue::new());
    let tool = queue.tool("math.double").expect("a tool");
    // Each loop waits for an execution that ends when the test says so.
    let started = |mut execution: oneshot::Receiver<()>| {
        let queue = queue.clone();
        tokio::spawn(async move { drive(&queue, &mut execution, doubled).await.1 })
    };
    let ((end_first, first), (end_second, second)) = (oneshot::channel(), oneshot::channel());
    let (first, second) = (started(first), started(second));
    tokio::task::yield_now().await;
    end_second.send(()).expect("it waits");
    assert!(second.await.expect("no panic").is_empty());
    let outcome = isobox.run(Run::from("return tools.math.double({ n: 4 })").tool(tool)).await;
    assert_eq!(outcome.into_result().expect("the first loop answers"), json!(8));
    end_first.send(()).expect("it waits");
    assert_eq!(first.await.expect("no panic"), [vec![json!(4)]]);
}
