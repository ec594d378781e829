//! What other crates see of this one: a module for each noun with its handle and its types.
//!
//! The modules only name things. What they name is in the layers below and in `svc-model`, where one noun may
//! be spread over several files.

pub mod agents;
pub mod analytics;
pub mod api_keys;
pub mod attachments;
pub mod audit;
pub mod auth;
pub mod backups;
pub mod channels;
pub mod cluster;
pub mod conversations;
pub mod dead_letters;
pub mod emoji;
pub mod events;
pub mod formats;
pub mod goals;
pub mod governance;
pub mod harness;
pub mod health;
pub mod idempotency;
pub mod leases;
pub mod live;
pub mod messages;
pub mod notifications;
pub mod oauth;
pub mod onboarding;
pub mod participants;
pub mod pins;
pub mod prelude;
pub mod principals;
pub mod profiles;
pub mod push;
pub mod queue;
pub mod quotas;
pub mod reactions;
pub mod runs;
pub mod saved;
pub mod scheduled;
pub mod search;
pub mod secret_requests;
pub mod secrets;
pub mod sessions;
pub mod startup;
pub mod tasks;
pub mod templates;
pub mod traces;
pub mod trust;
pub mod users;
pub mod webhooks;
pub mod wiki;
pub mod workers;
