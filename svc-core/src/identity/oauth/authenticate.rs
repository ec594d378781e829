//! Authentication of clients.
//!
//! Invariants: a confidential client presents its secret, a public one presents none; a secret is compared
//! through bcrypt, and a match is cached for a few minutes under a hash of client, secret and stored hash, so
//! that a busy client does not cost a bcrypt with every request. Only secrets that the hub has issued for
//! this very client get that far: all others are recognised by their checksum, and count as failed attempts
//! of their address. Secrets from before the keyed checksum are counted before they are compared, as
//! passwords are.

use std::sync::PoisonError;

use sha2::{Digest, Sha256};
use svc_model::oauth::{Client, ClientClaim};

use super::clients::Clients;
use super::fault::{invalid_client, invalid_request};
use super::store::clients::{KnownClient, SecretFormat};
use crate::error::{Error, Result};
use crate::identity::auth::backoff::{self, Subjects};
use crate::identity::auth::{Token, TokenKind, Visit};
use crate::limits;

impl Clients {
    /// Authenticates the client of a request.
    pub(super) async fn authenticate(&self, claim: &ClientClaim, visit: &Visit) -> Result<Client> {
        let client_id = claim.client_id.as_deref().ok_or_else(|| match claim.secret {
            Some(_) => invalid_client("client_id is missing: a secret must be sent with the client_id."),
            None => invalid_request("client_id is missing."),
        })?;
        let known = match self.find_known(client_id).await {
            Ok(known) => known,
            Err(error) => return Err(self.charged(None, visit, error).await),
        };
        let refusal = match (&known.secret_hash, &claim.secret) {
            (None, None) => return Ok(known.client),
            (None, Some(_)) => invalid_client("This client has no secret, so it must not send one."),
            (Some(_), None) => invalid_client("This client must authenticate with its secret."),
            (Some(hash), Some(secret)) => match self.verify(&known, hash, secret, visit).await {
                Ok(true) => return Ok(known.client),
                Ok(false) => wrong(),
                // It has been counted already.
                Err(error) => return Err(error),
            },
        };
        Err(self.charged(Some(client_id), visit, refusal).await)
    }

    /// Counts a failed attempt; after too many the error says when to retry.
    async fn charged(&self, client_id: Option<&str>, visit: &Visit, refusal: Error) -> Error {
        if refusal.code() != "invalid_client" {
            return refusal;
        }
        let subjects = Subjects::client(client_id, visit, self.login_attempts);
        backoff::attempt(&self.db, subjects).await.err().unwrap_or(refusal)
    }

    /// Whether this is the client's secret; a `false` has yet to be counted.
    async fn verify(&self, known: &KnownClient, hash: &str, text: &str, visit: &Visit) -> Result<bool> {
        let client_id = known.client.client_id.as_str();
        let secret = match known.secret_format {
            SecretFormat::Keyed => Token::parse_keyed(TokenKind::ClientSecret, &self.secret_key, client_id, text),
            SecretFormat::Public => Token::parse_as(TokenKind::ClientSecret, text),
        };
        // A secret that the hub has not issued is recognised by its checksum, without the cost of a hash.
        let Some(secret) = secret else { return Ok(false) };
        let key = digest(client_id, &secret, hash);
        if self.is_verified(key) {
            return Ok(true);
        }
        match known.secret_format {
            SecretFormat::Keyed => self.compare(key, &secret, hash).await,
            // Anybody can construct a secret of this format.
            SecretFormat::Public => {
                let subjects = Subjects::client(Some(client_id), visit, self.login_attempts);
                backoff::attempt(&self.db, subjects.clone()).await?;
                if !self.compare(key, &secret, hash).await? {
                    return Err(wrong());
                }
                self.db.write(subjects, |tx, subjects| Box::pin(backoff::record_success(tx, subjects))).await?;
                Ok(true)
            }
        }
    }

    /// Compares a secret through bcrypt, one at a time.
    async fn compare(&self, key: [u8; 32], secret: &Token, hash: &str) -> Result<bool> {
        let slot = self.secrets.reserve()?;
        let turn = self.comparing.lock().await;
        // Concurrent requests of one client are compared once.
        if self.is_verified(key) {
            return Ok(true);
        }
        let right = self.secrets.verify(slot, secret.reveal(), Some(hash)).await?;
        if right {
            self.remember(key);
        }
        drop(turn);
        Ok(right)
    }

    fn is_verified(&self, key: [u8; 32]) -> bool {
        let now = self.clock.now();
        self.verified.lock().unwrap_or_else(PoisonError::into_inner).get(&key).is_some_and(|until| *until > now)
    }

    fn remember(&self, key: [u8; 32]) {
        let now = self.clock.now();
        let mut verified = self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        if verified.len() >= limits::OAUTH_SECRETS_CACHED {
            verified.retain(|_, until| *until > now);
        }
        if verified.len() >= limits::OAUTH_SECRETS_CACHED {
            let first = verified.iter().min_by_key(|(_, until)| **until).map(|(key, _)| *key);
            first.map(|first| verified.remove(&first));
        }
        verified.insert(key, now.plus(limits::OAUTH_SECRET_CACHE));
    }
}

/// The cache key of a verified secret. A client that is created again has another hash.
fn digest(client_id: &str, secret: &Token, hash: &str) -> [u8; 32] {
    let mut digest = Sha256::new();
    for part in [client_id, secret.reveal(), hash] {
        digest.update(part);
        digest.update([0]);
    }
    digest.finalize().into()
}

fn wrong() -> Error {
    invalid_client("The client's secret is wrong.")
}
