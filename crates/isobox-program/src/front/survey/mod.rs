//! Surveys a parsed file in one walk: its tool calls, and what the rules of the host object to.
//!
//! Only what is certain from the text is recorded. A name that may mean something else, a path that is computed, an alias
//! that cannot be followed: about these nothing is said.

mod calls;
mod certainty;
mod chains;
mod context;
mod leaving;
mod literal;
mod names;
mod regions;
mod resolution;
mod rules;
mod scopes;
mod usage;
mod walk;

use oxc::{ast::ast::Program, ast_visit::Visit, span::Span};

use super::{
    text::{Lines, Text},
    trivia::has,
};
use crate::{Handling, Place, Reach, Rules, Survey, Violation};
use calls::Candidate;
use context::Main;
use regions::Regions;
use rules::{MemberOfGlobal, TakenGlobal, Violations};
use scopes::{Resolved, Scopes};

/// The maximum number of calls that are recorded of a file.
const MAXIMUM_CALLS: usize = 256;
/// The maximum number of values in the arguments of all calls of a file.
const MAXIMUM_VALUES: usize = 4096;

/// What to look for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'t> {
    /// The globals that are namespaces of tools, beside `tools`. `None` if tool calls are not surveyed.
    pub(super) namespaces: Option<&'t [String]>,
    pub(super) rules: &'t Rules,
}

impl Wanted<'_> {
    /// Checks whether there is nothing to look for.
    pub(super) fn is_nothing(&self) -> bool {
        self.namespaces.is_none() && self.rules.is_empty()
    }

    /// Checks whether a text may have calls of tools. Without a mention of them, nothing needs to be looked for.
    fn is_mentioned_in(&self, code: &str) -> bool {
        /// The maximum number of namespaces that are searched for.
        const SEARCHED: usize = 8;
        let namespaces = self.namespaces.unwrap_or_default();
        // An escape may be part of a name.
        namespaces.len() > SEARCHED
            || ["tools", "\\u"].iter().any(|word| has(code, word))
            || namespaces.iter().any(|namespace| has(code, namespace))
    }
}

/// What is known about a file apart from its text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entry<'a> {
    /// The range of the expression that is the program's result.
    pub(super) result: Option<(usize, usize)>,
    /// The name of the function that is called to run the program.
    pub(super) called: Option<&'a str>,
    /// Whether the program starts with the file.
    pub(super) is_start: bool,
}

/// What was seen in one file.
#[derive(Debug, Default)]
pub(super) struct FileSurvey {
    pub(super) survey: Survey,
    /// The calls whose failure is handled if any code of the program handles failures.
    exposed: Vec<usize>,
    /// Whether some code of the file handles failures.
    pub(super) handles: bool,
}

impl FileSurvey {
    /// Makes all calls uncertain, because the file may never be imported.
    pub(super) fn make_uncertain(&mut self) {
        self.survey.calls.iter_mut().for_each(|call| call.reach = Reach::Branch);
    }

    /// Combines what was seen in the files of a program.
    pub(super) fn combine(all: impl Iterator<Item = Self>, has_foreign_code: bool) -> Survey {
        let all: Vec<Self> = all.collect();
        let handles = has_foreign_code || all.iter().any(|seen| seen.handles);
        let mut survey = Survey::default();
        for mut seen in all {
            if handles {
                for index in seen.exposed {
                    seen.survey.calls[index].handling = Handling::Handled;
                }
            }
            survey.calls.append(&mut seen.survey.calls);
            survey.violations.append(&mut seen.survey.violations);
        }
        survey
    }
}

/// Surveys a file.
pub(super) fn survey(text: &Text<'_>, program: &Program<'_>, wanted: Wanted<'_>, entry: Entry<'_>) -> FileSurvey {
    if wanted.rules.is_empty() && !wanted.is_mentioned_in(text.code) {
        let handles = ["catch", "then", "finally", "Promise"].iter().any(|word| has(text.code, word));
        return FileSurvey { handles, ..FileSurvey::default() };
    }
    let walk = Walk {
        wanted,
        regions: Regions::default(),
        candidates: Vec::new(),
        violations: Violations::default(),
        taken: Vec::new(),
        members: Vec::new(),
        main: context::main_function(program).filter(|_| entry.is_start),
        file: program.span,
        entry,
    };
    let (ancestors, scopes) = (Vec::with_capacity(64), Scopes::of_text(text.code.len()));
    let mut surveyor = Surveyor { walk, ancestors, scopes, handles: false };
    surveyor.visit_program(program);
    let mut seen = FileSurvey { handles: surveyor.handles, ..FileSurvey::default() };
    if surveyor.walk.candidates.is_empty() && wanted.rules.is_empty() {
        return seen;
    }
    let places = Places { text, lines: Lines::of(text.whole) };
    let mut walked = Walked { walk: surveyor.walk, names: surveyor.scopes.resolve() };
    if let Some(namespaces) = wanted.namespaces {
        walked.judge_calls(namespaces, &places, &mut seen);
    }
    if !wanted.rules.is_empty() {
        walked.judge_names();
        walked.judge_members();
        let violation = |(offset, rule, found)| Violation { found, rule, place: places.at(offset) };
        seen.survey.violations = walked.walk.violations.into_first().map(violation).collect();
    }
    seen
}

/// Walks through a file.
struct Surveyor<'a, 't> {
    walk: Walk<'a, 't>,
    ancestors: Vec<oxc::ast::AstKind<'a>>,
    scopes: Scopes<'a>,
    handles: bool,
}

/// A file behind the walk: what its names mean is known.
struct Walked<'a, 't> {
    walk: Walk<'a, 't>,
    names: Resolved<'a>,
}

/// What a walk through a file looks for, and what it has seen.
struct Walk<'a, 't> {
    wanted: Wanted<'t>,
    regions: Regions<'a>,
    candidates: Vec<Candidate<'a>>,
    violations: Violations,
    taken: Vec<TakenGlobal<'a>>,
    members: Vec<MemberOfGlobal>,
    /// The function that is the program.
    main: Option<Main<'a>>,
    /// The range of the file.
    file: Span,
    entry: Entry<'t>,
}

/// Turns offsets into places of the author's text.
struct Places<'t, 's> {
    text: &'t Text<'s>,
    lines: Lines<'s>,
}

impl Places<'_, '_> {
    fn at(&self, offset: u32) -> Place {
        let position = self.lines.position(self.text.start + (offset as usize).min(self.text.code.len()));
        Place { file: self.text.path.to_owned(), line: position.line, column: position.column }
    }
}
