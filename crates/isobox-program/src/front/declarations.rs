//! Tells which declarations exist only for types.

use oxc::ast::ast::{Declaration, ImportOrExportKind, Statement, TSNamespaceDeclaration, TSNamespaceDeclarationBody};

/// Checks whether a declaration exists only for types, so that it is erased.
pub(super) fn is_erased(declaration: &Declaration<'_>) -> bool {
    match declaration {
        Declaration::TSTypeAliasDeclaration(_)
        | Declaration::TSInterfaceDeclaration(_)
        | Declaration::TSExternalModuleDeclaration(_)
        | Declaration::TSGlobalDeclaration(_) => true,
        Declaration::VariableDeclaration(variables) => variables.declare,
        Declaration::FunctionDeclaration(function) => function.declare || function.body.is_none(),
        Declaration::ClassDeclaration(class) => class.declare,
        Declaration::TSEnumDeclaration(declaration) => declaration.declare,
        Declaration::TSNamespaceDeclaration(namespace) => namespace.declare || is_type_only(namespace),
        Declaration::TSImportEqualsDeclaration(import) => import.import_kind == ImportOrExportKind::Type,
    }
}

/// Checks whether a namespace contains only types.
fn is_type_only(namespace: &TSNamespaceDeclaration<'_>) -> bool {
    match &namespace.body {
        TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => is_type_only(inner),
        TSNamespaceDeclarationBody::TSModuleBlock(block) => block.body.iter().all(|statement| {
            let declaration = match statement {
                Statement::ExportDeclaration(export) => Some(&export.declaration),
                other => other.as_declaration(),
            };
            match declaration {
                Some(Declaration::TSTypeAliasDeclaration(_) | Declaration::TSInterfaceDeclaration(_)) => true,
                Some(Declaration::TSNamespaceDeclaration(inner)) => is_type_only(inner),
                _ => false,
            }
        }),
    }
}
