//! Tells which of the accepted forms a program has, and how it becomes something that can be called.

use oxc::{
    ast::ast::{Declaration, Program, Statement},
    span::GetSpan,
};

use super::{
    compose::Edit,
    erase::{Eraser, is_function},
};

/// What the program's value is, and where it stands.
#[derive(Debug)]
pub(super) enum Shape {
    /// Nothing, or what a `return` gives.
    Body,
    /// What a function gives that is the whole program.
    CallExpression(Place),
    /// What the one declared function gives.
    CallDeclaration { name: String },
    /// The last expression.
    Value(Place),
    /// What the module exports.
    Module,
    /// A module whose last expression becomes its default export.
    ModuleValue(Place),
    /// A module whose one function becomes its default export.
    ModuleFunction { name: String },
}

impl Shape {
    /// The same program as a module of its own rather than the body of a function.
    pub(super) fn into_module(self) -> Self {
        match self {
            Self::Value(place) | Self::CallExpression(place) | Self::ModuleValue(place) => Self::ModuleValue(place),
            Self::CallDeclaration { name } | Self::ModuleFunction { name } => Self::ModuleFunction { name },
            Self::Body | Self::Module => Self::Module,
        }
    }

    /// Whether the program stays a module.
    pub(super) fn is_module(&self) -> bool {
        match self {
            Self::Module | Self::ModuleValue(_) | Self::ModuleFunction { .. } => true,
            Self::Body | Self::CallExpression(_) | Self::CallDeclaration { .. } | Self::Value(_) => false,
        }
    }
}

/// An expression, and the end of the statement before it.
#[derive(Debug)]
pub(super) struct Place {
    after: Option<usize>,
    start: usize,
    end: usize,
}

/// Whether a program has a default export that is there when it runs.
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

/// The shape of a program without a default export.
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
            let place = Place { after, start: span.start as usize, end: span.end as usize };
            if is_only && is_function(&statement.expression) {
                Shape::CallExpression(place)
            } else {
                Shape::Value(place)
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

/// A text that is one string is an expression as well, though the language takes it for a directive.
fn of_directives(program: &Program<'_>) -> Shape {
    match program.directives.split_last() {
        Some((last, before)) if last.directive != "use strict" => {
            let after = before.last().map(|directive| directive.span.end as usize);
            let span = last.expression.span;
            Shape::Value(Place { after, start: span.start as usize, end: span.end as usize })
        }
        _ => Shape::Body,
    }
}

/// The text around the program, and the changes inside it, that make it a function.
///
/// What calls the author's function stands on line 0, so that no frame of a stack points at it.
pub(super) fn wrap(shape: &Shape, edits: &mut Vec<Edit>) -> (String, String) {
    let body_start = "async()=>{".to_owned();
    let body_end = "\n}".to_owned();
    match shape {
        Shape::Module => (String::new(), String::new()),
        Shape::ModuleFunction { name } => (String::new(), format!("\nexport default {name}")),
        Shape::ModuleValue(place) => {
            edits.push(Edit::insert(place.end, ")"));
            edits.push(Edit::insert(place.after.unwrap_or(place.start), ";export default("));
            (String::new(), String::new())
        }
        Shape::Body => (body_start, body_end),
        Shape::CallDeclaration { name } => (format!("{body_start}return await {name}();"), body_end),
        Shape::CallExpression(place) => {
            edits.push(Edit::insert(place.end, ")"));
            match place.after {
                None => (format!("{body_start}return await((f)=>f())("), body_end),
                Some(after) => {
                    edits.push(Edit::wrapper(after, ";return await((f)=>f())("));
                    (body_start, body_end)
                }
            }
        }
        Shape::Value(place) => {
            edits.push(Edit::insert(place.end, ")"));
            match place.after {
                None => (format!("{body_start}return("), body_end),
                Some(after) => {
                    edits.push(Edit::insert(after, ";return("));
                    (body_start, body_end)
                }
            }
        }
    }
}
