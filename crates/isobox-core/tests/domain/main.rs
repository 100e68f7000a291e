//! The promises of the domain. One test program, because each further one would link everything again.

mod declaration_bounds;
mod declaration_properties;
mod declarations;
mod defaults_properties;
mod fuzz_bodies;
mod harmless_properties;
mod preparing;
mod presentation_properties;
mod program;
mod program_nesting;
mod program_properties;
mod search;
mod search_meaning;
mod search_properties;
mod stack_properties;
mod texts;
#[cfg(feature = "schemars")]
mod typed;
