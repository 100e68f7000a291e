//! Records the imports and exports of a file.

use std::collections::HashSet;

use oxc::{
    ast::ast::{
        Declaration, ExportAllDeclaration, ExportDeclaration, ExportFromDeclaration, ExportNamedDeclaration,
        Expression, ImportDeclaration, ImportDeclarationSpecifier, ImportExpression, ImportOrExportKind, Statement,
        WithClause,
    },
    span::{GetSpan, Span},
};

use super::{compose::Edit, declarations::is_erased, lower::references::References, trivia};

/// Whether a name exists at run time, or only as a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Value,
    Type,
}

impl From<ImportOrExportKind> for Presence {
    fn from(kind: ImportOrExportKind) -> Self {
        match kind {
            ImportOrExportKind::Value => Self::Value,
            ImportOrExportKind::Type => Self::Type,
        }
    }
}

/// What a binding takes from another file: one export, or the namespace object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Taken {
    Named(String),
    Namespace,
}

/// One name that an `import` or an `export … from` takes from another file.
#[derive(Debug)]
pub(super) struct Binding {
    pub(super) taken: Taken,
    /// The local name of an import, or the exported name of a re-export.
    pub(super) local: String,
    pub(super) presence: Presence,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The form of a reference to another file.
#[derive(Debug)]
pub(super) enum Form {
    Import(Vec<Binding>),
    ExportNames(Vec<Binding>),
    ExportAll { alias: Option<String> },
    Dynamic,
}

/// One reference to another file.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) specifier: String,
    /// The offsets of the specifier.
    pub(super) offset: usize,
    pub(super) specifier_end: usize,
    /// The end of the import attributes behind the specifier, if there are any.
    pub(super) attributes_end: Option<usize>,
    /// Whether the attributes say that the file is JSON.
    pub(super) is_json: bool,
    pub(super) start: usize,
    pub(super) end: usize,
    /// `Type` for `import type` and `export type … from`.
    pub(super) presence: Presence,
    pub(super) form: Form,
}

/// The origin of an exported name.
#[derive(Debug)]
pub(super) enum Source {
    /// A declaration with `export` before it.
    Declared(Presence),
    /// `export { local }`.
    Local { name: String, presence: Presence, start: usize, end: usize, statement: Presence },
}

/// Everything that a file imports and exports.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub(super) references: Vec<Reference>,
    pub(super) exports: Vec<(String, Source)>,
    /// Names that the file declares only as types. Filled only if the file has an `export { … }`.
    pub(super) types: HashSet<String>,
    /// Whether the file has an `import()` whose specifier is known only at run time.
    pub(super) imports_computed: bool,
}

/// The calls of `require` in a file, and how to name what they give.
#[derive(Debug, Default)]
pub(super) struct Required {
    pub(super) calls: Vec<RequireCall>,
    /// The beginning of names that occur nowhere in the file.
    pub(super) prefix: String,
}

/// A call of `require` with a literal.
#[derive(Debug)]
pub(super) struct RequireCall {
    pub(super) specifier: String,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Records {
    /// Records the names that are declared only as types, for `export { … }`.
    pub(super) fn record_types(&mut self, body: &[Statement<'_>]) {
        self.types = declared_types(body);
    }

    /// Turns names that are imported from elsewhere, and that no code refers to, into types. TypeScript erases their imports,
    /// because they may be types.
    pub(super) fn record_uses(&mut self, references: &References<'_>, is_own: impl Fn(&str) -> bool) {
        for reference in self.references.iter_mut().filter(|reference| !is_own(&reference.specifier)) {
            let Form::Import(bindings) = &mut reference.form else { continue };
            for binding in bindings.iter_mut().filter(|binding| !references.contains_key(binding.local.as_str())) {
                binding.presence = Presence::Type;
            }
        }
    }

    pub(super) fn record_export_declaration(&mut self, export: &ExportDeclaration<'_>, presence: Presence) {
        declared_names(&export.declaration, |name| {
            self.exports.push((name.to_owned(), Source::Declared(presence)));
        });
    }

    pub(super) fn record_default(&mut self, presence: Presence) {
        self.exports.push(("default".to_owned(), Source::Declared(presence)));
    }

    pub(super) fn record_export_names(&mut self, export: &ExportNamedDeclaration<'_>) {
        let whole = Presence::from(export.export_kind);
        for specifier in &export.specifiers {
            let presence = if whole == Presence::Type { whole } else { specifier.export_kind.into() };
            let source = Source::Local {
                name: specifier.local.name().to_string(),
                presence,
                start: specifier.span.start as usize,
                end: specifier.span.end as usize,
                statement: whole,
            };
            self.exports.push((specifier.exported.name().to_string(), source));
        }
    }

    pub(super) fn record_export_from(&mut self, export: &ExportFromDeclaration<'_>) {
        let names = export
            .specifiers
            .iter()
            .map(|specifier| Binding {
                taken: Taken::Named(specifier.local.name().to_string()),
                local: specifier.exported.name().to_string(),
                presence: specifier.export_kind.into(),
                start: specifier.span.start as usize,
                end: specifier.span.end as usize,
            })
            .collect();
        let form = Form::ExportNames(names);
        self.refer(&export.source.value, export.source.span, export.span, export.export_kind, form);
        self.note_attributes(export.with_clause.as_deref());
    }

    pub(super) fn record_export_all(&mut self, export: &ExportAllDeclaration<'_>) {
        let form = Form::ExportAll { alias: export.exported.as_ref().map(|name| name.name().to_string()) };
        self.refer(&export.source.value, export.source.span, export.span, export.export_kind, form);
        self.note_attributes(export.with_clause.as_deref());
    }

    pub(super) fn record_import(&mut self, import: &ImportDeclaration<'_>) {
        let bindings = import.specifiers.iter().flatten().map(binding).collect();
        let form = Form::Import(bindings);
        self.refer(&import.source.value, import.source.span, import.span, import.import_kind, form);
        self.note_attributes(import.with_clause.as_deref());
    }

    pub(super) fn record_dynamic_import(&mut self, import: &ImportExpression<'_>) {
        let source = match &import.source {
            Expression::StringLiteral(literal) => Some(literal.value.as_str()),
            Expression::TemplateLiteral(literal) if literal.expressions.is_empty() => {
                literal.quasis.first().and_then(|quasi| quasi.value.cooked.as_ref()).map(|text| text.as_str())
            }
            _ => None,
        };
        match source {
            Some(specifier) => {
                let span = import.source.span();
                self.refer(specifier, span, import.span, ImportOrExportKind::Value, Form::Dynamic);
                let options = import.options.as_ref().filter(|_| specifier.ends_with(".json"));
                if let (Some(options), Some(reference)) = (options, self.references.last_mut()) {
                    reference.attributes_end = Some(options.span().end as usize);
                }
            }
            None => self.imports_computed = true,
        }
    }

    fn note_attributes(&mut self, clause: Option<&WithClause<'_>>) {
        if let (Some(clause), Some(reference)) = (clause, self.references.last_mut()) {
            reference.attributes_end = Some(clause.span.end as usize);
            reference.is_json = !clause.with_entries.is_empty();
        }
    }

    fn refer(&mut self, specifier: &str, at: Span, span: Span, kind: ImportOrExportKind, form: Form) {
        self.references.push(Reference {
            specifier: specifier.to_owned(),
            offset: at.start as usize,
            specifier_end: at.end as usize,
            attributes_end: None,
            is_json: false,
            start: span.start as usize,
            end: span.end as usize,
            presence: kind.into(),
            form,
        });
    }
}

fn binding(specifier: &ImportDeclarationSpecifier<'_>) -> Binding {
    let span = specifier.span();
    let (start, end) = (span.start as usize, span.end as usize);
    let (taken, presence) = match specifier {
        ImportDeclarationSpecifier::ImportSpecifier(named) => {
            (Taken::Named(named.imported.name().to_string()), named.import_kind.into())
        }
        ImportDeclarationSpecifier::ImportDefaultSpecifier(_) => (Taken::Named("default".to_owned()), Presence::Value),
        ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => (Taken::Namespace, Presence::Value),
    };
    Binding { taken, local: specifier.local().name.to_string(), presence, start, end }
}

/// Returns the names that a file declares only as types.
pub(super) fn declared_types(body: &[Statement<'_>]) -> HashSet<String> {
    let mut types = HashSet::new();
    let mut values = HashSet::new();
    for statement in body {
        let declaration = match statement {
            Statement::ExportDeclaration(export) => Some(&export.declaration),
            other => other.as_declaration(),
        };
        let Some(declaration) = declaration else { continue };
        let names = if is_erased(declaration) { &mut types } else { &mut values };
        declared_names(declaration, |name| {
            names.insert(name.to_owned());
        });
    }
    types.retain(|name| !values.contains(name));
    types
}

fn declared_names(declaration: &Declaration<'_>, mut name: impl FnMut(&str)) {
    match declaration {
        Declaration::VariableDeclaration(variables) => {
            for declarator in &variables.declarations {
                for identifier in declarator.id.get_binding_identifiers() {
                    name(&identifier.name);
                }
            }
        }
        Declaration::TSExternalModuleDeclaration(_) | Declaration::TSGlobalDeclaration(_) => {}
        other => {
            if let Some(identifier) = other.id() {
                name(&identifier.name);
            }
        }
    }
}

/// Creates the edit that blanks a specifier in braces, or a default import, and the comma behind it.
pub(super) fn blank_specifier(text: &str, start: usize, end: usize) -> Edit {
    let comma = trivia::skip(text, end);
    let end = if text.as_bytes().get(comma) == Some(&b',') { comma + 1 } else { end };
    Edit::blank(start, end)
}
