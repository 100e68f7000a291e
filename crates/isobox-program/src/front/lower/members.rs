//! Lowers decorators of members, and `accessor` fields.
//!
//! The decorators of a member are evaluated where they are written: they become the computed name of a static method, which is
//! removed before any code of the class runs. For a private member, that method returns the functions that give access to it.
//! A private method is defined under a hidden name first, and its own name is a getter of what the decorators made.

use oxc::{
    ast::ast::{
        AccessorProperty, Decorator, Expression, MethodDefinition, MethodDefinitionKind, PropertyDefinition,
        PropertyKey, TSTypeAnnotation,
    },
    span::{GetSpan, Span},
};

use super::super::{compose::Edit, erase::Eraser, text::count, trivia};
use super::decorators::{is_private, quoted};
use super::state::{Decorated, Statics};

/// The kind of a member, as decorators are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Method,
    Getter,
    Setter,
    Field,
    Accessor,
    /// A static member without decorators, in a class that may be replaced.
    Plain,
}

/// A member to be lowered.
#[derive(Clone, Copy)]
struct Member<'b, 'a> {
    kind: Kind,
    span: Span,
    decorators: &'b [Decorator<'a>],
    key: &'b PropertyKey<'a>,
    is_computed: bool,
    is_static: bool,
}

/// A member that has a number in the state of its class.
struct Recorded {
    state: String,
    index: usize,
}

/// The value of a field or an accessor, and the offset behind the name and the type, where a value can be added.
#[derive(Clone, Copy)]
struct Value<'b, 'a> {
    expression: Option<&'b Expression<'a>>,
    end_of_type: usize,
}

/// Texts to be inserted after a member was visited, so that they come behind the edits of its parts.
pub(in super::super) type Closing = Vec<Edit>;

impl<'a> Eraser<'a> {
    /// Starts a method, a getter or a setter.
    pub(in super::super) fn open_method(&mut self, it: &MethodDefinition<'a>) -> Closing {
        let Some(first) = it.decorators.first() else { return Closing::new() };
        let kind = match it.kind {
            MethodDefinitionKind::Method => Kind::Method,
            MethodDefinitionKind::Get => Kind::Getter,
            MethodDefinitionKind::Set => Kind::Setter,
            MethodDefinitionKind::Constructor => {
                self.object(first.span, "a constructor cannot have decorators", None);
                return Closing::new();
            }
        };
        let member = Member {
            kind,
            span: it.span,
            decorators: &it.decorators,
            key: &it.key,
            is_computed: it.computed,
            is_static: it.r#static,
        };
        let Some(Recorded { state, .. }) = self.record(member, "") else { return Closing::new() };
        if is_private(&it.key) {
            let span = it.key.span();
            self.edits.push(Edit::replace(span.start as usize, span.end as usize, format!("[{state}.hidden()]")));
        }
        self.open_key(member, &format!("{state}.name("))
    }

    /// Starts a field.
    pub(in super::super) fn open_field(&mut self, it: &PropertyDefinition<'a>) -> Closing {
        let is_moved = self.is_moved(it.r#static) && !is_private(&it.key);
        if it.decorators.is_empty() && !is_moved {
            return Closing::new();
        }
        let member = Member {
            kind: if it.decorators.is_empty() { Kind::Plain } else { Kind::Field },
            span: it.span,
            decorators: &it.decorators,
            key: &it.key,
            is_computed: it.computed,
            is_static: it.r#static,
        };
        let Some(recorded) = self.record(member, "") else { return Closing::new() };
        let state = &recorded.state;
        let end_of_type = self.end_of_type(member, it.optional || it.definite, it.type_annotation.as_deref());
        let value = Value { expression: it.value.as_ref(), end_of_type };
        if !is_moved {
            let mut closing = self.open_key(member, &format!("{state}.name("));
            closing.extend(self.open_value(member, &recorded, value));
            return closing;
        }
        let head = format!("[{state}.initializer()](){{");
        let mut closing = self.open_key(member, &format!("{state}.late("));
        if it.computed {
            self.edits.push(Edit::insert(self.end_of_key(member), format!("(){{}}static {head}")));
        } else {
            let span = it.key.span();
            self.edits.push(Edit::replace(span.start as usize, span.end as usize, head));
        }
        let define = format!("{state}.field({})", recorded.index);
        closing.extend(self.open_moved_value(&recorded, value, &define));
        closing
    }

    /// Turns an `accessor` field into a getter and a setter, and starts its value.
    pub(in super::super) fn open_accessor(&mut self, it: &AccessorProperty<'a>) -> Closing {
        let (is_moved, is_decorated) = (self.is_moved(it.r#static), !it.decorators.is_empty());
        let member = Member {
            kind: if is_decorated { Kind::Accessor } else { Kind::Plain },
            span: it.span,
            decorators: &it.decorators,
            key: &it.key,
            is_computed: it.computed,
            is_static: it.r#static,
        };
        let fresh = self.fresh();
        let storage = format!("#{fresh}s{}", self.number());
        let (read, write, target) = match &self.lowering.decorated {
            Some(Decorated { state, members, .. }) if is_moved => (
                format!("return {state}.read({members},this)"),
                format!("{state}.write({members},this,v)"),
                format!("[{state}.initializer()](){{"),
            ),
            _ => (format!("return this.{storage}"), format!("this.{storage}=v"), storage),
        };
        let own = format!(",own:{{get(){{{read}}},set(v){{{write}}}}}");
        let recorded = if is_decorated || is_moved { self.record(member, &own) } else { None };
        let mut text = String::from(";");
        if !is_decorated || !is_private(&it.key) {
            let prefix = if it.r#static { "static " } else { "" };
            let key = if it.computed { format!("[{fresh}k]") } else { self.source_of(it.key.span()).to_owned() };
            let setter = format!("{prefix}set {key}(v){{{write}}}");
            text = if it.computed {
                format!("(){{{read}}}{setter}")
            } else {
                format!(";{prefix}get {key}(){{{read}}}{setter}")
            };
        }
        text.push_str(if it.r#static { "static " } else { "" });
        text.push_str(&target);
        let start = it.decorators.last().map_or(it.span.start as usize, |last| self.next_token(last.span.end));
        let mut closing = Closing::new();
        if it.computed {
            self.lowering.has_computed_accessors = true;
            let getter = if it.r#static { ";static get" } else { ";get" };
            self.edits.push(Edit::replace(start, self.start_of_bracket(start), getter));
            let convert = recorded.as_ref().map_or_else(|| format!("{fresh}n("), |it| format!("{}.name(", it.state));
            closing.extend(self.open_key(member, &format!("{fresh}k={convert}")));
            self.edits.push(Edit::insert(self.end_of_key(member), text));
        } else {
            self.edits.push(Edit::replace(start, self.end_of_key(member), text));
        }
        let Some(recorded) = recorded else { return closing };
        let end_of_type = self.end_of_type(member, it.definite, it.type_annotation.as_deref());
        let value = Value { expression: it.value.as_ref(), end_of_type };
        if is_moved {
            let define = format!("{}.accessor({})", recorded.state, recorded.index);
            closing.extend(self.open_moved_value(&recorded, value, &define));
        } else {
            closing.extend(self.open_value(member, &recorded, value));
        }
        closing
    }

    /// Ends a member that was started and visited.
    pub(in super::super) fn close_member(&mut self, closing: Closing) {
        self.edits.extend(closing);
    }

    /// Checks whether a static member belongs to the class that the decorators of its class make.
    fn is_moved(&self, is_static: bool) -> bool {
        let decorated = self.lowering.decorated.as_ref();
        is_static && decorated.is_some_and(|decorated| decorated.statics == Statics::OfReplacement)
    }

    /// Records a member in the state of its class, where its decorators are written. `own` is added to the functions that give
    /// access to a private member.
    fn record(&mut self, member: Member<'_, 'a>, own: &str) -> Option<Recorded> {
        let Member { kind, span, decorators, key, is_computed, is_static } = member;
        let decorated = self.lowering.decorated.as_mut()?;
        let (index, state) = (decorated.members, decorated.state.clone());
        decorated.members += 1;
        let name = match key {
            _ if is_computed => "void 0".to_owned(),
            PropertyKey::PrivateIdentifier(id) => quoted(&format!("#{}", id.name)),
            PropertyKey::StaticIdentifier(id) => quoted(id.name.as_str()),
            _ => self.source_of(key.span()).to_owned(),
        };
        let (access, functions) = if is_private(key) && kind != Kind::Plain {
            let key = self.source_of(key.span());
            (kind.access(key, own), kind.functions(key, is_static, &format!("{state}.made({index})")))
        } else {
            (String::new(), String::new())
        };
        let start = format!(";static[{state}.member([");
        let is_private = is_private(key);
        let end = format!("],\"{}\",{is_static},{is_private},{name})](){{{access}}}{functions}", kind.name());
        if decorators.is_empty() {
            self.edits.push(Edit::insert(span.start as usize, format!("{start}{end}")));
        } else {
            self.edit_list(decorators, &start, &end);
        }
        Some(Recorded { state, index })
    }

    /// Passes the expression of a computed name to a function.
    fn open_key(&mut self, member: Member<'_, 'a>, before: &str) -> Closing {
        if !member.is_computed {
            return Closing::new();
        }
        let span = member.key.span();
        self.edits.push(Edit::insert(span.start as usize, before.to_owned()));
        vec![Edit::insert(span.end as usize, ")")]
    }

    /// Passes the value of a field to the functions that its decorators returned.
    fn open_value(&mut self, member: Member<'_, 'a>, recorded: &Recorded, value: Value<'_, 'a>) -> Closing {
        let Recorded { state, index } = recorded;
        let after = self.open_expression(recorded, value, "=");
        let number = self.number();
        let prefix = if member.is_static { "static " } else { "" };
        let initializers = format!(";{prefix}#{}p{number}={state}.after({index},this);", self.fresh());
        vec![after, Edit::insert(member.span.end as usize, initializers)]
    }

    /// Makes the value of a static field or accessor the result of a method, which `define` calls.
    fn open_moved_value(&mut self, recorded: &Recorded, value: Value<'_, 'a>, define: &str) -> Closing {
        if value.expression.is_some() {
            let sign = self.next_token(count(value.end_of_type));
            self.edits.push(Edit::replace(sign, sign + 1, "return("));
        }
        let after = self.open_expression(recorded, value, "return(");
        let end = Edit::insert(after.start, format!(")}}static{{{define}}}"));
        vec![after, end]
    }

    /// Starts the expression of a value. Returns the text behind it, or a value with `before` if there is none.
    fn open_expression(&mut self, recorded: &Recorded, value: Value<'_, 'a>, before: &str) -> Edit {
        let Recorded { state, index } = recorded;
        let Some(expression) = value.expression else {
            return Edit::insert(value.end_of_type, format!("{before}{state}.value({index},this,void 0)"));
        };
        // An anonymous function takes the name of its property.
        let (before, after) = if is_anonymous(expression) {
            let name = format!("{state}.key({index})");
            (format!("({{[{name}]:"), format!("}})[{name}]"))
        } else {
            (String::new(), String::new())
        };
        let span = expression.span();
        self.edits.push(Edit::insert(span.start as usize, format!("{state}.value({index},this,{before}")));
        Edit::insert(span.end as usize, format!("{after})"))
    }

    /// Returns the offset behind the name of a member.
    fn end_of_key(&self, member: Member<'_, 'a>) -> usize {
        let end = member.key.span().end;
        if member.is_computed { self.next_token(end) + 1 } else { end as usize }
    }

    /// Returns the offset behind the name, the sign (`?` or `!`) and the type of a member.
    fn end_of_type(&self, member: Member<'_, 'a>, has_sign: bool, annotation: Option<&TSTypeAnnotation<'a>>) -> usize {
        let end = self.end_of_key(member);
        match annotation {
            Some(annotation) => annotation.span.end as usize,
            None if has_sign => self.next_token(count(end)) + 1,
            None => end,
        }
    }

    /// Returns the offset of the `[` behind the modifiers that start at `offset`.
    fn start_of_bracket(&self, mut offset: usize) -> usize {
        loop {
            let word = trivia::word(self.text, offset);
            if word.is_empty() {
                return offset;
            }
            offset = trivia::skip(self.text, offset + word.len());
        }
    }
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Method => "method",
            Self::Getter => "getter",
            Self::Setter => "setter",
            Self::Field => "field",
            Self::Accessor => "accessor",
            Self::Plain => "plain",
        }
    }

    fn is_readable(self) -> bool {
        self != Self::Setter
    }

    fn is_writable(self) -> bool {
        matches!(self, Self::Setter | Self::Field | Self::Accessor)
    }

    /// Returns the body of a method that returns the functions that give access to a private member.
    fn access(self, key: &str, own: &str) -> String {
        let get = if self.is_readable() { format!(",get:(o)=>o.{key}") } else { String::new() };
        let set = if self.is_writable() { format!(",set:(o,v)=>{{o.{key}=v}}") } else { String::new() };
        format!("return{{has:(o)=>{key} in o{get}{set}{own}}}")
    }

    /// Returns the getter and the setter that a private method or accessor becomes. `made` has what the decorators made.
    fn functions(self, key: &str, is_static: bool, made: &str) -> String {
        let prefix = if is_static { "static " } else { "" };
        let getter = format!("{prefix}get {key}(){{return {made}.get.call(this)}}");
        let setter = format!("{prefix}set {key}(v){{{made}.set.call(this,v)}}");
        match self {
            Self::Method => format!("{prefix}get {key}(){{return {made}.value}}"),
            Self::Getter => getter,
            Self::Setter => setter,
            Self::Accessor => format!("{getter}{setter}"),
            Self::Field | Self::Plain => String::new(),
        }
    }
}

fn is_anonymous(value: &Expression<'_>) -> bool {
    match value.get_inner_expression() {
        Expression::ArrowFunctionExpression(_) => true,
        Expression::FunctionExpression(function) => function.id.is_none(),
        Expression::ClassExpression(class) => class.id.is_none(),
        _ => false,
    }
}
