//! Human accounts and their roles.

use serde::{Deserialize, Serialize};

use crate::ids::UserId;
use crate::timestamp::Timestamp;

/// The role of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum Role {
    /// May also see accounts, the audit log and the health of the hub.
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
