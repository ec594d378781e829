//! A client that acts as a machine principal by signing each request.

use reqwest::{Client, Method};
use serde_json::{Value, json};
use svc_client::machine::Signer;

/// The error type of the example.
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A connection to a hub as a machine principal.
pub(crate) struct MachineClient {
    client: Client,
    url: String,
    signer: Signer,
}

impl MachineClient {
    /// Connects to the hub at this URL with the signer of a principal.
    pub(crate) fn new(url: &str, signer: Signer) -> Result<Self, Failure> {
        #[expect(clippy::disallowed_methods, reason = "it talks to the one hub that it was told of")]
        let client = Client::builder().build()?;
        Ok(Self { client, url: url.trim_end_matches('/').to_owned(), signer })
    }

    /// Sends a request; `Null` stands for no body. An error contains the code and the detail of the
    /// answer.
    pub(crate) async fn ask(&self, method: Method, path: &str, body: &Value) -> Result<Value, Failure> {
        let request = self.client.request(method, format!("{}{path}", self.url));
        let mut request = if body.is_null() { request.build()? } else { request.json(body).build()? };
        self.signer.sign_reqwest(&mut request)?;
        let answer = self.client.execute(request).await?;
        let (failed, answer) = (!answer.status().is_success(), answer.json::<Value>().await?);
        if failed {
            return Err(format!("{}: {}", answer["code"], answer["detail"]).into());
        }
        Ok(answer)
    }

    /// Uses each operation once: sets a source configuration, reports a status and an event, and
    /// reads the evidence.
    pub(crate) async fn tour(&self, event_id: &str, log: impl Fn(String)) -> Result<(), Failure> {
        let config =
            self.ask(Method::PUT, "/api/machine/source-configs/door", &json!({ "interval_seconds": 30 })).await?;
        log(format!("the configuration has version {}", config["version"]));
        let status = json!({ "state": "running", "heartbeat_seconds": 30, "message": "The door answers." });
        let status = self.ask(Method::PUT, "/api/machine/runtime-status", &status).await?;
        log(format!("the hub knows that we are {}", status["state"]));
        // The same id is the same event, so a report without an answer can be sent again.
        let event =
            json!({ "event_id": event_id, "type": "door.opened", "data": { "by": "key" }, "channel": "general" });
        let report = self.ask(Method::POST, "/api/machine/events", &json!({ "events": [event] })).await?;
        log(format!("{} new event, {} known before", report["accepted"], report["duplicates"]));
        let evidence = self.ask(Method::GET, "/api/machine/evidence?type=door.opened", &Value::Null).await?;
        log(format!("{} in evidence", evidence["items"].as_array().map_or(0, Vec::len)));
        Ok(())
    }
}
