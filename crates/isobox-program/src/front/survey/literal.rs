//! Reads the value of an expression as far as its text determines it.

use oxc::ast::ast::{
    Argument, ArrayExpressionElement, Expression, ObjectPropertyKind, PropertyKey, PropertyKind, UnaryOperator,
};
use serde_json::{Map, Number, Value};

use crate::{Extent, Literal};

/// The maximum depth of a value.
const MAXIMUM_DEPTH: usize = 16;

/// The number of values that may still be read in a file.
pub(super) struct Budget(pub(super) usize);

/// Returns the arguments of a call, or `None` if their number is not known.
pub(super) fn arguments(arguments: &[Argument<'_>], budget: &mut Budget) -> Option<Vec<Literal>> {
    arguments.iter().map(|argument| Some(literal(argument.as_expression()?, budget, 0))).collect()
}

fn literal(expression: &Expression<'_>, budget: &mut Budget, depth: usize) -> Literal {
    let Some(left) = budget.0.checked_sub(1) else { return Literal::Unknown };
    budget.0 = left;
    if depth > MAXIMUM_DEPTH {
        return Literal::Unknown;
    }
    match expression {
        Expression::BooleanLiteral(it) => Literal::Value(it.value.into()),
        Expression::NullLiteral(_) => Literal::Value(Value::Null),
        Expression::NumericLiteral(it) => number(it.value),
        Expression::StringLiteral(it) if !it.lone_surrogates => text(it.value.as_str(), budget),
        Expression::TemplateLiteral(it) => match it.quasis.as_slice() {
            [only] => match &only.value.cooked {
                Some(cooked) if !only.lone_surrogates => text(cooked.as_str(), budget),
                _ => Literal::Text,
            },
            _ => Literal::Text,
        },
        Expression::UnaryExpression(it) => match (it.operator, &it.argument) {
            (UnaryOperator::UnaryNegation, Expression::NumericLiteral(it)) => number(-it.value),
            (UnaryOperator::UnaryPlus, Expression::NumericLiteral(it)) => number(it.value),
            _ => Literal::Unknown,
        },
        Expression::ParenthesizedExpression(it) => literal(&it.expression, budget, depth),
        Expression::TSAsExpression(it) => literal(&it.expression, budget, depth),
        Expression::TSSatisfiesExpression(it) => literal(&it.expression, budget, depth),
        Expression::TSNonNullExpression(it) => literal(&it.expression, budget, depth),
        Expression::ArrayExpression(it) => array(&it.elements, budget, depth),
        Expression::ObjectExpression(it) => object(&it.properties, budget, depth),
        _ => Literal::Unknown,
    }
}

/// Returns a text. A long one counts as several values.
fn text(value: &str, budget: &mut Budget) -> Literal {
    const BYTES_PER_VALUE: usize = 64;
    match budget.0.checked_sub(value.len() / BYTES_PER_VALUE) {
        Some(left) => {
            budget.0 = left;
            Literal::Value(value.into())
        }
        None => Literal::Text,
    }
}

fn number(value: f64) -> Literal {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    if value.fract() == 0.0 && value.abs() <= LARGEST {
        #[expect(clippy::cast_possible_truncation, reason = "the number is an integer within the range of i64")]
        return Literal::Value(Value::from(value as i64));
    }
    Number::from_f64(value).map_or(Literal::Unknown, |number| Literal::Value(number.into()))
}

fn array(elements: &[ArrayExpressionElement<'_>], budget: &mut Budget, depth: usize) -> Literal {
    let mut extent = Extent::Closed;
    let mut items = Vec::with_capacity(elements.len());
    for element in elements {
        if budget.0 == 0 {
            return Literal::Unknown;
        }
        match element {
            ArrayExpressionElement::SpreadElement(_) => extent = Extent::Open,
            ArrayExpressionElement::Elision(_) => items.push(Literal::Value(Value::Null)),
            other => items.push(other.as_expression().map_or(Literal::Unknown, |it| literal(it, budget, depth + 1))),
        }
    }
    if extent == Extent::Open || !items.iter().all(is_value) {
        return Literal::Array(items, extent);
    }
    Literal::Value(Value::Array(items.into_iter().filter_map(into_value).collect()))
}

fn object(properties: &[ObjectPropertyKind<'_>], budget: &mut Budget, depth: usize) -> Literal {
    let mut extent = Extent::Closed;
    let mut entries: Vec<(String, Literal)> = Vec::with_capacity(properties.len());
    for property in properties {
        if budget.0 == 0 {
            return Literal::Unknown;
        }
        let ObjectPropertyKind::ObjectProperty(property) = property else {
            open(&mut entries, &mut extent);
            continue;
        };
        let Some(name) = key(&property.key) else {
            open(&mut entries, &mut extent);
            continue;
        };
        let sets_prototype = name == "__proto__" && !property.computed && !property.shorthand;
        if sets_prototype || name == "toJSON" {
            return Literal::Unknown;
        }
        let value = match property.kind {
            PropertyKind::Init if is_undefined(&property.value) => None,
            PropertyKind::Init => Some(literal(&property.value, budget, depth + 1)),
            PropertyKind::Get | PropertyKind::Set => Some(Literal::Unknown),
        };
        entries.retain(|(other, _)| *other != name);
        entries.extend(value.map(|value| (name, value)));
    }
    if extent == Extent::Open || !entries.iter().all(|(_, entry)| is_value(entry)) {
        return Literal::Object(entries, extent);
    }
    let values = entries.into_iter().filter_map(|(name, entry)| Some((name, into_value(entry)?)));
    Literal::Value(Value::Object(values.collect::<Map<_, _>>()))
}

fn is_value(literal: &Literal) -> bool {
    match literal {
        Literal::Value(_) => true,
        Literal::Unknown | Literal::Text | Literal::Array(..) | Literal::Object(..) => false,
    }
}

fn into_value(literal: Literal) -> Option<Value> {
    match literal {
        Literal::Value(value) => Some(value),
        Literal::Unknown | Literal::Text | Literal::Array(..) | Literal::Object(..) => None,
    }
}

/// Opens an object whose further properties are not known. They may replace those before them.
fn open(entries: &mut [(String, Literal)], extent: &mut Extent) {
    *extent = Extent::Open;
    for (_, value) in entries {
        *value = Literal::Unknown;
    }
}

fn key(key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::StaticIdentifier(name) => Some(name.name.as_str().to_owned()),
        PropertyKey::StringLiteral(text) if !text.lone_surrogates => Some(text.value.as_str().to_owned()),
        PropertyKey::NumericLiteral(number) if number.value.fract() == 0.0 && number.value.abs() < 1e15 => {
            Some(format!("{}", number.value))
        }
        _ => None,
    }
}

/// Checks whether a value is left out of JSON.
fn is_undefined(expression: &Expression<'_>) -> bool {
    match expression.get_inner_expression() {
        Expression::Identifier(identifier) => identifier.name == "undefined",
        Expression::UnaryExpression(unary) => unary.operator == UnaryOperator::Void,
        _ => false,
    }
}
