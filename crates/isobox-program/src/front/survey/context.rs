//! Where a call is made: whether it is certain to be made, who handles its failure, and what becomes of its promise.

use oxc::{
    ast::{
        AstKind,
        ast::{
            BindingPattern, CallExpression, ExportDefaultDeclarationKind, Expression, FunctionType, Program, Statement,
            UnaryOperator,
        },
    },
    span::{GetSpan, Span},
};

use super::scopes::contains;

/// Where a call is made.
#[derive(Default)]
pub(super) struct Context<'a> {
    /// Whether the call can never be made.
    pub(super) is_dead: bool,
    /// Whether a condition decides about the call.
    pub(super) is_branch: bool,
    /// Whether the program may have left before, under a condition.
    pub(super) is_behind_branch: bool,
    pub(super) is_handled: bool,
    /// Whether the call is inside a function other than the program itself.
    pub(super) is_nested: bool,
    /// The functions around the call that have a name, with their ranges.
    pub(super) owners: Vec<(&'a str, Span)>,
}

/// What becomes of the promise of a call, as far as the text around the call tells.
pub(super) enum Fate {
    /// The program waits for it at once.
    Awaited,
    /// It is returned.
    Returned,
    /// It is dropped.
    Dropped,
    /// It is used as if it were the result, at this place.
    Unawaited(Span),
    /// It goes somewhere else.
    Elsewhere,
}

/// Returns the function that is the program: the last expression, or the default export.
pub(super) fn main_function(program: &Program<'_>) -> Option<Span> {
    let exported = program.body.iter().find_map(|statement| match statement {
        Statement::ExportDefaultDeclaration(export) => match &export.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => Some(function.span),
            other => other.as_expression().and_then(function_span),
        },
        _ => None,
    });
    exported.or_else(|| match program.body.last()? {
        Statement::ExpressionStatement(last) => function_span(&last.expression),
        Statement::FunctionDeclaration(only) if program.body.len() == 1 => Some(only.span),
        _ => None,
    })
}

fn function_span(expression: &Expression<'_>) -> Option<Span> {
    match expression.get_inner_expression() {
        Expression::ArrowFunctionExpression(function) => Some(function.span),
        Expression::FunctionExpression(function) => Some(function.span),
        _ => None,
    }
}

/// Checks whether a call is one that handles failures of promises: `.catch(…)`, `.then(…, …)`, `Promise.allSettled(…)`.
pub(super) fn handles_failures(call: &CallExpression<'_>) -> bool {
    handles_of_object(call) || handles_of_arguments(call)
}

fn handles_of_object(call: &CallExpression<'_>) -> bool {
    let Some(member) = call.callee.get_inner_expression().as_member_expression() else { return false };
    match member.static_property_name() {
        Some("catch") => true,
        Some("then") => call.arguments.len() > 1,
        _ => false,
    }
}

fn handles_of_arguments(call: &CallExpression<'_>) -> bool {
    is_of_promise(call, &["allSettled", "any", "race"])
}

fn is_of_promise(call: &CallExpression<'_>, names: &[&str]) -> bool {
    let Expression::StaticMemberExpression(member) = &call.callee else { return false };
    let is_promise = matches!(&member.object, Expression::Identifier(object) if object.name == "Promise");
    is_promise && names.contains(&member.property.name.as_str())
}

/// Describes the place of a call.
pub(super) fn context<'a>(ancestors: &[AstKind<'a>], call: Span, main: Option<Span>) -> Context<'a> {
    let mut context = Context::default();
    let mut child = call;
    for (index, kind) in ancestors.iter().enumerate().rev() {
        match kind {
            AstKind::TryStatement(it) => {
                context.is_handled |= it.handler.is_some() && contains(it.block.span, call);
            }
            AstKind::CallExpression(it) => {
                let is_callee = contains(it.callee.span(), call);
                context.is_handled |= if is_callee { handles_of_object(it) } else { handles_of_arguments(it) };
                context.is_branch |= !is_callee && handles_of_object(it);
            }
            AstKind::IfStatement(it) => {
                let is_never = matches!(&it.test, Expression::BooleanLiteral(test) if !test.value);
                context.is_dead |= is_never && contains(it.consequent.span(), call);
                context.is_branch |= !contains(it.test.span(), call);
            }
            AstKind::ConditionalExpression(it) => context.is_branch |= !contains(it.test.span(), call),
            AstKind::LogicalExpression(it) => context.is_branch |= contains(it.right.span(), call),
            AstKind::AssignmentExpression(it) => context.is_branch |= it.operator.is_logical(),
            AstKind::SwitchCase(it) => {
                context.is_dead |= is_cut_off(&it.consequent, child);
                context.is_branch = true;
            }
            AstKind::CatchClause(_)
            | AstKind::ChainExpression(_)
            | AstKind::AssignmentPattern(_)
            | AstKind::FormalParameter(_) => {
                context.is_branch = true;
            }
            AstKind::Program(it) => context.pass_list(&it.body, child),
            AstKind::FunctionBody(it) => context.pass_list(&it.statements, child),
            AstKind::BlockStatement(it) => context.pass_list(&it.body, child),
            AstKind::Function(it) => {
                context.is_branch |= is_called_perhaps(&ancestors[..index], it.span);
                context.is_nested |= Some(it.span) != main && !is_called_at_once(&ancestors[..index], it.span);
                let is_declared = it.r#type == FunctionType::FunctionDeclaration;
                let is_exported = matches!(
                    ancestors[..index].last(),
                    Some(AstKind::ExportDeclaration(_) | AstKind::ExportDefaultDeclaration(_))
                );
                let id = it.id.as_ref().filter(|_| is_declared && !is_exported);
                let named = id.map(|id| (id.name.as_str(), it.span));
                context.owners.extend(named.or_else(|| declared_as(&ancestors[..index])));
            }
            AstKind::ArrowFunctionExpression(it) => {
                context.is_branch |= is_called_perhaps(&ancestors[..index], it.span);
                context.is_nested |= Some(it.span) != main && !is_called_at_once(&ancestors[..index], it.span);
                context.owners.extend(declared_as(&ancestors[..index]));
            }
            AstKind::PropertyDefinition(_) | AstKind::StaticBlock(_) => context.is_nested = true,
            _ => {}
        }
        child = kind.span();
    }
    context
}

impl Context<'_> {
    fn pass_list(&mut self, statements: &[Statement<'_>], child: Span) {
        self.is_dead |= is_cut_off(statements, child);
        let before = statements.iter().take_while(|statement| statement.span().end <= child.start);
        self.is_behind_branch |= before.into_iter().any(|statement| matches!(statement, Statement::IfStatement(_)));
    }
}

/// Checks whether a statement before a child of a list ends the list. Functions are declared before anything runs.
fn is_cut_off(statements: &[Statement<'_>], child: Span) -> bool {
    let mut before = statements.iter();
    let ends = before.by_ref().take_while(|statement| statement.span().end <= child.start).any(|statement| {
        matches!(
            statement,
            Statement::ReturnStatement(_)
                | Statement::ThrowStatement(_)
                | Statement::BreakStatement(_)
                | Statement::ContinueStatement(_)
        )
    });
    let is_function =
        |statement: &Statement<'_>| statement.span() == child && matches!(statement, Statement::FunctionDeclaration(_));
    ends && !statements.iter().any(is_function)
}

/// Checks whether a function is given to one that calls it later, or when something happens.
fn is_called_perhaps(ancestors: &[AstKind<'_>], function: Span) -> bool {
    let Some(AstKind::CallExpression(call)) = ancestors.last() else { return false };
    let name = match call.callee.get_inner_expression() {
        Expression::Identifier(name) => Some(name.name.as_str()),
        other => other.as_member_expression().and_then(|member| member.static_property_name()),
    };
    call.callee.span() != function
        && matches!(
            name,
            Some(
                "setTimeout"
                    | "setInterval"
                    | "setImmediate"
                    | "queueMicrotask"
                    | "nextTick"
                    | "on"
                    | "once"
                    | "addEventListener"
                    | "addListener"
            )
        )
}

/// Checks whether a function is called where it is written.
fn is_called_at_once(ancestors: &[AstKind<'_>], function: Span) -> bool {
    let mut child = function;
    for kind in ancestors.iter().rev() {
        match kind {
            AstKind::ParenthesizedExpression(_) => child = kind.span(),
            AstKind::CallExpression(call) => return call.callee.span() == child,
            _ => return false,
        }
    }
    false
}

/// Returns the name of the variable that a function is the value of.
fn declared_as<'a>(ancestors: &[AstKind<'a>]) -> Option<(&'a str, Span)> {
    let mut above = ancestors.iter().rev().filter(|kind| !matches!(kind, AstKind::ParenthesizedExpression(_)));
    let Some(AstKind::VariableDeclarator(declarator)) = above.next() else { return None };
    if matches!(above.nth(1), Some(AstKind::ExportDeclaration(_))) {
        return None;
    }
    let BindingPattern::BindingIdentifier(name) = &declarator.id else { return None };
    Some((name.name.as_str(), declarator.span))
}

/// Tells what becomes of the promise of a call.
pub(super) fn fate(ancestors: &[AstKind<'_>], call: Span) -> Fate {
    let mut child = call;
    let mut is_in_all = false;
    let mut is_void = false;
    for kind in ancestors.iter().rev() {
        match kind {
            AstKind::ParenthesizedExpression(_) | AstKind::TSNonNullExpression(_) => {}
            AstKind::AwaitExpression(_) => return Fate::Awaited,
            AstKind::ArrayExpression(_) => is_in_all = true,
            AstKind::CallExpression(it) if is_in_all && is_of_promise(it, &["all"]) => {}
            _ if is_in_all => return Fate::Elsewhere,
            AstKind::UnaryExpression(it) if it.operator == UnaryOperator::Void => is_void = true,
            AstKind::ExpressionStatement(_) => return Fate::Dropped,
            _ if is_void => return Fate::Elsewhere,
            AstKind::ReturnStatement(_) => return Fate::Returned,
            AstKind::StaticMemberExpression(it) if it.object.span() == child => {
                return match it.property.name.as_str() {
                    "then" | "catch" | "finally" => Fate::Elsewhere,
                    _ => Fate::Unawaited(it.property.span),
                };
            }
            AstKind::VariableDeclarator(it) => {
                return match &it.id {
                    BindingPattern::ObjectPattern(pattern) => Fate::Unawaited(pattern.span),
                    BindingPattern::ArrayPattern(pattern) => Fate::Unawaited(pattern.span),
                    BindingPattern::BindingIdentifier(_) | BindingPattern::AssignmentPattern(_) => Fate::Elsewhere,
                };
            }
            AstKind::ForOfStatement(it) if !it.r#await && it.right.span() == child => return Fate::Unawaited(call),
            AstKind::SpreadElement(_) => return Fate::Unawaited(call),
            _ => return Fate::Elsewhere,
        }
        child = kind.span();
    }
    Fate::Elsewhere
}
