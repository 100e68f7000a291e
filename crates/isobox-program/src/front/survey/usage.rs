//! How a program uses a name: what is read of its value, and whether the value may change.

use oxc::{
    ast::{
        AstKind,
        ast::{BindingPattern, Expression, PropertyKey, UnaryOperator, VariableDeclarationKind},
    },
    span::{GetSpan, Span},
};

use super::{
    names::{chain, text_of},
    regions::{RegionId, is_waited_for},
};
use crate::Name;

/// A use of a name.
pub(super) struct Reference<'a> {
    pub(super) span: Span,
    pub(super) region: RegionId,
    pub(super) usage: Usage<'a>,
}

/// How a name is used.
pub(super) enum Usage<'a> {
    /// The value is read only to show it.
    Shown,
    /// The value goes somewhere else, or is tested.
    Whole { is_tested: bool },
    /// The value is called as a function. The program may wait for what the function returns.
    Called { is_waited_for: bool },
    /// The name, or a property of its value, is assigned to.
    Written,
    /// Something of the value is read: the names on the way, each with its range.
    Read { steps: Vec<(Step<'a>, Span)>, is_tested: bool, is_called: bool },
}

/// One step from a value to a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Step<'a> {
    Property(&'a str),
    Item,
}

impl Step<'_> {
    pub(super) fn to_name(self) -> Name {
        match self {
            Self::Property(name) => Name::Property(name.to_owned()),
            Self::Item => Name::Item,
        }
    }
}

/// Describes the use of a name below these ancestors.
pub(super) fn usage_of_name<'a>(ancestors: &[AstKind<'a>], name: Span, result: Option<(usize, usize)>) -> Usage<'a> {
    match ancestors.split_last() {
        Some((AstKind::CallExpression(call), above)) if call.callee.span() == name && !call.optional => {
            Usage::Called { is_waited_for: is_waited_for(above, call.span, result) }
        }
        _ => usage(ancestors, name),
    }
}

/// Describes the use of the value of the expression with this range.
pub(super) fn usage<'a>(ancestors: &[AstKind<'a>], of: Span) -> Usage<'a> {
    let mut steps = Vec::new();
    let mut child = of;
    let mut is_tested = false;
    let mut above = ancestors.iter().enumerate().rev();
    let (consumer, index) = loop {
        let Some((index, kind)) = above.next() else { return Usage::Whole { is_tested } };
        match kind {
            AstKind::StaticMemberExpression(member) if member.object.span() == child => {
                is_tested |= member.optional;
                steps.push((Step::Property(member.property.name.as_str()), member.property.span));
            }
            AstKind::ComputedMemberExpression(member) if member.object.span() == child => {
                is_tested |= member.optional;
                match (text_of(&member.expression), &member.expression) {
                    (Some((name, span)), _) => steps.push((Step::Property(name), span)),
                    (None, Expression::NumericLiteral(number)) => steps.push((Step::Item, number.span)),
                    (None, _) => break (kind, index),
                }
            }
            AstKind::ParenthesizedExpression(_) | AstKind::TSNonNullExpression(_) | AstKind::ChainExpression(_) => {}
            // The author says that the value has another type.
            AstKind::TSAsExpression(_) | AstKind::TSSatisfiesExpression(_) | AstKind::TSTypeAssertion(_) => {
                is_tested = true;
            }
            _ => break (kind, index),
        }
        child = kind.span();
    };
    if is_written(consumer, child) {
        return Usage::Written;
    }
    is_tested |= is_in_test(&ancestors[..=index], child);
    if steps.is_empty() {
        return if is_shown(consumer) { Usage::Shown } else { Usage::Whole { is_tested } };
    }
    let is_called = matches!(consumer, AstKind::CallExpression(call) if call.callee.span() == child);
    Usage::Read { steps, is_tested, is_called }
}

fn is_written(consumer: &AstKind<'_>, child: Span) -> bool {
    match consumer {
        AstKind::AssignmentExpression(assignment) => assignment.left.span() == child,
        AstKind::UpdateExpression(_)
        | AstKind::ArrayAssignmentTarget(_)
        | AstKind::ObjectAssignmentTarget(_)
        | AstKind::AssignmentTargetRest(_)
        | AstKind::AssignmentTargetPropertyIdentifier(_) => true,
        AstKind::AssignmentTargetPropertyProperty(property) => property.binding.span() == child,
        AstKind::AssignmentTargetWithDefault(target) => target.binding.span() == child,
        AstKind::ForInStatement(it) => it.left.span() == child,
        AstKind::ForOfStatement(it) => it.left.span() == child,
        AstKind::UnaryExpression(unary) => unary.operator == UnaryOperator::Delete,
        _ => false,
    }
}

/// Checks whether a value is only an argument of `console.…` or `JSON.stringify`, returned, or put into a text.
fn is_shown(consumer: &AstKind<'_>) -> bool {
    match consumer {
        AstKind::CallExpression(call) => match chain(&call.callee) {
            Some(chain) => {
                matches!((chain.root.name.as_str(), chain.names()), ("console", _) | ("JSON", ["stringify"]))
            }
            None => false,
        },
        AstKind::ReturnStatement(_) | AstKind::TemplateLiteral(_) => true,
        _ => false,
    }
}

/// Checks whether a value decides about something, so that it may be missing.
fn is_in_test(ancestors: &[AstKind<'_>], child: Span) -> bool {
    let mut child = child;
    for kind in ancestors.iter().rev() {
        let is_test = match kind {
            AstKind::LogicalExpression(it) => it.left.span() == child,
            AstKind::ConditionalExpression(it) => it.test.span() == child,
            AstKind::IfStatement(it) => it.test.span() == child,
            AstKind::WhileStatement(it) => it.test.span() == child,
            AstKind::DoWhileStatement(it) => it.test.span() == child,
            AstKind::ForStatement(it) => it.test.as_ref().is_some_and(|test| test.span() == child),
            AstKind::SwitchStatement(it) => it.discriminant.span() == child,
            AstKind::UnaryExpression(it) => {
                matches!(it.operator, UnaryOperator::LogicalNot | UnaryOperator::Typeof | UnaryOperator::Delete)
            }
            AstKind::BinaryExpression(it) => it.operator.is_equality() || it.operator.is_relational(),
            AstKind::ChainExpression(_) => true,
            AstKind::ParenthesizedExpression(_)
            | AstKind::TSAsExpression(_)
            | AstKind::TSNonNullExpression(_)
            | AstKind::StaticMemberExpression(_)
            | AstKind::CallExpression(_)
            | AstKind::AwaitExpression(_) => false,
            _ => return false,
        };
        if is_test {
            return true;
        }
        child = kind.span();
    }
    false
}

/// Where the value of a name comes from.
#[derive(Clone)]
pub(super) enum Origin<'a> {
    /// It is not known, or may change.
    Unknown,
    /// It is the promise of the call with this range.
    Promise(Span),
    /// It is the result of the call with this range.
    Result(Span),
    /// It is a part of the result of a call.
    Part,
    /// It is a property of something with a name: the name, its range, and the names from there.
    Alias(&'a str, Span, Vec<&'a str>),
    /// It is the function with this range.
    Function(Span),
}

/// Returns where the value of a declared name comes from.
pub(super) fn origin<'a>(ancestors: &[AstKind<'a>], name: Span) -> Origin<'a> {
    if let Some(AstKind::Function(function)) = ancestors.last()
        && function.is_declaration()
        && function.id.as_ref().is_some_and(|id| id.span == name)
    {
        return Origin::Function(function.span);
    }
    let mut above = ancestors.iter().rev();
    let mut names = Vec::new();
    let declarator = loop {
        match above.next() {
            Some(AstKind::VariableDeclarator(declarator)) => break declarator,
            Some(AstKind::BindingProperty(property)) => {
                if !matches!(property.value, BindingPattern::BindingIdentifier(_)) {
                    return Origin::Unknown;
                }
                match &property.key {
                    PropertyKey::StaticIdentifier(key) => names.push(key.name.as_str()),
                    PropertyKey::StringLiteral(key) => names.push(key.value.as_str()),
                    _ => return Origin::Unknown,
                }
            }
            Some(AstKind::ObjectPattern(_)) => {}
            _ => return Origin::Unknown,
        }
    };
    let is_constant = matches!(
        above.next(),
        Some(AstKind::VariableDeclaration(declaration)) if declaration.kind == VariableDeclarationKind::Const
    );
    let Some(init) = declarator.init.as_ref().filter(|_| is_constant) else { return Origin::Unknown };
    let is_exported = matches!(above.next(), Some(AstKind::ExportDeclaration(_)));
    let is_whole = names.is_empty();
    match init.get_inner_expression() {
        Expression::CallExpression(call) if is_whole && !is_exported => Origin::Promise(call.span),
        Expression::AwaitExpression(it) if is_whole => match it.argument.get_inner_expression() {
            Expression::CallExpression(call) => Origin::Result(call.span),
            _ => Origin::Unknown,
        },
        Expression::AwaitExpression(_) => Origin::Part,
        Expression::ArrowFunctionExpression(function) if is_whole => Origin::Function(function.span),
        Expression::FunctionExpression(function) if is_whole => Origin::Function(function.span),
        other => match chain(other) {
            Some(chain) if !chain.is_optional => {
                let path = chain.names().iter().copied().chain(names).collect();
                Origin::Alias(chain.root.name.as_str(), chain.root.span, path)
            }
            _ => Origin::Unknown,
        },
    }
}
