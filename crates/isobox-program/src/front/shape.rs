//! Determines which of the accepted forms a program has, and how to wrap it so that the engine can call it.

use oxc::{
    ast::ast::{Declaration, Program, Statement},
    span::GetSpan,
};

use super::{
    compose::Edit,
    erase::{Eraser, is_function},
};

/// The form of a program, which determines its value.
#[derive(Debug)]
pub(super) enum Shape {
    /// The body of a function. The value is that of a `return`, or `undefined`.
    Body,
    /// A function expression that is the whole program. The value is what the function returns.
    CallExpression(FinalExpression),
    /// A function declaration that is the whole program. The value is what the function returns.
    CallDeclaration { name: String },
    /// Statements whose last is an expression. The value is that of the expression.
    Value(FinalExpression),
    /// A module. The value is its default export.
    Module,
    /// A module whose last expression becomes its default export.
    ModuleValue(FinalExpression),
    /// A module whose one function becomes its default export.
    ModuleFunction { name: String },
}

impl Shape {
    /// Converts the shape of a function body into that of a module.
    pub(super) fn into_module(self) -> Self {
        match self {
            Self::Value(expression) | Self::CallExpression(expression) | Self::ModuleValue(expression) => {
                Self::ModuleValue(expression)
            }
            Self::CallDeclaration { name } | Self::ModuleFunction { name } => Self::ModuleFunction { name },
            Self::Body | Self::Module => Self::Module,
        }
    }

    /// Checks whether the program stays a module.
    pub(super) fn is_module(&self) -> bool {
        match self {
            Self::Module | Self::ModuleValue(_) | Self::ModuleFunction { .. } => true,
            Self::Body | Self::CallExpression(_) | Self::CallDeclaration { .. } | Self::Value(_) => false,
        }
    }
}

/// The byte range of the program's final expression.
#[derive(Debug)]
pub(super) struct FinalExpression {
    /// The end of the statement before the expression.
    after: Option<usize>,
    start: usize,
    end: usize,
}

/// Checks whether a program has a default export at run time, not only a type.
pub(super) fn has_default(program: &Program<'_>) -> bool {
    use oxc::ast::ast::ExportDefaultDeclarationKind as Kind;
    program.body.iter().any(|statement| match statement {
        Statement::ExportDefaultDeclaration(export) => match &export.declaration {
            Kind::TSInterfaceDeclaration(_) => false,
            Kind::FunctionDeclaration(function) => function.body.is_some(),
            _ => true,
        },
        Statement::ExportNamedDeclaration(export) => {
            export.specifiers.iter().any(|specifier| specifier.exported.name() == "default")
        }
        Statement::ExportFromDeclaration(export) => {
            export.specifiers.iter().any(|specifier| specifier.exported.name() == "default")
        }
        _ => false,
    })
}

/// Returns the shape of a program without a default export.
pub(super) fn of_body(program: &Program<'_>, eraser: &Eraser<'_>) -> Shape {
    let Some((index, last)) = program.body.iter().enumerate().rev().find(|(_, statement)| !eraser.erases(statement))
    else {
        return of_directives(program);
    };
    let is_only = program.body[..index].iter().all(|statement| eraser.erases(statement));
    match last {
        Statement::ExpressionStatement(statement) => {
            let after = match index.checked_sub(1) {
                Some(before) => Some(program.body[before].span().end as usize),
                None => program.directives.last().map(|directive| directive.span.end as usize),
            };
            let span = statement.expression.span();
            let expression = FinalExpression { after, start: span.start as usize, end: span.end as usize };
            if is_only && is_function(&statement.expression) {
                Shape::CallExpression(expression)
            } else {
                Shape::Value(expression)
            }
        }
        Statement::FunctionDeclaration(function) if is_only => call(function.id.as_ref()),
        Statement::ExportDeclaration(export) if is_only => match &export.declaration {
            Declaration::FunctionDeclaration(function) => call(function.id.as_ref()),
            _ => Shape::Body,
        },
        _ => Shape::Body,
    }
}

fn call(name: Option<&oxc::ast::ast::BindingIdentifier<'_>>) -> Shape {
    name.map_or(Shape::Body, |name| Shape::CallDeclaration { name: name.name.to_string() })
}

/// Returns the shape of a program of directives only. A final string counts as an expression, although JavaScript reads it
/// as a directive.
fn of_directives(program: &Program<'_>) -> Shape {
    match program.directives.split_last() {
        Some((last, before)) if last.directive != "use strict" => {
            let after = before.last().map(|directive| directive.span.end as usize);
            let span = last.expression.span;
            Shape::Value(FinalExpression { after, start: span.start as usize, end: span.end as usize })
        }
        _ => Shape::Body,
    }
}

/// Returns the text before and after the code that turns it into a function, and adds the edits inside the code.
///
/// The call of the author's function is mapped to line 0, so that no stack frame points at it.
pub(super) fn wrap(shape: &Shape, edits: &mut Vec<Edit>) -> (String, String) {
    let body_start = "async()=>{".to_owned();
    let body_end = "\n}".to_owned();
    match shape {
        Shape::Module => (String::new(), String::new()),
        Shape::ModuleFunction { name } => (String::new(), format!("\nexport default {name}")),
        Shape::ModuleValue(expression) => {
            edits.push(Edit::insert(expression.end, ")"));
            edits.push(Edit::insert(expression.after.unwrap_or(expression.start), ";export default("));
            (String::new(), String::new())
        }
        Shape::Body => (body_start, body_end),
        Shape::CallDeclaration { name } => (format!("{body_start}return await {name}();"), body_end),
        Shape::CallExpression(expression) => {
            edits.push(Edit::insert(expression.end, ")"));
            match expression.after {
                None => (format!("{body_start}return await((f)=>f())("), body_end),
                Some(after) => {
                    edits.push(Edit::wrapper(after, ";return await((f)=>f())("));
                    (body_start, body_end)
                }
            }
        }
        Shape::Value(expression) => {
            edits.push(Edit::insert(expression.end, ")"));
            match expression.after {
                None => (format!("{body_start}return("), body_end),
                Some(after) => {
                    edits.push(Edit::insert(after, ";return("));
                    (body_start, body_end)
                }
            }
        }
    }
}
