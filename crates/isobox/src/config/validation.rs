//! `validation`: how strictly values are held to schemas.

use isobox_core::{OutputChecks, Validation};

use super::reader::{Keys, Reader};
use super::syntax::Value;

const KEYS: Keys = Keys { known: &["outputs"], tolerated: &[], later: &[] };

const OUTPUTS: [(&str, OutputChecks); 3] =
    [("off", OutputChecks::Off), ("warn", OutputChecks::Warn), ("enforce", OutputChecks::Enforce)];

pub(super) fn read<'d>(reader: &mut Reader<'_>, value: &'d Value<'d>) -> Validation {
    let Some(section) = reader.section("`validation`", value, &KEYS) else { return Validation::default() };
    Validation { outputs: reader.choice(&section, "outputs", &OUTPUTS).unwrap_or_default() }
}
