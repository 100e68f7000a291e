//! Records the tool calls of a file, after its names are known.

use std::borrow::Cow;
use std::collections::HashSet;

use oxc::{
    ast::{
        AstKind,
        ast::{BindingPattern, CallExpression, PropertyKey},
    },
    span::Span,
};

use super::{
    FileSurvey, MAXIMUM_CALLS, MAXIMUM_VALUES, Places, Surveyor, Walked,
    certainty::{Called, Certainties},
    context::{Fate, Main, fate, is_ignored, is_of_every_promise},
    literal::{self, Budget},
    names::{Chain, chain, root},
    regions::{Course, Function, RegionId, is_result},
    resolution::contains,
    scopes::{BindingId, Meaning},
    usage::{Origin, Reference, Step, Usage, usage},
    walk::{is_special, is_usual},
};
use crate::{Handling, Promised, Reach, Read, SeenCall};

/// The maximum number of aliases that are followed to a tool.
const MAXIMUM_ALIASES: usize = 8;
/// The maximum number of properties that are recorded of one result.
const MAXIMUM_READS: usize = 32;
/// The maximum length of a chain of functions that call each other. What is behind is not certain.
const MAXIMUM_ROUNDS: usize = 8;

/// A call that may be one of a tool.
pub(super) struct Candidate<'a> {
    call: &'a CallExpression<'a>,
    callee: Chain<'a>,
    region: RegionId,
    fate: Fate,
    is_result: bool,
    /// Whether what becomes of the promise is dropped.
    is_ignored: bool,
    /// What is read of the awaited result where the call is made.
    reads: Vec<ReadAtOnce<'a>>,
    /// The names of the namespaces around the call.
    namespaces: Vec<Span>,
}

/// A property that is read of a result where the call is made.
struct ReadAtOnce<'a> {
    steps: Steps<'a>,
    /// The range of the variable that it becomes.
    variable: Option<Span>,
}

/// The names from a result to one of its parts, each with its range.
type Steps<'a> = Vec<(Step<'a>, Span)>;

/// What is known of a file for all of its calls.
struct Outlook<'p, 't, 's> {
    certainties: Certainties,
    /// The functions that are the program.
    mains: Vec<Span>,
    /// Whether the program asks which tools there are.
    probes: bool,
    places: &'p Places<'t, 's>,
}

impl Outlook<'_, '_, '_> {
    fn reach(&self, region: RegionId) -> Reach {
        let certainty = self.certainties.of(region);
        match certainty.is_certain && !(self.probes && certainty.is_behind_if) {
            true => Reach::Certain,
            false => Reach::Branch,
        }
    }
}

impl<'a> Surveyor<'a, '_> {
    /// Notes a call whose function is a chain of names with a known root.
    pub(super) fn note_candidate(&mut self, call: &'a CallExpression<'a>) {
        if self.walk.candidates.len() >= MAXIMUM_CALLS || call.optional {
            return;
        }
        let Some(root) = root(&call.callee) else { return };
        if !self.scopes.may_be_alias(root.name) && !is_special(root.name.as_str(), self.walk.wanted) {
            return;
        }
        let Some(callee) = chain(&call.callee).filter(|callee| !callee.is_optional) else { return };
        if is_never_a_tool(&callee) {
            return;
        }
        let fate = fate(&self.ancestors, call.span);
        let reads = match fate {
            Fate::Awaited => reads_at_once(&self.ancestors),
            Fate::Returned | Fate::Dropped | Fate::Unawaited(_) | Fate::Elsewhere => Vec::new(),
        };
        let is_result = is_result(&self.ancestors, call.span, self.walk.entry.result);
        let is_ignored = match fate {
            Fate::Elsewhere => !is_result && is_ignored(&self.ancestors, call.span),
            Fate::Awaited | Fate::Returned | Fate::Dropped | Fate::Unawaited(_) => false,
        };
        let region = self.walk.regions.current();
        let namespaces = self.ancestors.iter().filter_map(|kind| match kind {
            AstKind::TSNamespaceDeclaration(namespace) => Some(namespace.id.span),
            _ => None,
        });
        let namespaces = namespaces.collect();
        self.walk.candidates.push(Candidate { call, callee, region, fate, is_result, is_ignored, reads, namespaces });
    }
}

impl<'a> Walked<'a, '_> {
    /// Records the calls of tools among the candidates.
    pub(super) fn judge_calls(&self, namespaces: &[String], places: &Places<'_, '_>, seen: &mut FileSurvey) {
        let paths: Vec<Option<String>> =
            self.walk.candidates.iter().map(|candidate| self.path_of(candidate, namespaces)).collect();
        if paths.iter().all(Option::is_none) || self.is_redefined(namespaces) {
            return;
        }
        let mains = self.mains();
        let outlook = Outlook { certainties: self.certainties(&mains), mains, probes: self.probes(), places };
        let mut budget = Budget(MAXIMUM_VALUES);
        for (candidate, path) in self.walk.candidates.iter().zip(paths) {
            let Some(path) = path else { continue };
            let certainty = outlook.certainties.of(candidate.region);
            if certainty.is_dead || self.is_unused(candidate.region, &outlook.mains) {
                continue;
            }
            let (promise, reads) = self.uses_of(candidate, &path, &outlook);
            let is_direct = match candidate.fate {
                Fate::Awaited | Fate::Returned | Fate::Dropped | Fate::Unawaited(_) => true,
                Fate::Elsewhere => false,
            };
            if certainty.is_nested || !is_direct {
                seen.exposed.push(seen.survey.calls.len());
            }
            seen.survey.calls.push(SeenCall {
                path,
                place: places.at(candidate.callee.last.start),
                arguments: literal::arguments(&candidate.call.arguments, &mut budget),
                reach: outlook.reach(candidate.region),
                handling: match certainty.is_handled || candidate.is_ignored {
                    true => Handling::Handled,
                    false => Handling::Unhandled,
                },
                promise,
                reads,
            });
        }
    }

    /// Finds out what is certain of every region: which functions are called from code that certainly runs.
    fn certainties(&self, mains: &[Span]) -> Certainties {
        let is_main = |function: &Function<'a>| mains.contains(&function.span);
        let mut called = Called::default();
        let mut certainties = Certainties::find(&self.walk.regions, is_main, &called);
        for _ in 0..MAXIMUM_ROUNDS {
            let mut has_more = false;
            for (region, function) in self.walk.regions.functions() {
                if !called.contains(region) && self.is_called(function, &certainties) {
                    called.insert(region);
                    has_more = true;
                }
            }
            if !has_more {
                break;
            }
            certainties = Certainties::find(&self.walk.regions, is_main, &called);
        }
        certainties
    }

    /// Returns the functions that are the program.
    fn mains(&self) -> Vec<Span> {
        let (main, name) = match self.walk.main {
            Some(Main::Function(span)) => (Some(span), None),
            Some(Main::Name(name)) => (None, Some(name)),
            None => (None, None),
        };
        let names = name.into_iter().chain(self.walk.entry.called);
        let named = names.filter_map(|name| match self.names.declared_in(name, self.walk.file)?.origin {
            Origin::Function(span) => Some(span),
            Origin::Unknown | Origin::Promise(_) | Origin::Result(_) | Origin::Part | Origin::Alias(..) => None,
        });
        main.into_iter().chain(named).collect()
    }

    /// Checks whether some code that certainly runs calls a function by its name, and lets it run to its end.
    fn is_called(&self, function: &Function<'a>, certainties: &Certainties) -> bool {
        let Some(owner) = function.owner else { return false };
        let Some(binding) = self.names.declared_at(owner.span) else { return false };
        let is_own = match self.names.binding(binding).origin {
            Origin::Function(span) => span == function.span && self.names.is_sole(binding),
            Origin::Unknown | Origin::Promise(_) | Origin::Result(_) | Origin::Part | Origin::Alias(..) => false,
        };
        if !is_own {
            return false;
        }
        let mut is_called = false;
        for reference in self.names.uses_of(binding) {
            match reference.usage {
                Usage::Written => return false,
                Usage::Called { is_waited_for } => {
                    let certainty = certainties.of(reference.region);
                    let ends = match function.course {
                        Course::Whole => true,
                        Course::Async => is_waited_for,
                        Course::Generator => false,
                    };
                    let is_recursive = contains(owner.declaration, reference.span);
                    is_called |= certainty.is_certain && !certainty.is_handled && ends && !is_recursive;
                }
                Usage::Shown | Usage::Whole { .. } | Usage::Read { .. } => {}
            }
        }
        is_called
    }

    /// Returns the path of the tool that a candidate calls.
    fn path_of(&self, candidate: &Candidate<'a>, namespaces: &[String]) -> Option<String> {
        let callee = &candidate.callee;
        let (mut root, mut at) = (callee.root.name.as_str(), callee.root.span);
        let mut names = Cow::Borrowed(callee.names());
        for _ in 0..MAXIMUM_ALIASES {
            let binding = match self.names.meaning(at)? {
                // What one block of a namespace exports is visible in its other blocks.
                Meaning::Global if candidate.namespaces.iter().any(|name| self.has_other_blocks(*name)) => return None,
                Meaning::Global => return global_path(root, names, namespaces),
                Meaning::Declared(binding) => binding,
            };
            let Origin::Alias(of, span, path) = &self.names.binding(binding).origin else { return None };
            if !self.names.is_sole(binding) {
                return None;
            }
            names.to_mut().splice(0..0, path.iter().copied());
            (root, at) = (of, *span);
        }
        None
    }

    /// Checks whether the namespace with this name may have another block.
    fn has_other_blocks(&self, name: Span) -> bool {
        self.names.declared_at(name).is_none_or(|binding| !self.names.is_sole(binding))
    }

    /// Checks whether the file assigns to a name of tools, or defines a property of the global object.
    fn is_redefined(&self, namespaces: &[String]) -> bool {
        let is_defined = ["globalThis", "global", "self"]
            .into_iter()
            .any(|name| self.names.global_uses(name).any(|one| !matches!(one.usage, Usage::Read { .. })));
        let mut ours = std::iter::once("tools").chain(namespaces.iter().map(String::as_str));
        is_defined || ours.any(|name| self.names.global_uses(name).any(|one| matches!(one.usage, Usage::Written)))
    }

    /// Checks whether the file asks which tools there are.
    fn probes(&self) -> bool {
        let is_probe = |one: &Reference<'a>| match &one.usage {
            Usage::Read { steps, is_called, .. } => {
                let is_search = matches!(steps.as_slice(), [(Step::Property("search" | "describe"), _)]);
                !is_called || is_search
            }
            Usage::Shown | Usage::Whole { .. } | Usage::Called { .. } | Usage::Written => true,
        };
        self.names.uses("codemode").next().is_some() || self.names.uses("tools").any(is_probe)
    }

    /// Checks whether a region is in a function that the program never uses.
    fn is_unused(&self, region: RegionId, mains: &[Span]) -> bool {
        self.walk.regions.functions_around(region).any(|function| {
            let Some(owner) = function.owner else { return false };
            let is_main = self.walk.entry.called == Some(owner.name) || mains.contains(&function.span);
            !is_main && !self.names.is_used_outside(owner.name, owner.declaration)
        })
    }

    /// Returns what becomes of a call's promise, and what the program reads of its result.
    fn uses_of(&self, candidate: &Candidate<'a>, path: &str, outlook: &Outlook<'_, '_, '_>) -> (Promised, Vec<Read>) {
        let place = |span: Span| outlook.places.at(span.start);
        let has_pages = path.ends_with(".pages");
        let bound = self.bound_to(candidate.call.span);
        let promise = match candidate.fate {
            Fate::Dropped if !candidate.is_result => Promised::Dropped,
            Fate::Unawaited(span) if !has_pages => Promised::Unawaited(place(span)),
            Fate::Awaited | Fate::Returned | Fate::Dropped | Fate::Unawaited(_) => Promised::Used,
            Fate::Elsewhere => match self.uses_of_promise(bound) {
                Some(None) => Promised::Dropped,
                Some(Some(span)) if !has_pages => Promised::Unawaited(place(span)),
                Some(Some(_)) | None => Promised::Used,
            },
        };
        let at_once = candidate.reads.iter().filter(|read| !self.is_tested_later(read)).take(MAXIMUM_READS);
        let mut reads: Vec<(&[(Step<'a>, Span)], RegionId)> =
            at_once.map(|read| (read.steps.as_slice(), candidate.region)).collect();
        reads.extend(self.reads_of_result(bound));
        reads.truncate(MAXIMUM_READS);
        let read = |(steps, region): (&[(Step<'a>, Span)], RegionId)| Read {
            names: steps.iter().map(|(step, _)| step.to_name()).collect(),
            places: steps.iter().map(|(_, span)| place(*span)).collect(),
            reach: outlook.reach(region),
        };
        (promise, reads.into_iter().map(read).collect())
    }

    /// Returns the constant that a call's promise or result becomes.
    fn bound_to(&self, call: Span) -> Option<BindingId> {
        self.names.of_call(call).filter(|binding| self.names.is_sole(*binding))
    }

    /// Returns the first use of a constant that is the promise of a call, if all uses read properties of results. Returns
    /// `None` if the promise is not a constant, or is used in another way.
    fn uses_of_promise(&self, bound: Option<BindingId>) -> Option<Option<Span>> {
        let is_promise = |bound: &BindingId| matches!(self.names.binding(*bound).origin, Origin::Promise(_));
        let binding = bound.filter(is_promise)?;
        let mut first = None;
        for reference in self.names.uses_of(binding) {
            let Usage::Read { steps, .. } = &reference.usage else { return None };
            let (step, span) = steps.first()?;
            if matches!(step, Step::Property(name) if is_of_every_promise(name)) {
                return None;
            }
            first = first.or(Some(*span));
        }
        Some(first)
    }

    /// Returns what is read of a constant that is the result of a call. Returns nothing if the result may have changed. What the
    /// program tests may be missing, so nothing is said about what is below it.
    fn reads_of_result(&self, bound: Option<BindingId>) -> Vec<(&[(Step<'a>, Span)], RegionId)> {
        let is_result = |bound: &BindingId| matches!(self.names.binding(*bound).origin, Origin::Result(_));
        let Some(binding) = bound.filter(is_result) else { return Vec::new() };
        let mut reads = Vec::new();
        let mut tested: HashSet<Step<'a>> = HashSet::new();
        for reference in self.names.uses_of(binding) {
            match &reference.usage {
                Usage::Shown => {}
                Usage::Whole { .. } | Usage::Called { .. } | Usage::Written => return Vec::new(),
                // A test of a property is one of the properties above it.
                Usage::Read { steps, is_tested: true, .. } => tested.extend(steps.first().map(|(step, _)| *step)),
                Usage::Read { steps, .. } => reads.push((steps.as_slice(), reference.region)),
            }
        }
        reads.retain(|(steps, _)| steps.first().is_some_and(|(step, _)| !tested.contains(step)));
        reads
    }

    /// Checks whether the program tests the variable that a property becomes: the property may be missing then.
    fn is_tested_later(&self, read: &ReadAtOnce<'a>) -> bool {
        let Some(variable) = read.variable else { return false };
        let Some(binding) = self.names.declared_at(variable) else { return true };
        self.names.uses_of(binding).any(|reference| match &reference.usage {
            Usage::Whole { is_tested } | Usage::Read { is_tested, .. } => *is_tested,
            Usage::Shown | Usage::Called { .. } | Usage::Written => false,
        })
    }
}

/// Returns the path of a tool, which begins with a global.
fn global_path(root: &str, names: Cow<'_, [&str]>, namespaces: &[String]) -> Option<String> {
    match root {
        _ if is_no_path(&names) => None,
        "tools" if names.first() == Some(&"codemode") => None,
        "tools" => Some(names.join(".")),
        _ if namespaces.iter().any(|namespace| namespace == root) => {
            let all: Vec<&str> = std::iter::once(root).chain(names.iter().copied()).collect();
            Some(all.join("."))
        }
        _ => None,
    }
}

/// Checks whether a call is one of the usual functions of the language.
fn is_never_a_tool(callee: &Chain<'_>) -> bool {
    let root = callee.root.name.as_str();
    is_usual(root) || root == "codemode" || is_no_path(callee.names()) || (callee.names().is_empty() && root != "tools")
}

/// Checks whether names are not those of a tool: the engine gives nothing for some of them, and for others the functions that
/// every object has.
fn is_no_path(names: &[&str]) -> bool {
    names.iter().any(|name| matches!(*name, "then" | "toJSON" | "toString" | "valueOf"))
}

/// Returns what is read of an awaited result where it is awaited: `(await call).name`, or `const { name } = await call`.
fn reads_at_once<'a>(ancestors: &[AstKind<'a>]) -> Vec<ReadAtOnce<'a>> {
    let Some(index) = ancestors.iter().rposition(|kind| matches!(kind, AstKind::AwaitExpression(_))) else {
        return Vec::new();
    };
    let between = &ancestors[index + 1..];
    let AstKind::AwaitExpression(awaited) = ancestors[index] else { return Vec::new() };
    if !between.iter().all(|kind| matches!(kind, AstKind::ParenthesizedExpression(_))) {
        return Vec::new();
    }
    match usage(&ancestors[..index], awaited.span) {
        Usage::Read { steps, is_tested: false, .. } => return vec![ReadAtOnce { steps, variable: None }],
        Usage::Read { .. } | Usage::Shown | Usage::Whole { .. } | Usage::Called { .. } | Usage::Written => {}
    }
    let Some(AstKind::VariableDeclarator(declarator)) = ancestors[..index].last() else { return Vec::new() };
    let BindingPattern::ObjectPattern(pattern) = &declarator.id else { return Vec::new() };
    let named = pattern.properties.iter().filter_map(|property| {
        let PropertyKey::StaticIdentifier(name) = &property.key else { return None };
        let BindingPattern::BindingIdentifier(variable) = &property.value else { return None };
        let steps = vec![(Step::Property(name.name.as_str()), name.span)];
        Some(ReadAtOnce { steps, variable: Some(variable.span) })
    });
    named.collect()
}
