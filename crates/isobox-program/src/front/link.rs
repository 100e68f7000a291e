//! Links the files of a program: checks that the imported names exist, and removes the imports of types.

use std::collections::HashSet;
use std::sync::Arc;

use oxc::syntax::identifier::is_identifier_name;

use super::Fault;
use super::{
    Import, Kind, Prepared, PreparedFile,
    compose::{Edit, Frame, compose},
    graph::{Graph, Seen, Target},
    modules::{Binding, Form, Presence, Reference, Source, Taken, blank_specifier},
    resolve::{Resolution, nearest, specifiers},
    shape,
    survey::{FileSurvey, Wanted},
    unit::{Role, Unit, broken, is_json},
};
use crate::{Interface, Preparation, Surveyed};

/// Reads the files that the entry imports, directly or indirectly, and links them.
pub(super) fn prepare(preparation: &Preparation<'_>) -> Result<Surveyed, Fault> {
    let program = &*preparation.program;
    check_paths(preparation)?;
    let wanted = Wanted { namespaces: preparation.namespaces.as_deref(), rules: &preparation.rules };
    let mut graph = Graph::read(program, &preparation.modules, wanted, Role::Entry)?;
    let entry = graph.emit(program.entry(), &graph.units[program.entry()])?;
    let mut files = vec![entry.1];
    for path in graph.order.iter().filter(|path| **path != program.entry()) {
        let unit = &graph.units[path];
        let file = match graph.emit(path, unit) {
            // A file that is only imported with `import()` fails when it is imported.
            Err(fault) if graph.late.contains(path) => graph.emit(path, &broken(unit.text, &fault))?,
            other => other?,
        };
        files.push(file.1);
    }
    let path_order = graph.order.clone();
    let has_modules = files.iter().flat_map(|file| &file.imports).any(|import| graph.is_module(&import.path));
    for (path, unit) in &mut graph.units {
        if graph.late.contains(path) {
            unit.seen.make_uncertain();
        }
    }
    let seen = path_order.iter().filter_map(|path| Some(std::mem::take(&mut graph.units.get_mut(path)?.seen)));
    let survey = Arc::new(FileSurvey::combine(seen, has_modules));
    Ok(Surveyed { program: Prepared { kind: entry.0, files }, survey })
}

/// Refuses a program with a file whose path is the name of a module of the host.
fn check_paths(preparation: &Preparation<'_>) -> Result<(), Fault> {
    let files = preparation.program.files();
    match preparation.modules.iter().find(|module| files.contains_key(&module.specifier)) {
        Some(module) => Err(Fault::config(format!(
            "the program has a file with the path `{0}`, and `{0}` is a module",
            module.specifier
        ))),
        None => Ok(()),
    }
}

impl<'program> Graph<'program> {
    fn is_module(&self, path: &str) -> bool {
        self.modules.iter().any(|module| module.specifier == path)
    }

    pub(super) fn emit(&self, path: &str, unit: &Unit<'_>) -> Result<(Kind, PreparedFile), Fault> {
        let mut edits = unit.edits.clone();
        let mut imports: Vec<Import> = Vec::new();
        let mut header = String::new();
        let mut uses_builtin = false;
        let becomes_body = !unit.shape.is_module();
        for reference in &unit.records.references {
            let kept = self.kept(unit, path, reference)?;
            let name = match &kept {
                Some((Target::File(target), _)) => {
                    if imports.iter().all(|import| import.specifier != reference.specifier) {
                        imports.push(Import { specifier: reference.specifier.clone(), path: (*target).to_owned() });
                    }
                    reference.specifier.as_str()
                }
                Some((Target::Builtin(name), _)) => {
                    uses_builtin = true;
                    name
                }
                Some((Target::Module(module), _)) => {
                    note_module(&mut imports, &module.specifier);
                    reference.specifier.as_str()
                }
                None => reference.specifier.as_str(),
            };
            let stays = kept.is_some() && !(becomes_body && !matches!(reference.form, Form::Dynamic));
            if stays {
                edit_specifier(&mut edits, reference, name);
            }
            match (kept, &reference.form) {
                (_, Form::Dynamic) => {}
                (None, _) => edits.push(Edit::statement(reference.start, reference.end)),
                (Some((_, kept)), form) if becomes_body => {
                    edits.push(Edit::statement(reference.start, reference.end));
                    declare(&mut header, name, form, &kept);
                }
                (Some((_, kept)), Form::Import(bindings) | Form::ExportNames(bindings)) => {
                    let is_kept = |binding: &&Binding| kept.iter().any(|kept| std::ptr::eq(*kept, *binding));
                    for binding in bindings.iter().filter(|binding| !is_kept(binding)) {
                        edits.push(blank_specifier(unit.text.code, binding.start, binding.end));
                    }
                }
                (Some(_), Form::ExportAll { .. }) => {}
            }
        }
        if !becomes_body {
            self.blank_exported_types(unit, path, &mut edits);
        }
        self.import_required(unit, &mut edits, &mut imports, &mut header);
        let helper = unit.helper.as_deref().unwrap_or_default();
        let (start, end) = shape::wrap(&unit.shape, unit.common_js, helper, &mut edits);
        if unit.records.imports_computed {
            self.add_computed(path, &mut imports);
        }
        let is_module = !becomes_body || !imports.is_empty() || uses_builtin;
        let frame = match (becomes_body, is_module) {
            (false, _) => Frame { header: format!("{header}{helper}"), footer: end },
            // Because of the comma, the engine does not name the function `default` in stack traces.
            (true, true) => Frame { header: format!("{header}export default(0,{start}"), footer: format!("{end})") },
            (true, false) => Frame { header: start.to_owned(), footer: end },
        };
        let composed = compose(unit.text.code, edits, &frame, unit.text.first_line);
        let file = PreparedFile {
            path: path.to_owned(),
            code: composed.code,
            first_line: composed.first_line,
            segments: composed.segments,
            imports,
        };
        Ok((if is_module { Kind::Module } else { Kind::Script }, file))
    }

    /// Returns the file that a reference resolves to and the bindings that exist at run time, or `None` if only types are
    /// imported.
    fn kept<'unit>(
        &self,
        unit: &Unit<'_>,
        path: &str,
        reference: &'unit Reference,
    ) -> Result<Option<(Target<'program>, Vec<&'unit Binding>)>, Fault> {
        if reference.presence == Presence::Type {
            return Ok(None);
        }
        let Some(target) = self.target(unit, path, reference)? else { return Ok(None) };
        if reference.is_json && !matches!(target, Target::File(file) if is_json(file)) {
            let message = format!("`{}` is no JSON file", reference.specifier);
            return Err(unit.error(reference.offset, message).hint("leave `with { … }` out"));
        }
        let bindings = match &reference.form {
            Form::Import(bindings) | Form::ExportNames(bindings) => bindings,
            Form::ExportAll { .. } | Form::Dynamic => return Ok(Some((target, Vec::new()))),
        };
        let mut kept = Vec::new();
        for binding in bindings {
            if binding.presence == Presence::Type {
                continue;
            }
            let file = match target {
                Target::File(file) => file,
                Target::Builtin(_) => {
                    kept.push(binding);
                    continue;
                }
                Target::Module(module) => {
                    check_export(unit, module, binding)?;
                    kept.push(binding);
                    continue;
                }
            };
            match self.taken(file, &binding.taken, &mut Seen::new()) {
                Some(Presence::Value) => kept.push(binding),
                Some(Presence::Type) => {}
                None => return Err(self.missing(unit, reference, file, binding)),
            }
        }
        Ok((bindings.is_empty() || !kept.is_empty()).then_some((target, kept)))
    }

    /// Creates the fault for a missing export. Follows re-exports, and points at the last one in the chain.
    fn missing(&self, unit: &Unit<'_>, reference: &Reference, target: &str, binding: &Binding) -> Fault {
        let mut place = (unit, reference, target, binding);
        let mut seen = Seen::new();
        while let Taken::Named(name) = &place.3.taken
            && seen.insert((place.2.to_owned(), name.clone()))
            && let Some(promise) = self.promise(place.2, name)
        {
            place = promise;
        }
        let (unit, reference, target, binding) = place;
        let specifier = &reference.specifier;
        let names = self.export_names(target);
        let (message, wanted) = match &binding.taken {
            Taken::Named(name) if name == "default" => {
                (format!("`{specifier}` has no default export"), binding.local.as_str())
            }
            Taken::Named(name) => (format!("`{specifier}` does not export `{name}`"), name.as_str()),
            Taken::Namespace => (format!("`{specifier}` cannot be imported"), ""),
        };
        let failure = unit.error(binding.start, message);
        match nearest(wanted, names.iter().copied()) {
            Some(name) => failure.hint(format!("did you mean `{name}`?")),
            None if names.is_empty() => failure.hint("it exports nothing"),
            None => failure.hint(format!("it exports `{}`", names.join("`, `"))),
        }
    }

    /// Finds the re-export of a name in a file.
    fn promise(&self, path: &str, name: &str) -> Option<(&Unit<'program>, &Reference, &str, &Binding)> {
        let unit = self.units.get(path)?;
        unit.records.references.iter().find_map(|reference| {
            let Form::ExportNames(names) = &reference.form else { return None };
            let binding = names.iter().find(|binding| binding.local == name)?;
            match self.resolve(path, &reference.specifier) {
                Resolution::File(target) => Some((unit, reference, target, binding)),
                Resolution::Builtin(_) | Resolution::Module(_) | Resolution::Missing | Resolution::Foreign => None,
            }
        })
    }

    /// Adds the paths that a computed `import()` in a file may have.
    fn add_computed(&self, path: &str, imports: &mut Vec<Import>) {
        let mut known: HashSet<String> = imports.iter().map(|import| import.specifier.clone()).collect();
        for target in self.units.keys().filter(|target| **target != self.program.entry()) {
            for specifier in specifiers(path, target) {
                if self.resolve(path, &specifier) == Resolution::File(target) && known.insert(specifier.clone()) {
                    imports.push(Import { specifier, path: (*target).to_owned() });
                }
            }
        }
    }

    /// Turns `require(…)` of a module of the host into an import. The module is loaded before the file that requires it.
    fn import_required(&self, unit: &Unit<'_>, edits: &mut Vec<Edit>, imports: &mut Vec<Import>, header: &mut String) {
        for (index, required) in unit.required.calls.iter().enumerate() {
            let found = self.modules.iter().find(|module| module.specifier == required.specifier);
            let Some(module) = found else { continue };
            let name = format!("{}{index}", unit.required.prefix);
            let quoted = serde_json::Value::from(module.specifier.as_str());
            header.push_str(&format!("import * as {name} from {quoted};"));
            note_module(imports, &module.specifier);
            let is_default = module.exports == ["default"] && !module.is_open;
            let value = if is_default { format!("{name}.default") } else { name };
            edits.push(Edit::replace(required.start, required.end, value));
        }
    }

    fn blank_exported_types(&self, unit: &Unit<'_>, path: &str, edits: &mut Vec<Edit>) {
        for (_, source) in &unit.records.exports {
            let Source::Local { name, presence, start, end, statement } = source else { continue };
            let is_left = *statement == Presence::Value;
            if is_left && self.local(unit, path, name, *presence, &mut Seen::new()) == Presence::Type {
                edits.push(blank_specifier(unit.text.code, *start, *end));
            }
        }
    }
}

fn note_module(imports: &mut Vec<Import>, specifier: &str) {
    if imports.iter().all(|import| import.specifier != specifier) {
        imports.push(Import { specifier: specifier.to_owned(), path: specifier.to_owned() });
    }
}

/// Checks that a module of the host exports what is imported from it.
fn check_export(unit: &Unit<'_>, module: &Interface, binding: &Binding) -> Result<(), Fault> {
    let Taken::Named(name) = &binding.taken else { return Ok(()) };
    if module.has(name) {
        return Ok(());
    }
    let Interface { specifier, exports, .. } = module;
    let (message, wanted) = match name.as_str() {
        "default" => (format!("`{specifier}` has no default export"), binding.local.as_str()),
        name => (format!("`{specifier}` does not export `{name}`"), name),
    };
    let failure = unit.error(binding.start, message);
    Err(match nearest(wanted, exports.iter().map(String::as_str)) {
        Some(name) => failure.hint(format!("did you mean `{name}`?")),
        None if exports.is_empty() => failure.hint("it exports nothing"),
        None => failure.hint(format!("it exports `{}`", exports.join("`, `"))),
    })
}

/// Gives a module of the guest its full name, and erases import attributes, which the engine does not know.
fn edit_specifier(edits: &mut Vec<Edit>, reference: &Reference, name: &str) {
    if name != reference.specifier {
        edits.push(Edit::replace(reference.offset, reference.specifier_end, format!("\"{name}\"")));
    }
    if let Some(end) = reference.attributes_end {
        edits.push(Edit::blank(reference.specifier_end, end));
    }
}

/// Appends import declarations to the header, on the same line.
fn declare(header: &mut String, specifier: &str, form: &Form, kept: &[&Binding]) {
    let quoted = serde_json::Value::from(specifier).to_string();
    let mut clauses: Vec<String> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    if let Form::Import(_) = form {
        for binding in kept {
            match &binding.taken {
                Taken::Namespace => clauses.push(format!("* as {}", binding.local)),
                Taken::Named(name) if name == &binding.local => names.push(name.clone()),
                Taken::Named(name) if is_identifier_name(name) => names.push(format!("{name} as {}", binding.local)),
                Taken::Named(name) => {
                    names.push(format!("{} as {}", serde_json::Value::from(name.as_str()), binding.local));
                }
            }
        }
    }
    if clauses.is_empty() && names.is_empty() {
        header.push_str(&format!("import {quoted};"));
        return;
    }
    if !names.is_empty() {
        header.push_str(&format!("import {{{}}} from {quoted};", names.join(",")));
    }
    for clause in clauses {
        header.push_str(&format!("import {clause} from {quoted};"));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn imports_of_erased_exports_are_erased() {
        for (declaration, import) in [
            ("export default interface A {}", "import A from './a';"),
            ("export namespace A { export interface B {} }", "import { A } from './a';"),
            ("export declare enum A { B }", "import { A } from './a';"),
        ] {
            let main = format!("{import}\nexport default 1");
            let files = [("main.ts", main.as_str()), ("a.ts", declaration)];
            let files = files.map(|(path, source)| (path.to_owned(), source.to_owned())).into();
            let prepared = crate::prepare(&crate::Program::new(files, "main.ts").unwrap()).unwrap();
            let erased = format!(";{}\nexport default 1", " ".repeat(import.len() - 1));
            assert_eq!(prepared.files[0].code, erased, "{declaration}");
        }
    }
}
