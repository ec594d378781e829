//! Secrets of the agent itself: their names, and requests for more. Values never reach a tool.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::formats::neutral;
use svc_core::ids::{GoalId, SecretRequestId};
use svc_core::secret_requests::{NewSecretRequest, SecretRequest, SecretRequestStatus};
use svc_core::{Timestamp, limits};

use crate::answers;
use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new("list_secrets", Effect::Reads, "List names of secrets your runs get.", list_secrets)
            .for_agents()
            .answers::<Names>(),
        Entry::new("request_secret", Effect::Adds, "Ask your owner for a secret of your runs.", request_secret)
            .answers::<Requested>(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// The names of secrets.
#[derive(Serialize, JsonSchema)]
struct Names {
    names: Vec<String>,
}

async fn list_secrets(call: Call, _: Nothing) -> Outcome {
    Answer::of(&Names { names: call.hub.secret_requests().names(&call.caller).await? })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RequestSecret {
    /// as `API_TOKEN`
    #[schemars(length(max = limits::SECRET_NAME_MAX))]
    name: String,
    /// what for
    #[schemars(length(max = limits::GOAL_NOTE_MAX))]
    reason: String,
    /// goal
    #[serde(default)]
    #[schemars(range(min = 1))]
    goal_id: Option<i64>,
}

/// A request as its agent reads it.
#[derive(Serialize, JsonSchema)]
struct Requested {
    #[schemars(with = "answers::Id")]
    request_id: SecretRequestId,
    name: String,
    #[schemars(with = "answers::SecretRequestStatus")]
    status: SecretRequestStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Id>")]
    goal_id: Option<GoalId>,
    /// Why it was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    rejection: Option<String>,
    #[schemars(with = "answers::Moment")]
    at: Timestamp,
}

impl From<SecretRequest> for Requested {
    fn from(request: SecretRequest) -> Self {
        Self {
            request_id: request.id,
            name: request.name,
            status: request.status,
            goal_id: request.goal_id,
            rejection: request.rejection.map(|reason| neutral(&reason).into_owned()),
            at: request.created_at,
        }
    }
}

async fn request_secret(call: Call, args: RequestSecret) -> Outcome {
    let new = NewSecretRequest { name: args.name, reason: args.reason, goal_id: args.goal_id.map(GoalId) };
    Answer::of(&Requested::from(call.hub.secret_requests().request(&call.caller, new).await?))
}
