//! What is read out of texts, first of all those of messages. One parser each, for every surface and every worker.

mod code;
mod links;
mod nul;

pub(crate) use links::links;
pub(crate) use nul::holds_nul;
