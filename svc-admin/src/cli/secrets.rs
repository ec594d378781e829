//! `svc-admin secrets`.

use clap::Subcommand;
use svc_core::secrets::{Secret, SecretName, SecretPage, SecretScope};

use super::context::{Context, PageArguments};
use super::outcome::{Failure, Outcome};
use super::output::Output;
use super::table::{self, Cell};
use super::{ask, when, words};
use crate::methods::secrets::{List, ListParams, Set, SetParams, Unset, UnsetParams};

#[derive(Debug, Subcommand)]
pub(super) enum SecretsCommand {
    /// Set a secret. Its value is prompted for, or read from standard input, without one trailing line feed.
    #[command(after_help = "Examples:\n  svc-admin secrets set GITHUB_TOKEN --scope agent:reviewer\n  \
                            svc-admin secrets set GITHUB_TOKEN --scope user:ann < token.txt")]
    Set {
        /// Environment variable: capitals, digits, underscores.
        #[arg(value_name = "VARIABLE", value_parser = words::secret_name)]
        name: SecretName,
        /// user:USERNAME for all agents of a human, agent:AGENT for one agent.
        #[arg(long, value_name = "SCOPE", value_parser = words::scope)]
        scope: SecretScope,
    },
    /// List the names of secrets. Their values are never shown.
    #[command(after_help = "Example:\n  svc-admin secrets list --scope user:ann")]
    List {
        /// Only secrets of this scope: user:USERNAME or agent:AGENT.
        #[arg(long, value_name = "SCOPE", value_parser = words::scope)]
        scope: Option<SecretScope>,
        #[command(flatten)]
        page: PageArguments,
    },
    /// Remove a secret.
    #[command(after_help = "Example:\n  svc-admin secrets unset GITHUB_TOKEN --scope agent:reviewer")]
    Unset {
        /// Environment variable of the secret.
        #[arg(value_name = "VARIABLE", value_parser = words::secret_name)]
        name: SecretName,
        /// user:USERNAME or agent:AGENT.
        #[arg(long, value_name = "SCOPE", value_parser = words::scope)]
        scope: SecretScope,
    },
}

pub(super) async fn run(command: &SecretsCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        SecretsCommand::Set { name, scope } => {
            let value = ask::secret_value(name.as_str())?;
            let secret =
                context.call::<Set>(&SetParams { name: name.to_string(), scope: scope.to_string(), value }).await?;
            let done = if secret.created_at == secret.updated_at { "is set" } else { "is replaced" };
            let sentence = format!("{} of {} {done}; the next run receives it.", secret.name, secret.scope);
            Ok(Outcome::sentence(&context.output, &secret, &sentence))
        }
        SecretsCommand::List { scope, page } => {
            let params = ListParams {
                scope: scope.as_ref().map(ToString::to_string),
                limit: Some(page.limit),
                offset: Some(page.offset),
            };
            let secrets = context.call::<List>(&params).await?;
            let outcome = Outcome::new(context.output.render(&secrets, draw));
            let empty = format!(
                "No secrets yet: set one with `svc-admin secrets set NAME --scope {}`.",
                scope.as_ref().map_or_else(|| "user:USERNAME".to_owned(), ToString::to_string)
            );
            Ok(page.remark(outcome, &context.output, (secrets.secrets.len(), secrets.total), &empty))
        }
        SecretsCommand::Unset { name, scope } => {
            let params = UnsetParams { name: name.to_string(), scope: scope.to_string() };
            let removed = context.call::<Unset>(&params).await?;
            Ok(Outcome::sentence(&context.output, &removed, &format!("{name} of {scope} is removed.")))
        }
    }
}

fn draw(output: &Output, page: &SecretPage) -> String {
    let now = when::now();
    let row = |secret: &Secret| {
        vec![
            Cell::new(secret.scope.to_string()),
            Cell::new(&secret.name),
            Cell::whole(when::relative(secret.created_at, now)),
            Cell::whole(when::relative(secret.updated_at, now)),
        ]
    };
    let rows: Vec<_> = page.secrets.iter().map(row).collect();
    table::draw(output, &["SCOPE", "NAME", "CREATED", "SET"], &rows)
}
