//! Collects the names that code refers to as values, and the names that it declares.

use std::collections::{HashMap, HashSet};

use oxc::{
    ast::ast::{
        BindingIdentifier, Declaration, ExportNamedDeclaration, ExportSpecifier, Expression, IdentifierReference,
        ImportOrExportKind, Program, Statement, TSClassImplements, TSEnumDeclaration, TSInterfaceDeclaration,
        TSNamespaceDeclaration, TSType,
    },
    ast_visit::{Visit, walk},
};

/// Referenced names, each with the offset of its first reference.
pub(in super::super) type References<'a> = HashMap<&'a str, usize>;

/// Returns the names that a program refers to as values.
pub(in super::super) fn value_references<'a>(program: &Program<'a>) -> References<'a> {
    let mut collector = Collector::default();
    collector.visit_program(program);
    collector.0
}

/// Returns the names that a statement refers to as values. The names in `export { … }` do not count.
pub(in super::super) fn names_of_statement<'a>(statement: &Statement<'a>) -> References<'a> {
    let mut collector = Collector::default();
    if !matches!(statement, Statement::ExportNamedDeclaration(_)) {
        collector.visit_statement(statement);
    }
    collector.0
}

pub(super) fn of_statements<'a>(statements: &[Statement<'a>]) -> References<'a> {
    let mut collector = Collector::default();
    statements.iter().for_each(|statement| collector.visit_statement(statement));
    collector.0
}

pub(super) fn of_expressions<'a: 'b, 'b>(expressions: impl Iterator<Item = &'b Expression<'a>>) -> References<'a> {
    let mut collector = Collector::default();
    expressions.for_each(|expression| collector.visit_expression(expression));
    collector.0
}

#[derive(Default)]
struct Collector<'a>(References<'a>);

impl<'a> Visit<'a> for Collector<'a> {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.0.entry(it.name.as_str()).or_insert(it.span.start as usize);
    }

    fn visit_ts_type(&mut self, _: &TSType<'a>) {}

    fn visit_ts_class_implements(&mut self, _: &TSClassImplements<'a>) {}

    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}

    fn visit_export_named_declaration(&mut self, it: &ExportNamedDeclaration<'a>) {
        if it.export_kind == ImportOrExportKind::Value {
            walk::walk_export_named_declaration(self, it);
        }
    }

    fn visit_export_specifier(&mut self, it: &ExportSpecifier<'a>) {
        if it.export_kind == ImportOrExportKind::Value {
            walk::walk_export_specifier(self, it);
        }
    }
}

/// Checks whether names mean the same everywhere in a list of statements: nothing inside declares one of them again, and no
/// enum or namespace inside has an object of its own.
pub(super) fn can_be_redirected<'a>(statements: &[Statement<'a>], names: &HashSet<&'a str>) -> bool {
    let mut search = Search { names, is_found: false };
    statements.iter().for_each(|statement| search.visit_statement(statement));
    !search.is_found
}

struct Search<'b, 'a> {
    names: &'b HashSet<&'a str>,
    is_found: bool,
}

impl<'a> Visit<'a> for Search<'_, 'a> {
    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.is_found |= self.names.contains(it.name.as_str());
    }

    fn visit_ts_enum_declaration(&mut self, _: &TSEnumDeclaration<'a>) {
        self.is_found = true;
    }

    fn visit_ts_namespace_declaration(&mut self, _: &TSNamespaceDeclaration<'a>) {
        self.is_found = true;
    }

    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
}

/// Returns the names that the statements of a list declare, without those of nested blocks.
pub(in super::super) fn declared<'a>(statements: &[Statement<'a>]) -> HashSet<&'a str> {
    let mut names = HashSet::new();
    for statement in statements {
        let declaration = match statement {
            Statement::ExportDeclaration(export) => Some(&export.declaration),
            other => other.as_declaration(),
        };
        match declaration {
            Some(Declaration::VariableDeclaration(variables)) => {
                let identifiers = variables.declarations.iter().flat_map(|it| it.id.get_binding_identifiers());
                names.extend(identifiers.map(|id| id.name.as_str()));
            }
            Some(other) => names.extend(other.id().map(|id| id.name.as_str())),
            None => {}
        }
    }
    names
}
