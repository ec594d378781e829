//! What machines ask for over REST with signed requests.

use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};

use super::machines::{TestMachine, load_machines};
use super::server::{TestServer, problem, told};

pub(crate) const EVENTS: &str = "/api/machine/events";

pub(crate) fn event(event_id: &str) -> Value {
    json!({ "event_id": event_id, "type": "door.opened", "data": { "by": "key" } })
}

pub(crate) fn report(events: &[Value]) -> Value {
    json!({ "events": events })
}

/// The fields that a refusal names.
pub(crate) async fn faults(answer: Response) -> Vec<String> {
    let body = problem(answer, 400, "validation_failed").await;
    super::server::faults(&body).into_iter().map(str::to_owned).collect()
}

/// Machines that the registry knows, which may do everything.
pub(crate) async fn fleet(test: &TestServer, names: &[&str]) -> Vec<TestMachine> {
    let fleet: Vec<_> = names.iter().map(|name| TestMachine::new(name)).collect();
    load_machines(&test.hub, &fleet.iter().collect::<Vec<_>>()).await;
    fleet
}

impl TestMachine {
    pub(crate) async fn ask(&self, test: &TestServer, method: Method, path: &str, body: &Value) -> Response {
        test.ask_as(self, method, path, body).await
    }

    pub(crate) async fn look(&self, test: &TestServer, path: &str) -> Response {
        test.ask_as(self, Method::GET, path, &Value::Null).await
    }

    /// Signs a request as it was put together, and sends it.
    pub(crate) async fn send(&self, test: &TestServer, request: RequestBuilder) -> Response {
        let mut request = request.build().unwrap();
        self.signer(test).sign_reqwest(&mut request).unwrap();
        test.client.execute(request).await.unwrap()
    }

    /// A body that is written like this.
    pub(crate) async fn send_text(
        &self,
        test: &TestServer,
        method: Method,
        path: &str,
        body: &'static str,
    ) -> Response {
        self.send(test, test.request(method, path).header("Content-Type", "application/json").body(body)).await
    }
}

impl TestServer {
    pub(crate) async fn report(&self, robot: &TestMachine, events: &[Value]) -> Value {
        told(robot.ask(self, Method::POST, EVENTS, &report(events)).await, 201).await
    }

    /// A page of evidence.
    pub(crate) async fn evidence(&self, robot: &TestMachine, query: &str) -> Value {
        told(robot.look(self, &format!("/api/machine/evidence?{query}")).await, 200).await
    }
}
