//! `retention`: the retention of executions.

use isobox_core::store::Retention;

use super::reader::{ConfigReader, Keys};
use super::syntax::Value;

pub(super) const KEYS: Keys = Keys { known: &["keep", "expireAfter"], tolerated: &[], later: &[] };

pub(super) fn read<'d>(reader: &mut ConfigReader<'_>, value: &'d Value<'d>) -> Retention {
    let mut retention = Retention::default();
    let Some(section) = reader.section("`retention`", value, &KEYS) else { return retention };
    if let Some(keep) = reader.count(&section, "keep") {
        retention.keep = usize::try_from(keep).unwrap_or(usize::MAX);
    }
    let message = "`expireAfter` is 0, which leaves no time for decisions";
    if let Some(time) = reader.duration(&section, "expireAfter", message) {
        retention.expire_after = time;
    }
    retention
}
