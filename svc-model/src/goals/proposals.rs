//! Agents that are proposed for a goal.

use serde::{Deserialize, Serialize};

use super::{Autonomy, long_text};
use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::names::{AgentName, label};
use crate::timestamp::Timestamp;

/// The status of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ProposalStatus {
    /// It waits for a human.
    Proposed,
    /// A human approved it, and the agent exists.
    Approved,
    /// A human rejected it, or its goal ended.
    Rejected,
}

crate::text_enum! { ProposalStatus { Proposed => "proposed", Approved => "approved", Rejected => "rejected" } }

/// An agent that was proposed for a goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Proposal {
    /// Its number in the goal.
    pub number: i64,
    /// The handle that the agent gets.
    pub name: String,
    /// Its purpose.
    pub purpose: String,
    /// The instruction file that it gets.
    pub instructions: String,
    /// The MCP tools that it may call; `null` for all.
    pub tools: Option<Vec<String>>,
    /// The limit of the cost of all its runs, in dollars.
    pub budget_usd: Option<f64>,
    /// How much it may do without a human.
    pub autonomy: Autonomy,
    /// The handle of the agent that proposed it.
    pub proposer: String,
    /// The depth that the agent has: 1 for one that was proposed by an agent that was not.
    pub depth: u32,
    /// Its status.
    pub status: ProposalStatus,
    /// Why it was rejected.
    pub reason: Option<String>,
    /// The handle of the human who decided.
    pub decided_by: Option<String>,
    /// When it was proposed.
    pub created_at: Timestamp,
    /// When it was decided.
    pub decided_at: Option<Timestamp>,
}

/// The request to propose an agent for a goal.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewProposal {
    /// The handle that the agent gets.
    pub name: String,
    /// Its purpose: 1 to 200 characters.
    pub purpose: String,
    /// Its instruction file, as Markdown: at most 16 KiB.
    #[serde(default)]
    pub instructions: Option<String>,
    /// The MCP tools that it may call; those of its proposer when absent.
    #[serde(default)]
    pub tools: Option<Vec<String>>,
    /// The limit of the cost of all its runs, in dollars; required when its proposer has a limit.
    #[serde(default)]
    pub budget_usd: Option<f64>,
    /// How much it may do without a human; `supervised` when absent.
    #[serde(default)]
    pub autonomy: Option<Autonomy>,
}

impl NewProposal {
    /// Reports all invalid fields at once, and trims the texts.
    pub fn checked(mut self) -> Result<Self> {
        let mut faults = Vec::new();
        if let Err(error) = AgentName::parse("name", &self.name) {
            faults.extend_from_slice(error.fields());
        }
        match label("purpose", &self.purpose, limits::GOAL_TITLE_MAX) {
            Ok(purpose) => self.purpose = purpose,
            Err(error) => faults.extend_from_slice(error.fields()),
        }
        faults.extend(long_text("instructions", self.instructions.as_deref()));
        if self.budget_usd.is_some_and(|usd| !(0.0..=limits::BUDGET_USD_MAX).contains(&usd)) {
            let message = format!("must be 0 to {}", limits::BUDGET_USD_MAX);
            faults.push(FieldError { field: "budget_usd".into(), message });
        }
        if let Some(tools) = &mut self.tools {
            faults.extend(tool_faults(tools));
            tools.sort_unstable();
            tools.dedup();
        }
        if faults.is_empty() { Ok(self) } else { Err(Error::invalid_fields(faults)) }
    }
}

fn tool_faults(tools: &[String]) -> Vec<FieldError> {
    let most = limits::PROPOSAL_TOOLS_MAX;
    if tools.len() > most {
        return vec![FieldError { field: "tools".into(), message: format!("must have at most {most} entries") }];
    }
    let is_tool = |name: &str| {
        (1..=limits::TOOL_NAME_MAX).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    };
    let wrong = tools.iter().enumerate().filter(|(_, name)| !is_tool(name));
    wrong
        .map(|(index, _)| FieldError { field: format!("tools[{index}]"), message: "is not the name of a tool".into() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_faults_of_a_proposal_are_reported_at_once() {
        let new = NewProposal {
            name: "Not A Name".into(),
            purpose: String::new(),
            instructions: Some("\0".into()),
            tools: Some(vec!["send_message".into(), "rm -rf".into()]),
            budget_usd: Some(-1.0),
            autonomy: None,
        };
        let error = new.checked().unwrap_err();
        let fields: Vec<_> = error.fields().iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["name", "purpose", "instructions", "budget_usd", "tools[1]"]);
    }
}
