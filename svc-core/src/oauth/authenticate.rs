//! Whether a client is who it says.
//!
//! What always holds: a client with a secret shows it, one without shows none; a secret is compared
//! through bcrypt, and what was found to be right is remembered for a few minutes under a hash of
//! client, secret and stored hash, so a busy client does not cost a bcrypt with every request.

use std::sync::PoisonError;

use sha2::{Digest, Sha256};

use super::clients::Clients;
use super::fault::{invalid_client, invalid_request};
use super::model::{Client, ClientClaim};
use super::store::clients::KnownClient;
use crate::auth::{Token, TokenKind};
use crate::error::Result;
use crate::limits;

/// After this many entries those that are over are dropped.
const VERIFIED_MAX: usize = 1000;

impl Clients {
    /// The client that makes this claim, if the claim holds.
    pub(super) async fn authenticate(&self, claim: &ClientClaim) -> Result<Client> {
        let client_id = claim.client_id.as_deref().ok_or_else(|| match claim.secret {
            Some(_) => invalid_client("A secret came without a client_id."),
            None => invalid_request("client_id is missing."),
        })?;
        let known = self.kept(client_id).await?;
        match (&known.secret_hash, &claim.secret) {
            (None, None) => {}
            (None, Some(_)) => {
                return Err(invalid_client("This client has no secret, so it must not show one."));
            }
            (Some(_), None) => return Err(invalid_client("This client must authenticate with its secret.")),
            (Some(hash), Some(secret)) => self.verify(&known, hash, secret).await?,
        }
        Ok(known.client)
    }

    async fn verify(&self, known: &KnownClient, hash: &str, secret: &str) -> Result<()> {
        let wrong = || invalid_client("The client's secret is wrong.");
        // A mistyped secret is recognised by its form, without the cost of a hash.
        let secret = Token::parse_as(TokenKind::ClientSecret, secret).ok_or_else(wrong)?;
        let mut digest = Sha256::new();
        for part in [known.client.client_id.as_str(), secret.reveal(), hash] {
            digest.update(part);
            digest.update([0]);
        }
        let key: [u8; 32] = digest.finalize().into();
        let now = self.clock.now();
        if self.verified.lock().unwrap_or_else(PoisonError::into_inner).get(&key).is_some_and(|until| *until > now) {
            return Ok(());
        }
        if !self.passwords.verify(self.passwords.place()?, secret.reveal(), Some(hash)).await? {
            return Err(wrong());
        }
        let mut verified = self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        if verified.len() >= VERIFIED_MAX {
            verified.retain(|_, until| *until > now);
        }
        if verified.len() < VERIFIED_MAX {
            verified.insert(key, now.plus(limits::OAUTH_SECRET_CACHE));
        }
        Ok(())
    }
}
