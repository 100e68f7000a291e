//! The edits of classes and their members.

use oxc::{
    ast::ast::{AccessorProperty, Class, MethodDefinition, PropertyDefinition, PropertyKey},
    ast_visit::{Visit, walk},
    span::GetSpan,
};

use super::{
    super::{compose::Edit, text::count, trivia},
    Eraser,
};

impl<'a> Eraser<'a> {
    /// Erases the types of a class, and lowers its decorators.
    pub(super) fn erase_class(&mut self, it: &Class<'a>) {
        let around = self.enter_class(it);
        if it.r#abstract {
            let start = match it.decorators.last() {
                Some(last) => self.next_token(last.span.end.max(it.span.start)),
                None => it.span.start as usize,
            };
            if trivia::word(self.text, start) == "abstract" {
                self.edits.push(Edit::blank(start, start + "abstract".len()));
            }
        }
        self.lower_parameter_properties(it);
        if let Some(type_parameters) = &it.type_parameters {
            self.blank(type_parameters.span);
        }
        if let Some(heritage) = &it.heritage {
            self.visit_expression(&heritage.expression);
            if let Some(type_arguments) = &heritage.type_arguments {
                self.blank(type_arguments.span);
            }
        }
        if let Some(last) = it.implements.last() {
            let before = it
                .heritage
                .as_ref()
                .map(|heritage| {
                    heritage.type_arguments.as_ref().map_or(heritage.expression.span().end, |it| it.span.end)
                })
                .or_else(|| it.type_parameters.as_ref().map(|it| it.span.end))
                .or_else(|| it.id.as_ref().map(|id| id.span.end))
                .unwrap_or_else(|| self.end_of_class_keyword(it));
            self.edits.push(Edit::blank(self.next_token(before), last.span.end as usize));
        }
        self.visit_class_body(&it.body);
        self.leave_class(it, around);
    }

    /// Erases the types of a method, a getter or a setter, and lowers its decorators.
    pub(super) fn erase_method(&mut self, it: &MethodDefinition<'a>) {
        let closing = self.open_method(it);
        self.blank_modifiers(it.span.start, &it.decorators, &it.key);
        if it.optional {
            self.blank_sign_behind(&it.key, it.computed, b'?');
        }
        walk::walk_method_definition(self, it);
        self.close_member(closing);
    }

    /// Erases the types of a field, and lowers its decorators.
    pub(super) fn erase_field(&mut self, it: &PropertyDefinition<'a>) {
        let closing = self.open_field(it);
        self.blank_modifiers(it.span.start, &it.decorators, &it.key);
        if it.optional || it.definite {
            self.blank_sign_behind(&it.key, it.computed, if it.optional { b'?' } else { b'!' });
        }
        let is_shortened = it.optional || it.definite || it.type_annotation.is_some();
        if is_shortened
            && it.value.is_none()
            && closing.is_empty()
            && matches!(self.source_of(it.key.span()), "get" | "set" | "static")
        {
            // The next member would otherwise take the name for a modifier.
            self.edits.push(Edit::insert(it.key.span().end as usize, ";"));
        }
        walk::walk_property_definition(self, it);
        self.close_member(closing);
    }

    /// Lowers an `accessor` field with its decorators, and erases its types.
    pub(super) fn erase_accessor(&mut self, it: &AccessorProperty<'a>) {
        let closing = self.open_accessor(it);
        if it.definite {
            self.blank_sign_behind(&it.key, it.computed, b'!');
        }
        walk::walk_accessor_property(self, it);
        self.close_member(closing);
    }

    /// Blanks a sign behind the name of a member.
    fn blank_sign_behind(&mut self, key: &PropertyKey<'a>, is_computed: bool, sign: u8) {
        let end = key.span().end;
        let end = if is_computed { count(self.next_token(end) + 1) } else { end };
        self.blank_sign(end, sign);
    }
}
