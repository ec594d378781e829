//! `svc-admin agents`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use svc_core::agents::{Agent, AgentPage, AgentSettings, TriggerMode};
use svc_core::api_keys::McpProfile;
use svc_core::governance::{Budget, PausedReason, Period};

use super::ask;
use super::context::{Context, PageArguments};
use super::onboarding::{self, ConfigArguments, InstructionsArguments};
use super::outcome::{Failure, Outcome};
use super::output::{Output, Tone};
use super::size::bytes;
use super::table::{self, Cell};
use super::{governance, names, when, words};
use crate::methods::agents::{
    self as methods, Create, CreateParams, Delete, List, Pause, Resume, RotateKey, Show, ShowReputation, Unquarantine,
    Update, UpdateParams,
};
use crate::methods::{Confidential, Method, Named, OwnerPaged};

#[derive(Debug, Subcommand)]
pub(super) enum AgentsCommand {
    /// Create an agent and print its key once.
    #[command(after_help = "Example:\n  KEY=$(svc-admin agents create reviewer --owner ann)")]
    Create {
        #[arg(value_name = "AGENT", help = names::NEW_AGENT)]
        name: String,
        /// The human who owns it.
        #[arg(long, value_name = "USERNAME")]
        owner: String,
        /// Display name.
        #[arg(long, value_name = "TEXT")]
        display_name: Option<String>,
        /// Tools that MCP clients with its key see by default.
        #[arg(long, value_name = "PROFILE", value_parser = words::mcp_profile())]
        mcp_profile: Option<McpProfile>,
    },
    /// List agents by name.
    #[command(after_help = "Example:\n  svc-admin agents list --owner ann")]
    List {
        /// Only agents of this human.
        #[arg(long, value_name = "USERNAME")]
        owner: Option<String>,
        #[command(flatten)]
        page: PageArguments,
    },
    /// Show an agent with all its settings.
    #[command(after_help = "Example:\n  svc-admin agents show reviewer")]
    Show {
        #[arg(value_name = "AGENT", help = names::AGENT)]
        name: String,
    },
    /// Update the given settings of an agent.
    #[command(after_help = "Example:\n  svc-admin agents update reviewer --trigger-mode reactive --cooldown 10m")]
    Update {
        #[arg(value_name = "AGENT", help = names::AGENT)]
        name: String,
        #[command(flatten)]
        settings: Box<SettingArguments>,
    },
    /// Rotate the key of an agent and print the new one once. The old key is revoked at once.
    #[command(after_help = "Example:\n  KEY=$(svc-admin agents rotate-key reviewer)")]
    RotateKey {
        #[arg(value_name = "AGENT", help = names::AGENT)]
        name: String,
    },
    /// Print the client configuration of an agent, ready to be pasted.
    #[command(
        after_help = "Examples:\n  svc-admin agents config reviewer > .mcp.json\n  svc-admin agents config reviewer --client codex --transport stdio --rotate"
    )]
    Config(ConfigArguments),
    /// Print the instruction file of an agent.
    #[command(after_help = "Example:\n  svc-admin agents instructions reviewer --archetype commenter > AGENTS.md")]
    Instructions(InstructionsArguments),
    /// Pause an agent: the hub does not run it until it is resumed.
    #[command(after_help = "Example:\n  svc-admin agents pause reviewer")]
    Pause {
        #[arg(value_name = "AGENT", help = names::AGENT)]
        name: String,
    },
    /// Resume a paused agent.
    #[command(after_help = "Example:\n  svc-admin agents resume reviewer")]
    Resume {
        #[arg(value_name = "AGENT", help = names::AGENT)]
        name: String,
    },
    /// Lift the quarantine of an agent.
    #[command(after_help = "Example:\n  svc-admin agents unquarantine reviewer")]
    Unquarantine {
        #[arg(value_name = "AGENT", help = names::AGENT)]
        name: String,
    },
    /// Show the budget of an agent: limits, spent, reserved and forecast.
    #[command(after_help = "Example:\n  svc-admin agents budget reviewer")]
    Budget {
        #[arg(value_name = "AGENT", help = names::AGENT)]
        name: String,
    },
    /// Show the reputation of an agent with its last entries.
    #[command(after_help = "Example:\n  svc-admin agents reputation reviewer")]
    Reputation {
        #[arg(value_name = "AGENT", help = names::AGENT)]
        name: String,
    },
    /// Delete an agent permanently, with its keys and secrets. Its messages are kept.
    #[command(after_help = "Example:\n  svc-admin agents delete reviewer --yes")]
    Delete {
        #[arg(value_name = "AGENT", help = names::AGENT)]
        name: String,
        /// Skip the confirmation.
        #[arg(long, short)]
        yes: bool,
    },
}

/// Settings of an agent.
#[derive(Debug, Args)]
pub(super) struct SettingArguments {
    /// Display name.
    #[arg(long, value_name = "TEXT")]
    display_name: Option<String>,
    /// Trigger mode.
    #[arg(long, value_name = "MODE", value_parser = words::trigger_mode())]
    trigger_mode: Option<TriggerMode>,
    /// Minimum pause between two runs: seconds, or 10m, 2h.
    #[arg(long, value_name = "DURATION", value_parser = words::seconds)]
    cooldown: Option<u32>,
    /// Maximum number of runs per day.
    #[arg(long, value_name = "N")]
    daily_runs: Option<u32>,
    /// Maximum cost of its runs in a period, in dollars. Naming one limit removes those that are not named.
    #[arg(long, value_name = "USD")]
    budget_usd: Option<f64>,
    /// Maximum number of tokens in a period.
    #[arg(long, value_name = "N")]
    budget_tokens: Option<i64>,
    /// Maximum number of runs in a period.
    #[arg(long, value_name = "N")]
    budget_runs: Option<i64>,
    /// Period of its budget [default: month].
    #[arg(long, value_name = "PERIOD", value_parser = words::period())]
    budget_period: Option<Period>,
    /// Remove its budget.
    #[arg(long, conflicts_with_all = ["budget_usd", "budget_tokens", "budget_runs", "budget_period"])]
    no_budget: bool,
    /// Maximum depth of a chain of triggers.
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
    /// Container image of its cluster jobs; an empty text removes it.
    #[arg(long, value_name = "IMAGE")]
    k8s_image: Option<String>,
    /// File with a JSON object: its run configuration.
    #[arg(long, value_name = "FILE")]
    harness_file: Option<PathBuf>,
    /// File with its instructions.
    #[arg(long, value_name = "FILE")]
    agent_md_file: Option<PathBuf>,
    /// Tools that MCP clients with its own key see by default.
    #[arg(long, value_name = "PROFILE", value_parser = words::mcp_profile())]
    mcp_profile: Option<McpProfile>,
}

impl SettingArguments {
    async fn read(&self) -> Result<AgentSettings, Failure> {
        let harness = match &self.harness_file {
            None => None,
            Some(path) => Some(ask::json_file(path).await?),
        };
        let agent_md = match &self.agent_md_file {
            None => None,
            Some(path) => Some(ask::file(path).await?),
        };
        Ok(AgentSettings {
            display_name: self.display_name.clone(),
            trigger_mode: self.trigger_mode,
            cooldown_seconds: self.cooldown,
            daily_run_budget: self.daily_runs,
            budget: self.budget()?,
            max_trigger_depth: self.max_depth,
            k8s_image: self.k8s_image.clone(),
            harness,
            agent_md,
            paused: None,
            quarantined: None,
            mcp_profile: self.mcp_profile,
        })
    }

    fn budget(&self) -> Result<Option<Budget>, Failure> {
        if self.no_budget {
            return Ok(Some(Budget::default()));
        }
        let (usd, tokens, runs) = (self.budget_usd, self.budget_tokens, self.budget_runs);
        let budget = Budget { usd, tokens, runs, period: self.budget_period.unwrap_or_default() };
        match (budget.is_empty(), self.budget_period) {
            (false, _) => Ok(Some(budget)),
            (true, None) => Ok(None),
            (true, Some(_)) => Err(Failure::Usage(
                "--budget-period needs a limit: --budget-usd, --budget-tokens or --budget-runs.".into(),
            )),
        }
    }
}

pub(super) async fn run(command: &AgentsCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        AgentsCommand::Create { name, owner, display_name, mcp_profile } => {
            let params = CreateParams {
                name: name.clone(),
                owner: owner.clone(),
                display_name: display_name.clone(),
                mcp_profile: *mcp_profile,
            };
            let created = context.call::<Create>(&params).await?;
            let sentence = format!("Created the agent {name} of {}. Its key is shown only once:", created.agent.owner);
            let key = Confidential::new(&created.key);
            let outcome = Outcome::shown_once(&context.output, &created, &sentence, &key);
            Ok(outcome.remark(&context.output, &onboarding::next_steps(name)))
        }
        AgentsCommand::List { owner, page } => list(context, owner.as_deref(), *page).await,
        AgentsCommand::Show { name } => {
            let agent = context.call::<Show>(&named(name)).await?;
            Ok(Outcome::new(context.output.render(&agent, draw_one)))
        }
        AgentsCommand::Update { name, settings } => {
            let settings = settings.read().await?;
            if settings == AgentSettings::default() {
                return Err(Failure::Usage(
                    "Name at least one setting, such as --cooldown 10m; `svc-admin agents update --help` lists them."
                        .into(),
                ));
            }
            let params = UpdateParams { name: name.clone(), settings };
            let agent = context.call::<Update>(&params).await?;
            Ok(Outcome::new(context.output.render(&agent, draw_one)))
        }
        AgentsCommand::RotateKey { name } => {
            let rotated = context.call::<RotateKey>(&named(name)).await?;
            let sentence = format!("{name} has a new key, and the old one is revoked. It is shown only once:");
            Ok(Outcome::shown_once(&context.output, &rotated, &sentence, &rotated.key))
        }
        AgentsCommand::Config(arguments) => onboarding::config(arguments, context).await,
        AgentsCommand::Instructions(arguments) => onboarding::instructions(arguments, context).await,
        AgentsCommand::Pause { name } => change::<Pause>(context, name, "is paused").await,
        AgentsCommand::Resume { name } => change::<Resume>(context, name, "is not paused").await,
        AgentsCommand::Unquarantine { name } => change::<Unquarantine>(context, name, "is not quarantined").await,
        AgentsCommand::Budget { name } => {
            let budget = context.call::<methods::Budget>(&named(name)).await?;
            Ok(Outcome::new(context.output.render(&budget, governance::draw_budget)))
        }
        AgentsCommand::Reputation { name } => {
            let reputation = context.call::<ShowReputation>(&named(name)).await?;
            Ok(Outcome::new(context.output.render(&reputation, governance::draw_reputation)))
        }
        AgentsCommand::Delete { name, yes } => {
            ask::confirm(&format!("This deletes the agent {name} permanently, with its keys and secrets."), *yes)?;
            let deleted = context.call::<Delete>(&named(name)).await?;
            Ok(Outcome::sentence(&context.output, &deleted, &format!("{name} is deleted.")))
        }
    }
}

fn named(name: &str) -> Named {
    Named { name: name.to_owned() }
}

async fn change<M: Method<Params = Named, Answer = Agent>>(
    context: &mut Context,
    name: &str,
    state: &str,
) -> Result<Outcome, Failure> {
    let agent = context.call::<M>(&named(name)).await?;
    Ok(Outcome::sentence(&context.output, &agent, &format!("{} {state}.", agent.name)))
}

async fn list(context: &mut Context, owner: Option<&str>, page: PageArguments) -> Result<Outcome, Failure> {
    let params = OwnerPaged { owner: owner.map(ToOwned::to_owned), limit: Some(page.limit), offset: Some(page.offset) };
    let agents = context.call::<List>(&params).await?;
    let outcome = Outcome::new(context.output.render(&agents, draw));
    let empty = format!(
        "{} no agents yet: create one with `svc-admin agents create AGENT --owner {}`.",
        owner.map_or_else(|| "There are".to_owned(), |owner| format!("{owner} has")),
        owner.unwrap_or("USERNAME")
    );
    Ok(page.remark(outcome, &context.output, (agents.agents.len(), agents.total), &empty))
}

fn draw(output: &Output, page: &AgentPage) -> String {
    let now = when::now();
    let row = |agent: &Agent| {
        vec![
            Cell::new(&agent.name),
            Cell::new(&agent.display_name),
            Cell::new(&agent.owner),
            Cell::new(agent.trigger_mode.as_str()),
            state(agent),
            Cell::whole(when::relative(agent.created_at, now)),
        ]
    };
    let rows: Vec<_> = page.agents.iter().map(row).collect();
    table::draw(output, &["NAME", "DISPLAY NAME", "OWNER", "MODE", "STATE", "CREATED"], &rows)
}

fn state(agent: &Agent) -> Cell {
    match (agent.quarantined_at, agent.paused_at) {
        (Some(_), _) => Cell::toned("quarantined", Tone::Bad),
        (None, Some(_)) if agent.paused_reason == Some(PausedReason::Budget) => {
            Cell::toned("paused: budget", Tone::Warning)
        }
        (None, Some(_)) => Cell::toned("paused", Tone::Warning),
        (None, None) => Cell::toned("active", Tone::Good),
    }
}

fn state_since(agent: &Agent) -> Cell {
    let parts: Vec<_> = [("quarantined", agent.quarantined_at), ("paused", agent.paused_at)]
        .into_iter()
        .filter_map(|(state, since)| since.map(|since| format!("{state} since {} UTC", when::short(since))))
        .collect();
    let tone = if agent.quarantined_at.is_some() { Tone::Bad } else { Tone::Warning };
    if parts.is_empty() { state(agent) } else { Cell::toned(parts.join(", "), tone) }
}

fn draw_one(output: &Output, agent: &Agent) -> String {
    let instructions = if agent.agent_md.is_empty() { "none".into() } else { bytes(agent.agent_md.len() as u64) };
    table::pairs(
        output,
        &[
            ("name", Cell::new(&agent.name)),
            ("display name", Cell::new(&agent.display_name)),
            ("owner", Cell::new(&agent.owner)),
            ("state", state_since(agent)),
            ("trigger mode", Cell::new(agent.trigger_mode.as_str())),
            ("cooldown", Cell::new(when::duration(agent.cooldown_seconds.into()))),
            ("daily runs", Cell::new(agent.daily_run_budget.to_string())),
            ("budget", Cell::new(agent.budget.as_ref().map_or_else(|| "none".to_owned(), governance::limits))),
            ("max depth", Cell::new(agent.max_trigger_depth.to_string())),
            ("k8s image", Cell::new(agent.k8s_image.as_deref().unwrap_or("none"))),
            ("harness", Cell::new(agent.harness.to_string())),
            ("instructions", Cell::new(instructions)),
            ("tools", Cell::new(agent.mcp_profile.unwrap_or_default().as_str())),
            ("pending work", Cell::new(if agent.pending_work { "yes" } else { "no" })),
            ("created", Cell::new(format!("{} UTC", when::short(agent.created_at)))),
            ("changed", Cell::new(format!("{} UTC", when::short(agent.updated_at)))),
        ],
    )
}
