//! Conceals the parts of a partly known argument that the policy redacts.

use serde_json::Value;

use crate::policy::{Policy, ToolNames};
use crate::program::Literal;

/// Returns an argument without the parts that the policy redacts. None if there are none.
pub(super) fn concealed(policy: &Policy, names: ToolNames<'_>, argument: &Literal) -> Option<Literal> {
    let given = known(argument);
    let shown = policy.redacted(names, &given);
    (shown != given).then(|| replaced(argument, &shown))
}

/// Returns what is known of a literal, with null in place of the rest.
fn known(literal: &Literal) -> Value {
    match literal {
        Literal::Value(value) => value.clone(),
        Literal::Object(entries, _) => {
            Value::Object(entries.iter().map(|(name, part)| (name.clone(), known(part))).collect())
        }
        Literal::Array(items, _) => Value::Array(items.iter().map(known).collect()),
        Literal::Unknown | Literal::Text => Value::Null,
    }
}

/// Returns a literal with the parts of another value in place of its known ones.
fn replaced(literal: &Literal, shown: &Value) -> Literal {
    match (literal, shown) {
        (Literal::Object(entries, extent), Value::Object(shown)) => {
            let part = |(name, part): &(String, Literal)| {
                (name.clone(), shown.get(name).map_or(Literal::Unknown, |shown| replaced(part, shown)))
            };
            Literal::Object(entries.iter().map(part).collect(), *extent)
        }
        (Literal::Array(items, extent), Value::Array(shown)) => {
            let items = items.iter().zip(shown).map(|(part, shown)| replaced(part, shown));
            Literal::Array(items.collect(), *extent)
        }
        (Literal::Unknown | Literal::Text, _) => literal.clone(),
        (Literal::Object(..) | Literal::Array(..) | Literal::Value(_), _) => Literal::Value(shown.clone()),
    }
}
