//! Derives declarations of a module from its exports, for models. What is not simple becomes `unknown`.

use oxc::{
    allocator::Allocator,
    ast::ast::{
        ArrowFunctionExpression, BindingPattern, Class, Declaration, ExportDefaultDeclarationKind, Expression,
        FormalParameters, Function, Statement, TSTypeAnnotation, VariableDeclaration, VariableDeclarator,
    },
    span::{GetSpan, Span},
    syntax::identifier::is_identifier_name,
};
use serde_json::Value;

use super::{parse::parse, text::Text};

/// The maximum size of derived declarations, in bytes.
const MAXIMUM: usize = 16 << 10;
/// The maximum depth of a derived type.
const MAXIMUM_DEPTH: usize = 6;
/// The maximum number of properties of a derived object type.
const MAXIMUM_PROPERTIES: usize = 40;

/// Checks whether a name can be declared as a constant.
pub(super) fn is_plain_name(name: &str) -> bool {
    is_identifier_name(name)
        && !super::lower::is_reserved(name)
        && !matches!(name, "$" | "default" | "let" | "undefined")
}

/// Derives the declarations of a module that is a value.
pub(super) fn of_json(value: &Value) -> String {
    let mut text = String::new();
    for (name, value) in value.as_object().into_iter().flatten().filter(|(name, _)| is_plain_name(name)) {
        text.push_str(&format!("export const {name}: {};\n", type_of_value(value, 1)));
    }
    let is_taken = |name: &str| value.get(name).is_some();
    text.push_str(&default_export(&type_of_value(value, 0), is_taken));
    bounded(text)
}

/// Declares a default export of a type, as the body of `declare module` allows. The constant that it needs has a name that is free.
fn default_export(kind: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = "value".to_owned();
    while is_taken(&name) {
        name.push('_');
    }
    format!("const {name}: {kind};\nexport default {name};\n")
}

fn type_of_value(value: &Value, depth: usize) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "boolean".to_owned(),
        Value::Number(_) => "number".to_owned(),
        Value::String(_) => "string".to_owned(),
        Value::Array(_) | Value::Object(_) if depth > MAXIMUM_DEPTH => "unknown".to_owned(),
        Value::Array(items) => {
            let mut types: Vec<String> = items.iter().take(100).map(|item| type_of_value(item, depth + 1)).collect();
            types.sort();
            types.dedup();
            match types.as_slice() {
                [only] if items.len() <= 100 => format!("{}[]", if only.contains(' ') { "unknown" } else { only }),
                _ => "unknown[]".to_owned(),
            }
        }
        Value::Object(entries) if entries.len() > MAXIMUM_PROPERTIES => "Record<string, unknown>".to_owned(),
        Value::Object(entries) => {
            let property = |(name, value): (&String, &Value)| {
                let name = if is_identifier_name(name) { name.clone() } else { Value::from(name.as_str()).to_string() };
                format!("{name}: {}", type_of_value(value, depth + 1))
            };
            format!("{{ {} }}", entries.iter().map(property).collect::<Vec<_>>().join("; "))
        }
    }
}

/// Derives the declarations of a module from its source.
pub(super) fn of_source(text: &Text<'_>) -> String {
    let allocator = Allocator::default();
    let parsed = parse(&allocator, text.code);
    let source = Source { code: text.code, body: &parsed.program.body };
    let mut declarations = String::new();
    let mut default = None;
    for statement in source.body {
        match statement {
            Statement::ExportDeclaration(export) => source.exported(&export.declaration, &mut declarations),
            Statement::ExportDefaultDeclaration(export) => {
                default = source.default(&export.declaration, &mut declarations);
            }
            Statement::ExportNamedDeclaration(export) => {
                for specifier in &export.specifiers {
                    let kind = source.kind_of(specifier.local.name().as_str()).unwrap_or_else(unknown);
                    match specifier.exported.name().as_str() {
                        "default" => default = Some(kind),
                        name if is_plain_name(name) => {
                            declarations.push_str(&format!("export const {name}: {kind};\n"));
                        }
                        _ => {}
                    }
                }
            }
            Statement::TSInterfaceDeclaration(it) => declarations.push_str(&format!("{}\n", source.slice(it.span))),
            Statement::TSTypeAliasDeclaration(it) => declarations.push_str(&format!("{}\n", source.slice(it.span))),
            Statement::ExportFromDeclaration(_) | Statement::ExportAllDeclaration(_) => {
                declarations.push_str(&format!("{}\n", source.slice(statement.span())));
            }
            _ => {}
        }
    }
    if let Some(kind) = default {
        let is_taken = |name: &str| declarations.contains(&format!(" {name}"));
        let default = default_export(&kind, is_taken);
        declarations.push_str(&default);
    }
    bounded(declarations)
}

fn bounded(text: String) -> String {
    if text.len() <= MAXIMUM { text } else { "// The declarations of this module are too long.\n".to_owned() }
}

/// The type of a class.
const CLASS: &str = "new (...args: any[]) => any";

fn unknown() -> String {
    "unknown".to_owned()
}

struct Source<'s, 'a> {
    code: &'s str,
    body: &'s [Statement<'a>],
}

impl Source<'_, '_> {
    fn slice(&self, span: Span) -> &str {
        self.code.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    fn exported(&self, declaration: &Declaration<'_>, text: &mut String) {
        match declaration {
            Declaration::FunctionDeclaration(function) => {
                let name = function.id.as_ref().map_or("", |id| id.name.as_str());
                text.push_str(&format!("export function {name}{};\n", self.signature(function, ": ")));
            }
            Declaration::VariableDeclaration(variables) => self.variables(variables, text),
            Declaration::ClassDeclaration(class) => text.push_str(&self.class(class)),
            Declaration::TSInterfaceDeclaration(_)
            | Declaration::TSTypeAliasDeclaration(_)
            | Declaration::TSEnumDeclaration(_) => {
                text.push_str(&format!("export {}\n", self.slice(declaration.span())));
            }
            Declaration::TSNamespaceDeclaration(_)
            | Declaration::TSExternalModuleDeclaration(_)
            | Declaration::TSGlobalDeclaration(_)
            | Declaration::TSImportEqualsDeclaration(_) => {
                let name = declaration.id().map(|id| id.name.as_str());
                text.push_str(&name.map(|name| format!("export const {name}: unknown;\n")).unwrap_or_default());
            }
        }
    }

    /// Declares a default export, or returns its type.
    fn default(&self, declaration: &ExportDefaultDeclarationKind<'_>, text: &mut String) -> Option<String> {
        match declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                text.push_str(&format!("export default function {};\n", self.signature(function, ": ")));
                None
            }
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(it) => {
                text.push_str(&format!("export default {}\n", self.slice(it.span)));
                None
            }
            ExportDefaultDeclarationKind::ClassDeclaration(_) => Some(CLASS.to_owned()),
            other => {
                let kind = other.as_expression().map(|it| match it.get_inner_expression() {
                    Expression::Identifier(name) => self.kind_of(name.name.as_str()).unwrap_or_else(unknown),
                    it => self.type_of(it),
                });
                Some(kind.unwrap_or_else(unknown))
            }
        }
    }

    /// Returns the type of what the file declares by a name.
    fn kind_of(&self, name: &str) -> Option<String> {
        self.body.iter().find_map(|statement| {
            let declaration = match statement {
                Statement::ExportDeclaration(export) => Some(&export.declaration),
                other => other.as_declaration(),
            };
            match declaration? {
                Declaration::VariableDeclaration(variables) => {
                    let is_named = |it: &&VariableDeclarator<'_>| match &it.id {
                        BindingPattern::BindingIdentifier(id) => id.name == name,
                        _ => false,
                    };
                    variables.declarations.iter().find(is_named).map(|it| self.kind_of_variable(it))
                }
                other if other.id().is_none_or(|id| id.name != name) => None,
                Declaration::FunctionDeclaration(function) => Some(self.signature(function, " => ")),
                Declaration::ClassDeclaration(_) => Some(CLASS.to_owned()),
                _ => None,
            }
        })
    }

    fn kind_of_variable(&self, declarator: &VariableDeclarator<'_>) -> String {
        match (&declarator.type_annotation, &declarator.init) {
            (Some(annotation), _) => self.annotated(annotation),
            (None, Some(init)) => self.type_of(init),
            (None, None) => unknown(),
        }
    }

    fn variables(&self, variables: &VariableDeclaration<'_>, text: &mut String) {
        for declarator in &variables.declarations {
            if let (BindingPattern::BindingIdentifier(name), None) = (&declarator.id, &declarator.type_annotation)
                && let Some(Expression::ArrowFunctionExpression(arrow)) = &declarator.init
            {
                text.push_str(&format!("export function {}{};\n", name.name, self.arrow(arrow, ": ")));
                continue;
            }
            let kind = self.kind_of_variable(declarator);
            for name in declarator.id.get_binding_identifiers() {
                let is_whole = matches!(declarator.id, BindingPattern::BindingIdentifier(_));
                let kind = if is_whole { kind.as_str() } else { "unknown" };
                text.push_str(&format!("export const {}: {kind};\n", name.name));
            }
        }
    }

    fn class(&self, class: &Class<'_>) -> String {
        let name = class.id.as_ref().map_or("", |id| id.name.as_str());
        format!("export const {name}: {CLASS};\n")
    }

    fn type_of(&self, expression: &Expression<'_>) -> String {
        match expression {
            Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => "string".to_owned(),
            Expression::NumericLiteral(_) => "number".to_owned(),
            Expression::BooleanLiteral(_) => "boolean".to_owned(),
            Expression::NullLiteral(_) => "null".to_owned(),
            Expression::RegExpLiteral(_) => "RegExp".to_owned(),
            Expression::ArrowFunctionExpression(arrow) => self.arrow(arrow, " => "),
            Expression::FunctionExpression(function) => self.signature(function, " => "),
            Expression::ClassExpression(_) => CLASS.to_owned(),
            _ => unknown(),
        }
    }

    /// Returns the parameters and the result of a function, with this sign between them.
    fn signature(&self, function: &Function<'_>, sign: &str) -> String {
        let result = self.result(function.return_type.as_deref(), function.r#async);
        format!("({}){sign}{result}", self.parameters(&function.params))
    }

    fn arrow(&self, arrow: &ArrowFunctionExpression<'_>, sign: &str) -> String {
        let result = self.result(arrow.return_type.as_deref(), arrow.r#async);
        format!("({}){sign}{result}", self.parameters(&arrow.params))
    }

    fn result(&self, annotation: Option<&TSTypeAnnotation<'_>>, is_async: bool) -> String {
        match annotation {
            Some(annotation) => self.annotated(annotation),
            None if is_async => "Promise<unknown>".to_owned(),
            None => unknown(),
        }
    }

    fn parameters(&self, parameters: &FormalParameters<'_>) -> String {
        let mut texts: Vec<String> = Vec::new();
        for (index, parameter) in parameters.items.iter().enumerate() {
            let name = match &parameter.pattern {
                BindingPattern::BindingIdentifier(name) => name.name.to_string(),
                _ => format!("value{index}"),
            };
            let kind = parameter.type_annotation.as_ref().map_or_else(|| "any".to_owned(), |it| self.annotated(it));
            let is_optional = parameter.optional || parameter.initializer.is_some();
            texts.push(format!("{name}{}: {kind}", if is_optional { "?" } else { "" }));
        }
        if parameters.rest.is_some() {
            texts.push("...rest: any[]".to_owned());
        }
        texts.join(", ")
    }

    /// Returns a written type on one line, without its colon.
    fn annotated(&self, annotation: &TSTypeAnnotation<'_>) -> String {
        let text = self.slice(annotation.type_annotation.span());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
