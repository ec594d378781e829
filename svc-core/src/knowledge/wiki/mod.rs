//! The wiki.

mod service;

pub use service::Wiki;
