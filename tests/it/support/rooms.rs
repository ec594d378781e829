//! Channels as people make, enter, leave and read them, over REST.

use reqwest::Method;
use serde_json::{Value, json};

use super::people::Person;
use super::server::TestServer;

impl TestServer {
    /// Asks for a change, which is made.
    async fn change(&self, person: &Person, method: Method, path: &str, body: &Value) {
        let answer = self.request_as(person, method, path).json(body).send().await.unwrap();
        let status = answer.status();
        assert!(status.is_success(), "{path}: {status} {}", answer.text().await.unwrap());
    }

    /// Makes a channel with these members besides its owner.
    pub(crate) async fn open_room(&self, owner: &Person, name: &str, public: bool, members: &[&str]) {
        let body = json!({ "name": name, "public": public, "members": members });
        self.change(owner, Method::POST, "/api/channels", &body).await;
    }

    /// Lets somebody in.
    pub(crate) async fn let_in(&self, owner: &Person, name: &str, handle: &str) {
        let path = format!("/api/channels/{name}/members");
        self.change(owner, Method::POST, &path, &json!({ "members": [handle] })).await;
    }

    /// Shows somebody out.
    pub(crate) async fn show_out(&self, owner: &Person, name: &str, handle: &str) {
        let path = format!("/api/channels/{name}/members/{handle}");
        self.change(owner, Method::DELETE, &path, &json!({})).await;
    }

    /// Opens a channel to everybody, or closes it.
    pub(crate) async fn set_public(&self, owner: &Person, name: &str, public: bool) {
        self.change(owner, Method::PATCH, &format!("/api/channels/{name}"), &json!({ "public": public })).await;
    }

    /// Lets a workflow run in a channel.
    pub(crate) async fn run_workflow(&self, owner: &Person, name: &str) {
        let path = format!("/api/channels/{name}/settings");
        self.change(owner, Method::PUT, &path, &json!({ "workflow_enabled": true })).await;
    }

    /// Marks a channel or a partner as read, up to a message if one is named.
    pub(crate) async fn mark_read(&self, person: &Person, kind: &str, name: &str, through: Option<&Value>) {
        let mut mark = json!({ "kind": kind, "name": name });
        if let Some(message) = through {
            mark["last_message_id"] = message["id"].clone();
        }
        self.change(person, Method::POST, "/api/notifications/mark-read", &mark).await;
    }

    /// Claims what is addressed to somebody.
    pub(crate) async fn claim(&self, person: &Person) {
        self.change(person, Method::POST, "/api/messages/claim", &json!({ "limit": 1 })).await;
    }
    /// A channel of somebody's with these members besides, put into the store.
    pub(crate) async fn room(&self, owner: &str, name: &str, public: bool, members: &[&str]) {
        let id = format!("(SELECT id FROM channels WHERE name = '{name}')");
        self.execute(format!(
            "INSERT INTO channels (name, description, public, owner_id, created_at)
             SELECT '{name}', '', {public}, id, 0 FROM participants WHERE handle = '{owner}'"
        ))
        .await;
        self.execute(format!(
            "INSERT INTO conversations (channel_id, subject, message_count, last_message_at, created_at)
             VALUES ({id}, '', 0, 0, 0)"
        ))
        .await;
        for member in members.iter().chain([&owner]) {
            self.execute(format!(
                "INSERT INTO channel_members (channel_id, participant_id, joined_at)
                 SELECT {id}, id, 0 FROM participants WHERE handle = '{member}'"
            ))
            .await;
        }
    }

    /// Changes the settings of a channel.
    pub(crate) async fn set_room(&self, name: &str, settings: &str) {
        assert_eq!(self.execute(format!("UPDATE channels SET {settings} WHERE name = '{name}'")).await, 1);
    }
}
