//! Finds out whether a block may be left by a statement, so that an exception before it is forgotten.

use oxc::{
    ast::{
        AstKind,
        ast::{ArrowFunctionExpression, BlockStatement, Class, Expression, Function, Statement, TryStatement},
    },
    ast_visit::{Visit, walk},
    syntax::scope::ScopeFlags,
};

/// The maximum number of nodes that are looked at in a block. A larger one may be left.
const MAXIMUM_NODES: usize = 1000;

/// Checks whether a statement may swallow an exception: it catches it, or leaves its `finally` in another way.
pub(super) fn may_swallow(statement: &TryStatement<'_>) -> bool {
    statement.handler.is_some() || is_left(statement)
}

/// Checks whether a `finally` may be left by `return`, `break` or `continue`.
pub(super) fn is_left(statement: &TryStatement<'_>) -> bool {
    statement.finalizer.as_ref().is_some_and(|block| may_be_left(block))
}

fn may_be_left(block: &BlockStatement<'_>) -> bool {
    let mut search = Search { nodes: MAXIMUM_NODES, is_found: false };
    search.visit_block_statement(block);
    search.is_found
}

struct Search {
    /// The number of nodes that are still looked at.
    nodes: usize,
    is_found: bool,
}

impl<'a> Visit<'a> for Search {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        let leaves =
            matches!(kind, AstKind::ReturnStatement(_) | AstKind::BreakStatement(_) | AstKind::ContinueStatement(_));
        self.is_found |= leaves || self.nodes == 0;
        self.nodes = self.nodes.saturating_sub(1);
    }

    fn visit_statement(&mut self, it: &Statement<'a>) {
        if !self.is_found {
            walk::walk_statement(self, it);
        }
    }

    // Nothing in these leaves the block.

    fn visit_expression(&mut self, _: &Expression<'a>) {}

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}

    fn visit_class(&mut self, _: &Class<'a>) {}
}
