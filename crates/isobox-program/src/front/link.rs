//! Links the files of a program: resolves imports, checks that the imported names exist, and removes the imports of types.

use std::collections::{BTreeMap, HashSet, VecDeque};

use oxc::syntax::identifier::is_identifier_name;

use super::Fault;
use super::{
    Import, Kind, Prepared, PreparedFile, Program,
    compose::{Edit, Frame, compose},
    fence,
    modules::{Binding, Form, ONLY_OWN_FILES, Presence, Reference, Source, Taken, blank_specifier},
    resolve::{Resolution, nearest, resolve},
    shape,
    unit::{Role, Unit, read},
};

/// Reads the files that the entry imports, directly or indirectly, and links them.
pub(super) fn prepare(program: &Program) -> Result<Prepared, Fault> {
    let mut graph = Graph { units: BTreeMap::new(), order: Vec::new(), program };
    graph.read_all()?;
    let entry = graph.emit(program.entry())?;
    let mut files = vec![entry.1];
    for path in &graph.order {
        if *path != program.entry() {
            files.push(graph.emit(path)?.1);
        }
    }
    Ok(Prepared { kind: entry.0, files })
}

/// Pairs of path and name already looked up, so that files that re-export each other do not cause an endless loop.
type Seen = HashSet<(String, String)>;

struct Graph<'program> {
    program: &'program Program,
    units: BTreeMap<&'program str, Unit<'program>>,
    /// The paths of the files, in the order in which they were first imported.
    order: Vec<&'program str>,
}

impl<'program> Graph<'program> {
    fn read_all(&mut self) -> Result<(), Fault> {
        let mut queue = VecDeque::from([(self.program.entry(), Role::Entry)]);
        while let Some((path, role)) = queue.pop_front() {
            let role = match self.units.get(path) {
                // The entry was read as the body of a function, and another file imports it.
                Some(unit) if !unit.shape.is_module() => Role::ImportedEntry,
                Some(_) => continue,
                None => role,
            };
            if role != Role::ImportedEntry {
                self.order.push(path);
            }
            let Some((path, source)) = self.program.files().get_key_value(path) else { continue };
            let unit = read(fence::locate(path, source)?, role)?;
            for reference in &unit.records.references {
                if reference.presence == Presence::Value
                    && let Some(target) = self.target(&unit, path, reference)?
                {
                    queue.push_back((target, Role::Imported));
                }
            }
            self.units.insert(path, unit);
        }
        Ok(())
    }

    /// Resolves a reference. Returns `None` if the file does not exist but only types are imported from it.
    fn target(&self, unit: &Unit<'_>, path: &str, reference: &Reference) -> Result<Option<&'program str>, Fault> {
        let specifier = &reference.specifier;
        match resolve(self.program.files(), path, specifier) {
            Resolution::File(target) => Ok(Some(target)),
            Resolution::Missing | Resolution::Foreign if takes_types_only(reference) => Ok(None),
            Resolution::Missing if self.program.files().len() > 1 => {
                let failure = unit.error(reference.offset, format!("there is no file `{specifier}` in the program"));
                Err(match nearest(specifier, self.program.files().keys().map(String::as_str)) {
                    Some(name) => failure.hint(format!("did you mean `{name}`? {ONLY_OWN_FILES}")),
                    None => failure.hint(ONLY_OWN_FILES),
                })
            }
            Resolution::Missing | Resolution::Foreign => {
                Err(unit.error(reference.offset, format!("`{specifier}` cannot be imported")).hint(ONLY_OWN_FILES))
            }
        }
    }

    /// Looks up a name among the exports of a file.
    fn exported(&self, path: &str, name: &str, seen: &mut Seen) -> Option<Presence> {
        let unit = self.units.get(path)?;
        if !seen.insert((path.to_owned(), name.to_owned())) {
            return None;
        }
        let mut found = None;
        for (exported, source) in &unit.records.exports {
            if exported != name {
                continue;
            }
            let presence = match source {
                Source::Declared(presence) => *presence,
                Source::Local { name, presence, .. } => self.local(unit, path, name, *presence, seen),
            };
            if presence == Presence::Value {
                return Some(presence);
            }
            found = Some(presence);
        }
        for reference in &unit.records.references {
            let Resolution::File(target) = resolve(self.program.files(), path, &reference.specifier) else {
                continue;
            };
            let through = match &reference.form {
                Form::ExportNames(names) => names.iter().find(|binding| binding.local == name).and_then(|binding| {
                    self.taken(target, &binding.taken, seen).map(|presence| weaker(presence, binding.presence))
                }),
                Form::ExportAll { alias: Some(alias) } => (alias == name).then_some(Presence::Value),
                Form::ExportAll { alias: None } if name != "default" => self.exported(target, name, seen),
                Form::ExportAll { .. } | Form::Import(_) | Form::Dynamic => None,
            };
            match through.map(|presence| weaker(presence, reference.presence)) {
                Some(Presence::Value) => return Some(Presence::Value),
                Some(Presence::Type) => found = Some(Presence::Type),
                None => {}
            }
        }
        found
    }

    fn taken(&self, target: &str, taken: &Taken, seen: &mut Seen) -> Option<Presence> {
        match taken {
            Taken::Namespace => Some(Presence::Value),
            // A file is not read if only types are imported from it.
            Taken::Named(_) if !self.units.contains_key(target) => Some(Presence::Type),
            Taken::Named(name) => self.exported(target, name, seen),
        }
    }

    /// Determines whether a name that a file declares or imports is a value or a type.
    fn local(&self, unit: &Unit<'_>, path: &str, name: &str, presence: Presence, seen: &mut Seen) -> Presence {
        if presence == Presence::Type || unit.records.types.contains(name) {
            return Presence::Type;
        }
        for reference in &unit.records.references {
            let Form::Import(bindings) = &reference.form else { continue };
            let Some(binding) = bindings.iter().find(|binding| binding.local == name) else { continue };
            let presence = weaker(reference.presence, binding.presence);
            let Resolution::File(target) = resolve(self.program.files(), path, &reference.specifier) else {
                return presence;
            };
            return self.taken(target, &binding.taken, seen).map_or(presence, |found| weaker(found, presence));
        }
        Presence::Value
    }

    /// Returns the names of the values that a file exports, without those of `export *`.
    fn export_names(&self, path: &str) -> Vec<&str> {
        let Some(unit) = self.units.get(path) else { return Vec::new() };
        let own = unit.records.exports.iter().map(|(name, _)| name.as_str());
        let through = unit.records.references.iter().flat_map(|reference| match &reference.form {
            Form::ExportNames(names) => names.iter().map(|binding| binding.local.as_str()).collect(),
            Form::ExportAll { .. } | Form::Import(_) | Form::Dynamic => Vec::new(),
        });
        let is_value = |name: &&str| self.exported(path, name, &mut Seen::new()) == Some(Presence::Value);
        let mut names: Vec<&str> = own.chain(through).filter(is_value).collect();
        // Every overload of a function is recorded.
        names.dedup();
        names
    }

    fn emit(&self, path: &str) -> Result<(Kind, PreparedFile), Fault> {
        let unit = &self.units[path];
        let mut edits = unit.edits.clone();
        let mut imports: Vec<Import> = Vec::new();
        let mut header = String::new();
        let becomes_body = !unit.shape.is_module();
        for reference in &unit.records.references {
            let kept = self.kept(unit, path, reference)?;
            if let Some((target, _)) = &kept
                && imports.iter().all(|import| import.specifier != reference.specifier)
            {
                imports.push(Import { specifier: reference.specifier.clone(), path: (*target).to_owned() });
            }
            match (kept, &reference.form) {
                (_, Form::Dynamic) => {}
                (None, _) => edits.push(Edit::statement(reference.start, reference.end)),
                (Some((_, kept)), form) if becomes_body => {
                    edits.push(Edit::statement(reference.start, reference.end));
                    declare(&mut header, &reference.specifier, form, &kept);
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
        let (start, end) = shape::wrap(&unit.shape, &mut edits);
        let is_module = !becomes_body || !imports.is_empty();
        let frame = match (becomes_body, is_module) {
            (false, _) => Frame { header: String::new(), footer: end },
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
    ) -> Result<Option<(&'program str, Vec<&'unit Binding>)>, Fault> {
        if reference.presence == Presence::Type {
            return Ok(None);
        }
        let Some(target) = self.target(unit, path, reference)? else { return Ok(None) };
        let bindings = match &reference.form {
            Form::Import(bindings) | Form::ExportNames(bindings) => bindings,
            Form::ExportAll { .. } | Form::Dynamic => return Ok(Some((target, Vec::new()))),
        };
        let mut kept = Vec::new();
        for binding in bindings {
            if binding.presence == Presence::Type {
                continue;
            }
            match self.taken(target, &binding.taken, &mut Seen::new()) {
                Some(Presence::Value) => kept.push(binding),
                Some(Presence::Type) => {}
                None => return Err(self.missing(unit, reference, target, binding)),
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
            match resolve(self.program.files(), path, &reference.specifier) {
                Resolution::File(target) => Some((unit, reference, target, binding)),
                Resolution::Missing | Resolution::Foreign => None,
            }
        })
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

fn weaker(left: Presence, right: Presence) -> Presence {
    if left == Presence::Type { left } else { right }
}

fn takes_types_only(reference: &Reference) -> bool {
    match &reference.form {
        Form::Import(bindings) | Form::ExportNames(bindings) => {
            !bindings.is_empty() && bindings.iter().all(|binding| binding.presence == Presence::Type)
        }
        Form::ExportAll { .. } | Form::Dynamic => false,
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
    use super::*;

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
            let prepared = prepare(&Program::new(files, "main.ts").unwrap()).unwrap();
            let erased = format!(";{}\nexport default 1", " ".repeat(import.len() - 1));
            assert_eq!(prepared.files[0].code, erased, "{declaration}");
        }
    }
}
