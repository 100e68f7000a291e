//! Turns the TypeScript syntax that means something at run time into JavaScript: enums, namespaces, parameter properties,
//! import aliases.
//!
//! Everything is done by changes to the text, in place, so that the author's expressions keep their positions. Nothing is
//! evaluated: the engine computes the values of enum members. What is put in for a member, a name or a parameter has a
//! length that does not depend on the others, so that the result grows with the text and no faster.

mod enums;
mod namespaces;
mod parameters;
mod references;

use std::collections::{HashMap, HashSet};

use oxc::ast::ast::{BindingIdentifier, Declaration, Statement};

use super::erase::Eraser;

pub(super) use namespaces::{Alias, Use, objection_in_namespace};
pub(super) use references::value_references;

/// What is known about declarations that may be merged with later ones.
#[derive(Debug, Default)]
pub(super) struct Lowering<'a> {
    /// A name that occurs nowhere in the text, made when it is first needed.
    fresh: Option<String>,
    /// The statement lists around the current place, innermost last.
    lists: Vec<List<'a>>,
    list_count: usize,
    /// What the parts of an enum or a namespace that came before have exported.
    parts: HashMap<Key, HashMap<&'a str, Exported>>,
    /// `import a = b.c`, to be lowered once it is known what uses it.
    aliases: Vec<Alias<'a>>,
}

/// A list of statements: a block, the body of a function, a file.
#[derive(Debug)]
struct List<'a> {
    number: usize,
    /// Names that need no declaration any more.
    declared: HashSet<&'a str>,
    /// The namespace whose body it is.
    namespace: Option<Key>,
}

/// Names an enum or a namespace: two declarations with the same key are merged.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key(String);

/// How the value of an exported name may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exported {
    Constant,
    Variable,
}

/// Where the object of an enum or a namespace is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    /// In a variable.
    Variable,
    /// In a variable, and in the namespace around it, which exports it.
    Namespace,
}

impl<'a> Eraser<'a> {
    /// Notes that a list of statements begins.
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

    /// Whether the statements of the current list are those of a namespace.
    pub(super) fn is_in_namespace(&self) -> bool {
        self.lowering.lists.last().is_some_and(|list| list.namespace.is_some())
    }

    /// Whether an enum or a namespace of this name is the first of its list, so that it needs a variable.
    pub(super) fn needs_variable(&self, name: &str) -> bool {
        self.lowering.lists.last().is_none_or(|list| !list.declared.contains(name))
    }

    /// A name that occurs nowhere in the text, not even as a part of another: one `$` more than ever stand in a row.
    fn fresh(&mut self) -> String {
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

    /// Declares the variable of an enum or a namespace; where there is one already, ends what stands before.
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

    /// Ends the function that fills an object, and calls it.
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

    /// Notes that the namespace around the current list exports a name.
    fn note_export(&mut self, name: &'a str, exported: Exported) {
        let namespace = self.lowering.lists.last().and_then(|list| list.namespace.clone());
        if let Some(key) = namespace {
            self.lowering.parts.entry(key).or_default().insert(name, exported);
        }
    }
}

/// The name of a class or a function, which an enum or a namespace can be merged with.
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

/// Whether a name can be declared in strict code.
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
