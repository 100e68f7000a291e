//! Records the tool calls of a file, after its names are known.

use std::collections::HashSet;

use oxc::{
    ast::{
        AstKind,
        ast::{BindingPattern, CallExpression, PropertyKey},
    },
    span::Span,
};

use super::{
    Entry, FileSurvey, MAXIMUM_CALLS, Surveyor,
    context::{Context, Fate, context, fate},
    literal,
    names::{Chain, chain},
    place,
    scopes::Origin,
    usage::{Reference, Step, Usage, usage},
};
use crate::front::text::Text;
use crate::{Handling, Literal, Name, Promised, Reach, Read, SeenCall};

/// The maximum number of aliases that are followed to a tool.
const MAXIMUM_ALIASES: usize = 8;
/// The maximum number of properties that are recorded of one result.
const MAXIMUM_READS: usize = 32;

/// A call that may be one of a tool.
pub(super) struct Candidate<'a> {
    span: Span,
    callee: Chain<'a>,
    arguments: Option<Vec<Literal>>,
    context: Context<'a>,
    fate: Fate,
    /// What is read of the awaited result where the call is made.
    reads: Vec<ReadAtOnce<'a>>,
}

/// A property that is read of a result where the call is made.
struct ReadAtOnce<'a> {
    steps: Steps<'a>,
    /// The variable that it becomes.
    variable: Option<(&'a str, Span)>,
}

/// The names from a result to one of its parts, each with its range.
type Steps<'a> = Vec<(Step<'a>, Span)>;

impl<'a> Surveyor<'a, '_> {
    /// Notes a call whose function is a chain of names with a known root.
    pub(super) fn note_candidate(&mut self, call: &'a CallExpression<'a>) {
        if self.candidates.len() >= MAXIMUM_CALLS || call.optional {
            return;
        }
        let Some(callee) = chain(&call.callee).filter(|callee| !callee.is_optional) else { return };
        if is_never_a_tool(&callee) {
            return;
        }
        let arguments = literal::arguments(&call.arguments, &mut self.budget);
        let context = context(&self.ancestors, call.span, self.main);
        let fate = fate(&self.ancestors, call.span);
        let reads = match fate {
            Fate::Awaited => reads_at_once(&self.ancestors),
            Fate::Returned | Fate::Dropped | Fate::Unawaited(_) | Fate::Elsewhere => Vec::new(),
        };
        self.candidates.push(Candidate { span: call.span, callee, arguments, context, fate, reads });
    }

    /// Records the calls of tools among the candidates.
    pub(super) fn judge_calls(&self, namespaces: &[String], entry: &Entry<'_>, text: &Text<'_>, seen: &mut FileSurvey) {
        if self.references.iter().any(|one| self.is_redefined(one, namespaces)) {
            return;
        }
        let probes = self.references.iter().any(|one| self.probes(one));
        for candidate in &self.candidates {
            let Some(path) = self.path_of(candidate, namespaces) else { continue };
            let context = &candidate.context;
            if context.is_dead || self.is_unused(context, entry) {
                continue;
            }
            let is_result = entry.result.is_some_and(|(start, end)| {
                start <= candidate.span.start as usize && candidate.span.end as usize <= end
            });
            let (promise, reads) = self.uses_of(candidate, &path, is_result, text);
            let is_direct = match candidate.fate {
                Fate::Awaited | Fate::Returned | Fate::Dropped | Fate::Unawaited(_) => true,
                Fate::Elsewhere => false,
            };
            if context.is_nested || !is_direct {
                seen.exposed.push(seen.survey.calls.len());
            }
            seen.survey.calls.push(SeenCall {
                path,
                place: place(text, candidate.callee.last.start),
                arguments: candidate.arguments.clone(),
                reach: match context.is_branch || (probes && context.is_behind_branch) {
                    true => Reach::Branch,
                    false => Reach::Certain,
                },
                handling: if context.is_handled { Handling::Handled } else { Handling::Unhandled },
                promise,
                reads,
            });
        }
    }

    /// Returns the path of the tool that a candidate calls.
    fn path_of(&self, candidate: &Candidate<'a>, namespaces: &[String]) -> Option<String> {
        let callee = &candidate.callee;
        let (mut root, mut at) = (callee.root.name.as_str(), callee.root.span);
        let mut names = callee.names().to_vec();
        for _ in 0..MAXIMUM_ALIASES {
            let Some(binding) = self.scopes.resolve(root, at) else {
                return match root {
                    "tools" if names.first() == Some(&"codemode") => None,
                    "tools" => Some(names.join(".")),
                    _ if namespaces.iter().any(|namespace| namespace == root) => {
                        Some(std::iter::once(root).chain(names).collect::<Vec<_>>().join("."))
                    }
                    _ => None,
                };
            };
            let Origin::Alias(of, span, path) = &binding.origin else { return None };
            if !self.scopes.is_sole(root, binding) {
                return None;
            }
            names.splice(0..0, path.iter().copied());
            (root, at) = (of, *span);
        }
        None
    }

    /// Checks whether a reference assigns to a name of tools, or defines a property of the global object.
    fn is_redefined(&self, reference: &Reference<'a>, namespaces: &[String]) -> bool {
        let is_ours = |name: &str| name == "tools" || namespaces.iter().any(|namespace| namespace == name);
        let is_changed = match (reference.name, &reference.usage) {
            ("globalThis" | "global" | "self", Usage::Read { .. }) => false,
            ("globalThis" | "global" | "self", _) => true,
            (name, usage) => is_ours(name) && matches!(usage, Usage::Written),
        };
        is_changed && self.scopes.resolve(reference.name, reference.span).is_none()
    }

    /// Checks whether a reference asks which tools there are.
    fn probes(&self, reference: &Reference<'a>) -> bool {
        match reference.name {
            "codemode" => true,
            "tools" => match &reference.usage {
                Usage::Read { steps, is_called, .. } => {
                    let is_search = matches!(steps.as_slice(), [(Step::Property("search" | "describe"), _)]);
                    !is_called || is_search
                }
                Usage::Shown | Usage::Whole { .. } | Usage::Written => true,
            },
            _ => false,
        }
    }

    /// Checks whether a call is in a function that the program never uses.
    fn is_unused(&self, context: &Context<'a>, entry: &Entry<'_>) -> bool {
        context.owners.iter().any(|(name, span)| {
            let is_main = entry.called == Some(*name) || self.main == Some(*span);
            let is_elsewhere = |one: &&Reference<'a>| one.name == *name && !super::scopes::contains(*span, one.span);
            !is_main && !self.references.iter().any(|one| is_elsewhere(&one))
        })
    }

    /// Returns what becomes of a call's promise, and what the program reads of its result.
    fn uses_of(
        &self,
        candidate: &Candidate<'a>,
        path: &str,
        is_result: bool,
        text: &Text<'_>,
    ) -> (Promised, Vec<Read>) {
        let has_pages = path.ends_with(".pages");
        let promise = match candidate.fate {
            Fate::Dropped if !is_result => Promised::Dropped,
            Fate::Unawaited(span) if !has_pages => Promised::Unawaited(place(text, span.start)),
            Fate::Awaited | Fate::Returned | Fate::Dropped | Fate::Unawaited(_) => Promised::Used,
            Fate::Elsewhere => match self.uses_of_promise(candidate.span) {
                Some(None) => Promised::Dropped,
                Some(Some(span)) if !has_pages => Promised::Unawaited(place(text, span.start)),
                Some(Some(_)) | None => Promised::Used,
            },
        };
        let at_once = candidate.reads.iter().filter(|read| !self.is_tested_later(read));
        let mut reads: Vec<Steps<'a>> = at_once.map(|read| read.steps.clone()).collect();
        reads.extend(self.reads_of_result(candidate.span));
        reads.truncate(MAXIMUM_READS);
        let read = |steps: Steps<'a>| Read {
            names: steps.iter().map(|(step, _)| step.to_name()).collect(),
            places: steps.iter().map(|(_, span)| place(text, span.start)).collect(),
        };
        (promise, reads.into_iter().map(read).collect())
    }

    /// Returns the first use of a constant that is the promise of a call, if all uses read properties of results. Returns
    /// `None` if the promise is not a constant, or is used in another way.
    fn uses_of_promise(&self, call: Span) -> Option<Option<Span>> {
        let (name, binding) = self.scopes.find(|origin| matches!(origin, Origin::Promise(span) if *span == call))?;
        if !self.scopes.is_sole(name, binding) {
            return None;
        }
        let mut first = None;
        for reference in self.references_to(name, binding.span) {
            let Usage::Read { steps, .. } = &reference.usage else { return None };
            let (step, span) = steps.first()?;
            if matches!(step, Step::Property("then" | "catch" | "finally")) {
                return None;
            }
            first = first.or(Some(*span));
        }
        Some(first)
    }

    /// Returns what is read of a constant that is the result of a call. Returns nothing if the result may have changed, or
    /// if a part may be missing because the program tests it.
    fn reads_of_result(&self, call: Span) -> Vec<Steps<'a>> {
        let found = self.scopes.find(|origin| matches!(origin, Origin::Result(span) if *span == call));
        let Some((name, binding)) = found else { return Vec::new() };
        if !self.scopes.is_sole(name, binding) {
            return Vec::new();
        }
        let mut reads = Vec::new();
        let mut tested: HashSet<Vec<Name>> = HashSet::new();
        let names = |steps: &[(Step<'a>, Span)]| steps.iter().map(|(step, _)| step.to_name()).collect::<Vec<_>>();
        for reference in self.references_to(name, binding.span) {
            match &reference.usage {
                Usage::Shown => {}
                Usage::Whole { .. } | Usage::Written => return Vec::new(),
                Usage::Read { steps, is_tested: true, .. } => {
                    let names = names(steps);
                    tested.extend((1..=names.len()).map(|length| names[..length].to_vec()));
                }
                Usage::Read { steps, .. } => reads.push(steps.clone()),
            }
        }
        for steps in &mut reads {
            let known = names(steps);
            let length = (1..=known.len()).take_while(|length| !tested.contains(&known[..*length])).count();
            steps.truncate(length);
        }
        reads.retain(|steps| !steps.is_empty());
        reads
    }

    /// Checks whether the program tests the variable that a property becomes: the property may be missing then.
    fn is_tested_later(&self, read: &ReadAtOnce<'a>) -> bool {
        let Some((name, declared)) = read.variable else { return false };
        self.references_to(name, declared).any(|reference| match &reference.usage {
            Usage::Whole { is_tested } | Usage::Read { is_tested, .. } => *is_tested,
            Usage::Shown | Usage::Written => false,
        })
    }

    fn references_to(&self, name: &'a str, declared: Span) -> impl Iterator<Item = &Reference<'a>> {
        let is_same = move |reference: &&Reference<'a>| {
            reference.name == name
                && self.scopes.resolve(name, reference.span).is_some_and(|binding| binding.span == declared)
        };
        self.references.iter().filter(is_same)
    }
}

/// Checks whether a call is one of the usual functions of the language.
fn is_never_a_tool(callee: &Chain<'_>) -> bool {
    let is_usual = matches!(
        callee.root.name.as_str(),
        "console" | "JSON" | "Math" | "Object" | "Array" | "Promise" | "Number" | "String" | "Date" | "codemode"
    );
    // Tools have no such members: the engine says that they are not functions.
    let is_absent = matches!(callee.names().last(), Some(&"then" | &"toJSON"));
    is_usual || is_absent || (callee.names().is_empty() && callee.root.name != "tools")
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
        Usage::Read { .. } | Usage::Shown | Usage::Whole { .. } | Usage::Written => {}
    }
    let Some(AstKind::VariableDeclarator(declarator)) = ancestors[..index].last() else { return Vec::new() };
    let BindingPattern::ObjectPattern(pattern) = &declarator.id else { return Vec::new() };
    let named = pattern.properties.iter().filter_map(|property| {
        let PropertyKey::StaticIdentifier(name) = &property.key else { return None };
        let BindingPattern::BindingIdentifier(variable) = &property.value else { return None };
        let steps = vec![(Step::Property(name.name.as_str()), name.span)];
        Some(ReadAtOnce { steps, variable: Some((variable.name.as_str(), variable.span)) })
    });
    named.collect()
}
