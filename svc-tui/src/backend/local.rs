//! The hub in this process, on the store of a server that may be running.
//!
//! Invariants: it takes no lock and starts no worker, so it works beside a server. Each request does what the route of
//! the same name does, with the rules of the core.

mod credential;
mod feed;
mod open;

use async_trait::async_trait;
use futures_util::TryStreamExt;
use svc_core::agents::{Agent, AgentFilter, AgentSettings};
use svc_core::auth::Identity;
use svc_core::channels::{Channel, ChannelFilter, Member};
use svc_core::conversations::{DirectFilter, Timeline, TimelineFilter};
use svc_core::dead_letters::{DeadLetter, DeadLetterFilter, DeadLetterPage};
use svc_core::events::After;
use svc_core::goals::{
    ApprovalList, DecisionNote, Goal, GoalDetail, GoalFilter, GoalPage, GoalTask, Proposal, TaskVerdict,
};
use svc_core::governance::{BudgetUse, Loop, LoopFilter};
use svc_core::ids::{DeadLetterId, DeliveryId, EventSeq, GoalId, GoalTaskId, LoopId, MessageId, RunId, WebhookId};
use svc_core::messages::{Finish, Message, MessageEdit, NewMessage, Thread};
use svc_core::notifications::{
    AttentionLevel, ConversationLevel, Mark, Mention, MentionFilter, Partner, SettingsChange, Unread,
};
use svc_core::principals::RegistryView;
use svc_core::reactions::{ReactionChange, ReactionKind, StateFilter, StatePage, WorkflowState};
use svc_core::runs::{NewRun, ReactiveAgent, Run, RunDetails, RunFilter, RunPage};
use svc_core::search::{SearchFilter, SearchPage};
use svc_core::webhooks::{Delivery, DeliveryDetails, DeliveryFilter, DeliveryPage, Webhook, WebhookFilter};
use svc_core::wiki::{Article, ArticleFilter, ArticlePage, ArticleSave, ArticleSlug, NewArticle};
use svc_core::{Caller, Error, ErrorKind, Hub, Page, limits};

use self::credential::Effect::{Change, Read};
pub(crate) use self::credential::{LocalCredential, visit};
use self::feed::{LocalFeed, LocalLog};
pub(crate) use self::open::open;
use super::remote::LogText;
use super::{Backend, Feed, LogFeed, Place, Result, Window};

/// Participants in the list of direct messages.
const PARTNERS: u32 = 100;

/// The hub in this process, and a login.
pub(crate) struct Local {
    login: LocalCredential,
}

impl Local {
    /// A hub with a login.
    pub(crate) fn new(login: LocalCredential) -> Self {
        Self { login }
    }
}

/// The largest page of a list.
fn page() -> svc_core::Result<Page> {
    Page::new(Some(limits::PAGE_MAX.into()), None)
}

/// The change of settings that sets the level of a conversation.
pub(super) fn level_of(place: &Place, level: AttentionLevel) -> SettingsChange {
    let levels = place.own().map(|(kind, name)| ConversationLevel { kind, name: name.to_owned(), level });
    SettingsChange { conversations: Some(levels.into_iter().collect()), ..SettingsChange::default() }
}

/// The messages before, after and around which a part of a conversation is.
fn part(window: Option<Window>) -> (Option<MessageId>, Option<MessageId>, Option<MessageId>) {
    match window {
        None => (None, None, None),
        Some(Window::Before(id)) => (Some(id), None, None),
        Some(Window::After(id)) => (None, Some(id), None),
        Some(Window::Around(id)) => (None, None, Some(id)),
    }
}

#[async_trait]
impl Backend for Local {
    async fn whoami(&self) -> Result<Identity> {
        let identity = self.login.caller().await?.identity();
        Ok(identity.ok_or_else(|| Error::internal("a credential has no identity"))?)
    }

    async fn log_out(&self) -> Result<()> {
        Ok(self.login.end().await?)
    }

    async fn close(&self) {
        self.login.hub().close().await;
    }

    async fn follow(&self, after: Option<EventSeq>) -> Result<Box<dyn Feed>> {
        let after = after.map_or(After::Now, After::Seq);
        let caller = self.login.caller().await?;
        let feed = self.login.hub().live().follow(&caller, after).await?;
        Ok(Box::new(LocalFeed::new(feed, self.login.clone())))
    }

    async fn channels(&self) -> Result<Vec<Channel>> {
        let filter = ChannelFilter { page: page()?, ..ChannelFilter::default() };
        let read = |hub: Hub, caller: Caller| async move {
            hub.channels().list(&caller, filter).await.map(|page| page.channels)
        };
        Ok(self.login.ask("list_channels", Read, read).await?)
    }

    async fn members(&self, channel: &str) -> Result<Vec<Member>> {
        let page = page()?;
        let read = |hub: Hub, caller: Caller| async move {
            hub.channels().members(&caller, channel, page).await.map(|page| page.members)
        };
        Ok(self.login.ask("list_channel_members", Read, read).await?)
    }

    async fn join(&self, channel: &str) -> Result<Channel> {
        let change = |hub: Hub, caller: Caller| async move { hub.channels().join(&caller, channel, None).await };
        Ok(self.login.ask("join_channel", Change, change).await?)
    }

    async fn leave(&self, channel: &str) -> Result<()> {
        let change = |hub: Hub, caller: Caller| async move { hub.channels().leave(&caller, channel, None).await };
        Ok(self.login.ask("leave_channel", Change, change).await?)
    }

    async fn partners(&self) -> Result<Vec<Partner>> {
        let read = |hub: Hub, caller: Caller| async move { hub.notifications().partners(&caller, PARTNERS).await };
        Ok(self.login.ask("list_partners", Read, read).await?)
    }

    async fn unread(&self) -> Result<Vec<Unread>> {
        let read = |hub: Hub, caller: Caller| async move { hub.notifications().unread(&caller).await };
        Ok(self.login.ask("list_unread", Read, read).await?)
    }

    async fn mentions(&self) -> Result<Vec<Mention>> {
        let filter = MentionFilter { unread: true, ..MentionFilter::default() };
        let read = |hub: Hub, caller: Caller| async move { hub.notifications().mentions(&caller, filter).await };
        Ok(self.login.ask("list_mentions", Read, read).await?.mentions)
    }

    async fn mark_read(&self, marks: Vec<Mark>) -> Result<()> {
        let change = |hub: Hub, caller: Caller| async move { hub.notifications().mark_read(&caller, marks).await };
        Ok(self.login.ask("mark_read", Change, change).await?)
    }

    async fn set_level(&self, place: &Place, level: AttentionLevel) -> Result<()> {
        let settings = level_of(place, level);
        let change = |hub: Hub, caller: Caller| async move {
            hub.notifications().change_settings(&caller, settings).await.map(drop)
        };
        Ok(self.login.ask("update_notification_settings", Change, change).await?)
    }

    async fn channel_timeline(&self, channel: &str, window: Option<Window>, limit: i64) -> Result<Timeline> {
        let (before, after, around) = part(window);
        let filter = TimelineFilter { before, after, around, limit: Some(limit), peek: false };
        let read = |hub: Hub, caller| async move { hub.messages().channel_timeline(&caller, channel, filter).await };
        Ok(self.login.ask("list_channel_messages", Read, read).await?)
    }

    async fn direct_timeline(
        &self,
        handle: &str,
        with: Option<&str>,
        window: Option<Window>,
        limit: i64,
    ) -> Result<Timeline> {
        let (before, after, around) = part(window);
        let filter = DirectFilter { before, after, around, limit: Some(limit), with: with.map(str::to_owned) };
        let read = |hub: Hub, caller| async move { hub.messages().direct_timeline(&caller, handle, filter).await };
        Ok(self.login.ask("list_direct_messages", Read, read).await?)
    }

    async fn thread(&self, id: MessageId) -> Result<Thread> {
        let page = page()?;
        let read = |hub: Hub, caller: Caller| async move { hub.messages().thread(&caller, id, page).await };
        Ok(self.login.ask("get_thread", Read, read).await?)
    }

    async fn message(&self, id: MessageId) -> Result<Message> {
        let read = |hub: Hub, caller: Caller| async move { hub.messages().get(&caller, id).await };
        Ok(self.login.ask("get_message", Read, read).await?)
    }

    async fn send(&self, message: NewMessage, idempotency_key: &str) -> Result<Message> {
        let change = |hub: Hub, caller: Caller| async move {
            hub.messages().send(&caller.once(idempotency_key)?, message).await
        };
        Ok(self.login.ask("send_message", Change, change).await?)
    }

    async fn edit(&self, id: MessageId, edit: MessageEdit) -> Result<Message> {
        let change = |hub: Hub, caller: Caller| async move { hub.messages().edit(&caller, id, edit).await };
        Ok(self.login.ask("edit_message", Change, change).await?)
    }

    async fn delete(&self, id: MessageId) -> Result<Message> {
        let change = |hub: Hub, caller: Caller| async move { hub.messages().delete(&caller, id).await };
        Ok(self.login.ask("delete_message", Change, change).await?)
    }

    async fn react(&self, id: MessageId, reaction: ReactionKind, idempotency_key: &str) -> Result<ReactionChange> {
        let change = |hub: Hub, caller: Caller| async move {
            hub.reactions().toggle(&caller.once(idempotency_key)?, id, reaction, None).await
        };
        Ok(self.login.ask("toggle_reaction", Change, change).await?)
    }

    async fn finish(&self, id: MessageId) -> Result<Message> {
        let change =
            |hub: Hub, caller: Caller| async move { hub.messages().finish(&caller, id, Finish::done(None)).await };
        Ok(self.login.ask("mark_message_done", Change, change).await?)
    }

    async fn search(&self, filter: SearchFilter) -> Result<SearchPage> {
        let read = |hub: Hub, caller: Caller| async move { hub.search().messages(&caller, filter).await };
        Ok(self.login.ask("search_messages", Read, read).await?)
    }

    async fn by_state(&self, state: WorkflowState, channel: Option<&str>, limit: i64) -> Result<StatePage> {
        let (channel, page) = (channel.map(ToOwned::to_owned), Page::new(Some(limit), None)?);
        let filter = StateFilter { state, channel, before: None, page };
        let read = |hub: Hub, caller: Caller| async move { hub.reactions().by_state(&caller, filter).await };
        Ok(self.login.ask("list_messages_by_state", Read, read).await?)
    }

    async fn download(&self, hash: &str) -> Result<Vec<u8>> {
        let read = |hub: Hub, caller| async move {
            let file = hub.attachments().open_file(&caller, hash).await?;
            if file.size() > limits::ATTACHMENT_MAX {
                return Err(Error::new(ErrorKind::Invalid, "too_large", "The file is too large to be opened here."));
            }
            let mut pieces = file.read(0..file.size()).await?;
            let mut content = Vec::new();
            while let Some(piece) = pieces.try_next().await? {
                content.extend_from_slice(&piece);
            }
            Ok(content)
        };
        Ok(self.login.ask("get_attachment", Read, read).await?)
    }

    async fn agents(&self) -> Result<Vec<Agent>> {
        let filter = AgentFilter { owner: None, page: page()? };
        let read =
            |hub: Hub, caller: Caller| async move { hub.agents().list(&caller, filter).await.map(|page| page.agents) };
        Ok(self.login.ask("list_agents", Read, read).await?)
    }

    async fn update_agent(&self, name: &str, settings: AgentSettings) -> Result<Agent> {
        let change = |hub: Hub, caller: Caller| async move { hub.agents().update(&caller, name, settings).await };
        Ok(self.login.ask("update_agent", Change, change).await?)
    }

    async fn budget(&self, agent: &str) -> Result<BudgetUse> {
        let read = |hub: Hub, caller: Caller| async move { hub.governance().budget(&caller, agent).await };
        Ok(self.login.ask("get_budget", Read, read).await?)
    }

    async fn reactive_agents(&self) -> Result<Vec<ReactiveAgent>> {
        let read = |hub: Hub, caller: Caller| async move { hub.runs().reactive(&caller).await.map(|list| list.agents) };
        Ok(self.login.ask("list_reactive_agents", Read, read).await?)
    }

    async fn held_loops(&self) -> Result<Vec<Loop>> {
        let filter = LoopFilter { held: Some(true) };
        let read = |hub: Hub, caller: Caller| async move {
            hub.governance().loops(&caller, filter).await.map(|list| list.loops)
        };
        Ok(self.login.ask("list_loops", Read, read).await?)
    }

    async fn lift_loop(&self, id: LoopId) -> Result<()> {
        let change = |hub: Hub, caller: Caller| async move { hub.governance().lift_loop(&caller, id).await.map(drop) };
        Ok(self.login.ask("lift_loop", Change, change).await?)
    }

    async fn runs(&self, agent: Option<&str>, before: Option<RunId>, limit: i64) -> Result<RunPage> {
        let filter = RunFilter { agent: agent.map(ToOwned::to_owned), status: None, before, limit: Some(limit) };
        let read = |hub: Hub, caller: Caller| async move { hub.runs().list(&caller, filter).await };
        Ok(self.login.ask("list_runs", Read, read).await?)
    }

    async fn run(&self, id: RunId) -> Result<RunDetails> {
        let read = |hub: Hub, caller: Caller| async move { hub.runs().get(&caller, id).await };
        Ok(self.login.ask("get_run", Read, read).await?)
    }

    async fn run_log(&self, id: RunId) -> Result<Box<dyn LogFeed>> {
        let follow = |hub: Hub, caller| async move { hub.runs().follow_log(&caller, id).await };
        let log = self.login.ask("get_run_logs", Read, follow).await?;
        Ok(Box::new(LocalLog { log, text: LogText::default() }))
    }

    async fn start_run(&self, agent: &str, new: NewRun, idempotency_key: &str) -> Result<Run> {
        let change = |hub: Hub, caller: Caller| async move {
            hub.runs().start(&caller.once(idempotency_key)?, agent, new).await
        };
        Ok(self.login.ask("run_agent", Change, change).await?)
    }

    async fn retry_run(&self, id: RunId, idempotency_key: &str) -> Result<Run> {
        let change =
            |hub: Hub, caller: Caller| async move { hub.runs().retry(&caller.once(idempotency_key)?, id).await };
        Ok(self.login.ask("retry_run", Change, change).await?)
    }

    async fn cancel_run(&self, id: RunId) -> Result<Run> {
        let change = |hub: Hub, caller: Caller| async move { hub.runs().cancel(&caller, id).await };
        Ok(self.login.ask("cancel_run", Change, change).await?)
    }

    async fn goals(&self, cursor: Option<String>, limit: i64) -> Result<GoalPage> {
        let filter = GoalFilter { status: None, owner: None, cursor, limit: Some(limit) };
        let read = |hub: Hub, caller: Caller| async move { hub.goals().list(&caller, filter).await };
        Ok(self.login.ask("list_goals", Read, read).await?)
    }

    async fn goal(&self, id: GoalId) -> Result<GoalDetail> {
        let read = |hub: Hub, caller: Caller| async move { hub.goals().get(&caller, id).await };
        Ok(self.login.ask("get_goal", Read, read).await?)
    }

    async fn approvals(&self) -> Result<ApprovalList> {
        let read = |hub: Hub, caller: Caller| async move { hub.goals().approvals(&caller).await };
        Ok(self.login.ask("list_approvals", Read, read).await?)
    }

    async fn approve_goal(&self, id: GoalId) -> Result<Goal> {
        let change = |hub: Hub, caller: Caller| async move { hub.goals().approve_all(&caller, id).await };
        Ok(self.login.ask("approve_goal_tasks", Change, change).await?)
    }

    async fn approve_task(&self, goal: GoalId, task: GoalTaskId) -> Result<GoalTask> {
        let change = |hub: Hub, caller: Caller| async move { hub.goals().approve_task(&caller, goal, task).await };
        Ok(self.login.ask("approve_goal_task", Change, change).await?)
    }

    async fn verify_task(&self, goal: GoalId, task: GoalTaskId, verdict: TaskVerdict) -> Result<GoalTask> {
        let change =
            |hub: Hub, caller: Caller| async move { hub.goals().verify_task(&caller, goal, task, verdict).await };
        Ok(self.login.ask("verify_goal_task", Change, change).await?)
    }

    async fn reopen_task(&self, goal: GoalId, task: GoalTaskId, reason: Option<String>) -> Result<GoalTask> {
        let note = DecisionNote { reason };
        let change = |hub: Hub, caller: Caller| async move { hub.goals().reopen_task(&caller, goal, task, note).await };
        Ok(self.login.ask("reopen_goal_task", Change, change).await?)
    }

    async fn cancel_task(&self, goal: GoalId, task: GoalTaskId, reason: Option<String>) -> Result<GoalTask> {
        let note = DecisionNote { reason };
        let change = |hub: Hub, caller: Caller| async move { hub.goals().cancel_task(&caller, goal, task, note).await };
        Ok(self.login.ask("cancel_goal_task", Change, change).await?)
    }

    async fn approve_agent(&self, goal: GoalId, number: i64) -> Result<Proposal> {
        let change = |hub: Hub, caller: Caller| async move { hub.goals().approve_agent(&caller, goal, number).await };
        Ok(self.login.ask("approve_proposed_agent", Change, change).await?)
    }

    async fn reject_agent(&self, goal: GoalId, number: i64, reason: Option<String>) -> Result<Proposal> {
        let note = DecisionNote { reason };
        let change =
            |hub: Hub, caller: Caller| async move { hub.goals().reject_agent(&caller, goal, number, note).await };
        Ok(self.login.ask("reject_proposed_agent", Change, change).await?)
    }

    async fn articles(&self, filter: ArticleFilter) -> Result<ArticlePage> {
        let read = |hub: Hub, caller: Caller| async move { hub.wiki().list(&caller, filter).await };
        Ok(self.login.ask("list_articles", Read, read).await?)
    }

    async fn article(&self, slug: &str) -> Result<Article> {
        let slug = ArticleSlug::parse("slug", slug)?;
        let read = |hub: Hub, caller: Caller| async move { hub.wiki().get(&caller, &slug).await };
        Ok(self.login.ask("get_article", Read, read).await?)
    }

    async fn save_article(&self, slug: &str, save: ArticleSave) -> Result<Article> {
        let slug = ArticleSlug::parse("slug", slug)?;
        let change = |hub: Hub, caller: Caller| async move { hub.wiki().save(&caller, &slug, save).await };
        Ok(self.login.ask("update_article", Change, change).await?)
    }

    async fn create_article(&self, article: NewArticle, idempotency_key: &str) -> Result<Article> {
        let change =
            |hub: Hub, caller: Caller| async move { hub.wiki().create(&caller.once(idempotency_key)?, article).await };
        Ok(self.login.ask("create_article", Change, change).await?)
    }

    async fn dead_letters(&self, offset: i64, limit: i64) -> Result<DeadLetterPage> {
        let page = Page::new(Some(limit), Some(offset))?;
        let filter = DeadLetterFilter { acknowledged: Some(false), page, ..DeadLetterFilter::default() };
        let read = |hub: Hub, caller: Caller| async move { hub.dead_letters().list(&caller, filter).await };
        Ok(self.login.ask("list_dead_letters", Read, read).await?)
    }

    async fn retry_dead_letter(&self, id: DeadLetterId) -> Result<DeadLetter> {
        let change = |hub: Hub, caller: Caller| async move { hub.dead_letters().retry(&caller, id).await };
        Ok(self.login.ask("retry_dead_letter", Change, change).await?)
    }

    async fn acknowledge_dead_letter(&self, id: DeadLetterId) -> Result<DeadLetter> {
        let change = |hub: Hub, caller: Caller| async move { hub.dead_letters().acknowledge(&caller, id).await };
        Ok(self.login.ask("acknowledge_dead_letter", Change, change).await?)
    }

    async fn webhooks(&self) -> Result<Vec<Webhook>> {
        let filter = WebhookFilter { agent: None };
        let read = |hub: Hub, caller: Caller| async move {
            hub.webhooks().list(&caller, filter).await.map(|list| list.webhooks)
        };
        Ok(self.login.ask("list_webhooks", Read, read).await?)
    }

    async fn deliveries(&self, webhook: WebhookId, before: Option<DeliveryId>, limit: i64) -> Result<DeliveryPage> {
        let filter = DeliveryFilter { status: None, before, limit: Some(limit) };
        let read = |hub: Hub, caller: Caller| async move { hub.webhooks().deliveries(&caller, webhook, filter).await };
        Ok(self.login.ask("list_deliveries", Read, read).await?)
    }

    async fn delivery(&self, id: DeliveryId) -> Result<DeliveryDetails> {
        let read = |hub: Hub, caller: Caller| async move { hub.webhooks().delivery(&caller, id).await };
        Ok(self.login.ask("get_delivery", Read, read).await?)
    }

    async fn retry_delivery(&self, id: DeliveryId) -> Result<Delivery> {
        let change = |hub: Hub, caller: Caller| async move { hub.webhooks().retry_delivery(&caller, id).await };
        Ok(self.login.ask("retry_delivery", Change, change).await?)
    }

    async fn machines(&self) -> Result<RegistryView> {
        let read = |hub: Hub, caller: Caller| async move { hub.principals().list(&caller).await };
        Ok(self.login.ask("list_machines", Read, read).await?)
    }
}
