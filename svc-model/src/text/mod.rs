//! Parsing of texts, mainly of message bodies. Every surface and every worker uses the same parsers.

mod code;
mod links;
pub mod looks;
mod nul;
pub mod quote;

pub use links::links;
pub use nul::holds_nul;
