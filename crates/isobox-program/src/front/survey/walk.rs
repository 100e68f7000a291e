//! The walk through a file. Types are left out: they have no meaning when the program runs.

use oxc::{
    ast::{
        AstKind,
        ast::{
            BindingIdentifier, CallExpression, Declaration, IdentifierReference, TSClassImplements,
            TSInterfaceDeclaration, TSType, TSTypeAnnotation, TSTypeParameterDeclaration, TSTypeParameterInstantiation,
        },
    },
    ast_visit::{Visit, walk},
};

use super::{
    Surveyor, Wanted, context,
    scopes::scope_of,
    usage::{self, Reference, Usage},
};
use crate::front::declarations::is_erased;

impl<'a> Visit<'a> for Surveyor<'a, '_> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        if self.wanted.namespaces.is_some() {
            self.regions.enter(&self.ancestors, kind, self.entry.result);
        }
        match kind {
            AstKind::BindingIdentifier(name) => self.declare(name),
            AstKind::IdentifierReference(name) => self.refer(name),
            AstKind::CallExpression(call) => self.meet_call(call),
            AstKind::TryStatement(it) => self.handles |= it.handler.is_some(),
            _ => {}
        }
        if !self.wanted.rules.is_empty() {
            self.check_node(kind);
        }
        self.ancestors.push(kind);
    }

    fn leave_node(&mut self, kind: AstKind<'a>) {
        self.ancestors.pop();
        if self.wanted.namespaces.is_some() {
            self.regions.leave(&self.ancestors, kind);
        }
    }

    fn visit_declaration(&mut self, it: &Declaration<'a>) {
        if !is_erased(it) {
            walk::walk_declaration(self, it);
        }
    }

    fn visit_ts_type(&mut self, _: &TSType<'a>) {}

    fn visit_ts_type_annotation(&mut self, _: &TSTypeAnnotation<'a>) {}

    fn visit_ts_class_implements(&mut self, _: &TSClassImplements<'a>) {}

    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}

    fn visit_ts_type_parameter_declaration(&mut self, _: &TSTypeParameterDeclaration<'a>) {}

    fn visit_ts_type_parameter_instantiation(&mut self, _: &TSTypeParameterInstantiation<'a>) {}
}

impl<'a> Surveyor<'a, '_> {
    fn declare(&mut self, name: &'a BindingIdentifier<'a>) {
        let scope = scope_of(&self.ancestors, name.span);
        let origin = usage::origin(&self.ancestors, name.span);
        let binding = super::Binding { scope, span: name.span, origin };
        self.scopes.declare(name.name.as_str(), binding);
    }

    fn refer(&mut self, name: &'a IdentifierReference<'a>) {
        let (region, result) = (self.regions.current(), self.entry.result);
        let known = self.scopes.known(name.name.as_str());
        // Of a name with unknown values, it only matters that it is used.
        let usage = match known.is_plain() && !is_special(name.name.as_str(), self.wanted) {
            true => Usage::Whole { is_tested: true },
            false => usage::usage_of_name(&self.ancestors, name.span, result),
        };
        known.refer(Reference { span: name.span, region, usage });
    }

    fn meet_call(&mut self, call: &'a CallExpression<'a>) {
        self.handles |= context::handles_failures(call);
        if self.wanted.namespaces.is_some() {
            self.note_candidate(call);
        }
    }
}

/// Checks whether a global of this name means something to a survey.
pub(super) fn is_special(name: &str, wanted: Wanted<'_>) -> bool {
    matches!(name, "tools" | "codemode" | "globalThis" | "global" | "self")
        || wanted.namespaces.is_some_and(|namespaces| namespaces.iter().any(|namespace| namespace == name))
}
