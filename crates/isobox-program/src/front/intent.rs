//! Finds the function that a program evidently means to run, if it declares one and does not call it, and the variable that
//! evidently is its result.

use std::collections::HashMap;

use oxc::ast::ast::{
    AssignmentTarget, BinaryOperator, BindingPattern, Declaration, Expression, ExpressionStatement, Function,
    ObjectPropertyKind, Program, Statement, VariableDeclaration, VariableDeclarationKind,
};
use oxc::span::GetSpan;

use super::{
    erase::{Eraser, is_function},
    lower::{References, names_of_statement},
};

/// The names by which programs call the function that does their work, the most common first.
const NAMES: &[&str] = &[
    "main", "run", "execute", "start", "handler", "program", "script", "solve", "solution", "workflow", "task", "job",
];

/// The names by which programs call their result.
const RESULTS: &[&str] = &["result", "results", "output", "answer", "finalResult"];

/// The function that a program exports in the manner of CommonJS.
pub(super) enum Exported {
    /// The exported value is the function.
    Value,
    /// The exported value is an object, and the function is its member of this name.
    Member(String),
}

/// Returns the name of the function that a statement declares, if the statement does nothing else.
pub(super) fn lone_function(statement: &Statement<'_>) -> Option<String> {
    match declaration_of(statement)? {
        Declaration::FunctionDeclaration(function) => Some(function.id.as_ref()?.name.to_string()),
        _ => None,
    }
}

/// Checks whether a statement is the declaration of a function.
pub(super) fn declares_function(statement: &Statement<'_>) -> bool {
    matches!(declaration_of(statement), Some(Declaration::FunctionDeclaration(_)))
}

/// Returns the name of the function that a program declares and never uses.
///
/// A function with a usual name is run wherever it is declared. Another function is run if it needs no arguments, if the
/// program ends with it, and if the program consists of declarations and uses all its other functions.
pub(super) fn uncalled_function(program: &Program<'_>, eraser: &Eraser<'_>, last: &Statement<'_>) -> Option<String> {
    let kept = || program.body.iter().enumerate().filter(|(_, statement)| !eraser.erases(statement));
    let functions: Vec<(usize, Declared<'_>)> =
        kept().filter_map(|(index, statement)| Some((index, declared_function(statement)?))).collect();
    if functions.is_empty() {
        return None;
    }
    let uses = Uses::of(program);
    let uncalled: Vec<&(usize, Declared<'_>)> =
        functions.iter().filter(|(index, function)| !uses.contains(function.name, *index)).collect();
    let usual = NAMES.iter().find_map(|name| uncalled.iter().find(|(_, function)| function.name == *name));
    if let Some((_, function)) = usual {
        return Some(function.name.to_owned());
    }
    let [(index, function)] = uncalled.as_slice() else { return None };
    let is_last = std::ptr::eq(&raw const program.body[*index], last);
    let only_declares = kept().all(|(_, statement)| declaration_of(statement).is_some() || exports_names(statement));
    (is_last && only_declares && !function.needs_arguments).then(|| function.name.to_owned())
}

/// Returns the expression that ends the block behind `if (require.main === module)`.
pub(super) fn guarded_expression<'a, 'b>(statement: &'b Statement<'a>) -> Option<&'b Expression<'a>> {
    let Statement::IfStatement(guarded) = statement else { return None };
    if guarded.alternate.is_some() || !is_main_check(&guarded.test) {
        return None;
    }
    let last = match &guarded.consequent {
        Statement::BlockStatement(block) => block.body.last()?,
        other => other,
    };
    let Statement::ExpressionStatement(last) = last else { return None };
    Some(&last.expression)
}

/// Returns the variable that a program's last statement declares and its value, if the variable evidently is the result: nothing
/// can use it any more, and it has a usual name or an awaited value. A function is none, because the program may declare
/// functions anywhere.
pub(super) fn declared_result<'a, 'b>(
    program: &Program<'_>,
    statement: &'b Statement<'a>,
) -> Option<(&'b str, &'b Expression<'a>)> {
    let Declaration::VariableDeclaration(variables) = declaration_of(statement)? else { return None };
    let [declarator] = variables.declarations.as_slice() else { return None };
    // `using` ends the life of its value with the program.
    let is_kept = matches!(
        variables.kind,
        VariableDeclarationKind::Const | VariableDeclarationKind::Let | VariableDeclarationKind::Var
    );
    let name = declarator.id.get_binding_identifier()?.name.as_str();
    let value = declarator.init.as_ref()?;
    let is_code = is_function(value)
        || names_function(program, value)
        || matches!(value.get_inner_expression(), Expression::ClassExpression(_));
    let is_awaited = matches!(value.get_inner_expression(), Expression::AwaitExpression(_));
    (is_kept && !is_code && (is_awaited || RESULTS.contains(&name))).then_some((name, value))
}

/// Returns the variables that a program's last statement takes out of an awaited value, as the code of an object or a list. Nothing
/// can use them any more, so they evidently are the result.
pub(super) fn destructured_result(statement: &Statement<'_>) -> Option<String> {
    let Declaration::VariableDeclaration(variables) = declaration_of(statement)? else { return None };
    let [declarator] = variables.declarations.as_slice() else { return None };
    let Expression::AwaitExpression(_) = declarator.init.as_ref()?.get_inner_expression() else { return None };
    let (names, open, close): (Option<Vec<&str>>, _, _) = match &declarator.id {
        BindingPattern::ObjectPattern(pattern) if pattern.rest.is_none() => {
            let names = pattern.properties.iter().map(|property| name_of(&property.value));
            (names.collect(), '{', '}')
        }
        BindingPattern::ArrayPattern(pattern) if pattern.rest.is_none() => {
            let names = pattern.elements.iter().map(|element| name_of(element.as_ref()?));
            (names.collect(), '[', ']')
        }
        _ => return None,
    };
    let names = names.filter(|names| !names.is_empty())?.join(",");
    Some(format!("{open}{names}{close}"))
}

fn name_of<'b>(pattern: &'b BindingPattern<'_>) -> Option<&'b str> {
    Some(pattern.get_binding_identifier()?.name.as_str())
}

/// Returns the ranges of the expressions that end the branches of a program's last `if` or `switch`, if they evidently are the
/// result: one of them at least is a value that does nothing else, and the others are values or calls.
pub(super) fn branch_results(statement: &Statement<'_>) -> Vec<(usize, usize)> {
    let mut ends = Vec::new();
    if matches!(statement, Statement::IfStatement(_) | Statement::SwitchStatement(_)) {
        add_ends(statement, &mut ends);
    }
    if !ends.iter().any(|end| is_value(&end.expression)) {
        return Vec::new();
    }
    let results = ends.into_iter().filter(|end| is_value(&end.expression) || is_call(&end.expression));
    results.map(|end| (end.span.start as usize, end.expression.span().end as usize)).collect()
}

/// Adds the expressions that are the last statements of branches.
fn add_ends<'a, 'b>(statement: &'b Statement<'a>, ends: &mut Vec<&'b ExpressionStatement<'a>>) {
    match statement {
        Statement::ExpressionStatement(last) => ends.push(last),
        Statement::BlockStatement(block) => {
            if let Some(last) = block.body.last() {
                add_ends(last, ends);
            }
        }
        Statement::IfStatement(branches) => {
            add_ends(&branches.consequent, ends);
            if let Some(alternate) = &branches.alternate {
                add_ends(alternate, ends);
            }
        }
        Statement::SwitchStatement(switch) => {
            for (index, case) in switch.cases.iter().enumerate() {
                // Without a `break`, the next case follows.
                let last = match case.consequent.as_slice() {
                    [.., last, Statement::BreakStatement(_)] => last,
                    [.., last] if index + 1 == switch.cases.len() => last,
                    _ => continue,
                };
                add_ends(last, ends);
            }
        }
        _ => {}
    }
}

/// Checks whether an expression does nothing but give a value.
fn is_value(expression: &Expression<'_>) -> bool {
    match expression.get_inner_expression() {
        Expression::Identifier(name) => name.name != "undefined",
        Expression::ObjectExpression(_)
        | Expression::ArrayExpression(_)
        | Expression::TemplateLiteral(_)
        | Expression::StringLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::BooleanLiteral(_)
        | Expression::BinaryExpression(_)
        | Expression::StaticMemberExpression(_)
        | Expression::ComputedMemberExpression(_) => true,
        _ => false,
    }
}

/// Checks whether an expression is a call whose result may be meant, perhaps awaited. A line for the log is none.
fn is_call(expression: &Expression<'_>) -> bool {
    let mut called = expression.get_inner_expression();
    if let Expression::AwaitExpression(awaited) = called {
        called = awaited.argument.get_inner_expression();
    }
    let Expression::CallExpression(call) = called else { return false };
    let Expression::StaticMemberExpression(member) = call.callee.get_inner_expression() else { return true };
    !matches!(&member.object, Expression::Identifier(object) if object.name == "console")
}

/// Checks whether an expression is the name of a function that the program declares.
pub(super) fn names_function(program: &Program<'_>, expression: &Expression<'_>) -> bool {
    let Expression::Identifier(identifier) = expression.get_inner_expression() else { return false };
    is_declared(program, &identifier.name)
}

/// Returns the function that a program exports if `expression` is an assignment to `module.exports` or `exports.…`.
pub(super) fn exported_function(program: &Program<'_>, expression: &Expression<'_>) -> Option<Exported> {
    let Expression::AssignmentExpression(assignment) = expression.get_inner_expression() else { return None };
    if !is_exports(&assignment.left) {
        return None;
    }
    let value = &assignment.right;
    if is_function(value) || names_function(program, value) {
        return Some(Exported::Value);
    }
    let Expression::ObjectExpression(object) = value.get_inner_expression() else { return None };
    let members: Vec<String> = object
        .properties
        .iter()
        .filter_map(|property| match property {
            ObjectPropertyKind::ObjectProperty(property) => {
                let is_called = is_function(&property.value) || names_function(program, &property.value);
                property.key.static_name().filter(|_| is_called).map(|name| name.to_string())
            }
            ObjectPropertyKind::SpreadProperty(_) => None,
        })
        .filter(|name| oxc::syntax::identifier::is_identifier_name(name))
        .collect();
    let usual = NAMES.iter().chain(&["default"]).find(|name| members.iter().any(|member| member == *name));
    match (usual, members.as_slice()) {
        (Some(name), _) => Some(Exported::Member((*name).to_owned())),
        (None, [only]) => Some(Exported::Member(only.clone())),
        (None, _) => None,
    }
}

struct Declared<'a> {
    name: &'a str,
    needs_arguments: bool,
}

fn declared_function<'a>(statement: &'a Statement<'_>) -> Option<Declared<'a>> {
    match declaration_of(statement)? {
        Declaration::FunctionDeclaration(function) if !function.generator => {
            let name = function.id.as_ref()?.name.as_str();
            Some(Declared { name, needs_arguments: needs_arguments(function) })
        }
        Declaration::VariableDeclaration(variables) => declared_by_variable(variables),
        _ => None,
    }
}

fn declared_by_variable<'a>(variables: &'a VariableDeclaration<'_>) -> Option<Declared<'a>> {
    let [declarator] = variables.declarations.as_slice() else { return None };
    let name = declarator.id.get_binding_identifier()?.name.as_str();
    let needs_arguments = match declarator.init.as_ref()?.get_inner_expression() {
        Expression::ArrowFunctionExpression(function) => function.params.items.iter().any(is_needed),
        Expression::FunctionExpression(function) if !function.generator => needs_arguments(function),
        _ => return None,
    };
    Some(Declared { name, needs_arguments })
}

fn needs_arguments(function: &Function<'_>) -> bool {
    function.params.items.iter().any(is_needed)
}

fn is_needed(parameter: &oxc::ast::ast::FormalParameter<'_>) -> bool {
    parameter.initializer.is_none() && !parameter.optional
}

fn is_declared(program: &Program<'_>, name: &str) -> bool {
    program.body.iter().filter_map(declared_function).any(|function| function.name == name)
}

fn declaration_of<'a, 'b>(statement: &'b Statement<'a>) -> Option<&'b Declaration<'a>> {
    match statement {
        Statement::ExportDeclaration(export) => Some(&export.declaration),
        other => other.as_declaration(),
    }
}

fn exports_names(statement: &Statement<'_>) -> bool {
    matches!(
        statement,
        Statement::ExportNamedDeclaration(_)
            | Statement::ExportFromDeclaration(_)
            | Statement::ExportAllDeclaration(_)
            | Statement::ImportDeclaration(_)
            | Statement::EmptyStatement(_)
    )
}

/// The names that the statements of a program refer to.
struct Uses<'a>(HashMap<&'a str, Statements>);

/// The statements that refer to a name.
enum Statements {
    One(usize),
    Several,
}

impl<'a> Uses<'a> {
    fn of(program: &Program<'a>) -> Self {
        let mut uses = HashMap::new();
        for (index, statement) in program.body.iter().enumerate() {
            let names = if exports_in_common_js(statement) { References::new() } else { names_of_statement(statement) };
            for name in names.into_keys() {
                uses.entry(name).and_modify(|it| *it = Statements::Several).or_insert(Statements::One(index));
            }
        }
        Self(uses)
    }

    /// Checks whether any statement but that of its declaration refers to a name.
    fn contains(&self, name: &str, declaration: usize) -> bool {
        match self.0.get(name) {
            None => false,
            Some(Statements::One(index)) => *index != declaration,
            Some(Statements::Several) => true,
        }
    }
}

/// Checks whether a statement only assigns to `module.exports`, perhaps under a condition.
fn exports_in_common_js(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ExpressionStatement(statement) => match &statement.expression {
            Expression::AssignmentExpression(assignment) => is_exports(&assignment.left),
            _ => false,
        },
        Statement::IfStatement(conditional) => {
            conditional.alternate.is_none() && exports_in_common_js(&conditional.consequent)
        }
        Statement::BlockStatement(block) => !block.body.is_empty() && block.body.iter().all(exports_in_common_js),
        _ => false,
    }
}

/// Checks whether an assignment is to `module.exports`, `module.exports.name` or `exports.name`.
fn is_exports(target: &AssignmentTarget<'_>) -> bool {
    let AssignmentTarget::StaticMemberExpression(member) = target else { return false };
    match &member.object {
        Expression::Identifier(object) => {
            object.name == "exports" || (object.name == "module" && member.property.name == "exports")
        }
        Expression::StaticMemberExpression(inner) => {
            inner.property.name == "exports"
                && matches!(&inner.object, Expression::Identifier(object) if object.name == "module")
        }
        _ => false,
    }
}

/// Checks whether an expression is `require.main === module` or `import.meta.main`.
fn is_main_check(expression: &Expression<'_>) -> bool {
    match expression.get_inner_expression() {
        Expression::BinaryExpression(test) => {
            matches!(test.operator, BinaryOperator::StrictEquality | BinaryOperator::Equality)
                && ((is_require_main(&test.left) && is_module(&test.right))
                    || (is_module(&test.left) && is_require_main(&test.right)))
        }
        Expression::StaticMemberExpression(member) => {
            member.property.name == "main" && matches!(member.object, Expression::ImportMeta(_))
        }
        _ => false,
    }
}

fn is_module(expression: &Expression<'_>) -> bool {
    matches!(expression.get_inner_expression(), Expression::Identifier(identifier) if identifier.name == "module")
}

fn is_require_main(expression: &Expression<'_>) -> bool {
    let Expression::StaticMemberExpression(member) = expression.get_inner_expression() else { return false };
    member.property.name == "main"
        && matches!(&member.object, Expression::Identifier(identifier) if identifier.name == "require")
}
