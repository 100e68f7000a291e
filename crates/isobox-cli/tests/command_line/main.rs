//! The command line, as people and programs use it.

mod executions;
mod files;
<<<<<<< HEAD
mod hostile;
=======
>>>>>>> files
mod run;
mod tools;
mod trust;
