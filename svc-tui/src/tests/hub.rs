//! A hub with content for pictures: people, agents, channels, a workflow, goals and a wiki, at a fixed time.

use std::sync::Arc;
use std::time::Duration;

use svc_core::agents::{AgentName, AgentSettings, NewAgent, TriggerMode};
use svc_core::channels::{ChannelSettings, ChannelUpdate, NewChannel};
use svc_core::goals::{GoalBudget, NewGoal, NewProposal, TaskNode};
use svc_core::ids::GoalId;
use svc_core::messages::NewMessage;
use svc_core::reactions::ReactionKind;
use svc_core::runs::NewRun;
use svc_core::users::{NewUser, Username};
use svc_core::webhooks::{NewWebhook, WebhookEvent};
use svc_core::wiki::NewArticle;
use svc_core::{Caller, Hub, HubConfig};
use tempfile::TempDir;

use super::StillClock;
use crate::backend::Backend;
use crate::backend::local::{Local, LocalCredential};
use crate::config_dir::KeptSecret;

/// Tuesday, 17 November 2026, 14:05 UTC.
const NOW: i64 = 1_794_924_300_000_000;
/// The password of everybody.
const PASSWORD: &str = "correct horse battery staple";

/// A hub in a directory of its own.
pub(crate) struct TestHub {
    /// The hub.
    pub(crate) hub: Hub,
    /// Its clock.
    pub(crate) clock: Arc<StillClock>,
    /// The goal of the content.
    pub(crate) goal: Option<GoalId>,
    _directory: TempDir,
}

impl TestHub {
    /// An empty hub with the users ann and bob.
    pub(crate) async fn empty() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let clock = StillClock::new(NOW);
        let mut config = HubConfig::at(directory.path());
        config.bcrypt_cost = 4;
        let hub = Hub::builder(config).clock(clock.clone()).open().await.unwrap();
        for name in ["ann", "bob"] {
            let user = NewUser {
                password: Some(svc_core::auth::Password::parse("password", PASSWORD).unwrap()),
                ..NewUser::named(name).unwrap()
            };
            hub.users().create(&Caller::root(), user).await.unwrap();
        }
        Self { hub, clock, goal: None, _directory: directory }
    }

    /// A hub with content.
    pub(crate) async fn filled() -> Self {
        let mut hub = Self::empty().await;
        hub.talk().await;
        hub.work().await;
        hub
    }

    async fn credential(&self, user: &str) -> LocalCredential {
        let session = self.hub.sessions().login_from(user, PASSWORD, None, Caller::root().visit()).await.unwrap();
        LocalCredential::of(&self.hub, &KeptSecret::Session { token: session.token.reveal().to_owned() })
    }

    /// Logs a user in.
    pub(crate) async fn log_in(&self, user: &str) -> Arc<dyn Backend> {
        Arc::new(Local::new(self.credential(user).await))
    }

    /// A user, for changes beside the UI.
    pub(crate) async fn caller(&self, user: &str) -> Caller {
        self.credential(user).await.caller().await.unwrap()
    }

    /// Sends a message a minute after the one before.
    pub(crate) async fn say(&self, caller: &Caller, message: NewMessage) -> svc_core::messages::Message {
        self.clock.advance(Duration::from_mins(1));
        self.hub.messages().send(caller, message).await.unwrap()
    }

    async fn agent(&self, name: &str, settings: AgentSettings) -> Caller {
        let owner = Some(Username::parse("owner", "ann").unwrap());
        let new = NewAgent { name: AgentName::parse("name", name).unwrap(), owner, settings };
        let created = self.hub.agents().create(&Caller::root(), new).await.unwrap();
        self.hub.auth().bearer(&created.key).await.unwrap()
    }

    async fn talk(&mut self) {
        let (ann, bob) = (self.caller("ann").await, self.caller("bob").await);
        for (name, topic, workflow) in [("dev", "Everything else", false), ("ops", "What runs where", true)] {
            let new = NewChannel {
                name: name.into(),
                topic: Some(topic.into()),
                public: Some(true),
                members: Some(vec!["bob".into()]),
                ..NewChannel::default()
            };
            self.hub.channels().create(&ann, new).await.unwrap();
            let settings = ChannelSettings { workflow_enabled: Some(workflow), ..ChannelSettings::default() };
            let update = ChannelUpdate { settings, ..ChannelUpdate::default() };
            self.hub.channels().update(&ann, name, update).await.unwrap();
        }
        let hello = self.say(&bob, NewMessage::in_channel("dev", "Good afternoon.")).await;
        self.say(
            &ann,
            NewMessage::in_channel("dev", "Hello @bob, the **release** is on [Friday](https://example.org/plan)."),
        )
        .await;
        let code = "The fix:\n\n```rust\nfn main() {\n    println!(\"ready\"); // at last\n}\n```\n\n| host | load |\n|---|---|\n| east | 0.4 |\n| west | 1.7 |";
        self.say(&bob, NewMessage::in_channel("dev", code)).await;
        let reply = NewMessage { reply_to: Some(hello.id), ..NewMessage::in_channel("dev", "Thanks, and to you.") };
        self.say(&ann, reply).await;
        self.say(
            &bob,
            NewMessage::in_channel("dev", "@ann can you look at the deploy? 日本語 and עברית and 👩‍👩‍👧 are fine."),
        )
        .await;
        let proposal = self.say(&bob, NewMessage::in_channel("ops", "Move the build to the new machine.")).await;
        let second = self.say(&bob, NewMessage::in_channel("ops", "Rotate the keys.")).await;
        self.hub.reactions().toggle(&ann, second.id, ReactionKind::Approve, None).await.unwrap();
        self.say(&bob, NewMessage::to("ann", "Do you have a minute?")).await;
        drop(proposal);
    }

    async fn work(&mut self) {
        let ann = self.caller("ann").await;
        let budget = Some(serde_json::from_value(serde_json::json!({ "usd": 5.0, "period": "day" })).unwrap());
        let settings = AgentSettings { trigger_mode: Some(TriggerMode::Reactive), ..AgentSettings::default() };
        let scout = self.agent("scout", AgentSettings { budget, ..settings.clone() }).await;
        self.agent("reviewer", AgentSettings { paused: Some(true), ..settings }).await;
        self.say(&scout, NewMessage::to("ann", "I found 3 candidates. Shall I go on?")).await;
        let run = self.hub.runs().start(&ann, "scout", NewRun { prompt: Some("Look again.".into()) }).await;
        run.unwrap();
        let webhook = NewWebhook {
            agent: Some("scout".into()),
            url: "https://hooks.example.org/scout".into(),
            events: vec![WebhookEvent::MessageReceived],
            secret: None,
        };
        self.hub.webhooks().create(&ann, webhook).await.unwrap();
        let goal = NewGoal {
            title: "Launch the shop".into(),
            description: Some("Open on **1 December** with 20 products.".into()),
            slug: None,
            coordinator: Some("scout".into()),
            budget: Some(GoalBudget { usd: Some(40.0), tokens: None }),
            autonomy: None,
            max_spawn_depth: None,
        };
        let goal = self.hub.goals().create(&ann, goal).await.unwrap();
        let tree = serde_json::json!([
            { "title": "Choose products", "acceptance_criteria": "20 products with prices", "budget_usd": 5.0,
              "children": [{ "title": "Ask suppliers" }, { "title": "Compare prices", "depends_on": ["Ask suppliers"] }] },
            { "title": "Build the site", "assignee": "scout", "description": "One page is enough." }
        ]);
        let tree: Vec<TaskNode> = serde_json::from_value(tree).unwrap();
        self.hub.goals().propose_tree(&scout, goal.id, tree).await.unwrap();
        let helper = NewProposal {
            name: "price-checker".into(),
            purpose: "Compares the prices of suppliers every morning.".into(),
            instructions: Some("Read the price lists.".into()),
            tools: Some(vec!["send_message".into()]),
            budget_usd: Some(2.0),
            autonomy: None,
        };
        self.hub.goals().propose_agent(&scout, goal.id, helper).await.unwrap();
        self.goal = Some(goal.id);
        for (title, body) in [
            (
                "Deploy",
                "# Deploy\n\nRun `make deploy`, then see [[rollback]].\n\n## Checks\n\n- [x] tests\n- [ ] metrics",
            ),
            ("Rollback", "# Rollback\n\nSee [[deploy]].\n\n1. Stop\n2. Restore"),
        ] {
            self.clock.advance(Duration::from_mins(1));
            let article = NewArticle {
                slug: None,
                title: title.into(),
                body: body.into(),
                summary: None,
                protected: None,
                stale_after: None,
            };
            self.hub.wiki().create(&ann, article).await.unwrap();
        }
    }
}
