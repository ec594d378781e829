//! From a run that has begun to the job of its harness.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde_json::{Value, json};
use svc_model::agents::Agent;
use svc_model::harness::{HUB_SERVER, HarnessBackend, HarnessSettings, ReplyMode, RunFailure};
use svc_model::messages::Message;
use svc_model::secrets::SecretValue;
use svc_model::trust::Acquaintance;

use super::begin::{Begun, EventWork};
use super::service::Runs;
use super::site::StoredSite;
use crate::automation::harness::prompt::{self, Heard, PromptInput};
use crate::automation::harness::{Pod, RunEnd, RunJob};
use crate::error::{Error, Result};
use crate::identity::auth::{Actor, AgentActor, Caller, CallerRun, Credential, Token};
use crate::ids::{MessageId, UserId};

/// The parts of the prompt of a run.
#[derive(Debug, Clone)]
pub(super) struct PromptSource {
    pub(super) agent: Agent,
    pub(super) owner_id: UserId,
    /// None while there is only a preview.
    pub(super) run: Option<CallerRun>,
    /// Its messages, the trigger first, with the tokens of those that it has claimed.
    pub(super) messages: Vec<(Message, Option<String>)>,
    /// The messages before the trigger in its thread, oldest first.
    pub(super) thread: Vec<Message>,
    /// The prompt of its owner.
    pub(super) request: Option<String>,
    /// The number of runs that are left today.
    pub(super) runs_left: u32,
}

impl Runs {
    /// What the harness of a run is given. An error is the end of the run.
    pub(super) async fn job(&self, begun: &Begun, credential: &Token) -> Result<RunJob, RunEnd> {
        let settings = match &begun.event {
            Some(event) => event_settings(event, begun.prompt.messages.is_empty()),
            None => settings(&begun.prompt.agent.harness).map_err(|error| failed(RunFailure::Settings, &error))?,
        };
        let settings = with_image(settings, &begun.prompt.agent);
        if settings.backend == HarnessBackend::K8s && settings.image.is_none() {
            let detail = "There is no image to run: set the image of the harness, or k8s_image of the agent.";
            return Err(RunEnd::failed(RunFailure::Settings, detail));
        }
        let secrets = self.secrets.for_run(begun.run.agent_id).await;
        let secrets = secrets.map_err(|error| failed(RunFailure::Secret, &error))?;
        let (prompt, messages) =
            self.prompt(&begun.prompt, &settings).await.map_err(|error| failed(RunFailure::Internal, &error))?;
        let prompt = begun.event.as_ref().map_or(prompt, |event| event.body.clone());
        let pod = (settings.backend == HarnessBackend::K8s).then(|| self.pod(begun, &settings));
        let text = |(name, value): (String, SecretValue)| (name, value.reveal().to_owned());
        Ok(RunJob {
            run: begun.run.id,
            agent: begun.prompt.agent.name.clone(),
            mcp_config: self.mcp_config(credential),
            settings,
            prompt,
            messages,
            instructions: self.guide.instructions(&begun.prompt.agent),
            skills: self.guide.skills(),
            secrets: secrets.into_iter().map(text).collect::<BTreeMap<_, _>>(),
            credential: credential.reveal().to_owned(),
            hub_url: self.hub_url.clone(),
            session_id: begun.session_id.clone(),
            depth: begun.run.depth,
            traceparent: begun.traceparent.clone(),
            pod,
        })
    }

    /// How the pod of a run is made.
    fn pod(&self, begun: &Begun, settings: &HarnessSettings) -> Pod {
        let site = Arc::new(StoredSite { db: self.db.clone(), run: begun.run.id });
        let is_created = begun.taken_up.is_some_and(|taken_up| taken_up.is_created);
        let own = begun.event.as_ref().map(|event| &event.settings);
        let of_harness = || Some(format!("{}Mi", settings.memory() / 1024 / 1024));
        Pod {
            handler: own.map(|own| own.id),
            namespace: own.and_then(|own| own.namespace.clone()),
            memory: own.map_or_else(of_harness, |own| own.memory.clone()),
            cpu: own.and_then(|own| own.cpu.clone()),
            service_account: own.and_then(|own| own.service_account.clone()),
            event: begun.event.as_ref().map(|event| event.body.clone()),
            is_created,
            site,
        }
    }

    /// The rendered prompt, and the messages as data, with the tokens of their claims.
    pub(super) async fn prompt(&self, source: &PromptSource, settings: &HarnessSettings) -> Result<(String, Value)> {
        let caller = acting(source);
        let waiting: Vec<&Message> = source.messages.iter().map(|(message, _)| message).collect();
        let all: Vec<Message> = waiting.iter().copied().chain(&source.thread).cloned().collect();
        let voices = self.trust.voices(&caller, &all).await?;
        let messages: Vec<_> = waiting.into_iter().map(|message| heard(&voices, message)).collect();
        let thread: Vec<_> = source.thread.iter().map(|message| heard(&voices, message)).collect();
        let budget = format!("{} more runs can start today.", source.runs_left);
        let input = PromptInput {
            agent: &source.agent.name,
            run: source.run.map(|run| run.id),
            messages: &messages,
            thread: &thread,
            budget: &budget,
            request: source.request.as_deref(),
            reply: settings.reply,
        };
        let mut data = prompt::messages(&messages);
        let tokens = source.messages.iter().map(|(_, token)| token.as_deref());
        if let Some(entries) = data.get_mut("messages").and_then(Value::as_array_mut) {
            for (entry, token) in entries.iter_mut().zip(tokens) {
                entry["claim_token"] = json!(token);
            }
        }
        Ok((prompt::render(settings.prompt.as_deref(), &input), data))
    }

    /// The configuration of an MCP client: the hub, as the run.
    fn mcp_config(&self, credential: &Token) -> Value {
        let mut servers = serde_json::Map::new();
        if let Some(url) = &self.hub_url {
            let authorization = format!("Bearer {}", credential.reveal());
            let url = format!("{}/mcp", url.trim_end_matches('/'));
            let hub = json!({ "type": "http", "url": url, "headers": { "Authorization": authorization } });
            servers.insert(HUB_SERVER.to_owned(), hub);
        }
        json!({ "mcpServers": servers })
    }
}

/// A harness of a cluster has the image of its agent, unless it has its own.
fn with_image(mut settings: HarnessSettings, agent: &Agent) -> HarnessSettings {
    if settings.backend == HarnessBackend::K8s {
        settings.image = settings.image.or_else(|| agent.k8s_image.clone());
    }
    settings
}

/// The Job of an event as a harness. Its answer is posted where there is a message to answer.
fn event_settings(event: &EventWork, is_silent: bool) -> HarnessSettings {
    HarnessSettings {
        backend: HarnessBackend::K8s,
        image: Some(event.settings.image.clone()),
        env: event.settings.env.0.clone(),
        timeout_seconds: event.settings.timeout_seconds,
        reply: if is_silent { ReplyMode::Never } else { ReplyMode::Auto },
        ..HarnessSettings::default()
    }
}

fn heard<'a>(voices: &'a HashMap<MessageId, Acquaintance>, message: &'a Message) -> Heard<'a> {
    Heard { message, voice: voices.get(&message.id) }
}

pub(super) fn settings(harness: &Value) -> Result<HarnessSettings> {
    if harness.as_object().is_none_or(serde_json::Map::is_empty) {
        return Err(Error::invalid("harness", "is not set: say how this agent is run"));
    }
    HarnessSettings::from_json(harness)
}

fn failed(reason: RunFailure, error: &Error) -> RunEnd {
    tracing::info!(error = error.log_line(), "a run cannot start");
    RunEnd::failed(reason, error.message())
}

/// The agent, as the credential of its run lets it act.
fn acting(source: &PromptSource) -> Caller {
    let actor = AgentActor {
        id: source.agent.id,
        name: source.agent.name.as_str().into(),
        owner: source.owner_id,
        owner_name: source.agent.owner.as_str().into(),
    };
    match source.run {
        Some(run) => Caller::new(Actor::Agent(actor), Credential::Run(run.id)).in_run(run),
        None => Caller::new(Actor::Agent(actor), Credential::Process),
    }
}
