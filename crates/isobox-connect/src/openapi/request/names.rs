//! Refuses fields of objects that a service would read as other parameters. Decisions only; no I/O.

use std::cell::OnceCell;

use isobox_core::brief;

use super::MAX_URL;
use crate::openapi::collisions::{METHOD_REFUSED, decoded, fixed_pairs};
use crate::openapi::operation::{Operation, Parameter};
use crate::openapi::serialise::Pair;
use crate::service::{Folded, Location};

/// The names of one part of a request: its query or its cookies.
pub(super) struct Names<'o> {
    operation: &'o Operation,
    place: Location,
    /// The names that have a meaning there, with the parameter of each. They are the same for all objects of a request.
    taken: OnceCell<Vec<(Folded, Option<&'o Parameter>)>>,
    /// The bytes that objects and lists take there so far.
    bytes: usize,
}

impl<'o> Names<'o> {
    pub(super) fn of(operation: &'o Operation, place: Location) -> Self {
        Self { operation, place, taken: OnceCell::new(), bytes: 0 }
    }

    /// Refuses a field of an object that is sent under a name of its own, if the service would read it as something else: the policy
    /// has seen it in that object only. Refuses more than a request has room for, before it is compared.
    pub(super) fn check(&mut self, parameter: &Parameter, sent: &[Pair]) -> Result<(), String> {
        let bytes: usize = sent.iter().map(|(name, value)| name.len() + value.len() + 1).sum();
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MAX_URL {
            let what = if self.place == Location::Query { "address of the request has" } else { "cookies have" };
            return Err(format!("the {what} more than {MAX_URL} bytes"));
        }
        let own = (parameter.location == self.place).then_some(&parameter.name);
        for name in sent.iter().map(|(name, _)| decoded(name)).filter(|name| Some(name) != own) {
            let folded = Folded::of(&name);
            if self.place == Location::Query && folded.is_method() {
                return Err(METHOD_REFUSED.to_owned());
            }
            let is_own = |owner: &Option<&Parameter>| owner.is_some_and(|owner| std::ptr::eq(owner, parameter));
            if self.taken().iter().any(|(taken, owner)| !is_own(owner) && folded.is_within(taken)) {
                return Err(format!(
                    "`{}` has a field that is sent as `{}`, which the service may read as another parameter",
                    brief(&parameter.property, 80),
                    brief(&name, 80)
                ));
            }
        }
        Ok(())
    }

    fn taken(&self) -> &[(Folded, Option<&'o Parameter>)] {
        self.taken.get_or_init(|| {
            let Operation { base, path, parameters, .. } = self.operation;
            let declared = parameters.iter().filter(|parameter| parameter.location == self.place);
            let declared = declared.map(|parameter| (Folded::of(&parameter.name), Some(parameter)));
            let fixed = if self.place == Location::Query { fixed_pairs(base, path) } else { Vec::new() };
            declared.chain(fixed.iter().map(|(name, _)| (Folded::of(name), None))).collect()
        })
    }
}
