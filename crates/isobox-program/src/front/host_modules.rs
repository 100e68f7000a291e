//! Prepares the modules of the host: each by itself, with what the others export.

use std::collections::{BTreeMap, HashSet};

use super::Fault;
use super::{
    Program, fence,
    graph::Graph,
    modules::{Form, Presence, Records, Source, Taken},
    survey::Wanted,
    text::Text,
    types,
    unit::{Role, Unit, read},
};
use crate::{Interface, LinkedModule, Module, ModuleSource, PreparedFile, Rules};

/// Prepares modules, in their order.
pub(super) fn link(modules: &[Module]) -> Result<Vec<LinkedModule>, Fault> {
    let rules = Rules::default();
    let nothing = Wanted { namespaces: None, rules: &rules };
    let units = modules.iter().map(|module| unit_of(module, nothing)).collect::<Result<Vec<_>, _>>()?;
    let mut interfaces: Vec<Interface> =
        modules.iter().zip(&units).map(|(module, unit)| interface(module, unit.as_ref())).collect();
    pass_on(&mut interfaces, &units);
    refuse_circles(modules, &units)?;
    let mut linked = Vec::new();
    for (module, interface) in modules.iter().zip(&interfaces) {
        let specifier = module.specifier().to_owned();
        let (file, derived) = match module.source() {
            ModuleSource::Json(value) => (json_file(&specifier, value, interface), types::of_json(value)),
            ModuleSource::Code(source) => {
                let files = BTreeMap::from([(specifier.clone(), source.clone())]);
                let program = Program::new(files, specifier)?;
                let others: Vec<Interface> =
                    interfaces.iter().filter(|other| other.specifier != program.entry()).cloned().collect();
                let graph = Graph::read(&program, &others, nothing, Role::Imported)?;
                let (_, file) = graph.emit(program.entry(), &graph.units[program.entry()])?;
                (file, types::of_source(&located(module.specifier(), source)?))
            }
        };
        let types = module.declarations().map_or(derived, str::to_owned);
        linked.push(LinkedModule { file, interface: interface.clone(), types });
    }
    Ok(linked)
}

/// Reads the source of a module. A value has none.
fn unit_of<'m>(module: &'m Module, nothing: Wanted<'_>) -> Result<Option<Unit<'m>>, Fault> {
    match module.source() {
        ModuleSource::Code(source) => read(located(module.specifier(), source)?, Role::Imported, nothing).map(Some),
        ModuleSource::Json(_) => Ok(None),
    }
}

fn located<'m>(specifier: &'m str, source: &'m str) -> Result<Text<'m>, Fault> {
    fence::locate(specifier, source)
}

fn interface(module: &Module, unit: Option<&Unit<'_>>) -> Interface {
    let mut exports = Vec::new();
    match (module.source(), unit) {
        (ModuleSource::Json(value), _) => {
            exports.push("default".to_owned());
            let keys = value.as_object().into_iter().flat_map(|entries| entries.keys());
            exports.extend(keys.filter(|key| types::is_plain_name(key)).cloned());
        }
        (ModuleSource::Code(_), Some(unit)) => collect_exports(&unit.records, &mut exports),
        (ModuleSource::Code(_), None) => {}
    }
    exports.dedup();
    Interface { specifier: module.specifier().to_owned(), exports, is_open: false }
}

/// Adds the exports of others that modules pass on with `export *`. What a module of Node exports is known only when it runs.
fn pass_on(interfaces: &mut [Interface], units: &[Option<Unit<'_>>]) {
    let sources: Vec<Vec<&str>> = units.iter().map(|unit| unit.as_ref().map_or_else(Vec::new, passed_on)).collect();
    if sources.iter().all(Vec::is_empty) {
        return;
    }
    let own = interfaces.to_vec();
    for (start, interface) in interfaces.iter_mut().enumerate() {
        let mut names: HashSet<&str> = own[start].exports.iter().map(String::as_str).collect();
        let (mut seen, mut left) = (HashSet::from([start]), vec![start]);
        while let Some(at) = left.pop() {
            for specifier in &sources[at] {
                let Some(next) = own.iter().position(|other| other.specifier == *specifier) else {
                    interface.is_open = true;
                    continue;
                };
                if !seen.insert(next) {
                    continue;
                }
                left.push(next);
                let others = own[next].exports.iter().filter(|name| *name != "default");
                interface.exports.extend(others.filter(|name| names.insert(name.as_str())).cloned());
            }
        }
    }
}

/// Returns the specifiers of the modules all of whose exports a file exports too.
fn passed_on<'u>(unit: &'u Unit<'_>) -> Vec<&'u str> {
    let references = unit.records.references.iter().filter(|reference| reference.presence == Presence::Value);
    let all = references.filter(|reference| matches!(reference.form, Form::ExportAll { alias: None }));
    all.map(|reference| reference.specifier.as_str()).collect()
}

/// Collects the values that a file names in its exports.
fn collect_exports(records: &Records, exports: &mut Vec<String>) {
    for (name, source) in &records.exports {
        let is_value = match source {
            Source::Declared(presence) => *presence == Presence::Value,
            Source::Local { name, presence, .. } => *presence == Presence::Value && !records.types.contains(name),
        };
        if is_value && !exports.contains(name) {
            exports.push(name.clone());
        }
    }
    for reference in records.references.iter().filter(|reference| reference.presence == Presence::Value) {
        match &reference.form {
            Form::ExportNames(names) => {
                let values = names.iter().filter(|binding| binding.presence == Presence::Value);
                let values = values.filter(|binding| matches!(binding.taken, Taken::Named(_) | Taken::Namespace));
                exports.extend(values.map(|binding| binding.local.clone()));
            }
            Form::ExportAll { alias: Some(alias) } => exports.push(alias.clone()),
            Form::ExportAll { alias: None } | Form::Import(_) | Form::Dynamic => {}
        }
    }
}

/// Refuses modules that import each other in a circle, because none of them could be loaded first.
fn refuse_circles(modules: &[Module], units: &[Option<Unit<'_>>]) -> Result<(), Fault> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let index_of = |specifier: &str| modules.iter().position(|module| module.specifier() == specifier);
    let imports: Vec<Vec<(usize, usize)>> = units
        .iter()
        .map(|unit| {
            let references = unit.iter().flat_map(|unit| &unit.records.references);
            let early = references.filter(|it| it.presence == Presence::Value && !matches!(it.form, Form::Dynamic));
            let required = unit.iter().flat_map(|unit| &unit.required.calls);
            let places = early.map(|it| (it.specifier.as_str(), it.offset));
            let places = places.chain(required.map(|it| (it.specifier.as_str(), it.start)));
            places.filter_map(|(specifier, offset)| Some((index_of(specifier)?, offset))).collect()
        })
        .collect();
    let mut states = vec![State::New; modules.len()];
    for start in 0..modules.len() {
        // The way from the start, each with the number of its imports that were followed.
        let mut way: Vec<(usize, usize)> = if states[start] == State::New { vec![(start, 0)] } else { Vec::new() };
        while let Some((at, followed)) = way.last_mut() {
            let at = *at;
            states[at] = State::Open;
            let Some((next, offset)) = imports[at].get(*followed).copied() else {
                states[at] = State::Done;
                way.pop();
                continue;
            };
            *followed += 1;
            match states[next] {
                State::New => way.push((next, 0)),
                State::Done => {}
                State::Open => {
                    let from = way.iter().position(|(index, _)| *index == next).unwrap_or_default();
                    let circle = way[from..].iter().map(|(index, _)| *index).chain([next]);
                    let names: Vec<&str> = circle.map(|index| modules[index].specifier()).collect();
                    let message = format!("modules import each other in a circle: {}", names.join(" → "));
                    return Err(match &units[at] {
                        Some(unit) => unit.error(offset, message),
                        None => Fault::config(message),
                    });
                }
            }
        }
    }
    Ok(())
}

/// Returns the code of a module that is a value. The value is parsed at run time, because `__proto__` is an ordinary key of
/// JSON.
fn json_file(specifier: &str, value: &serde_json::Value, interface: &Interface) -> PreparedFile {
    let text = serde_json::Value::from(value.to_string());
    let names = interface.exports.iter().filter(|name| *name != "default");
    let named: String = names.map(|name| format!("export const {name}=$.{name};")).collect();
    let code = format!("const $=JSON.parse({text});export default $;{named}");
    PreparedFile { path: specifier.to_owned(), code, first_line: 1, segments: Vec::new(), imports: Vec::new() }
}
