//! The reference model: the expected behaviour of a program, given the results of its calls and their times. Uses no
//! sandbox, no store and no promises: every function is followed separately and knows its current step.

use crate::program::{Body, CHILD, Combinator, RUN, STEP, Statement, Thrown, Together, mix, snippet_name};
use crate::record::{Record, end_of_snippet};

/// The expected behaviour of a program.
#[derive(Debug, Default)]
pub struct Expected {
    /// The end and its step. `None` if the program still waits.
    pub end: Option<(usize, Result<u64, Thrown>)>,
    /// The calls: step, label, path, number.
    pub calls: Vec<(usize, String, &'static str, u64)>,
    /// The log lines: step, text.
    pub logs: Vec<(usize, String)>,
    /// The ends of snippets: step, text.
    pub ends: Vec<(usize, String)>,
    /// The contradictions that were found.
    pub oddities: Vec<String>,
}

/// Follows a program and the snippets that it runs through the results of its calls in the journal. `found` is the last
/// result in the globals, for a program of a session.
pub fn expect(program: &Body, snippets: &[Body], record: &Record, found: Option<u64>) -> Expected {
    let mut model = Model { record, snippets, expected: Expected::default() };
    if record.steps > 0 {
        let a = found.map_or(program.start, |found| mix(program.start, found));
        model.expected.logs.extend(found.map(|found| (0, format!("found={found}"))));
        model.expected.end = model.function_with(program, a, 0, "").map(|over| (over.step, over.result));
    }
    model.expected
}

struct Model<'a> {
    record: &'a Record,
    snippets: &'a [Body],
    expected: Expected,
}

/// A function that has ended.
#[derive(Debug, Clone, Copy)]
struct Over {
    step: usize,
    result: Result<u64, Thrown>,
}

/// A function that is running.
struct Frame {
    a: u64,
    step: usize,
}

/// The reason why a function stops.
enum Stop {
    Thrown(Thrown),
    /// It waits for a result that has not arrived.
    Waits,
}

impl Model<'_> {
    /// Follows a function. Returns `None` if it still waits.
    fn function(&mut self, body: &Body, step: usize, prefix: &str) -> Option<Over> {
        self.function_with(body, body.start, step, prefix)
    }

    /// Follows a function whose variable begins with another value.
    fn function_with(&mut self, body: &Body, a: u64, step: usize, prefix: &str) -> Option<Over> {
        let mut frame = Frame { a, step };
        let result = match self.statements(&body.statements, &mut frame, prefix) {
            Ok(()) => Ok(frame.a),
            Err(Stop::Thrown(thrown)) => Err(thrown),
            Err(Stop::Waits) => return None,
        };
        Some(Over { step: frame.step, result })
    }

    fn statements(&mut self, statements: &[Statement], frame: &mut Frame, prefix: &str) -> Result<(), Stop> {
        statements.iter().try_for_each(|statement| self.statement(statement, frame, prefix))
    }

    fn statement(&mut self, statement: &Statement, frame: &mut Frame, prefix: &str) -> Result<(), Stop> {
        match statement {
            Statement::Call(number, kind) => {
                let passed = frame.a;
                let value = self.call(format!("{prefix}n{number}"), kind.path(), frame, passed)?;
                frame.a = mix(frame.a, value);
            }
            Statement::Same(number, kind, passed) => {
                let label = format!("{prefix}n{number}");
                self.expected.logs.push((frame.step, format!("{label}?")));
                let value = self.call(label, kind.path(), frame, *passed)?;
                frame.a = mix(frame.a, value);
            }
            Statement::Sleep(number, time) => {
                let line = format!("{prefix}n{number}!");
                let &place = self.record.lines.get(&line).ok_or(Stop::Waits)?;
                let (step, _) = self.record.logs[place];
                self.later(&line, step, frame)?;
                self.expected.logs.push((step, line));
                frame.a = mix(frame.a, time % 7);
            }
            Statement::Clear => {}
            Statement::Log(number) => {
                self.expected.logs.push((frame.step, format!("{prefix}n{number}={}", frame.a)));
            }
            Statement::Throw => return Err(Stop::Thrown(Thrown::Boom)),
            Statement::If(then, otherwise) => {
                let taken = if frame.a.is_multiple_of(2) { then } else { otherwise };
                self.statements(taken, frame, prefix)?;
            }
            Statement::Loop(number, times, body) => {
                for round in 0..*times {
                    self.statements(body, frame, &format!("{prefix}n{number}.{round}/"))?;
                }
            }
            Statement::Try(body, handler) => match self.statements(body, frame, prefix) {
                Err(Stop::Thrown(thrown)) => {
                    frame.a = mix(frame.a, thrown as u64);
                    self.statements(handler, frame, prefix)?;
                }
                other => other?,
            },
            Statement::Nested(body) => {
                let over = self.function(body, frame.step, prefix).ok_or(Stop::Waits)?;
                frame.step = over.step;
                frame.a = mix(frame.a, over.result.map_err(Stop::Thrown)?);
            }
            Statement::Step(number, body) => {
                let over = self.function(body, frame.step, prefix).ok_or(Stop::Waits)?;
                frame.step = over.step;
                let value = over.result.map_err(Stop::Thrown)?;
                let named = self.call(format!("{prefix}n{number}"), STEP, frame, value)?;
                frame.a = mix(frame.a, named);
            }
            Statement::Run(number, which) => {
                let value = self.run(format!("{prefix}n{number}"), *which, frame)?;
                frame.a = mix(frame.a, value);
            }
            Statement::Together(together) => self.together(together, frame, prefix)?,
        }
        Ok(())
    }

    /// Follows a snippet from the step that delivers its start until it has returned.
    fn run(&mut self, label: String, which: usize, frame: &mut Frame) -> Result<u64, Stop> {
        let (passed, snippets) = (frame.a, self.snippets);
        let started = self.record.calls.get(&label).and_then(|call| call.snippet.as_ref());
        let Some(started) = started else { return self.call(label, RUN, frame, passed) };
        if *started != snippet_name(which) {
            self.expected.oddities.push(format!("{label} runs `{started}` instead of `{}`", snippet_name(which)));
        }
        let prefix = format!("{label}{CHILD}");
        self.expected.calls.push((frame.step, label.clone(), RUN, passed));
        let begun = self.record.calls.get(&label).and_then(|call| call.delivered).ok_or(Stop::Waits)?;
        self.later(&label, begun, frame)?;
        let over = self.function_with(&snippets[which], passed, begun, &prefix).ok_or(Stop::Waits)?;
        frame.step = over.step;
        self.expected.ends.push((over.step, end_of_snippet(&label, over.result.err().map(Thrown::code))));
        over.result.map_err(|thrown| {
            Stop::Thrown(match thrown {
                Thrown::Boom | Thrown::Aggregate | Thrown::Child => Thrown::Child,
                Thrown::Tool | Thrown::Denied | Thrown::Unknown | Thrown::Late => thrown,
            })
        })
    }

    fn call(&mut self, label: String, path: &'static str, frame: &mut Frame, passed: u64) -> Result<u64, Stop> {
        self.expected.calls.push((frame.step, label.clone(), path, passed));
        let Some(call) = self.record.calls.get(&label) else { return Err(Stop::Waits) };
        let (Some(step), Some(settled)) = (call.delivered, call.settled) else { return Err(Stop::Waits) };
        self.later(&label, step, frame)?;
        settled.map_err(Stop::Thrown)
    }

    /// Continues in the later step in which the awaited result arrives.
    fn later(&mut self, label: &str, step: usize, frame: &mut Frame) -> Result<(), Stop> {
        if step <= frame.step {
            self.expected.oddities.push(format!("{label} came in step {step}, and was awaited in {}", frame.step));
            return Err(Stop::Waits);
        }
        frame.step = step;
        Ok(())
    }

    fn together(&mut self, together: &Together, frame: &mut Frame, prefix: &str) -> Result<(), Stop> {
        let Together { number, how, waits_for_all, branches } = together;
        let mut over = Vec::new();
        for (place, body) in branches.iter().enumerate() {
            let branch = self.function(body, frame.step, prefix);
            let sign = |branch: Over| if branch.result.is_ok() { '+' } else { '-' };
            let line = branch.map(|branch| format!("{prefix}n{number}#{place}{}", sign(branch)));
            self.expected.logs.extend(branch.map(|branch| branch.step).zip(line.clone()));
            // The log shows the order of functions that ended in the same step.
            let order = line.and_then(|line| self.record.lines.get(&line).copied()).unwrap_or(usize::MAX);
            over.push(branch.map(|branch| (branch, order)));
        }
        let last = over.iter().map(|one| one.map(|(branch, _)| branch.step)).max().flatten();
        let all_over = over.iter().all(Option::is_some);
        let first = |is_wanted: fn(&Over) -> bool| {
            let wanted = over.iter().flatten().filter(|(branch, _)| is_wanted(branch));
            wanted.min_by_key(|(branch, order)| (branch.step, *order)).map(|(branch, _)| *branch)
        };
        let ended = |result| if all_over { last.map(|step| Over { step, result }) } else { None };
        let values = || over.iter().flatten().map(|(branch, _)| branch.result);
        let awaited = match how {
            Combinator::All => {
                first(|branch| branch.result.is_err()).or_else(|| ended(Ok(values().flatten().fold(0, mix))))
            }
            Combinator::AllSettled => ended(Ok(values()
                .map(|result| result.map_or_else(|thrown| mix(2, thrown as u64), |value| mix(1, value)))
                .fold(0, mix))),
            Combinator::Any => first(|branch| branch.result.is_ok()).or_else(|| ended(Err(Thrown::Aggregate))),
            Combinator::Race => first(|_| true),
        };
        let awaited = awaited.ok_or(Stop::Waits)?;
        frame.step = match (waits_for_all, all_over, last) {
            (false, _, _) => awaited.step,
            (true, true, Some(last)) => last,
            (true, _, _) => return Err(Stop::Waits),
        };
        frame.a = mix(frame.a, awaited.result.map_err(Stop::Thrown)?);
        Ok(())
    }
}
