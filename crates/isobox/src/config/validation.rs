//! `validation`: the strictness of schema validation.

use isobox_core::{Defaults, OutputChecks, Validation};

use super::reader::{ConfigReader, Keys};
use super::syntax::Value;

pub(super) const KEYS: Keys = Keys { known: &["outputs", "defaults"], tolerated: &[], later: &[] };

const OUTPUTS: [(&str, OutputChecks); 3] =
    [("off", OutputChecks::Off), ("warn", OutputChecks::Warn), ("enforce", OutputChecks::Enforce)];

pub(super) const DEFAULTS: [(&str, Defaults); 2] = [("ignore", Defaults::Ignore), ("fill", Defaults::Fill)];

pub(super) fn read<'d>(reader: &mut ConfigReader<'_>, value: &'d Value<'d>) -> Validation {
    let Some(section) = reader.section("`validation`", value, &KEYS) else { return Validation::default() };
    Validation::default()
        .outputs(reader.choice(&section, "outputs", &OUTPUTS).unwrap_or_default())
        .defaults(reader.choice(&section, "defaults", &DEFAULTS).unwrap_or_default())
}
