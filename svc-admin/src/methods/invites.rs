//! `invites.*`: invitations that were created.

use serde::{Deserialize, Serialize};
use svc_core::ids::InviteId;
use svc_core::users::{AccountInvite, InvitePage};
use svc_core::{Error, ErrorKind, Result};

use super::{Method, Paged, Server, root};

/// Lists invitations.
pub struct List;

impl Method for List {
    const NAME: &'static str = "invites.list";
    const ABOUT: &'static str = "List invitations, newest first, without their codes.";
    type Params = Paged;
    type Answer = InvitePage;

    async fn run(server: &Server, params: Paged) -> Result<InvitePage> {
        server.hub.users().invites(&root(), params.page()?).await
    }
}

/// Revokes an invitation.
pub struct Revoke;

/// Parameters of [`Revoke`].
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevokeParams {
    /// Id of the invitation, as in the list.
    pub id: InviteId,
}

impl Method for Revoke {
    const NAME: &'static str = "invites.revoke";
    const ABOUT: &'static str = "Revoke an invitation that was not redeemed yet.";
    type Params = RevokeParams;
    type Answer = AccountInvite;

    async fn run(server: &Server, params: RevokeParams) -> Result<AccountInvite> {
        match server.hub.users().revoke_invite(&root(), params.id).await {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let sentence = format!("There is no invitation {}: `svc-admin invites list` shows them.", params.id);
                Err(Error::new(ErrorKind::NotFound, "not_found", sentence))
            }
            revoked => revoked,
        }
    }
}
