//! Finds an execution by its id, by the first or the last digits of the id, or as `last`.

use isobox::store::Filter;
use isobox::text::brief;
use isobox::{Code, ExecutionId, Failure, Isobox};

/// Names the newest execution.
const LAST: &str = "last";

/// The number of digits of a short id: the last ones, which are random. The first ones are the time.
const SHORT: usize = 8;

/// Returns the short form of an id, for lists.
pub(crate) fn short(id: &ExecutionId) -> String {
    let text = id.as_str();
    format!("exec_{}", &text[text.len() - SHORT..])
}

/// The number of executions read per page.
const PAGE: u32 = 500;

/// Returns the id of the execution that the text names, or of the newest one for `last`. Only for commands that show the
/// execution before anything happens to it.
pub(crate) async fn find_or_last(isobox: &Isobox, text: &str) -> Result<ExecutionId, Failure> {
    if text == LAST { newest(isobox).await } else { find(isobox, text).await }
}

async fn newest(isobox: &Isobox) -> Result<ExecutionId, Failure> {
    let newest = isobox.executions(Filter::newest(1)).await?.executions.into_iter().next();
    newest.map(|listed| listed.id).ok_or_else(|| {
        Failure::new(Code::NotFound, "there is no execution").hint("`isobox run` stores them, if there is a store")
    })
}

/// Returns the id of the execution that the text names.
pub(crate) async fn find(isobox: &Isobox, text: &str) -> Result<ExecutionId, Failure> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    if text == LAST {
        let id = newest(isobox).await?;
        let message = "`last` may be another execution by now than the one that you looked at";
        return Err(Failure::new(Code::Config, message).hint(format!("name it: the newest is {id}")));
    }
    let digits = digits(text)?;
    let mut found = Vec::new();
    let mut filter = Filter::newest(PAGE);
    loop {
        let page = isobox.executions(filter.clone()).await?;
        // An unreadable row can still be shown and deleted, so it can be found.
        let unreadable = page.unreadable.iter().filter_map(|row| row.id.parse::<ExecutionId>().ok());
        let all = page.executions.into_iter().map(|listed| listed.id).chain(unreadable);
        found.extend(all.filter(|id| is_named(id, digits)));
        // An id altered in the database may not sort as it reads. A cursor that does not advance ends the search.
        let is_further = page.next.is_some() && (filter.after.is_none() || page.next < filter.after);
        if !is_further {
            return one_of(found, digits);
        }
        filter.after = page.next;
    }
}

/// Tells whether these are the first digits of an id, or enough of the last ones.
fn is_named(id: &ExecutionId, digits: &str) -> bool {
    let all = id.as_str().trim_start_matches("exec_");
    all.starts_with(digits) || digits.len() >= SHORT && all.ends_with(digits)
}

/// Returns the digits to search for. `exec_` may be omitted.
fn digits(text: &str) -> Result<&str, Failure> {
    let digits = text.strip_prefix("exec_").unwrap_or(text);
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if digits.is_empty() || digits.len() > 44 || !digits.bytes().all(is_digit) {
        let shown = brief(text, 60);
        let message = format!("`{shown}` is not an execution id or a part of one");
        return Err(Failure::new(Code::NotFound, message).hint("`isobox executions list` shows the stored executions"));
    }
    Ok(digits)
}

fn one_of(found: Vec<ExecutionId>, digits: &str) -> Result<ExecutionId, Failure> {
    const SHOWN: usize = 5;
    match found.as_slice() {
        [id] => Ok(id.clone()),
        [] => Err(Failure::new(Code::NotFound, format!("no execution id starts or ends with {digits}"))
            .hint("`isobox executions list` shows the stored executions")),
        several => {
            let mut names: Vec<&str> = several.iter().take(SHOWN).map(ExecutionId::as_str).collect();
            if several.len() > SHOWN {
                names.push("…");
            }
            let message = format!("{} execution ids start or end with {digits}", several.len());
            Err(Failure::new(Code::Config, message).hint(format!("give more digits: {}", names.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_execution_is_named_by_its_first_digits_or_by_enough_of_its_last() {
        let id = ExecutionId::new(0x1234_5678_9abc, 0xfeed_beef);
        assert_eq!(short(&id), "exec_feedbeef");
        assert!(is_named(&id, "1234") && is_named(&id, "feedbeef") && is_named(&id, "0feedbeef"));
        assert!(!is_named(&id, "beef") && !is_named(&id, "feedbee0"));
    }

    #[test]
    fn the_beginning_of_a_name_has_to_be_one() {
        assert_eq!(digits("exec_01ab"), Ok("01ab"));
        assert_eq!(digits("01ab"), Ok("01ab"));
        for text in ["", "exec_", "exec_XY", "run_1", "exec_ 1", &"a".repeat(45)] {
            assert_eq!(digits(text).expect_err("it is none").code, Code::NotFound, "{text}");
        }
    }

    #[test]
    fn a_name_has_to_be_the_only_one() {
        let ids: Vec<ExecutionId> = (0..7).map(|number| ExecutionId::new(1, number)).collect();
        assert_eq!(one_of(ids[..1].to_vec(), "0"), Ok(ids[0].clone()));
        assert_eq!(one_of(Vec::new(), "0").expect_err("there is none").code, Code::NotFound);
        let failure = one_of(ids, "0").expect_err("there are several");
        assert_eq!((failure.code, failure.message.as_str()), (Code::Config, "7 execution ids start or end with 0"));
    }
}
