//! The handles of a hub: one for each noun.

use super::Hub;
use super::backup::Backups;
use super::config::HubConfig;
use super::first_run::FirstAdmin;
use crate::automation::cluster::Cluster;
use crate::automation::governance::Governance;
use crate::automation::runs::Runs;
use crate::automation::webhooks::Webhooks;
use crate::clock::{Clock, Entropy};
use crate::identity::agents::Agents;
use crate::identity::api_keys::ApiKeys;
use crate::identity::audit::Audit;
use crate::identity::auth::Auth;
use crate::identity::oauth::OAuth;
use crate::identity::participants::Participants;
use crate::identity::principals::Principals;
use crate::identity::secrets::Secrets;
use crate::identity::sessions::Sessions;
use crate::identity::users::Users;
use crate::insight::analytics::Analytics;
use crate::insight::live::Live;
use crate::insight::push::Push;
use crate::insight::traces::Traces;
use crate::knowledge::goals::Goals;
use crate::knowledge::onboarding::Onboarding;
use crate::knowledge::secret_requests::SecretRequests;
use crate::knowledge::wiki::Wiki;
use crate::messaging::attachments::Attachments;
use crate::messaging::channels::Channels;
use crate::messaging::dead_letters::DeadLetters;
use crate::messaging::emoji::Emojis;
use crate::messaging::messages::Messages;
use crate::messaging::notifications::Notifications;
use crate::messaging::pins::Pins;
use crate::messaging::profiles::Profiles;
use crate::messaging::quotas::Quotas;
use crate::messaging::reactions::Reactions;
use crate::messaging::saved::SavedMessages;
use crate::messaging::scheduled::Scheduled;
use crate::messaging::search::Search;
use crate::messaging::tasks::Tasks;
use crate::messaging::templates::Templates;
use crate::messaging::trust::Trust;
use crate::store::db::Db;
use crate::store::events::EventLog;
use crate::store::leases::Leases;
use crate::store::queue::Queues;
use crate::telemetry::Tracer;

impl Hub {
    /// The settings of this hub.
    pub fn config(&self) -> &HubConfig {
        &self.inner.config
    }

    /// The store, for programs that keep their own tables beside the hub's.
    pub fn db(&self) -> &Db {
        &self.inner.db
    }

    /// The event log.
    pub fn events(&self) -> &EventLog {
        &self.inner.events
    }

    /// The record of actions.
    pub fn traces(&self) -> &Traces {
        &self.inner.traces
    }

    /// Message counts by sender, channel and time.
    pub fn analytics(&self) -> &Analytics {
        &self.inner.analytics
    }

    /// Authentication of credentials.
    pub fn auth(&self) -> &Auth {
        &self.inner.auth
    }

    /// The audit log of accounts and credentials.
    pub fn audit(&self) -> &Audit {
        &self.inner.audit
    }

    /// Human accounts.
    pub fn users(&self) -> &Users {
        &self.inner.users
    }

    /// Logins of humans.
    pub fn sessions(&self) -> &Sessions {
        &self.inner.sessions
    }

    /// Agents: programs that act for humans.
    pub fn agents(&self) -> &Agents {
        &self.inner.agents
    }

    /// API keys with limits.
    pub fn api_keys(&self) -> &ApiKeys {
        &self.inner.api_keys
    }

    /// The OAuth server: clients, grants and tokens.
    pub fn oauth(&self) -> &OAuth {
        &self.inner.oauth
    }

    /// Secret values that agent runs receive.
    pub fn secrets(&self) -> &Secrets {
        &self.inner.secrets
    }

    /// Messages between participants.
    pub fn messages(&self) -> &Messages {
        &self.inner.messages
    }

    /// Reactions to messages, and the workflow states that follow from them.
    pub fn reactions(&self) -> &Reactions {
        &self.inner.reactions
    }

    /// Emoji under messages.
    pub fn emoji(&self) -> &Emojis {
        &self.inner.emoji
    }

    /// Profiles of people and agents, and the directory.
    pub fn profiles(&self) -> &Profiles {
        &self.inner.profiles
    }

    /// Pinned messages.
    pub fn pins(&self) -> &Pins {
        &self.inner.pins
    }

    /// Messages that humans have saved for later.
    pub fn saved(&self) -> &SavedMessages {
        &self.inner.saved
    }

    /// Messages that are sent later.
    pub fn scheduled(&self) -> &Scheduled {
        &self.inner.scheduled
    }

    /// Texts that humans write often.
    pub fn templates(&self) -> &Templates {
        &self.inner.templates
    }

    /// The task auction.
    pub fn tasks(&self) -> &Tasks {
        &self.inner.tasks
    }

    /// The directory of participants.
    pub fn participants(&self) -> &Participants {
        &self.inner.participants
    }

    /// Machine principals: services that sign their requests.
    pub fn principals(&self) -> &Principals {
        &self.inner.principals
    }

    /// Quotas and their usage.
    pub fn quotas(&self) -> &Quotas {
        &self.inner.quotas
    }

    /// Trust scores of agents.
    pub fn trust(&self) -> &Trust {
        &self.inner.trust
    }

    /// Live events for each caller.
    pub fn live(&self) -> &Live {
        &self.inner.live
    }

    /// Files attached to messages.
    pub fn attachments(&self) -> &Attachments {
        &self.inner.attachments
    }

    /// Message search.
    pub fn search(&self) -> &Search {
        &self.inner.search
    }

    /// Reputation and budgets of agents, and loops between them.
    pub fn governance(&self) -> &Governance {
        &self.inner.governance
    }

    /// Webhooks: endpoints that receive the events of agents.
    pub fn webhooks(&self) -> &Webhooks {
        &self.inner.webhooks
    }

    /// Cluster jobs: handlers that turn the events of agents into Jobs of a Kubernetes cluster.
    pub fn cluster(&self) -> &Cluster {
        &self.inner.cluster
    }

    /// Failed messages.
    pub fn dead_letters(&self) -> &DeadLetters {
        &self.inner.dead_letters
    }

    /// Channels that participants share.
    pub fn channels(&self) -> &Channels {
        &self.inner.channels
    }

    /// Runs of agents: what started them, and what came of them.
    pub fn runs(&self) -> &Runs {
        &self.inner.runs
    }

    /// Unread counts and read cursors.
    pub fn notifications(&self) -> &Notifications {
        &self.inner.notifications
    }

    /// Push messages to browsers.
    pub fn push(&self) -> &Push {
        &self.inner.push
    }

    /// Instructions, skills and client configurations for agents.
    pub fn onboarding(&self) -> &Onboarding {
        &self.inner.onboarding
    }

    /// Goals: outcomes that owners want, with trees of tasks and the agents that do them.
    pub fn goals(&self) -> &Goals {
        &self.inner.goals
    }

    /// The wiki: articles that all participants read and write.
    pub fn wiki(&self) -> &Wiki {
        &self.inner.wiki
    }

    /// Requests of agents for secrets.
    pub fn secret_requests(&self) -> &SecretRequests {
        &self.inner.secret_requests
    }

    /// Backups of the whole hub.
    pub fn backups(&self) -> &Backups {
        &self.inner.backups
    }

    /// The account that was created because the store was empty when this hub opened it. Show it to
    /// the operator; it is not stored anywhere else.
    pub fn first_admin(&self) -> Option<&FirstAdmin> {
        self.inner.first_admin.as_ref()
    }

    /// Leases for work that only one process may do at a time.
    pub fn leases(&self) -> &Leases {
        &self.inner.leases
    }

    /// Durable work queues that all processes share.
    pub fn queues(&self) -> &Queues {
        &self.inner.queues
    }

    /// The hub's clock.
    pub fn clock(&self) -> &dyn Clock {
        self.inner.clock.as_ref()
    }

    /// Begins spans, for the sink of [`HubBuilder::spans`](crate::HubBuilder::spans).
    pub fn tracer(&self) -> &Tracer {
        &self.inner.tracer
    }

    /// The name of this process among those on the store. Every start has another one.
    pub fn node(&self) -> &str {
        self.inner.leases.holder()
    }

    /// The hub's random source.
    pub fn entropy(&self) -> &dyn Entropy {
        self.inner.entropy.as_ref()
    }
}
