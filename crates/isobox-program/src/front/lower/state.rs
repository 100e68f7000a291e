//! The state of lowering, which the eraser carries.

use std::collections::{HashMap, HashSet};

use oxc::{
    ast::ast::TSImportEqualsDeclaration,
    span::{GetSpan, Span},
};

use super::naming::ClassName;

/// The state of lowering: fresh names, and declarations that later ones may be merged with.
#[derive(Debug, Default)]
pub(in super::super) struct Lowering<'a> {
    /// A name that occurs nowhere in the text, created on first use.
    pub(super) fresh: Option<String>,
    /// The lists of statements around the current node, innermost last.
    pub(super) lists: Vec<List<'a>>,
    pub(super) list_count: usize,
    /// The names that the earlier parts of an enum or a namespace have exported.
    pub(super) parts: HashMap<Key, HashMap<&'a str, Exported>>,
    /// The variables of other parts of the current namespace that its code refers to.
    pub(super) redirected: HashSet<&'a str>,
    /// Aliases (`import a = b.c`), lowered after all references are known.
    pub(super) aliases: Vec<Alias<'a>>,
    /// Modules that are imported with `import a = require("b")`, lowered after all references are known.
    pub(super) modules: Vec<ImportedModule<'a>>,
    /// Whether any class has decorators.
    pub(super) has_decorators: bool,
    /// The number of names made for classes with decorators and for `accessor` fields.
    pub(super) class_count: usize,
    /// The state of the class around the current node, if the class has decorators.
    pub(super) decorated: Option<Decorated>,
    /// Whether any `accessor` field has a computed name.
    pub(super) has_computed_accessors: bool,
    /// The names that anonymous classes take from what they are assigned to. Empty if the text has no decorators.
    pub(in super::super) class_names: HashMap<Span, ClassName>,
    /// The statement that exports the class to be visited next.
    pub(super) class_export: Option<(Span, ClassExport)>,
}

/// The state of lowering the decorators of one class.
#[derive(Debug)]
pub(in super::super) struct Decorated {
    /// The name of the variable that has the state of the class at run time.
    pub(super) state: String,
    /// The number of recorded members so far.
    pub(super) members: usize,
    pub(super) statics: Statics,
    /// The text behind the class.
    pub(super) end: String,
}

/// The class that static fields, accessors and blocks belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Statics {
    /// The class that they are written in.
    InPlace,
    /// The class that the decorators of the class make.
    OfReplacement,
}

/// How a class is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum ClassExport {
    Named,
    Default,
}

/// A list of statements: a block, the body of a function, a file.
#[derive(Debug)]
pub(super) struct List<'a> {
    pub(super) number: usize,
    /// Names that are declared already.
    pub(super) declared: HashSet<&'a str>,
    /// The namespace whose body the list is.
    pub(super) namespace: Option<Key>,
}

/// Identifies an enum or a namespace. Declarations with the same key are merged.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key(pub(super) String);

/// Whether the value of an exported name may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exported {
    Constant,
    Variable,
}

/// Where the object of an enum or a namespace is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Home {
    /// In a variable.
    Variable,
    /// In a variable, and as a property of the enclosing namespace, which exports it.
    Namespace,
}

/// An alias, `import a = b.c`.
#[derive(Debug)]
pub(in super::super) struct Alias<'a> {
    pub(super) name: &'a str,
    pub(super) id: Span,
    pub(super) target: Span,
    pub(super) span: Span,
    pub(super) usage: Use,
}

/// A module that is imported with `import a = require("b")`.
#[derive(Debug)]
pub(in super::super) struct ImportedModule<'a> {
    pub(in super::super) name: &'a str,
    pub(in super::super) span: Span,
    /// The range of the module's name, and the name.
    pub(in super::super) specifier: Span,
    pub(in super::super) module: String,
    pub(in super::super) usage: Use,
}

/// Whether an alias is needed even if nothing refers to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Use {
    Exported,
    Local,
}

impl<'a> Alias<'a> {
    pub(in super::super) fn of(it: &TSImportEqualsDeclaration<'a>, usage: Use) -> Self {
        Self { name: it.id.name.as_str(), id: it.id.span, target: it.module_reference.span(), span: it.span, usage }
    }
}
