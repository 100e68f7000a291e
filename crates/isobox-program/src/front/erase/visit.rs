//! The edits for each kind of node.

use oxc::{
    ast::ast::{
        AccessorProperty, AccessorPropertyType, ArrowFunctionExpression, AssignmentTargetPropertyIdentifier,
        BinaryExpression, BinaryOperator, BindingIdentifier, CallExpression, Class, ClassElement, Declaration,
        Decorator, ExportAllDeclaration, ExportDeclaration, ExportDefaultDeclaration, ExportDefaultDeclarationKind,
        ExportFromDeclaration, ExportNamedDeclaration, Expression, FormalParameter, Function, IdentifierReference,
        ImportDeclaration, ImportDeclarationSpecifier, ImportExpression, ImportMeta, ImportOrExportKind,
        MethodDefinition, MethodDefinitionType, ObjectProperty, PropertyDefinition, PropertyDefinitionType,
        RegExpLiteral, ReturnStatement, Statement, StaticBlock, StaticMemberExpression, StringLiteral, TSAsExpression,
        TSExportAssignment, TSImportEqualsDeclaration, TSInstantiationExpression, TSNamespaceExportDeclaration,
        TSNonNullExpression, TSSatisfiesExpression, TSThisParameter, TSType, TSTypeAnnotation, TSTypeAssertion,
        TSTypeParameterDeclaration, TSTypeParameterInstantiation, TemplateElement, VariableDeclarator,
    },
    ast_visit::{Visit, walk},
    span::{GetSpan, Span},
    syntax::scope::ScopeFlags,
};

use super::{
    super::{
        compose::Edit,
        declarations::is_erased,
        lower::{
            objection_in_namespace,
            state::{ClassExport, Home, Use},
        },
        modules::Presence,
        text::count,
        trivia,
    },
    Eraser, Exports,
};

impl<'a> Eraser<'a> {
    /// Visits the statements of a list after [`Eraser::enter_list`].
    pub(in super::super) fn visit_listed(&mut self, statements: &[Statement<'a>]) {
        for statement in statements {
            self.is_listed = true;
            self.visit_statement(statement);
        }
        self.is_listed = false;
    }
}

impl<'a> Visit<'a> for Eraser<'a> {
    fn visit_statements(&mut self, statements: &oxc::allocator::Vec<'a, Statement<'a>>) {
        self.enter_list(statements);
        self.visit_listed(statements);
        self.leave_list();
    }

    fn visit_statement(&mut self, statement: &Statement<'a>) {
        let is_listed = std::mem::take(&mut self.is_listed);
        if statement.as_declaration().is_some_and(is_erased) {
            self.blank_statement(statement.span());
            return;
        }
        match statement {
            Statement::TSEnumDeclaration(_) | Statement::TSNamespaceDeclaration(_) if !is_listed => {
                let message = "an enum or a namespace cannot be the body of another statement";
                self.object(statement.span(), message, Some("put it in braces"));
            }
            Statement::TSEnumDeclaration(it) => self.lower_enum(it, Home::Variable),
            Statement::TSNamespaceDeclaration(it) => self.lower_namespace(it, Home::Variable),
            other => match objection_in_namespace(other).filter(|_| self.is_in_namespace()) {
                Some(message) => self.object(other.span(), message, None),
                None => walk::walk_statement(self, other),
            },
        }
    }

    fn visit_export_declaration(&mut self, export: &ExportDeclaration<'a>) {
        if self.is_in_namespace() {
            self.export_from_namespace(export);
            return;
        }
        if is_erased(&export.declaration) {
            self.modules.record_export_declaration(export, Presence::Type);
            self.blank_statement(export.span);
            return;
        }
        self.modules.record_export_declaration(export, Presence::Value);
        let is_merged = match &export.declaration {
            Declaration::TSEnumDeclaration(it) => !self.needs_variable(&it.id.name),
            Declaration::TSNamespaceDeclaration(it) => !self.needs_variable(&it.id.name),
            _ => false,
        };
        if self.exports == Exports::Drop || is_merged {
            self.blank(Span::new(export.span.start, export.declaration.span().start));
        }
        match &export.declaration {
            Declaration::TSEnumDeclaration(it) => self.lower_enum(it, Home::Variable),
            Declaration::TSNamespaceDeclaration(it) => self.lower_namespace(it, Home::Variable),
            Declaration::ClassDeclaration(class) => {
                self.note_class_export(export.span, ClassExport::Named);
                self.visit_class(class);
            }
            Declaration::TSImportEqualsDeclaration(it) if self.exports != Exports::Drop => {
                self.note_import(it, Use::Exported);
            }
            _ => walk::walk_export_declaration(self, export),
        }
    }

    fn visit_export_named_declaration(&mut self, export: &ExportNamedDeclaration<'a>) {
        self.visit_export_specifiers(&export.specifiers);
        self.modules.record_export_names(export);
        if self.exports == Exports::Drop || export.export_kind == ImportOrExportKind::Type {
            self.blank_statement(export.span);
        }
    }

    fn visit_export_from_declaration(&mut self, export: &ExportFromDeclaration<'a>) {
        self.check_attributes(export.with_clause.as_deref());
        self.note_literal(export.source.span);
        self.visit_export_specifiers(&export.specifiers);
        self.modules.record_export_from(export);
    }

    fn visit_export_all_declaration(&mut self, export: &ExportAllDeclaration<'a>) {
        self.check_attributes(export.with_clause.as_deref());
        self.note_literal(export.source.span);
        if let Some(name) = &export.exported {
            self.visit_module_export_name(name);
        }
        self.modules.record_export_all(export);
    }

    fn visit_export_default_declaration(&mut self, export: &ExportDefaultDeclaration<'a>) {
        let erased = match &export.declaration {
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => true,
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => function.body.is_none(),
            _ => false,
        };
        if erased {
            self.modules.record_default(Presence::Type);
            self.blank_statement(export.span);
        } else {
            self.modules.record_default(Presence::Value);
            if matches!(export.declaration, ExportDefaultDeclarationKind::ClassDeclaration(_)) {
                self.note_class_export(export.span, ClassExport::Default);
            }
            walk::walk_export_default_declaration(self, export);
        }
    }

    fn visit_import_declaration(&mut self, import: &ImportDeclaration<'a>) {
        if import.phase.is_some() {
            self.object(import.span, "imports with phases are not available", None);
        }
        self.check_attributes(import.with_clause.as_deref());
        self.note_literal(import.source.span);
        for specifier in import.specifiers.iter().flatten() {
            if let ImportDeclarationSpecifier::ImportSpecifier(named) = specifier {
                self.visit_module_export_name(&named.imported);
            }
        }
        self.modules.record_import(import);
    }

    fn visit_import_expression(&mut self, import: &ImportExpression<'a>) {
        if import.phase.is_some() {
            self.object(import.span, "imports with phases are not available", None);
        }
        self.modules.record_dynamic_import(import);
        walk::walk_import_expression(self, import);
    }

    fn visit_import_meta(&mut self, it: &ImportMeta) {
        if self.exports == Exports::Drop {
            self.object(it.span, "`import.meta` is not available", None);
        }
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.mentions_exports |= matches!(it.name.as_str(), "module" | "exports");
        if let Some(property) = self.redirection(&it.name) {
            self.edits.push(Edit::replace(it.span.start as usize, it.span.end as usize, property));
        }
    }

    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.declares_require |= it.name == "require";
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Expression::Identifier(callee) = &it.callee
            && callee.name == "require"
        {
            self.note_require(it);
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        if it.shorthand
            && let Expression::Identifier(identifier) = &it.value
            && let Some(property) = self.redirection(&identifier.name)
        {
            self.edits.push(Edit::insert(it.span.start as usize, format!("{}:", identifier.name)));
            self.edits.push(Edit::replace(it.span.start as usize, it.span.end as usize, property));
            return;
        }
        walk::walk_object_property(self, it);
    }

    fn visit_assignment_target_property_identifier(&mut self, it: &AssignmentTargetPropertyIdentifier<'a>) {
        if self.redirection(&it.binding.name).is_some() {
            self.edits.push(Edit::insert(it.binding.span.start as usize, format!("{}:", it.binding.name)));
        }
        walk::walk_assignment_target_property_identifier(self, it);
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        let replacement = match self.source_of(it.span) {
            // Both are how a program asks whether it was started itself, and not imported.
            "require.main" if self.exports == Exports::Drop => "module",
            "import.meta.main" if self.exports == Exports::Drop => "true",
            "import.meta.url" | "import.meta.dirname" | "import.meta.filename" | "import.meta.resolve" => {
                let hint = "a program has no place in a file system; leave it out";
                return self.object(it.span, "`import.meta` is not available", Some(hint));
            }
            _ => return walk::walk_static_member_expression(self, it),
        };
        let (start, end) = (it.span.start as usize, it.span.end as usize);
        self.mentions_exports |= replacement == "module";
        self.edits.push(Edit::replace(start, end, format!("{replacement:<width$}", width = end - start)));
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        if self.function_depth == 0 && self.top_level_return.is_none() {
            self.top_level_return = Some(it.span.start as usize);
        }
        walk::walk_return_statement(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if it.definite {
            self.blank_sign(it.id.span().end, b'!');
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        if let Some(decorator) = it.decorators.first() {
            let message = "decorators of parameters are not available";
            self.object(decorator.span, message, Some("they are not part of JavaScript; pass the values as arguments"));
        }
        if it.optional {
            self.blank_sign(it.pattern.span().end, b'?');
        }
        walk::walk_formal_parameter(self, it);
    }

    fn visit_ts_this_parameter(&mut self, it: &TSThisParameter<'a>) {
        let comma = self.next_token(it.span.end);
        let end = if self.text.as_bytes().get(comma) == Some(&b',') { comma + 1 } else { it.span.end as usize };
        self.edits.push(Edit::blank(it.span.start as usize, end));
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        self.function_depth += 1;
        walk::walk_function(self, it, flags);
        self.function_depth -= 1;
    }

    fn visit_static_block(&mut self, it: &StaticBlock<'a>) {
        self.function_depth += 1;
        self.lower_static_block(it);
        walk::walk_static_block(self, it);
        self.function_depth -= 1;
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.function_depth += 1;
        let params = it.params.span;
        let mut opens_early = false;
        if let Some(type_parameters) = &it.type_parameters {
            let span = type_parameters.span;
            // A line break is allowed neither behind `async` nor behind a `return` before the arrow function.
            if trivia::has_line_break(self.slice(span.start, params.start)) {
                opens_early = true;
                let start = span.start as usize;
                self.edits.push(Edit::replace(start, start + 1, "("));
                self.edits.push(Edit::blank(start + 1, span.end as usize));
                self.edits.push(Edit::blank(params.start as usize, params.start as usize + 1));
            } else {
                self.blank(span);
            }
        }
        debug_assert!(!opens_early || self.slice(params.start, params.start + 1) == "(");
        self.visit_formal_parameters(&it.params);
        if let Some(return_type) = &it.return_type {
            let end = return_type.span.end as usize;
            if trivia::has_line_break(self.slice(params.end, return_type.span.end)) {
                // A line break is not allowed before `=>`, so the closing parenthesis moves behind the line break.
                let last = self.text[..end].chars().next_back().map_or(1, char::len_utf8);
                let close = params.end as usize - 1;
                self.edits.push(Edit::blank(close, close + 1));
                self.edits.push(Edit::blank(return_type.span.start as usize, end - last));
                self.edits.push(Edit::replace(end - last, end, ")"));
            } else {
                self.blank(return_type.span);
            }
        }
        self.visit_arrow_function_body(&it.body);
        self.function_depth -= 1;
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        self.erase_class(it);
    }

    fn visit_class_element(&mut self, element: &ClassElement<'a>) {
        let erased = match element {
            ClassElement::TSIndexSignature(_) => true,
            ClassElement::MethodDefinition(method) => {
                method.value.body.is_none() || method.r#type == MethodDefinitionType::TSAbstractMethodDefinition
            }
            ClassElement::PropertyDefinition(property) => {
                property.declare || property.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition
            }
            ClassElement::AccessorProperty(accessor) => {
                accessor.r#type == AccessorPropertyType::TSAbstractAccessorProperty
            }
            ClassElement::StaticBlock(_) => false,
        };
        if erased {
            self.blank_statement(element.span());
        } else {
            walk::walk_class_element(self, element);
        }
    }

    fn visit_method_definition(&mut self, it: &MethodDefinition<'a>) {
        self.erase_method(it);
    }

    fn visit_property_definition(&mut self, it: &PropertyDefinition<'a>) {
        self.function_depth += 1;
        self.erase_field(it);
        self.function_depth -= 1;
    }

    fn visit_accessor_property(&mut self, it: &AccessorProperty<'a>) {
        self.function_depth += 1;
        self.erase_accessor(it);
        self.function_depth -= 1;
    }

    /// The decorators of classes and members are visited where they are lowered.
    fn visit_decorators(&mut self, _: &oxc::allocator::Vec<'a, Decorator<'a>>) {}

    fn visit_ts_type_annotation(&mut self, it: &TSTypeAnnotation<'a>) {
        self.blank(it.span);
    }

    fn visit_ts_type_parameter_declaration(&mut self, it: &TSTypeParameterDeclaration<'a>) {
        self.blank(it.span);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, it: &TSTypeParameterInstantiation<'a>) {
        self.blank(it.span);
    }

    fn visit_ts_type(&mut self, _: &TSType<'a>) {}

    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        if !self.loosened.is_empty() {
            self.check_loosened(it);
        }
        if it.operator == BinaryOperator::Exponential
            && matches!(it.left, Expression::TSAsExpression(_) | Expression::TSSatisfiesExpression(_))
        {
            // Without the type, the operand of the assertion would become an operand of this operator.
            self.edits.push(Edit::insert(it.left.span().start as usize, "("));
            self.edits.push(Edit::insert(it.left.span().end as usize, ")"));
        }
        walk::walk_binary_expression(self, it);
    }

    fn visit_ts_as_expression(&mut self, it: &TSAsExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank_assertion(it.expression.span().end, it.span);
    }

    fn visit_ts_satisfies_expression(&mut self, it: &TSSatisfiesExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank_assertion(it.expression.span().end, it.span);
    }

    fn visit_ts_type_assertion(&mut self, it: &TSTypeAssertion<'a>) {
        let operand = it.expression.span();
        let end = count(self.next_token(it.type_annotation.span().end)) + 1;
        let opening = Span::new(it.span.start, end);
        let first = trivia::word(self.text, operand.start as usize);
        let starts_statement = matches!(first, "function" | "class" | "async" | "let")
            || self.text.as_bytes().get(operand.start as usize) == Some(&b'{');
        let parenthesise = starts_statement || trivia::has_line_break(self.slice(it.span.start, operand.start));
        if !parenthesise {
            self.blank(opening);
        }
        self.visit_expression(&it.expression);
        if parenthesise {
            self.wrap(opening, operand.end);
        }
    }

    fn visit_ts_non_null_expression(&mut self, it: &TSNonNullExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank(Span::new(it.span.end - 1, it.span.end));
    }

    fn visit_ts_instantiation_expression(&mut self, it: &TSInstantiationExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank(it.type_arguments.span);
    }

    fn visit_ts_import_equals_declaration(&mut self, it: &TSImportEqualsDeclaration<'a>) {
        self.note_import(it, Use::Local);
    }

    fn visit_ts_export_assignment(&mut self, it: &TSExportAssignment<'a>) {
        self.object(it.span, "`export =` is not available", Some("use `export default`"));
    }

    fn visit_ts_namespace_export_declaration(&mut self, it: &TSNamespaceExportDeclaration<'a>) {
        self.object(it.span, "`export as namespace` is not available", None);
    }

    fn visit_string_literal(&mut self, it: &StringLiteral<'a>) {
        self.note_literal(it.span);
    }

    fn visit_template_element(&mut self, it: &TemplateElement<'a>) {
        self.note_literal(it.span);
    }

    fn visit_reg_exp_literal(&mut self, it: &RegExpLiteral<'a>) {
        self.note_literal(it.span);
    }
}
