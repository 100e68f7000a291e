//! Principals and their rights. No I/O.

use std::fmt;
use std::sync::{Arc, LazyLock};

use crate::policy::credential::{Credential, check_name};
use crate::{Code, Failure};

/// The person or service behind a run, a decision, a cancellation or a deletion.
///
/// The host vouches for the name, the roles and the rights, except where a [`Credential`] proves the name. A name alone
/// (`"ada"`) is a principal with all rights and no roles.
#[derive(Debug, Clone)]
pub struct Principal {
    caller: Arc<Caller>,
    rights: Rights,
    credential: Option<Box<Credential>>,
}

static HOST: LazyLock<Arc<Caller>> = LazyLock::new(Arc::default);

/// The part of a principal that tools can read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Caller {
    /// The name.
    pub name: String,
    /// The roles.
    pub roles: Vec<String>,
}

/// The host itself.
impl Default for Caller {
    fn default() -> Self {
        Self { name: "the host".to_owned(), roles: Vec::new() }
    }
}

/// An action that a principal may be allowed. No right includes another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Right {
    /// Run programs, and cancel executions of one's own.
    Run,
    /// Approve, deny and answer calls; reject and cancel executions.
    Decide,
    /// Delete, prune and expire executions.
    Admin,
}

/// A set of rights.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Rights(u8);

/// The treatment of decisions about an execution by the principal that runs it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OwnDecisions {
    /// Accepts decisions of every principal with the right to decide.
    #[default]
    Allow,
    /// Refuses decisions about calls of one's own execution, and its rejection. Principals are compared by name.
    /// Cancelling one's own execution is not a decision.
    Deny,
}

impl Principal {
    /// Returns the host itself: the default principal, with all rights and no roles.
    pub fn host() -> Self {
        Self { caller: Arc::clone(&HOST), rights: Rights::ALL, credential: None }
    }

    /// Tells whether this is the host itself, and not a principal with its name.
    pub fn is_host(&self) -> bool {
        Arc::ptr_eq(&self.caller, &HOST)
    }

    /// Creates a principal that the host vouches for, with all rights and no roles.
    ///
    /// A name has 1 to 100 visible characters; every act of a principal with another name is refused with `CONFIG`. A
    /// store that is bound to a credential refuses decisions of a principal that does not hold the credential.
    pub fn named(name: impl Into<String>) -> Self {
        let caller = Arc::new(Caller { name: name.into(), roles: Vec::new() });
        Self { caller, rights: Rights::ALL, credential: None }
    }

    /// Creates a principal that holds a credential, with all rights and no roles.
    pub fn holding(credential: Credential) -> Self {
        Self { credential: Some(Box::new(credential.clone())), ..Self::named(credential.name()) }
    }

    /// Replaces the roles. They decide which tools a program of this principal finds.
    #[must_use]
    pub fn with_roles(mut self, roles: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Arc::make_mut(&mut self.caller).roles = roles.into_iter().map(Into::into).collect();
        self
    }

    /// Replaces the rights.
    #[must_use]
    pub fn with_rights(mut self, rights: impl Into<Rights>) -> Self {
        self.rights = rights.into();
        self
    }

    /// Returns the name that the journal records.
    pub fn name(&self) -> &str {
        &self.caller.name
    }

    /// Returns the roles.
    pub fn roles(&self) -> &[String] {
        &self.caller.roles
    }

    /// Returns the name and the roles, as tools can read them.
    pub fn caller(&self) -> &Arc<Caller> {
        &self.caller
    }

    /// Returns the rights.
    pub fn rights(&self) -> Rights {
        self.rights
    }

    /// Tells whether the name of this principal comes from a credential, and not from the host.
    pub fn has_credential(&self) -> bool {
        self.credential.is_some()
    }

    pub(crate) fn credential(&self) -> Option<&Credential> {
        self.credential.as_deref()
    }

    /// Checks that this principal has a right.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` if the right is missing, `CONFIG` if the name is not valid.
    pub fn require(&self, right: Right) -> Result<(), Failure> {
        check_name(self.name())?;
        if self.rights.has(right) {
            return Ok(());
        }
        Err(Failure::new(Code::Forbidden, format!("{} does not have the right `{right}`", self.name())))
    }
}

/// The host itself.
impl Default for Principal {
    fn default() -> Self {
        Self::host()
    }
}

impl From<&str> for Principal {
    fn from(name: &str) -> Self {
        Self::named(name)
    }
}

impl From<String> for Principal {
    fn from(name: String) -> Self {
        Self::named(name)
    }
}

impl From<&Self> for Principal {
    fn from(principal: &Self) -> Self {
        principal.clone()
    }
}

impl Right {
    const ALL: [Self; 3] = [Self::Run, Self::Decide, Self::Admin];

    /// Returns the name of the right.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Decide => "decide",
            Self::Admin => "admin",
        }
    }

    fn bit(self) -> u8 {
        match self {
            Self::Run => 1,
            Self::Decide => 2,
            Self::Admin => 4,
        }
    }
}

impl fmt::Display for Right {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Rights {
    /// No right.
    pub const NONE: Self = Self(0);
    /// All rights.
    pub const ALL: Self = Self(7);

    /// Tells whether a right is in the set.
    pub fn has(self, right: Right) -> bool {
        self.0 & right.bit() != 0
    }
}

impl From<Right> for Rights {
    fn from(right: Right) -> Self {
        Self(right.bit())
    }
}

impl<const COUNT: usize> From<[Right; COUNT]> for Rights {
    fn from(rights: [Right; COUNT]) -> Self {
        rights.into_iter().collect()
    }
}

impl FromIterator<Right> for Rights {
    fn from_iter<Rs: IntoIterator<Item = Right>>(rights: Rs) -> Self {
        Self(rights.into_iter().fold(0, |bits, right| bits | right.bit()))
    }
}

impl fmt::Debug for Rights {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(Right::ALL.into_iter().filter(|right| self.has(*right))).finish()
    }
}

impl OwnDecisions {
    /// Checks that a principal may decide about an execution of this owner.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` if the execution is their own and such decisions are denied.
    pub fn check(self, by: &str, owner: &str) -> Result<(), Failure> {
        match self {
            Self::Deny if by == owner => {
                let message = format!("{by} may not decide about this execution: it is their own");
                Err(Failure::new(Code::Forbidden, message)
                    .hint("another person has to decide; the owner can cancel the execution"))
            }
            Self::Allow | Self::Deny => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(result: Result<(), Failure>) -> Option<Code> {
        result.err().map(|failure| failure.code)
    }

    #[test]
    fn a_name_alone_has_all_rights_and_no_right_includes_another() {
        let ada = Principal::from("ada");
        assert_eq!(format!("{:?}", ada.rights()), "{Run, Decide, Admin}");
        for right in Right::ALL {
            assert_eq!(code(ada.require(right)), None);
            let only = ada.clone().with_rights(right);
            let others: Vec<_> = Right::ALL.into_iter().filter(|other| only.require(*other).is_err()).collect();
            assert_eq!(others.len(), 2, "{right}: {others:?}");
        }
        assert_eq!(Rights::from([Right::Run, Right::Decide, Right::Admin]), Rights::ALL);
        assert_eq!(Rights::from([]), Rights::NONE);
    }

    #[test]
    fn who_lacks_which_right_is_said() {
        let refused = Principal::named("eve").with_rights(Right::Run).require(Right::Admin).expect_err("it is missing");
        assert_eq!((refused.code, &*refused.message), (Code::Forbidden, "eve does not have the right `admin`"));
    }

    #[test]
    fn a_principal_whose_name_cannot_be_read_may_do_nothing() {
        for name in ["", " ", "a\nb", "a\u{200b}", &"x".repeat(101)] {
            assert_eq!(code(Principal::named(name).require(Right::Run)), Some(Code::Config), "{name:?}");
        }
    }

    #[test]
    fn only_decisions_of_the_owner_are_denied_and_only_where_the_host_says_so() {
        assert_eq!(code(OwnDecisions::Deny.check("ada", "ada")), Some(Code::Forbidden));
        assert_eq!(code(OwnDecisions::Deny.check("bob", "ada")), None);
        assert_eq!(code(OwnDecisions::default().check("ada", "ada")), None);
    }
}
