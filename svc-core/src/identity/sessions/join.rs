//! Sessions that begin with an invitation, or with a link to choose a new password.
//!
//! Invariants: the account, or its new password, and the session are one transaction; an invitation and a link work
//! once.

use svc_macros::boxed_futures;

use super::arrival::{Arrival, NewSession};
use super::service::Sessions;
use crate::error::Result;
use crate::identity::auth::{Password, Visit};
use crate::identity::users::{ChosenPassword, Redemption, Registration};

#[boxed_futures]
impl Sessions {
    /// Redeems an invitation for an account and begins a session of it.
    pub async fn join(&self, registration: Registration, visit: &Visit) -> Result<NewSession> {
        let redemption = Redemption::prepare(&self.db, &self.passwords, registration, visit.clone()).await?;
        let arrival = Arrival::new(self, None, visit);
        let (user, session) = self
            .db
            .write((redemption, arrival.clone()), |tx, (redemption, arrival)| {
                Box::pin(async move {
                    let user = redemption.run(tx).await?;
                    let session = arrival.begin(tx, user.id, &user.username).await?;
                    Ok((user, session))
                })
            })
            .await?;
        Ok(arrival.begun(user, session))
    }

    /// Stores a new password with the token of a link, ends all other sessions of the account, and begins one.
    pub async fn choose_password(&self, reset: &str, new: &Password, visit: &Visit) -> Result<NewSession> {
        let chosen = ChosenPassword::prepare(&self.db, &self.passwords, reset, new, visit.clone()).await?;
        let arrival = Arrival::new(self, None, visit);
        let (user, session) = self
            .db
            .write((chosen, arrival.clone()), |tx, (chosen, arrival)| {
                Box::pin(async move {
                    let user = chosen.run(tx).await?;
                    let session = arrival.begin(tx, user.id, &user.username).await?;
                    Ok((user, session))
                })
            })
            .await?;
        Ok(arrival.begun(user, session))
    }
}
