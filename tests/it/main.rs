//! The integration tests: one binary, a file per noun, every story on both engines.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[macro_use]
mod support;

mod admin;
mod conditions;
mod crash;
mod events;
mod health;
mod http;
mod idempotency;
mod leases;
mod plans;
mod processes;
mod program;
mod shutdown;
mod store;
mod tidy;
mod traces;
mod workers;
