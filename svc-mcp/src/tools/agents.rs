//! Participants: the directory, and trust scores.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::auth::Actor;
use svc_core::formats::neutral;
use svc_core::participants::{ParticipantFilter, ParticipantKind};
use svc_core::trust::{OwnerRelation, Standing, TrustScore};
use svc_core::{Page, Timestamp, limits};

use crate::answers;
use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};
use crate::error::Refusal;
use crate::paging::{ByName, NamePage, Rest, offset, some_of};

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new("discover_agents", Effect::Lists, "List people and agents, with owner and trust.", discover_agents)
            .answers::<Directory>(),
        Entry::new("get_trust", Effect::Lists, "Trust of an agent by action; default yours.", get_trust)
            .answers::<Trusted>(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DiscoverAgents {
    /// part of a name
    #[serde(default)]
    #[schemars(length(max = limits::DIRECTORY_QUERY_MAX))]
    q: Option<String>,
    #[serde(default)]
    kind: Option<Kind>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Agent,
    Human,
}

/// A participant.
#[derive(Serialize, JsonSchema)]
struct ParticipantView {
    name: String,
    #[schemars(with = "answers::Kind")]
    kind: ParticipantKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owned_by: Option<String>,
    #[schemars(with = "answers::Owner")]
    owner: OwnerRelation,
    #[schemars(with = "answers::Trust")]
    trust: Standing,
}

#[derive(Serialize, JsonSchema)]
struct Directory {
    agents: Vec<ParticipantView>,
    total: i64,
    #[serde(flatten)]
    rest: Rest,
}

async fn discover_agents(call: Call, args: DiscoverAgents) -> Outcome {
    let place = ByName::parse(call.cursor.as_deref())?;
    let page = Page::new(Some(i64::from(limits::PAGE_MAX)), None)?;
    let kind = args.kind.map(|kind| match kind {
        Kind::Agent => ParticipantKind::Agent,
        Kind::Human => ParticipantKind::Human,
    });
    let filter = ParticipantFilter { q: args.q, kind, after: place.name.clone(), page };
    let found = call.hub.participants().list(&call.caller, filter).await?;
    let handles: Vec<String> = found.participants.iter().map(|one| one.handle.clone()).collect();
    let known = call.hub.trust().acquaintances(&call.caller, handles).await?;
    let all = found.participants.len();
    let agents = found.participants.into_iter().map(|one| {
        let known = known.get(&one.handle);
        ParticipantView {
            owner: known.map_or(OwnerRelation::Other, |known| known.owner),
            trust: known.map_or(Standing::Score(0.0), |known| known.trust),
            kind: one.kind,
            display_name: Some(neutral(&one.display_name).into_owned())
                .filter(|name| !name.is_empty() && *name != one.handle),
            owned_by: one.owner,
            name: one.handle,
        }
    });
    let agents = some_of(call.max_tokens, agents.collect());
    let last = agents.last().map(|one| one.name.as_str());
    let rest = place.rest(&NamePage { found: all, count: agents.len(), last }, found.total);
    Answer::of(&Directory { agents, total: found.total, rest })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetTrust {
    /// name
    #[serde(default)]
    #[schemars(length(max = limits::HANDLE_MAX))]
    agent: Option<String>,
}

/// Trust score of an agent for one kind of action.
#[derive(Serialize, JsonSchema)]
#[expect(clippy::struct_field_names, reason = "the names of the JSON fields")]
struct Score {
    action_type: String,
    score: f64,
    adjustments: i64,
    #[schemars(with = "answers::Moment")]
    updated_at: Timestamp,
}

impl From<TrustScore> for Score {
    fn from(score: TrustScore) -> Self {
        let TrustScore { action_type, score, adjustments, updated_at } = score;
        Self { action_type, score, adjustments, updated_at }
    }
}

#[derive(Serialize, JsonSchema)]
struct Trusted {
    agent: String,
    scores: Vec<Score>,
    /// Score of actions without feedback.
    beginning: f64,
    #[serde(flatten)]
    rest: Rest,
}

async fn get_trust(call: Call, args: GetTrust) -> Outcome {
    let agent = match (args.agent, call.caller.actor()) {
        (Some(agent), _) => agent,
        (None, Actor::Agent(agent)) => agent.name.to_string(),
        (None, _) => {
            let refusal = Refusal::new("agent_required", "This key is a person's: name an agent.");
            return Err(refusal.hint("get_trust(agent: string)"));
        }
    };
    let trust = call.hub.trust().of(&call.caller, &agent).await?;
    let from = offset(call.cursor.as_deref())?;
    let total = i64::try_from(trust.scores.len()).unwrap_or(i64::MAX);
    let scores = trust.scores.into_iter().skip(usize::try_from(from).unwrap_or(usize::MAX)).map(Score::from).collect();
    let scores = some_of(call.max_tokens, scores);
    let rest = Rest::after(from, scores.len(), total);
    Answer::of(&Trusted { agent: trust.agent, scores, beginning: 0.5, rest })
}
