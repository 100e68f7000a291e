//! Reads chains of names: `tools.github["issues"].list`.

use oxc::{
    ast::ast::{ChainElement, Expression, IdentifierReference},
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

/// Returns the name that an expression begins with.
pub(super) fn root<'a>(expression: &'a Expression<'a>) -> Option<&'a IdentifierReference<'a>> {
    let mut at = expression;
    loop {
        at = match at {
            Expression::Identifier(root) => return Some(root),
            Expression::StaticMemberExpression(member) => &member.object,
            Expression::ComputedMemberExpression(member) => &member.object,
            Expression::ParenthesizedExpression(it) => &it.expression,
            Expression::TSNonNullExpression(it) => &it.expression,
            Expression::TSAsExpression(it) => &it.expression,
            _ => return None,
        };
    }
}

/// Returns the chain that an expression is.
pub(super) fn chain<'a>(expression: &'a Expression<'a>) -> Option<Chain<'a>> {
    let (mut names, mut last, mut is_optional) = (Vec::new(), None, false);
    let mut at = expression;
    loop {
        let (object, name, span) = match at {
            Expression::Identifier(root) => {
                names.reverse();
                return Some(Chain { root, names, last: last.unwrap_or(root.span), is_optional });
            }
            Expression::StaticMemberExpression(member) => {
                is_optional |= member.optional;
                (&member.object, member.property.name.as_str(), member.property.span)
            }
            Expression::ComputedMemberExpression(member) => {
                is_optional |= member.optional;
                let (name, span) = text_of(&member.expression)?;
                (&member.object, name, span)
            }
            Expression::ParenthesizedExpression(it) => {
                at = &it.expression;
                continue;
            }
            Expression::TSNonNullExpression(it) => {
                at = &it.expression;
                continue;
            }
            Expression::TSAsExpression(it) => {
                at = &it.expression;
                continue;
            }
            Expression::ChainExpression(it) => {
                is_optional = true;
                let ChainElement::StaticMemberExpression(member) = &it.expression else { return None };
                (&member.object, member.property.name.as_str(), member.property.span)
            }
            _ => return None,
        };
        names.push(name);
        last = last.or(Some(span));
        at = object;
    }
}
