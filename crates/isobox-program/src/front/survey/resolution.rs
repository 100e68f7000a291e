//! Finds out for every use of a name which declaration it means. Every use is looked up once, in the order of the text.

use std::cmp::Reverse;

use oxc::span::Span;

use super::{
    chains::{Chain, Chains},
    usage::{Origin, Reference},
};

/// One declared name.
pub(super) struct Binding<'a> {
    /// Where the name is visible.
    pub(super) scope: Span,
    /// Where it is declared.
    pub(super) span: Span,
    pub(super) origin: Origin<'a>,
}

/// What the uses of names mean.
pub(super) struct Resolution {
    /// The declaration that each use means, or `None` for a global.
    meant: Vec<Option<u32>>,
    declared: Vec<Declared>,
    /// The uses of each declaration.
    uses: Chains<u32>,
}

/// What is known of a declaration.
#[derive(Debug, Clone, Copy, Default)]
struct Declared {
    uses: Chain,
    /// Whether another declaration of the name has the same scope.
    is_doubled: bool,
}

impl Resolution {
    /// Resolves the uses of names, of each of which these are the declarations and the uses.
    pub(super) fn of<'a>(
        names: impl Iterator<Item = (Chain, Chain)>,
        bindings: &Chains<Binding<'a>>,
        references: &Chains<Reference<'a>>,
    ) -> Self {
        let mut resolution = Self {
            meant: vec![None; references.len()],
            declared: vec![Declared::default(); bindings.len()],
            uses: Chains::with_capacity(references.len()),
        };
        for (declarations, uses) in names.filter(|(declarations, _)| !declarations.is_empty()) {
            if declarations.is_single() {
                for (binding, Binding { scope, .. }) in bindings.of(declarations) {
                    let inside = references.of(uses).filter(|(_, reference)| contains(*scope, reference.span));
                    inside.for_each(|(reference, _)| resolution.note(reference, binding));
                }
            } else {
                let scopes = bindings.of(declarations).map(|(index, binding)| (binding.scope, index)).collect();
                let uses = references.of(uses).map(|(index, reference)| (reference.span, index)).collect();
                resolution.resolve(scopes, uses);
            }
        }
        resolution
    }

    /// Resolves the uses of a name. Scopes do not overlap unless one is inside the other.
    fn resolve(&mut self, mut scopes: Vec<(Span, u32)>, mut uses: Vec<(Span, u32)>) {
        scopes.sort_unstable_by_key(|(scope, index)| (scope.start, Reverse(scope.end), *index));
        uses.sort_unstable_by_key(|(span, _)| span.start);
        for pair in scopes.windows(2) {
            if pair[0].0 == pair[1].0 {
                pair.iter().for_each(|(_, index)| self.declared[*index as usize].is_doubled = true);
            }
        }
        // Of several declarations in one scope, the first is meant.
        scopes.dedup_by_key(|(scope, _)| *scope);
        let mut open: Vec<(Span, u32)> = Vec::new();
        let mut scopes = scopes.into_iter().peekable();
        for (span, reference) in uses {
            while let Some((scope, binding)) = scopes.next_if(|(scope, _)| scope.start <= span.start) {
                while open.pop_if(|(around, _)| around.end <= scope.start).is_some() {}
                open.push((scope, binding));
            }
            while open.pop_if(|(around, _)| around.end < span.end).is_some() {}
            if let Some((_, binding)) = open.last() {
                self.note(reference, *binding);
            }
        }
    }

    fn note(&mut self, reference: u32, binding: u32) {
        self.meant[reference as usize] = Some(binding);
        self.uses.push(&mut self.declared[binding as usize].uses, reference);
    }

    /// Returns the declaration that a use means, or `None` for a global.
    pub(super) fn meant_by(&self, reference: u32) -> Option<u32> {
        self.meant[reference as usize]
    }

    /// Returns the uses of a declaration, in the order of the text.
    pub(super) fn uses_of(&self, binding: u32) -> impl Iterator<Item = u32> {
        self.uses.of(self.declared[binding as usize].uses).map(|(_, reference)| *reference)
    }

    /// Checks whether a declaration is the only one of its name in its scope.
    pub(super) fn is_sole(&self, binding: u32) -> bool {
        !self.declared[binding as usize].is_doubled
    }
}

pub(super) fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
