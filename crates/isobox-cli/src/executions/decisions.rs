//! Parses decisions from JSON: one object per line, arrays, or both.

use anyhow::{Context, Result, bail, ensure};
use isobox::journal::CallDecision;
use isobox::journal::Verdict;
use isobox::{CallSeq, ExecutionId, Value};
use serde::{Deserialize, Deserializer};

/// The maximum number of decisions read at once.
const MOST: usize = 10_000;

/// The decisions about one execution.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) id: ExecutionId,
    pub(crate) calls: Vec<CallDecision>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Written {
    execution_id: String,
    seq: Seq,
    revision: u64,
    verdict: Word,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default, deserialize_with = "given")]
    value: Option<Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Seq {
    Number(u32),
    Text(String),
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Word {
    Approve,
    Deny,
    Answer,
    Happened,
    DidNotHappen,
    Fail,
}

/// Deserializes `null` as a given value rather than as `None`.
fn given<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Parses decisions and groups them by execution, in order of first mention. One invalid decision refuses all.
pub(crate) fn read_decisions(text: &str) -> Result<Vec<Group>> {
    let mut written = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        match value.context("the decisions are not JSON")? {
            Value::Array(several) => written.extend(several),
            one => written.push(one),
        }
    }
    ensure!(!written.is_empty(), "the input contains no decisions");
    ensure!(written.len() <= MOST, "the input contains {} decisions; the maximum is {MOST}", written.len());
    let mut groups: Vec<Group> = Vec::new();
    for (number, value) in (1..).zip(written) {
        let (id, call) =
            read(value).with_context(|| format!("decision {number} cannot be read; nothing was decided"))?;
        match groups.iter_mut().find(|group| group.id == id) {
            Some(group) => group.calls.push(call),
            None => groups.push(Group { id, calls: vec![call] }),
        }
    }
    Ok(groups)
}

fn read(value: Value) -> Result<(ExecutionId, CallDecision)> {
    let Written { execution_id, seq, revision, verdict, reason, value } = serde_json::from_value(value)?;
    let seq = match seq {
        Seq::Number(number) => CallSeq::new(number),
        Seq::Text(text) => text.parse()?,
    };
    let (verdict, reason) = match (verdict, value) {
        (Word::Approve, None) => (Verdict::Approve, reason),
        (Word::Deny, None) => (Verdict::Deny(reason), None),
        (Word::Fail, None) => (Verdict::Fail(reason), None),
        (Word::DidNotHappen, None) => (Verdict::DidNotHappen, reason),
        (Word::Answer, Some(value)) => (Verdict::Answer(value), reason),
        (Word::Happened, Some(value)) => (Verdict::Happened(value), reason),
        (Word::Answer | Word::Happened, None) => bail!("`answer` and `happened` need a `value`"),
        (Word::Approve | Word::Deny | Word::Fail | Word::DidNotHappen, Some(_)) => {
            bail!("only `answer` and `happened` have a `value`")
        }
    };
    Ok((execution_id.parse()?, CallDecision { seq, verdict, revision: Some(revision), reason }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u64) -> String {
        ExecutionId::new(number, 0).to_string()
    }

    fn line(number: u64, rest: &str) -> String {
        format!(r#"{{ "executionId": "{}", "revision": 2, {rest} }}"#, id(number))
    }

    #[test]
    fn lines_and_arrays_are_grouped_by_execution() {
        let text = format!(
            "{}\n[{}, {}]\n{}",
            line(1, r#""seq": "0", "verdict": "approve", "reason": "fine""#),
            line(2, r#""seq": 4, "verdict": "answer", "value": null"#),
            line(1, r#""seq": "1", "verdict": "deny", "reason": "no""#),
            line(2, r#""seq": "5", "verdict": "did-not-happen""#),
        );
        let groups = read_decisions(&text).expect("they are decisions");
        let told: Vec<String> =
            groups.iter().map(|group| format!("{} {:?}", group.id.as_str() == id(1), group.calls)).collect();
        insta::assert_snapshot!(told.join("\n"), @r#"
        true [CallDecision { seq: CallSeq(0), verdict: Approve, revision: Some(2), reason: Some("fine") }, CallDecision { seq: CallSeq(1), verdict: Deny(Some("no")), revision: Some(2), reason: None }]
        false [CallDecision { seq: CallSeq(4), verdict: Answer(Null), revision: Some(2), reason: None }, CallDecision { seq: CallSeq(5), verdict: DidNotHappen, revision: Some(2), reason: None }]
        "#);
    }

    #[test]
    fn one_that_cannot_be_read_refuses_all_and_says_which() {
        let good = line(1, r#""seq": "0", "verdict": "approve""#);
        for (bad, why) in [
            ("{}".to_owned(), "missing field `executionId`"),
            (line(1, r#""seq": "0", "verdict": "aprove""#), "unknown variant `aprove`"),
            (line(1, r#""seq": "0", "verdict": "approve", "resaon": "x""#), "unknown field `resaon`"),
            (line(1, r#""seq": "0", "verdict": "answer""#), "need a `value`"),
            (line(1, r#""seq": "0", "verdict": "approve", "value": 1"#), "only `answer` and `happened`"),
            (line(1, r#""seq": "x", "verdict": "approve""#), "x"),
            (r#"{ "executionId": "exec_1", "seq": 0, "revision": 1, "verdict": "approve" }"#.to_owned(), "exec_1"),
        ] {
            let error = format!("{:#}", read_decisions(&format!("{good}\n{bad}")).expect_err(why));
            assert!(
                error.starts_with("decision 2 cannot be read; nothing was decided: ") && error.contains(why),
                "{error}"
            );
        }
        assert!(read_decisions("").is_err() && read_decisions("[]").is_err() && read_decisions("{").is_err());
    }
}
