//! What is read out of the text of a message. One parser each, for every surface and every worker.

mod code;
mod links;

pub(crate) use links::links;
