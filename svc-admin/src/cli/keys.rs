//! `svc-admin keys`.

use clap::Subcommand;
use svc_core::api_keys::{ApiKey, ApiKeyPage, KeyKind, KeyStatus};
use svc_core::ids::ApiKeyId;

use super::context::{Context, PageArguments};
use super::outcome::{Failure, Outcome};
use super::output::{Output, Tone};
use super::table::{self, Cell};
use super::{when, words};
use crate::methods::keys::{List, ListParams, Revoke, RevokeParams};

#[derive(Debug, Subcommand)]
pub(super) enum KeysCommand {
    /// List agent keys and managed keys, newest first, without their secrets.
    #[command(after_help = "Example:\n  svc-admin keys list --owner ann --status active")]
    List {
        /// Only keys of this human.
        #[arg(long, value_name = "USERNAME")]
        owner: Option<String>,
        /// Only active, or only revoked keys.
        #[arg(long, value_name = "STATUS", value_parser = words::key_status())]
        status: Option<KeyStatus>,
        #[command(flatten)]
        page: PageArguments,
    },
    /// Revoke a key immediately and permanently.
    #[command(after_help = "Example:\n  svc-admin keys revoke 17")]
    Revoke {
        /// Id of the key, as in `keys list`.
        id: i64,
    },
}

pub(super) async fn run(command: &KeysCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        KeysCommand::List { owner, status, page } => {
            let params = ListParams {
                owner: owner.clone(),
                status: *status,
                limit: Some(page.limit),
                offset: Some(page.offset),
            };
            let keys = context.call::<List>(&params).await?;
            let outcome = Outcome::new(context.output.render(&keys, draw));
            let empty = if owner.is_some() || status.is_some() {
                "No matching keys: `svc-admin keys list` shows them all."
            } else {
                "No keys yet: `svc-admin agents create AGENT --owner USERNAME` creates an agent with its key."
            };
            Ok(page.remark(outcome, &context.output, (keys.keys.len(), keys.total), empty))
        }
        KeysCommand::Revoke { id } => {
            let key = context.call::<Revoke>(&RevokeParams { id: ApiKeyId(*id) }).await?;
            let sentence = match (&key.agent, key.kind) {
                (Some(agent), KeyKind::Agent) => {
                    format!(
                        "The agent key {id} of {agent} is revoked: `svc-admin agents rotate-key {agent}` makes another."
                    )
                }
                _ => format!("The key {id} ({}) of {} is revoked.", key.name, key.owner),
            };
            Ok(Outcome::sentence(&context.output, &key, &sentence))
        }
    }
}

fn draw(output: &Output, page: &ApiKeyPage) -> String {
    let now = when::now();
    let row = |key: &ApiKey| {
        let state = match (key.status, key.expires_at) {
            (KeyStatus::Revoked, _) => {
                Cell::toned(format!("revoked {}", when::relative_or(key.revoked_at, now, "")), Tone::Bad)
            }
            (KeyStatus::Active, Some(end)) if end <= now => Cell::toned("expired", Tone::Bad),
            (KeyStatus::Active, Some(end)) => Cell::toned(format!("ends {}", when::relative(end, now)), Tone::Good),
            (KeyStatus::Active, None) => Cell::toned("active", Tone::Good),
        };
        vec![
            Cell::whole(key.id.to_string()),
            Cell::whole(&key.prefix),
            Cell::new(&key.name),
            Cell::new(&key.owner),
            Cell::new(key.agent.as_deref().unwrap_or("-")),
            Cell::new(permissions(key)),
            state,
            Cell::whole(when::relative_or(key.last_used_at, now, "never")),
        ]
    };
    let rows: Vec<_> = page.keys.iter().map(row).collect();
    table::draw(output, &["ID", "BEGINS", "NAME", "OWNER", "AGENT", "MAY", "STATE", "USED"], &rows)
}

/// An agent key has all permissions of its agent.
fn permissions(key: &ApiKey) -> String {
    match key.kind {
        KeyKind::Agent => "agent".to_owned(),
        KeyKind::Managed => key.permissions.iter().map(|permission| permission.as_str()).collect::<Vec<_>>().join(","),
    }
}
