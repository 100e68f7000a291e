//! The list of executions, as a table.

use std::collections::HashSet;

use isobox::store::{Listed, Status};
use isobox::{ExecutionId, Timestamp, brief};

use crate::executions::moment::rough;

/// So much of a name tells it from all others: the millisecond that it was made in, and a random number.
const NAME: usize = 21;

/// One line for each, below a line that says what is in the columns. Of some it is known that somebody has decided, and that
/// nobody has gone on with them since.
pub(crate) fn draw(listed: &[Listed], decided: &HashSet<ExecutionId>, now: Timestamp) -> String {
    let mut rows = vec![["EXECUTION", "STATUS", "CALLS", "PENDING", "AGE", "FUNCTION"].map(str::to_owned)];
    for Listed { id, created, head, is_held } in listed {
        let status = match head.status {
            Status::Running if !is_held => "orphaned",
            Status::Paused if decided.contains(id) => "decided",
            status => status.as_str(),
        };
        let code = head.code.map(|code| format!(" {code}")).unwrap_or_default();
        rows.push([
            id.as_str().chars().take(NAME).collect(),
            format!("{status}{code}"),
            head.calls.to_string(),
            if head.pending > 0 { head.pending.to_string() } else { String::new() },
            rough(now.0.saturating_sub(created.0)),
            head.function.as_deref().map(|function| brief(function, 40)).unwrap_or_default(),
        ]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: [usize; 6] = std::array::from_fn(width);
    let line = |row: &[String; 6]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox::Code;
    use isobox::store::Head;

    #[test]
    fn the_list_is_a_table() {
        let listed = |status: Status, created: u64, calls: u32, pending: u32, is_held: bool| Listed {
            id: ExecutionId::new(created, 0xabcd << 112),
            created: Timestamp(created),
            head: Head {
                status,
                revision: 0,
                pending,
                calls,
                updated: Timestamp(created),
                function: Some("tour.ts".to_owned()),
                code: (status == Status::Failed).then_some(Code::Timeout),
            },
            is_held,
        };
        let all = [
            listed(Status::Paused, 1_763_213_400_000, 12, 2, false),
            listed(Status::Paused, 1_763_213_350_000, 12, 2, false),
            listed(Status::Running, 1_763_213_300_000, 3, 0, true),
            listed(Status::Running, 1_763_210_000_000, 256, 0, false),
            listed(Status::Failed, 1_763_113_400_000, 0, 0, false),
            listed(Status::Completed, 1_753_213_400_000, 1, 0, false),
        ];
        insta::assert_snapshot!(draw(&all, &HashSet::from([all[1].id.clone()]), Timestamp(1_763_213_405_000)), @r"
        EXECUTION              STATUS          CALLS  PENDING  AGE   FUNCTION
        exec_019a87b557c0abcd  paused          12     2        5s    tour.ts
        exec_019a87b49470abcd  decided         12     2        55s   tour.ts
        exec_019a87b3d120abcd  running         3               1m    tour.ts
        exec_019a87817680abcd  orphaned        256             56m   tour.ts
        exec_019a81bf76c0abcd  failed TIMEOUT  0               1d    tour.ts
        exec_019833a973c0abcd  completed       1               115d  tour.ts
        ");
    }
}
