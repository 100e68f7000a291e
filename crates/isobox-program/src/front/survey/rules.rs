//! Finds what the rules of the host object to.

use oxc::syntax::operator::BinaryOperator;
use oxc::{
    ast::{
        AstKind,
        ast::{Expression, MethodDefinitionKind, PropertyKey, PropertyKind, UnaryOperator, VariableDeclarationKind},
    },
    span::{GetSpan, Span},
};

use super::{
    Surveyor,
    names::chain,
    usage::{Step, Usage},
};
use crate::{About, Rules};

/// The names that are values rather than globals.
const VALUES: &[&str] = &["undefined", "NaN", "Infinity", "arguments"];

/// The names of the global object.
const GLOBAL_OBJECT: &[&str] = &["globalThis", "global", "self"];

impl<'a> Surveyor<'a, '_> {
    /// Records a violation, up to a number from which those that come first are chosen.
    fn object(&mut self, at: Span, rule: usize, found: String) {
        const MOST: usize = 4096;
        if self.violations.len() < MOST {
            self.violations.push((at.start, rule, found));
        }
    }

    /// Checks a node against the rules about syntax, members and imports.
    #[inline(never)]
    pub(super) fn check_node(&mut self, kind: AstKind<'a>) {
        let rules = self.wanted.rules;
        if rules.are_about(About::Syntax) {
            forms(kind, |form| {
                if let Some(rule) = rules.refusing(About::Syntax, &[form]) {
                    self.object(kind.span(), rule, format!("`{form}`"));
                }
            });
        }
        if rules.are_about(About::Members) {
            self.check_member(kind);
        }
        if rules.are_about(About::Imports)
            && let Some((specifier, span)) = self.imported(kind)
            && let Some(rule) = rules.refusing(About::Imports, &[specifier])
        {
            self.object(span, rule, format!("the import of `{specifier}`"));
        }
    }

    fn check_member(&mut self, kind: AstKind<'a>) {
        let (name, span, object) = match kind {
            AstKind::StaticMemberExpression(it) => (it.property.name.as_str(), it.property.span, Some(&it.object)),
            AstKind::ComputedMemberExpression(it) => match &it.expression {
                Expression::StringLiteral(name) => (name.value.as_str(), name.span, Some(&it.object)),
                _ => return,
            },
            AstKind::BindingProperty(it) => match key(&it.key) {
                Some((name, span)) => (name, span, None),
                None => return,
            },
            AstKind::AssignmentTargetPropertyIdentifier(it) => (it.binding.name.as_str(), it.binding.span, None),
            AstKind::AssignmentTargetPropertyProperty(it) => match key(&it.name) {
                Some((name, span)) => (name, span, None),
                None => return,
            },
            _ => return,
        };
        let path = object.and_then(chain).map(|chain| {
            let mut names: Vec<&str> = vec![chain.root.name.as_str()];
            names.extend(chain.names());
            names.push(name);
            names.join(".")
        });
        let names = [name, path.as_deref().unwrap_or(name)];
        if let Some(rule) = self.wanted.rules.refusing(About::Members, &names) {
            self.object(span, rule, format!("the member `{}`", names[1]));
        }
    }

    /// Returns the module that a node imports.
    fn imported(&self, kind: AstKind<'a>) -> Option<(&'a str, Span)> {
        let source = match kind {
            AstKind::ImportDeclaration(it) => &it.source,
            AstKind::ExportFromDeclaration(it) => &it.source,
            AstKind::ExportAllDeclaration(it) => &it.source,
            AstKind::ImportExpression(it) => match &it.source {
                Expression::StringLiteral(source) => source,
                _ => return None,
            },
            AstKind::CallExpression(it) => match (&it.callee, it.arguments.as_slice()) {
                (Expression::Identifier(callee), [only]) if callee.name == "require" => match only.as_expression()? {
                    Expression::StringLiteral(source) => source,
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        Some((source.value.as_str(), source.span))
    }

    /// Checks the names that the file does not declare against the rules about globals.
    pub(super) fn judge_names(&mut self) {
        let rules = self.wanted.rules;
        if !self.looks_for_names {
            return;
        }
        let mut found = Vec::new();
        for (name, reference) in self.scopes.globals().filter(|(name, _)| !VALUES.contains(name)) {
            let property = match &reference.usage {
                Usage::Read { steps, .. } if GLOBAL_OBJECT.contains(&name) => match steps.first() {
                    Some((Step::Property(name), span)) => Some((*name, *span)),
                    Some((Step::Item, _)) | None => None,
                },
                Usage::Read { .. } | Usage::Shown | Usage::Whole { .. } | Usage::Called { .. } | Usage::Written => None,
            };
            for (name, span) in std::iter::once((name, reference.span)).chain(property) {
                found.extend(rules.refusing(About::Globals, &[name]).map(|rule| (span, rule, name)));
            }
        }
        for (span, rule, name) in found {
            self.object(span, rule, format!("the global `{name}`"));
        }
    }
}

/// Checks whether rules need to know which names are globals.
pub(super) fn need_names(rules: &Rules) -> bool {
    rules.are_about(About::Globals)
}

fn key<'a>(key: &'a PropertyKey<'a>) -> Option<(&'a str, Span)> {
    match key {
        PropertyKey::StaticIdentifier(name) => Some((name.name.as_str(), name.span)),
        PropertyKey::StringLiteral(name) => Some((name.value.as_str(), name.span)),
        _ => None,
    }
}

/// Reports the forms of the language that a node is. Each is one of [`crate::SYNTAX`].
fn forms(kind: AstKind<'_>, mut report: impl FnMut(&'static str)) {
    match kind {
        AstKind::ArrayExpression(_) => report("array"),
        AstKind::ArrowFunctionExpression(it) => {
            report("arrow-function");
            if it.r#async {
                report("async");
            }
        }
        AstKind::AssignmentExpression(_) => report("assignment"),
        AstKind::AwaitExpression(_) => report("await"),
        AstKind::BigIntLiteral(_) => report("bigint"),
        AstKind::BreakStatement(_) => report("break"),
        AstKind::Class(_) => report("class"),
        AstKind::ComputedMemberExpression(_) => report("computed-member"),
        AstKind::ConditionalExpression(_) => report("conditional"),
        AstKind::ContinueStatement(_) => report("continue"),
        AstKind::DebuggerStatement(_) => report("debugger"),
        AstKind::Decorator(_) => report("decorator"),
        AstKind::ObjectPattern(_)
        | AstKind::ArrayPattern(_)
        | AstKind::ObjectAssignmentTarget(_)
        | AstKind::ArrayAssignmentTarget(_) => report("destructuring"),
        AstKind::DoWhileStatement(_) => report("do-while"),
        AstKind::ImportExpression(_) => report("dynamic-import"),
        AstKind::TSEnumDeclaration(_) => report("enum"),
        AstKind::ExportDeclaration(_)
        | AstKind::ExportNamedDeclaration(_)
        | AstKind::ExportFromDeclaration(_)
        | AstKind::ExportDefaultDeclaration(_)
        | AstKind::ExportAllDeclaration(_) => report("export"),
        AstKind::ForStatement(_) => report("for"),
        AstKind::ForInStatement(_) => report("for-in"),
        AstKind::ForOfStatement(it) => report(if it.r#await { "for-await" } else { "for-of" }),
        AstKind::Function(it) => {
            report("function");
            if it.r#async {
                report("async");
            }
            if it.generator {
                report("generator");
            }
        }
        AstKind::IfStatement(_) => report("if"),
        AstKind::ImportDeclaration(_) => report("import"),
        AstKind::ImportMeta(_) => report("import-meta"),
        AstKind::PrivateInExpression(_) => report("in"),
        AstKind::BinaryExpression(it) => match it.operator {
            BinaryOperator::In => report("in"),
            BinaryOperator::Instanceof => report("instanceof"),
            _ => {}
        },
        AstKind::LabeledStatement(_) => report("label"),
        AstKind::TSNamespaceDeclaration(_) => report("namespace"),
        AstKind::NewExpression(_) => report("new"),
        AstKind::ObjectExpression(_) => report("object"),
        AstKind::ChainExpression(_) => report("optional-chaining"),
        AstKind::PrivateIdentifier(_) => report("private-member"),
        AstKind::RegExpLiteral(_) => report("regexp"),
        AstKind::SequenceExpression(_) => report("sequence"),
        AstKind::SpreadElement(_)
        | AstKind::BindingRestElement(_)
        | AstKind::AssignmentTargetRest(_)
        | AstKind::FormalParameterRest(_) => report("spread"),
        AstKind::StaticBlock(_) => report("static-block"),
        AstKind::Super(_) => report("super"),
        AstKind::SwitchStatement(_) => report("switch"),
        AstKind::TaggedTemplateExpression(_) => report("tagged-template"),
        AstKind::TemplateLiteral(_) => report("template"),
        AstKind::ThisExpression(_) => report("this"),
        AstKind::ThrowStatement(_) => report("throw"),
        AstKind::TryStatement(_) => report("try"),
        AstKind::UnaryExpression(it) => match it.operator {
            UnaryOperator::Typeof => report("typeof"),
            UnaryOperator::Void => report("void"),
            UnaryOperator::Delete => report("delete"),
            UnaryOperator::UnaryPlus
            | UnaryOperator::UnaryNegation
            | UnaryOperator::LogicalNot
            | UnaryOperator::BitwiseNot => {}
        },
        AstKind::UpdateExpression(_) => report("update"),
        AstKind::VariableDeclaration(it) => report(match it.kind {
            VariableDeclarationKind::Var => "var",
            VariableDeclarationKind::Let => "let",
            VariableDeclarationKind::Const => "const",
            VariableDeclarationKind::Using | VariableDeclarationKind::AwaitUsing => "using",
        }),
        AstKind::WhileStatement(_) => report("while"),
        AstKind::YieldExpression(_) => report("yield"),
        AstKind::ObjectProperty(it) => match it.kind {
            PropertyKind::Get => report("getter"),
            PropertyKind::Set => report("setter"),
            PropertyKind::Init => {}
        },
        AstKind::MethodDefinition(it) => match it.kind {
            MethodDefinitionKind::Get => report("getter"),
            MethodDefinitionKind::Set => report("setter"),
            MethodDefinitionKind::Constructor | MethodDefinitionKind::Method => {}
        },
        _ => {}
    }
}
