//! Goals: the owner acts over REST, and the agents over MCP.

use reqwest::Method;
use serde_json::{Value, json};

use super::people::Person;
use super::server::TestServer;
use super::wait::until;

/// A task of a tree without further fields.
pub(crate) fn node(title: &str) -> Value {
    json!({ "title": title })
}

/// A task of a tree that depends on others.
pub(crate) fn after(title: &str, others: &[&str]) -> Value {
    json!({ "title": title, "depends_on": others })
}

/// All tasks of a goal, a parent before its children.
pub(crate) fn flat(tasks: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    for task in tasks.as_array().unwrap() {
        found.push(task.clone());
        found.extend(flat(&task["children"]));
    }
    found
}

/// The entries of a timeline of one kind.
pub(crate) fn entries(goal: &Value, kind: &str) -> Vec<Value> {
    let all = goal["timeline"].as_array().unwrap();
    all.iter().filter(|entry| entry["kind"] == kind).cloned().collect()
}

impl TestServer {
    /// Creates a goal as its owner; returns its id.
    pub(crate) async fn goal(&self, owner: &Person, title: &str, more: Value) -> Value {
        let mut new = json!({ "title": title });
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.did(owner, Method::POST, "/api/goals", new).await["id"].clone()
    }

    /// A goal whose tasks can be claimed at once; returns its id.
    pub(crate) async fn free_goal(&self, owner: &Person, title: &str, tree: Value) -> Value {
        let id = self.goal(owner, title, json!({ "autonomy": "autonomous" })).await;
        self.tree(owner, &id, tree).await;
        id
    }

    /// Proposes a tree as the owner; returns the goal.
    pub(crate) async fn tree(&self, owner: &Person, goal: &Value, tree: Value) -> Value {
        self.did(owner, Method::POST, &format!("/api/goals/{goal}/tasks"), json!({ "tree": tree })).await
    }

    /// A goal with everything that is known of it.
    pub(crate) async fn goal_of(&self, owner: &Person, goal: &Value) -> Value {
        self.look(owner, &format!("/api/goals/{goal}")).await
    }

    /// A task of a goal by its title.
    pub(crate) async fn goal_task(&self, owner: &Person, goal: &Value, title: &str) -> Value {
        let shown = self.goal_of(owner, goal).await;
        let found = flat(&shown["tasks"]).into_iter().find(|task| task["title"] == title);
        found.unwrap_or_else(|| panic!("no task {title}: {shown}"))
    }

    /// Waits until a task has this status.
    pub(crate) async fn until_task(&self, owner: &Person, goal: &Value, title: &str, status: &str) -> Value {
        until(&format!("task {title} is {status}"), async || {
            Some(self.goal_task(owner, goal, title).await).filter(|task| task["status"] == status)
        })
        .await
    }

    /// Decides on a task as the owner.
    pub(crate) async fn decide(&self, owner: &Person, goal: &Value, task: &Value, action: &str, body: Value) -> Value {
        self.did(owner, Method::POST, &format!("/api/goals/{goal}/tasks/{task}/{action}"), body).await
    }

    /// Claims a task by its title as an agent; returns its id and the token of the claim.
    pub(crate) async fn claim_task(&self, key: &str, owner: &Person, goal: &Value, title: &str) -> (Value, Value) {
        let id = self.goal_task(owner, goal, title).await["id"].clone();
        let claimed = self.tool(key, "claim_goal_task", json!({ "goal_id": goal, "task_id": id })).await;
        (id, claimed["claim_token"].clone())
    }

    /// Updates a task as an agent.
    pub(crate) async fn update_task(&self, key: &str, task: &Value, action: &str, more: Value) -> Value {
        let mut update = json!({ "task_id": task, "action": action });
        update.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.tool(key, "update_goal_task", update).await
    }

    /// Claims, starts and submits a task by its title as an agent; returns its id.
    pub(crate) async fn do_task(&self, key: &str, owner: &Person, goal: &Value, title: &str) -> Value {
        let (id, _) = self.claim_task(key, owner, goal, title).await;
        self.update_task(key, &id, "start", json!({})).await;
        self.update_task(key, &id, "submit", json!({ "note": format!("{title} is there") })).await;
        id
    }
}
