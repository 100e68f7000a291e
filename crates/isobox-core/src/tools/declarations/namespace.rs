//! The object `tools`: nested namespaces, and their tools.

use std::collections::BTreeMap;

use super::print::new_line;

/// The declaration of one tool, without its name.
pub(super) struct Method {
    /// The lines of its comment.
    pub(super) comment: Vec<String>,
    pub(super) form: Form,
}

/// The declaration form of a tool.
pub(super) enum Form {
    /// Parameters and result, as after the name of a method. Its lines are indented as in a top-level namespace.
    Generated(String),
    /// A type that the host wrote.
    Written(String),
}

/// A tool or namespace at a path, with everything below it.
#[derive(Default)]
pub(super) struct Namespace<'path> {
    method: Option<Method>,
    members: BTreeMap<&'path str, Namespace<'path>>,
}

impl<'path> Namespace<'path> {
    /// Adds a tool. Returns false if the path is taken.
    pub(super) fn insert(&mut self, path: &'path str, method: Method) -> bool {
        let mut place = self;
        for segment in path.split('.') {
            place = place.members.entry(segment).or_default();
        }
        let is_free = place.method.is_none();
        if is_free {
            place.method = Some(method);
        }
        is_free
    }

    /// Returns the declaration of the namespace.
    pub(super) fn declare(&self) -> String {
        let mut out = "declare const tools: ".to_owned();
        if self.members.is_empty() {
            out.push_str("{}");
        } else {
            self.print_body(&mut out, 0);
        }
        out.push_str(";\n");
        out
    }

    /// Prints the braces and the members. A namespace with a single nested namespace shares its line.
    fn print_body(&self, out: &mut String, indent: usize) {
        let mut innermost = self;
        let mut closing = "}".to_owned();
        out.push('{');
        while let Some((name, only)) = innermost.only_namespace() {
            out.push(' ');
            out.push_str(name);
            out.push_str(": {");
            closing.push_str(" }");
            innermost = only;
        }
        if let Some(method) = innermost.method.as_ref().filter(|method| !method.is_written()) {
            method.print(out, "", indent + 1);
        }
        for (name, member) in &innermost.members {
            member.print(out, name, indent + 1);
        }
        new_line(out, indent);
        out.push_str(&closing);
    }

    fn only_namespace(&self) -> Option<(&'path str, &Self)> {
        let (name, only) = self.members.first_key_value()?;
        let is_alone = self.members.len() == 1 && self.method.is_none() && only.method.is_none();
        is_alone.then_some((*name, only))
    }

    fn print(&self, out: &mut String, name: &str, indent: usize) {
        match &self.method {
            Some(method) if self.members.is_empty() => return method.print(out, name, indent),
            Some(Method { comment, form: Form::Written(text) }) => {
                print_comment(out, comment, indent);
                new_line(out, indent);
                out.push_str(&format!("{name}: ({text}) & "));
            }
            Some(_) | None => {
                new_line(out, indent);
                out.push_str(&format!("{name}: "));
            }
        }
        self.print_body(out, indent);
        out.push(';');
    }
}

impl Method {
    fn is_written(&self) -> bool {
        matches!(self.form, Form::Written(_))
    }

    fn print(&self, out: &mut String, name: &str, indent: usize) {
        print_comment(out, &self.comment, indent);
        new_line(out, indent);
        // Without quotes it would be a construct signature.
        out.push_str(if name == "new" { "\"new\"" } else { name });
        match &self.form {
            Form::Generated(text) => {
                for (index, line) in text.split('\n').enumerate() {
                    if index > 0 {
                        new_line(out, indent - 1);
                    }
                    out.push_str(line);
                }
            }
            Form::Written(text) => {
                out.push_str(": ");
                out.push_str(text);
            }
        }
        out.push(';');
    }
}

fn print_comment(out: &mut String, comment: &[String], indent: usize) {
    match comment {
        [] => {}
        [line] => {
            new_line(out, indent);
            out.push_str(&format!("/** {line} */"));
        }
        lines => {
            new_line(out, indent);
            out.push_str("/**");
            for line in lines {
                new_line(out, indent);
                out.push_str(" * ");
                out.push_str(line);
            }
            new_line(out, indent);
            out.push_str(" */");
        }
    }
}
