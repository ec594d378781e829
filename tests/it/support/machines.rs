//! Machine principals: their keys, a registry that knows them, and requests that they sign.

use std::sync::Arc;

use reqwest::{Method, Request, Response};
use serde_json::{Value, json};
use svc_client::machine::{SecretKey, Signer};
use svc_core::audit::AuditFilter;
use svc_core::{Caller, Hub};

use super::server::TestServer;

/// What a key may be used for, all of it.
pub(crate) const SCOPES: [&str; 4] = ["source-config:write", "runtime-status:write", "events:ingest", "evidence:read"];

/// A principal with one key.
#[derive(Debug, Clone)]
pub(crate) struct TestMachine {
    pub(crate) principal_id: String,
    pub(crate) kid: String,
    pub(crate) key: SecretKey,
    pub(crate) enabled: bool,
    pub(crate) status: &'static str,
    pub(crate) scopes: Vec<&'static str>,
}

impl TestMachine {
    /// `svc:sense:NAME` with a key of its own that may be used for everything.
    pub(crate) fn new(name: &str) -> Self {
        Self {
            principal_id: format!("svc:sense:{name}"),
            kid: format!("{name}-key-1"),
            key: SecretKey::generate(),
            enabled: true,
            status: "active",
            scopes: SCOPES.into(),
        }
    }

    /// The same with these scopes only.
    pub(crate) fn scoped(mut self, scopes: &[&'static str]) -> Self {
        self.scopes = scopes.into();
        self
    }

    /// The same, disabled.
    pub(crate) fn disabled(mut self) -> Self {
        self.enabled = false;
        self
    }

    /// The same with its key revoked.
    pub(crate) fn revoked(mut self) -> Self {
        self.status = "revoked";
        self
    }

    /// The same names with a key that is another.
    pub(crate) fn with_another_key(mut self) -> Self {
        self.key = SecretKey::generate();
        self
    }

    /// As a registry has it.
    pub(crate) fn entry(&self) -> Value {
        json!({
            "principal_id": self.principal_id,
            "enabled": self.enabled,
            "keys": [{
                "kid": self.kid,
                "public_key_base64url": self.key.public_key_base64url(),
                "status": self.status,
                "scopes": self.scopes,
            }],
        })
    }

    /// Signs its requests, by the clock of this server.
    pub(crate) fn signer(&self, test: &TestServer) -> Signer {
        Signer::new(&self.principal_id, &self.kid, self.key.clone()).unwrap().with_clock(Arc::clone(&test.clock) as _)
    }
}

/// A registry of these machines, for the audience that a hub is by default.
pub(crate) fn registry(machines: &[&TestMachine]) -> Value {
    json!({
        "version": "svc.machine-principal-registry/v1",
        "audience": "svc-brain",
        "principals": machines.iter().map(|machine| machine.entry()).collect::<Vec<_>>(),
    })
}

/// What a machine that runs says about itself.
pub(crate) fn running() -> Value {
    json!({ "state": "running" })
}

/// Puts a registry of these machines into force.
pub(crate) async fn load_machines(hub: &Hub, machines: &[&TestMachine]) {
    let document = registry(machines).to_string().into_bytes();
    hub.principals().load(&Caller::root(), "a test", document).await.unwrap();
}

impl TestServer {
    /// A machine that the registry knows, alone.
    pub(crate) async fn machine(&self, name: &str) -> TestMachine {
        let machine = TestMachine::new(name);
        load_machines(&self.hub, &[&machine]).await;
        machine
    }

    /// A request that the machine has signed, to be changed or sent; `Null` is no body.
    pub(crate) fn signed(&self, machine: &TestMachine, method: Method, path: &str, body: &Value) -> Request {
        let mut request = self.unsigned(method, path, body);
        machine.signer(self).sign_reqwest(&mut request).unwrap();
        request
    }

    /// The same before it is signed.
    pub(crate) fn unsigned(&self, method: Method, path: &str, body: &Value) -> Request {
        let request = self.request(method, path);
        let request = if body.is_null() { request } else { request.json(body) };
        request.build().unwrap()
    }

    /// What a machine is answered.
    pub(crate) async fn ask_as(&self, machine: &TestMachine, method: Method, path: &str, body: &Value) -> Response {
        self.client.execute(self.signed(machine, method, path, body)).await.unwrap()
    }

    /// A machine says that it runs.
    pub(crate) async fn beat(&self, machine: &TestMachine) -> Response {
        self.ask_as(machine, Method::PUT, "/api/machine/runtime-status", &running()).await
    }

    /// What a request is answered.
    pub(crate) async fn send(&self, request: Request) -> Response {
        self.client.execute(request).await.unwrap()
    }

    /// How much of what machines ask for is in the store: what they said, and what they signed.
    pub(crate) async fn effects(&self) -> (i64, i64) {
        let said = "SELECT CAST(coalesce(sum(beats), 0) AS BIGINT) FROM machine_statuses";
        (self.number(said).await, self.number("SELECT count(*) FROM machine_nonces").await)
    }

    /// The details of all refusals, oldest first.
    pub(crate) async fn refusals(&self) -> Vec<Value> {
        let filter = AuditFilter { event: Some("machine_refused".into()), limit: Some(200), ..AuditFilter::default() };
        let entries = self.hub.audit().list(&Caller::root(), filter).await.unwrap();
        entries.into_iter().rev().map(|entry| entry.details).collect()
    }
}
