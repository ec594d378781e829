//! The routes, a file for each noun. [`app`](crate::app) has them all on one page.

pub(crate) mod admin;
pub(crate) mod agents;
pub(crate) mod auth;
pub(crate) mod health;
pub(crate) mod keys;
pub(crate) mod login;
pub(crate) mod metrics;
pub(crate) mod oauth;
pub(crate) mod openapi;
pub(crate) mod pages;
pub(crate) mod web;

mod cached;

use poem_openapi::Tags;

/// The chapters of the API's description.
#[derive(Tags)]
pub(crate) enum Chapter {
    /// For those who run the server: is it alive, is it ready, how is it doing. These need no
    /// credentials and are never rate limited.
    Operations,
    /// Accounts and logins. A login is a cookie, `svc_session`; a change that is asked for with it
    /// has to carry the header `Origin` with this server's address, as browsers do by themselves.
    Humans,
    /// Programs that act for you. Each has a key of its own.
    Agents,
    /// Keys with limits, to act as you or as one of your agents: what they may do, where, how long.
    Keys,
    /// What only admins see.
    Administration,
}
