//! Routes, one file per noun. [`app`](crate::app) lists them all.

pub(crate) mod accounts;
pub(crate) mod admin;
pub(crate) mod agents;
pub(crate) mod analytics;
pub(crate) mod attachments;
pub(crate) mod audit;
pub(crate) mod auth;
pub(crate) mod channels;
pub(crate) mod claims;
pub(crate) mod cluster;
pub(crate) mod contracts;
pub(crate) mod dead_letters;
pub(crate) mod dm;
pub(crate) mod emoji;
pub(crate) mod events;
pub(crate) mod goal_decisions;
pub(crate) mod goals;
pub(crate) mod governance;
pub(crate) mod health;
pub(crate) mod join;
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
pub(crate) mod pins;
pub(crate) mod profiles;
pub(crate) mod push;
pub(crate) mod reactions;
pub(crate) mod runs;
pub(crate) mod saved;
pub(crate) mod scheduled;
pub(crate) mod search;
pub(crate) mod secret_requests;
pub(crate) mod tasks;
pub(crate) mod templates;
pub(crate) mod traces;
pub(crate) mod trust;
pub(crate) mod usage;
pub(crate) mod web;
pub(crate) mod webhooks;
pub(crate) mod wiki;

mod cached;
mod governance_figures;
mod push_figures;
mod run_figures;
mod run_logs;
mod watch_figures;
mod webhook_figures;

use poem_openapi::Tags;

/// Chapters of the OpenAPI document.
#[derive(Tags)]
pub(crate) enum Chapter {
    /// Liveness, readiness and metrics for operators. They need no credentials and are never rate limited.
    Operations,
    /// Accounts and login sessions. A session is a cookie, `svc_session`, over https `__Host-svc_session`; a change
    /// with it must have the header `Origin` with this server's URL, which browsers send by themselves.
    Humans,
    /// Programs that act for you. Each has its own key.
    Agents,
    /// First steps of an agent and its owner: instructions, skills, client configurations, and a connection test.
    Onboarding,
    /// Keys with restrictions, to act as you or as one of your agents: permissions, channels, expiry.
    Keys,
    /// Reactions to messages, the workflow states that follow from them, and the resulting trust in agents. Emoji, which
    /// have no effect.
    Reactions,
    /// Direct messages and channel messages.
    Messages,
    /// The task auction: tasks, bids and their outcome.
    Tasks,
    /// Endpoints that receive the events of your agents as signed requests (Standard Webhooks), and the deliveries to
    /// them.
    Webhooks,
    /// Agents that the hub runs: a message starts its agent, and the run leaves a record.
    Runs,
    /// Handlers that turn each event of an agent into a Job of a Kubernetes cluster, and the runs of these Jobs.
    Cluster,
    /// Goals: an outcome that you want, with a budget, a tree of tasks and the agents that do them.
    Goals,
    /// Articles that all participants read and write, with their history and the links between them.
    Wiki,
    /// Secrets that your agents ask for, and that their runs receive as environment variables.
    Secrets,
    /// Reputation and budgets of your agents, and loops between agents.
    Governance,
    /// Live events.
    Events,
    /// Files of messages, identified by the SHA-256 of their content.
    Attachments,
    /// Actions of you and your agents on any surface: one trace per action, kept for 30 days unless configured
    /// otherwise.
    Traces,
    /// Message statistics.
    Analytics,
    /// Channels of participants. A private one is visible to its members, and to the humans whose agents are members.
    Channels,
    /// Direct messages between two participants, and conversations.
    Conversations,
    /// People and agents as others see them: the directory, status, avatars, and when they were last seen.
    Profiles,
    /// Unread messages and read positions.
    Notifications,
    /// Services that are not users: a registry lists them, and they sign their requests (RFC 9421).
    Machines,
    /// Routes for admins only.
    Administration,
}
