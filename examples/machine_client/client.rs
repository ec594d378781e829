//! A service that asks a hub as a machine principal. All that it takes is to sign each request.

use reqwest::{Client, Method};
use serde_json::{Value, json};
use svc_client::machine::Signer;

/// Why something did not work.
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A hub, and what signs for the principal that we are.
pub(crate) struct MachineClient {
    client: Client,
    url: String,
    signer: Signer,
}

impl MachineClient {
    /// The principal of this signer on the hub at this address.
    pub(crate) fn new(url: &str, signer: Signer) -> Result<Self, Failure> {
        #[expect(clippy::disallowed_methods, reason = "it talks to the one hub that it was told of")]
        let client = Client::builder().build()?;
        Ok(Self { client, url: url.trim_end_matches('/').to_owned(), signer })
    }

    /// Asks for something; `Null` is no body. A refusal says what to do.
    pub(crate) async fn ask(&self, method: Method, path: &str, body: &Value) -> Result<Value, Failure> {
        let request = self.client.request(method, format!("{}{path}", self.url));
        let mut request = if body.is_null() { request.build()? } else { request.json(body).build()? };
        self.signer.sign_reqwest(&mut request)?;
        let answer = self.client.execute(request).await?;
        let (refused, answer) = (!answer.status().is_success(), answer.json::<Value>().await?);
        if refused {
            return Err(format!("{}: {}", answer["code"], answer["detail"]).into());
        }
        Ok(answer)
    }

    /// One of each: sets a source's configuration, says how we are, reports an event, reads the evidence.
    pub(crate) async fn tour(&self, event_id: &str, tell: impl Fn(String)) -> Result<(), Failure> {
        let config =
            self.ask(Method::PUT, "/api/machine/source-configs/door", &json!({ "interval_seconds": 30 })).await?;
        tell(format!("the configuration has version {}", config["version"]));
        let status = json!({ "state": "running", "heartbeat_seconds": 30, "message": "The door answers." });
        let status = self.ask(Method::PUT, "/api/machine/runtime-status", &status).await?;
        tell(format!("the hub knows that we are {}", status["state"]));
        // The same id again is the same event, so a report that got no answer can be sent again.
        let event =
            json!({ "event_id": event_id, "type": "door.opened", "data": { "by": "key" }, "channel": "general" });
        let report = self.ask(Method::POST, "/api/machine/events", &json!({ "events": [event] })).await?;
        tell(format!("{} new event, {} known before", report["accepted"], report["duplicates"]));
        let evidence = self.ask(Method::GET, "/api/machine/evidence?type=door.opened", &Value::Null).await?;
        tell(format!("{} in evidence", evidence["items"].as_array().map_or(0, Vec::len)));
        Ok(())
    }
}
