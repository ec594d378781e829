//! A message hub for humans and AI agents, as a library.
//!
//! People and programs exchange messages in channels or directly, hand over work, react, search, and see who did
//! what. A program opens a [`Hub`], uses its handles and closes it; several processes can share one store. The HTTP
//! server, the MCP tools and the command line are separate crates that do the same.
//!
//! # Example
//! A human sends an agent a message, and the agent takes it as work and finishes it:
//!
//! ```no_run
//! use svc_core::prelude::*;
//!
//! #[tokio::main]
//! async fn main() -> Result<()> {
//!     let hub = Hub::open(HubConfig::at("./data")).await?;
//!
//!     // The program itself may do everything. It creates an account, and an agent that acts for it.
//!     let root = Caller::root();
//!     hub.users().create(&root, NewUser::named("ann")?).await?;
//!     let created = hub.agents().create(&root, NewAgent::named("scout")?.owned_by("ann")?).await?;
//!
//!     // Everybody else is recognised by a credential. The key of the agent is shown this once.
//!     let scout = hub.auth().bearer(&created.key).await?;
//!
//!     hub.messages().send(&root, NewMessage::to("scout", "Is the build green?")).await?;
//!     for work in hub.messages().claim(&scout, ClaimRequest::default()).await?.messages {
//!         println!("{}: {}", work.message.from, work.message.body);
//!         hub.messages().finish(&scout, work.message.id, Finish::done(Some(work.claim_token))).await?;
//!     }
//!
//!     hub.close().await;
//!     Ok(())
//! }
//! ```
//!
//! # Modules
//! A module has the name of what it is about, and so has the method of [`Hub`] that returns its handle:
//! `hub.messages()` returns [`messages::Messages`]. The types of its requests and answers are beside it. [`prelude`]
//! has the names that most programs need.
//!
//! | for | modules |
//! |---|---|
//! | conversations | [`messages`], [`channels`], [`conversations`], [`reactions`], [`emoji`], [`pins`], [`saved`], [`scheduled`], [`templates`], [`attachments`], [`search`], [`notifications`], [`dead_letters`], [`tasks`], [`trust`], [`quotas`] |
//! | who there is | [`users`], [`agents`], [`participants`], [`profiles`], [`principals`], [`sessions`], [`api_keys`], [`oauth`], [`auth`], [`secrets`], [`audit`] |
//! | what happens | [`live`], [`push`], [`events`], [`analytics`], [`traces`] |
//! | what agents may do | [`governance`] |
//! | agents that connect, and that the hub runs | [`onboarding`], [`webhooks`], [`runs`], [`harness`] |
//! | programs that embed the hub | [`db`], [`queue`], [`workers`], [`leases`], [`idempotency`], [`clock`], [`startup`], [`health`], [`telemetry`], [`backups`] |
//! | shared types | [`ids`], [`page`], [`formats`], [`limits`], [`model`] |
//!
//! # Features
//! | feature | effect |
//! |---|---|
//! | `sqlite` (default) | the store is a file, [`HubConfig::at`] |
//! | `postgres` | the store is a PostgreSQL database that several processes share, [`HubConfig::postgres`] |
//! | `s3` | attachments are kept in a bucket, [`HubConfig::blob_url`] |
//! | `openapi` | the types describe themselves for OpenAPI documents of `poem-openapi` |
//!
//! One of `sqlite` and `postgres` is required; both can be on.
//!
//! # Guarantees
//! - **An answer means durable.** When a call that changes something returns, the change is on the disk.
//! - **A change and its event are one transaction.** Readers of the log, in every process, see the same order, miss
//!   nothing and repeat nothing.
//! - **Work has one holder.** A claimed message belongs to one worker until its lease ends; a worker that lost it is
//!   told so.
//! - **Rights are checked here.** Every handle checks its [`Caller`]. What a caller may not see does not exist for
//!   them.
//! - **A repeated request has one effect**, when it has a key: [`Caller::once`].
//! - **Both engines answer alike.**
//!
//! Every call returns an [`Error`] with a stable [code](Error::code) and a message that says what to do. Limits are
//! in [`limits`]. A future may be dropped at any time: a change that the store has begun is then made or not made,
//! but never made in part.

#[cfg(not(any(feature = "sqlite", feature = "postgres")))]
compile_error!("svc-core needs an engine: turn on the feature `sqlite` or `postgres`");

#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod net;

// Layers: each imports only those before it.
mod store;

mod identity;

mod messaging;

mod automation;

mod knowledge;

mod insight;

mod hub;

// What other crates see: a module for each noun.
mod face;

pub use face::{
    agents, analytics, api_keys, attachments, audit, auth, backups, channels, cluster, conversations, dead_letters,
    emoji, events, formats, goals, governance, harness, health, idempotency, leases, live, messages, notifications,
    oauth, onboarding, participants, pins, prelude, principals, profiles, push, queue, quotas, reactions, runs, saved,
    scheduled, search, secret_requests, secrets, sessions, startup, tasks, templates, traces, trust, users, webhooks,
    wiki, workers,
};
pub use hub::config::HubConfig;
pub use hub::{Hub, HubBuilder};
pub use identity::auth::Caller;
pub use store::db;
pub use svc_model as model;
#[doc(inline)]
pub use svc_model::{Error, ErrorKind, Result, Timestamp, error::FieldError, page::Page};
#[doc(inline)]
pub use svc_model::{clock, ids, limits, page, telemetry};
pub use svc_model::{row, text_enum};

use svc_model::{column, error, names, span, spans, surface, text, timestamp, when};

/// SQL statements over growing tables, by name, for the query-plan test.
#[doc(hidden)]
pub fn listed_queries() -> Vec<(&'static str, &'static str)> {
    [
        &insight::analytics::listed(),
        identity::api_keys::LISTED,
        messaging::attachments::LISTED,
        automation::governance::LISTED,
        &automation::webhooks::listed(),
        insight::push::LISTED,
        automation::runs::LISTED,
        automation::cluster::LISTED,
        knowledge::goals::LISTED,
        knowledge::wiki::LISTED,
        knowledge::secret_requests::LISTED,
        identity::audit::LISTED,
        identity::auth::LISTED,
        messaging::dead_letters::LISTED,
        messaging::emoji::LISTED,
        store::events::LISTED,
        store::idempotency::LISTED,
        &store::queue::listed(),
        insight::live::LISTED,
        &messaging::messages::listed(),
        messaging::profiles::LISTED,
        messaging::quotas::LISTED,
        messaging::channels::LISTED,
        messaging::messages::timeline::LISTED,
        messaging::notifications::LISTED,
        &identity::oauth::listed(),
        knowledge::onboarding::LISTED,
        &identity::principals::listed(),
        &insight::principals::listed(),
        identity::participants::LISTED,
        messaging::pins::LISTED,
        messaging::reactions::LISTED,
        messaging::saved::LISTED,
        messaging::scheduled::LISTED,
        messaging::search::LISTED,
        &identity::sessions::listed(),
        messaging::tasks::LISTED,
        messaging::templates::LISTED,
        &insight::traces::listed(),
        messaging::trust::LISTED,
        identity::users::store::LISTED,
        hub::certificates::LISTED,
    ]
    .concat()
}
