//! `svc-admin invites`.

use clap::Subcommand;
use svc_core::ids::InviteId;
use svc_core::users::{AccountInvite, InvitePage, InviteState};

use super::context::{Context, PageArguments};
use super::outcome::{Failure, Outcome};
use super::output::{Output, Tone};
use super::table::{self, Cell};
use super::when;
use crate::methods::invites::{List, Revoke, RevokeParams};

#[derive(Debug, Subcommand)]
pub(super) enum InvitesCommand {
    /// List invitations, newest first, without their codes. `users invite` creates one.
    #[command(after_help = "Example:\n  svc-admin invites list -o json")]
    List {
        #[command(flatten)]
        page: PageArguments,
    },
    /// Revoke an invitation that was not redeemed yet.
    #[command(after_help = "Example:\n  svc-admin invites revoke 4")]
    Revoke {
        /// Id of the invitation, as in `invites list`.
        id: i64,
    },
}

pub(super) async fn run(command: &InvitesCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        InvitesCommand::List { page } => {
            let invites = context.call::<List>(&page.paged()).await?;
            let outcome = Outcome::new(context.output.render(&invites, draw));
            let empty = "No invitations yet: `svc-admin users invite` creates one.";
            Ok(page.remark(outcome, &context.output, (invites.invites.len(), invites.total), empty))
        }
        InvitesCommand::Revoke { id } => {
            let invite = context.call::<Revoke>(&RevokeParams { id: InviteId(*id) }).await?;
            Ok(Outcome::sentence(&context.output, &invite, &format!("The invitation {id} is revoked.")))
        }
    }
}

fn draw(output: &Output, page: &InvitePage) -> String {
    let now = when::now();
    let row = |invite: &AccountInvite| {
        let state = match invite.state {
            InviteState::Open => {
                Cell::toned(format!("open, ends {}", when::relative(invite.expires_at, now)), Tone::Good)
            }
            InviteState::Redeemed => {
                Cell::new(format!("redeemed by {}", invite.redeemed_by.as_deref().unwrap_or("an account")))
            }
            InviteState::Revoked | InviteState::Expired => Cell::toned(invite.state.as_str(), Tone::Bad),
        };
        vec![
            Cell::whole(invite.id.to_string()),
            Cell::new(invite.note.as_deref().unwrap_or("-")),
            Cell::new(invite.role.as_str()),
            state,
            Cell::new(invite.created_by.as_deref().unwrap_or("operator")),
            Cell::whole(when::relative(invite.created_at, now)),
        ]
    };
    let rows: Vec<_> = page.invites.iter().map(row).collect();
    table::draw(output, &["ID", "NOTE", "ROLE", "STATE", "BY", "CREATED"], &rows)
}
