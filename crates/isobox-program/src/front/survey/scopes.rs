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

use super::usage::{Origin, Reference};

/// The names of a file.
pub(super) struct Scopes<'a> {
    ids: IdentHashMap<'a, NameId>,
    names: Vec<Known<'a>>,
    bindings: Chains<Binding<'a>>,
    references: Chains<Reference<'a>>,
    /// The declarations whose value is the promise or the result of a call: the name, and the index of the declaration.
    of_calls: Vec<(NameId, usize)>,
}

/// A name of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameId(usize);

/// What is known of a name: its declarations and its uses, in the order of the text.
struct Known<'a> {
    name: &'a str,
    bindings: Chain,
    references: Chain,
    /// Whether the name is declared, and nothing is known about its values.
    is_plain: bool,
}

/// Many short lists in one vector.
struct Chains<T>(Vec<(T, Option<u32>)>);

/// One list: its first and its last item.
#[derive(Debug, Clone, Copy, Default)]
struct Chain(Option<(u32, u32)>);

impl<T> Chains<T> {
    fn with_capacity(items: usize) -> Self {
        Self(Vec::with_capacity(items))
    }

    fn push(&mut self, chain: &mut Chain, item: T) {
        let index = u32::try_from(self.0.len()).expect("a file has fewer names");
        self.0.push((item, None));
        chain.0 = match chain.0 {
            Some((first, last)) => {
                self.0[last as usize].1 = Some(index);
                Some((first, index))
            }
            None => Some((index, index)),
        };
    }

    fn of(&self, chain: Chain) -> impl Iterator<Item = &T> {
        let mut next = chain.0.map(|(first, _)| first);
        std::iter::from_fn(move || {
            let (item, following) = &self.0[next? as usize];
            next = *following;
            Some(item)
        })
    }
}

/// One declared name.
pub(super) struct Binding<'a> {
    /// Where the name is visible.
    pub(super) scope: Span,
    /// Where it is declared.
    pub(super) span: Span,
    pub(super) origin: Origin<'a>,
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
                is_plain: false,
            };
            self.names.push(known);
            NameId(self.names.len() - 1)
        })
    }

    pub(super) fn declare(&mut self, id: NameId, binding: Binding<'a>) {
        let known = &mut self.names[id.0];
        let is_unknown = matches!(binding.origin, Origin::Unknown);
        known.is_plain = is_unknown && (known.is_plain || known.bindings.0.is_none());
        if matches!(binding.origin, Origin::Promise(_) | Origin::Result(_)) {
            self.of_calls.push((id, self.bindings.0.len()));
        }
        self.bindings.push(&mut known.bindings, binding);
    }

    pub(super) fn refer(&mut self, id: NameId, reference: Reference<'a>) {
        self.references.push(&mut self.names[id.0].references, reference);
    }

    /// Checks whether a name is declared, and nothing is known about its values.
    pub(super) fn is_plain(&self, id: NameId) -> bool {
        self.names[id.0].is_plain
    }

    /// Checks whether a name may be that of a tool: it is not declared, or as a part of something else.
    pub(super) fn may_be_alias(&self, name: Ident<'a>) -> bool {
        let Some(id) = self.ids.get(&name) else { return true };
        let mut bindings = self.bindings.of(self.names[id.0].bindings).peekable();
        bindings.peek().is_none() || bindings.any(|binding| matches!(binding.origin, Origin::Alias(..)))
    }

    fn known(&self, name: &str) -> Option<&Known<'a>> {
        self.ids.get(&Ident::from(name)).map(|id| &self.names[id.0])
    }

    /// Returns the declaration that a name at a place refers to, or `None` for a global.
    pub(super) fn resolve(&self, name: &str, at: Span) -> Option<&Binding<'a>> {
        let bindings = self.bindings.of(self.known(name)?.bindings);
        bindings.filter(|binding| contains(binding.scope, at)).min_by_key(|binding| binding.scope.size())
    }

    /// Returns the declaration of a name in this scope, if it is the only one there.
    pub(super) fn declared_in(&self, name: &str, scope: Span) -> Option<&Binding<'a>> {
        let mut found = self.bindings_of(name).filter(|binding| binding.scope == scope);
        found.next().filter(|_| found.next().is_none())
    }

    /// Checks whether a binding is the only declaration of its name in its scope.
    pub(super) fn is_sole(&self, name: &str, binding: &Binding<'a>) -> bool {
        self.declared_in(name, binding.scope).is_some()
    }

    /// Returns all declarations of a name.
    pub(super) fn bindings_of(&self, name: &str) -> impl Iterator<Item = &Binding<'a>> {
        self.bindings.of(self.known(name).map_or(Chain::default(), |known| known.bindings))
    }

    /// Returns all uses of a name.
    pub(super) fn uses(&self, name: &str) -> impl Iterator<Item = &Reference<'a>> {
        self.references.of(self.known(name).map_or(Chain::default(), |known| known.references))
    }

    /// Returns the uses of a name that mean the declaration at this place.
    pub(super) fn uses_of(&self, name: &str, declared: Span) -> impl Iterator<Item = &Reference<'a>> {
        let is_same = move |reference: &&Reference<'a>| {
            self.resolve(name, reference.span).is_some_and(|binding| binding.span == declared)
        };
        self.uses(name).filter(is_same)
    }

    /// Returns the declarations whose value is the promise or the result of a call.
    pub(super) fn of_calls(&self) -> impl Iterator<Item = (&'a str, &Binding<'a>)> {
        self.of_calls.iter().map(|(id, index)| (self.names[id.0].name, &self.bindings.0[*index].0))
    }

    /// Returns the uses of all names that the file does not declare around them.
    pub(super) fn globals(&self) -> impl Iterator<Item = (&'a str, &Reference<'a>)> {
        let uses =
            self.names.iter().flat_map(|known| self.references.of(known.references).map(|one| (known.name, one)));
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
