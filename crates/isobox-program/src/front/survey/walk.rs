//! The walk through a file.

use oxc::{
    ast::{
        AstKind,
        ast::{
            BindingIdentifier, BooleanLiteral, CallExpression, Declaration, IdentifierName, IdentifierReference,
            NullLiteral, NumericLiteral, StringLiteral, TSClassImplements, TSInterfaceDeclaration, TSType,
            TSTypeAnnotation, TSTypeParameterDeclaration, TSTypeParameterInstantiation, TemplateElement,
        },
    },
    ast_visit::{Visit, walk},
};

use super::{
    Surveyor, Wanted, context,
    leaving::may_swallow,
    resolution::Binding,
    scopes::scope_of,
    usage::{self, Reference, Usage},
};
use crate::front::declarations::is_erased;

impl<'a> Visit<'a> for Surveyor<'a, '_> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        if self.walk.wanted.namespaces.is_some() && self.walk.regions.are_opened_by(self.ancestors.last(), &kind) {
            self.walk.regions.enter(&self.ancestors, kind, self.walk.entry.result);
        }
        match kind {
            AstKind::BindingIdentifier(name) => self.declare(name),
            AstKind::IdentifierReference(name) => self.refer(name),
            AstKind::CallExpression(call) => self.meet_call(call),
            AstKind::TryStatement(it) => self.handles |= may_swallow(it),
            AstKind::StaticMemberExpression(it) => self.handles |= context::is_handler(&it.property.name),
            AstKind::ComputedMemberExpression(it) => self.handles |= context::may_be_handler(it),
            AstKind::BindingProperty(it) => self.handles |= context::takes_handler(&it.key),
            _ => {}
        }
        if !self.walk.wanted.rules.is_empty() {
            self.check_node(kind);
        }
        self.ancestors.push(kind);
    }

    fn leave_node(&mut self, kind: AstKind<'a>) {
        self.ancestors.pop();
        if self.walk.regions.are_closed_by(self.ancestors.len(), &kind) {
            self.walk.regions.leave(&self.ancestors, kind);
        }
    }

    fn visit_declaration(&mut self, it: &Declaration<'a>) {
        if !is_erased(it) {
            walk::walk_declaration(self, it);
        }
    }

    // These have nothing below them, and nothing is said about them.

    fn visit_identifier_name(&mut self, _: &IdentifierName<'a>) {}

    fn visit_string_literal(&mut self, _: &StringLiteral<'a>) {}

    fn visit_numeric_literal(&mut self, _: &NumericLiteral<'a>) {}

    fn visit_boolean_literal(&mut self, _: &BooleanLiteral) {}

    fn visit_null_literal(&mut self, _: &NullLiteral) {}

    fn visit_template_element(&mut self, _: &TemplateElement<'a>) {}

    // Types have no meaning when the program runs.

    fn visit_ts_type(&mut self, _: &TSType<'a>) {}

    fn visit_ts_type_annotation(&mut self, _: &TSTypeAnnotation<'a>) {}

    fn visit_ts_class_implements(&mut self, _: &TSClassImplements<'a>) {}

    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}

    fn visit_ts_type_parameter_declaration(&mut self, _: &TSTypeParameterDeclaration<'a>) {}

    fn visit_ts_type_parameter_instantiation(&mut self, _: &TSTypeParameterInstantiation<'a>) {}
}

impl<'a> Surveyor<'a, '_> {
    // Every node is entered: what few of them need stays out of the way.
    #[inline(never)]
    fn declare(&mut self, name: &'a BindingIdentifier<'a>) {
        let scope = scope_of(&self.ancestors, name.span);
        let origin = usage::origin(&self.ancestors, name.span);
        let id = self.scopes.id(name.name);
        self.scopes.declare(id, Binding { scope, span: name.span, origin });
    }

    #[inline(never)]
    fn refer(&mut self, name: &'a IdentifierReference<'a>) {
        let id = self.scopes.id(name.name);
        let word = name.name.as_str();
        let is_plain = self.scopes.is_plain(id) && !is_special(word, self.walk.wanted) || is_usual(word);
        // Of a name with unknown values, it only matters that it is used.
        let usage = match is_plain {
            true => Usage::Whole { is_tested: true },
            false => usage::usage_of_name(&self.ancestors, name.span, self.walk.entry.result),
        };
        self.scopes.refer(id, Reference { span: name.span, region: self.walk.regions.current(), usage });
    }

    #[inline(never)]
    fn meet_call(&mut self, call: &'a CallExpression<'a>) {
        if context::handles_failures(call) {
            self.handles = true;
            self.walk.regions.note_handler();
        }
        self.handles |= context::is_computed(call);
        if self.walk.wanted.namespaces.is_some() {
            self.note_candidate(call);
        }
    }
}

/// Checks whether a global of this name means something to a survey.
pub(super) fn is_special(name: &str, wanted: Wanted<'_>) -> bool {
    matches!(name, "tools" | "codemode" | "globalThis" | "global" | "self")
        || wanted.namespaces.is_some_and(|namespaces| namespaces.iter().any(|namespace| namespace == name))
}

/// Checks whether a name is that of a usual part of the language, of which nothing needs to be known.
pub(super) fn is_usual(name: &str) -> bool {
    matches!(name, "console" | "JSON" | "Math" | "Object" | "Array" | "Promise" | "Number" | "String" | "Date")
}
