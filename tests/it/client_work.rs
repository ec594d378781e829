//! Runs, goals, the wiki, deliveries and settings through the client crate.

use reqwest::Method;
use serde_json::json;
use svc_client::Client;
use svc_client::model::agents::AgentSettings;
use svc_client::model::conversations::ConversationKind;
use svc_client::model::goals::{ApprovalKind, DecisionNote, GoalTaskStatus, NewGoal, TaskNode, TaskVerdict};
use svc_client::model::messages::{ClaimRequest, NewMessage};
use svc_client::model::notifications::{AttentionLevel, ConversationLevel, SettingsChange};
use svc_client::model::reactions::{ReactionKind, WorkflowState};
use svc_client::model::runs::{NewRun, RunStatus};
use svc_client::model::wiki::{ArticleSave, NewArticle};
use svc_core::harness::{RunEnd, RunResult};
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::receiver::Receiver;
use crate::support::server::TestServer;
use crate::support::wait::soon;

impl TestServer {
    /// The client of somebody who is logged in.
    fn client_of(&self, person: &Person) -> Client {
        let (_, token) = person.cookie.split_once('=').unwrap();
        self.terminal().with_session(token)
    }
}

#[both_engines]
async fn runs_are_started_followed_and_cancelled_through_the_client(test: TestServer) {
    let ann = test.person("ann").await;
    test.reactive(&ann, "builder").await;
    let client = test.client_of(&ann);
    let end = test.harness.waits();
    let new = NewRun { prompt: Some("Build it.".into()) };
    let run = client.start_run("builder", &new, Some("build-1")).await.unwrap();
    assert_eq!(client.start_run("builder", &new, Some("build-1")).await.unwrap().id, run.id);
    test.harness.job(1).await;
    let mut log = client.follow_run_log(run.id).await.unwrap();
    let mut text = soon("the log", log.next()).await.unwrap().unwrap();
    assert_eq!(client.reactive_agents().await.unwrap().agents[0].active_run_id, Some(run.id));
    end.send(RunEnd::Succeeded(RunResult { response: Some("Done.".into()), ..RunResult::default() })).ok().unwrap();
    while let Some(part) = soon("the end of the log", log.next()).await.unwrap() {
        text.extend(part);
    }
    assert_eq!(String::from_utf8(text).unwrap(), format!("run {} of builder\n", run.id));
    test.until_run(&ann, "succeeded").await;
    let details = client.run(run.id).await.unwrap();
    assert_eq!(details.harness_run.unwrap().response.as_deref(), Some("Done."));

    let end = test.harness.waits();
    let again = client.retry_run(run.id, Some("again-1")).await.unwrap();
    test.harness.job(2).await;
    client.cancel_run(again.id).await.unwrap();
    test.until_run(&ann, "cancelled").await;
    drop(end);
    let page = client.runs(&[("agent", "builder"), ("limit", "1")]).await.unwrap();
    assert_eq!((page.runs[0].id, page.runs[0].status), (again.id, RunStatus::Cancelled));
    let cursor = page.next_cursor.unwrap().to_string();
    assert_eq!(client.runs(&[("cursor", &cursor)]).await.unwrap().runs[0].id, run.id);
    assert_eq!(client.cancel_run(run.id).await.unwrap_err().code(), Some("run_ended"));
}

#[both_engines]
async fn goals_are_decided_through_the_client(test: TestServer) {
    let ann = test.at_the_terminal("ann").await;
    let goal = ann.create_goal(&NewGoal::titled("Ship it"), Some("goal-1")).await.unwrap();
    assert_eq!(ann.create_goal(&NewGoal::titled("Ship it"), Some("goal-1")).await.unwrap().id, goal.id);
    let task = |title: &str| TaskNode { title: title.into(), ..TaskNode::default() };
    let tree = [task("Build"), task("Announce"), task("Rest")];
    let tasks = ann.propose_tasks(goal.id, &tree).await.unwrap().tasks;
    let waiting = ann.approvals().await.unwrap();
    assert_eq!((waiting.total, waiting.approvals[0].kind), (3, ApprovalKind::Task));
    assert_eq!(ann.approve_task(goal.id, tasks[0].id).await.unwrap().status, GoalTaskStatus::Approved);
    let note = DecisionNote { reason: Some("Not needed.".into()) };
    assert_eq!(ann.cancel_task(goal.id, tasks[2].id, &note).await.unwrap().status, GoalTaskStatus::Cancelled);
    ann.approve_goal(goal.id).await.unwrap();
    let shown = ann.goal(goal.id).await.unwrap();
    assert_eq!(shown.tasks[1].status, GoalTaskStatus::Approved);
    assert_eq!(ann.goals(&[("limit", "5")]).await.unwrap().goals[0].id, goal.id);
    // Nothing waits for these decisions.
    for refused in [
        ann.verify_task(goal.id, tasks[0].id, &TaskVerdict::default()).await.map(drop),
        ann.reopen_task(goal.id, tasks[0].id, &note).await.map(drop),
        ann.approve_agent(goal.id, 1).await.map(drop),
        ann.reject_agent(goal.id, 1, &note).await.map(drop),
    ] {
        assert!(refused.unwrap_err().code().is_some_and(|code| !code.is_empty()));
    }
}

#[both_engines]
async fn articles_are_saved_and_conflicts_told_through_the_client(test: TestServer) {
    let ann = test.at_the_terminal("ann").await;
    let new = NewArticle::titled("How we deploy", "Carefully.");
    let article = ann.create_article(&new, Some("article-1")).await.unwrap();
    assert_eq!(ann.create_article(&new, Some("article-1")).await.unwrap().slug, article.slug);
    let save = |body: &str| ArticleSave {
        base_revision: Some(article.revision),
        body: Some(body.into()),
        ..ArticleSave::default()
    };
    assert_eq!(ann.save_article(&article.slug, &save("Twice a day.")).await.unwrap().body, "Twice a day.");
    let svc_client::ClientError::Refused(problem) = ann.save_article(&article.slug, &save("Never.")).await.unwrap_err()
    else {
        panic!("the hub answers")
    };
    assert_eq!((problem.status, problem.code.as_str()), (409, "edit_conflict"));
    assert!(problem.details["conflict"].to_string().contains("Twice a day."), "{problem:?}");
    assert_eq!(ann.article("how-we-deploy").await.unwrap().revision, article.revision + 1);
    assert_eq!(ann.articles(&[("q", "twice")]).await.unwrap().articles.len(), 1);
}

#[both_engines]
async fn dead_letters_and_deliveries_are_sent_again_through_the_client(test: TestServer) {
    let person = test.person("ann").await;
    let scout = test.create_agent(&person, "scout").await;
    let mut receiver = Receiver::start().await;
    let hook = test.hook(&person, "scout", &receiver.url, &["message.received"]).await;
    let (ann, scout) = (test.client_of(&person), test.terminal().with_key(&scout));
    let sent = ann.send(&NewMessage::to("scout", "Cut it."), None).await.unwrap();
    soon("a delivery", receiver.next()).await;
    let webhook = ann.webhooks(&[("agent", "scout")]).await.unwrap().webhooks.remove(0);
    test.until_delivery(&person, &json!(webhook.id), "delivered").await;
    assert_eq!(webhook.url, receiver.url, "{hook}");
    let delivery = ann.deliveries(webhook.id, &[("limit", "1")]).await.unwrap().deliveries.remove(0);
    assert_eq!(ann.delivery(delivery.id).await.unwrap().attempts.len(), 1);
    assert_eq!(ann.retry_delivery(delivery.id).await.unwrap().id, delivery.id);
    soon("the delivery again", receiver.next()).await;

    let fail = async || {
        let claimed = scout.claim(ClaimRequest::default(), None).await.unwrap().messages.remove(0);
        scout.fail(sent.id, Some(&claimed.claim_token), "The saw broke.").await.unwrap();
        ann.dead_letters(&[("acknowledged", "false")]).await.unwrap().dead_letters.remove(0)
    };
    let letter = fail().await;
    assert_eq!((letter.participant.as_str(), letter.reason.as_str()), ("scout", "The saw broke."));
    assert!(ann.retry_dead_letter(letter.id).await.unwrap().retried_at.is_some());
    let letter = fail().await;
    assert!(ann.acknowledge_dead_letter(letter.id).await.unwrap().acknowledged_at.is_some());
}

#[both_engines]
async fn agents_files_and_settings_are_reached_through_the_client(test: TestServer) {
    let person = test.person("ann").await;
    test.create_agent(&person, "scout").await;
    let ann = test.client_of(&person);
    let paused = AgentSettings { paused: Some(true), ..AgentSettings::default() };
    assert!(ann.update_agent("scout", &paused).await.unwrap().paused_at.is_some());
    assert_eq!(ann.budget("scout").await.unwrap().agent, "scout");
    assert!(ann.loops(&[("held", "true")]).await.unwrap().loops.is_empty());
    assert_eq!(ann.lift_loop(svc_core::ids::LoopId(7)).await.unwrap_err().code(), Some("not_found"));
    assert!(ann.machines().await.unwrap().principals.is_empty());

    let content = b"# Notes\n".repeat(10_000);
    let hash = test.upload(&person, "notes.md", &content).await["hash"].as_str().unwrap().to_owned();
    assert_eq!(ann.download(&hash).await.unwrap(), content);
    assert_eq!(ann.attachment(&hash).await.unwrap().filename, "notes.md");
    assert_eq!(ann.download(&"0".repeat(64)).await.unwrap_err().code(), Some("not_found"));

    ann.send(&NewMessage::to("scout", "Look around."), None).await.unwrap();
    assert_eq!(ann.partners(&[("limit", "5")]).await.unwrap()[0].name, "scout");
    let level =
        ConversationLevel { kind: ConversationKind::Channel, name: "general".into(), level: AttentionLevel::Nothing };
    let change = SettingsChange { conversations: Some(vec![level.clone()]), ..SettingsChange::default() };
    assert_eq!(ann.change_notification_settings(&change).await.unwrap().conversations, std::slice::from_ref(&level));
    assert_eq!(ann.notification_settings().await.unwrap().conversations, [level]);

    test.did(&person, Method::POST, "/api/channels", json!({ "name": "plans" })).await;
    test.did(&person, Method::PUT, "/api/channels/plans/settings", json!({ "workflow_enabled": true })).await;
    let plan = ann.send(&NewMessage::in_channel("plans", "Draw it."), None).await.unwrap();
    for _ in 0..2 {
        let change = ann.toggle_reaction(plan.id, ReactionKind::Approve, Some("approve-1")).await.unwrap();
        assert_eq!(change.reactions.len(), 1, "a repeated request changes nothing");
    }
    let approved = ann.messages_by_state(WorkflowState::Approved, &[("channel", "plans")]).await.unwrap();
    assert_eq!((approved.total, approved.messages[0].id), (1, plan.id));
}
