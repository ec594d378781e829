//! The routes, a file for each noun. [`app`](crate::app) has them all on one page.

pub(crate) mod admin;
pub(crate) mod agents;
pub(crate) mod analytics;
pub(crate) mod attachments;
pub(crate) mod auth;
pub(crate) mod channels;
pub(crate) mod claims;
pub(crate) mod contracts;
pub(crate) mod dead_letters;
pub(crate) mod dm;
pub(crate) mod events;
pub(crate) mod health;
pub(crate) mod keys;
pub(crate) mod login;
pub(crate) mod machine;
pub(crate) mod machines;
pub(crate) mod mcp;
pub(crate) mod messages;
pub(crate) mod metrics;
pub(crate) mod notifications;
pub(crate) mod oauth;
pub(crate) mod onboarding;
pub(crate) mod openapi;
pub(crate) mod pages;
pub(crate) mod reactions;
pub(crate) mod search;
pub(crate) mod tasks;
pub(crate) mod traces;
pub(crate) mod trust;
pub(crate) mod usage;
pub(crate) mod web;

mod cached;

use poem_openapi::Tags;

/// The chapters of the API's description.
#[derive(Tags)]
pub(crate) enum Chapter {
    /// For those who run the server: is it alive, is it ready, how is it doing. These need no
    /// credentials and are never rate limited.
    Operations,
    /// Accounts and logins. A login is a cookie, `svc_session`, over https `__Host-svc_session`; a change that is
    /// asked for with it has to carry the header `Origin` with this server's address, as browsers do by themselves.
    Humans,
    /// Programs that act for you. Each has a key of its own.
    Agents,
    /// What an agent and its owner need to begin: instructions, skills, ready configurations of clients,
    /// and whether the agent has been seen.
    Onboarding,
    /// Keys with limits, to act as you or as one of your agents: what they may do, where, how long.
    Keys,
    /// Marks on messages, the workflow states that follow from them, and the trust in agents that
    /// humans show by them.
    Reactions,
    /// What participants say to each other, directly or in channels.
    Messages,
    /// Work that is offered, bid for, given away and done.
    Tasks,
    /// What happens, as it happens.
    Events,
    /// Files that messages carry, named by the SHA-256 of their content.
    Attachments,
    /// What you and your agents did through any door: one trace per action, kept for 30 days unless
    /// configured otherwise.
    Traces,
    /// How many messages went from whom to where.
    Analytics,
    /// Rooms that participants share. A private one is seen by its members, and by the humans whose
    /// agents are members.
    Channels,
    /// What two write to each other, and what belongs together.
    Conversations,
    /// What you have not read, and how far you have.
    Notifications,
    /// Services that are no users: they are known by a registry and sign what they ask (RFC 9421).
    Machines,
    /// What only admins see.
    Administration,
}
