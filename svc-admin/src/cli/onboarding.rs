//! `svc-admin agents config` and `svc-admin agents instructions`.

use clap::Args;
use svc_core::onboarding::{Archetype, ClientKind, Transport};

use super::context::Context;
use super::outcome::{Failure, Outcome};
use super::{names, words};
use crate::methods::onboarding::{Config, ConfigParams, Instructions, InstructionsParams};

/// Options of a client configuration.
#[derive(Debug, Args)]
pub(super) struct ConfigArguments {
    #[arg(value_name = "AGENT", help = names::AGENT)]
    name: String,
    /// Transport: directly over HTTP, or through the program svc-mcp-stdio.
    #[arg(long, value_name = "KIND", default_value = "http", value_parser = words::transport())]
    transport: Transport,
    /// The client, for its own format; by default the format that most clients share.
    #[arg(long, value_name = "CLIENT", value_parser = words::client_kind())]
    client: Option<ClientKind>,
    /// URL of the hub for the client; by default the server's own.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Rotate the key of the agent and insert the new one. The old key is revoked at once.
    #[arg(long)]
    rotate: bool,
}

/// Options of an instruction file.
#[derive(Debug, Args)]
pub(super) struct InstructionsArguments {
    #[arg(value_name = "AGENT", help = names::AGENT)]
    name: String,
    /// Archetype of the agent.
    #[arg(long, value_name = "ARCHETYPE", default_value = "custom", value_parser = words::archetype())]
    archetype: Archetype,
    /// URL of the hub for the agent; by default the server's own.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
}

pub(super) async fn config(arguments: &ConfigArguments, context: &mut Context) -> Result<Outcome, Failure> {
    let ConfigArguments { name, transport, client, base_url, rotate } = arguments;
    let params = ConfigParams {
        name: name.clone(),
        transport: *transport,
        client: *client,
        base_url: base_url.clone(),
        rotate: *rotate,
    };
    let config = context.call::<Config>(&params).await?;
    let outcome = Outcome::new(context.output.render(&config, |_, config| config.text.clone()));
    let remark = if config.has_key {
        format!(
            "{name} has a new key, and the old one is revoked. It is shown only once; put this into {}.",
            config.place
        )
    } else {
        format!(
            "This belongs in {} and holds no key: put the agent's into SVC_AGENT_KEY as the configuration says, or \
             run the command again with --rotate for one with a new key.",
            config.place
        )
    };
    Ok(outcome.remark(&context.output, &remark))
}

pub(super) async fn instructions(arguments: &InstructionsArguments, context: &mut Context) -> Result<Outcome, Failure> {
    let InstructionsArguments { name, archetype, base_url } = arguments;
    let params = InstructionsParams { name: name.clone(), archetype: *archetype, base_url: base_url.clone() };
    let file = context.call::<Instructions>(&params).await?;
    Ok(Outcome::new(context.output.render(&file, |_, file| file.text.clone())))
}

/// Hints for a new agent.
pub(super) fn next_steps(name: &str) -> String {
    format!(
        "Connect it: `svc-admin agents config {name}` prints its client's configuration, `svc-admin agents \
         instructions {name}` its instruction file."
    )
}
