//! The regions of a file: parts of the text that run under the same conditions.
//!
//! The walk opens a region wherever something decides whether the code below runs: a branch, a loop that may have no turns, a
//! function. A call or a use of a name remembers the region that it is in. What is certain of a region is known after the walk,
//! because a function may be called before or behind its text.

use oxc::{
    ast::{
        AstKind,
        ast::{Expression, FunctionType},
    },
    span::{GetSpan, Span},
};

use super::{
    context::{Fate, Owner, declared_as, fate, handles_of_arguments, handles_of_object},
    leaving::{is_left, may_swallow},
};

/// A region of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RegionId(u32);

impl RegionId {
    /// The region of the whole file.
    pub(super) const FILE: Self = Self(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What opens a region.
#[derive(Debug, Clone, Copy)]
pub(super) enum Opening<'a> {
    /// The file.
    File,
    /// A condition, or a place that an earlier statement may leave.
    Branch,
    /// A place that is never reached.
    Dead,
    /// A block whose exceptions are caught. An earlier part of the block may throw.
    Tried,
    /// A promise whose failure is handled.
    Caught,
    /// An `if` in the same list of statements, before this place.
    BehindIf,
    /// A function.
    Function(Function<'a>),
}

impl<'a> Opening<'a> {
    fn function(&self) -> Option<&Function<'a>> {
        match self {
            Self::Function(function) => Some(function),
            Self::File | Self::Branch | Self::Dead | Self::Tried | Self::Caught | Self::BehindIf => None,
        }
    }
}

/// A function, as far as it matters whether it runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Function<'a> {
    pub(super) span: Span,
    /// The name that the program calls it by.
    pub(super) owner: Option<Owner<'a>>,
    pub(super) start: Start,
    pub(super) course: Course,
}

/// How a function starts, apart from calls by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// It is called where it is written, and the program waits for it.
    AtOnce,
    /// It is called where it is written, and the program may end before it does.
    Detached,
    /// Other code decides.
    Elsewhere,
}

/// How far a call of a function takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Course {
    /// It runs to its end.
    Whole,
    /// It runs to its end if its promise is awaited.
    Async,
    /// It runs as far as its consumer wants.
    Generator,
}

/// The regions of a file, in the order of the text: every region is behind the one that it is in.
pub(super) struct Regions<'a> {
    all: Vec<Region<'a>>,
    current: RegionId,
    frames: Vec<Frame>,
    /// Whether some call so far handles failures of promises.
    handles_promises: bool,
}

struct Region<'a> {
    inside: RegionId,
    opening: Opening<'a>,
    /// Whether a branch is open in the same function.
    is_branch: bool,
    is_behind_if: bool,
}

/// A node that ends with another region than it had inside.
struct Frame {
    /// The number of ancestors of the node.
    depth: usize,
    /// The region behind the node.
    behind: RegionId,
    barrier: Barrier,
}

/// What a statement that leaves does not leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Barrier {
    None,
    Switch,
    Loop,
    Function,
}

impl Default for Regions<'_> {
    fn default() -> Self {
        let file = Region { inside: RegionId::FILE, opening: Opening::File, is_branch: false, is_behind_if: false };
        Self { all: vec![file], current: RegionId::FILE, frames: Vec::new(), handles_promises: false }
    }
}

impl<'a> Regions<'a> {
    /// Returns the region of the place where the walk is.
    pub(super) fn current(&self) -> RegionId {
        self.current
    }

    /// Checks whether a node may open a region below its parent. This is asked of every node.
    pub(super) fn are_opened_by(&self, parent: Option<&AstKind<'a>>, kind: &AstKind<'a>) -> bool {
        let decides = match parent {
            Some(AstKind::CallExpression(_)) => self.handles_promises,
            Some(parent) => may_decide(parent),
            None => true,
        };
        decides || may_open(kind)
    }

    /// Checks whether a node with so many ancestors may close a region. This is asked of every node.
    pub(super) fn are_closed_by(&self, ancestors: usize, kind: &AstKind<'a>) -> bool {
        self.frames.last().is_some_and(|frame| frame.depth == ancestors || may_leave(kind))
    }

    /// Opens the regions of a node below its ancestors.
    #[inline(never)]
    pub(super) fn enter(&mut self, ancestors: &[AstKind<'a>], kind: AstKind<'a>, result: Option<(usize, usize)>) {
        let opening = ancestors.last().and_then(|parent| condition(*parent, kind, self.handles_promises));
        let (own, barrier) = match kind {
            AstKind::CatchClause(_)
            | AstKind::ChainExpression(_)
            | AstKind::AssignmentPattern(_)
            | AstKind::AssignmentTargetWithDefault(_)
            | AstKind::FormalParameter(_) => (Some(Opening::Branch), Barrier::None),
            AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) => {
                (function(ancestors, kind, result).map(Opening::Function), Barrier::Function)
            }
            AstKind::Program(_) => (None, Barrier::Function),
            AstKind::ForStatement(_)
            | AstKind::ForInStatement(_)
            | AstKind::ForOfStatement(_)
            | AstKind::WhileStatement(_)
            | AstKind::DoWhileStatement(_) => (None, Barrier::Loop),
            AstKind::SwitchStatement(_) => (None, Barrier::Switch),
            _ if opening.is_some() || is_list(&kind) => (None, Barrier::None),
            _ => return,
        };
        self.frames.push(Frame { depth: ancestors.len(), behind: self.current, barrier });
        for opening in opening.into_iter().chain(own) {
            self.current = self.open(self.current, opening);
        }
    }

    /// Notes that a call handles failures of promises: from now on, calls are looked at.
    pub(super) fn note_handler(&mut self) {
        self.handles_promises = true;
    }

    /// Closes the regions of a node. The code behind the node may no longer be certain.
    #[inline(never)]
    pub(super) fn leave(&mut self, ancestors: &[AstKind<'a>], kind: AstKind<'a>) {
        if self.frames.last().is_some_and(|frame| frame.depth == ancestors.len()) {
            self.current = self.frames.pop().map_or(RegionId::FILE, |frame| frame.behind);
        }
        match kind {
            AstKind::ReturnStatement(_) => self.exit(Barrier::Function),
            AstKind::BreakStatement(it) if it.label.is_none() => self.exit(Barrier::Switch),
            AstKind::ContinueStatement(it) if it.label.is_none() => self.exit(Barrier::Loop),
            AstKind::BreakStatement(_) | AstKind::ContinueStatement(_) => self.exit(Barrier::Function),
            AstKind::ThrowStatement(_) | AstKind::IfStatement(_) => {}
            _ => return,
        }
        if ancestors.last().is_some_and(is_list) {
            let opening = if matches!(kind, AstKind::IfStatement(_)) { Opening::BehindIf } else { Opening::Dead };
            self.current = self.open(self.current, opening);
        }
    }

    /// Marks the code behind a statement that leaves, up to a barrier.
    fn exit(&mut self, up_to: Barrier) {
        self.current = self.branch(self.current);
        for index in (0..self.frames.len()).rev() {
            let is_barrier = match self.frames[index].barrier {
                Barrier::None => false,
                Barrier::Switch => up_to == Barrier::Switch,
                Barrier::Loop => matches!(up_to, Barrier::Switch | Barrier::Loop),
                Barrier::Function => true,
            };
            if is_barrier {
                return;
            }
            self.frames[index].behind = self.branch(self.frames[index].behind);
        }
    }

    fn branch(&mut self, region: RegionId) -> RegionId {
        self.open(region, Opening::Branch)
    }

    /// Opens a region, unless it would not differ from the one around it.
    fn open(&mut self, inside: RegionId, opening: Opening<'a>) -> RegionId {
        let outer = &self.all[inside.index()];
        let (is_branch, is_behind_if) = match opening {
            Opening::Branch if outer.is_branch => return inside,
            Opening::BehindIf if outer.is_behind_if => return inside,
            Opening::Branch | Opening::Dead | Opening::Tried => (true, outer.is_behind_if),
            Opening::BehindIf => (outer.is_branch, true),
            Opening::File | Opening::Caught => (outer.is_branch, outer.is_behind_if),
            Opening::Function(_) => (false, outer.is_behind_if),
        };
        let id = RegionId(u32::try_from(self.all.len()).expect("a file has fewer nodes"));
        self.all.push(Region { inside, opening, is_branch, is_behind_if });
        id
    }

    /// Returns all functions, each with its region.
    pub(super) fn functions(&self) -> impl Iterator<Item = (RegionId, &Function<'a>)> {
        let ids = (0..).map(RegionId);
        ids.zip(&self.all).filter_map(|(id, region)| Some((id, region.opening.function()?)))
    }

    /// Returns the functions around a region, from the inside.
    pub(super) fn functions_around(&self, region: RegionId) -> impl Iterator<Item = &Function<'a>> {
        let mut at = Some(region);
        std::iter::from_fn(move || {
            let region = &self.all[at?.index()];
            at = (at != Some(RegionId::FILE)).then_some(region.inside);
            Some(&region.opening)
        })
        .filter_map(Opening::function)
    }

    /// Returns what opened each region, with the region around it. Every region is behind that one.
    pub(super) fn openings(&self) -> impl ExactSizeIterator<Item = (RegionId, &Opening<'a>)> {
        self.all.iter().map(|region| (region.inside, &region.opening))
    }
}

impl Function<'_> {
    /// Checks whether the function is declared before anything runs.
    pub(super) fn is_hoisted(&self) -> bool {
        self.owner.is_some_and(|owner| owner.declaration == self.span)
    }
}

/// Checks whether a node may decide about its children, apart from a call.
fn may_decide(kind: &AstKind<'_>) -> bool {
    matches!(
        kind,
        AstKind::TryStatement(_)
            | AstKind::IfStatement(_)
            | AstKind::ConditionalExpression(_)
            | AstKind::LogicalExpression(_)
            | AstKind::AssignmentExpression(_)
            | AstKind::SwitchCase(_)
            | AstKind::PropertyDefinition(_)
            | AstKind::WhileStatement(_)
            | AstKind::ForStatement(_)
            | AstKind::ForInStatement(_)
            | AstKind::ForOfStatement(_)
    )
}

/// Checks whether a node may open a region of its own.
fn may_open(kind: &AstKind<'_>) -> bool {
    is_list(kind)
        || matches!(
            kind,
            AstKind::CatchClause(_)
                | AstKind::ChainExpression(_)
                | AstKind::AssignmentPattern(_)
                | AstKind::AssignmentTargetWithDefault(_)
                | AstKind::FormalParameter(_)
                | AstKind::Function(_)
                | AstKind::ArrowFunctionExpression(_)
                | AstKind::ForStatement(_)
                | AstKind::ForInStatement(_)
                | AstKind::ForOfStatement(_)
                | AstKind::WhileStatement(_)
                | AstKind::DoWhileStatement(_)
                | AstKind::SwitchStatement(_)
        )
}

/// Checks whether the code behind a node may no longer be certain.
fn may_leave(kind: &AstKind<'_>) -> bool {
    matches!(
        kind,
        AstKind::ReturnStatement(_)
            | AstKind::BreakStatement(_)
            | AstKind::ContinueStatement(_)
            | AstKind::ThrowStatement(_)
            | AstKind::IfStatement(_)
    )
}

/// Checks whether the children of a node are statements that run one after the other.
fn is_list(kind: &AstKind<'_>) -> bool {
    matches!(
        kind,
        AstKind::Program(_)
            | AstKind::FunctionBody(_)
            | AstKind::BlockStatement(_)
            | AstKind::SwitchCase(_)
            | AstKind::StaticBlock(_)
            | AstKind::TSModuleBlock(_)
    )
}

/// Returns what a node decides about its child.
fn condition<'a>(parent: AstKind<'_>, child: AstKind<'_>, handles_promises: bool) -> Option<Opening<'a>> {
    let branch = |is_branch: bool| is_branch.then_some(Opening::Branch);
    let is = |span: Span| child.span() == span;
    match parent {
        AstKind::CallExpression(_) if !handles_promises => None,
        AstKind::CallExpression(it) if is(it.callee.span()) => handles_of_object(it).then_some(Opening::Caught),
        AstKind::CallExpression(it) if handles_of_arguments(it) => Some(Opening::Caught),
        AstKind::CallExpression(it) => branch(handles_of_object(it)),
        AstKind::TryStatement(it) if is(it.block.span) => may_swallow(it).then_some(Opening::Tried),
        AstKind::TryStatement(it) => {
            let is_handler = it.handler.as_ref().is_some_and(|handler| is(handler.span));
            (is_handler && is_left(it)).then_some(Opening::Tried)
        }
        AstKind::IfStatement(it) if is(it.test.span()) => None,
        AstKind::IfStatement(it) => {
            let is_never = matches!(&it.test, Expression::BooleanLiteral(test) if !test.value);
            Some(if is_never && is(it.consequent.span()) { Opening::Dead } else { Opening::Branch })
        }
        AstKind::ConditionalExpression(it) => branch(!is(it.test.span())),
        AstKind::LogicalExpression(it) => branch(is(it.right.span())),
        AstKind::AssignmentExpression(it) => branch(it.operator.is_logical() && is(it.right.span())),
        AstKind::SwitchCase(_) | AstKind::PropertyDefinition(_) => Some(Opening::Branch),
        AstKind::WhileStatement(it) => branch(!is(it.test.span()) && !is_true(&it.test)),
        AstKind::ForStatement(it) => {
            let is_endless = it.test.as_ref().is_none_or(is_true);
            let is_update = it.update.as_ref().is_some_and(|update| is(update.span()));
            branch(is_update || is(it.body.span()) && !is_endless)
        }
        AstKind::ForInStatement(it) => branch(!is(it.right.span())),
        AstKind::ForOfStatement(it) => branch(!is(it.right.span()) && !has_items(&it.right)),
        _ => None,
    }
}

fn is_true(test: &Expression<'_>) -> bool {
    matches!(test, Expression::BooleanLiteral(test) if test.value)
}

/// Checks whether an expression is an array that is written with at least one item.
fn has_items(expression: &Expression<'_>) -> bool {
    let Expression::ArrayExpression(array) = expression.get_inner_expression() else { return false };
    array.elements.iter().any(|element| !element.is_spread())
}

/// Describes a function below its ancestors.
fn function<'a>(ancestors: &[AstKind<'a>], kind: AstKind<'a>, result: Option<(usize, usize)>) -> Option<Function<'a>> {
    let (span, is_async, is_generator, name) = match kind {
        AstKind::Function(it) => {
            let is_declared = it.r#type == FunctionType::FunctionDeclaration;
            let is_exported =
                matches!(ancestors.last(), Some(AstKind::ExportDeclaration(_) | AstKind::ExportDefaultDeclaration(_)));
            let name = it.id.as_ref().filter(|_| is_declared && !is_exported);
            (it.span, it.r#async, it.generator, name.map(|name| Owner::new(name, it.span)))
        }
        AstKind::ArrowFunctionExpression(it) => (it.span, it.r#async, false, None),
        _ => return None,
    };
    let course = match (is_generator, is_async) {
        (true, _) => Course::Generator,
        (false, true) => Course::Async,
        (false, false) => Course::Whole,
    };
    let start = start(ancestors, span, course, result);
    Some(Function { span, owner: name.or_else(|| declared_as(ancestors)), start, course })
}

fn start(ancestors: &[AstKind<'_>], function: Span, course: Course, result: Option<(usize, usize)>) -> Start {
    let mut child = function;
    for (index, kind) in ancestors.iter().enumerate().rev() {
        match kind {
            AstKind::ParenthesizedExpression(_) => child = kind.span(),
            AstKind::CallExpression(call) if call.callee.span() == child && !call.optional => {
                let runs_to_its_end = match course {
                    Course::Whole => true,
                    Course::Async => is_waited_for(&ancestors[..index], call.span, result),
                    Course::Generator => false,
                };
                return if runs_to_its_end { Start::AtOnce } else { Start::Detached };
            }
            _ => return Start::Elsewhere,
        }
    }
    Start::Elsewhere
}

/// Checks whether the program waits for the promise of a call.
pub(super) fn is_waited_for(ancestors: &[AstKind<'_>], call: Span, result: Option<(usize, usize)>) -> bool {
    is_result(ancestors, call, result)
        || match fate(ancestors, call) {
            Fate::Awaited | Fate::Returned => true,
            Fate::Dropped | Fate::Unawaited(_) | Fate::Elsewhere => false,
        }
}

/// Checks whether an expression with this range is the result of the program, or a part of it that is not in a function.
pub(super) fn is_result(ancestors: &[AstKind<'_>], expression: Span, result: Option<(usize, usize)>) -> bool {
    let is_inside =
        |span: Span| result.is_some_and(|(start, end)| start <= span.start as usize && span.end as usize <= end);
    let is_function = |kind: &&AstKind<'_>| matches!(kind, AstKind::Function(_) | AstKind::ArrowFunctionExpression(_));
    is_inside(expression)
        && !ancestors.iter().rev().find(is_function).is_some_and(|function| is_inside(function.span()))
}
