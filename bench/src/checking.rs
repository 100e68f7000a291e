//! What checking a program costs, beside preparing it.

use std::cell::Cell;

use isobox::{Checks, Isobox, Program, Run, Tool, Value, json};
use serde_json::json as figures;

use crate::Effort;
use crate::executions::{completed, executor};
use crate::measure::{Times, ratio, times};

/// The maximum share of checking in the time of preparation.
const WANTED: f64 = 0.3;

/// Measures programs that are all different: preparing them, and preparing and checking them; starting them, which also compiles
/// them in the guest, without and with checks.
pub(crate) fn check(effort: Effort) -> Value {
    let turns = match effort {
        Effort::Full => 200,
        Effort::Quick => 2,
    };
    let (runtime, isobox) = (executor(1), isobox());
    let number = Cell::new(0);
    let next = || {
        number.set(number.get() + 1);
        Program::single(program(number.get()))
    };
    let (mut plain, mut checked) = (Times::default(), Times::default());
    for turn in 0..=turns {
        let prepared = times(10, || {
            runtime.block_on(isobox.prepare(&next())).expect("it is a program");
        });
        let surveyed = times(10, || {
            let findings = runtime.block_on(isobox.check(&next(), &[])).expect("it is a program");
            assert!(findings.is_empty(), "{findings:?}");
        });
        if turn > 0 {
            plain.extend(prepared);
            checked.extend(surveyed);
        }
    }
    let share = ratio(checked.median().saturating_sub(plain.median()), plain.median());
    let (mut started, mut started_checked) = (Times::default(), Times::default());
    let start = |checks: Checks| {
        number.set(number.get() + 1);
        let run = Run::from(format!("if (Date.now() > 0) return 0;\n{}", program(number.get()))).checks(checks);
        completed(runtime.block_on(isobox.run(run)));
    };
    for turn in 0..=turns {
        let (unchecked, checked) = (times(10, || start(Checks::Off)), times(10, || start(Checks::Errors)));
        if turn > 0 {
            started.extend(unchecked);
            started_checked.extend(checked);
        }
    }
    figures!({
        "prepared": plain.json(),
        "checked": checked.json(),
        "share": share,
        "started": started.json(),
        "startedChecked": started_checked.json(),
        "shareOfStart": ratio(started_checked.median().saturating_sub(started.median()), started.median()),
        "wanted": WANTED,
        "met": share <= WANTED,
    })
}

fn isobox() -> Isobox {
    let names = ["owner", "repo", "labels", "state", "title", "body", "number"];
    let properties: Value =
        names.iter().map(|name| ((*name).to_owned(), json!({}))).collect::<serde_json::Map<_, _>>().into();
    let schema =
        json!({ "type": "object", "properties": properties, "required": ["owner"], "additionalProperties": false });
    let tool = |path: &str| {
        let tool = Tool::new(path, |input| async move { Ok(input) }).expect("a path");
        tool.input_schema(schema.clone()).expect("a schema")
    };
    let paths = ["github.issues.list", "github.issues.create", "github.repos.get", "github.labels.add"];
    Isobox::builder().tools(paths.map(tool)).build().expect("a runtime")
}

/// Returns a program of forty lines with eight calls. No two texts are equal.
fn program(number: usize) -> String {
    format!(
        r#"// Report {number}: which issues are late, and who has to know.
interface Issue {{ number: number; title: string; labels: string[]; due?: string }}
type Totals = Record<string, {{ count: number; late: number }}>;

const owner: string = "acme-{number}";
const today = new Date("2026-03-01T00:00:00Z");

function totals(rows: readonly Issue[]): Totals {{
  const result: Totals = {{}};
  for (const row of rows) {{
    for (const label of row.labels ?? []) {{
      const entry = (result[label] ??= {{ count: 0, late: 0 }});
      entry.count += 1;
      if (row.due && new Date(row.due).getTime() < today.getTime()) entry.late += 1;
    }}
  }}
  return result;
}}

const repo = await tools.github.repos.get({{ owner, repo: "site" }});
const open = await tools.github.issues.list({{ owner, repo: "site", state: "open", labels: ["bug", "late"] }});
const closed = await tools.github.issues.list({{ owner, repo: "site", state: "closed" }});
const [mine, yours] = await Promise.all([
  tools.github.issues.list({{ owner: "me", repo: "site" }}),
  tools.github.issues.list({{ owner: "you", repo: "site" }}),
]);
const report = totals([...(open.items ?? []), ...(closed.items ?? [])]);
const worst = Object.entries(report).sort(([, a], [, b]) => b.late - a.late)[0];
let created: unknown = null;
try {{
  created = await tools.github.issues.create({{ owner, repo: "site", title: `Late: ${{worst?.[0]}}`, body: JSON.stringify(report) }});
}} catch (error) {{
  console.error("could not create the issue", error);
}}
for (const issue of open.items ?? []) {{
  if (issue.labels?.includes("late")) continue;
  await tools.github.labels.add({{ owner, repo: "site", number: issue.number, labels: ["late"] }});
}}
const again = await tools.github.repos.get({{ owner, repo: "site" }});
return {{ number: {number}, repo, again, created, mine: mine.items?.length ?? 0, yours: yours.items?.length ?? 0 }};"#
    )
}
