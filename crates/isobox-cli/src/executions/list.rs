//! The list of executions, as a table and as JSON.

use isobox::store::{Listed, Page, State, Unreadable};
use isobox::text::brief;
use isobox::{ExecutionId, PendingKind, Timestamp, Value, json};

use crate::executions::find::short;
use crate::executions::moment::rough;
use crate::rows::{cut, padded, width_of};
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

/// The columns that the table shows of each execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// As much as fits the terminal. The owner is shown if the executions have different ones.
    Fitting {
        /// The width of the terminal.
        width: usize,
    },
    /// Everything, at any width.
    Wide,
}

/// The number of columns before those with texts of programs.
const FIXED: usize = 5;
/// The index of the column with the status.
const STATUS: usize = 1;
/// The index of the column with the owner.
const OWNER: usize = 4;
/// The minimum width of the last two columns with texts of programs.
const NARROW: usize = 12;
/// The maximum number of columns for the name of an owner where the table has to fit.
const LONGEST_OWNER: usize = 15;

/// One line of the table. A header has no state.
struct Line {
    state: Option<State>,
    cells: [String; 7],
}

/// Draws one line per execution below a header line.
pub(crate) fn draw(page: &Page, now: Timestamp, detail: Detail, colours: Colours) -> String {
    let header = ["EXECUTION", "STATUS", "CALLS", "AGE", "OWNER", "PROGRAM", "PENDING"].map(str::to_owned);
    let mut lines = vec![Line { state: None, cells: header }];
    lines.extend(in_order(page).iter().map(|row| match row {
        Row::Listed(listed) => Line { state: Some(listed.state()), cells: cells(listed, now, detail) },
        Row::Unreadable(row) => {
            let [calls, age, owner, program, pending] = <[String; 5]>::default();
            let state = State::Unreadable;
            let cells = [cut(&brief(&row.id, 24), 25), state.to_string(), calls, age, owner, program, pending];
            Line { state: Some(state), cells }
        }
    }));
    let shows_owner = detail == Detail::Wide || has_several_owners(page);
    let columns: Vec<usize> = (0..7).filter(|column| *column != OWNER || shows_owner).collect();
    if let Detail::Fitting { width } = detail {
        fit(&mut lines, &columns, width);
    }
    let widths: [usize; 7] = std::array::from_fn(|column| widest(&lines, column));
    let draw_line = |line: &Line| {
        let cell = |column: &usize| {
            let padded = padded(&line.cells[*column], widths[*column]);
            match line.state {
                None => colours.paint(Look::Faint, &padded),
                Some(state) if *column == STATUS => {
                    look_of(state).map_or(padded.clone(), |look| colours.paint(look, &padded))
                }
                Some(_) => padded,
            }
        };
        columns.iter().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    lines.iter().map(draw_line).collect::<Vec<_>>().join("\n")
}

fn has_several_owners(page: &Page) -> bool {
    let mut owners = page.executions.iter().map(|listed| &listed.head.owner);
    owners.next().is_some_and(|first| owners.any(|other| other != first))
}

/// Cuts the texts of programs to the width of the terminal.
fn fit(lines: &mut [Line], columns: &[usize], width: usize) {
    let fixed = columns.iter().filter(|column| **column < FIXED).map(|column| widest(lines, *column) + 2);
    let mut room = width.saturating_sub(fixed.sum());
    for column in FIXED..7 {
        let share = if column == FIXED { room / 2 } else { room };
        for line in &mut *lines {
            line.cells[column] = cut(&line.cells[column], share.max(NARROW));
        }
        room = room.saturating_sub(widest(lines, column) + 2);
    }
}

fn widest(lines: &[Line], column: usize) -> usize {
    lines.iter().map(|line| width_of(&line.cells[column])).max().unwrap_or_default()
}

/// Returns the look of a state: what needs a person stands out.
pub(crate) fn look_of(state: State) -> Option<Look> {
    match state {
        State::Paused | State::Decided | State::Orphaned => Some(Look::Warning),
        State::Sleeping => Some(Look::Faint),
        State::Failed | State::Unreadable => Some(Look::Error),
        State::Running => Some(Look::Strong),
        State::Completed | State::Rejected => None,
        // The enum may grow.
        _ => None,
    }
}

fn cells(listed: &Listed, now: Timestamp, detail: Detail) -> [String; 7] {
    let Listed { id, created, head, .. } = listed;
    let code = head.code.map(|code| format!(" {code}")).unwrap_or_default();
    let owner = head.owner.as_deref().map(|owner| brief(owner, usize::MAX)).unwrap_or_default();
    [
        short(id),
        format!("{}{code}", listed.state()),
        head.calls.to_string(),
        rough(now.0.saturating_sub(created.0)),
        if detail == Detail::Wide { owner } else { cut(&owner, LONGEST_OWNER) },
        head.function.as_deref().map(|function| brief(function, 40)).unwrap_or_default(),
        pending(listed, now),
    ]
}

/// Formats the first pending call and the number of further ones, or the time until a sleeping execution is due.
fn pending(listed: &Listed, now: Timestamp) -> String {
    let count = listed.head.pending;
    match (listed.head.pending_calls.first(), listed.head.due) {
        (None, Some(due)) if listed.state() == State::Sleeping => match due.0.saturating_sub(now.0) {
            0 => "due".to_owned(),
            left => format!("due in {}", rough(left)),
        },
        (None, _) if count == 0 => String::new(),
        // The head was written before it listed pending calls.
        (None, _) => count.to_string(),
        (Some(call), _) => {
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

    const NOW: Timestamp = Timestamp(1_763_213_405_000);

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
                function: Some("tour.ts".into()),
                owner: Some("ada".into()),
                code: (status == Status::Failed).then_some(Code::Timeout),
                due: (status == Status::Sleeping).then_some(Timestamp(NOW.0 + 7_200_000)),
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
        insta::assert_snapshot!(draw(&page(), NOW, Detail::Fitting { width: 100 }, Colours::Off), @r"
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
    fn a_sleeping_execution_says_when_it_is_due() {
        let mut sleeping = listed(Status::Sleeping, 1_763_213_320_000, 3, 0, false);
        let line = |sleeping: &Listed| {
            let page = Page { executions: vec![sleeping.clone()], ..Page::default() };
            draw(&page, NOW, Detail::Fitting { width: 100 }, Colours::Off).lines().nth(1).unwrap_or_default().to_owned()
        };
        assert!(line(&sleeping).contains("  sleeping  ") && line(&sleeping).ends_with("  due in 2h"));
        sleeping.head.due = Some(NOW);
        assert!(line(&sleeping).ends_with("  due"));
        assert_eq!(json!(sleeping)["due"], NOW.0);
    }

    #[test]
    fn the_owner_is_shown_if_there_are_several_and_in_a_wide_table() {
        let one = draw(&page(), NOW, Detail::Fitting { width: 80 }, Colours::Off);
        assert!(!one.contains("OWNER"), "{one}");
        let wide = draw(&page(), NOW, Detail::Wide, Colours::Off);
        assert!(
            wide.starts_with("EXECUTION") && wide.contains("  OWNER  PROGRAM") && wide.contains("  ada  "),
            "{wide}"
        );
        let mut several = page();
        several.executions.truncate(3);
        several.unreadable.clear();
        several.executions[0].head.owner = Some("a-service-account@example.com".into());
        several.executions[1].head.owner = None;
        several.executions[0].head.function = Some("a-report-with-a-long-name.ts".into());
        insta::assert_snapshot!(draw(&several, NOW, Detail::Fitting { width: 80 }, Colours::Off), @r"
        EXECUTION      STATUS   CALLS  AGE  OWNER            PROGRAM        PENDING
        exec_87b557c0  paused   12     5s   a-service-acco…  a-report-wit…  mail.send…
        exec_87b49470  decided  12     55s                   tour.ts        2
        exec_87b3d120  running  3      1m   ada              tour.ts
        ");
        let wide = draw(&several, NOW, Detail::Wide, Colours::Off);
        assert!(wide.contains("a-service-account@example.com  a-report-with-a-long-name.ts  mail.send"), "{wide}");
        assert_eq!(record(&several)["executions"][2]["owner"], "ada");
    }

    #[test]
    fn the_table_fits_the_terminal_and_shows_what_needs_a_person() {
        for width in [80, 100, 200] {
            let text = draw(&page(), NOW, Detail::Fitting { width }, Colours::Off);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{width}\n{text}");
        }
        let text = draw(&page(), NOW, Detail::Fitting { width: 100 }, Colours::On);
        assert!(text.contains("\u{1b}[33mpaused") && text.contains("\u{1b}[1;31mfailed TIMEOUT"), "{text}");
    }

    #[test]
    fn wide_characters_keep_the_columns_in_line() {
        let mut several = page();
        several.executions.truncate(2);
        several.unreadable.clear();
        several.executions[0].head.owner = Some("日本語日本語日本語".into());
        several.executions[0].head.function = Some("報告書を作成する.ts".into());
        insta::assert_snapshot!(draw(&several, NOW, Detail::Fitting { width: 80 }, Colours::Off), @r"
        EXECUTION      STATUS   CALLS  AGE  OWNER            PROGRAM        PENDING
        exec_87b557c0  paused   12     5s   日本語日本語日…  報告書を作成…  mail.send…
        exec_87b49470  decided  12     55s  ada              tour.ts        2
        ");
        let wide = draw(&several, NOW, Detail::Wide, Colours::Off);
        assert!(wide.contains("日本語日本語日本語  報告書を作成する.ts  mail.send (approval) +2"), "{wide}");
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
