//! What is read out of texts, first of all those of messages. One parser each, for every surface and every worker.

mod code;
mod links;
pub mod looks;
mod nul;
pub mod quote;

pub use links::links;
pub use nul::holds_nul;
