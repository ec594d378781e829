//! Goals: create one, propose its task tree and agents, do its tasks, end it.
//!
//! [`tree`] has the task tree and its tasks, [`read`] what `get_goal` shows, [`shown`] the parts of the answers.

mod read;
mod shown;
mod tree;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use svc_core::formats::neutral;
use svc_core::goals::{
    Autonomy, GoalBudget, GoalCompletion, GoalStatus, NewGoal, NewProposal, Proposal, ProposalStatus,
};
use svc_core::ids::{GoalId, MessageId};
use svc_core::{FieldError, Timestamp, limits};

use crate::answers;
use crate::catalogue::{Answer, Call, Effect, Entry, Outcome, find, near};
use crate::error::Refusal;
use shown::ShownGoal;

/// Most names that are reported as unknown at once.
const FAULTS_MAX: usize = 10;
const ALSO_GOAL: &[(&str, &str)] = &[("id", "goal_id"), ("goal", "goal_id")];

pub(super) fn tools() -> Vec<Entry> {
    let mut tools = vec![
        Entry::new("create_goal", Effect::Adds, "Create a goal and its channel; you coordinate.", create_goal)
            .answers::<ShownGoal>(),
    ];
    tools.extend(tree::tools());
    tools.extend([
        Entry::new(
            "propose_agent",
            Effect::Adds,
            "Propose an agent for a goal, with at most your rights, to a human.",
            propose_agent,
        )
        .also(ALSO_GOAL)
        .answers::<ShownProposal>(),
        Entry::new(
            "get_goal",
            Effect::Lists,
            "Read a goal: tasks, cost, agents, timeline. Without goal_id: list goals.",
            read::get_goal,
        )
        .also(ALSO_GOAL)
        .answers::<read::GoalAnswer>(),
        Entry::new("complete_goal", Effect::Removes, "End a goal, or report it stuck.", complete_goal)
            .also(ALSO_GOAL)
            .answers::<ShownGoal>(),
    ]);
    tools
}

// How much may be done without a human. A doc comment would be listed.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Freedom {
    Supervised,
    Autonomous,
}

impl From<Freedom> for Autonomy {
    fn from(freedom: Freedom) -> Self {
        match freedom {
            Freedom::Supervised => Self::Supervised,
            Freedom::Autonomous => Self::Autonomous,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CreateGoal {
    /// one line
    #[schemars(length(max = limits::GOAL_TITLE_MAX))]
    title: String,
    /// outcome
    #[serde(default)]
    #[schemars(length(max = limits::GOAL_TEXT_MAX))]
    description: Option<String>,
    /// short name
    #[serde(default)]
    #[schemars(length(max = limits::GOAL_SLUG_MAX))]
    slug: Option<String>,
    /// agent
    #[serde(default)]
    #[schemars(length(max = limits::HANDLE_MAX))]
    coordinator: Option<String>,
    /// limits
    #[serde(default)]
    #[schemars(schema_with = "budget")]
    budget: Option<Limits>,
    /// supervised: a human approves
    #[serde(default)]
    autonomy: Option<Freedom>,
    /// 0-10; default 3
    #[serde(default)]
    #[schemars(range(min = 0, max = 10))]
    max_spawn_depth: Option<u32>,
}

/// A budget as an argument.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Limits {
    #[serde(default)]
    usd: Option<f64>,
    #[serde(default)]
    tokens: Option<i64>,
}

fn budget(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "properties": { "usd": { "type": "number" }, "tokens": { "type": "integer" } } })
}

async fn create_goal(call: Call, args: CreateGoal) -> Outcome {
    let new = NewGoal {
        title: args.title,
        description: args.description,
        slug: args.slug,
        coordinator: args.coordinator,
        budget: args.budget.map(|Limits { usd, tokens }| GoalBudget { usd, tokens }),
        autonomy: args.autonomy.map(Into::into),
        max_spawn_depth: args.max_spawn_depth,
    };
    Answer::of(&ShownGoal::from(call.hub.goals().create(&call.caller, new).await?))
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Ending {
    Completed,
    Stuck,
    Cancelled,
}

impl From<Ending> for GoalStatus {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Completed => Self::Completed,
            Ending::Stuck => Self::Stuck,
            Ending::Cancelled => Self::Cancelled,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CompleteGoal {
    /// goal
    #[schemars(range(min = 1))]
    goal_id: i64,
    status: Ending,
    /// outcome or why
    #[serde(default)]
    #[schemars(length(max = limits::GOAL_NOTE_MAX))]
    summary: Option<String>,
    /// reporting message
    #[serde(default)]
    #[schemars(range(min = 1))]
    completion_message_id: Option<i64>,
}

async fn complete_goal(call: Call, args: CompleteGoal) -> Outcome {
    let completion = GoalCompletion {
        status: args.status.into(),
        summary: args.summary,
        completion_message_id: args.completion_message_id.map(MessageId),
    };
    let goal = call.hub.goals().complete(&call.caller, GoalId(args.goal_id), completion).await?;
    Answer::of(&ShownGoal::from(goal))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ProposeAgent {
    /// goal
    #[schemars(range(min = 1))]
    goal_id: i64,
    /// handle
    #[schemars(length(max = limits::HANDLE_MAX))]
    name: String,
    /// its work
    #[schemars(length(max = limits::GOAL_TITLE_MAX))]
    purpose: String,
    /// Markdown
    #[serde(default)]
    #[schemars(length(max = limits::GOAL_TEXT_MAX))]
    instructions: Option<String>,
    /// default yours
    #[serde(default)]
    #[schemars(length(max = limits::PROPOSAL_TOOLS_MAX), inner(length(max = limits::TOOL_NAME_MAX)))]
    tools: Option<Vec<String>>,
    /// of its runs
    #[serde(default)]
    #[schemars(range(min = 0))]
    budget_usd: Option<f64>,
    #[serde(default)]
    autonomy: Option<Freedom>,
}

/// A proposed agent as an agent reads it.
#[derive(Clone, Serialize, JsonSchema)]
pub(super) struct ShownProposal {
    number: i64,
    name: String,
    purpose: String,
    #[schemars(with = "answers::ProposalStatus")]
    status: ProposalStatus,
    proposer: String,
    depth: u32,
    #[schemars(with = "answers::Autonomy")]
    autonomy: Autonomy,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_usd: Option<f64>,
    /// Why it was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<String>,
    #[schemars(with = "answers::Moment")]
    at: Timestamp,
}

impl From<Proposal> for ShownProposal {
    fn from(proposal: Proposal) -> Self {
        Self {
            number: proposal.number,
            name: proposal.name,
            purpose: neutral(&proposal.purpose).into_owned(),
            status: proposal.status,
            proposer: proposal.proposer,
            depth: proposal.depth,
            autonomy: proposal.autonomy,
            tools: proposal.tools,
            budget_usd: proposal.budget_usd,
            reason: proposal.reason.map(|reason| neutral(&reason).into_owned()),
            decided_by: proposal.decided_by,
            at: proposal.created_at,
        }
    }
}

async fn propose_agent(call: Call, args: ProposeAgent) -> Outcome {
    known_tools(args.tools.as_deref().unwrap_or_default())?;
    let new = NewProposal {
        name: args.name,
        purpose: args.purpose,
        instructions: args.instructions,
        tools: args.tools,
        budget_usd: args.budget_usd,
        autonomy: args.autonomy.map(Into::into),
    };
    let proposal = call.hub.goals().propose_agent(&call.caller, GoalId(args.goal_id), new).await?;
    Answer::of(&ShownProposal::from(proposal))
}

/// Rejects names of tools that do not exist, each with the most similar names.
fn known_tools(names: &[String]) -> Result<(), Refusal> {
    let unknown = names.iter().enumerate().filter(|(_, name)| find(name).is_none());
    let faults: Vec<FieldError> = unknown
        .map(|(index, name)| {
            let meant = match near(name).as_slice() {
                [] => "find_action lists all tools".to_owned(),
                near => format!("did you mean {}?", near.join(", ")),
            };
            FieldError { field: format!("tools[{index}]"), message: format!("is not the name of a tool: {meant}") }
        })
        .take(FAULTS_MAX)
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(Refusal::arguments(faults)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_tools_of_a_proposal_are_named_with_similar_ones() {
        let names = ["send_message", "send_mesage", "xyzzy"].map(ToOwned::to_owned);
        let refusal = known_tools(&names).unwrap_err();
        let fields: Vec<_> = refusal.errors.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["tools[1]", "tools[2]"]);
        assert!(refusal.errors[0].message.contains("send_message"), "{:?}", refusal.errors);
        assert!(known_tools(&names[..1]).is_ok());
    }
}
