//! What is around a call: the function that is the program, code that handles failures, and what becomes of promises.

use oxc::{
    ast::{
        AstKind,
        ast::{
            BindingIdentifier, BindingPattern, CallExpression, ExportDefaultDeclarationKind, Expression, Program,
            Statement, UnaryOperator,
        },
    },
    span::{GetSpan, Span},
};

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

/// The function that the program consists of.
#[derive(Debug, Clone, Copy)]
pub(super) enum Main<'a> {
    /// The function with this range.
    Function(Span),
    /// The function that the file declares by this name.
    Name(&'a str),
}

/// Returns the function that is the program: the default export, the last expression, or the only declaration.
pub(super) fn main_function<'a>(program: &Program<'a>) -> Option<Main<'a>> {
    let exported = program.body.iter().find_map(|statement| match statement {
        Statement::ExportDefaultDeclaration(export) => match &export.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => Some(Main::Function(function.span)),
            other => other.as_expression().and_then(function_of),
        },
        _ => None,
    });
    exported.or_else(|| match program.body.last()? {
        Statement::ExpressionStatement(last) => function_of(&last.expression),
        Statement::FunctionDeclaration(only) if program.body.len() == 1 => Some(Main::Function(only.span)),
        _ => None,
    })
}

fn function_of<'a>(expression: &Expression<'a>) -> Option<Main<'a>> {
    match expression.get_inner_expression() {
        Expression::ArrowFunctionExpression(function) => Some(Main::Function(function.span)),
        Expression::FunctionExpression(function) => Some(Main::Function(function.span)),
        Expression::Identifier(name) => Some(Main::Name(name.name.as_str())),
        _ => None,
    }
}

/// Checks whether a call is one that handles failures of promises: `.catch(…)`, `.then(…, …)`, `Promise.allSettled(…)`.
pub(super) fn handles_failures(call: &CallExpression<'_>) -> bool {
    handles_of_object(call) || handles_of_arguments(call)
}

pub(super) fn handles_of_object(call: &CallExpression<'_>) -> bool {
    let Some(member) = call.callee.get_inner_expression().as_member_expression() else { return false };
    match member.static_property_name() {
        Some("catch") => true,
        Some("then") => call.arguments.len() > 1,
        _ => false,
    }
}

pub(super) fn handles_of_arguments(call: &CallExpression<'_>) -> bool {
    is_of_promise(call, &["allSettled", "any", "race"])
}

fn is_of_promise(call: &CallExpression<'_>, names: &[&str]) -> bool {
    let Expression::StaticMemberExpression(member) = &call.callee else { return false };
    let is_promise = matches!(&member.object, Expression::Identifier(object) if object.name == "Promise");
    is_promise && names.contains(&member.property.name.as_str())
}

/// The name that a program calls a function by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Owner<'a> {
    pub(super) name: &'a str,
    /// The range of the name where it is declared.
    pub(super) span: Span,
    /// The range of the declaration.
    pub(super) declaration: Span,
}

impl<'a> Owner<'a> {
    pub(super) fn new(name: &BindingIdentifier<'a>, declaration: Span) -> Self {
        Self { name: name.name.as_str(), span: name.span, declaration }
    }
}

/// Returns the name of the variable that a function is the value of.
pub(super) fn declared_as<'a>(ancestors: &[AstKind<'a>]) -> Option<Owner<'a>> {
    let mut above = ancestors.iter().rev().filter(|kind| !matches!(kind, AstKind::ParenthesizedExpression(_)));
    let Some(AstKind::VariableDeclarator(declarator)) = above.next() else { return None };
    if matches!(above.nth(1), Some(AstKind::ExportDeclaration(_))) {
        return None;
    }
    let BindingPattern::BindingIdentifier(name) = &declarator.id else { return None };
    Some(Owner::new(name, declarator.span))
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
