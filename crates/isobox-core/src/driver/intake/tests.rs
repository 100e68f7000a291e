//! Tests of the intake.

use super::*;

fn limits() -> Limits {
    Limits { calls: 3, input: ByteSize::bytes(10), in_flight: 2, ..Limits::default() }
}

fn reason<T>(answer: Result<T, Refused>) -> Option<Refusal> {
    answer.err().map(|refused| refused.reason)
}

#[test]
fn calls_and_timers_are_numbered_together_and_only_calls_are_counted() {
    let mut intake = Intake::new(limits());
    let made = [intake.call(b"a", b"1", None), intake.timer(Duration::ZERO), intake.call(b"b", b"2", None)];
    assert_eq!(made.map(|seq| seq.map(CallSeq::number)), [Ok(0), Ok(1), Ok(2)]);
    assert_eq!(intake.timer(Duration::ZERO).map(CallSeq::number), Ok(3));
    assert_eq!(intake.call(b"c", b"3", None).map(CallSeq::number), Ok(4));
    assert_eq!(reason(intake.call(b"d", b"4", None)), Some(Refusal::CallLimit));
    assert_eq!(intake.take_step().calls.len(), 5);
}

#[test]
fn timers_are_bounded_at_once_and_in_total() {
    let mut intake = Intake::new(limits());
    let most = (0..).take_while(|_| intake.timer(Duration::ZERO).is_ok()).count();
    let more = (0..).take_while(|number| {
        intake.answer(CallSeq::new(*number));
        intake.timer(Duration::ZERO).is_ok()
    });
    assert_eq!((most, most + more.count()), (MOST_TIMERS_AT_ONCE, MOST_TIMERS as usize));
    assert_eq!(intake.call(b"a", b"1", None).map(CallSeq::number), Ok(MOST_TIMERS));
    assert!(Intake::resumed(limits(), intake.lasting()).is_ok(), "a snapshot of it is valid");
}

#[test]
fn what_a_program_may_not_pass_is_refused_and_uses_up_no_number() {
    let mut intake = Intake::new(limits());
    assert_eq!(reason(intake.call(&[b'a'; ToolPath::MAX_LENGTH + 1], b"1", None)), Some(Refusal::PathTooLong));
    assert_eq!(reason(intake.call(b"a", b"\"too long\" ", None)), Some(Refusal::InputTooLarge));
    assert_eq!(reason(intake.call(b"a", b"{", None)), Some(Refusal::Serialization));
    assert_eq!(intake.call(b"a", b"1", None).map(CallSeq::number), Ok(0));
}

#[test]
fn inputs_of_unanswered_calls_are_bounded_together_until_they_are_answered() {
    let mut intake = Intake::new(Limits { calls: 100, ..limits() });
    let call = |intake: &mut Intake| reason(intake.call(b"a", b"\"12345678\"", None));
    assert!((0..8).all(|_| call(&mut intake).is_none()), "eight inputs fit");
    assert_eq!(call(&mut intake), Some(Refusal::InputTooLarge));
    intake.answer(CallSeq::new(3));
    intake.answer(CallSeq::new(3));
    assert_eq!((call(&mut intake), call(&mut intake)), (None, Some(Refusal::InputTooLarge)));
}

#[test]
fn a_program_that_may_not_wait_is_refused_one_call_too_many() {
    let mut intake = Intake::new(Limits { in_flight_excess: InFlightExcess::Fail, ..limits() });
    let calls = [intake.call(b"a", b"1", None), intake.call(b"a", b"1", None), intake.call(b"a", b"1", None)];
    assert_eq!(calls.map(reason), [None, None, Some(Refusal::InFlightLimit)]);
}

#[test]
fn a_refusal_that_was_never_made_is_an_error_of_the_program() {
    let texts = || ErrorTexts { name: "Mine".to_owned(), message: "mine".to_owned(), ..ErrorTexts::default() };
    let ended = |intake: &mut Intake| match intake.take_step().state {
        ProgramState::Failed(error) => (error.origin, error.message),
        state => panic!("it failed: {state:?}"),
    };
    let mut intake = Intake::new(limits());
    intake.fail(ClaimedOrigin::Refusal(Refusal::CallLimit), texts());
    assert_eq!(ended(&mut intake), (Origin::Program, "mine".to_owned()));
    for _ in 0..4 {
        let _ = intake.call(b"a", b"1", None);
    }
    intake.fail(ClaimedOrigin::Refusal(Refusal::CallLimit), texts());
    let said = "the program made more than 3 tool calls".to_owned();
    assert_eq!(ended(&mut intake), (Origin::Engine(Code::CallLimit), said));
}

#[test]
fn what_lasts_goes_on_with_the_same_numbers_and_is_held_to_the_limits() {
    let mut intake = Intake::new(limits());
    intake.call(b"a", b"\"1234567\"", None).expect("it may be made");
    intake.timer(Duration::ZERO).expect("it may be made");
    intake.log(Level::Log, b"a line");
    intake.fact(b"a", b"[1]").expect("it is JSON");
    let json = serde_json::to_string(&intake.lasting()).expect("it is JSON");
    let lasting = || serde_json::from_str::<Lasting>(&json).expect("the state is valid");
    let mut resumed = Intake::resumed(limits(), lasting()).expect("it fits");
    assert_eq!(resumed.lasting(), intake.lasting());
    assert_eq!(resumed.timer(Duration::ZERO).map(CallSeq::number), Ok(2));
    for (limit, limits) in [
        ("calls", Limits { calls: 0, ..limits() }),
        ("logs", Limits { logs: ByteSize::bytes(3), ..limits() }),
        ("facts", Limits { facts: ByteSize::bytes(3), ..limits() }),
        ("input", Limits { input: ByteSize::bytes(1), ..limits() }),
    ] {
        let error = Intake::resumed(limits, lasting()).expect_err("it is over the limit");
        assert_eq!(error.message, format!("the snapshot is over the limit `{limit}`"));
    }
    let forged = Lasting { timers: [7].into(), ..lasting() };
    assert_eq!(Intake::resumed(limits(), forged).expect_err("it has no timer 7").kind, ErrorKind::Snapshot);
}

#[test]
fn facts_past_their_limit_are_dropped_with_one_warning_and_stay_dropped() {
    let limits = || Limits { facts: ByteSize::bytes(40), logs: ByteSize::bytes(0), ..limits() };
    let mut intake = Intake::new(limits());
    intake.fact(b"a", b"[1]").expect("it is JSON");
    for number in 0..1_000_000_u32 {
        intake.fact(b"b", number.to_string().as_bytes()).expect("it is JSON");
    }
    let step = intake.take_step();
    assert_eq!(step.facts.iter().map(|fact| fact.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(step.logs.len(), 1);
    assert_eq!(step.logs[0].message, "LOG_LIMIT: the facts are full (40 bytes); what follows is dropped");
    let mut resumed = Intake::resumed(limits(), intake.lasting()).expect("it fits");
    resumed.fact(b"c", b"1").expect("it is JSON");
    let step = resumed.take_step();
    assert_eq!((step.facts, step.logs), (Vec::new(), Vec::new()));
}

#[test]
fn a_fact_that_is_no_json_is_refused() {
    let mut intake = Intake::new(limits());
    for json in [&b"{"[..], b"", b"\xff", &[b'['; 200]] {
        assert_eq!(intake.fact(b"a", json).map_err(|refused| refused.reason), Err(Refusal::Serialization));
    }
    assert_eq!(intake.take_step().facts, []);
}

#[test]
fn parts_of_an_error_that_are_no_json_object_count_as_none() {
    for (parts, expected) in [("", 0), ("[1]", 0), ("{\"cause\":", 0), ("{\"cause\":1}", 1)] {
        let mut intake = Intake::new(limits());
        intake.fail(ClaimedOrigin::Program, ErrorTexts { parts: parts.to_owned(), ..ErrorTexts::default() });
        let ProgramState::Failed(error) = intake.take_step().state else { panic!("it failed: {parts}") };
        assert_eq!(error.parts.len(), expected, "{parts}");
    }
    let nested = format!("{{\"properties\":{}{}}}", "[".repeat(200), "]".repeat(200));
    let mut intake = Intake::new(limits());
    intake.fail(ClaimedOrigin::Program, ErrorTexts { parts: nested, ..ErrorTexts::default() });
    assert!(matches!(intake.take_step().state, ProgramState::Failed(error) if error.parts.is_empty()));
}
