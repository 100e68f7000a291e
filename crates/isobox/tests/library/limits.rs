//! The promised limits: their defaults, and overrides of a runtime. The behaviour at each limit is a case in
//! `spec/limits`; here are the limits whose cases would have megabytes.

use std::num::NonZeroU32;
use std::time::Duration;

use isobox::events::Level;
use isobox::limits::{InFlightExcess, parse_duration};
use isobox::{Builder, ByteSize, Code, Isobox, Limits, LoweredLimits, Run, demo, json};

fn builder() -> Builder {
    let tools = demo::tools().expect("the tools are well defined");
    Isobox::builder().max_live(NonZeroU32::MIN).tools(tools)
}

#[test]
fn the_defaults_are_those_of_the_documentation() {
    let defaults = Limits::default();
    let promised = Limits::default()
        .timeout(Duration::from_secs(30))
        .cpu(Duration::from_secs(10))
        .memory(ByteSize::mib(64))
        .stack(ByteSize::kib(512))
        .source(ByteSize::kib(256))
        .result(ByteSize::mib(1))
        .input(ByteSize::mib(1))
        .output(ByteSize::mib(4))
        .logs(ByteSize::kib(256))
        .facts(ByteSize::kib(256))
        .calls(256)
        .in_flight(32)
        .in_flight_excess(InFlightExcess::Wait)
        .durable_value(ByteSize::bytes(1_000_000))
        .journal(ByteSize::mib(64))
        .snapshot(ByteSize::mib(64));
    assert_eq!(defaults, promised);
    let page = include_str!("../../../../docs/limits.md");
    let documented = |limit: &str| {
        let row = page.lines().find(|line| line.starts_with(&format!("| [`{limit}`]"))).expect("it has a row");
        row.split('|').nth(2).expect("a row has a default").trim().to_owned()
    };
    let duration = |limit: &str| parse_duration(&documented(limit).replace(' ', "")).expect("it is a duration");
    let size = |limit: &str| documented(limit).replace(' ', "").parse::<ByteSize>().expect("it is a size");
    let count = |limit: &str| documented(limit).parse::<u32>().expect("it is a number");
    let documented = Limits::default()
        .timeout(duration("timeout"))
        .cpu(duration("cpu"))
        .memory(size("memory"))
        .stack(size("stack"))
        .source(size("source"))
        .result(size("result"))
        .input(size("input"))
        .output(size("output"))
        .logs(size("logs"))
        .facts(size("facts"))
        .calls(count("calls"))
        .in_flight(count("inFlight"))
        .in_flight_excess(defaults.in_flight_excess)
        .durable_value(size("durableValue"))
        .journal(size("journal"))
        .snapshot(size("snapshot"));
    assert_eq!(documented, defaults);
    assert_eq!(*builder().build().expect("the runtime starts").limits(), defaults);
}

#[tokio::test]
async fn a_result_of_a_mebibyte_is_returned_by_default() {
    let isobox = builder().build().expect("the runtime starts");
    let result = isobox.run("return 'x'.repeat(2 ** 20 - 2)").await.into_result().expect("it is within the limit");
    assert_eq!(result.as_str().map(str::len), Some((1 << 20) - 2), "two quotes make it 1 MiB");
}

#[tokio::test]
async fn the_default_log_holds_256_kib_and_not_a_byte_more() {
    let isobox = builder().build().expect("the runtime starts");
    // A line counts 16 bytes beside its text, and is at most 64 KiB long.
    let program = |last: usize| {
        format!("for (let i = 0; i < 3; i++) console.log('x'.repeat(65520)); console.log('x'.repeat({last})); return 1")
    };
    let exact = isobox.run(program(65520)).await;
    let lengths: Vec<usize> = exact.logs().iter().map(|log| log.message.len()).collect();
    assert_eq!(lengths, [65520; 4]);
    let above = isobox.run(program(65521)).await;
    let last = above.logs().last().expect("there are lines");
    assert_eq!((above.logs().len(), last.level), (4, Level::Warn));
    assert_eq!(last.message, "LOG_LIMIT: the log is full (256 KiB); what follows is dropped");
    assert_eq!(above.into_result(), Ok(json!(1)), "it is a warning, not a failure");
}

#[tokio::test]
async fn a_runtime_may_have_higher_limits_than_the_defaults() {
    let limits = Limits::default()
        .timeout(Duration::from_secs(60))
        .cpu(Duration::from_secs(60))
        .memory(ByteSize::mib(128))
        .stack(ByteSize::mib(1))
        .source(ByteSize::mib(1))
        .result(ByteSize::mib(2))
        .input(ByteSize::mib(2))
        .output(ByteSize::mib(8))
        .logs(ByteSize::kib(512))
        .calls(300)
        .in_flight(40)
        .in_flight_excess(InFlightExcess::Fail);
    let isobox = builder().limits(limits).build().expect("the runtime starts");
    for (program, expected) in [
        ("return new Uint8Array(100 << 20).fill(1).length".to_owned(), json!(100 << 20)),
        ("const deep = (n) => (n === 0 ? 0 : deep(n - 1) + 1); return deep(2500)".to_owned(), json!(2500)),
        (format!("return 1 //{}", "x".repeat(300 << 10)), json!(1)),
        ("return 'x'.repeat(2 ** 21 - 2)".to_owned(), json!("x".repeat((1 << 21) - 2))),
        ("return (await tools.demo.echo('x'.repeat(2 ** 21 - 2))).length".to_owned(), json!((1 << 21) - 2)),
        ("return (await tools.demo.text({ letters: 2 ** 23 - 2 })).length".to_owned(), json!((1 << 23) - 2)),
        ("for (let i = 0; i < 300; i++) await tools.demo.echo(i); return 300".to_owned(), json!(300)),
        (
            "return (await Promise.all(Array.from({ length: 40 }, (_, i) => tools.demo.echo(i)))).length".to_owned(),
            json!(40),
        ),
    ] {
        let start: String = program.chars().take(60).collect();
        let result = isobox.run(program).await.into_result();
        assert!(result == Ok(expected), "{start}: {:?}", result.err());
    }
    let many = "await Promise.all(Array.from({ length: 41 }, (_, i) => tools.demo.echo(i)))";
    assert_eq!(isobox.run(many).await.into_result().map_err(|failure| failure.code), Err(Code::InFlightLimit));
}

#[tokio::test]
async fn no_limit_can_be_raised_for_one_execution() {
    let isobox = builder().build().expect("the runtime starts");
    let none = LoweredLimits::default;
    let size = Some(ByteSize::mib(8));
    for (name, limits) in [
        ("timeout", none().timeout(Duration::from_secs(31))),
        ("cpu", none().cpu(Duration::from_secs(11))),
        ("memory", none().memory(ByteSize::mib(65))),
        ("stack", none().stack(ByteSize::kib(513))),
        ("source", none().source(size)),
        ("result", none().result(size)),
        ("input", none().input(size)),
        ("output", none().output(size)),
        ("logs", none().logs(size)),
        ("facts", none().facts(size)),
        ("calls", none().calls(257)),
        ("inFlight", none().in_flight(33)),
        ("durableValue", none().durable_value(size)),
        ("journal", none().journal(ByteSize::mib(65))),
        ("snapshot", none().snapshot(ByteSize::mib(65))),
    ] {
        let failure = isobox.run(Run::from("return 1").limits(limits)).await.into_result().expect_err("it is refused");
        let message = format!("the limit `{name}` can be lowered for one execution, not raised");
        assert_eq!((failure.code, failure.message), (Code::Config, message));
    }
}
