//! The edits for imports and exports that are not those of a whole statement.

use oxc::{
    ast::ast::{
        CallExpression, ExportSpecifier, Expression, ImportOrExportKind, TSImportEqualsDeclaration, TSModuleReference,
        WithClause,
    },
    ast_visit::Visit,
};

use super::{
    super::{
        compose::Edit,
        lower::state::{Alias, ImportedModule, Use},
        modules::RequireCall,
        packages,
    },
    Eraser,
};

impl<'a> Eraser<'a> {
    pub(super) fn visit_export_specifiers(&mut self, specifiers: &[ExportSpecifier<'a>]) {
        for specifier in specifiers {
            self.visit_module_export_name(&specifier.local);
            self.visit_module_export_name(&specifier.exported);
        }
    }

    /// Checks that the attributes of an import are those of a JSON file.
    pub(super) fn check_attributes(&mut self, clause: Option<&WithClause<'a>>) {
        let Some(clause) = clause else { return };
        for attribute in &clause.with_entries {
            self.note_literal(attribute.value.span);
            if attribute.key.as_arena_str() != "type" || attribute.value.value != "json" {
                let message = "the only import attribute is `type: \"json\"`";
                self.object(attribute.span, message, Some("write `with { type: \"json\" }`, or leave it out"));
            }
        }
    }

    /// Records a call of `require` with a literal.
    pub(super) fn note_require(&mut self, call: &CallExpression<'a>) {
        let [only] = call.arguments.as_slice() else { return };
        if let Some(Expression::StringLiteral(specifier)) = only.as_expression() {
            let (start, end) = (call.span.start as usize, call.span.end as usize);
            self.required.push(RequireCall { specifier: specifier.value.to_string(), start, end });
        }
    }

    /// Records `import a = b.c` or `import a = require("b")`, which is lowered once all references are known.
    pub(super) fn note_import(&mut self, it: &TSImportEqualsDeclaration<'a>, usage: Use) {
        let TSModuleReference::ExternalModuleReference(reference) = &it.module_reference else {
            return self.note_alias(Alias::of(it, usage));
        };
        if it.import_kind == ImportOrExportKind::Type {
            return self.blank_statement(it.span);
        }
        let specifier = &reference.expression;
        self.note_literal(specifier.span);
        self.note_module(ImportedModule {
            name: it.id.name.as_str(),
            span: it.span,
            specifier: specifier.span,
            module: specifier.value.to_string(),
            usage,
        });
    }

    /// Turns `import a = require("b")` into a call of `require`.
    pub(in super::super) fn lower_require(&mut self, imported: &ImportedModule<'a>) {
        if packages::builtin(&imported.module).is_none() {
            let message = format!("`{}` cannot be imported", imported.module);
            self.object(imported.specifier, message, Some(packages::advice(&imported.module)));
        }
        let start = imported.span.start as usize;
        self.edits.push(Edit::replace(start, start + "import".len(), "const "));
    }
}
