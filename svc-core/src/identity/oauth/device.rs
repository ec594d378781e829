//! Device authorization (RFC 8628): the device displays a short code, a human types it elsewhere, and the
//! device polls for the result.
//!
//! Invariants: a device code is exchanged once, by its client; a device that polls too often is told to slow
//! down, and this is enforced; only a user who is logged in can try a user code, and every attempt counts
//! towards the rate limit of authentication, so guessing one of 25 billion codes within 15 minutes is
//! infeasible without a counter of its own.

use svc_macros::boxed_futures;
use svc_model::oauth::{ClientClaim, DeviceRequest, GrantType};

use super::approve::{not_yours, note_approval};
use super::fault::{access_denied, invalid_grant, unauthorized_client};
use super::issue::{Issue, Minted, issue};
use super::model::{DeviceAuthorization, IssuedTokens};
use super::service::OAuth;
use super::store::devices::{self, DeviceStatus, FoundDevice, NewDevice};
use super::target;
use crate::clock::Entropy;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::agents;
use crate::identity::auth::{Caller, Token, TokenKind, Visit};
use crate::limits;
use crate::store::db::Tx;

/// Letters that form no words and are not confused with one another.
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";
const CODE_LENGTH: usize = 8;
/// Number of generated codes, in case one is taken.
const CANDIDATES: usize = 4;
/// Seconds that are added to the poll interval of a device that polls too often.
const SLOW_DOWN_SECONDS: u32 = 5;

/// The outcome of a poll. Each one changes something, so none is an error.
enum Outcome {
    Issued,
    Refused(&'static str, &'static str),
}

#[boxed_futures]
impl OAuth {
    /// Starts a device authorization and returns its codes.
    pub async fn device_authorization(
        &self,
        issuer: &str,
        claim: &ClientClaim,
        scope: Option<&str>,
        resource: Option<&str>,
        visit: &Visit,
    ) -> Result<DeviceAuthorization> {
        let client = self.clients.authenticate(claim, visit).await?;
        if !client.grant_types.contains(&GrantType::DeviceCode) {
            return Err(unauthorized_client("This client is not registered for device codes."));
        }
        let scope = target::scope(scope)?;
        let resource = target::resource(issuer, resource)?;
        let device_code = Token::mint(TokenKind::Device, self.entropy.as_ref());
        let candidates: Vec<String> = (0..CANDIDATES).map(|_| user_code(self.entropy.as_ref())).collect();
        let input = (client.client_id, scope, resource, device_code.hash(), candidates);
        let user_code = self
            .db
            .write(input, |tx, (client_id, scope, resource, hash, candidates)| {
                Box::pin(async move {
                    let expires_at = tx.now().plus(limits::OAUTH_DEVICE_TTL);
                    for user_code in candidates {
                        let new = NewDevice {
                            hash,
                            user_code,
                            client_id,
                            scope,
                            resource: resource.as_deref(),
                            interval_seconds: limits::OAUTH_DEVICE_INTERVAL_SECONDS,
                            expires_at,
                        };
                        if devices::insert(tx, new).await? {
                            return Ok(user_code.clone());
                        }
                    }
                    Err(Error::unavailable("temporarily_unavailable", "No user code was free. Try again."))
                })
            })
            .await?;
        Ok(DeviceAuthorization { device_code, user_code: display_code(&user_code) })
    }

    /// Finds the device authorization of a typed user code.
    pub async fn device_request(&self, caller: &Caller, typed: &str) -> Result<DeviceRequest> {
        caller.require_session()?;
        let user_code = read(typed).ok_or_else(no_such_code)?;
        let waiting = self.db.read(user_code.clone(), |tx, code| Box::pin(devices::waiting(tx, code))).await?;
        let (client_id,) = waiting.ok_or_else(no_such_code)?;
        Ok(DeviceRequest { client: self.clients.get(&client_id).await?, user_code: display_code(&user_code) })
    }

    /// Approves a device authorization for one of the caller's agents.
    pub async fn approve_device(&self, caller: &Caller, typed: &str, agent: &str) -> Result<()> {
        let (user, _) = caller.require_session()?;
        let user_code = read(typed).ok_or_else(no_such_code)?;
        self.db
            .write((user.id, user_code, agent.to_owned()), |tx, (user, user_code, agent)| {
                Box::pin(async move {
                    let agent = agents::store::find_of(tx, *user, agent).await?.ok_or_else(not_yours)?;
                    let (client_id,) = devices::waiting(tx, user_code).await?.ok_or_else(no_such_code)?;
                    note_approval(tx, &client_id).await?;
                    decided(devices::decide(tx, user_code, DeviceStatus::Approved, *user, Some(agent.id)).await?)
                })
            })
            .await
    }

    /// Denies a device authorization.
    pub async fn deny_device(&self, caller: &Caller, typed: &str) -> Result<()> {
        let (user, _) = caller.require_session()?;
        let user_code = read(typed).ok_or_else(no_such_code)?;
        self.db
            .write((user.id, user_code), |tx, (user, user_code)| {
                Box::pin(
                    async move { decided(devices::decide(tx, user_code, DeviceStatus::Denied, *user, None).await?) },
                )
            })
            .await
    }

    /// Handles a poll of the device.
    pub(super) async fn device_token(&self, client_id: &str, code: &str, visit: &Visit) -> Result<IssuedTokens> {
        let code = Token::parse_as(TokenKind::Device, code).ok_or_else(unknown)?;
        let tokens = Minted::pair(self.entropy.as_ref());
        let issued = tokens.issued();
        let input = (client_id.to_owned(), code.hash(), tokens, visit.clone());
        let outcome = self
            .db
            .write(input, |tx, (client_id, hash, tokens, visit)| {
                Box::pin(async move {
                    let found = devices::lock(tx, hash).await?.filter(|found| found.client_id == *client_id);
                    answer(tx, hash, found.ok_or_else(unknown)?, tokens, visit).await
                })
            })
            .await?;
        match outcome {
            Outcome::Issued => Ok(issued),
            Outcome::Refused(code, message) => Err(Error::new(ErrorKind::Invalid, code, message)),
        }
    }
}

async fn answer(tx: &mut Tx, hash: &[u8], found: FoundDevice, tokens: &Minted, visit: &Visit) -> Result<Outcome> {
    if found.expires_at <= tx.now() {
        return Ok(Outcome::Refused("expired_token", "The device code has expired: begin again."));
    }
    match found.status {
        DeviceStatus::Pending => pending(tx, hash, &found).await,
        DeviceStatus::Denied => Ok(Outcome::Refused("access_denied", "The request was denied.")),
        DeviceStatus::Used => Err(invalid_grant("This device code was used before.")),
        DeviceStatus::Approved => {
            let (Some(user), Some(username), Some(agent), Some(agent_name)) =
                (found.user_id, &found.username, found.agent_id, &found.agent)
            else {
                return Err(Error::internal("an approved device has no user"));
            };
            if found.ended {
                return Err(access_denied("The account or the agent is no longer active."));
            }
            let new = Issue {
                client_id: &found.client_id,
                user,
                username,
                agent,
                agent_name,
                resource: found.resource.as_deref(),
                narrowed: None,
                grant_type: GrantType::DeviceCode,
                tokens,
                visit,
            };
            issue(tx, new).await?;
            devices::mark_used(tx, hash).await?;
            Ok(Outcome::Issued)
        }
    }
}

async fn pending(tx: &mut Tx, hash: &[u8], found: &FoundDevice) -> Result<Outcome> {
    let interval = std::time::Duration::from_secs(found.interval_seconds.into());
    // A time in the future was recorded before the clock was set back, and is ignored.
    let too_soon = found.polled_at.is_some_and(|at| at <= tx.now() && tx.now().since(at) < interval);
    if too_soon {
        let longer = found.interval_seconds.saturating_add(SLOW_DOWN_SECONDS);
        devices::note_poll(tx, hash, longer).await?;
        return Ok(Outcome::Refused("slow_down", "Poll less often: wait five more seconds between polls from now on."));
    }
    devices::note_poll(tx, hash, found.interval_seconds).await?;
    Ok(Outcome::Refused("authorization_pending", "The user has not decided yet."))
}

fn decided(was_open: bool) -> Result<()> {
    if was_open { Ok(()) } else { Err(no_such_code()) }
}

fn no_such_code() -> Error {
    Error::new(ErrorKind::NotFound, "unknown_user_code", "No pending device has this code, or the code has expired.")
}

fn unknown() -> Error {
    invalid_grant("Unknown device code.")
}

/// Generates a user code; bytes beyond the last whole multiple are skipped, so that letters are uniformly
/// distributed.
fn user_code(entropy: &dyn Entropy) -> String {
    let mut code = String::with_capacity(CODE_LENGTH);
    let mut bytes = [0_u8; 32];
    while code.len() < CODE_LENGTH {
        entropy.fill(&mut bytes);
        let letters = bytes.iter().filter(|byte| **byte < 240).map(|byte| char::from(LETTERS[usize::from(byte % 20)]));
        code.extend(letters.take(CODE_LENGTH - code.len()));
    }
    code
}

/// The code for display: `XXXX-XXXX`.
fn display_code(code: &str) -> String {
    let (first, second) = code.split_at(CODE_LENGTH / 2);
    format!("{first}-{second}")
}

/// Parses a typed code, ignoring case, dashes and spaces; `None` when it cannot be a code.
fn read(typed: &str) -> Option<String> {
    if typed.len() > 4 * CODE_LENGTH {
        return None;
    }
    let code: String = typed
        .chars()
        .filter(|character| !character.is_whitespace() && *character != '-')
        .map(|character| character.to_ascii_uppercase())
        .collect();
    (code.len() == CODE_LENGTH && code.bytes().all(|byte| LETTERS.contains(&byte))).then_some(code)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::clock::SystemEntropy;

    #[test]
    fn typed_codes_are_normalized() {
        for _ in 0..100 {
            let code = user_code(&SystemEntropy);
            let shown = display_code(&code);
            assert_eq!(shown.len(), 9);
            assert_eq!(read(&shown), Some(code.clone()));
            assert_eq!(read(&format!(" {} ", shown.to_lowercase().replace('-', " "))), Some(code));
        }
        for bad in ["", "BCDF", "BCDF-GHJA", "BCDF-GHJ1", "BCDFGHJKL", "ßCDF-GHJK", &"B-".repeat(1 << 10)] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_does_not_panic(typed in "\\PC{0,40}") {
            if let Some(code) = read(&typed) {
                prop_assert_eq!(read(&display_code(&code)), Some(code));
            }
        }
    }
}
