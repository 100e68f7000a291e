//! Reads chains of names: `tools.github["issues"].list`.

use oxc::{
    ast::ast::{ChainElement, ComputedMemberExpression, Expression, IdentifierReference, StaticMemberExpression},
    span::Span,
};

/// A name, and the names of properties behind it.
pub(super) struct Chain<'a> {
    pub(super) root: &'a IdentifierReference<'a>,
    names: Vec<&'a str>,
    /// The range of the last name.
    pub(super) last: Span,
    /// Whether some part of the chain may be missing.
    pub(super) is_optional: bool,
}

impl<'a> Chain<'a> {
    pub(super) fn names(&self) -> &[&'a str] {
        &self.names
    }
}

/// Returns the text that is written as an expression, with its range.
pub(super) fn text_of<'a>(expression: &Expression<'a>) -> Option<(&'a str, Span)> {
    match expression.get_inner_expression() {
        Expression::StringLiteral(it) if !it.lone_surrogates => Some((it.value.as_str(), it.span)),
        Expression::TemplateLiteral(it) => match it.quasis.as_slice() {
            [only] if !only.lone_surrogates => Some((only.value.cooked?.as_str(), it.span)),
            _ => None,
        },
        _ => None,
    }
}

/// A property that an expression reads.
pub(super) struct Property<'a> {
    pub(super) object: &'a Expression<'a>,
    pub(super) name: &'a str,
    pub(super) span: Span,
    is_optional: bool,
}

/// Returns the property that an expression reads, if its name is written.
pub(super) fn property<'a>(expression: &'a Expression<'a>) -> Option<Property<'a>> {
    match expression.get_inner_expression() {
        Expression::StaticMemberExpression(member) => Some(of_static(member)),
        Expression::ComputedMemberExpression(member) => of_computed(member),
        Expression::ChainExpression(it) => match &it.expression {
            ChainElement::StaticMemberExpression(member) => Some(of_static(member)),
            ChainElement::ComputedMemberExpression(member) => of_computed(member),
            _ => None,
        },
        _ => None,
    }
}

fn of_static<'a>(member: &'a StaticMemberExpression<'a>) -> Property<'a> {
    let (name, span) = (member.property.name.as_str(), member.property.span);
    Property { object: &member.object, name, span, is_optional: member.optional }
}

fn of_computed<'a>(member: &'a ComputedMemberExpression<'a>) -> Option<Property<'a>> {
    let (name, span) = text_of(&member.expression)?;
    Some(Property { object: &member.object, name, span, is_optional: member.optional })
}

/// Returns the name that an expression begins with.
pub(super) fn root<'a>(expression: &'a Expression<'a>) -> Option<&'a IdentifierReference<'a>> {
    let mut at = expression;
    loop {
        at = match at.get_inner_expression() {
            Expression::Identifier(root) => return Some(root),
            Expression::StaticMemberExpression(member) => &member.object,
            Expression::ComputedMemberExpression(member) => &member.object,
            _ => return None,
        };
    }
}

/// Returns the chain that an expression is.
pub(super) fn chain<'a>(expression: &'a Expression<'a>) -> Option<Chain<'a>> {
    let (mut names, mut last, mut is_optional) = (Vec::new(), None, false);
    let mut at = expression;
    loop {
        if let Expression::Identifier(root) = at.get_inner_expression() {
            names.reverse();
            return Some(Chain { root, names, last: last.unwrap_or(root.span), is_optional });
        }
        let property = property(at)?;
        is_optional |= property.is_optional;
        names.push(property.name);
        last = last.or(Some(property.span));
        at = property.object;
    }
}
