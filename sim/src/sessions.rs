//! The promises of sessions. Every program of a session adds its result to a list among the globals, so that the list tells
//! which programs came before.

use std::collections::BTreeMap;

/// The globals of a session as the model knows them: the results of the programs that left them, in order.
pub type Results = Vec<u64>;

/// A program of a session that is over.
#[derive(Debug, Clone)]
pub struct Used {
    /// The session.
    pub session: String,
    /// What the program found in the globals.
    pub found: Results,
    /// What is known of the globals that it left.
    pub left: Left,
}

/// What is known of the globals that a program left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// It returned this result, and the session has it.
    Result(u64),
    /// It returned this result, and then was ended in another way. The session may have it.
    Perhaps(u64),
    /// It left nothing.
    Nothing,
}

/// A session at the end of a world.
#[derive(Debug, Clone)]
pub struct Final {
    /// What the next program would find.
    pub results: Results,
    /// Whether someone has tried to rewind it, which may have dropped versions.
    pub may_be_rewound: bool,
}

/// Returns the violations: a program finds what another one left, or nothing; and of what a program left nothing is lost, unless
/// the session was rewound.
pub fn wrongs(used: &[Used], sessions: &BTreeMap<String, Final>) -> Vec<String> {
    let mut wrongs = Vec::new();
    // Also those of other sessions, of which a session may be a fork.
    let left: Vec<Results> = used.iter().filter_map(after).collect();
    let is_known = |results: &Results| results.is_empty() || left.contains(results);
    for one in used {
        if !is_known(&one.found) {
            wrongs.push(format!("a program of session {} found {:?}, which none has left", one.session, one.found));
        }
        let Left::Result(_) = one.left else { continue };
        let Some(Final { results, may_be_rewound: false }) = sessions.get(&one.session) else { continue };
        let after = after(one).unwrap_or_default();
        if !results.starts_with(&after) {
            wrongs.push(format!("a program of session {} left {after:?}, and it has {results:?}", one.session));
        }
    }
    for (name, Final { results, .. }) in sessions {
        if !is_known(results) {
            wrongs.push(format!("session {name} has {results:?}, which no program has left"));
        }
    }
    wrongs
}

/// Returns the globals that a program left, or may have left.
fn after(one: &Used) -> Option<Results> {
    match one.left {
        Left::Result(result) | Left::Perhaps(result) => Some([&one.found[..], &[result]].concat()),
        Left::Nothing => None,
    }
}
