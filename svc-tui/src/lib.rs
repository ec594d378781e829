//! svc-tui: the terminal UI of a hub.
//!
//! Modules in reading order: `backend` is the hub, in this process or elsewhere. `state` knows, `view` shows, `input`
//! turns keys into one `Action`. `runner` carries out what the state asks for, `app` adds the terminal.
//!
//! Invariants:
//! - No text of the hub reaches the terminal without passing through `text`.
//! - What a person has written is kept until the hub has it.
//! - The terminal is left as it was found.

mod action;
mod app;
mod backend;
mod cli;
mod config_dir;
mod files;
mod input;
mod link;
mod location;
mod login;
mod runner;
mod signals;
mod state;
mod terminal;
mod text;
mod view;

#[cfg(test)]
mod tests;

pub use cli::{command, main_with};
