//! Finds out which declaration a name refers to.
//!
//! A scope is the range of the text in which its names are visible. A name means the declaration with the smallest range
//! around it, wherever in that range the declaration is.

use std::collections::HashMap;

use oxc::{
    ast::{
        AstKind,
        ast::{FunctionType, VariableDeclarationKind},
    },
    span::{GetSpan, Span},
};

use super::usage::Reference;

/// The names of a file.
#[derive(Default)]
pub(super) struct Scopes<'a>(HashMap<&'a str, Known<'a>>);

/// What is known of a name: its declarations and its uses, in the order of the text.
#[derive(Default)]
pub(super) struct Known<'a> {
    bindings: Vec<Binding<'a>>,
    references: Vec<Reference<'a>>,
}

/// One declared name.
pub(super) struct Binding<'a> {
    /// Where the name is visible.
    pub(super) scope: Span,
    /// Where it is declared.
    pub(super) span: Span,
    pub(super) origin: Origin<'a>,
}

/// Where the value of a name comes from.
#[derive(Clone)]
pub(super) enum Origin<'a> {
    /// It is not known, or may change.
    Unknown,
    /// It is the promise of the call with this range.
    Promise(Span),
    /// It is the result of the call with this range.
    Result(Span),
    /// It is a part of the result of a call.
    Part,
    /// It is a property of something with a name: the name, its range, and the names from there.
    Alias(&'a str, Span, Vec<&'a str>),
    /// It is the function with this range.
    Function(Span),
}

impl<'a> Known<'a> {
    /// Checks whether the name is declared, and nothing is known about its values.
    pub(super) fn is_plain(&self) -> bool {
        !self.bindings.is_empty() && self.bindings.iter().all(|binding| matches!(binding.origin, Origin::Unknown))
    }

    /// Checks whether the name may be that of a tool.
    pub(super) fn may_be_alias(&self) -> bool {
        self.bindings.is_empty() || self.bindings.iter().any(|binding| matches!(binding.origin, Origin::Alias(..)))
    }

    pub(super) fn refer(&mut self, reference: Reference<'a>) {
        self.references.push(reference);
    }
}

impl<'a> Scopes<'a> {
    pub(super) fn declare(&mut self, name: &'a str, binding: Binding<'a>) {
        self.known(name).bindings.push(binding);
    }

    /// Returns what is known of a name, to add to it.
    pub(super) fn known(&mut self, name: &'a str) -> &mut Known<'a> {
        self.0.entry(name).or_default()
    }

    /// Returns what is known of a name.
    pub(super) fn get(&self, name: &str) -> Option<&Known<'a>> {
        self.0.get(name)
    }

    /// Returns the declaration that a name at a place refers to, or `None` for a global.
    pub(super) fn resolve(&self, name: &str, at: Span) -> Option<&Binding<'a>> {
        let bindings = self.0.get(name)?.bindings.iter();
        bindings.filter(|binding| contains(binding.scope, at)).min_by_key(|binding| binding.scope.size())
    }

    /// Returns the declaration of a name in this scope, if it is the only one there.
    pub(super) fn declared_in(&self, name: &str, scope: Span) -> Option<&Binding<'a>> {
        let mut found = self.0.get(name)?.bindings.iter().filter(|binding| binding.scope == scope);
        found.next().filter(|_| found.next().is_none())
    }

    /// Checks whether a binding is the only declaration of its name in its scope.
    pub(super) fn is_sole(&self, name: &str, binding: &Binding<'a>) -> bool {
        self.declared_in(name, binding.scope).is_some()
    }

    /// Returns all declarations of a name.
    pub(super) fn bindings_of(&self, name: &str) -> impl Iterator<Item = &Binding<'a>> {
        self.0.get(name).into_iter().flat_map(|known| &known.bindings)
    }

    /// Returns all uses of a name.
    pub(super) fn uses(&self, name: &str) -> impl Iterator<Item = &Reference<'a>> {
        self.0.get(name).into_iter().flat_map(|known| &known.references)
    }

    /// Returns the uses of a name that mean the declaration at this place.
    pub(super) fn uses_of(&self, name: &str, declared: Span) -> impl Iterator<Item = &Reference<'a>> {
        let is_same = move |reference: &&Reference<'a>| {
            self.resolve(name, reference.span).is_some_and(|binding| binding.span == declared)
        };
        self.uses(name).filter(is_same)
    }

    /// Returns all declarations.
    pub(super) fn bindings(&self) -> impl Iterator<Item = (&'a str, &Binding<'a>)> {
        self.0.iter().flat_map(|(name, known)| known.bindings.iter().map(|binding| (*name, binding)))
    }

    /// Returns the uses of all names that the file does not declare around them.
    pub(super) fn globals(&self) -> impl Iterator<Item = (&'a str, &Reference<'a>)> {
        let uses = self.0.iter().flat_map(|(name, known)| known.references.iter().map(|reference| (*name, reference)));
        uses.filter(|(name, reference)| self.resolve(name, reference.span).is_none())
    }
}

pub(super) fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Returns the range in which a name is visible that is declared below these ancestors.
pub(super) fn scope_of(ancestors: &[AstKind<'_>], name: Span) -> Span {
    let mut around = ancestors.iter().enumerate().rev();
    let found = around.find_map(|(index, kind)| match kind {
        AstKind::VariableDeclaration(declaration) => Some(match declaration.kind {
            VariableDeclarationKind::Var => function_around(&ancestors[..index]),
            VariableDeclarationKind::Let
            | VariableDeclarationKind::Const
            | VariableDeclarationKind::Using
            | VariableDeclarationKind::AwaitUsing => block_around(&ancestors[..index]),
        }),
        AstKind::Function(function) => Some(match function.r#type {
            FunctionType::FunctionDeclaration | FunctionType::TSDeclareFunction
                if function.id.as_ref().is_some_and(|id| id.span == name) =>
            {
                block_around(&ancestors[..index])
            }
            _ => function.span,
        }),
        AstKind::Class(class) => {
            Some(if class.is_declaration() { block_around(&ancestors[..index]) } else { class.span })
        }
        AstKind::ArrowFunctionExpression(arrow) => Some(arrow.span),
        AstKind::CatchClause(clause) => Some(clause.span),
        AstKind::TSEnumDeclaration(declaration) if declaration.id.span == name => {
            Some(block_around(&ancestors[..index]))
        }
        AstKind::TSNamespaceDeclaration(namespace) if namespace.id.span == name => {
            Some(block_around(&ancestors[..index]))
        }
        _ => None,
    });
    found.unwrap_or_else(|| ancestors.first().map_or(name, |program| program.span()))
}

fn function_around(ancestors: &[AstKind<'_>]) -> Span {
    let is_function = |kind: &&AstKind<'_>| {
        matches!(
            kind,
            AstKind::Function(_)
                | AstKind::ArrowFunctionExpression(_)
                | AstKind::StaticBlock(_)
                | AstKind::TSModuleBlock(_)
                | AstKind::Program(_)
        )
    };
    ancestors.iter().rev().find(is_function).map_or(Span::default(), GetSpan::span)
}

fn block_around(ancestors: &[AstKind<'_>]) -> Span {
    let is_block = |kind: &&AstKind<'_>| {
        matches!(
            kind,
            AstKind::BlockStatement(_)
                | AstKind::FunctionBody(_)
                | AstKind::Function(_)
                | AstKind::ArrowFunctionExpression(_)
                | AstKind::ForStatement(_)
                | AstKind::ForInStatement(_)
                | AstKind::ForOfStatement(_)
                | AstKind::SwitchStatement(_)
                | AstKind::StaticBlock(_)
                | AstKind::TSModuleBlock(_)
                | AstKind::Program(_)
        )
    };
    ancestors.iter().rev().find(is_block).map_or(Span::default(), GetSpan::span)
}
