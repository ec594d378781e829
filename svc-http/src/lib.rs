//! svc-http: the HTTP server around a [`Hub`](svc_core::Hub).
//!
//! [`main_with`] is the program, [`run`] runs the server from a configuration until it stops, and [`Server`] does so
//! in two steps for programs that need the address in between. All three put the same routes under the same
//! middleware, so tests cover the code that users reach.
//!
//! Modules in reading order: startup, connections, routes and middleware.

mod cli;
mod config;
mod logging;

mod acceptor;
mod admission;
mod connection;
mod data_lock;
mod open_files;
mod probe;
mod registry_file;
mod server;
mod signals;

mod allowed_methods;
mod answer;
mod app;
mod area;
mod backlog;
mod body;
mod description;
mod error;
mod idempotency;
mod identity;
pub mod live;
mod loose_body;
mod middleware;
mod operations;
mod pages;
mod routes;
mod sized_body;
mod state;
mod telemetry;
mod traffic;

pub use area::Area;
pub use cli::{Flags, main_with, main_with_launcher};
pub use config::{BaseUrl, ConnectionLimits, LogFormat, Patience, RateLimits, ServerConfig};
pub use error::{FieldFault, Problem, ProblemBody};
pub use middleware::client_address::{ClientAddress, TrustedProxies};
pub use middleware::request_id::RequestId;
pub use pages::{BrandAccent, BrandConfig, BrandName};
pub use probe::Command;
pub use server::{Server, run};
pub use state::AppState;
pub use telemetry::TelemetrySettings;
