//! Lowers decorators, as ECMAScript proposes them (2023-11), and `accessor` fields.
//!
//! The decorators of a member are evaluated where they are written: they become the computed name of a static method that is
//! removed again before any code of the class runs. A static block at the start of the class applies all decorators. The
//! functions that do so, [`HELPER`], are added to the line before the program.

use oxc::{
    ast::ast::{
        AccessorProperty, Class, ClassElement, Decorator, Expression, MethodDefinition, MethodDefinitionKind,
        PropertyDefinition, PropertyDefinitionType, PropertyKey,
    },
    ast_visit::Visit,
    span::{GetSpan, Span},
};

use super::super::{compose::Edit, erase::Eraser, text::count, trivia};
use super::state::{ClassExport, Decorated};

/// A function that makes the state of a class with decorators. `$` is replaced with a fresh name.
///
/// The members of the state: `d` records the decorators of a member, `n` its computed name; `a` applies all decorators; `i`
/// runs the initialisers of an instance; `v` computes the value of a field; `p` runs the initialisers behind a field; `z`
/// runs those of the class.
const HELPER: &str = r#"const $d=(C)=>{const{getOwnPropertyDescriptor:G,defineProperty:P,create:K,getPrototypeOf:O}=({}).constructor,E=[],I=[],S=[],X=[],F=(f)=>{if(typeof f!="function")throw new TypeError("a decorator has to be a function, and to return a function or nothing");return f},A=(o,l)=>{for(const f of l)f.call(o)},Y=(n)=>typeof n=="symbol"?n:`${n}`;let M,L;const T=(D,v,c,l)=>{let o=true;const r=F(D)(v,{...c,metadata:M,addInitializer(f){if(!o)throw new TypeError("a decorator adds initializers while it decorates");l.push(F(f))}});o=false;return r},B=(t,e)=>{const{k,n,s,D}=e,h=s?t:t.prototype,d=k=="field"?{}:G(h,n),w=k=="field"||k=="accessor",l=w?e.y:s?S:I,c={kind:k,name:n,static:s,private:false,access:{has:(o)=>n in o}};let v=k=="method"?d.value:k=="getter"?d.get:k=="setter"?d.set:void 0,g=d.get,u=d.set;if(k!="setter")c.access.get=(o)=>o[n];if(w||k=="setter")c.access.set=(o,x)=>{o[n]=x};for(let i=D.length;i--;){const r=T(D[i],k=="accessor"?{get:g,set:u}:v,c,l);if(r===void 0)continue;if(k=="field")e.x.unshift(F(r));else if(k=="accessor"){if(r===null||typeof r!="object")throw new TypeError("a decorator of an accessor has to return an object or nothing");if(r.get!==void 0)g=F(r.get);if(r.set!==void 0)u=F(r.set);if(r.init!==void 0)e.x.unshift(F(r.init))}else v=F(r)}if(k=="method")P(h,n,{...d,value:v});else if(k=="getter")P(h,n,{...d,get:v});else if(k=="setter")P(h,n,{...d,set:v});else if(k=="accessor")P(h,n,{...d,get:g,set:u})};return{d(D,k,s,n){const t=Symbol();E.push({D,k,s,n:n===void 0?n:Y(n),t,x:[],y:[]});return t},n(n){return E[E.length-1].n=Y(n)},a(t,n,h){for(const e of E)delete t[e.t];const m=Symbol.metadata;if(m)M=K(O(t)?.[m]??null);for(const f of[false,true])for(const s of[true,false])for(const e of E)if(e.s==s&&(e.k=="field")==f)B(t,e);let r=t;for(let i=C.length;i--;){const q=T(C[i],r,{kind:"class",name:n},X);if(q!==void 0)r=F(q)}if(m)P(r,m,{value:M,writable:true,configurable:true});if(r!==t&&h)throw new TypeError("the decorator of a class with static members cannot replace the class");A(r,S);return L=r},i(o){A(o,I)},v(i,o,v){for(const f of E[i].x)v=f.call(o,v);return v},p(i,o){A(o,E[i].y)},z(){A(L,X)}}};"#;

/// The name of a member, and whether it belongs to the class itself.
#[derive(Clone, Copy)]
struct Member<'b, 'a> {
    key: &'b PropertyKey<'a>,
    is_computed: bool,
    is_static: bool,
    /// The end of the member.
    end: u32,
}

impl<'a> Eraser<'a> {
    /// Returns the functions that decorators need, if there are any.
    pub(in super::super) fn decorator_helper(&mut self) -> Option<String> {
        if !self.lowering.has_decorators {
            return None;
        }
        let name = format!("const {}d", self.fresh());
        Some(HELPER.replace("const $d", &name))
    }

    /// Notes how a class is exported, before the class is visited.
    pub(in super::super) fn note_class_export(&mut self, statement: Span, export: ClassExport) {
        self.lowering.class_export = Some((statement, export));
    }

    /// Starts a class that has decorators. Returns the state of the enclosing class.
    pub(in super::super) fn enter_class(&mut self, class: &Class<'a>) -> Option<Decorated> {
        let export = self.lowering.class_export.take();
        let around = self.lowering.decorated.take();
        let is_decorated = !class.decorators.is_empty() || class.body.body.iter().any(has_decorators);
        if !is_decorated {
            return around;
        }
        self.lowering.has_decorators = true;
        self.lowering.class_count += 1;
        let fresh = self.fresh();
        let state = format!("{fresh}c{}", self.lowering.class_count);
        if class.is_expression() {
            self.start_expression(class, &state);
        } else if class.decorators.is_empty() {
            let start = export.map_or(class.span.start, |(statement, _)| statement.start);
            self.edits.push(Edit::insert(start as usize, format!("const {state}={fresh}d([]);")));
        } else {
            self.start_declaration(class, &state, export);
        }
        self.start_body(class, &state);
        self.lowering.decorated = Some(Decorated { state, members: 0 });
        around
    }

    /// Ends a class: restores the state of the enclosing one.
    pub(in super::super) fn leave_class(&mut self, around: Option<Decorated>) {
        self.lowering.decorated = around;
    }

    fn start_expression(&mut self, class: &Class<'a>, state: &str) {
        if class.id.is_none() || !class.decorators.is_empty() {
            let message = "decorators of a class that is not declared by a statement are not available";
            self.object(class.span, message, Some("declare the class with a name, in a statement"));
        }
        let fresh = self.fresh();
        self.edits.push(Edit::insert(class.span.start as usize, format!("(({state})=>")));
        self.edits.push(Edit::insert(class.span.end as usize, format!(")({fresh}d([]))")));
    }

    /// Turns the declaration of a class with decorators into a variable, because its decorators may replace the class.
    fn start_declaration(&mut self, class: &Class<'a>, state: &str, export: Option<(Span, ClassExport)>) {
        let Some(id) = &class.id else {
            return self.object(class.span, "a class with decorators needs a name", Some("give the class a name"));
        };
        let (fresh, name) = (self.fresh(), self.source_of(id.span));
        self.edit_list(&class.decorators, &format!("let {name};const {state}={fresh}d(["), "]);");
        let keyword = self.end_of_class_keyword(class) as usize - "class".len();
        self.edits.push(Edit::replace(keyword, id.span.end as usize, format!("({{{name}:class")));
        let exported = match export {
            Some((statement, kind)) if self.keeps_exports() => {
                // The decorators may be before or behind `export`.
                let start = class.decorators[0].span.start;
                let end = if start < statement.start { class.span.start } else { start };
                self.blank(Span::new(statement.start, end));
                if kind == ClassExport::Named {
                    format!("export{{{name}}};")
                } else {
                    format!("export{{{name} as default}};")
                }
            }
            _ => String::new(),
        };
        self.edits.push(Edit::insert(class.span.end as usize, format!("}});{exported}")));
    }

    /// Applies all decorators before any code of the class runs.
    fn start_body(&mut self, class: &Class<'a>, state: &str) {
        let name = class.id.as_ref().map_or("", |id| id.name.as_str());
        let has_static = class.body.body.iter().any(|element| match element {
            ClassElement::StaticBlock(_) => true,
            ClassElement::PropertyDefinition(property) => property.r#static,
            ClassElement::AccessorProperty(accessor) => accessor.r#static,
            ClassElement::MethodDefinition(_) | ClassElement::TSIndexSignature(_) => false,
        });
        let assignment = match &class.id {
            Some(id) if !class.decorators.is_empty() => format!("{}=", self.source_of(id.span)),
            _ => String::new(),
        };
        let fresh = self.fresh();
        let number = self.lowering.class_count;
        let text = format!(
            "#{fresh}i{number}={state}.i(this);static{{{assignment}{state}.a(this,{},{has_static})}}",
            serde_json::Value::from(name)
        );
        self.edits.push(Edit::insert(class.body.span.start as usize + 1, text));
        if !class.decorators.is_empty() {
            self.edits.push(Edit::insert(class.body.span.end as usize - 1, format!(";static{{{state}.z()}}")));
        }
    }

    /// Lowers the decorators of a method, a getter or a setter.
    pub(in super::super) fn lower_method_decorators(&mut self, it: &MethodDefinition<'a>) {
        let kind = match it.kind {
            MethodDefinitionKind::Method => "method",
            MethodDefinitionKind::Get => "getter",
            MethodDefinitionKind::Set => "setter",
            MethodDefinitionKind::Constructor => {
                return self.object(it.decorators[0].span, "a constructor cannot have decorators", None);
            }
        };
        let member = Member { key: &it.key, is_computed: it.computed, is_static: it.r#static, end: it.span.end };
        self.lower_member_decorators(&it.decorators, kind, member);
    }

    /// Lowers the decorators of a field.
    pub(in super::super) fn lower_field_decorators(&mut self, it: &PropertyDefinition<'a>) {
        let member = Member { key: &it.key, is_computed: it.computed, is_static: it.r#static, end: it.span.end };
        if let Some(index) = self.lower_member_decorators(&it.decorators, "field", member) {
            self.edit_value(index, it.value.as_ref(), member);
        }
    }

    /// Turns an `accessor` field into a private field with a getter and a setter.
    pub(in super::super) fn lower_accessor(&mut self, it: &AccessorProperty<'a>) {
        if it.computed {
            let hint = "write a getter and a setter";
            return self.object(it.span, "`accessor` fields with a computed name are not available", Some(hint));
        }
        self.lowering.class_count += 1;
        let storage = format!("#{}s{}", self.fresh(), self.lowering.class_count);
        let start = match it.decorators.last() {
            Some(last) => self.next_token(last.span.end),
            None => it.span.start as usize,
        };
        let member = Member { key: &it.key, is_computed: it.computed, is_static: it.r#static, end: it.span.end };
        let index = match it.decorators.is_empty() {
            true => None,
            false => self.lower_member_decorators(&it.decorators, "accessor", member),
        };
        let (key, prefix) = (self.source_of(it.key.span()), if it.r#static { "static " } else { "" });
        let text = format!(
            ";{prefix}get {key}(){{return this.{storage}}}{prefix}set {key}(v){{this.{storage}=v}}{prefix}{storage}"
        );
        self.edits.push(Edit::replace(start, it.key.span().end as usize, text));
        if let Some(index) = index {
            self.edit_value(index, it.value.as_ref(), member);
        }
    }

    /// Turns the decorators of a member into the name of a static method. Returns the number of the member.
    fn lower_member_decorators(
        &mut self,
        decorators: &[Decorator<'a>],
        kind: &str,
        member: Member<'_, 'a>,
    ) -> Option<usize> {
        let Member { key, is_computed, is_static, .. } = member;
        let decorated = self.lowering.decorated.as_mut()?;
        let (index, state) = (decorated.members, decorated.state.clone());
        decorated.members += 1;
        let span = key.span();
        let name = match key {
            PropertyKey::PrivateIdentifier(_) => {
                let hint = "decorate a member that is not private";
                self.object(span, "decorators of private members are not available", Some(hint));
                return None;
            }
            _ if is_computed => {
                self.edits.push(Edit::insert(span.start as usize, format!("{state}.n(")));
                self.edits.push(Edit::insert(span.end as usize, ")"));
                "void 0".to_owned()
            }
            PropertyKey::StaticIdentifier(id) => serde_json::Value::from(id.name.as_str()).to_string(),
            _ => self.source_of(span).to_owned(),
        };
        let end = format!("],\"{kind}\",{is_static},{name})](){{}}");
        self.edit_list(decorators, &format!(";static[{state}.d(["), &end);
        Some(index)
    }

    /// Turns decorators into a list of expressions.
    fn edit_list(&mut self, decorators: &[Decorator<'a>], start: &str, end: &str) {
        for (index, decorator) in decorators.iter().enumerate() {
            let at = decorator.span.start as usize;
            self.edits.push(Edit::replace(at, at + 1, if index == 0 { start.to_owned() } else { ",".to_owned() }));
            self.visit_expression(&decorator.expression);
        }
        if let Some(last) = decorators.last() {
            self.edits.push(Edit::insert(last.span.end as usize, end.to_owned()));
        }
    }

    /// Passes the value of a field to the functions that its decorators returned.
    fn edit_value(&mut self, index: usize, value: Option<&Expression<'a>>, member: Member<'_, 'a>) {
        let Member { key, is_computed, is_static, end } = member;
        let Some(Decorated { state, .. }) = &self.lowering.decorated else { return };
        let state = state.clone();
        let fresh = self.fresh();
        match value {
            Some(value) => {
                // An anonymous function takes the name of its property.
                let (before, after) = match key {
                    PropertyKey::StaticIdentifier(id) if is_anonymous(value) => {
                        let name = serde_json::Value::from(id.name.as_str());
                        (format!("({{{name}:"), format!("}})[{name}]"))
                    }
                    _ => (String::new(), String::new()),
                };
                let span = value.span();
                self.edits.push(Edit::insert(span.start as usize, format!("{state}.v({index},this,{before}")));
                self.edits.push(Edit::insert(span.end as usize, format!("{after})")));
            }
            None => {
                let key_end = key.span().end;
                let at = if is_computed { self.next_token(key_end) + 1 } else { key_end as usize };
                self.edits.push(Edit::insert(at, format!("={state}.v({index},this,void 0)")));
            }
        }
        let prefix = if is_static { "static " } else { "" };
        self.lowering.class_count += 1;
        let number = self.lowering.class_count;
        self.edits.push(Edit::insert(end as usize, format!(";{prefix}#{fresh}p{number}={state}.p({index},this);")));
    }

    /// Returns the offset behind the word `class`.
    pub(in super::super) fn end_of_class_keyword(&self, it: &Class<'a>) -> u32 {
        let mut offset = it.decorators.last().map_or(it.span.start, |last| last.span.end.max(it.span.start));
        loop {
            let start = self.next_token(offset);
            let word = trivia::word(self.text, start);
            offset = count(start + word.len());
            if word == "class" || word.is_empty() {
                return offset;
            }
        }
    }
}

/// Checks whether a member that exists at run time has decorators.
fn has_decorators(element: &ClassElement<'_>) -> bool {
    match element {
        ClassElement::MethodDefinition(method) => !method.decorators.is_empty(),
        ClassElement::PropertyDefinition(property) => {
            !property.decorators.is_empty() && property.r#type == PropertyDefinitionType::PropertyDefinition
        }
        ClassElement::AccessorProperty(accessor) => !accessor.decorators.is_empty(),
        ClassElement::StaticBlock(_) | ClassElement::TSIndexSignature(_) => false,
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
