//! The integration tests: one binary, a file per noun, every story on both engines.

#[macro_use]
mod support;

mod conditions;
mod crash;
mod events;
mod idempotency;
mod leases;
mod plans;
mod processes;
mod store;
mod tidy;
mod traces;
mod workers;
