//! The limits of accounts, logins, agents, keys, OAuth and signatures.

use std::time::Duration;

/// Length of a username.
pub const USERNAME: std::ops::RangeInclusive<usize> = 3..=64;
/// Length of an agent's name.
pub const AGENT_NAME: std::ops::RangeInclusive<usize> = 2..=63;
/// Length of a name for people to read, in characters.
pub const DISPLAY_NAME_MAX: usize = 128;
/// Length of a password, in bytes. What is longer is refused, never cut.
pub const PASSWORD: std::ops::RangeInclusive<usize> = 8..=72;
/// The work factor of password hashes unless configured.
pub const BCRYPT_COST: u32 = 12;
/// The work factors that can be configured.
pub const BCRYPT_COSTS: std::ops::RangeInclusive<u32> = 4..=31;
/// Password checks that wait for their turn before the next one is turned away.
pub const PASSWORD_QUEUE: usize = 128;
/// How long a login lasts unless configured.
pub const SESSION_TTL: Duration = Duration::from_hours(24);
/// How long an invitation can be redeemed unless its maker says otherwise.
pub const INVITE_TTL: Duration = Duration::from_hours(7 * 24);
/// How long an invitation may be made to last.
pub const INVITE_TTL_MAX: Duration = Duration::from_hours(90 * 24);
/// Logins, keys and tokens are noted as used at most this often.
pub const USE_NOTED_EVERY: Duration = Duration::from_mins(1);

/// Failed logins in a row by one name from one network before it has to wait, unless configured.
pub const LOGIN_ATTEMPTS: u32 = 5;
/// How many times as many are free for one address, whatever the names.
pub const LOGIN_ADDRESS_FACTOR: u32 = 4;
/// How many times as many are free for one name, from wherever they come.
pub const LOGIN_ANYWHERE_FACTOR: u32 = 10;
/// How long a browser is known after a login.
pub const DEVICE_TTL: Duration = Duration::from_hours(180 * 24);
/// Browsers that are known of one account; the one that has been away longest is forgotten.
pub const DEVICES_PER_USER: i64 = 20;
/// How long a login may make keys before it is asked for the password again.
pub const LOGIN_CONFIRMED: Duration = Duration::from_mins(10);
/// Sessions of one account; the oldest ends when there would be more.
pub const SESSIONS_PER_USER: i64 = 100;
/// How long a revoked key stays in the list.
pub const REVOKED_KEY_KEPT: Duration = Duration::from_hours(90 * 24);
/// How long an invitation stays on record after its end.
pub const INVITE_KEPT: Duration = Duration::from_hours(30 * 24);
/// The first wait, which doubles with every further failure, and the longest.
pub const LOGIN_WAIT: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(1));
/// Failures are forgotten when none has come for this long.
pub const LOGIN_FORGOTTEN: Duration = Duration::from_hours(1);

/// Agents of one user.
pub const AGENTS_PER_USER: i64 = 10_000;
/// The pause between two runs of a reactive agent, unless set.
pub const AGENT_COOLDOWN_SECONDS: u32 = 600;
/// Runs of a reactive agent per day, unless set.
pub const AGENT_DAILY_RUNS: u32 = 8;
/// How deep a chain of triggers may get, unless set.
pub const AGENT_TRIGGER_DEPTH: u32 = 4;
/// How deep it may be set.
pub const AGENT_TRIGGER_DEPTH_MAX: u32 = 16;
/// The longest pause that can be set: 30 days.
pub const AGENT_COOLDOWN_MAX: u32 = 30 * 24 * 3600;
/// The most runs per day that can be set.
pub const AGENT_DAILY_RUNS_MAX: u32 = 100_000;
/// Size of an agent's instruction file.
pub const AGENT_MD_MAX: usize = 256 * 1024;
/// Size of the instruction file that the hub writes, without what the owner adds.
pub const INSTRUCTIONS_MAX: usize = 8 * 1024;
/// An agent that was seen during this time is connected.
pub const AGENT_CONNECTED: Duration = Duration::from_mins(5);
/// Size of an agent's harness configuration as JSON text.
pub const HARNESS_MAX: usize = 64 * 1024;
/// Length of the name of a container image.
pub const IMAGE_MAX: usize = 512;

/// Length of a managed key's name, in characters.
pub const KEY_NAME_MAX: usize = 64;
/// Active managed keys of one user.
pub const KEYS_PER_USER: i64 = 1000;
/// Channels that one key can be limited to.
pub const KEY_CHANNELS_MAX: usize = 100;

/// Length of a secret's name.
pub const SECRET_NAME_MAX: usize = 128;
/// Secrets of one user, and of one agent.
pub const SECRETS_PER_SCOPE: i64 = 100;
/// Size of a secret's value.
pub const SECRET_VALUE_MAX: usize = 64 * 1024;

/// How long an authorization code can be exchanged.
pub const OAUTH_CODE_TTL: Duration = Duration::from_mins(10);
/// How long an access token is good for.
pub const OAUTH_ACCESS_TTL: Duration = Duration::from_hours(1);
/// How long a refresh token is good for.
pub const OAUTH_REFRESH_TTL: Duration = Duration::from_hours(30 * 24);
/// A refresh token that is used again within this time gets the same answer.
pub const OAUTH_RETRY_WINDOW: Duration = Duration::from_secs(10);
/// How long a device code can be approved and exchanged.
pub const OAUTH_DEVICE_TTL: Duration = Duration::from_mins(15);
/// How often a device may ask whether it was approved.
pub const OAUTH_DEVICE_INTERVAL_SECONDS: u32 = 5;
/// How long a verified client secret need not be verified again.
pub const OAUTH_SECRET_CACHE: Duration = Duration::from_mins(5);
/// Verified client secrets that are remembered; the one that would be forgotten first gives way.
pub const OAUTH_SECRETS_CACHED: usize = 1000;
/// Client secrets that wait for their turn to be verified or hashed before the next one is turned away.
pub const OAUTH_SECRET_QUEUE: usize = 64;
/// How long a client's metadata document is taken to be current.
pub const OAUTH_DOCUMENT_TTL: Duration = Duration::from_hours(1);
/// How long what a document said is used while it cannot be read again.
pub const OAUTH_DOCUMENT_STALE: Duration = Duration::from_hours(7 * 24);
/// How long reading a document again is waited for while what it said before can be used.
pub const OAUTH_DOCUMENT_PATIENCE: Duration = Duration::from_secs(2);
/// Size of a client's metadata document.
pub const OAUTH_DOCUMENT_MAX: usize = 64 * 1024;
/// How long the server of a metadata document may take.
pub const OAUTH_DOCUMENT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long codes, tokens and grants are kept past their end, so that late replays are noticed.
pub const OAUTH_KEPT_PAST_END: Duration = Duration::from_hours(24);
/// Redirect addresses of one client.
pub const OAUTH_REDIRECTS_MAX: usize = 32;
/// All redirect addresses of one client together, in bytes.
pub const OAUTH_REDIRECTS_BYTES: usize = 8 * 1024;
/// Documents of clients that are read at a time, by each process.
pub const OAUTH_DOCUMENTS_AT_ONCE: usize = 32;
/// Those of them that one address has asked for.
pub const OAUTH_DOCUMENTS_AT_ONCE_BY_ADDRESS: usize = 2;
/// Documents that one address can have read in a minute.
pub const OAUTH_DOCUMENTS_PER_MINUTE: u32 = 10;
/// Clients that registered themselves or are described by a document.
pub const OAUTH_CLIENTS_MAX: i64 = 10_000;
/// How long a client is kept that no human has allowed anything.
pub const OAUTH_CLIENT_UNUSED: Duration = Duration::from_hours(24);
/// How long a client is kept after a human last allowed it something, once nothing of that is left.
pub const OAUTH_CLIENT_ABANDONED: Duration = Duration::from_hours(90 * 24);
/// Length of an address that a client registers.
pub const OAUTH_URI_MAX: usize = 2048;
/// Length of `state`, which is handed back as it came.
pub const OAUTH_STATE_MAX: usize = 4096;

/// How far the time of a signature may be from ours, and how long its nonce counts.
pub const SIGNATURE_WINDOW: Duration = Duration::from_mins(5);
/// Length of a signature's nonce.
pub const SIGNATURE_NONCE: std::ops::RangeInclusive<usize> = 8..=128;
/// Length of a signature's `keyid`, a principal's id and the name of a key.
pub const SIGNATURE_KEYID_MAX: usize = 160;
/// Length of each of the fields that a signature is in, in bytes.
pub const SIGNATURE_FIELD_MAX: usize = 8 * 1024;
/// How many components a signature may cover.
pub const SIGNATURE_COMPONENTS_MAX: usize = 32;

/// Length of what a browser calls itself, as it is kept.
pub const USER_AGENT_MAX: usize = 256;
