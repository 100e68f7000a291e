//! The permission of a process to start the calls that a journal records.

use std::sync::Arc;

use crate::Keeper;
use crate::durable::tenure::TenureNumber;
use crate::store::{Error, Lease};

/// Tells whether this process may still start the calls that its journal records.
pub(crate) struct Permission(Option<Proof>);

/// The last proof that a lease is held.
struct Proof {
    keeper: Arc<Keeper>,
    lease: Arc<Lease>,
    /// The tenure in which the lease was last known to be held.
    proved: TenureNumber,
}

impl Permission {
    /// Returns the permission of an execution that is not durable. It never ends.
    pub(crate) fn always() -> Self {
        Self(None)
    }

    /// Returns the permission that a lease gives.
    pub(crate) fn of(keeper: Arc<Keeper>, lease: Arc<Lease>, proved: TenureNumber) -> Self {
        Self(Some(Proof { keeper, lease, proved }))
    }

    pub(crate) fn holds(&self) -> bool {
        self.0.as_ref().is_none_or(|proof| proof.keeper.still_holds(proof.proved))
    }

    /// Renews the lease in the store. Fails if it may have expired again when the store answers.
    pub(crate) async fn renew(&self) -> Result<(), Error> {
        let Some(proof) = &self.0 else { return Ok(()) };
        let proved = proof.keeper.renew(&proof.lease).await?;
        if proof.keeper.still_holds(proved) { Ok(()) } else { Err(renewed_too_late()) }
    }
}

pub(crate) fn renewed_too_late() -> Error {
    Error::unavailable("the store is too slow", "renewing a lease takes longer than the lease lasts")
}
