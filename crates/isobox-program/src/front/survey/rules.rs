//! Finds what the rules of the host object to.

use oxc::syntax::operator::BinaryOperator;
use oxc::{
    ast::{
        AstKind,
        ast::{
            Expression, MethodDefinitionKind, PropertyKey, PropertyKind, TSModuleReference, UnaryOperator,
            VariableDeclarationKind,
        },
    },
    span::{GetSpan, Span},
};

use super::{
    Surveyor, Walked,
    names::{chain, text_of},
    scopes::Meaning,
    usage::{Step, Usage},
};
use crate::About;

/// The names that are values rather than globals.
const VALUES: &[&str] = &["undefined", "NaN", "Infinity", "arguments"];

/// The names of the global object.
const GLOBAL_OBJECT: &[&str] = &["globalThis", "global", "self"];

/// The violations of a file: the offset, the rule, and what was found.
#[derive(Default)]
pub(super) struct Violations(Vec<(u32, usize, String)>);

impl Violations {
    /// The maximum number of violations that are recorded of a file.
    const MAXIMUM: usize = 100;

    /// Records a violation, up to a number from which those that come first are chosen.
    fn add(&mut self, at: Span, rule: usize, found: String) {
        const MOST: usize = 4096;
        if self.0.len() < MOST {
            self.0.push((at.start, rule, found));
        }
    }

    /// Returns those that come first in the text.
    pub(super) fn into_first(mut self) -> impl Iterator<Item = (u32, usize, String)> {
        self.0.sort_by_key(|(offset, ..)| *offset);
        self.0.into_iter().take(Self::MAXIMUM)
    }
}

/// A global that a pattern takes out of the global object: `const { fetch: f } = globalThis`.
pub(super) struct TakenGlobal<'a> {
    /// The range of the name of the global object.
    object: Span,
    name: &'a str,
    /// The range of the name.
    span: Span,
}

/// A property that a program names.
struct Named<'a> {
    name: &'a str,
    span: Span,
    /// What the property is read of.
    object: Option<&'a Expression<'a>>,
}

impl<'a> Surveyor<'a, '_> {
    /// Checks a node against the rules about syntax, members and imports.
    #[inline(never)]
    pub(super) fn check_node(&mut self, kind: AstKind<'a>) {
        let rules = self.wanted.rules;
        if rules.are_about(About::Syntax) {
            forms(kind, |form| {
                if let Some(rule) = rules.refusing(About::Syntax, &[form]) {
                    self.violations.add(kind.span(), rule, format!("`{form}`"));
                }
            });
        }
        if rules.are_about(About::Members) {
            self.check_member(kind);
        }
        if rules.are_about(About::Globals) {
            self.note_taken(kind);
        }
        if rules.are_about(About::Imports)
            && let Some((specifier, span)) = self.imported(kind)
            && let Some(rule) = rules.refusing(About::Imports, &[specifier])
        {
            self.violations.add(span, rule, format!("the import of `{specifier}`"));
        }
    }

    fn check_member(&mut self, kind: AstKind<'a>) {
        let Some(Named { name, span, object }) = self.named(kind) else { return };
        let chain = object.and_then(chain);
        let is_global = chain.as_ref().is_some_and(|chain| {
            GLOBAL_OBJECT.contains(&chain.root.name.as_str()) && !self.scopes.is_declared(chain.root.name)
        });
        let path = chain.map(|chain| {
            let mut names: Vec<&str> = vec![chain.root.name.as_str()];
            names.extend(chain.names());
            names.push(name);
            names.join(".")
        });
        let path = path.as_deref().unwrap_or(name);
        let without_global = path.split_once('.').filter(|_| is_global).map_or(path, |(_, rest)| rest);
        if let Some(rule) = self.wanted.rules.refusing(About::Members, &[name, path, without_global]) {
            self.violations.add(span, rule, format!("the member `{path}`"));
        }
    }

    /// Notes a pattern that takes a global out of the global object.
    fn note_taken(&mut self, kind: AstKind<'a>) {
        if matches!(kind, AstKind::StaticMemberExpression(_) | AstKind::ComputedMemberExpression(_)) {
            return;
        }
        let Some(Named { name, span, object: Some(object) }) = self.named(kind) else { return };
        let Some(chain) = chain(object).filter(|chain| chain.names().is_empty()) else { return };
        if GLOBAL_OBJECT.contains(&chain.root.name.as_str()) {
            self.taken.push(TakenGlobal { object: chain.root.span, name, span });
        }
    }

    /// Returns the property that a node names.
    fn named(&self, kind: AstKind<'a>) -> Option<Named<'a>> {
        let ((name, span), object) = match kind {
            AstKind::StaticMemberExpression(it) => ((it.property.name.as_str(), it.property.span), Some(&it.object)),
            AstKind::ComputedMemberExpression(it) => (text_of(&it.expression)?, Some(&it.object)),
            AstKind::BindingProperty(it) => (key(&it.key)?, self.taken_apart()),
            AstKind::AssignmentTargetPropertyIdentifier(it) => {
                ((it.binding.name.as_str(), it.binding.span), self.taken_apart())
            }
            AstKind::AssignmentTargetPropertyProperty(it) => (key(&it.name)?, self.taken_apart()),
            _ => return None,
        };
        Some(Named { name, span, object })
    }

    /// Returns the expression whose value the pattern takes apart that is the parent.
    fn taken_apart(&self) -> Option<&'a Expression<'a>> {
        match self.ancestors.as_slice() {
            [.., AstKind::VariableDeclarator(it), AstKind::ObjectPattern(_)] => it.init.as_ref(),
            [.., AstKind::AssignmentPattern(it), AstKind::ObjectPattern(_)] => Some(&it.right),
            [.., AstKind::AssignmentExpression(it), AstKind::ObjectAssignmentTarget(_)] => Some(&it.right),
            _ => None,
        }
    }

    /// Returns the module that a node imports.
    fn imported(&self, kind: AstKind<'a>) -> Option<(&'a str, Span)> {
        let source = match kind {
            AstKind::ImportDeclaration(it) => &it.source,
            AstKind::ExportFromDeclaration(it) => &it.source,
            AstKind::ExportAllDeclaration(it) => &it.source,
            AstKind::TSExternalModuleReference(it) => &it.expression,
            AstKind::ImportExpression(it) => return text_of(&it.source),
            AstKind::CallExpression(it) if is_require(&it.callee) => {
                return text_of(it.arguments.first()?.as_expression()?);
            }
            _ => return None,
        };
        Some((source.value.as_str(), source.span))
    }
}

/// Checks whether an expression is `require`, also as a property of the global object.
fn is_require(callee: &Expression<'_>) -> bool {
    match callee.get_inner_expression() {
        Expression::Identifier(name) => name.name == "require",
        Expression::StaticMemberExpression(member) => {
            let object = member.object.get_inner_expression();
            member.property.name == "require"
                && matches!(object, Expression::Identifier(name) if GLOBAL_OBJECT.contains(&name.name.as_str()))
        }
        _ => false,
    }
}

impl Walked<'_, '_> {
    /// Checks the names that the file does not declare against the rules about globals.
    pub(super) fn judge_names(&mut self) {
        let rules = self.wanted.rules;
        if !rules.are_about(About::Globals) {
            return;
        }
        let refusing = |name: &str| rules.refusing(About::Globals, &[name]);
        // The uses of a name follow each other.
        let mut last: Option<(&str, Option<usize>)> = None;
        for (name, reference) in self.names.globals().filter(|(name, _)| !VALUES.contains(name)) {
            let rule = match last {
                Some((same, rule)) if same == name => rule,
                Some(_) | None => refusing(name),
            };
            last = Some((name, rule));
            if let Some(rule) = rule {
                self.violations.add(reference.span, rule, format!("the global `{name}`"));
            }
            if let Some((name, span)) = property_of_global_object(name, &reference.usage)
                && let Some(rule) = refusing(name)
            {
                self.violations.add(span, rule, format!("the global `{name}`"));
            }
        }
        for TakenGlobal { object, name, span } in &self.taken {
            if self.names.meaning(*object) == Some(Meaning::Global)
                && let Some(rule) = refusing(*name)
            {
                self.violations.add(*span, rule, format!("the global `{name}`"));
            }
        }
    }
}

/// Returns the global that is read as a property of the global object.
fn property_of_global_object<'a>(name: &str, usage: &Usage<'a>) -> Option<(&'a str, Span)> {
    match usage {
        Usage::Read { steps, .. } if GLOBAL_OBJECT.contains(&name) => match steps.first()? {
            (Step::Property(name), span) => Some((*name, *span)),
            (Step::Item, _) => None,
        },
        Usage::Read { .. } | Usage::Shown | Usage::Whole { .. } | Usage::Called { .. } | Usage::Written => None,
    }
}

fn key<'a>(key: &'a PropertyKey<'a>) -> Option<(&'a str, Span)> {
    match key {
        PropertyKey::StaticIdentifier(name) => Some((name.name.as_str(), name.span)),
        other => text_of(other.as_expression()?),
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
        AstKind::TSImportEqualsDeclaration(it) => {
            if matches!(it.module_reference, TSModuleReference::ExternalModuleReference(_)) {
                report("import");
            }
        }
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
