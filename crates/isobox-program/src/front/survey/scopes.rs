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

/// The names that a file declares.
#[derive(Default)]
pub(super) struct Scopes<'a>(HashMap<&'a str, Vec<Binding<'a>>>);

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
    /// It is a property of something with a name: the name, its range, and the names from there.
    Alias(&'a str, Span, Vec<&'a str>),
}

impl<'a> Scopes<'a> {
    pub(super) fn declare(&mut self, name: &'a str, binding: Binding<'a>) {
        self.0.entry(name).or_default().push(binding);
    }

    /// Returns the declaration that a name at a place refers to, or `None` for a global.
    pub(super) fn resolve(&self, name: &str, at: Span) -> Option<&Binding<'a>> {
        let bindings = self.0.get(name)?.iter();
        bindings.filter(|binding| contains(binding.scope, at)).min_by_key(|binding| binding.scope.size())
    }

    /// Returns a declaration whose value comes from somewhere.
    pub(super) fn find(&self, is_wanted: impl Fn(&Origin<'a>) -> bool) -> Option<(&'a str, &Binding<'a>)> {
        let mut all = self.0.iter().flat_map(|(name, bindings)| bindings.iter().map(|binding| (*name, binding)));
        all.find(|(_, binding)| is_wanted(&binding.origin))
    }

    /// Checks whether a binding is the only declaration of its name in its scope.
    pub(super) fn is_sole(&self, name: &str, binding: &Binding<'a>) -> bool {
        self.0.get(name).is_some_and(|all| all.iter().filter(|one| one.scope == binding.scope).count() == 1)
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
