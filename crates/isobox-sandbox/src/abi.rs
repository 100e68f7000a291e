//! The messages between host and guest; the guest side is `guest/shim.c`.
//!
//! Messages to the guest are built here and trusted. Messages from the guest may be hostile, and every byte of them is
//! checked.

use isobox_core::driver::intake::{ClaimedOrigin, ErrorTexts, Refusal};
use isobox_core::program::{Kind, Prepared};
use isobox_core::{Answer, CallSeq, Code, Region, Reply, lossy_text};

/// The origins of errors, as the guest numbers them.
pub(crate) mod origin {
    use isobox_core::driver::intake::Refusal;

    pub(crate) const MEMORY: u32 = 1;
    pub(crate) const STACK: u32 = 2;
    pub(crate) const SERIALIZATION: u32 = 3;
    pub(crate) const SYNTAX: u32 = 4;
    pub(crate) const CALL_LIMIT: u32 = 5;
    pub(crate) const IN_FLIGHT_LIMIT: u32 = 6;
    pub(crate) const INPUT_TOO_LARGE: u32 = 7;
    pub(crate) const PATH_TOO_LONG: u32 = 8;
    pub(crate) const ARGUMENTS: u32 = 9;
    /// This number plus a call number: the error is the answer to that call.
    pub(crate) const CALL: u32 = 16;

    /// Returns the origin of the error that the guest creates for a refusal.
    pub(crate) fn of_refusal(reason: Refusal) -> u32 {
        match reason {
            Refusal::CallLimit => CALL_LIMIT,
            Refusal::InFlightLimit => IN_FLIGHT_LIMIT,
            Refusal::InputTooLarge => INPUT_TOO_LARGE,
            Refusal::PathTooLong => PATH_TOO_LONG,
            Refusal::Serialization => SERIALIZATION,
        }
    }
}

/// Decodes what the guest claims about the origin of an error.
pub(crate) fn claim(number: u32) -> ClaimedOrigin {
    match number {
        origin::MEMORY => ClaimedOrigin::Engine(Code::Memory),
        origin::STACK => ClaimedOrigin::Engine(Code::Stack),
        // The engine also refuses values that are not JSON.
        origin::SERIALIZATION => ClaimedOrigin::Engine(Code::Serialization),
        origin::SYNTAX => ClaimedOrigin::Engine(Code::Syntax),
        origin::CALL_LIMIT => ClaimedOrigin::Refusal(Refusal::CallLimit),
        origin::IN_FLIGHT_LIMIT => ClaimedOrigin::Refusal(Refusal::InFlightLimit),
        origin::INPUT_TOO_LARGE => ClaimedOrigin::Refusal(Refusal::InputTooLarge),
        origin::PATH_TOO_LONG => ClaimedOrigin::Refusal(Refusal::PathTooLong),
        origin::ARGUMENTS => ClaimedOrigin::Engine(Code::InvalidInput),
        origin::CALL.. => ClaimedOrigin::Call(CallSeq::new(number - origin::CALL)),
        _ => ClaimedOrigin::Program,
    }
}

/// The return values of `isobox_start` and `isobox_step`.
pub(crate) mod state {
    pub(crate) const WAITING: i32 = 0;
    pub(crate) const DONE: i32 = 1;
    pub(crate) const FAILED: i32 = 2;
}

/// Encodes a program for the guest.
pub(crate) fn encode_program(program: &Prepared, namespaces: &[String], region: &Region, message: &mut Vec<u8>) {
    put_u32(message, length(program.files.len()));
    for file in &program.files {
        put_text(message, &file.path);
        put_u32(message, file.first_line.cast_unsigned());
        put_text(message, &file.code);
        put_u32(message, length(file.segments.len()));
        for segment in &file.segments {
            for number in [segment.line, segment.column, segment.original_line, segment.original_column] {
                put_u32(message, number);
            }
        }
        put_u32(message, length(file.imports.len()));
        for import in &file.imports {
            put_text(message, &import.specifier);
            put_text(message, &import.path);
        }
    }
    put_u32(message, length(namespaces.len()));
    for namespace in namespaces {
        put_text(message, namespace);
    }
    if !region.is_default() {
        put_text(message, region.chosen_locale().unwrap_or_default());
        put_text(message, region.chosen_time_zone().unwrap_or_default());
    }
}

/// Returns the flags with which the guest starts a program.
pub(crate) fn how_to_start(program: &Prepared) -> i32 {
    const MODULE: i32 = 1;
    const WITH_PLACES: i32 = 2;
    match program.kind {
        Kind::Script => WITH_PLACES,
        Kind::Module => WITH_PLACES | MODULE,
    }
}

/// Encodes answers for the guest.
pub(crate) fn encode_answers(answers: &[Answer], message: &mut Vec<u8>) {
    const RESULT: u32 = 0;
    const ERROR: u32 = 1;
    const TIMER: u32 = 2;
    for answer in answers {
        put_u32(message, answer.seq.number());
        match &answer.reply {
            Reply::Result(json) => {
                put_u32(message, RESULT);
                put_text(message, json.get());
            }
            Reply::Failed(failure) => {
                put_u32(message, ERROR);
                // A NUL ends the name and the details, which are JSON or nothing. The rest is the message, with arbitrary
                // content.
                let name = failure.name.replace('\0', "\u{fffd}");
                let details = failure.guest_details().and_then(|details| serde_json::to_string(details).ok());
                let details = details.unwrap_or_default();
                put_text(message, &[failure.code.as_str(), &name, &details, &failure.message].join("\0"));
            }
            Reply::Fired => {
                put_u32(message, TIMER);
                put_text(message, "");
            }
        }
    }
}

/// Writes the size, the bytes, and a NUL that the size does not include.
fn put_text(message: &mut Vec<u8>, text: &str) {
    put_u32(message, length(text.len()));
    message.extend_from_slice(text.as_bytes());
    message.push(0);
}

fn put_u32(message: &mut Vec<u8>, number: u32) {
    message.extend_from_slice(&number.to_le_bytes());
}

fn length(count: usize) -> u32 {
    u32::try_from(count).expect("programs and answers are limited to far less than 4 GiB")
}

/// Decodes the name, message, stack, place and parts of an error, each cut to a bounded length. Malformed parts count as
/// empty.
pub(crate) fn decode_report(mut report: &[u8]) -> ErrorTexts {
    const MAX_TEXT: usize = 64 << 10;
    let [name, message, stack, thrown_at, parts] = std::array::from_fn(|_| {
        let Some((size, rest)) = report.split_first_chunk::<4>() else { return String::new() };
        let size = u32::from_le_bytes(*size) as usize;
        let Some((text, rest)) = rest.split_at_checked(size) else {
            report = &[];
            return String::new();
        };
        report = rest;
        lossy_text(&text[..text.len().min(MAX_TEXT)])
    });
    ErrorTexts { name, message, stack, thrown_at, parts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_reports_are_empty_and_not_a_panic() {
        let named = |name: &str| ErrorTexts { name: name.to_owned(), ..ErrorTexts::default() };
        assert_eq!(decode_report(&[]), named(""));
        assert_eq!(decode_report(&[255, 255, 255, 255, 1]), named(""));
        assert_eq!(decode_report(&[1, 0, 0, 0, b'a', 9, 0, 0, 0, b'b']), named("a"));
        assert_eq!(decode_report(&[1, 0, 0, 0, 0xff]), named("\u{fffd}"));
    }

    #[test]
    fn the_parts_of_an_error_are_the_last_text_of_its_report_and_may_be_missing() {
        let report: Vec<u8> = ["n", "m", "s", "t", "{}"].iter().fold(Vec::new(), |mut report, text| {
            put_u32(&mut report, length(text.len()));
            report.extend_from_slice(text.as_bytes());
            report
        });
        let [name, message, stack, thrown_at, parts] = ["n", "m", "s", "t", "{}"].map(str::to_owned);
        let whole = ErrorTexts { name, message, stack, thrown_at, parts };
        assert_eq!(decode_report(&report[..report.len() - 6]), ErrorTexts { parts: String::new(), ..whole.clone() });
        assert_eq!(decode_report(&report), whole);
    }
}
