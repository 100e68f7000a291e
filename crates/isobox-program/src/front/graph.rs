//! Reads the files of a program, and looks up what they export.

use std::collections::{BTreeMap, HashSet, VecDeque};

use super::Fault;
use super::{
    Program, fence,
    modules::{Form, Presence, Reference, Source, Taken},
    packages::{ONLY_OWN_FILES, advice},
    resolve::{Resolution, nearest, resolve},
    survey::Wanted,
    unit::{Role, Unit, broken, read},
};
use crate::Interface;

/// Pairs of path and name already looked up, so that files that re-export each other do not cause an endless loop.
pub(super) type Seen = HashSet<(String, String)>;

/// What a reference resolves to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target<'program> {
    /// A file of the program.
    File(&'program str),
    /// A module that the guest provides.
    Builtin(&'static str),
    /// A module that the host provides.
    Module(&'program Interface),
}

/// The maximum number of pairs of a file with a computed `import()` and a file that it may import.
const MAXIMUM_COMPUTED: usize = 4096;

/// Files to be read.
type Files<'program> = VecDeque<(&'program str, Role)>;

/// The files of a program that were read.
pub(super) struct Graph<'program> {
    pub(super) program: &'program Program,
    /// The modules that the host provides.
    pub(super) modules: &'program [Interface],
    wanted: Wanted<'program>,
    pub(super) units: BTreeMap<&'program str, Unit<'program>>,
    /// The paths of the files, in the order in which they were first imported.
    pub(super) order: Vec<&'program str>,
    /// The files that are only imported with `import()`, directly or indirectly.
    pub(super) late: HashSet<&'program str>,
}

impl<'program> Graph<'program> {
    /// Reads the entry, the files that it imports, directly or indirectly, and those that it may import with `import()`.
    pub(super) fn read(
        program: &'program Program,
        modules: &'program [Interface],
        wanted: Wanted<'program>,
        role: Role,
    ) -> Result<Self, Fault> {
        let mut graph =
            Self { program, modules, wanted, units: BTreeMap::new(), order: Vec::new(), late: HashSet::new() };
        let mut early = VecDeque::from([(program.entry(), role)]);
        let mut late = VecDeque::new();
        while let Some((path, role)) = early.pop_front() {
            graph.read_file(path, role, &mut early, &mut late)?;
        }
        let mut reads_all = false;
        loop {
            while let Some((path, role)) = late.pop_front() {
                graph.read_late(path, role, &mut late)?;
            }
            let is_computed = graph.units.values().any(|unit| unit.records.imports_computed);
            if reads_all || !is_computed {
                break;
            }
            reads_all = true;
            let others = program.files().keys().filter(|path| *path != program.entry());
            late.extend(others.map(|path| (path.as_str(), Role::Imported)));
        }
        graph.check_computed()?;
        Ok(graph)
    }

    /// Reads a file that is only imported with `import()`. A mistake in the file is thrown when it is imported.
    fn read_late(&mut self, path: &'program str, role: Role, late: &mut Files<'program>) -> Result<(), Fault> {
        let mut imported = VecDeque::new();
        let is_new = !self.units.contains_key(path);
        if is_new {
            self.late.insert(path);
        }
        match self.read_file(path, role, &mut imported, late) {
            Err(fault) if is_new => {
                let Some((path, source)) = self.program.files().get_key_value(path) else { return Ok(()) };
                self.units.insert(path, broken(fence::whole(path, source), &fault));
            }
            other => other?,
        }
        late.extend(imported);
        Ok(())
    }

    fn read_file(
        &mut self,
        path: &'program str,
        role: Role,
        early: &mut Files<'program>,
        late: &mut Files<'program>,
    ) -> Result<(), Fault> {
        let role = match self.units.get(path) {
            // The entry was read as the body of a function, and another file imports it.
            Some(unit) if !unit.shape.is_module() => Role::ImportedEntry,
            Some(_) => return Ok(()),
            None => role,
        };
        if role != Role::ImportedEntry {
            self.order.push(path);
        }
        let Some((path, source)) = self.program.files().get_key_value(path) else { return Ok(()) };
        let unit = read(fence::locate(path, source)?, role, self.wanted)?;
        for reference in &unit.records.references {
            if reference.presence == Presence::Value
                && let Some(Target::File(target)) = self.target(&unit, path, reference)?
            {
                let queue = if matches!(reference.form, Form::Dynamic) { &mut *late } else { &mut *early };
                queue.push_back((target, Role::Imported));
            }
        }
        self.units.insert(path, unit);
        Ok(())
    }

    /// Refuses a program with too many files that import computed paths.
    fn check_computed(&self) -> Result<(), Fault> {
        let importing = self.units.values().filter(|unit| unit.records.imports_computed).count();
        if importing * self.program.files().len() > MAXIMUM_COMPUTED {
            let message = format!("{importing} files have an `import()` with a computed path, which are too many");
            return Err(Fault::config(message));
        }
        Ok(())
    }

    /// Resolves a reference. Returns `None` if the file does not exist but only types are imported from it.
    pub(super) fn target(
        &self,
        unit: &Unit<'_>,
        path: &str,
        reference: &Reference,
    ) -> Result<Option<Target<'program>>, Fault> {
        let specifier = &reference.specifier;
        match self.resolve(path, specifier) {
            Resolution::File(target) => Ok(Some(Target::File(target))),
            Resolution::Builtin(name) => Ok(Some(Target::Builtin(name))),
            Resolution::Module(module) => Ok(Some(Target::Module(module))),
            Resolution::Missing | Resolution::Foreign if takes_types_only(reference) => Ok(None),
            // The promise of the `import()` rejects.
            Resolution::Missing | Resolution::Foreign if matches!(reference.form, Form::Dynamic) => Ok(None),
            Resolution::Missing if self.program.files().len() > 1 => {
                let failure = unit.error(reference.offset, format!("there is no file `{specifier}` in the program"));
                Err(match nearest(specifier, self.program.files().keys().map(String::as_str)) {
                    Some(name) => failure.hint(format!("did you mean `{name}`? {ONLY_OWN_FILES}")),
                    None => failure.hint(ONLY_OWN_FILES),
                })
            }
            Resolution::Missing | Resolution::Foreign => {
                let failure = unit.error(reference.offset, format!("`{specifier}` cannot be imported"));
                Err(failure.hint(self.what_there_is(specifier)))
            }
        }
    }

    pub(super) fn resolve(&self, path: &str, specifier: &str) -> Resolution<'program> {
        resolve(self.program.files(), self.modules, path, specifier)
    }

    /// Returns the advice about a module that does not exist: the modules of the host, and what to use instead.
    fn what_there_is(&self, specifier: &str) -> String {
        /// The maximum number of modules in the advice.
        const SHOWN: usize = 10;
        let advice = advice(specifier);
        let names = || self.modules.iter().map(|module| module.specifier.as_str());
        if self.modules.is_empty() {
            return advice.to_owned();
        }
        if let Some(name) = nearest(specifier, names()) {
            return format!("did you mean `{name}`?");
        }
        let shown: Vec<String> = names().take(SHOWN).map(|name| format!("`{name}`")).collect();
        let more = if self.modules.len() > SHOWN { " and others" } else { "" };
        let modules = format!("the modules here are {}{more}", shown.join(", "));
        if advice == ONLY_OWN_FILES { modules } else { format!("{advice}; {modules}") }
    }

    /// Looks up a name among the exports of a file.
    pub(super) fn exported(&self, path: &str, name: &str, seen: &mut Seen) -> Option<Presence> {
        let unit = self.units.get(path)?;
        if unit.is_broken {
            return Some(Presence::Value);
        }
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
            let target = match self.resolve(path, &reference.specifier) {
                Resolution::File(target) => target,
                // The names that the guest's modules export are known only to the engine.
                Resolution::Builtin(_) if passes_on(&reference.form, name) => return Some(Presence::Value),
                Resolution::Module(module) if hands_on(module, &reference.form, name) => return Some(Presence::Value),
                Resolution::Builtin(_) | Resolution::Module(_) | Resolution::Missing | Resolution::Foreign => continue,
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

    pub(super) fn taken(&self, target: &str, taken: &Taken, seen: &mut Seen) -> Option<Presence> {
        match taken {
            Taken::Namespace => Some(Presence::Value),
            // A file is not read if only types are imported from it.
            Taken::Named(_) if !self.units.contains_key(target) => Some(Presence::Type),
            Taken::Named(name) => self.exported(target, name, seen),
        }
    }

    /// Determines whether a name that a file declares or imports is a value or a type.
    pub(super) fn local(
        &self,
        unit: &Unit<'_>,
        path: &str,
        name: &str,
        presence: Presence,
        seen: &mut Seen,
    ) -> Presence {
        if presence == Presence::Type || unit.records.types.contains(name) {
            return Presence::Type;
        }
        for reference in &unit.records.references {
            let Form::Import(bindings) = &reference.form else { continue };
            let Some(binding) = bindings.iter().find(|binding| binding.local == name) else { continue };
            let presence = weaker(reference.presence, binding.presence);
            let Resolution::File(target) = self.resolve(path, &reference.specifier) else {
                return presence;
            };
            return self.taken(target, &binding.taken, seen).map_or(presence, |found| weaker(found, presence));
        }
        Presence::Value
    }

    /// Returns the names of the values that a file exports.
    pub(super) fn export_names<'graph>(&'graph self, path: &'graph str) -> Vec<&'graph str> {
        let mut names = Vec::new();
        self.collect_exports(path, &mut HashSet::new(), &mut names);
        let mut seen = HashSet::new();
        // Every overload of a function is recorded, and two files may export the same name.
        names.retain(|name| seen.insert(*name));
        names.retain(|name| self.exported(path, name, &mut Seen::new()) == Some(Presence::Value));
        names
    }

    fn collect_exports<'graph>(
        &'graph self,
        path: &'graph str,
        visited: &mut HashSet<&'graph str>,
        names: &mut Vec<&'graph str>,
    ) {
        let Some(unit) = self.units.get(path) else { return };
        if !visited.insert(path) {
            return;
        }
        names.extend(unit.records.exports.iter().map(|(name, _)| name.as_str()));
        for reference in &unit.records.references {
            match &reference.form {
                Form::ExportNames(bindings) => names.extend(bindings.iter().map(|binding| binding.local.as_str())),
                Form::ExportAll { alias: Some(alias) } => names.push(alias),
                Form::ExportAll { alias: None } => match self.resolve(path, &reference.specifier) {
                    Resolution::File(target) => self.collect_exports(target, visited, names),
                    Resolution::Module(module) => names.extend(module.exports.iter().map(String::as_str)),
                    Resolution::Builtin(_) | Resolution::Missing | Resolution::Foreign => {}
                },
                Form::Import(_) | Form::Dynamic => {}
            }
        }
    }
}

/// Checks whether a reference exports a name of another file.
fn passes_on(form: &Form, name: &str) -> bool {
    match form {
        Form::ExportNames(names) => {
            names.iter().any(|binding| binding.local == name && binding.presence == Presence::Value)
        }
        Form::ExportAll { alias: Some(alias) } => alias == name,
        Form::ExportAll { alias: None } => name != "default",
        Form::Import(_) | Form::Dynamic => false,
    }
}

/// Checks whether a re-export from a module of the host exports a name.
fn hands_on(module: &Interface, form: &Form, name: &str) -> bool {
    let is_plain = matches!(form, Form::ExportAll { alias: None });
    passes_on(form, name) && (!is_plain || module.has(name))
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
