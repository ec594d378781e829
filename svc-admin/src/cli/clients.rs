//! `svc-admin clients`.

use clap::Subcommand;
use svc_core::oauth::{Client, ClientAuthMethod, ClientPage, GrantType};

use super::ask;
use super::context::{Context, PageArguments};
use super::outcome::{Failure, Outcome};
use super::output::Output;
use super::table::{self, Cell};
use super::{when, words};
use crate::methods::Confidential;
use crate::methods::clients::{Create, CreateParams, Delete, DeleteParams, List};

#[derive(Debug, Subcommand)]
pub(super) enum ClientsCommand {
    /// Create an OAuth client and print its secret once, or its id if it has no secret.
    ///
    /// Most clients register themselves; create one here for a client that cannot, and for one that acts as an agent
    /// by itself.
    #[command(after_help = "Examples:\n  svc-admin clients create \"Build server\" --agent builder\n  \
                            svc-admin clients create Portal --redirect-uri https://portal.example.org/callback\n  \
                            svc-admin clients create \"Command line\" --device --auth-method none")]
    Create {
        /// Display name.
        #[arg(value_name = "TEXT")]
        name: String,
        /// Redirect URI; can be repeated.
        #[arg(long = "redirect-uri", value_name = "URI")]
        redirect_uris: Vec<String>,
        /// Allow the device flow, for devices without a browser.
        #[arg(long)]
        device: bool,
        /// Agent that it acts as by itself, with its secret alone.
        #[arg(long, value_name = "AGENT")]
        agent: Option<String>,
        /// Client authentication method.
        #[arg(long, value_name = "METHOD", value_parser = words::auth_method(), default_value = "client_secret_basic")]
        auth_method: ClientAuthMethod,
    },
    /// List OAuth clients, newest first, without their secrets.
    #[command(after_help = "Example:\n  svc-admin clients list")]
    List {
        #[command(flatten)]
        page: PageArguments,
    },
    /// Delete an OAuth client, with all its grants.
    #[command(after_help = "Example:\n  svc-admin clients delete client_5Jk0pQ2 --yes")]
    Delete {
        /// Id of the client, as in `clients list`.
        #[arg(value_name = "CLIENT_ID")]
        client_id: String,
        /// Skip the confirmation.
        #[arg(long, short)]
        yes: bool,
    },
}

pub(super) async fn run(command: &ClientsCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        ClientsCommand::Create { name, redirect_uris, device, agent, auth_method } => {
            let params = CreateParams {
                name: name.clone(),
                auth_method: Some(*auth_method),
                grant_types: grant_types(redirect_uris, *device, agent.as_deref())?,
                redirect_uris: redirect_uris.clone(),
                agent: agent.clone(),
            };
            create(context, &params).await
        }
        ClientsCommand::List { page } => {
            let clients = context.call::<List>(&page.paged()).await?;
            let outcome = Outcome::new(context.output.render(&clients, draw));
            let empty = "No clients yet: most register themselves, and `svc-admin clients create` creates one.";
            Ok(page.remark(outcome, &context.output, (clients.clients.len(), clients.total), empty))
        }
        ClientsCommand::Delete { client_id, yes } => {
            ask::confirm(&format!("This deletes the client {client_id}, with all its grants."), *yes)?;
            let deleted = context.call::<Delete>(&DeleteParams { client_id: client_id.clone() }).await?;
            Ok(Outcome::sentence(&context.output, &deleted, &format!("{client_id} is deleted.")))
        }
    }
}

/// Derives the grant types from the options.
fn grant_types(redirect_uris: &[String], device: bool, agent: Option<&str>) -> Result<Vec<GrantType>, Failure> {
    let chosen = [
        (!redirect_uris.is_empty(), GrantType::AuthorizationCode),
        (device, GrantType::DeviceCode),
        (agent.is_some(), GrantType::ClientCredentials),
    ];
    let chosen: Vec<_> = chosen.into_iter().filter(|(asked, _)| *asked).map(|(_, grant_type)| grant_type).collect();
    if chosen.is_empty() {
        let sentence = "Choose a grant type: --redirect-uri for a browser, --device for a device without one, \
                        --agent to act as an agent by itself.";
        return Err(Failure::Usage(sentence.into()));
    }
    Ok(chosen)
}

async fn create(context: &mut Context, params: &CreateParams) -> Result<Outcome, Failure> {
    let made = context.call::<Create>(params).await?;
    let Client { client_id, name, .. } = &made.client;
    if let Some(secret) = &made.client_secret {
        let sentence = format!("Created the client {name}. Its id is {client_id}; its secret is shown only once:");
        return Ok(Outcome::shown_once(&context.output, &made, &sentence, secret));
    }
    let sentence = format!("Created the client {name}, which has no secret. Its id:");
    Ok(Outcome::shown_once(&context.output, &made, &sentence, &Confidential::new(client_id)))
}

fn draw(output: &Output, page: &ClientPage) -> String {
    let now = when::now();
    let row = |client: &Client| {
        vec![
            Cell::new(&client.client_id).kept(),
            Cell::new(&client.name),
            Cell::new(client.source.as_str()),
            Cell::new(grants(client)),
            Cell::new(client.agent.as_deref().unwrap_or("-")),
            Cell::whole(when::relative(client.created_at, now)),
        ]
    };
    let rows: Vec<_> = page.clients.iter().map(row).collect();
    table::draw(output, &["ID", "NAME", "FROM", "BY", "AGENT", "CREATED"], &rows)
}

/// Grant types of a client, in short words.
fn grants(client: &Client) -> String {
    let short = |grant_type: &GrantType| match grant_type {
        GrantType::AuthorizationCode => Some("browser"),
        GrantType::DeviceCode => Some("device"),
        GrantType::ClientCredentials => Some("itself"),
        // It comes with the others.
        GrantType::RefreshToken => None,
    };
    client.grant_types.iter().filter_map(short).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grant_types_follow_from_the_options() {
        let uris = ["https://portal.example.org".to_owned()];
        assert_eq!(grant_types(&uris, false, None).unwrap(), [GrantType::AuthorizationCode]);
        assert_eq!(grant_types(&[], true, Some("bot")).unwrap(), [GrantType::DeviceCode, GrantType::ClientCredentials]);
        assert!(matches!(grant_types(&[], false, None), Err(Failure::Usage(_))));
    }
}
