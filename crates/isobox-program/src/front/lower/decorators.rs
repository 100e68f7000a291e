//! Lowers decorators of classes, as ECMAScript proposes them (2023-11).
//!
//! A static block at the start of the class applies all decorators. If the class itself has decorators, they may replace it.
//! Its static fields, accessors and blocks then belong to the replacement: each becomes a method, which is removed and called
//! with the replacement. The functions that do so, [`HELPER`], are added to the line before the program.

use oxc::{
    ast::ast::{BindingIdentifier, Class, ClassElement, Decorator, PropertyDefinitionType, PropertyKey, StaticBlock},
    ast_visit::Visit,
    span::Span,
};

use super::super::{compose::Edit, erase::Eraser, text::count, trivia};
use super::naming::{ClassName, suspension};
use super::state::{ClassExport, Decorated, Statics};

/// The functions that a class with decorators needs, with comments.
const HELPER: &str = include_str!("decorators.js");

impl<'a> Eraser<'a> {
    /// Returns the functions that decorators and accessors need, in one line, if there are any.
    pub(in super::super) fn decorator_helper(&mut self) -> Option<String> {
        if !self.lowering.has_computed_accessors && !self.lowering.has_decorators {
            return None;
        }
        let fresh = self.fresh();
        let mut helper = String::new();
        if self.lowering.has_computed_accessors {
            helper.push_str(&format!("let {fresh}k;const {fresh}n=(n)=>typeof n===\"symbol\"?n:`${{n}}`;"));
        }
        if self.lowering.has_decorators {
            let lines = HELPER.lines().filter(|line| !line.starts_with("//"));
            let code: String = lines.map(str::trim_start).collect();
            helper.push_str(&code.replace("$decorate", &format!("{fresh}d")));
        }
        Some(helper)
    }

    /// Notes how a class is exported, before the class is visited.
    pub(in super::super) fn note_class_export(&mut self, statement: Span, export: ClassExport) {
        self.lowering.class_export = Some((statement, export));
    }

    /// Starts a class that has decorators. Returns the state of the enclosing class.
    pub(in super::super) fn enter_class(&mut self, class: &Class<'a>) -> Option<Decorated> {
        let export = self.lowering.class_export.take();
        let around = self.lowering.decorated.take();
        if !is_decorated(class) {
            return around;
        }
        self.lowering.has_decorators = true;
        let fresh = self.fresh();
        let state = format!("{fresh}c{}", self.number());
        let end = match &class.id {
            Some(id) if !class.is_expression() && !class.decorators.is_empty() => {
                self.start_declaration(class, id, &state, export)
            }
            Some(_) if !class.is_expression() => {
                let start = export.map_or(class.span.start, |(statement, _)| statement.start);
                self.edits.push(Edit::insert(start as usize, format!("const {state}={fresh}d([]);")));
                String::new()
            }
            _ => self.start_expression(class, &state, export),
        };
        self.start_body(class, &state);
        let statics = if class.decorators.is_empty() { Statics::InPlace } else { Statics::OfReplacement };
        self.lowering.decorated = Some(Decorated { state, members: 0, statics, end });
        around
    }

    /// Ends a class, behind all other edits of the class. Restores the state of the enclosing one.
    pub(in super::super) fn leave_class(&mut self, class: &Class<'a>, around: Option<Decorated>) {
        if let Some(Decorated { end, .. }) = std::mem::replace(&mut self.lowering.decorated, around)
            && !end.is_empty()
        {
            self.edits.push(Edit::insert(class.span.end as usize, end));
        }
    }

    /// Turns a class without a statement of its own into the call of a function, which has the state of the class as its
    /// parameter. Returns the text behind the class.
    fn start_expression(&mut self, class: &Class<'a>, state: &str, export: Option<(Span, ClassExport)>) -> String {
        if let Some(span) = suspension(class) {
            let message = "`await` and `yield` are not available in a class expression that has decorators";
            self.object(span, message, Some("compute the value before the class"));
        }
        let fresh = self.fresh();
        let name = self.name_of(class);
        // The name of a class with decorators refers to what the decorators made, also inside the class.
        let own_name = class.id.as_ref().filter(|_| !class.decorators.is_empty());
        let parameters = own_name.map_or_else(|| state.to_owned(), |id| format!("{state},{}", self.source_of(id.span)));
        let is_named = own_name.is_some() || class.id.is_none();
        let (before, after) = match &name {
            Some(name) if is_named => (format!("({{[{name}]:"), format!("}})[{name}]")),
            _ => (String::new(), String::new()),
        };
        let (exported, end) = match export {
            Some((statement, kind)) if !class.is_expression() => {
                self.blank_export(class, statement);
                (if self.exports_class(kind) { "export default " } else { ";" }, ";")
            }
            _ => ("", ""),
        };
        let start = format!("{exported}{fresh}d([");
        let define = format!("],({parameters})=>{before}");
        if class.decorators.is_empty() {
            self.edits.push(Edit::insert(class.span.start as usize, format!("{start}{define}")));
        } else {
            self.edit_list(&class.decorators, &start, &define);
        }
        if let Some(id) = own_name {
            self.blank(id.span);
        }
        format!("{after}){end}")
    }

    /// Turns the declaration of a class with decorators into a variable, because its decorators may replace the class.
    /// Returns the text behind the class.
    fn start_declaration(
        &mut self,
        class: &Class<'a>,
        id: &BindingIdentifier<'a>,
        state: &str,
        export: Option<(Span, ClassExport)>,
    ) -> String {
        let (fresh, name) = (self.fresh(), self.source_of(id.span));
        self.edit_list(&class.decorators, &format!("let {name};const {state}={fresh}d(["), "]);");
        let keyword = self.end_of_class_keyword(class) as usize - "class".len();
        self.edits.push(Edit::replace(keyword, id.span.end as usize, format!("({{{name}:class")));
        let exported = match export {
            Some((statement, kind)) if self.exports_class(kind) => {
                self.blank_export(class, statement);
                match kind {
                    ClassExport::Named => format!("export{{{name}}};"),
                    ClassExport::Default => format!("export{{{name} as default}};"),
                }
            }
            Some((statement, ClassExport::Default)) => {
                self.blank_export(class, statement);
                String::new()
            }
            // The words before a declaration are erased with the other exports.
            Some((_, ClassExport::Named)) | None => String::new(),
        };
        format!("}});{exported}")
    }

    /// Blanks the words that export a class. The decorators may be before or behind them.
    fn blank_export(&mut self, class: &Class<'a>, statement: Span) {
        let end = match class.decorators.first() {
            Some(first) if first.span.start >= statement.start => first.span.start,
            _ => class.span.start,
        };
        self.blank(Span::new(statement.start, end));
    }

    /// Applies all decorators before any code of the class runs.
    fn start_body(&mut self, class: &Class<'a>, state: &str) {
        let has_static_private = class.body.body.iter().any(|element| match element {
            ClassElement::PropertyDefinition(property) => property.r#static && is_private(&property.key),
            ClassElement::StaticBlock(_)
            | ClassElement::AccessorProperty(_)
            | ClassElement::MethodDefinition(_)
            | ClassElement::TSIndexSignature(_) => false,
        });
        let assignment = match &class.id {
            Some(id) if !class.decorators.is_empty() => format!("{}=", self.source_of(id.span)),
            _ => String::new(),
        };
        let name = self.name_of(class).unwrap_or_else(|| "\"\"".to_owned());
        let (fresh, number) = (self.fresh(), self.number());
        let text = format!(
            "#{fresh}i{number}={state}.instance(this);static{{{assignment}{state}.apply(this,{name},{has_static_private})}}"
        );
        self.edits.push(Edit::insert(class.body.span.start as usize + 1, text));
        if !class.decorators.is_empty() {
            self.edits.push(Edit::insert(class.body.span.end as usize - 1, format!(";static{{{state}.end()}}")));
        }
    }

    /// Returns the name of a class as an expression: its own, or that of what it is assigned to.
    fn name_of(&mut self, class: &Class<'a>) -> Option<String> {
        if let Some(id) = &class.id {
            return Some(quoted(id.name.as_str()));
        }
        match self.lowering.class_names.get(&class.span)? {
            ClassName::Text(name) => Some(quoted(name)),
            ClassName::Literal(span) => Some(self.source_of(*span).to_owned()),
            ClassName::Computed => {
                let message = "a class with decorators needs a name if the name of its property is computed";
                self.object(class.span, message, Some("give the class a name"));
                None
            }
        }
    }

    /// Turns a static block into a method, if the class may be replaced.
    pub(in super::super) fn lower_static_block(&mut self, it: &StaticBlock<'a>) {
        let Some(decorated) = &mut self.lowering.decorated else { return };
        if decorated.statics == Statics::InPlace {
            return;
        }
        let (state, index) = (decorated.state.clone(), decorated.members);
        decorated.members += 1;
        let brace = self.next_token(it.span.start + count("static".len()));
        self.edits.push(Edit::insert(brace, format!("[{state}.block()]()")));
        self.edits.push(Edit::insert(it.span.end as usize, format!("static{{{state}.run({index})}}")));
    }

    /// Turns decorators into a list of expressions.
    pub(super) fn edit_list(&mut self, decorators: &[Decorator<'a>], start: &str, end: &str) {
        for (index, decorator) in decorators.iter().enumerate() {
            let at = decorator.span.start as usize;
            self.edits.push(Edit::replace(at, at + 1, if index == 0 { start.to_owned() } else { ",".to_owned() }));
            self.visit_expression(&decorator.expression);
        }
        if let Some(last) = decorators.last() {
            self.edits.push(Edit::insert(last.span.end as usize, end.to_owned()));
        }
    }

    /// Returns a number that makes a fresh name unique.
    pub(super) fn number(&mut self) -> usize {
        self.lowering.class_count += 1;
        self.lowering.class_count
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

/// Checks whether a class or one of its members has decorators.
pub(in super::super) fn is_decorated(class: &Class<'_>) -> bool {
    !class.decorators.is_empty() || class.body.body.iter().any(has_decorators)
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

/// Checks whether the name of a member is private.
pub(super) fn is_private(key: &PropertyKey<'_>) -> bool {
    matches!(key, PropertyKey::PrivateIdentifier(_))
}

/// Writes a text as a string of JavaScript.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
