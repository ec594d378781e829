//! Human accounts and their roles.

use serde::{Deserialize, Serialize};

use crate::ids::{InviteId, UserId};
use crate::page::Page;
use crate::timestamp::Timestamp;

/// The role of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum Role {
    /// May also administer accounts, and see the audit log, all agents and the health of the hub.
    Admin,
    /// No additional permissions.
    User,
}

crate::text_enum! {
    Role {
        Admin => "admin",
        User => "user",
    }
}

crate::row! {
    /// A human account.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub struct User {
        /// Its id.
        pub id: UserId,
        /// Its handle.
        pub username: String,
        /// Its display name.
        pub display_name: String,
        /// Its role.
        pub role: Role,
        /// When it was created.
        pub created_at: Timestamp,
        /// When it was disabled; absent for an active account.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub disabled_at: Option<Timestamp>,
    }
}

/// A page of accounts.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct UserPage {
    /// The accounts, by name.
    pub users: Vec<User>,
    /// The total number of accounts.
    pub total: i64,
}

/// The filter of a list of accounts.
#[derive(Debug, Clone, Default)]
pub struct UserFilter {
    /// Only accounts whose handle or display name contains this text, in any case.
    pub q: Option<String>,
    /// The page.
    pub page: Page,
}

/// The state of an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum InviteState {
    /// It can be redeemed.
    Open,
    /// It was redeemed for an account.
    Redeemed,
    /// It was revoked.
    Revoked,
    /// It expired.
    Expired,
}

impl InviteState {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Redeemed => "redeemed",
            Self::Revoked => "revoked",
            Self::Expired => "expired",
        }
    }
}

/// An invitation without its code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct AccountInvite {
    /// Its id.
    pub id: InviteId,
    /// The role of the account.
    pub role: Role,
    /// A note of whoever created it, such as a name or an address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Its state.
    pub state: InviteState,
    /// The admin who created it; absent when an operator did, at the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires, or ended because it was revoked.
    pub expires_at: Timestamp,
    /// When it was redeemed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redeemed_at: Option<Timestamp>,
    /// The account for which it was redeemed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redeemed_by: Option<String>,
    /// When it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
}

/// A page of invitations.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct InvitePage {
    /// The invitations, newest first.
    pub invites: Vec<AccountInvite>,
    /// The total number of invitations.
    pub total: i64,
}
