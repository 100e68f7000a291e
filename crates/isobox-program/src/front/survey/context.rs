//! What is around a call: the function that is the program, code that handles failures, and what becomes of promises.

use oxc::{
    ast::{
        AstKind,
        ast::{
            Argument, BindingIdentifier, BindingPattern, CallExpression, ComputedMemberExpression,
            ExportDefaultDeclarationKind, Expression, Program, PropertyKey, Statement, UnaryOperator,
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

/// Checks whether a property with this name may handle failures of promises, however it is called. `then` is not among
/// them: it does so with a second function alone.
pub(super) fn is_handler(name: &str) -> bool {
    matches!(name, "catch" | "allSettled" | "any" | "race")
}

/// Checks whether a property may handle failures of promises, and its name is written in brackets.
pub(super) fn may_be_handler(member: &ComputedMemberExpression<'_>) -> bool {
    match member.static_property_name() {
        Some(name) => is_handler(&name) || name == "then",
        None => is_promise(&member.object),
    }
}

/// Checks whether a pattern takes a function out of an object that may handle failures of promises.
pub(super) fn takes_handler(key: &PropertyKey<'_>) -> bool {
    key.static_name().is_none_or(|name| is_handler(&name) || name == "then")
}

/// Checks whether a call is one of a method whose name is not known. It may handle failures of promises.
pub(super) fn is_computed(call: &CallExpression<'_>) -> bool {
    match call.callee.get_inner_expression() {
        Expression::ComputedMemberExpression(member) => {
            member.static_property_name().is_none() && !matches!(member.expression, Expression::NumericLiteral(_))
        }
        _ => false,
    }
}

/// Checks whether every promise has a property with this name.
pub(super) fn is_of_every_promise(name: &str) -> bool {
    matches!(
        name,
        "then"
            | "catch"
            | "finally"
            | "constructor"
            | "hasOwnProperty"
            | "isPrototypeOf"
            | "propertyIsEnumerable"
            | "toLocaleString"
            | "toString"
            | "valueOf"
            | "__proto__"
    )
}

pub(super) fn handles_of_object(call: &CallExpression<'_>) -> bool {
    let Some(member) = call.callee.get_inner_expression().as_member_expression() else { return false };
    match member.static_property_name() {
        Some("catch") => true,
        Some("then") => call.arguments.len() > 1 || call.arguments.iter().any(Argument::is_spread),
        _ => false,
    }
}

pub(super) fn handles_of_arguments(call: &CallExpression<'_>) -> bool {
    is_of_promise(call, &["allSettled", "any", "race"])
}

fn is_of_promise(call: &CallExpression<'_>, names: &[&str]) -> bool {
    let Some(member) = call.callee.get_inner_expression().as_member_expression() else { return false };
    is_promise(member.object()) && member.static_property_name().is_some_and(|name| names.contains(&name))
}

fn is_promise(object: &Expression<'_>) -> bool {
    matches!(object.get_inner_expression(), Expression::Identifier(object) if object.name == "Promise")
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

/// Checks whether a program goes on whatever becomes of the promise of a call: what `then`, `finally` or `Promise.all` make of the
/// promise is dropped.
pub(super) fn is_ignored(ancestors: &[AstKind<'_>], call: Span) -> bool {
    let mut child = call;
    for kind in ancestors.iter().rev() {
        let is_passed_on = match kind {
            AstKind::ParenthesizedExpression(_) | AstKind::ArrayExpression(_) => true,
            AstKind::StaticMemberExpression(it) => {
                it.object.span() == child && matches!(it.property.name.as_str(), "then" | "finally")
            }
            AstKind::CallExpression(it) => it.callee.span() == child || is_of_promise(it, &["all"]),
            AstKind::UnaryExpression(it) => it.operator == UnaryOperator::Void,
            AstKind::ExpressionStatement(_) => return true,
            _ => false,
        };
        if !is_passed_on {
            return false;
        }
        child = kind.span();
    }
    false
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
                return match is_of_every_promise(&it.property.name) {
                    true => Fate::Elsewhere,
                    false => Fate::Unawaited(it.property.span),
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
