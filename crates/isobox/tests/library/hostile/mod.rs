//! Stores that were altered, that are full, that are of somebody else; and people who say what makes no sense. Each time there
//! is a code, nothing runs that should not, and the journal is as good as before.

mod cut_off;
mod disk;
mod image;
mod people;
mod rows;
mod support;
