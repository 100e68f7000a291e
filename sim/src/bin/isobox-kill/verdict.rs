//! Checks that nothing was lost or done twice.

use std::fmt;
use std::path::Path;

use isobox::store::{Filter, Store};
use isobox_core::inspect;
use isobox_core::journal::{CallProgress, Ending};

use crate::effects::Effects;
use crate::worker::{PUTS_AND_PAYS, RESULT};

/// The totals of all executions.
pub(crate) struct Report {
    executions: usize,
    effects: usize,
    in_doubt: usize,
    resumed: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { executions, effects, in_doubt, resumed } = self;
        write!(
            formatter,
            "{executions} executions completed, {resumed} resumes, {effects} effects, {in_doubt} in doubt; \
             none lost, none doubled, none stuck"
        )
    }
}

/// Checks every execution and every effect.
pub(crate) async fn look(store: &dyn Store, effects: &Path) -> Result<Report, String> {
    use isobox_core::journal::{Entry, Question};
    let effects = Effects::read(effects)?;
    let mut report = Report { executions: 0, effects: effects.count(), in_doubt: 0, resumed: 0 };
    let mut page = Filter::newest(500);
    loop {
        let listed = store.list(page.clone()).await.map_err(|failure| failure.to_string())?;
        if let Some(row) = listed.unreadable.first() {
            return Err(format!("{}: {}", row.id, row.reason));
        }
        for one in &listed.executions {
            let id = &one.id;
            let inspected = inspect(store, id).await.map_err(|failure| format!("{id}: {failure}"))?;
            match inspected.state.ended.map(|ended| ended.how) {
                Some(Ending::Completed(result)) if result == RESULT => report.executions += 1,
                other => return Err(format!("{id} is not what it should be: {other:?}")),
            }
            let mut done = 0;
            for call in &inspected.state.calls {
                let times = effects.times(&format!("{id}:{}", call.seq));
                let must_be_once = &*call.path != "world.get";
                done += usize::from(must_be_once && times == 1);
                if times == 0 || (must_be_once && times > 1) || !matches!(call.progress, CallProgress::Delivered { .. })
                {
                    return Err(format!("call {} of {id} was done {times} times: {call:?}", call.seq));
                }
            }
            if done != PUTS_AND_PAYS {
                return Err(format!("{id} did {done} things of {PUTS_AND_PAYS}"));
            }
            for entry in &inspected.entries {
                match entry {
                    Entry::Asked(asked) => report.in_doubt += usize::from(asked.question == Question::InDoubt),
                    Entry::Resumed(_) => report.resumed += 1,
                    _ => {}
                }
            }
        }
        match listed.next {
            Some(next) => page = page.after(next),
            None => return Ok(report),
        }
    }
}
