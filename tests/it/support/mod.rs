//! What the tests stand on: a hub with a clock that is moved by hand, both engines, child processes.

pub(crate) mod admin;
pub(crate) mod blobs;
pub(crate) mod child;
pub(crate) mod clock;
pub(crate) mod disk;
pub(crate) mod files;
pub(crate) mod held;
pub(crate) mod hub;
pub(crate) mod machines;
pub(crate) mod mcp;
pub(crate) mod mcp_http;
pub(crate) mod oauth;
pub(crate) mod people;
pub(crate) mod pipe;
pub(crate) mod postgres;
pub(crate) mod rooms;
pub(crate) mod server;
pub(crate) mod sqlite;
pub(crate) mod sse;
pub(crate) mod talk;
pub(crate) mod tools;
pub(crate) mod wait;
