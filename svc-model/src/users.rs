//! What a human account is.

use serde::{Deserialize, Serialize};

use crate::ids::UserId;
use crate::timestamp::Timestamp;

/// What an account may do beyond its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum Role {
    /// Sees accounts, the audit log and the health of the hub.
    Admin,
    /// Nothing.
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
        /// Its name for people to read.
        pub display_name: String,
        /// What it may do beyond its own.
        pub role: Role,
        /// Since when it exists.
        pub created_at: Timestamp,
        /// Since when it is disabled; absent for one that is not.
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
    /// How many there are in all.
    pub total: i64,
}
