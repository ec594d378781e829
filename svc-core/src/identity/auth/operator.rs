//! The authority to administer accounts.

use super::Caller;
use crate::error::Result;
use crate::timestamp::Timestamp;

impl Caller {
    /// Fails unless the caller may administer accounts: [`Actor::Root`](super::Actor::Root), or an admin with a session
    /// in which the password was entered recently. A key cannot, because the accounts that it made would outlive it.
    pub(crate) fn require_operator(&self, now: Timestamp) -> Result<()> {
        if self.is_root() {
            return Ok(());
        }
        self.require_admin()?;
        self.require_session()?;
        self.require_confirmed(now)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use svc_model::auth::Permission;
    use svc_model::users::Role;

    use super::*;
    use crate::identity::auth::{Actor, Credential, KeyLimits, UserActor};
    use crate::ids::{ApiKeyId, SessionId, UserId};
    use crate::limits;

    fn person(role: Role) -> Actor {
        Actor::User(UserActor { id: UserId(7), username: "ann".into(), role })
    }

    #[test]
    fn root_and_admins_who_entered_their_password_lately_administer_accounts() {
        let at = Timestamp::from_micros(1_767_225_600_000_000);
        let login = |role| Caller::new(person(role), Credential::Session(SessionId(1))).confirmed(at);
        assert!(Caller::root().require_operator(at).is_ok());
        assert!(login(Role::Admin).require_operator(at).is_ok());
        let late = at.plus(limits::LOGIN_CONFIRMED);
        assert_eq!(login(Role::Admin).require_operator(late).unwrap_err().code(), "password_required");
        assert_eq!(login(Role::User).require_operator(at).unwrap_err().code(), "admin_required");
        let permissions = vec![Permission::Admin];
        let key = KeyLimits { id: ApiKeyId(1), permissions, allowed_channels: Vec::new(), expires_at: None };
        let key = Caller::new(person(Role::Admin), Credential::ManagedKey(Arc::new(key)));
        assert_eq!(key.require_operator(at).unwrap_err().code(), "session_required");
    }
}
