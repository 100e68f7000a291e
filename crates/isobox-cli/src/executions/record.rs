//! Everything that is known of an execution, as JSON, but for what the policy redacts.

use std::collections::HashMap;

use isobox::journal::{Asked, Entry, Said, Settlement, Verdict, Wanted};
use isobox::policy::Policy;
use isobox::{CallSeq, ExecutionId, Inspected, Value, json};

/// The record of an execution, to which people have said something that nobody has heard yet.
pub(crate) fn record(id: &ExecutionId, inspected: &Inspected, said: &[Said], policy: &Policy) -> Value {
    let beginning = &inspected.beginning;
    let mut paths = HashMap::new();
    // What is redacted may stand in the program as well.
    let program = if policy.redacts() { beginning.program.without_literals() } else { beginning.program.clone() };
    let entries: Vec<Value> = inspected.entries.iter().map(|entry| entry_of(entry, &mut paths, policy)).collect();
    json!({
        "executionId": id,
        "created": beginning.created,
        "owner": beginning.owner,
        "function": beginning.function,
        "session": beginning.session,
        "roles": beginning.roles,
        "program": program,
        "image": beginning.image,
        "limits": beginning.limits,
        "seed": beginning.seed,
        "isHeld": inspected.is_held,
        "isDecided": !said.is_empty(),
        "revision": inspected.standing.revision,
        "outcome": inspected.outcome(id, policy),
        "entries": entries,
    })
}

/// One entry, without what must not be shown of the calls in it.
fn entry_of(entry: &Entry, paths: &mut HashMap<CallSeq, String>, policy: &Policy) -> Value {
    let mut shown = serde_json::to_value(entry).unwrap_or_default();
    match entry {
        Entry::Step(step) => {
            for (index, Asked { seq, what, .. }) in step.calls.iter().enumerate() {
                let Wanted::Tool { path, .. } = what else { continue };
                paths.insert(*seq, path.clone());
                redact(&mut shown, &format!("/step/calls/{index}/what/tool/input"), path, policy);
            }
        }
        Entry::Settled(settled) => {
            if let (Settlement::Result(_), Some(path)) = (&settled.settlement, paths.get(&settled.seq)) {
                redact(&mut shown, "/settled/settlement/result", path, policy);
            }
        }
        Entry::Decided(decided) => {
            let decision = &decided.decision;
            match (&decision.verdict, paths.get(&decision.seq)) {
                (Verdict::Happened(_), Some(path)) => {
                    redact(&mut shown, "/decided/decision/verdict/happened", path, policy);
                }
                // A login, say: the tool gets it, and nobody else.
                (Verdict::Answer(_), _) => {
                    shown["decided"]["decision"]["verdict"]["answer"] = Value::String("[hidden]".to_owned());
                }
                _ => {}
            }
        }
        Entry::Asked(asked) => {
            if let Some(path) = paths.get(&asked.seq) {
                redact(&mut shown, "/asked/input", path, policy);
            }
        }
        Entry::Started(_) | Entry::Paused(_) | Entry::Resumed(_) | Entry::Ended(_) => {}
    }
    shown
}

fn redact(entry: &mut Value, pointer: &str, path: &str, policy: &Policy) {
    if let Some(value) = entry.pointer_mut(pointer) {
        *value = policy.redacted(path, value);
    }
}
