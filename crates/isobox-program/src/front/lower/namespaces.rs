//! Lowers namespaces: each becomes a function with the variables of the namespace, and an object with the exported ones.
//!
//! An exported variable becomes an accessor property of the object, so that both always have the same value. A part of a
//! namespace can use what an earlier part exports by its plain name: constants, functions and classes become constants of the
//! part, and the name of a variable becomes a property of the object.

use std::collections::HashSet;

use oxc::{
    ast::ast::{
        BindingIdentifier, Declaration, ExportDeclaration, Statement, TSModuleBlock, TSNamespaceDeclaration,
        TSNamespaceDeclarationBody, VariableDeclarationKind,
    },
    ast_visit::walk,
    span::{GetSpan, Span},
};

use super::super::{compose::Edit, declarations::is_erased, erase::Eraser, text::count};
use super::references;
use super::state::{Alias, Exported, Home, ImportedModule, Key, Use};

impl<'a> Eraser<'a> {
    /// Turns a namespace into a function that is called with the object of the namespace. `a.b` is a namespace in a namespace.
    pub(in super::super) fn lower_namespace(&mut self, it: &TSNamespaceDeclaration<'a>, home: Home) {
        let object = self.fresh();
        let (ids, block) = parts_of(it);
        let referenced = references::of_statements(&block.body);
        let mut key = self.key(&it.id.name, home);
        let mut head = String::new();
        let mut ends = Vec::new();
        let mut redirected = HashSet::new();
        for (level, id) in ids.iter().enumerate() {
            if level == 0 {
                head.push_str(&self.declare(id));
                ends.push(self.close(id, home));
            } else {
                head.push_str(&format!("let {};", self.source_of(id.span)));
                ends.push(self.close(id, Home::Namespace));
                self.lowering.parts.entry(key.clone()).or_default().insert(id.name.as_str(), Exported::Constant);
                key = Key(format!("{}.{}", key.0, id.name));
            }
            head.push_str(&format!("(({object})=>{{"));
            let (constants, variables) = self.earlier_exports(&key, &referenced, block);
            if !constants.is_empty() {
                head.push_str(&format!("const {{{}}}={object};", constants.join(",")));
            }
            let is_innermost = level + 1 == ids.len();
            let names: HashSet<&'a str> = variables.iter().map(|(name, _)| *name).collect();
            match variables.first() {
                Some(_) if is_innermost && references::can_be_redirected(&block.body, &names) => redirected = names,
                Some((name, offset)) => {
                    let message = format!("`{name}` is a variable of another part of the namespace");
                    let hint = "write the name of the namespace before it";
                    self.object(Span::empty(count(*offset)), message, Some(hint));
                }
                None => {}
            }
        }
        let redirected_around = std::mem::replace(&mut self.lowering.redirected, redirected);
        let span = block.span;
        self.edits.push(Edit::replace(it.span.start as usize, span.start as usize + 1, head));
        self.enter_list_of(&block.body, Some(key));
        self.visit_listed(&block.body);
        self.leave_list();
        self.lowering.redirected = redirected_around;
        ends.reverse();
        self.edits.push(Edit::replace(span.end as usize - 1, span.end as usize, ends.concat()));
    }

    /// Returns the constants and the variables that a part of a namespace uses from earlier parts.
    fn earlier_exports(
        &self,
        key: &Key,
        referenced: &references::References<'a>,
        block: &TSModuleBlock<'a>,
    ) -> (Vec<&'a str>, Vec<(&'a str, usize)>) {
        let Some(earlier) = self.lowering.parts.get(key) else { return (Vec::new(), Vec::new()) };
        let own = references::declared(&block.body);
        let mut names: Vec<(&str, usize, Exported)> = referenced
            .iter()
            .filter(|(name, _)| !own.contains(*name))
            .filter_map(|(name, offset)| earlier.get(name).map(|exported| (*name, *offset, *exported)))
            .collect();
        names.sort_unstable_by_key(|(_, offset, _)| *offset);
        let (constants, variables): (Vec<_>, Vec<_>) =
            names.into_iter().partition(|(.., exported)| *exported == Exported::Constant);
        (
            constants.into_iter().map(|(name, ..)| name).collect(),
            variables.into_iter().map(|(name, offset, _)| (name, offset)).collect(),
        )
    }

    /// Returns the property that a name stands for, if it is a variable of another part of the namespace.
    pub(in super::super) fn redirection(&mut self, name: &str) -> Option<String> {
        self.lowering.redirected.contains(name).then(|| format!("{}.{name}", self.fresh()))
    }

    /// Exports a declaration from the enclosing namespace.
    pub(in super::super) fn export_from_namespace(&mut self, export: &ExportDeclaration<'a>) {
        let declaration = &export.declaration;
        if is_erased(declaration) {
            return self.blank_statement(export.span);
        }
        self.blank(Span::new(export.span.start, declaration.span().start));
        match declaration {
            Declaration::TSEnumDeclaration(it) => {
                self.note_export(it.id.name.as_str(), Exported::Constant);
                self.lower_enum(it, Home::Namespace);
            }
            Declaration::TSNamespaceDeclaration(it) => {
                self.note_export(it.id.name.as_str(), Exported::Constant);
                self.lower_namespace(it, Home::Namespace);
            }
            Declaration::VariableDeclaration(variables) => {
                let exported = match variables.kind {
                    VariableDeclarationKind::Let | VariableDeclarationKind::Var => Exported::Variable,
                    VariableDeclarationKind::Const
                    | VariableDeclarationKind::Using
                    | VariableDeclarationKind::AwaitUsing => Exported::Constant,
                };
                walk::walk_export_declaration(self, export);
                let mut text = String::from(";");
                for declarator in &variables.declarations {
                    for id in declarator.id.get_binding_identifiers() {
                        self.note_export(id.name.as_str(), exported);
                        text.push_str(&self.accessor(id, exported));
                    }
                }
                self.edits.push(Edit::insert(export.span.end as usize, text));
            }
            Declaration::TSImportEqualsDeclaration(it) => {
                self.lowering.aliases.push(Alias::of(it, Use::Exported));
                self.export_plainly(&it.id, export.span);
            }
            other => {
                walk::walk_export_declaration(self, export);
                if let Some(id) = other.id() {
                    self.export_plainly(id, export.span);
                }
            }
        }
    }

    fn export_plainly(&mut self, id: &BindingIdentifier<'a>, statement: Span) {
        self.note_export(id.name.as_str(), Exported::Constant);
        let (object, name) = (self.fresh(), self.source_of(id.span));
        self.edits.push(Edit::insert(statement.end as usize, format!(";{object}.{name}={name};")));
    }

    /// Returns the definition of an accessor property for an exported variable. Reaches `Object` through a literal, because the
    /// program may declare that name itself.
    fn accessor(&mut self, id: &BindingIdentifier<'a>, exported: Exported) -> String {
        let (object, source) = (self.fresh(), self.source_of(id.span));
        let key = serde_json::Value::from(id.name.as_str());
        let set = match exported {
            Exported::Constant => String::new(),
            Exported::Variable => format!("set:({object}v)=>{{{source}={object}v}},"),
        };
        format!(
            "({{}}).constructor.defineProperty({object},{key},\
             {{get:()=>{source},{set}enumerable:true,configurable:true}});"
        )
    }

    /// Records an alias, `import a = b.c`.
    pub(in super::super) fn note_alias(&mut self, alias: Alias<'a>) {
        self.lowering.aliases.push(alias);
    }

    /// Records a module that is imported with `import a = require("b")`.
    pub(in super::super) fn note_module(&mut self, imported: ImportedModule<'a>) {
        self.lowering.modules.push(imported);
    }

    /// Checks whether there are aliases or modules to be lowered.
    pub(in super::super) fn has_aliases(&self) -> bool {
        !self.lowering.aliases.is_empty() || !self.lowering.modules.is_empty()
    }

    /// Turns each alias and each module that is exported or used as a value into a variable, and erases the others.
    pub(in super::super) fn lower_aliases(&mut self, references: &references::References<'a>) {
        for alias in std::mem::take(&mut self.lowering.aliases) {
            if alias.usage == Use::Exported || references.contains_key(alias.name) {
                let head = format!("var {}=", self.source_of(alias.id));
                self.edits.push(Edit::replace(alias.span.start as usize, alias.target.start as usize, head));
                self.edits.push(Edit::insert(alias.target.end as usize, ";"));
            } else {
                self.blank_statement(alias.span);
            }
        }
        for imported in std::mem::take(&mut self.lowering.modules) {
            if imported.usage == Use::Exported || references.contains_key(imported.name) {
                self.lower_require(&imported);
            } else {
                self.blank_statement(imported.span);
            }
        }
    }
}

/// Returns the names of a namespace `a.b.c`, outermost first, and the body of the innermost namespace.
fn parts_of<'a, 'b>(it: &'b TSNamespaceDeclaration<'a>) -> (Vec<&'b BindingIdentifier<'a>>, &'b TSModuleBlock<'a>) {
    let mut ids = vec![&it.id];
    let mut body = &it.body;
    loop {
        match body {
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => {
                ids.push(&inner.id);
                body = &inner.body;
            }
            TSNamespaceDeclarationBody::TSModuleBlock(block) => return (ids, block),
        }
    }
}

/// Returns the reason why a statement is not allowed in a namespace, if there is one.
pub(in super::super) fn objection_in_namespace(statement: &Statement<'_>) -> Option<&'static str> {
    match statement {
        Statement::ExportNamedDeclaration(_)
        | Statement::ExportFromDeclaration(_)
        | Statement::ExportAllDeclaration(_)
        | Statement::ExportDefaultDeclaration(_) => Some("a namespace exports only what it declares with `export`"),
        Statement::ImportDeclaration(_) => Some("a namespace cannot import files"),
        _ => None,
    }
}
