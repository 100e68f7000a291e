//! Tools: how they are described, checked, found and called.

pub(crate) mod amounting;
pub(crate) mod call;
pub(crate) mod catalogue;
pub(crate) mod checks;
pub mod connector;
pub(crate) mod declarations;
pub(crate) mod defaults;
pub(crate) mod definition;
pub mod experience;
pub(crate) mod hints;
pub(crate) mod progress;
pub(crate) mod revert;
mod reverted;
pub(crate) mod schema;
pub mod search;
pub(crate) mod stand_in;
pub mod standalone;
pub(crate) mod tool;
pub(crate) mod tool_error;
pub(crate) mod tool_path;
#[cfg(feature = "schemars")]
mod typed;
pub(crate) mod validation;
pub(crate) mod work;
