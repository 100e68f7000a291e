//! What the library promises to those who use it. One program: every further one would be linked with everything again.

mod answer;
mod approved;
mod catalogue;
mod collect;
mod configuration;
mod durable;
mod elsewhere;
mod ending;
mod eviction;
mod hostile;
mod left_behind;
mod limits;
mod names;
mod observer;
mod outage;
mod outcome;
mod progress;
mod runtime;
mod shown;
mod told;
mod troubled;
mod validation;
mod workspace;
