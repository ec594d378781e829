//! Limits of accounts, logins, agents, keys, OAuth and signatures.

use std::time::Duration;

/// Allowed lengths of a username.
pub const USERNAME: std::ops::RangeInclusive<usize> = 3..=64;
/// Allowed lengths of an agent's name.
pub const AGENT_NAME: std::ops::RangeInclusive<usize> = 2..=63;
/// Maximum length of a display name, in characters.
pub const DISPLAY_NAME_MAX: usize = 128;
/// Allowed sizes of a password, in bytes. A longer one is rejected, never truncated.
pub const PASSWORD: std::ops::RangeInclusive<usize> = 8..=72;
/// Default cost of password hashes.
pub const BCRYPT_COST: u32 = 12;
/// Costs of password hashes that can be configured.
pub const BCRYPT_COSTS: std::ops::RangeInclusive<u32> = 4..=31;
/// Maximum number of waiting password checks; further ones are rejected.
pub const PASSWORD_QUEUE: usize = 128;
/// Default duration of a session.
pub const SESSION_TTL: Duration = Duration::from_hours(24);
/// Default validity of an invitation.
pub const INVITE_TTL: Duration = Duration::from_hours(7 * 24);
/// Maximum validity of an invitation.
pub const INVITE_TTL_MAX: Duration = Duration::from_hours(90 * 24);
/// Maximum length of the note of an invitation, in characters.
pub const INVITE_NOTE_MAX: usize = 200;
/// Maximum number of invitations that can be redeemed at a time.
pub const INVITES_OPEN_MAX: i64 = 1000;
/// Validity of a link to choose a new password.
pub const RESET_TTL: Duration = Duration::from_hours(24);
/// Minimum interval between two updates of the last use of a session, key or token.
pub const USE_NOTED_EVERY: Duration = Duration::from_mins(1);

/// Default number of consecutive failed logins by one name from one network before logins are delayed.
pub const LOGIN_ATTEMPTS: u32 = 5;
/// Multiple of the free failures for one address, for all names together.
pub const LOGIN_ADDRESS_FACTOR: u32 = 4;
/// Multiple of the free failures for one name, from all addresses together.
pub const LOGIN_ANYWHERE_FACTOR: u32 = 10;
/// Time for which a browser is remembered after a login.
pub const DEVICE_TTL: Duration = Duration::from_hours(180 * 24);
/// Maximum number of remembered browsers per account; the least recently used is evicted.
pub const DEVICES_PER_USER: i64 = 20;
/// Time after entering the password within which a session may create keys and administer accounts.
pub const LOGIN_CONFIRMED: Duration = Duration::from_mins(10);
/// Maximum number of sessions per account; the oldest ends.
pub const SESSIONS_PER_USER: i64 = 100;
/// Time for which a revoked key stays listed.
pub const REVOKED_KEY_KEPT: Duration = Duration::from_hours(90 * 24);
/// Retention time of expired invitations.
pub const INVITE_KEPT: Duration = Duration::from_hours(30 * 24);
/// The first and the longest delay of a login; it doubles with every further failure.
pub const LOGIN_WAIT: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(1));
/// Failed logins are forgotten after this time without another one.
pub const LOGIN_FORGOTTEN: Duration = Duration::from_hours(1);

/// Maximum number of agents per user.
pub const AGENTS_PER_USER: i64 = 10_000;
/// Default pause between two runs of a reactive agent, in seconds.
pub const AGENT_COOLDOWN_SECONDS: u32 = 600;
/// Default number of runs of a reactive agent per day.
pub const AGENT_DAILY_RUNS: u32 = 8;
/// Default maximum depth of a chain of triggers.
pub const AGENT_TRIGGER_DEPTH: u32 = 4;
/// Largest maximum depth of a chain of triggers that can be set.
pub const AGENT_TRIGGER_DEPTH_MAX: u32 = 16;
/// Longest pause between two runs that can be set, in seconds: 30 days.
pub const AGENT_COOLDOWN_MAX: u32 = 30 * 24 * 3600;
/// Largest number of runs per day that can be set.
pub const AGENT_DAILY_RUNS_MAX: u32 = 100_000;
/// Maximum size of an agent's instruction file, in bytes.
pub const AGENT_MD_MAX: usize = 256 * 1024;
/// Maximum size of the generated part of an instruction file, in bytes.
pub const INSTRUCTIONS_MAX: usize = 8 * 1024;
/// An agent that was seen within this time is connected.
pub const AGENT_CONNECTED: Duration = Duration::from_mins(5);
/// Maximum size of an agent's harness configuration as JSON text, in bytes.
pub const HARNESS_MAX: usize = 64 * 1024;
/// Maximum length of the name of a container image.
pub const IMAGE_MAX: usize = 512;

/// Maximum length of a managed key's name, in characters.
pub const KEY_NAME_MAX: usize = 64;
/// Maximum number of active managed keys per user.
pub const KEYS_PER_USER: i64 = 1000;
/// Maximum number of channels to which one key can be limited.
pub const KEY_CHANNELS_MAX: usize = 100;

/// Maximum length of a secret's name.
pub const SECRET_NAME_MAX: usize = 128;
/// Maximum number of secrets per user and per agent.
pub const SECRETS_PER_SCOPE: i64 = 100;
/// Maximum size of a secret's value, in bytes.
pub const SECRET_VALUE_MAX: usize = 64 * 1024;

/// Validity of an authorization code.
pub const OAUTH_CODE_TTL: Duration = Duration::from_mins(10);
/// Validity of an access token.
pub const OAUTH_ACCESS_TTL: Duration = Duration::from_hours(1);
/// Validity of a refresh token.
pub const OAUTH_REFRESH_TTL: Duration = Duration::from_hours(30 * 24);
/// A refresh token that is used again within this time gets the same response.
pub const OAUTH_RETRY_WINDOW: Duration = Duration::from_secs(10);
/// Validity of a device code, for approval and exchange.
pub const OAUTH_DEVICE_TTL: Duration = Duration::from_mins(15);
/// Minimum interval between two polls of a device, in seconds.
pub const OAUTH_DEVICE_INTERVAL_SECONDS: u32 = 5;
/// Lifetime of a cached verification of a client secret.
pub const OAUTH_SECRET_CACHE: Duration = Duration::from_mins(5);
/// Maximum number of cached verifications; the one that expires first is evicted.
pub const OAUTH_SECRETS_CACHED: usize = 1000;
/// Maximum number of client secrets waiting to be verified or hashed; further ones are rejected.
pub const OAUTH_SECRET_QUEUE: usize = 64;
/// Time for which a client's metadata document is considered fresh.
pub const OAUTH_DOCUMENT_TTL: Duration = Duration::from_hours(1);
/// Time for which a cached document is used while it cannot be fetched again.
pub const OAUTH_DOCUMENT_STALE: Duration = Duration::from_hours(7 * 24);
/// Maximum wait for a refresh of a document while the cached one can be used.
pub const OAUTH_DOCUMENT_PATIENCE: Duration = Duration::from_secs(2);
/// Maximum size of a client's metadata document, in bytes.
pub const OAUTH_DOCUMENT_MAX: usize = 64 * 1024;
/// Timeout of fetching a metadata document.
pub const OAUTH_DOCUMENT_TIMEOUT: Duration = Duration::from_secs(5);
/// Retention time of expired codes, tokens and grants, so that late replays are detected.
pub const OAUTH_KEPT_PAST_END: Duration = Duration::from_hours(24);
/// Maximum number of redirect URIs per client.
pub const OAUTH_REDIRECTS_MAX: usize = 32;
/// Maximum size of all redirect URIs of one client together, in bytes.
pub const OAUTH_REDIRECTS_BYTES: usize = 8 * 1024;
/// Maximum number of concurrent fetches of client documents per process.
pub const OAUTH_DOCUMENTS_AT_ONCE: usize = 32;
/// Maximum number of concurrent fetches of client documents per requesting address.
pub const OAUTH_DOCUMENTS_AT_ONCE_BY_ADDRESS: usize = 2;
/// Maximum number of fetches of client documents per minute and requesting address.
pub const OAUTH_DOCUMENTS_PER_MINUTE: u32 = 10;
/// Maximum number of clients that registered themselves or are described by a document.
pub const OAUTH_CLIENTS_MAX: i64 = 10_000;
/// Retention time of a client without any grant.
pub const OAUTH_CLIENT_UNUSED: Duration = Duration::from_hours(24);
/// Retention time of a client after its last grant was given, once no grant is left.
pub const OAUTH_CLIENT_ABANDONED: Duration = Duration::from_hours(90 * 24);
/// Maximum length of a URI that a client registers.
pub const OAUTH_URI_MAX: usize = 2048;
/// Maximum length of `state`, which is returned unchanged.
pub const OAUTH_STATE_MAX: usize = 4096;

/// Maximum difference between the time of a signature and the clock of the hub; also how long its nonce is
/// kept.
pub const SIGNATURE_WINDOW: Duration = Duration::from_mins(5);
/// Allowed lengths of a signature's nonce.
pub const SIGNATURE_NONCE: std::ops::RangeInclusive<usize> = 8..=128;
/// Maximum length of a signature's `keyid`: a principal's id and the name of a key.
pub const SIGNATURE_KEYID_MAX: usize = 160;
/// Maximum size of each header field of a signature, in bytes.
pub const SIGNATURE_FIELD_MAX: usize = 8 * 1024;
/// Maximum number of components that a signature covers.
pub const SIGNATURE_COMPONENTS_MAX: usize = 32;

/// Maximum length of a stored `User-Agent`.
pub const USER_AGENT_MAX: usize = 256;
