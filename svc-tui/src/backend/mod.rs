//! The hub, as the terminal UI sees it: one trait, and its two implementations.
//!
//! [`local`] opens the hub in this process, on the store of a server that may be running; [`remote`] speaks REST and
//! server-sent events. Both return the types of `svc-model`, so that everything above shows the same.
//!
//! Invariants: a backend acts with one login, and the hub decides what it may do. A change that has an idempotency
//! key happens once, however often it is sent.

mod failure;
pub(crate) mod local;
mod place;
pub(crate) mod remote;

use async_trait::async_trait;
use svc_core::agents::{Agent, AgentSettings};
use svc_core::auth::Identity;
use svc_core::channels::{Channel, Member};
use svc_core::conversations::Timeline;
use svc_core::dead_letters::{DeadLetter, DeadLetterPage};
use svc_core::goals::{ApprovalList, Goal, GoalDetail, GoalPage, GoalTask, Proposal, TaskVerdict};
use svc_core::governance::{BudgetUse, Loop};
use svc_core::ids::{DeadLetterId, DeliveryId, EventSeq, GoalId, GoalTaskId, LoopId, MessageId, RunId, WebhookId};
use svc_core::live::LiveBody;
use svc_core::messages::{Message, MessageEdit, NewMessage, Thread};
use svc_core::model::conversations::Window;
use svc_core::notifications::{AttentionLevel, Mark, Mention, Partner, Unread};
use svc_core::principals::RegistryView;
use svc_core::reactions::{ReactionChange, ReactionKind, StatePage, WorkflowState};
use svc_core::runs::{NewRun, ReactiveAgent, Run, RunDetails, RunPage};
use svc_core::search::{SearchFilter, SearchPage};
use svc_core::webhooks::{Delivery, DeliveryDetails, DeliveryPage, Webhook};
use svc_core::wiki::{Article, ArticleFilter, ArticlePage, ArticleSave, NewArticle};

pub(crate) use self::failure::{Cause, Failure};
pub(crate) use self::place::Place;

/// The result of a request to the hub.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

/// An event of the live feed.
#[derive(Debug, Clone)]
pub(crate) struct News {
    /// Its position in the log, from which to resume; none for an event that is not in the log.
    pub(crate) seq: Option<EventSeq>,
    /// The event.
    pub(crate) body: LiveBody,
}

/// A live feed of events. It does not reconnect: the link above does, so that it can show the state of the connection.
#[async_trait]
pub(crate) trait Feed: Send {
    /// The next event. `None` when the login has ended. A failure ends the feed.
    async fn next(&mut self) -> Result<Option<News>>;
}

/// The log of a run, from its beginning, and what is added to it until the run ends.
#[async_trait]
pub(crate) trait LogFeed: Send {
    /// The next part; `None` at the end of the run.
    async fn next(&mut self) -> Result<Option<String>>;
}

/// A hub and a login.
#[async_trait]
pub(crate) trait Backend: Send + Sync + 'static {
    /// Who is logged in.
    async fn whoami(&self) -> Result<Identity>;
    /// Ends the login at the hub.
    async fn log_out(&self) -> Result<()>;
    /// Ends the connection to the hub, after all feeds. Nothing is asked afterwards.
    async fn close(&self);
    /// Live events after a position, or from now on.
    async fn follow(&self, after: Option<EventSeq>) -> Result<Box<dyn Feed>>;

    /// Channels that can be seen, up to 200.
    async fn channels(&self) -> Result<Vec<Channel>>;
    /// The members of a channel, up to 200.
    async fn members(&self, channel: &str) -> Result<Vec<Member>>;
    /// Joins a channel.
    async fn join(&self, channel: &str) -> Result<Channel>;
    /// Leaves a channel.
    async fn leave(&self, channel: &str) -> Result<()>;
    /// Participants with whom there are direct messages, up to 100, the latest first.
    async fn partners(&self) -> Result<Vec<Partner>>;
    /// Unread counts.
    async fn unread(&self) -> Result<Vec<Unread>>;
    /// Unread mentions, up to 50, newest first.
    async fn mentions(&self) -> Result<Vec<Mention>>;
    /// Marks conversations as read.
    async fn mark_read(&self, marks: Vec<Mark>) -> Result<()>;
    /// Sets how much attention a conversation gets.
    async fn set_level(&self, place: &Place, level: AttentionLevel) -> Result<()>;

    /// Messages of a channel; the latest without a window.
    async fn channel_timeline(&self, channel: &str, window: Option<Window>, limit: i64) -> Result<Timeline>;
    /// Direct messages between the user and a participant, or between the agent `with` of the user and that one.
    async fn direct_timeline(
        &self,
        handle: &str,
        with: Option<&str>,
        window: Option<Window>,
        limit: i64,
    ) -> Result<Timeline>;
    /// Messages of a conversation; the latest without a window.
    async fn timeline(&self, place: &Place, window: Option<Window>, limit: i64) -> Result<Timeline> {
        match place {
            Place::Channel(name) => self.channel_timeline(name, window, limit).await,
            Place::Direct(handle) => self.direct_timeline(handle, None, window, limit).await,
            // One of them is an agent of the user, and the hub knows which.
            Place::Between(one, other) => match self.direct_timeline(one, Some(other), window, limit).await {
                Err(failure) if failure.cause == Cause::Refused => {
                    self.direct_timeline(other, Some(one), window, limit).await
                }
                answer => answer,
            },
        }
    }
    /// The thread of a message.
    async fn thread(&self, id: MessageId) -> Result<Thread>;
    /// A message.
    async fn message(&self, id: MessageId) -> Result<Message>;
    /// Sends a message.
    async fn send(&self, message: NewMessage, idempotency_key: &str) -> Result<Message>;
    /// Replaces the text of a message of the user.
    async fn edit(&self, id: MessageId, edit: MessageEdit) -> Result<Message>;
    /// Deletes a message; what remains of it.
    async fn delete(&self, id: MessageId) -> Result<Message>;
    /// Adds a reaction, or removes it when it is there.
    async fn react(&self, id: MessageId, reaction: ReactionKind, idempotency_key: &str) -> Result<ReactionChange>;
    /// Marks a direct message as processed.
    async fn finish(&self, id: MessageId) -> Result<Message>;
    /// Searches messages.
    async fn search(&self, filter: SearchFilter) -> Result<SearchPage>;
    /// Messages in a state of the workflow.
    async fn by_state(&self, state: WorkflowState, channel: Option<&str>, limit: i64) -> Result<StatePage>;
    /// The bytes of an attachment, by its hash.
    async fn download(&self, hash: &str) -> Result<Vec<u8>>;

    /// The agents of the user, up to 200.
    async fn agents(&self) -> Result<Vec<Agent>>;
    /// Changes an agent: pauses it, ends its quarantine.
    async fn update_agent(&self, name: &str, settings: AgentSettings) -> Result<Agent>;
    /// The budget of an agent with what was spent.
    async fn budget(&self, agent: &str) -> Result<BudgetUse>;
    /// What the agents that the hub runs are doing.
    async fn reactive_agents(&self) -> Result<Vec<ReactiveAgent>>;
    /// Loops between agents that are held.
    async fn held_loops(&self) -> Result<Vec<Loop>>;
    /// Lifts the hold of a loop.
    async fn lift_loop(&self, id: LoopId) -> Result<()>;

    /// Runs, the latest first.
    async fn runs(&self, agent: Option<&str>, before: Option<RunId>, limit: i64) -> Result<RunPage>;
    /// A run.
    async fn run(&self, id: RunId) -> Result<RunDetails>;
    /// The log of a run.
    async fn run_log(&self, id: RunId) -> Result<Box<dyn LogFeed>>;
    /// Starts an agent.
    async fn start_run(&self, agent: &str, new: NewRun, idempotency_key: &str) -> Result<Run>;
    /// Repeats a run.
    async fn retry_run(&self, id: RunId, idempotency_key: &str) -> Result<Run>;
    /// Cancels a run.
    async fn cancel_run(&self, id: RunId) -> Result<Run>;

    /// Goals, those that are stuck first.
    async fn goals(&self, cursor: Option<String>, limit: i64) -> Result<GoalPage>;
    /// A goal with its tasks.
    async fn goal(&self, id: GoalId) -> Result<GoalDetail>;
    /// What waits for a decision of the user.
    async fn approvals(&self) -> Result<ApprovalList>;
    /// Approves all proposed tasks of a goal.
    async fn approve_goal(&self, id: GoalId) -> Result<Goal>;
    /// Approves a proposed task.
    async fn approve_task(&self, goal: GoalId, task: GoalTaskId) -> Result<GoalTask>;
    /// Accepts or rejects the result of a task.
    async fn verify_task(&self, goal: GoalId, task: GoalTaskId, verdict: TaskVerdict) -> Result<GoalTask>;
    /// Opens a task that has ended again.
    async fn reopen_task(&self, goal: GoalId, task: GoalTaskId, reason: Option<String>) -> Result<GoalTask>;
    /// Cancels a task.
    async fn cancel_task(&self, goal: GoalId, task: GoalTaskId, reason: Option<String>) -> Result<GoalTask>;
    /// Approves a proposed agent.
    async fn approve_agent(&self, goal: GoalId, number: i64) -> Result<Proposal>;
    /// Rejects a proposed agent.
    async fn reject_agent(&self, goal: GoalId, number: i64, reason: Option<String>) -> Result<Proposal>;

    /// Articles of the wiki.
    async fn articles(&self, filter: ArticleFilter) -> Result<ArticlePage>;
    /// An article.
    async fn article(&self, slug: &str) -> Result<Article>;
    /// Saves an article. A save that does not start from the current revision is merged, or fails with 409.
    async fn save_article(&self, slug: &str, save: ArticleSave) -> Result<Article>;
    /// Creates an article.
    async fn create_article(&self, article: NewArticle, idempotency_key: &str) -> Result<Article>;

    /// Dead letters that are not acknowledged, the latest first.
    async fn dead_letters(&self, offset: i64, limit: i64) -> Result<DeadLetterPage>;
    /// Sends a dead letter again.
    async fn retry_dead_letter(&self, id: DeadLetterId) -> Result<DeadLetter>;
    /// Acknowledges a dead letter.
    async fn acknowledge_dead_letter(&self, id: DeadLetterId) -> Result<DeadLetter>;
    /// Webhooks of the user's agents.
    async fn webhooks(&self) -> Result<Vec<Webhook>>;
    /// Deliveries of a webhook, the latest first.
    async fn deliveries(&self, webhook: WebhookId, before: Option<DeliveryId>, limit: i64) -> Result<DeliveryPage>;
    /// A delivery with its request and its attempts.
    async fn delivery(&self, id: DeliveryId) -> Result<DeliveryDetails>;
    /// Sends a delivery again.
    async fn retry_delivery(&self, id: DeliveryId) -> Result<Delivery>;
    /// The registered machines.
    async fn machines(&self) -> Result<RegistryView>;
}
