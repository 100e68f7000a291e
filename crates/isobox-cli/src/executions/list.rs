//! The list of executions, as a table and as JSON.

use isobox::store::{Listed, Page, State, Unreadable};
use isobox::text::brief;
use isobox::{ExecutionId, PendingKind, Timestamp, Value, json};

use crate::executions::find::short;
use crate::executions::moment::rough;
use crate::style::{Colours, Look};

/// The maximum number of characters shown of the path of a pending call.
const PATH: usize = 40;

/// A readable or an unreadable row.
enum Row<'p> {
    Listed(&'p Listed),
    Unreadable(&'p Unreadable),
}

impl Row<'_> {
    fn id(&self) -> &str {
        match self {
            Self::Listed(listed) => listed.id.as_str(),
            Self::Unreadable(row) => &row.id,
        }
    }
}

/// The index of the column with the status.
const STATUS: usize = 1;
/// The minimum width of the last two columns with texts of programs.
const NARROW: usize = 12;

/// Draws one line per execution below a header line. The texts of programs are cut to the width of the terminal.
pub(crate) fn draw(page: &Page, now: Timestamp, width: usize, colours: Colours) -> String {
    let mut rows = vec![["EXECUTION", "STATUS", "CALLS", "AGE", "PROGRAM", "PENDING"].map(str::to_owned)];
    rows.extend(in_order(page).iter().map(|row| match row {
        Row::Listed(listed) => cells(listed, now),
        Row::Unreadable(row) => {
            let [calls, age, program, pending] = <[String; 4]>::default();
            [brief(&row.id, 24), State::Unreadable.to_string(), calls, age, program, pending]
        }
    }));
    let widest = |rows: &[[String; 6]], column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let fixed: usize = (0..4).map(|column| widest(&rows, column) + 2).sum();
    let mut room = width.saturating_sub(fixed);
    for column in 4..6 {
        let share = if column == 4 { room / 2 } else { room };
        for row in &mut rows {
            // The ellipsis comes on top.
            row[column] = brief(&row[column], share.max(NARROW) - 1);
        }
        room = room.saturating_sub(widest(&rows, column) + 2);
    }
    let widths: [usize; 6] = std::array::from_fn(|column| widest(&rows, column));
    let line = |(index, row): (usize, &[String; 6])| {
        let cell = |(column, cell): (usize, &String)| {
            let padded = format!("{cell:width$}", width = widths[column]);
            match () {
                () if index == 0 => colours.paint(Look::Faint, &padded),
                () if column == STATUS => look_of(cell).map_or(padded.clone(), |look| colours.paint(look, &padded)),
                () => padded,
            }
        };
        row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the look of a status: what needs a person stands out.
pub(crate) fn look_of(status: &str) -> Option<Look> {
    match status.split(' ').next() {
        Some("paused" | "decided" | "orphaned") => Some(Look::Warning),
        Some("failed" | "unreadable") => Some(Look::Error),
        Some("running") => Some(Look::Strong),
        _ => None,
    }
}

fn cells(listed: &Listed, now: Timestamp) -> [String; 6] {
    let Listed { id, created, head, .. } = listed;
    let code = head.code.map(|code| format!(" {code}")).unwrap_or_default();
    [
        short(id),
        format!("{}{code}", listed.state()),
        head.calls.to_string(),
        rough(now.0.saturating_sub(created.0)),
        head.function.as_deref().map(|function| brief(function, 40)).unwrap_or_default(),
        pending(listed),
    ]
}

/// Formats the first pending call and the number of further ones.
fn pending(listed: &Listed) -> String {
    let count = listed.head.pending;
    match listed.head.pending_calls.first() {
        None if count == 0 => String::new(),
        // The head was written before it listed pending calls.
        None => count.to_string(),
        Some(call) => {
            let more = if count > 1 { format!(" +{}", count - 1) } else { String::new() };
            format!("{} ({}){more}", brief(&call.path, PATH), kind(call.kind))
        }
    }
}

/// Names the kind of a pending call.
pub(crate) fn kind(kind: PendingKind) -> &'static str {
    match kind {
        PendingKind::Approval => "approval",
        PendingKind::Interrupt => "interrupt",
        PendingKind::InDoubt => "in doubt",
        _ => "pending",
    }
}

/// Returns the list as JSON. `next` is the cursor of the next page.
pub(crate) fn record(page: &Page) -> Value {
    let rows: Vec<Value> = in_order(page)
        .iter()
        .map(|row| match row {
            Row::Listed(listed) => json!(listed),
            Row::Unreadable(row) => json!(row),
        })
        .collect();
    json!({ "executions": rows, "truncated": page.next.is_some(), "next": page.next })
}

/// Returns the executions that only need a process to resume them.
pub(crate) fn to_resume(page: &Page) -> Vec<(&ExecutionId, State)> {
    let states = page.executions.iter().map(|listed| (&listed.id, listed.state()));
    states.filter(|(_, state)| matches!(state, State::Decided | State::Orphaned)).collect()
}

fn in_order(page: &Page) -> Vec<Row<'_>> {
    let unreadable = page.unreadable.iter().map(Row::Unreadable);
    let mut rows: Vec<Row<'_>> = page.executions.iter().map(Row::Listed).chain(unreadable).collect();
    rows.sort_by(|one, other| other.id().cmp(one.id()));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox::Code;
    use isobox::store::Head;
    use isobox::store::{PendingSummary, Status};

    fn listed(status: Status, created: u64, calls: u32, pending: u32, is_held: bool) -> Listed {
        Listed {
            id: ExecutionId::new(created, u128::from(created)),
            created: Timestamp(created),
            head: Head {
                status,
                revision: 0,
                pending,
                pending_calls: Vec::new(),
                calls,
                updated: Timestamp(created),
                function: Some("tour.ts".to_owned()),
                code: (status == Status::Failed).then_some(Code::Timeout),
            },
            is_held,
            messages: 0,
        }
    }

    fn page() -> Page {
        let mut paused = listed(Status::Paused, 1_763_213_400_000, 12, 3, false);
        paused.head.pending_calls = vec![PendingSummary {
            seq: isobox::CallSeq::new(9),
            path: "mail.send".to_owned(),
            kind: PendingKind::Approval,
        }];
        let mut decided = listed(Status::Paused, 1_763_213_350_000, 12, 2, false);
        decided.messages = 1;
        let executions = vec![
            paused,
            decided,
            listed(Status::Running, 1_763_213_300_000, 3, 0, true),
            listed(Status::Running, 1_763_210_000_000, 256, 0, false),
            listed(Status::Failed, 1_763_113_400_000, 0, 0, false),
            listed(Status::Completed, 1_753_213_400_000, 1, 0, false),
        ];
        let unreadable =
            vec![Unreadable { id: "exec_019a87b3d130\u{1b}".to_owned(), reason: "its head cannot be read".to_owned() }];
        Page { executions, unreadable, next: None }
    }

    #[test]
    fn the_list_is_a_table() {
        insta::assert_snapshot!(draw(&page(), Timestamp(1_763_213_405_000), 100, Colours::Off), @r"
        EXECUTION                STATUS          CALLS  AGE   PROGRAM  PENDING
        exec_87b557c0            paused          12     5s    tour.ts  mail.send (approval) +2
        exec_87b49470            decided         12     55s   tour.ts  2
        exec_019a87b3d130\u{1b}  unreadable
        exec_87b3d120            running         3      1m    tour.ts
        exec_87817680            orphaned        256    56m   tour.ts
        exec_81bf76c0            failed TIMEOUT  0      1d    tour.ts
        exec_33a973c0            completed       1      115d  tour.ts
        ");
    }

    #[test]
    fn the_table_fits_the_terminal_and_shows_what_needs_a_person() {
        for width in [80, 100, 200] {
            let text = draw(&page(), Timestamp(1_763_213_405_000), width, Colours::Off);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{width}\n{text}");
        }
        let text = draw(&page(), Timestamp(1_763_213_405_000), 100, Colours::On);
        assert!(text.contains("\u{1b}[33mpaused") && text.contains("\u{1b}[1;31mfailed TIMEOUT"), "{text}");
    }

    #[test]
    fn json_and_text_say_the_same_state() {
        let record = record(&page());
        let states: Vec<&str> = record["executions"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|row| row["status"].as_str().expect("a word"))
            .collect();
        assert_eq!(states, ["paused", "decided", "unreadable", "running", "orphaned", "failed", "completed"]);
        assert_eq!(
            record["executions"][0]["pendingCalls"],
            json!([{ "seq": "9", "path": "mail.send", "kind": "approval" }])
        );
        assert_eq!((&record["truncated"], &record["next"]), (&json!(false), &Value::Null));
    }
}
