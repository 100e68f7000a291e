//! Determines which of the accepted forms a program has, and how to wrap it so that the engine can call it.

use oxc::{
    ast::ast::{Expression, Program, Statement, UnaryOperator},
    span::GetSpan,
};

use super::{
    compose::Edit,
    erase::{Eraser, is_function},
    intent, modules,
    survey::Entry,
};

/// The form of a program, which determines its value.
#[derive(Debug)]
pub(super) enum Shape {
    /// The body of a function. The value is that of a `return`, or `undefined`.
    Body,
    /// Statements whose last is a function. The value is what the function returns.
    CallExpression(FinalExpression),
    /// Statements whose last is an object with a function. The value is what the function returns.
    CallMember { object: FinalExpression, name: String },
    /// A function declaration that is the whole program. The value is what the function returns.
    CallDeclaration { name: String },
    /// Statements that declare a function and never use it. The value is what the function returns.
    CallLast { name: String, after: usize },
    /// Statements whose last declares the variables with the result. `code` is the result, and `value` the range of the value that is
    /// the whole of it.
    Declared { code: String, value: Option<(usize, usize)>, after: usize },
    /// Statements whose last is an `if` or a `switch`. The value is that of the expression at one of these ranges, at the end of a
    /// branch.
    Branches(Vec<(usize, usize)>),
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
            Self::CallDeclaration { name } | Self::CallLast { name, .. } | Self::ModuleFunction { name } => {
                Self::ModuleFunction { name }
            }
            Self::Body | Self::CallMember { .. } | Self::Declared { .. } | Self::Branches(_) | Self::Module => {
                Self::Module
            }
        }
    }

    /// Returns what the engine takes as the result, and the function that it calls.
    pub(super) fn entry(&self) -> Entry<'_> {
        let result = |expression: &FinalExpression| Some((expression.start, expression.end));
        match self {
            Self::Body | Self::Branches(_) | Self::Module => Entry::default(),
            Self::Declared { value, .. } => Entry { result: *value, ..Entry::default() },
            Self::CallExpression(expression) | Self::Value(expression) | Self::ModuleValue(expression) => {
                Entry { result: result(expression), ..Entry::default() }
            }
            Self::CallMember { object, .. } => Entry { result: result(object), ..Entry::default() },
            Self::CallDeclaration { name } | Self::CallLast { name, .. } | Self::ModuleFunction { name } => {
                Entry { called: Some(name), ..Entry::default() }
            }
        }
    }

    /// Checks whether the value is what a function of the author returns.
    fn calls_function(&self) -> bool {
        match self {
            Self::CallExpression(_)
            | Self::CallMember { .. }
            | Self::CallDeclaration { .. }
            | Self::CallLast { .. } => true,
            Self::Body
            | Self::Declared { .. }
            | Self::Branches(_)
            | Self::Value(_)
            | Self::Module
            | Self::ModuleValue(_)
            | Self::ModuleFunction { .. } => false,
        }
    }

    /// Checks whether the program stays a module.
    pub(super) fn is_module(&self) -> bool {
        match self {
            Self::Module | Self::ModuleValue(_) | Self::ModuleFunction { .. } => true,
            Self::Body
            | Self::CallExpression(_)
            | Self::CallMember { .. }
            | Self::CallDeclaration { .. }
            | Self::CallLast { .. }
            | Self::Declared { .. }
            | Self::Branches(_)
            | Self::Value(_) => false,
        }
    }
}

/// The byte range of the program's final expression.
#[derive(Debug)]
pub(super) struct FinalExpression {
    /// Where the `return` is inserted: the end of the statement before the expression, or the start of the expression in a
    /// block. Without it, the expression is the first statement.
    after: Option<usize>,
    start: usize,
    end: usize,
    /// A range before the expression that is blanked.
    skipped: Option<(usize, usize)>,
}

/// Checks whether a program has a default export at run time, not only a type.
pub(super) fn has_default(program: &Program<'_>) -> bool {
    use oxc::ast::ast::{ExportDefaultDeclarationKind as Kind, ImportOrExportKind};
    program.body.iter().any(|statement| match statement {
        Statement::ExportDefaultDeclaration(export) => match &export.declaration {
            Kind::TSInterfaceDeclaration(_) => false,
            Kind::FunctionDeclaration(function) => function.body.is_some(),
            _ => true,
        },
        Statement::ExportNamedDeclaration(export) if export.export_kind == ImportOrExportKind::Value => {
            export.specifiers.iter().any(|specifier| {
                specifier.exported.name() == "default"
                    && specifier.export_kind == ImportOrExportKind::Value
                    && !modules::declared_types(&program.body).contains(specifier.local.name().as_str())
            })
        }
        Statement::ExportFromDeclaration(export) if export.export_kind == ImportOrExportKind::Value => {
            export.specifiers.iter().any(|specifier| {
                specifier.exported.name() == "default" && specifier.export_kind == ImportOrExportKind::Value
            })
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
    if let Statement::ExpressionStatement(statement) = last {
        return of_expression(program, index, &statement.expression);
    }
    if program.body[..index].iter().all(|statement| eraser.erases(statement))
        && let Some(name) = intent::lone_function(last)
    {
        return Shape::CallDeclaration { name };
    }
    if eraser.top_level_return.is_some() {
        return Shape::Body;
    }
    if let Some(name) = intent::uncalled_function(program, eraser, last) {
        return Shape::CallLast { name, after: last.span().end as usize };
    }
    // Functions are declared before anything runs, so those at the end do not end the program.
    let is_inert = |statement: &Statement<'_>| eraser.erases(statement) || intent::declares_function(statement);
    match program.body.iter().enumerate().rev().find(|(_, statement)| !is_inert(statement)) {
        Some((index, Statement::ExpressionStatement(statement))) => {
            of_expression(program, index, &statement.expression)
        }
        Some((_, statement)) => of_statement(program, statement),
        None => Shape::Body,
    }
}

/// Returns the shape of a program whose last statement is no expression.
fn of_statement(program: &Program<'_>, statement: &Statement<'_>) -> Shape {
    let after = statement.span().end as usize;
    if let Some((name, value)) = intent::declared_result(program, statement) {
        let value = (value.span().start as usize, value.span().end as usize);
        return Shape::Declared { code: name.to_owned(), value: Some(value), after };
    }
    if let Some(code) = intent::destructured_result(statement) {
        return Shape::Declared { code, value: None, after };
    }
    if let Some(expression) = intent::guarded_expression(statement) {
        let (start, end) = (expression.span().start as usize, expression.span().end as usize);
        return Shape::Value(FinalExpression { after: Some(start), start, end, skipped: None });
    }
    let ends = intent::branch_results(statement);
    if ends.is_empty() { Shape::Body } else { Shape::Branches(ends) }
}

/// Returns the shape of a program whose last statement is an expression.
fn of_expression(program: &Program<'_>, index: usize, expression: &Expression<'_>) -> Shape {
    let after = match index.checked_sub(1) {
        Some(before) => Some(program.body[before].span().end as usize),
        None => program.directives.last().map(|directive| directive.span.end as usize),
    };
    let span = expression.span();
    let (mut start, end) = (span.start as usize, span.end as usize);
    let mut skipped = None;
    // `void main()` does not wait for the call. The program has to, because it ends with its last statement.
    if let Expression::UnaryExpression(unary) = expression
        && unary.operator == UnaryOperator::Void
        && matches!(unary.argument.get_inner_expression(), Expression::CallExpression(_))
    {
        skipped = Some((start, unary.argument.span().start as usize));
        start = unary.argument.span().start as usize;
    }
    let whole = FinalExpression { after, start, end, skipped };
    if is_function(expression) || intent::names_function(program, expression) {
        return Shape::CallExpression(whole);
    }
    match intent::exported_function(program, expression) {
        Some(intent::Exported::Value) => Shape::CallExpression(whole),
        Some(intent::Exported::Member(name)) => Shape::CallMember { object: whole, name },
        None => Shape::Value(whole),
    }
}

/// Returns the shape of a program of directives only. A final string counts as an expression, although JavaScript reads it
/// as a directive.
fn of_directives(program: &Program<'_>) -> Shape {
    match program.directives.split_last() {
        Some((last, before)) if last.directive != "use strict" => {
            let after = before.last().map(|directive| directive.span.end as usize);
            let span = last.expression.span;
            let (start, end) = (span.start as usize, span.end as usize);
            Shape::Value(FinalExpression { after, start, end, skipped: None })
        }
        _ => Shape::Body,
    }
}

/// Whether the program uses the variables `module` and `exports` of CommonJS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommonJs {
    Used,
    Unused,
}

/// The variable with the arguments of the function that the code becomes. The author's function gets the same: a program
/// gets none, and a snippet gets its input.
const ARGUMENTS: &str = "$isobox";

/// Returns the text before and after the code that turns it into a function, and adds the edits inside the code.
///
/// The call of the author's function is mapped to line 0, so that no stack frame points at it.
pub(super) fn wrap(shape: &Shape, common_js: CommonJs, helper: &str, edits: &mut Vec<Edit>) -> (String, String) {
    let body_start = match (shape.calls_function(), common_js) {
        // With such parameters a function may have no directives. The semicolon makes statements of the author's, whose code is
        // strict anyway.
        (false, CommonJs::Used) => format!("async(module={{exports:{{}}}},exports=module.exports)=>{{;{helper}"),
        (false, CommonJs::Unused) => format!("async()=>{{{helper}"),
        (true, CommonJs::Used) => {
            format!("async(...{ARGUMENTS})=>{{let module={{exports:{{}}}},exports=module.exports;{helper}")
        }
        (true, CommonJs::Unused) => format!("async(...{ARGUMENTS})=>{{;{helper}"),
    };
    let body_end = "\n}".to_owned();
    match shape {
        Shape::Module => (String::new(), String::new()),
        Shape::ModuleFunction { name } => (String::new(), format!("\nexport default {name}")),
        Shape::ModuleValue(expression) => {
            expression.blank_skipped(edits);
            edits.push(Edit::insert(expression.end, ")"));
            edits.push(Edit::insert(expression.after.unwrap_or(expression.start), ";export default("));
            (String::new(), String::new())
        }
        Shape::Body => (body_start, body_end),
        Shape::CallDeclaration { name } => (format!("{body_start}return await {name}(...{ARGUMENTS});"), body_end),
        Shape::CallLast { name, after } => {
            edits.push(Edit::wrapper(*after, format!(";return await {name}(...{ARGUMENTS});")));
            (body_start, body_end)
        }
        Shape::Declared { code, after, .. } => {
            edits.push(Edit::wrapper(*after, format!(";return {code};")));
            (body_start, body_end)
        }
        Shape::Branches(ends) => {
            for (start, end) in ends {
                edits.push(Edit::insert(*start, " return("));
                edits.push(Edit::insert(*end, ")"));
            }
            (body_start, body_end)
        }
        Shape::CallExpression(expression) => {
            expression.call(body_start, body_end, &format!("((f)=>f(...{ARGUMENTS}))("), edits)
        }
        Shape::CallMember { object, name } => {
            object.call(body_start, body_end, &format!("((o)=>o.{name}(...{ARGUMENTS}))("), edits)
        }
        Shape::Value(expression) => {
            expression.blank_skipped(edits);
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

impl FinalExpression {
    /// Passes the value of the expression to a function that calls it.
    fn call(&self, start: String, end: String, caller: &str, edits: &mut Vec<Edit>) -> (String, String) {
        self.blank_skipped(edits);
        edits.push(Edit::insert(self.end, ")"));
        match self.after {
            None => (format!("{start}return await{caller}"), end),
            Some(after) => {
                edits.push(Edit::wrapper(after, format!(";return await{caller}")));
                (start, end)
            }
        }
    }

    fn blank_skipped(&self, edits: &mut Vec<Edit>) {
        if let Some((start, end)) = self.skipped {
            edits.push(Edit::blank(start, end));
        }
    }
}
