//! svc-admin: administration of a running hub, from its own machine.
//!
//! A server calls [`serve`]; the command line, [`cli::main_with`], and any other program talk to it through a
//! [`Client`]. The parameters and results of a method are declared once, in [`methods`], and both sides use them.
//!
//! Modules in reading order: the methods, the path from a socket to a method, then the client and the command line.

pub mod methods;

mod dispatch;
mod error;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod lines;
mod nearest;
mod server;
mod socket;
mod wire;

mod client;

pub mod cli;

pub use client::{Client, ClientError};
pub use server::{AdminListener, AdminSocket, serve};
pub use socket::socket_path;
/// Durations in the notation of the command line.
pub use svc_core::formats::spans as duration;
pub use wire::{Fault, FaultDetail, FaultField};

/// The version of this side; the other side's may differ.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
