//! Lowers enums: each becomes a function that fills an object, member by member.

use std::collections::HashSet;

use oxc::{
    ast::ast::{Expression, TSEnumDeclaration, TSEnumMember, TSEnumMemberName},
    ast_visit::Visit,
    span::GetSpan,
};

use super::super::{compose::Edit, erase::Eraser};
use super::state::{Exported, Home};
use super::{can_be_declared, references};

impl<'a> Eraser<'a> {
    /// Turns an enum into a function that is called with the object of the enum.
    pub(in super::super) fn lower_enum(&mut self, it: &TSEnumDeclaration<'a>, home: Home) {
        let object = self.fresh();
        let key = self.key(&it.id.name, home);
        let body = it.body.span;
        // The suffixes: `v` is the previous value, `k` adds a member, `n` computes the next value.
        let mut head = self.declare(&it.id);
        head.push_str(&format!(
            "(({object})=>{{let {object}v=-1,\
             {object}k=(k,v)=>({object}v=v,{object}[k]=v,typeof v==\"string\"||({object}[v]=k),v),\
             {object}n=()=>{{if(typeof {object}v!=\"number\")throw new TypeError(\
             \"an enum member needs a value if the one before it is not a number\");return {object}v+1}};"
        ));
        let names: HashSet<&'a str> = it.body.members.iter().filter_map(name_of).collect();
        if let Some(earlier) = self.lowering.parts.get(&key) {
            let values = it.body.members.iter().filter_map(|member| member.initializer.as_ref());
            let mut used: Vec<&str> = references::of_expressions(values).into_keys().collect();
            used.retain(|name| earlier.contains_key(name) && !names.contains(name));
            used.sort_unstable();
            if !used.is_empty() {
                head.push_str(&format!("const {{{}}}={object};", used.join(",")));
            }
        }
        self.edits.push(Edit::replace(it.span.start as usize, body.start as usize + 1, head));
        let mut before = None;
        for member in &it.body.members {
            self.lower_member(member, before, &object);
            before = Some(member);
        }
        let close = self.close(&it.id, home);
        self.edits.push(Edit::replace(body.end as usize - 1, body.end as usize, close));
        let parts = self.lowering.parts.entry(key).or_default();
        parts.extend(names.into_iter().map(|name| (name, Exported::Constant)));
    }

    /// Turns a member into the declaration of a constant, so that later members can refer to it.
    fn lower_member(&mut self, member: &TSEnumMember<'a>, before: Option<&TSEnumMember<'a>>, object: &str) {
        let key = match &member.id {
            TSEnumMemberName::Identifier(id) => serde_json::Value::from(id.name.as_str()).to_string(),
            TSEnumMemberName::String(text) | TSEnumMemberName::ComputedString(text) => {
                self.source_of(text.span).to_owned()
            }
            TSEnumMemberName::ComputedTemplateString(text) => self.source_of(text.span).to_owned(),
        };
        let start = member.span.start as usize;
        let declaration = name_of(member).map_or_else(String::new, |name| format!("const {name}="));
        match &member.initializer {
            Some(value) => {
                let span = value.span();
                self.edits.push(Edit::replace(start, span.start as usize, format!("{declaration}{object}k({key},")));
                self.visit_expression(value);
                self.edits.push(Edit::insert(span.end as usize, ")"));
            }
            None => {
                if before.is_some_and(|before| before.initializer.as_ref().is_some_and(is_text)) {
                    let message = format!("the enum member {key} needs a value, because the one before it is a string");
                    self.object(member.span, message, Some("give it a value of its own"));
                }
                let text = format!("{declaration}{object}k({key},{object}n())");
                self.edits.push(Edit::replace(start, member.span.end as usize, text));
            }
        }
        let comma = self.next_token(member.span.end);
        if self.text.as_bytes().get(comma) == Some(&b',') {
            self.edits.push(Edit::replace(comma, comma + 1, ";"));
        }
    }
}

/// Returns the name by which other members can refer to a member, if there is one.
fn name_of<'a>(member: &TSEnumMember<'a>) -> Option<&'a str> {
    let name = match &member.id {
        TSEnumMemberName::Identifier(id) => id.name.as_str(),
        TSEnumMemberName::String(text) | TSEnumMemberName::ComputedString(text) if !text.lone_surrogates => {
            text.value.as_str()
        }
        TSEnumMemberName::String(_)
        | TSEnumMemberName::ComputedString(_)
        | TSEnumMemberName::ComputedTemplateString(_) => return None,
    };
    can_be_declared(name).then_some(name)
}

fn is_text(expression: &Expression<'_>) -> bool {
    matches!(expression.get_inner_expression(), Expression::StringLiteral(_) | Expression::TemplateLiteral(_))
}
