//! A hub that can be away: a gate before another backend.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use svc_core::agents::{Agent, AgentSettings};
use svc_core::auth::Identity;
use svc_core::channels::{Channel, Member};
use svc_core::conversations::Timeline;
use svc_core::dead_letters::{DeadLetter, DeadLetterPage};
use svc_core::goals::{ApprovalList, Goal, GoalDetail, GoalPage, GoalTask, Proposal, TaskVerdict};
use svc_core::governance::{BudgetUse, Loop};
use svc_core::ids::{DeadLetterId, DeliveryId, EventSeq, GoalId, GoalTaskId, LoopId, MessageId, RunId, WebhookId};
use svc_core::messages::{Message, MessageEdit, NewMessage, Thread};
use svc_core::model::conversations::Window;
use svc_core::notifications::{AttentionLevel, Mark, Mention, Partner, Unread};
use svc_core::principals::RegistryView;
use svc_core::reactions::{ReactionChange, ReactionKind, StatePage, WorkflowState};
use svc_core::runs::{NewRun, ReactiveAgent, Run, RunDetails, RunPage};
use svc_core::search::{SearchFilter, SearchPage};
use svc_core::webhooks::{Delivery, DeliveryDetails, DeliveryPage, Webhook};
use svc_core::wiki::{Article, ArticleFilter, ArticlePage, ArticleSave, NewArticle};

use crate::backend::{Backend, Failure, Feed, LogFeed, Place, Result};

/// A gate before a hub.
pub(crate) struct Gate {
    hub: Arc<dyn Backend>,
    open: AtomicBool,
}

impl Gate {
    /// A gate that is shut.
    pub(crate) fn shut(hub: Arc<dyn Backend>) -> Arc<Self> {
        Arc::new(Self { hub, open: AtomicBool::new(false) })
    }

    /// Lets requests pass from now on.
    pub(crate) fn open(&self) {
        self.open.store(true, Ordering::SeqCst);
    }

    fn pass(&self) -> Result<&dyn Backend> {
        if self.open.load(Ordering::SeqCst) {
            return Ok(self.hub.as_ref());
        }
        Err(Failure::unreachable("The hub cannot be reached: connection refused."))
    }
}

/// Passes the methods of a backend on.
macro_rules! passes {
    ($($method:ident($($name:ident: $kind:ty),*) -> $answer:ty;)*) => {
        #[async_trait]
        impl Backend for Gate {
            $(async fn $method(&self, $($name: $kind),*) -> Result<$answer> {
                self.pass()?.$method($($name),*).await
            })*

            async fn close(&self) {
                self.hub.close().await;
            }
        }
    };
}

passes! {
    whoami() -> Identity;
    log_out() -> ();
    follow(after: Option<EventSeq>) -> Box<dyn Feed>;
    channels() -> Vec<Channel>;
    members(channel: &str) -> Vec<Member>;
    join(channel: &str) -> Channel;
    leave(channel: &str) -> ();
    partners() -> Vec<Partner>;
    unread() -> Vec<Unread>;
    mentions() -> Vec<Mention>;
    mark_read(marks: Vec<Mark>) -> ();
    set_level(place: &Place, level: AttentionLevel) -> ();
    channel_timeline(channel: &str, window: Option<Window>, limit: i64) -> Timeline;
    direct_timeline(handle: &str, with: Option<&str>, window: Option<Window>, limit: i64) -> Timeline;
    thread(id: MessageId) -> Thread;
    message(id: MessageId) -> Message;
    send(message: NewMessage, idempotency_key: &str) -> Message;
    edit(id: MessageId, edit: MessageEdit) -> Message;
    delete(id: MessageId) -> Message;
    react(id: MessageId, reaction: ReactionKind, idempotency_key: &str) -> ReactionChange;
    finish(id: MessageId) -> Message;
    search(filter: SearchFilter) -> SearchPage;
    by_state(state: WorkflowState, channel: Option<&str>, limit: i64) -> StatePage;
    download(hash: &str) -> Vec<u8>;
    agents() -> Vec<Agent>;
    update_agent(name: &str, settings: AgentSettings) -> Agent;
    budget(agent: &str) -> BudgetUse;
    reactive_agents() -> Vec<ReactiveAgent>;
    held_loops() -> Vec<Loop>;
    lift_loop(id: LoopId) -> ();
    runs(agent: Option<&str>, before: Option<RunId>, limit: i64) -> RunPage;
    run(id: RunId) -> RunDetails;
    run_log(id: RunId) -> Box<dyn LogFeed>;
    start_run(agent: &str, new: NewRun, idempotency_key: &str) -> Run;
    retry_run(id: RunId, idempotency_key: &str) -> Run;
    cancel_run(id: RunId) -> Run;
    goals(cursor: Option<String>, limit: i64) -> GoalPage;
    goal(id: GoalId) -> GoalDetail;
    approvals() -> ApprovalList;
    approve_goal(id: GoalId) -> Goal;
    approve_task(goal: GoalId, task: GoalTaskId) -> GoalTask;
    verify_task(goal: GoalId, task: GoalTaskId, verdict: TaskVerdict) -> GoalTask;
    reopen_task(goal: GoalId, task: GoalTaskId, reason: Option<String>) -> GoalTask;
    cancel_task(goal: GoalId, task: GoalTaskId, reason: Option<String>) -> GoalTask;
    approve_agent(goal: GoalId, number: i64) -> Proposal;
    reject_agent(goal: GoalId, number: i64, reason: Option<String>) -> Proposal;
    articles(filter: ArticleFilter) -> ArticlePage;
    article(slug: &str) -> Article;
    save_article(slug: &str, save: ArticleSave) -> Article;
    create_article(article: NewArticle, idempotency_key: &str) -> Article;
    dead_letters(offset: i64, limit: i64) -> DeadLetterPage;
    retry_dead_letter(id: DeadLetterId) -> DeadLetter;
    acknowledge_dead_letter(id: DeadLetterId) -> DeadLetter;
    webhooks() -> Vec<Webhook>;
    deliveries(webhook: WebhookId, before: Option<DeliveryId>, limit: i64) -> DeliveryPage;
    delivery(id: DeliveryId) -> DeliveryDetails;
    retry_delivery(id: DeliveryId) -> Delivery;
    machines() -> RegistryView;
}
