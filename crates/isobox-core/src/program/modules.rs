//! The modules of the host, linked once and kept.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Fault, FaultPlace, Interface, LinkedModule, Module, Prepared, PreparedFile, Program, Task};
use crate::report::presentation::CHARACTERS_PER_TOKEN;
use crate::text::brief;
use crate::{Code, Driver, Failure};

/// The modules that programs of a host may import. Programs that import none pay nothing for them.
#[derive(Debug, Clone, Default)]
pub struct Modules {
    linked: BTreeMap<String, LinkedModule>,
    interfaces: Vec<Interface>,
}

impl Modules {
    /// The maximum number of modules.
    pub const MAXIMUM: usize = 256;
    /// The maximum size of the sources of all modules, in bytes.
    pub const MAXIMUM_SOURCE: usize = 4 << 20;

    /// Prepares the modules of a host.
    ///
    /// # Errors
    ///
    /// `CONFIG`, with the module and the line, if a module does not parse, imports a module that does not exist, or is part of a circle,
    /// if two modules have the same specifier, or if there are too many.
    pub async fn link(driver: &dyn Driver, modules: &[Module]) -> Result<Self, Failure> {
        if modules.is_empty() {
            return Ok(Self::default());
        }
        let wrong = |message: String| Err(Failure::new(Code::Config, message));
        let mut specifiers = BTreeSet::new();
        if let Some(twice) = modules.iter().find(|module| !specifiers.insert(module.specifier())) {
            return wrong(format!("the module `{}` is there twice", twice.specifier()));
        }
        let size: usize = modules.iter().map(Module::size).sum();
        if modules.len() > Self::MAXIMUM || size > Self::MAXIMUM_SOURCE {
            let (most, largest) = (Self::MAXIMUM, Self::MAXIMUM_SOURCE);
            return wrong(format!(
                "{} modules of {size} bytes are too many: at most {most} of {largest} bytes",
                modules.len()
            ));
        }
        let linked = match driver.prepare(Task::Link(Cow::Borrowed(modules))).await? {
            Answer::Linked(linked) => linked,
            Answer::Fault(fault) => return Err(refused(fault)),
            Answer::Prepared(_) | Answer::Masked(_) => {
                return Err(Failure::new(Code::Internal, "the driver has not linked the modules"));
            }
        };
        let interfaces = linked.iter().map(|module| module.interface.clone()).collect();
        let linked = linked.into_iter().map(|module| (module.interface.specifier.clone(), module)).collect();
        Ok(Self { linked, interfaces })
    }

    /// Returns what the modules export.
    pub(crate) fn interfaces(&self) -> &[Interface] {
        &self.interfaces
    }

    /// Checks whether there are no modules.
    pub fn is_empty(&self) -> bool {
        self.linked.is_empty()
    }

    /// Adds the modules to a program that its files import, directly or indirectly.
    pub(crate) fn add_to(&self, program: &mut Prepared) {
        if self.is_empty() {
            return;
        }
        let mut known: BTreeSet<String> = program.files.iter().map(|file| file.path.clone()).collect();
        let mut index = 0;
        while let Some(file) = program.files.get(index) {
            let wanted = |path: &&str| !known.contains(*path);
            let imported: Vec<&str> = file.imports.iter().map(|import| import.path.as_str()).filter(wanted).collect();
            let found: Vec<PreparedFile> =
                imported.iter().filter_map(|path| Some(self.linked.get(*path)?.file.clone())).collect();
            for file in found {
                if known.insert(file.path.clone()) {
                    program.files.push(file);
                }
            }
            index += 1;
        }
    }

    /// Returns the modules in about this many tokens, for models: their declarations, or the names of their exports, or as many of
    /// the latter as fit.
    pub fn described(&self, tokens: usize) -> String {
        let budget = tokens.saturating_mul(CHARACTERS_PER_TOKEN);
        let whole = self.declarations();
        if whole.len() <= budget {
            return whole;
        }
        let mut text = String::new();
        for (index, (specifier, module)) in self.linked.iter().enumerate() {
            let line = format!("// {specifier}: {}\n", brief(&module.interface.exports.join(", "), 200));
            let more = format!("// … and {} more modules\n", self.linked.len() - index);
            if text.len() + line.len() + more.len() > budget {
                text.push_str(&more);
                break;
            }
            text.push_str(&line);
        }
        text
    }

    /// Returns the declarations of all modules, for models.
    pub fn declarations(&self) -> String {
        let mut text = String::new();
        for (specifier, module) in &self.linked {
            let quoted = serde_json::Value::from(specifier.as_str());
            text.push_str(&format!("declare module {quoted} {{\n"));
            for line in module.types.lines() {
                text.push_str(&format!("  {line}\n"));
            }
            text.push_str("}\n");
        }
        text
    }
}

/// Returns the failure of a module that cannot be linked.
fn refused(fault: Fault) -> Failure {
    let Fault { message, place, hint, .. } = fault;
    let mut failure = match place {
        Some(FaultPlace { file, line, column, source }) => {
            Failure::new(Code::Config, format!("the module `{file}` cannot be linked: {message}"))
                .at(line, column)
                .detail("file", file)
                .detail("source", source)
        }
        None => Failure::new(Code::Config, format!("the modules cannot be linked: {message}")),
    };
    failure.hint = hint;
    failure
}

/// Returns the program with its modules as files, so that mistakes in them have a place.
pub(crate) fn with_modules(program: &Program, prepared: &Prepared) -> Program {
    let is_module = |file: &&PreparedFile| !program.files().contains_key(&file.path);
    let mut files = program.files().clone();
    files.extend(prepared.files.iter().filter(is_module).map(|file| (file.path.clone(), file.code.clone())));
    Program::new(files, program.entry()).unwrap_or_else(|_| program.clone())
}
