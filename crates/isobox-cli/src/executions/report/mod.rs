//! Reports about an execution, for people: what the program was, what it called and waited for, who decided, what it cost and
//! how it ended. Everything in a transcript may be hostile: the formats escape all of it.

mod facts;
mod html;
mod markdown;

pub(crate) use html::html;
pub(crate) use markdown::markdown;
