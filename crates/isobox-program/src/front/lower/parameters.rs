//! Lowers parameter properties: `constructor(private name: string)` declares and assigns a field.

use oxc::{
    ast::ast::{Class, ClassElement, Expression, FormalParameter, FunctionBody, MethodDefinitionKind, Statement},
    span::{GetSpan, Span},
};

use super::super::{compose::Edit, erase::Eraser};

impl<'a> Eraser<'a> {
    /// Declares and assigns the fields that the parameters of a class's constructor define.
    pub(in super::super) fn lower_parameter_properties(&mut self, class: &Class<'a>) {
        let constructor = class.body.body.iter().find_map(|element| match element {
            ClassElement::MethodDefinition(method) if method.kind == MethodDefinitionKind::Constructor => {
                method.value.body.as_ref().map(|body| (&method.value.params, body))
            }
            _ => None,
        });
        let Some((parameters, body)) = constructor else { return };
        let mut fields = String::new();
        let mut assignments = String::from(";");
        for parameter in parameters.items.iter().filter(|parameter| is_property(parameter)) {
            let start = parameter.decorators.last().map_or(parameter.span.start, |decorator| decorator.span.end);
            self.blank(Span::new(start, parameter.pattern.span().start));
            let Some(id) = parameter.pattern.get_binding_identifier() else {
                let message = "a parameter that is a pattern cannot declare a property";
                self.object(parameter.span, message, Some("assign the properties in the constructor"));
                continue;
            };
            let name = self.source_of(id.span);
            fields.push_str(&format!("{name};"));
            assignments.push_str(&format!("this.{name}={name};"));
        }
        if fields.is_empty() {
            return;
        }
        self.edits.push(Edit::insert(class.body.span.start as usize + 1, fields));
        match start_of_assignments(class, body) {
            Some(offset) => self.edits.push(Edit::insert(offset, assignments)),
            None => self.object(
                body.span,
                "a constructor whose parameters declare properties has to call `super()` in a statement of its own",
                None,
            ),
        }
    }
}

/// Returns the offset at which the properties are assigned: the start of the body, or behind `super()` in a derived class.
fn start_of_assignments(class: &Class<'_>, body: &FunctionBody<'_>) -> Option<usize> {
    if class.heritage.is_none() {
        return Some(body.directives.last().map_or(body.span.start + 1, |directive| directive.span.end) as usize);
    }
    body.statements.iter().find(|statement| calls_super(statement)).map(|statement| statement.span().end as usize)
}

/// Checks whether a parameter declares a property.
fn is_property(parameter: &FormalParameter<'_>) -> bool {
    parameter.accessibility.is_some() || parameter.readonly || parameter.r#override
}

fn calls_super(statement: &Statement<'_>) -> bool {
    let Statement::ExpressionStatement(statement) = statement else { return false };
    matches!(
        statement.expression.get_inner_expression(),
        Expression::CallExpression(call) if matches!(call.callee, Expression::Super(_))
    )
}
