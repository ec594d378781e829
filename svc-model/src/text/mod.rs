//! Parsing of texts, mainly of message bodies. Every surface and every worker uses the same parsers.

mod code;
mod entity;
mod holds_nul;
mod links;
pub mod looks;
mod neutral;
pub mod quote;

pub(crate) use code::ranges as code_ranges;
pub use holds_nul::holds_nul;
pub use links::links;
pub use neutral::neutral;
