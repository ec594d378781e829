//! Authentication of signed requests of machines.
//!
//! The order of the checks is fixed, so that every node reports the same error for a request with several
//! faults: the parameters of the signature, its time, the presence of a digest, the key, the signature
//! itself, the audience, the status and scope of the key, the nonce, and last the body. All but the last need
//! the header fields alone, so no body is read for a rejected request. The status of the key and its
//! principal is not disclosed before the signature is verified. It is checked here so that a blocked machine
//! gets that error whatever else it sent, and decided by [`admit`](super::machine::admit) in the transaction
//! of the work.

use svc_macros::boxed_futures;
use svc_model::principals::{Audience, Scope};

use super::machine::{Machine, replayed, usable};
use super::refusal::ClaimedIdentity;
use super::service::Principals;
use super::signature::{self, Digests, Presented, SignedRequest, check_signature, check_time};
use super::store::{self, KeyRow};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Visit;
use crate::store::db::Tx;

/// The rejection of a request, before it is recorded in the audit log.
#[derive(Debug)]
pub struct Rejection {
    claimed: ClaimedIdentity,
    error: Error,
}

/// A request whose signature is verified, and whose body is still to come.
#[derive(Debug)]
pub struct SignedHead {
    machine: Machine,
    digests: Digests,
    covers_body: bool,
}

impl SignedHead {
    /// Checks the body against the signed digest and returns the machine.
    pub fn with_body(self, body: &[u8]) -> Result<Machine, Rejection> {
        let checked = if body.is_empty() || self.covers_body {
            self.digests.check(body)
        } else {
            Err(signature::body_not_covered())
        };
        match checked {
            Ok(()) => Ok(self.machine),
            Err(error) => Err(Rejection { claimed: ClaimedIdentity::by(&self.machine), error }),
        }
    }
}

#[boxed_futures]
impl Principals {
    /// Authenticates a signed request for this scope. A rejection is recorded in the audit log.
    pub async fn authenticate(
        &self,
        request: &SignedRequest<'_>,
        body: &[u8],
        scope: Scope,
        visit: &Visit,
    ) -> Result<Machine> {
        match self.verify(request, scope, visit).await.and_then(|signed| signed.with_body(body)) {
            Ok(machine) => Ok(machine),
            Err(rejection) => Err(self.reject(rejection, visit).await),
        }
    }

    /// Verifies a signed request without its body and without an audit entry, for surfaces that first count
    /// failures; they pass a rejection to [`Principals::reject`].
    pub async fn verify(
        &self,
        request: &SignedRequest<'_>,
        scope: Scope,
        visit: &Visit,
    ) -> Result<SignedHead, Rejection> {
        let bare = |error| Rejection { claimed: ClaimedIdentity::default(), error };
        let found = signature::find(request.headers).map_err(bare)?;
        let claimed = found.claimed().map_or_else(ClaimedIdentity::default, |(principal_id, kid)| ClaimedIdentity {
            principal_id: Some(principal_id.to_owned()),
            kid: Some(kid.to_owned()),
        });
        let outcome = match found.read(request.headers, request.has_body) {
            Ok(presented) => self.prove(presented, request, scope, visit).await,
            Err(error) => Err(error),
        };
        outcome.map_err(|error| Rejection { claimed, error })
    }

    /// Records a rejection in the audit log, and returns the error for the response.
    pub async fn reject(&self, rejection: Rejection, visit: &Visit) -> Error {
        let Rejection { claimed, error } = rejection;
        if super::refusal::is_refusal(&error) { self.refused(claimed, visit, error).await } else { error }
    }

    async fn prove(
        &self,
        presented: Presented,
        request: &SignedRequest<'_>,
        scope: Scope,
        visit: &Visit,
    ) -> Result<SignedHead> {
        check_time(&presented, self.clock.now())?;
        let digests = Digests::read(request.headers, request.has_body)?;
        let name = (presented.principal_id.clone(), presented.kid.clone(), presented.nonce.clone());
        let known = self.db.read(name, |tx, name| Box::pin(known(tx, name))).await?;
        let (key, is_replay) = known.ok_or_else(signature::unknown_key)?;
        check_signature(&presented.proof, request, key.public_key)?;
        if key.audience != self.audience {
            return Err(wrong_audience(key.audience, self.audience));
        }
        usable(&key, scope)?;
        if is_replay {
            return Err(replayed());
        }
        let covers_body = presented.proof.components.iter().any(|name| name == signature::CONTENT_DIGEST);
        let machine = Machine {
            principal_id: key.principal_id,
            kid: key.kid,
            public_key: key.public_key,
            audience: self.audience,
            nonce_expires_at: presented.forgotten_at(),
            nonce: presented.nonce,
            visit: visit.clone(),
        };
        Ok(SignedHead { machine, digests, covers_body })
    }
}

/// Reads the key from the store, and whether this nonce was used with it before.
async fn known(tx: &mut Tx, name: &(String, String, String)) -> Result<Option<(KeyRow, bool)>> {
    let (principal_id, kid, nonce) = name;
    let Some(key) = store::key(tx, principal_id, kid).await? else { return Ok(None) };
    let is_replay = store::is_taken(tx, key.public_key, nonce).await?;
    Ok(Some((key, is_replay)))
}

pub(super) fn wrong_audience(theirs: Audience, ours: Audience) -> Error {
    Error::new(
        ErrorKind::Unauthenticated,
        "wrong_audience",
        format!("The loaded registry is for {theirs} and this hub is {ours}: load the registry for {ours}."),
    )
}
