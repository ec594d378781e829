//! A hub elsewhere: REST and server-sent events through `svc-client`.
//!
//! Invariants: a request is made once and fails soon, because a person waits for it; the link and the outbox repeat
//! what may be repeated. Only expired tokens of a login in a browser are renewed here.

mod credential;
mod feed;
mod log_text;

use std::sync::Arc;

use async_trait::async_trait;
use svc_client::{Client, EventsFrom};
use svc_core::agents::{Agent, AgentSettings};
use svc_core::auth::Identity;
use svc_core::channels::{Channel, Member};
use svc_core::conversations::Timeline;
use svc_core::dead_letters::{DeadLetter, DeadLetterPage};
use svc_core::goals::{ApprovalList, DecisionNote, Goal, GoalDetail, GoalPage, GoalTask, Proposal, TaskVerdict};
use svc_core::governance::{BudgetUse, Loop};
use svc_core::ids::{DeadLetterId, DeliveryId, EventSeq, GoalId, GoalTaskId, LoopId, MessageId, RunId, WebhookId};
use svc_core::messages::{Message, MessageEdit, NewMessage, Thread};
use svc_core::notifications::{AttentionLevel, Mark, Mention, Partner, Unread};
use svc_core::principals::RegistryView;
use svc_core::reactions::{ReactionChange, ReactionKind, StatePage, WorkflowState};
use svc_core::runs::{NewRun, ReactiveAgent, Run, RunDetails, RunPage};
use svc_core::search::{SearchFilter, SearchPage};
use svc_core::webhooks::{Delivery, DeliveryDetails, DeliveryPage, Webhook};
use svc_core::wiki::{Article, ArticleFilter, ArticlePage, ArticleSave, NewArticle};

use self::credential::RemoteCredential;
use self::feed::{RemoteFeed, RemoteLog};
pub(super) use self::log_text::LogText;
use super::{Backend, Feed, LogFeed, Place, Result, Window};
use crate::config_dir::{KeptLogin, Logins};

/// The largest page of a list.
const PAGE: (&str, &str) = ("limit", "200");

/// A hub elsewhere, and a login.
pub(crate) struct Remote {
    credential: Arc<RemoteCredential>,
}

impl Remote {
    /// The hub of this client. Nothing is requested yet.
    pub(crate) fn new(client: Client, login: &KeptLogin, logins: Option<Logins>) -> Self {
        Self { credential: Arc::new(RemoteCredential::of(client, login, logins)) }
    }
}

/// The parameters that have a value.
fn given<'p>(parameters: &'p [(&'p str, Option<String>)]) -> Vec<(&'p str, &'p str)> {
    parameters.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?))).collect()
}

/// The parameters of a part of a conversation; `with` is an agent whose direct messages are read.
fn part(window: Option<Window>, limit: i64, with: Option<&str>) -> [(&'static str, Option<String>); 3] {
    let (name, id) = match window {
        None => ("before", None),
        Some(Window::Before(id)) => ("before", Some(id)),
        Some(Window::After(id)) => ("after", Some(id)),
        Some(Window::Around(id)) => ("around", Some(id)),
    };
    [(name, id.map(|id| id.to_string())), ("limit", Some(limit.to_string())), ("with", with.map(str::to_owned))]
}

#[async_trait]
impl Backend for Remote {
    async fn whoami(&self) -> Result<Identity> {
        self.credential.ask(|client| async move { client.whoami().await }).await
    }

    async fn log_out(&self) -> Result<()> {
        self.credential.end().await
    }

    async fn close(&self) {
        // Each connection ends with the feed or the request that holds it, and idle ones with the client.
    }

    async fn follow(&self, after: Option<EventSeq>) -> Result<Box<dyn Feed>> {
        let from = after.map_or(EventsFrom::Now, EventsFrom::After);
        let connection = self.credential.ask(|client| async move { client.events_once(from).await }).await?;
        Ok(Box::new(RemoteFeed { connection, credential: self.credential.clone() }))
    }

    async fn channels(&self) -> Result<Vec<Channel>> {
        let page = self.credential.ask(|client| async move { client.channels(&[PAGE]).await }).await?;
        Ok(page.channels)
    }

    async fn members(&self, channel: &str) -> Result<Vec<Member>> {
        let page = self.credential.ask(|client| async move { client.members(channel, &[PAGE]).await }).await?;
        Ok(page.members)
    }

    async fn join(&self, channel: &str) -> Result<Channel> {
        self.credential.ask(|client| async move { client.join(channel).await }).await
    }

    async fn leave(&self, channel: &str) -> Result<()> {
        self.credential.ask(|client| async move { client.leave(channel).await }).await
    }

    async fn partners(&self) -> Result<Vec<Partner>> {
        self.credential.ask(|client| async move { client.partners(&[("limit", "100")]).await }).await
    }

    async fn unread(&self) -> Result<Vec<Unread>> {
        self.credential.ask(|client| async move { client.unread().await }).await
    }

    async fn mentions(&self) -> Result<Vec<Mention>> {
        let page = self.credential.ask(|client| async move { client.mentions(&[("unread", "true")]).await }).await?;
        Ok(page.mentions)
    }

    async fn mark_read(&self, marks: Vec<Mark>) -> Result<()> {
        let marks = &marks;
        self.credential.ask(|client| async move { client.mark_read(marks).await }).await
    }

    async fn set_level(&self, place: &Place, level: AttentionLevel) -> Result<()> {
        let change = &super::local::level_of(place, level);
        self.credential.ask(|client| async move { client.change_notification_settings(change).await }).await.map(drop)
    }

    async fn channel_timeline(&self, channel: &str, window: Option<Window>, limit: i64) -> Result<Timeline> {
        let parameters = part(window, limit, None);
        let query = &given(&parameters);
        self.credential.ask(|client| async move { client.channel_messages(channel, query).await }).await
    }

    async fn direct_timeline(
        &self,
        handle: &str,
        with: Option<&str>,
        window: Option<Window>,
        limit: i64,
    ) -> Result<Timeline> {
        let parameters = part(window, limit, with);
        let query = &given(&parameters);
        self.credential.ask(|client| async move { client.direct_messages(handle, query).await }).await
    }

    async fn thread(&self, id: MessageId) -> Result<Thread> {
        self.credential.ask(|client| async move { client.thread(id, &[PAGE]).await }).await
    }

    async fn message(&self, id: MessageId) -> Result<Message> {
        self.credential.ask(|client| async move { client.message(id).await }).await
    }

    async fn send(&self, message: NewMessage, idempotency_key: &str) -> Result<Message> {
        let message = &message;
        self.credential.ask(|client| async move { client.send(message, Some(idempotency_key)).await }).await
    }

    async fn edit(&self, id: MessageId, edit: MessageEdit) -> Result<Message> {
        let edit = &edit;
        self.credential.ask(|client| async move { client.edit_message(id, edit, None).await }).await
    }

    async fn delete(&self, id: MessageId) -> Result<Message> {
        self.credential.ask(|client| async move { client.delete_message(id).await }).await
    }

    async fn react(&self, id: MessageId, reaction: ReactionKind, idempotency_key: &str) -> Result<ReactionChange> {
        let react = |client: Client| async move { client.toggle_reaction(id, reaction, Some(idempotency_key)).await };
        self.credential.ask(react).await
    }

    async fn finish(&self, id: MessageId) -> Result<Message> {
        self.credential.ask(|client| async move { client.done(id, None).await }).await
    }

    async fn search(&self, filter: SearchFilter) -> Result<SearchPage> {
        let SearchFilter { q, channel, agent, after, before, status, has, state, sort, limit, offset, peek: _ } =
            filter;
        let (limit, offset) = (limit.map(|limit| limit.to_string()), offset.map(|offset| offset.to_string()));
        let parameters = [
            ("q", q),
            ("channel", channel),
            ("agent", agent),
            ("after", after),
            ("before", before),
            ("status", status),
            ("has", has),
            ("state", state),
            ("sort", sort),
            ("limit", limit),
            ("offset", offset),
        ];
        let query = &given(&parameters);
        let search = |client: Client| async move { client.get(&["api", "messages", "search"], query).await };
        self.credential.ask(search).await
    }

    async fn by_state(&self, state: WorkflowState, channel: Option<&str>, limit: i64) -> Result<StatePage> {
        let parameters = [("channel", channel.map(ToOwned::to_owned)), ("limit", Some(limit.to_string()))];
        let query = &given(&parameters);
        self.credential.ask(|client| async move { client.messages_by_state(state, query).await }).await
    }

    async fn download(&self, hash: &str) -> Result<Vec<u8>> {
        self.credential.ask(|client| async move { client.download(hash).await }).await
    }

    async fn agents(&self) -> Result<Vec<Agent>> {
        let page = self.credential.ask(|client| async move { client.agents(&[PAGE]).await }).await?;
        Ok(page.agents)
    }

    async fn update_agent(&self, name: &str, settings: AgentSettings) -> Result<Agent> {
        let settings = &settings;
        self.credential.ask(|client| async move { client.update_agent(name, settings).await }).await
    }

    async fn budget(&self, agent: &str) -> Result<BudgetUse> {
        self.credential.ask(|client| async move { client.budget(agent).await }).await
    }

    async fn reactive_agents(&self) -> Result<Vec<ReactiveAgent>> {
        let list = self.credential.ask(|client| async move { client.reactive_agents().await }).await?;
        Ok(list.agents)
    }

    async fn held_loops(&self) -> Result<Vec<Loop>> {
        let list = self.credential.ask(|client| async move { client.loops(&[("held", "true")]).await }).await?;
        Ok(list.loops)
    }

    async fn lift_loop(&self, id: LoopId) -> Result<()> {
        self.credential.ask(|client| async move { client.lift_loop(id).await }).await.map(drop)
    }

    async fn runs(&self, agent: Option<&str>, before: Option<RunId>, limit: i64) -> Result<RunPage> {
        let parameters = [
            ("agent", agent.map(ToOwned::to_owned)),
            ("cursor", before.map(|before| before.to_string())),
            ("limit", Some(limit.to_string())),
        ];
        let query = &given(&parameters);
        self.credential.ask(|client| async move { client.runs(query).await }).await
    }

    async fn run(&self, id: RunId) -> Result<RunDetails> {
        self.credential.ask(|client| async move { client.run(id).await }).await
    }

    async fn run_log(&self, id: RunId) -> Result<Box<dyn LogFeed>> {
        let stream = self.credential.ask(|client| async move { client.follow_run_log(id).await }).await?;
        Ok(Box::new(RemoteLog { stream, text: LogText::default() }))
    }

    async fn start_run(&self, agent: &str, new: NewRun, idempotency_key: &str) -> Result<Run> {
        let new = &new;
        self.credential.ask(|client| async move { client.start_run(agent, new, Some(idempotency_key)).await }).await
    }

    async fn retry_run(&self, id: RunId, idempotency_key: &str) -> Result<Run> {
        self.credential.ask(|client| async move { client.retry_run(id, Some(idempotency_key)).await }).await
    }

    async fn cancel_run(&self, id: RunId) -> Result<Run> {
        self.credential.ask(|client| async move { client.cancel_run(id).await }).await
    }

    async fn goals(&self, cursor: Option<String>, limit: i64) -> Result<GoalPage> {
        let parameters = [("cursor", cursor), ("limit", Some(limit.to_string()))];
        let query = &given(&parameters);
        self.credential.ask(|client| async move { client.goals(query).await }).await
    }

    async fn goal(&self, id: GoalId) -> Result<GoalDetail> {
        self.credential.ask(|client| async move { client.goal(id).await }).await
    }

    async fn approvals(&self) -> Result<ApprovalList> {
        self.credential.ask(|client| async move { client.approvals().await }).await
    }

    async fn approve_goal(&self, id: GoalId) -> Result<Goal> {
        self.credential.ask(|client| async move { client.approve_goal(id).await }).await
    }

    async fn approve_task(&self, goal: GoalId, task: GoalTaskId) -> Result<GoalTask> {
        self.credential.ask(|client| async move { client.approve_task(goal, task).await }).await
    }

    async fn verify_task(&self, goal: GoalId, task: GoalTaskId, verdict: TaskVerdict) -> Result<GoalTask> {
        let verdict = &verdict;
        self.credential.ask(|client| async move { client.verify_task(goal, task, verdict).await }).await
    }

    async fn reopen_task(&self, goal: GoalId, task: GoalTaskId, reason: Option<String>) -> Result<GoalTask> {
        let note = &DecisionNote { reason };
        self.credential.ask(|client| async move { client.reopen_task(goal, task, note).await }).await
    }

    async fn cancel_task(&self, goal: GoalId, task: GoalTaskId, reason: Option<String>) -> Result<GoalTask> {
        let note = &DecisionNote { reason };
        self.credential.ask(|client| async move { client.cancel_task(goal, task, note).await }).await
    }

    async fn approve_agent(&self, goal: GoalId, number: i64) -> Result<Proposal> {
        self.credential.ask(|client| async move { client.approve_agent(goal, number).await }).await
    }

    async fn reject_agent(&self, goal: GoalId, number: i64, reason: Option<String>) -> Result<Proposal> {
        let note = &DecisionNote { reason };
        self.credential.ask(|client| async move { client.reject_agent(goal, number, note).await }).await
    }

    async fn articles(&self, filter: ArticleFilter) -> Result<ArticlePage> {
        let parameters = [
            ("q", filter.q),
            ("sort", filter.sort.map(|sort| sort.as_str().to_owned())),
            ("state", filter.state.map(|state| state.as_str().to_owned())),
            ("cursor", filter.cursor),
            ("limit", filter.limit.map(|limit| limit.to_string())),
        ];
        let query = &given(&parameters);
        self.credential.ask(|client| async move { client.articles(query).await }).await
    }

    async fn article(&self, slug: &str) -> Result<Article> {
        self.credential.ask(|client| async move { client.article(slug).await }).await
    }

    async fn save_article(&self, slug: &str, save: ArticleSave) -> Result<Article> {
        let save = &save;
        self.credential.ask(|client| async move { client.save_article(slug, save).await }).await
    }

    async fn create_article(&self, article: NewArticle, idempotency_key: &str) -> Result<Article> {
        let article = &article;
        self.credential.ask(|client| async move { client.create_article(article, Some(idempotency_key)).await }).await
    }

    async fn dead_letters(&self, offset: i64, limit: i64) -> Result<DeadLetterPage> {
        let (offset, limit) = (offset.to_string(), limit.to_string());
        let query = &[("acknowledged", "false"), ("offset", &*offset), ("limit", &*limit)];
        self.credential.ask(|client| async move { client.dead_letters(query).await }).await
    }

    async fn retry_dead_letter(&self, id: DeadLetterId) -> Result<DeadLetter> {
        self.credential.ask(|client| async move { client.retry_dead_letter(id).await }).await
    }

    async fn acknowledge_dead_letter(&self, id: DeadLetterId) -> Result<DeadLetter> {
        self.credential.ask(|client| async move { client.acknowledge_dead_letter(id).await }).await
    }

    async fn webhooks(&self) -> Result<Vec<Webhook>> {
        let list = self.credential.ask(|client| async move { client.webhooks(&[]).await }).await?;
        Ok(list.webhooks)
    }

    async fn deliveries(&self, webhook: WebhookId, before: Option<DeliveryId>, limit: i64) -> Result<DeliveryPage> {
        let parameters = [("cursor", before.map(|before| before.to_string())), ("limit", Some(limit.to_string()))];
        let query = &given(&parameters);
        self.credential.ask(|client| async move { client.deliveries(webhook, query).await }).await
    }

    async fn delivery(&self, id: DeliveryId) -> Result<DeliveryDetails> {
        self.credential.ask(|client| async move { client.delivery(id).await }).await
    }

    async fn retry_delivery(&self, id: DeliveryId) -> Result<Delivery> {
        self.credential.ask(|client| async move { client.retry_delivery(id).await }).await
    }

    async fn machines(&self) -> Result<RegistryView> {
        self.credential.ask(|client| async move { client.machines().await }).await
    }
}
