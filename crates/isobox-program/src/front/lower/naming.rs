//! Finds the names that anonymous classes take from what they are assigned to, and classes that cannot be moved into a
//! function.

use std::collections::HashMap;

use oxc::{
    ast::ast::{
        AccessorProperty, ArrowFunctionExpression, AssignmentExpression, AssignmentPattern, AssignmentTarget,
        AssignmentTargetPropertyIdentifier, AssignmentTargetWithDefault, AwaitExpression, BindingPattern, Class,
        ClassElement, ExportDefaultDeclaration, ExportDefaultDeclarationKind, Expression, FormalParameter, Function,
        ObjectProperty, Program, PropertyDefinition, PropertyKey, VariableDeclarator, YieldExpression,
    },
    ast_visit::{Visit, walk},
    span::{GetSpan, Span},
    syntax::scope::ScopeFlags,
};

/// The name that an anonymous class takes from its surroundings.
#[derive(Debug)]
pub(in super::super) enum ClassName {
    /// A text that is known.
    Text(String),
    /// A literal of the program, whose text is the name.
    Literal(Span),
    /// The value of an expression.
    Computed,
}

/// Returns the names of the anonymous classes of a program, by the places of the classes.
pub(in super::super) fn class_names(program: &Program<'_>) -> HashMap<Span, ClassName> {
    let mut finder = NameFinder::default();
    finder.visit_program(program);
    finder.names
}

#[derive(Default)]
struct NameFinder {
    names: HashMap<Span, ClassName>,
}

impl NameFinder {
    fn note(&mut self, value: Option<&Expression<'_>>, name: impl FnOnce() -> Option<ClassName>) {
        if let Some(Expression::ClassExpression(class)) = value.map(Expression::get_inner_expression)
            && class.id.is_none()
            && let Some(name) = name()
        {
            self.names.insert(class.span, name);
        }
    }
}

impl<'a> Visit<'a> for NameFinder {
    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        self.note(it.init.as_ref(), || bound(&it.id));
        walk::walk_variable_declarator(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        if it.operator.is_assign() || it.operator.is_logical() {
            self.note(Some(&it.right), || assigned(&it.left));
        }
        walk::walk_assignment_expression(self, it);
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        self.note(it.initializer.as_deref(), || bound(&it.pattern));
        walk::walk_formal_parameter(self, it);
    }

    fn visit_assignment_pattern(&mut self, it: &AssignmentPattern<'a>) {
        self.note(Some(&it.right), || bound(&it.left));
        walk::walk_assignment_pattern(self, it);
    }

    fn visit_assignment_target_with_default(&mut self, it: &AssignmentTargetWithDefault<'a>) {
        self.note(Some(&it.init), || assigned(&it.binding));
        walk::walk_assignment_target_with_default(self, it);
    }

    fn visit_assignment_target_property_identifier(&mut self, it: &AssignmentTargetPropertyIdentifier<'a>) {
        self.note(it.init.as_ref(), || Some(ClassName::Text(it.binding.name.to_string())));
        walk::walk_assignment_target_property_identifier(self, it);
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        self.note(Some(&it.value), || Some(key_name(&it.key, it.computed)));
        walk::walk_object_property(self, it);
    }

    fn visit_property_definition(&mut self, it: &PropertyDefinition<'a>) {
        self.note(it.value.as_ref(), || Some(key_name(&it.key, it.computed)));
        walk::walk_property_definition(self, it);
    }

    fn visit_accessor_property(&mut self, it: &AccessorProperty<'a>) {
        self.note(it.value.as_ref(), || Some(key_name(&it.key, it.computed)));
        walk::walk_accessor_property(self, it);
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        let default = || ClassName::Text("default".to_owned());
        match &it.declaration {
            ExportDefaultDeclarationKind::ClassDeclaration(class) if class.id.is_none() => {
                self.names.insert(class.span, default());
            }
            other => self.note(other.as_expression(), || Some(default())),
        }
        walk::walk_export_default_declaration(self, it);
    }
}

fn bound(pattern: &BindingPattern<'_>) -> Option<ClassName> {
    pattern.get_binding_identifier().map(|id| ClassName::Text(id.name.to_string()))
}

fn assigned(target: &AssignmentTarget<'_>) -> Option<ClassName> {
    match target {
        AssignmentTarget::AssignmentTargetIdentifier(id) => Some(ClassName::Text(id.name.to_string())),
        _ => None,
    }
}

fn key_name(key: &PropertyKey<'_>, is_computed: bool) -> ClassName {
    match key {
        _ if is_computed => ClassName::Computed,
        PropertyKey::StaticIdentifier(id) => ClassName::Text(id.name.to_string()),
        PropertyKey::PrivateIdentifier(id) => ClassName::Text(format!("#{}", id.name)),
        _ => ClassName::Literal(key.span()),
    }
}

/// Returns the place of an `await` or a `yield` that would be in another function if the class were in one.
pub(super) fn suspension(class: &Class<'_>) -> Option<Span> {
    let mut finder = SuspensionFinder::default();
    if let Some(heritage) = &class.heritage {
        finder.visit_expression(&heritage.expression);
    }
    for element in &class.body.body {
        let (decorators, key) = match element {
            ClassElement::MethodDefinition(it) => (&it.decorators, &it.key),
            ClassElement::PropertyDefinition(it) => (&it.decorators, &it.key),
            ClassElement::AccessorProperty(it) => (&it.decorators, &it.key),
            ClassElement::StaticBlock(_) | ClassElement::TSIndexSignature(_) => continue,
        };
        finder.visit_decorators(decorators);
        finder.visit_property_key(key);
    }
    finder.found
}

#[derive(Default)]
struct SuspensionFinder {
    found: Option<Span>,
}

impl<'a> Visit<'a> for SuspensionFinder {
    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        self.found.get_or_insert(it.span);
    }

    fn visit_yield_expression(&mut self, it: &YieldExpression<'a>) {
        self.found.get_or_insert(it.span);
    }

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}
}
