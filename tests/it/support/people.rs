//! People who use a server: an account and a login, and requests as their browser would send them.

use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use svc_core::agents::{AgentSettings, NewAgent};
use svc_core::api_keys::NewApiKey;
use svc_core::auth::{Password, Surface, Visit};
use svc_core::users::{NewUser, Role};
use svc_core::{Caller, Hub};

use super::server::TestServer;

/// The password of everybody in the tests.
pub(crate) const PASSWORD: &str = "correct horse battery";

/// Somebody who is logged in.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) username: String,
    pub(crate) cookie: String,
    origin: String,
}

impl Person {
    /// The same login at another node.
    pub(crate) fn at(&self, node: &TestServer) -> Self {
        Self { origin: node.url(""), ..self.clone() }
    }
}

impl TestServer {
    /// Makes an account as whoever runs the server does.
    pub(crate) async fn create_user(&self, username: &str, role: Role) {
        let new = NewUser {
            username: username.parse().unwrap(),
            display_name: None,
            role,
            password: Some(Password::parse("password", PASSWORD).unwrap()),
        };
        self.hub.users().create(&Caller::root(), new).await.unwrap();
    }

    /// Makes an account and logs in to it.
    pub(crate) async fn person(&self, username: &str) -> Person {
        self.create_user(username, Role::User).await;
        self.log_in(username).await
    }

    /// The same with the role `admin`.
    pub(crate) async fn admin(&self, username: &str) -> Person {
        self.create_user(username, Role::Admin).await;
        self.log_in(username).await
    }

    pub(crate) async fn try_log_in(&self, username: &str, password: &str) -> Response {
        self.request(Method::POST, "/auth/login")
            .json(&json!({ "username": username, "password": password }))
            .send()
            .await
            .unwrap()
    }

    pub(crate) async fn log_in(&self, username: &str) -> Person {
        let answer = self.try_log_in(username, PASSWORD).await;
        assert_eq!(answer.status(), 200);
        let cookie = answer.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
        Person { username: username.to_owned(), cookie, origin: self.url("") }
    }

    /// A request as a person's browser sends it from one of our pages.
    pub(crate) fn request_as(&self, person: &Person, method: Method, path: &str) -> RequestBuilder {
        self.request(method, path).header("Cookie", &person.cookie).header("Origin", &person.origin)
    }

    /// A request with a key.
    pub(crate) fn request_with(&self, key: &str, method: Method, path: &str) -> RequestBuilder {
        self.request(method, path).bearer_auth(key)
    }

    /// Makes an agent of somebody's; returns its key.
    pub(crate) async fn create_agent(&self, person: &Person, name: &str) -> String {
        let answer =
            self.request_as(person, Method::POST, "/api/agents").json(&json!({ "name": name })).send().await.unwrap();
        assert_eq!(answer.status(), 201);
        answer.json::<Value>().await.unwrap()["key"].as_str().unwrap().to_owned()
    }

    /// Makes a managed key of somebody's; returns its id and its text.
    pub(crate) async fn create_key(&self, person: &Person, body: Value) -> (i64, String) {
        let answer = self.request_as(person, Method::POST, "/api/keys").json(&body).send().await.unwrap();
        assert_eq!(answer.status(), 201, "{}", answer.text().await.unwrap());
        let body: Value = answer.json().await.unwrap();
        (body["id"].as_i64().unwrap(), body["key"].as_str().unwrap().to_owned())
    }
}

/// Makes an agent of the first admin's; returns its key.
pub(crate) async fn agent_of_admin(hub: &Hub, name: &str) -> String {
    let owner = Some("admin".parse().unwrap());
    let new = NewAgent { name: name.parse().unwrap(), owner, settings: AgentSettings::default() };
    hub.agents().create(&Caller::root(), new).await.unwrap().key
}

/// Makes an account; returns a key that acts as this person and does not expire.
pub(crate) async fn key_of_a_person(hub: &Hub, username: &str) -> String {
    let password = Password::parse("password", PASSWORD).unwrap();
    let new = NewUser { password: Some(password), ..NewUser::named(username).unwrap() };
    hub.users().create(&Caller::root(), new).await.unwrap();
    let login = hub.sessions().login(username, PASSWORD, &Visit::through(Surface::Rest)).await.unwrap();
    let person = hub.auth().session(login.token.reveal()).await.unwrap();
    let new: NewApiKey = serde_json::from_value(json!({ "name": "lasting", "permissions": ["admin"] })).unwrap();
    hub.api_keys().create(&person, new).await.unwrap().key
}
