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

use super::{Surveyor, context, scopes::scope_of, usage};
use crate::front::declarations::is_erased;

impl<'a> Visit<'a> for Surveyor<'a, '_> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
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

    fn leave_node(&mut self, _: AstKind<'a>) {
        self.ancestors.pop();
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
        let origin = usage::origin(&self.ancestors);
        let binding = super::Binding { scope, span: name.span, origin };
        self.scopes.declare(name.name.as_str(), binding);
    }

    fn refer(&mut self, name: &'a IdentifierReference<'a>) {
        self.references.push(usage::reference(&self.ancestors, name));
    }

    fn meet_call(&mut self, call: &'a CallExpression<'a>) {
        self.handles |= context::handles_failures(call);
        if self.wanted.namespaces.is_some() {
            self.note_candidate(call);
        }
    }
}
