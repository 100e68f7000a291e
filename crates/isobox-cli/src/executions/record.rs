//! The complete record of an execution as JSON, except for what the policy redacts.

use std::collections::{BTreeMap, HashMap};

use isobox::journal::Inspected;
use isobox::journal::{Asked, Entry, Instruction, Settlement, Verdict, Wanted};
use isobox::policy::{Policy, ToolNames};
use isobox::{CallSeq, ExecutionId, Limits, Program, Value, json};

use crate::outcome::name_files;
use crate::source::Source;

/// Returns the record of an execution. `said` are the instructions that no process has applied yet.
pub(crate) fn record(
    id: &ExecutionId,
    inspected: &Inspected,
    program: &Program,
    said: &[Instruction],
    policy: &Policy,
) -> Value {
    let beginning = &inspected.beginning;
    let mut tools = HashMap::new();
    let mut outcome = json!(inspected.outcome(id, policy));
    name_files(&mut outcome, &Source::of(program.clone(), beginning.function.clone()));
    let entries: Vec<Value> = inspected.entries.iter().map(|entry| entry_of(entry, &mut tools, policy)).collect();
    json!({
        "executionId": id,
        "created": beginning.created,
        "owner": beginning.owner,
        "function": beginning.function,
        "session": beginning.session,
        "globals": beginning.globals.as_ref().map(|used| json!({ "version": used.version, "hash": used.hash })),
        "roles": beginning.roles,
        "program": program,
        "image": beginning.image,
        "forkedFrom": beginning.forked_from,
        "limits": limits_of(beginning.limits.as_ref()),
        // As text: JavaScript reads numbers of this size inexactly.
        "seed": beginning.seed.to_string(),
        "isHeld": inspected.is_held,
        "isDecided": !said.is_empty(),
        "status": inspected.state(said.len()),
        "revision": inspected.state.revision,
        "outcome": outcome,
        "entries": entries,
    })
}

/// Returns the limits with durations in milliseconds, like all durations in JSON.
fn limits_of(limits: &Limits) -> Value {
    let mut shown = serde_json::to_value(limits).unwrap_or_default();
    if let Some(limits_shown) = shown.as_object_mut() {
        let durations = [
            ("timeout", limits.timeout),
            ("cpu", limits.cpu),
            ("settle", limits.settle),
            ("lifetime", limits.lifetime),
        ];
        for (key, duration) in durations {
            limits_shown.remove(key);
            let milliseconds = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
            limits_shown.insert(format!("{key}Ms"), milliseconds.into());
        }
    }
    shown
}

/// Returns the inputs of all calls, except for what the policy redacts.
pub(crate) fn inputs(entries: &[Entry], policy: &Policy) -> BTreeMap<CallSeq, Value> {
    let steps = entries.iter().filter_map(|entry| match entry {
        Entry::Step(step) => Some(step),
        _ => None,
    });
    let input = |asked: &Asked| {
        let Wanted::Tool { input, .. } = &asked.what else { return None };
        let input = serde_json::from_str(input.get()).unwrap_or_default();
        Some((asked.seq, policy.redacted(asked.names()?, &input)))
    };
    steps.flat_map(|step| &step.calls).filter_map(input).collect()
}

/// Returns one journal entry with redacted call data.
fn entry_of<'e>(entry: &'e Entry, tools: &mut HashMap<CallSeq, ToolNames<'e>>, policy: &Policy) -> Value {
    let mut shown = serde_json::to_value(entry).unwrap_or_default();
    match entry {
        Entry::Step(step) => {
            for (index, asked) in step.calls.iter().enumerate() {
                let Some(names) = asked.names() else { continue };
                tools.insert(asked.seq, names);
                redact(&mut shown, &format!("/step/calls/{index}/what/tool/input"), names, policy);
            }
        }
        Entry::Settled(settled) => match (&settled.settlement, tools.get(&settled.seq)) {
            (Settlement::Result(_), Some(names)) => redact(&mut shown, "/settled/settlement/result", *names, policy),
            (Settlement::Snippet(_), Some(names)) => {
                redact_start(&mut shown["settled"]["settlement"]["snippet"], *names, policy);
            }
            _ => {}
        },
        Entry::Decided(decided) => {
            let decision = &decided.decision;
            match (&decision.verdict, tools.get(&decision.seq)) {
                (Verdict::Happened(_), Some(names)) => {
                    redact(&mut shown, "/decided/decision/verdict/happened", *names, policy);
                }
                // The answer may be a login, which only the tool may see.
                (Verdict::Answer(_), _) => {
                    shown["decided"]["decision"]["verdict"]["answer"] = Value::String("[hidden]".to_owned());
                }
                _ => {}
            }
        }
        Entry::Asked(asked) => {
            if let Some(names) = tools.get(&asked.seq) {
                redact(&mut shown, "/asked/input", *names, policy);
                if let Some(payload) = shown.pointer_mut("/asked/question/interrupt/payload") {
                    *payload = policy.redacted_payload(*names, payload);
                }
            }
        }
        Entry::Started(started) => {
            if let Some(names) = tools.get(&started.seq) {
                redact(&mut shown, "/started/input", *names, policy);
            }
        }
        // A note may name the work elsewhere in a way that gives access to it.
        Entry::Noted(_) => shown["noted"]["note"] = Value::String("[hidden]".to_owned()),
        Entry::Paused(_) | Entry::Resumed(_) | Entry::Ended(_) | Entry::Rollback(_) => {}
    }
    with_units(entry, &mut shown);
    shown
}

/// Gives the durations of an entry the unit and the names of all durations in JSON. The stored form has other ones.
fn with_units(entry: &Entry, shown: &mut Value) {
    let used = |wall: u64, cpu: u64| json!({ "wallMs": wall, "cpuMs": cpu as f64 / 1000.0 });
    match entry {
        Entry::Step(step) => {
            shown["step"]["used"] = used(step.used.wall, step.used.cpu);
            for (index, asked) in step.calls.iter().enumerate() {
                if let Wanted::Timer(_) = asked.what {
                    shown["step"]["calls"][index]["what"] = request_of(&asked.what);
                }
            }
        }
        Entry::Paused(pause) => shown["paused"]["used"] = used(pause.used.wall, pause.used.cpu),
        Entry::Settled(settled) => rename(&mut shown["settled"], "took", settled.took),
        Entry::Ended(ended) => rename(&mut shown["ended"], "duration", ended.duration),
        Entry::Started(_)
        | Entry::Noted(_)
        | Entry::Asked(_)
        | Entry::Decided(_)
        | Entry::Resumed(_)
        | Entry::Rollback(_) => {}
    }
}

fn rename(entry: &mut Value, stored: &str, milliseconds: u64) {
    if let Some(members) = entry.as_object_mut() {
        members.remove(stored);
        members.insert("durationMs".to_owned(), milliseconds.into());
    }
}

/// Returns the request of a program, with the unit of a timer.
pub(crate) fn request_of(what: &Wanted) -> Value {
    match what {
        Wanted::Tool { .. } => json!(what),
        Wanted::Timer(delay) => json!({ "timerMs": delay }),
    }
}

fn redact(entry: &mut Value, pointer: &str, names: ToolNames<'_>, policy: &Policy) {
    if let Some(value) = entry.pointer_mut(pointer) {
        *value = policy.redacted(names, value);
    }
}

/// Redacts the start of a snippet: its input, as the second argument of the call that runs it, and its code, which may contain
/// the same values as literals.
fn redact_start(started: &mut Value, names: ToolNames<'_>, policy: &Policy) {
    if let Some(members) = started.as_object_mut().filter(|_| policy.redacts()) {
        members.remove("code");
    }
    if let Some(input) = started.get_mut("input") {
        let mut arguments = policy.redacted(names, &json!([null, input.take()]));
        *input = arguments.get_mut(1).map(Value::take).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use isobox::policy::{Action, Rule};
    use isobox::snippets::RUN;

    use super::*;

    #[test]
    fn the_durations_of_entries_have_a_unit() {
        let shown = |stored: Value| {
            let entry: Entry = serde_json::from_value(stored).expect("an entry");
            entry_of(&entry, &mut HashMap::new(), &Policy::default())
        };
        let calls = json!([{ "seq": "0", "what": { "timer": 500 } }]);
        let step = json!({ "step": { "clock": 1, "calls": calls, "used": { "wall": 7, "cpu": 2300 } } });
        let step = shown(step)["step"].clone();
        assert_eq!(step["used"], json!({ "wallMs": 7, "cpuMs": 2.3 }));
        assert_eq!(step["calls"][0]["what"], json!({ "timerMs": 500 }));
        let settled = shown(json!({ "settled": { "seq": "0", "settlement": { "result": 1 }, "took": 80 } }));
        assert_eq!(settled["settled"], json!({ "seq": "0", "settlement": { "result": 1 }, "durationMs": 80 }));
        let paused = shown(json!({ "paused": { "at": 3, "used": { "wall": 490, "cpu": 1000 } } }));
        assert_eq!(paused["paused"]["used"], json!({ "wallMs": 490, "cpuMs": 1.0 }));
        let ended = shown(json!({ "ended": { "how": { "completed": 1 }, "duration": 800, "at": 9 } }));
        assert_eq!(ended["ended"], json!({ "how": { "completed": 1 }, "at": 9, "durationMs": 800 }));
    }

    #[test]
    fn the_start_of_a_snippet_is_shown_without_redacted_input_and_without_code() {
        let pattern = RUN.parse().expect("a pattern");
        let redacting = Policy::new(vec![Rule::new(vec![pattern], Action::Redact(vec!["/input/pin".to_owned()]))]);
        let started = json!({ "name": "a", "code": { "program": "return 4711" }, "input": { "pin": 1, "b": 2 } });
        let mut shown = started.clone();
        redact_start(&mut shown, RUN.into(), &redacting);
        assert_eq!(shown, json!({ "name": "a", "input": { "pin": "[redacted]", "b": 2 } }));
        let mut shown = started.clone();
        redact_start(&mut shown, RUN.into(), &Policy::default());
        assert_eq!(shown, started);
    }
}
