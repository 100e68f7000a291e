//! Finds what the rules of the host object to.

use oxc::syntax::operator::BinaryOperator;
use oxc::{
    ast::{
        AstKind,
        ast::{
            Expression, IdentifierReference, MethodDefinitionKind, PropertyKey, PropertyKind, TSModuleReference,
            UnaryOperator, VariableDeclarationKind,
        },
    },
    span::{GetSpan, Span},
};

use super::{
    Surveyor, Walked,
    names::{chain, property, text_of},
    scopes::Meaning,
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

/// A global that is read as a property of the global object: `globalThis.fetch`, `const { fetch: f } = globalThis`.
pub(super) struct TakenGlobal<'a> {
    /// The range of the name of the global object.
    object: Span,
    name: &'a str,
    /// The range of the name.
    span: Span,
}

/// A member behind a name of the global object, which the program may have declared.
pub(super) struct MemberOfGlobal {
    /// The range of the name of the global object.
    object: Span,
    path: String,
    /// The range of the member.
    span: Span,
    /// The rule that refuses the member of the global object.
    of_global: Option<usize>,
    /// The rule that refuses the member of what the program has declared.
    of_declared: Option<usize>,
}

/// A property that a program names.
struct Named<'a> {
    name: &'a str,
    span: Span,
    /// What the property may be read of. A pattern may have several: its value and its default.
    objects: Vec<Object<'a>>,
}

/// What a property is read of: an expression, and the keys of the patterns around the property, from the outside.
struct Object<'a> {
    /// `None` if the text does not tell: the argument of a function, an item of a list.
    expression: Option<&'a Expression<'a>>,
    keys: Vec<&'a str>,
}

impl<'a> Object<'a> {
    /// Returns what is behind these keys, of which the innermost comes first.
    fn behind(expression: Option<&'a Expression<'a>>, keys: &[&'a str]) -> Self {
        Self { expression, keys: keys.iter().rev().copied().collect() }
    }

    /// Returns the name that the path to the object begins with, and the other names of the path.
    fn path(&self) -> Option<(&'a IdentifierReference<'a>, Vec<&'a str>)> {
        let chain = chain(self.expression?)?;
        let names = chain.names().iter().chain(&self.keys).copied().collect();
        Some((chain.root, names))
    }

    /// Returns the range of the name of the global object, if the object is that.
    fn as_global_object(&self) -> Option<Span> {
        let is_behind = self.keys.iter().all(|key| GLOBAL_OBJECT.contains(key));
        self.expression.filter(|_| is_behind).and_then(global_object)
    }
}

impl<'a> Surveyor<'a, '_> {
    /// Checks a node against the rules about syntax, members and imports.
    #[inline(never)]
    pub(super) fn check_node(&mut self, kind: AstKind<'a>) {
        let rules = self.walk.wanted.rules;
        if rules.are_about(About::Syntax) {
            forms(kind, |form| {
                if let Some(rule) = rules.refusing(About::Syntax, &[form]) {
                    self.walk.violations.add(kind.span(), rule, format!("`{form}`"));
                }
            });
        }
        if (rules.are_about(About::Members) || rules.are_about(About::Globals))
            && let Some(named) = self.named(kind)
        {
            self.note_taken(&named);
            self.check_member(&named);
        }
        if rules.are_about(About::Imports)
            && let Some((specifier, span)) = self.imported(kind)
            && let Some(rule) = rules.refusing(About::Imports, &[specifier])
        {
            self.walk.violations.add(span, rule, format!("the import of `{specifier}`"));
        }
    }

    fn check_member(&mut self, named: &Named<'a>) {
        let rules = self.walk.wanted.rules;
        if !rules.are_about(About::Members) {
            return;
        }
        let (name, span) = (named.name, named.span);
        for object in &named.objects {
            let Some((root, behind)) = object.path() else {
                if let Some(rule) = rules.refusing(About::Members, &[name]) {
                    self.walk.violations.add(span, rule, format!("the member `{name}`"));
                    return;
                }
                continue;
            };
            let mut names = vec![root.name.as_str()];
            names.extend(behind);
            let globals = names.iter().take_while(|name| GLOBAL_OBJECT.contains(name)).count();
            names.push(name);
            let path = names.join(".");
            let without_globals = names[globals..].join(".");
            let of_declared = rules.refusing(About::Members, &[name, path.as_str()]);
            let of_global = rules.refusing(About::Members, &[name, path.as_str(), without_globals.as_str()]);
            if of_declared != of_global {
                self.walk.members.push(MemberOfGlobal { object: root.span, path, span, of_global, of_declared });
            } else if let Some(rule) = of_declared {
                self.walk.violations.add(span, rule, format!("the member `{path}`"));
                return;
            }
        }
    }

    /// Notes a global that is a property of the global object.
    fn note_taken(&mut self, named: &Named<'a>) {
        if self.walk.wanted.rules.are_about(About::Globals) {
            let taken = named.objects.iter().filter_map(Object::as_global_object);
            self.walk.taken.extend(taken.map(|object| TakenGlobal { object, name: named.name, span: named.span }));
        }
    }

    /// Returns the property that a node names.
    fn named(&self, kind: AstKind<'a>) -> Option<Named<'a>> {
        let whole = |object| vec![Object::behind(Some(object), &[])];
        let ((name, span), objects) = match kind {
            AstKind::StaticMemberExpression(it) => ((it.property.name.as_str(), it.property.span), whole(&it.object)),
            AstKind::ComputedMemberExpression(it) => (text_of(&it.expression)?, whole(&it.object)),
            AstKind::BindingProperty(it) => (key(&it.key)?, self.taken_apart()),
            AstKind::AssignmentTargetPropertyIdentifier(it) => {
                ((it.binding.name.as_str(), it.binding.span), self.taken_apart())
            }
            AstKind::AssignmentTargetPropertyProperty(it) => (key(&it.name)?, self.taken_apart()),
            _ => return None,
        };
        Some(Named { name, span, objects })
    }

    /// Returns what the pattern may take apart that is the parent: the defaults of the pattern and of those around it, and the
    /// value of the outermost.
    fn taken_apart(&self) -> Vec<Object<'a>> {
        let mut objects = Vec::new();
        let mut keys: Vec<&'a str> = Vec::new();
        for kind in self.ancestors.iter().rev() {
            let key = match kind {
                AstKind::ObjectPattern(_) | AstKind::ObjectAssignmentTarget(_) => continue,
                AstKind::AssignmentPattern(it) => {
                    objects.push(Object::behind(Some(&it.right), &keys));
                    continue;
                }
                AstKind::AssignmentTargetWithDefault(it) => {
                    objects.push(Object::behind(Some(&it.init), &keys));
                    continue;
                }
                AstKind::VariableDeclarator(it) => {
                    objects.push(Object::behind(it.init.as_ref(), &keys));
                    return objects;
                }
                AstKind::AssignmentExpression(it) => {
                    objects.push(Object::behind(Some(&it.right), &keys));
                    return objects;
                }
                AstKind::FormalParameter(it) => {
                    objects.push(Object::behind(it.initializer.as_deref(), &keys));
                    break;
                }
                AstKind::BindingProperty(it) => key(&it.key),
                AstKind::AssignmentTargetPropertyProperty(it) => key(&it.name),
                _ => break,
            };
            let Some((name, _)) = key else { break };
            keys.push(name);
        }
        objects.push(Object::behind(None, &[]));
        objects
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
fn is_require<'a>(callee: &'a Expression<'a>) -> bool {
    match callee.get_inner_expression() {
        Expression::Identifier(name) => name.name == "require",
        other => property(other).is_some_and(|it| it.name == "require" && global_object(it.object).is_some()),
    }
}

/// Returns the range of the name of the global object, if an expression is that: `self`, `globalThis.self`.
fn global_object<'a>(expression: &'a Expression<'a>) -> Option<Span> {
    let mut at = expression;
    loop {
        if let Expression::Identifier(root) = at.get_inner_expression() {
            return GLOBAL_OBJECT.contains(&root.name.as_str()).then_some(root.span);
        }
        at = property(at).filter(|it| GLOBAL_OBJECT.contains(&it.name))?.object;
    }
}

impl Walked<'_, '_> {
    /// Checks the names that the file does not declare against the rules about globals.
    pub(super) fn judge_names(&mut self) {
        let rules = self.walk.wanted.rules;
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
                self.walk.violations.add(reference.span, rule, format!("the global `{name}`"));
            }
        }
        for TakenGlobal { object, name, span } in &self.walk.taken {
            if self.names.meaning(*object) == Some(Meaning::Global)
                && let Some(rule) = refusing(*name)
            {
                self.walk.violations.add(*span, rule, format!("the global `{name}`"));
            }
        }
    }

    /// Decides about the members behind a name of the global object: now it is known whether the file declares the name.
    pub(super) fn judge_members(&mut self) {
        for MemberOfGlobal { object, path, span, of_global, of_declared } in &self.walk.members {
            let is_global = self.names.meaning(*object) == Some(Meaning::Global);
            let refusing = if is_global { of_global } else { of_declared };
            if let Some(rule) = *refusing {
                self.walk.violations.add(*span, rule, format!("the member `{path}`"));
            }
        }
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
