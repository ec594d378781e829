//! The integration tests: one binary, a file per noun, every story on both engines.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[macro_use]
mod support;

mod admin;
mod admin_agents;
mod admin_audit;
mod admin_clients;
mod admin_secrets;
mod admin_users;
mod agents;
mod api_keys;
mod authorisation;
mod conditions;
mod crash;
mod events;
mod health;
mod http;
mod idempotency;
mod leases;
mod maintenance;
mod oauth;
mod oauth_clients;
mod oauth_devices;
mod oauth_endpoints;
mod oauth_http;
mod plans;
mod processes;
mod program;
mod secrecy;
mod secrets;
mod sessions;
mod shutdown;
mod store;
mod tidy;
mod traces;
mod users;
mod workers;
