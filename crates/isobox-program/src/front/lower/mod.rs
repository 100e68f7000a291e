//! Turns the syntax that the engine does not know into JavaScript: enums, namespaces, parameter properties, import aliases,
//! decorators.
//!
//! The text is edited in place, so that the author's expressions keep their positions. Nothing is evaluated: the engine
//! computes the values of enum members. The text inserted for one member, name or parameter does not grow with the number of
//! the others, so that the size of the result is linear in the size of the text.

mod decorators;
mod enums;
mod members;
mod namespaces;
mod naming;
mod parameters;
pub(super) mod references;
pub(super) mod state;

use oxc::ast::ast::{BindingIdentifier, Declaration, Statement};

use super::erase::Eraser;
use state::{Exported, Home, Key, List};

pub(super) use decorators::is_decorated;
pub(super) use namespaces::objection_in_namespace;
pub(super) use naming::class_names;
pub(super) use references::{References, declared, names_of_statement, value_references};

impl<'a> Eraser<'a> {
    /// Enters a list of statements.
    pub(super) fn enter_list(&mut self, statements: &[Statement<'a>]) {
        self.enter_list_of(statements, None);
    }

    fn enter_list_of(&mut self, statements: &[Statement<'a>], namespace: Option<Key>) {
        let declared = statements.iter().filter_map(declared_before).collect();
        self.lowering.list_count += 1;
        self.lowering.lists.push(List { number: self.lowering.list_count, declared, namespace });
    }

    pub(super) fn leave_list(&mut self) {
        self.lowering.lists.pop();
    }

    /// Checks whether the current list is the body of a namespace.
    pub(super) fn is_in_namespace(&self) -> bool {
        self.lowering.lists.last().is_some_and(|list| list.namespace.is_some())
    }

    /// Checks whether an enum or a namespace needs a variable, because its name is not yet declared in the current list.
    pub(super) fn needs_variable(&self, name: &str) -> bool {
        self.lowering.lists.last().is_none_or(|list| !list.declared.contains(name))
    }

    /// Returns a name that occurs nowhere in the text, not even inside another name: one `$` more than the longest run of `$`.
    pub(super) fn fresh(&mut self) -> String {
        let text = self.text;
        let longest = || text.split(|sign| sign != '$').map(str::len).max().unwrap_or_default();
        self.lowering.fresh.get_or_insert_with(|| "$".repeat(longest() + 1)).clone()
    }

    fn key(&self, name: &str, home: Home) -> Key {
        match (home, self.lowering.lists.last()) {
            (Home::Namespace, Some(List { namespace: Some(Key(around)), .. })) => Key(format!("{around}.{name}")),
            (_, list) => Key(format!("{}/{name}", list.map_or(0, |list| list.number))),
        }
    }

    /// Returns the declaration of the variable of an enum or a namespace. If the name is declared already, returns a semicolon
    /// that ends the previous statement.
    fn declare(&mut self, id: &BindingIdentifier<'a>) -> String {
        let is_top = self.lowering.lists.len() == 1;
        let name = id.name.as_str();
        let is_new = self.lowering.lists.last_mut().is_none_or(|list| list.declared.insert(name));
        match (is_new, is_top) {
            (false, _) => ";".to_owned(),
            (true, true) => format!("var {};", self.source_of(id.span)),
            (true, false) => format!("let {};", self.source_of(id.span)),
        }
    }

    /// Returns the text that ends the function that fills an object, and calls the function.
    fn close(&mut self, id: &BindingIdentifier<'a>, home: Home) -> String {
        let name = self.source_of(id.span);
        match home {
            Home::Variable => format!("}})({name}||({name}={{}}));"),
            Home::Namespace => {
                let outer = self.fresh();
                format!("}})({name}={outer}.{name}||({outer}.{name}={{}}));")
            }
        }
    }

    /// Records that the enclosing namespace exports a name.
    fn note_export(&mut self, name: &'a str, exported: Exported) {
        let namespace = self.lowering.lists.last().and_then(|list| list.namespace.clone());
        if let Some(key) = namespace {
            self.lowering.parts.entry(key).or_default().insert(name, exported);
        }
    }
}

/// Returns the name of a class or a function, with which an enum or a namespace can be merged.
fn declared_before<'a>(statement: &Statement<'a>) -> Option<&'a str> {
    let declaration = match statement {
        Statement::ExportDeclaration(export) => Some(&export.declaration),
        other => other.as_declaration(),
    };
    let id = match declaration? {
        Declaration::ClassDeclaration(class) if !class.declare => class.id.as_ref(),
        Declaration::FunctionDeclaration(function) if function.body.is_some() => function.id.as_ref(),
        _ => None,
    };
    id.map(|id| id.name.as_str())
}

/// Checks whether a name is a word of the language.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// Checks whether a name can be declared in strict code.
fn can_be_declared(name: &str) -> bool {
    oxc::syntax::identifier::is_identifier_name(name) && !RESERVED.contains(&name)
}

#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do",
    "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function", "if", "implements", "import",
    "in", "instanceof", "interface", "let", "new", "null", "package", "private", "protected", "public", "return",
    "static", "super", "switch", "this", "throw", "true", "try", "typeof", "var", "void", "while", "with", "yield",
];
