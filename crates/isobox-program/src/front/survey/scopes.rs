//! Finds out which declaration a name refers to.
//!
//! A scope is the range of the text in which its names are visible. A name means the declaration with the smallest range
//! around it, wherever in that range the declaration is.

use oxc::{
    ast::{
        AstKind,
        ast::{FunctionType, VariableDeclarationKind},
    },
    span::{GetSpan, Span},
    str::{Ident, IdentHashMap},
};

use super::{
    chains::{Chain, Chains},
    resolution::{Binding, Resolution},
    usage::{Origin, Reference},
};

/// The names of a file.
pub(super) struct Scopes<'a> {
    ids: IdentHashMap<'a, NameId>,
    names: Vec<Known<'a>>,
    bindings: Chains<Binding<'a>>,
    references: Chains<Reference<'a>>,
    /// The declarations whose value is the promise or the result of the call with this range.
    of_calls: Vec<(Span, BindingId)>,
}

/// A name of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameId(usize);

/// A declaration of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BindingId(u32);

/// What is known of a name: its declarations and its uses, in the order of the text.
struct Known<'a> {
    name: &'a str,
    bindings: Chain,
    references: Chain,
    /// From the first to the last use.
    used: Option<Span>,
    /// Whether the name is declared, and nothing is known about its values.
    is_plain: bool,
    /// Whether some declaration makes the name a part of something else.
    is_alias: bool,
}

/// What a use of a name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A global.
    Global,
    /// What the file declares here.
    Declared(BindingId),
}

impl<'a> Scopes<'a> {
    /// Creates the names of a text of this size. What a usual text needs is reserved at once.
    pub(super) fn of_text(size: usize) -> Self {
        /// The number of bytes for each name, each declaration and each use of one.
        const SIZES: [usize; 3] = [32, 32, 16];
        let [names, bindings, references] = SIZES.map(|each| size / each);
        let mut ids = IdentHashMap::default();
        ids.reserve(names);
        Self {
            ids,
            names: Vec::with_capacity(names),
            bindings: Chains::with_capacity(bindings),
            references: Chains::with_capacity(references),
            of_calls: Vec::new(),
        }
    }

    /// Returns the id of a name.
    pub(super) fn id(&mut self, name: Ident<'a>) -> NameId {
        *self.ids.entry(name).or_insert_with(|| {
            let known = Known {
                name: name.as_str(),
                bindings: Chain::default(),
                references: Chain::default(),
                used: None,
                is_plain: false,
                is_alias: false,
            };
            self.names.push(known);
            NameId(self.names.len() - 1)
        })
    }

    pub(super) fn declare(&mut self, id: NameId, binding: Binding<'a>) {
        let known = &mut self.names[id.0];
        let (mut is_unknown, mut call) = (false, None);
        match &binding.origin {
            Origin::Unknown => is_unknown = true,
            Origin::Promise(span) | Origin::Result(span) => call = Some(*span),
            Origin::Alias(..) => known.is_alias = true,
            Origin::Part | Origin::Function(_) => {}
        }
        known.is_plain = is_unknown && (known.is_plain || known.bindings.is_empty());
        let index = self.bindings.push(&mut known.bindings, binding);
        self.of_calls.extend(call.map(|call| (call, BindingId(index))));
    }

    pub(super) fn refer(&mut self, id: NameId, reference: Reference<'a>) {
        let known = &mut self.names[id.0];
        known.used = Some(known.used.map_or(reference.span, |used| used.merge(reference.span)));
        self.references.push(&mut known.references, reference);
    }

    /// Checks whether a name is declared, and nothing is known about its values.
    pub(super) fn is_plain(&self, id: NameId) -> bool {
        self.names[id.0].is_plain
    }

    /// Checks whether a name may be that of a tool: it is not declared, or as a part of something else.
    pub(super) fn may_be_alias(&self, name: Ident<'a>) -> bool {
        let Some(id) = self.ids.get(&name) else { return true };
        let known = &self.names[id.0];
        known.bindings.is_empty() || known.is_alias
    }

    /// Finds out what the uses of all names mean, once the whole file is known.
    pub(super) fn resolve(mut self) -> Resolved<'a> {
        let names = self.names.iter().map(|known| (known.bindings, known.references));
        let resolution = Resolution::of(names, &self.bindings, &self.references);
        self.of_calls.sort_unstable_by_key(|(call, _)| (call.start, call.end));
        Resolved { scopes: self, resolution }
    }

    fn known(&self, name: &str) -> Option<&Known<'a>> {
        self.ids.get(&Ident::from(name)).map(|id| &self.names[id.0])
    }
}

/// The names of a file, and what their uses mean.
pub(super) struct Resolved<'a> {
    scopes: Scopes<'a>,
    resolution: Resolution,
}

impl<'a> Resolved<'a> {
    /// Returns what the use of a name at a place means, or `None` if no name is used there.
    pub(super) fn meaning(&self, at: Span) -> Option<Meaning> {
        let index = self.scopes.references.find(&at.start, |reference| reference.span.start)?;
        Some(self.meaning_of(index))
    }

    fn meaning_of(&self, reference: u32) -> Meaning {
        self.resolution.meant_by(reference).map_or(Meaning::Global, |index| Meaning::Declared(BindingId(index)))
    }

    /// Returns what is known of a declaration.
    pub(super) fn binding(&self, id: BindingId) -> &Binding<'a> {
        self.scopes.bindings.at(id.0)
    }

    /// Returns the declaration of the name with this range.
    pub(super) fn declared_at(&self, name: Span) -> Option<BindingId> {
        self.scopes.bindings.find(&name.start, |binding| binding.span.start).map(BindingId)
    }

    /// Returns the declaration of a name in this scope, if it is the only one there.
    pub(super) fn declared_in(&self, name: &str, scope: Span) -> Option<&Binding<'a>> {
        let bindings = self.scopes.known(name).map_or(Chain::default(), |known| known.bindings);
        let mut all = self.scopes.bindings.of(bindings);
        let (index, binding) = all.find(|(_, binding)| binding.scope == scope)?;
        self.resolution.is_sole(index).then_some(binding)
    }

    /// Returns the declaration whose value is the promise or the result of the call with this range.
    pub(super) fn of_call(&self, call: Span) -> Option<BindingId> {
        let of_calls = &self.scopes.of_calls;
        let found = of_calls.binary_search_by_key(&(call.start, call.end), |(call, _)| (call.start, call.end));
        found.ok().map(|index| of_calls[index].1)
    }

    /// Checks whether a declaration is the only one of its name in its scope.
    pub(super) fn is_sole(&self, id: BindingId) -> bool {
        self.resolution.is_sole(id.0)
    }

    /// Returns the uses of a declaration, in the order of the text.
    pub(super) fn uses_of(&self, id: BindingId) -> impl Iterator<Item = &Reference<'a>> {
        self.resolution.uses_of(id.0).map(|reference| self.scopes.references.at(reference))
    }

    /// Checks whether a name is used outside of this range.
    pub(super) fn is_used_outside(&self, name: &str, range: Span) -> bool {
        let used = self.scopes.known(name).and_then(|known| known.used);
        used.is_some_and(|used| used.start < range.start || range.end < used.end)
    }

    /// Returns the uses of a name, whatever they mean.
    pub(super) fn uses(&self, name: &str) -> impl Iterator<Item = &Reference<'a>> {
        self.all_uses(name).map(|(_, reference)| reference)
    }

    /// Returns the uses of a name that the file does not declare around them.
    pub(super) fn global_uses(&self, name: &str) -> impl Iterator<Item = &Reference<'a>> {
        self.all_uses(name).filter(|(index, _)| self.meaning_of(*index) == Meaning::Global).map(|(_, it)| it)
    }

    fn all_uses(&self, name: &str) -> impl Iterator<Item = (u32, &Reference<'a>)> {
        self.scopes.references.of(self.scopes.known(name).map_or(Chain::default(), |known| known.references))
    }

    /// Returns the uses of all names that the file does not declare around them. Those of one name follow each other.
    pub(super) fn globals(&self) -> impl Iterator<Item = (&'a str, &Reference<'a>)> {
        let references = &self.scopes.references;
        let names = self.scopes.names.iter().map(|known| (known.name, known.references));
        let uses = names.flat_map(move |(name, uses)| references.of(uses).map(move |it| (name, it)));
        uses.filter(|(_, (index, _))| self.meaning_of(*index) == Meaning::Global).map(|(name, (_, it))| (name, it))
    }
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
