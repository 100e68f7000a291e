//! Altered, full and foreign stores, and invalid decisions. Each case has a code, runs nothing that it should not, and
//! leaves the journal intact.

mod cut_off;
mod disk;
mod image;
mod people;
mod rows;
mod support;

pub(crate) use support::Database;
