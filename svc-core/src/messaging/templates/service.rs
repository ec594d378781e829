//! The handle of message templates.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::templates::{MessageTemplate, MessageTemplateUpdate, MessageTemplates, NewMessageTemplate};

use super::store::{self, TemplateText};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::{Actor, Caller};
use crate::identity::users;
use crate::ids::{TemplateId, UserId};
use crate::limits;
use crate::messaging::messages::check_body;
use crate::names::line;
use crate::store::db::{Db, Tx};

/// Message templates of a hub; see [`Hub::templates`](crate::Hub::templates).
#[derive(Clone)]
pub struct Templates {
    db: Db,
}

#[boxed_futures]
impl Templates {
    pub(crate) fn new(db: Db) -> Self {
        Self { db }
    }

    /// The templates of the human who calls, by name.
    pub async fn list(&self, caller: &Caller) -> Result<MessageTemplates> {
        caller.require(Permission::Read)?;
        let templates = self.db.read(human(caller)?, |tx, user| Box::pin(store::list(tx, *user))).await?;
        Ok(MessageTemplates { templates })
    }

    /// Makes a template for the human who calls.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, ann: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::templates::NewMessageTemplate;
    ///
    /// let new = NewMessageTemplate { name: "Thanks".into(), body: "Thank you for the report!".into() };
    /// let made = hub.templates().create(&ann, new).await?;
    /// assert_eq!(hub.templates().list(&ann).await?.templates, [made]);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn create(&self, caller: &Caller, new: NewMessageTemplate) -> Result<MessageTemplate> {
        caller.require(Permission::Write)?;
        let key = caller.idempotency("templates.create", &new)?;
        let (user, text) = (human(caller)?, TemplateText { name: name(&new.name)?, body: body(new.body)? });
        let made = self.db.write_once(key, (user, text), |tx, (user, text)| Box::pin(create(tx, *user, text)));
        Ok(made.await?.value)
    }

    /// Changes a template of the human who calls.
    pub async fn update(
        &self,
        caller: &Caller,
        id: TemplateId,
        update: MessageTemplateUpdate,
    ) -> Result<MessageTemplate> {
        caller.require(Permission::Write)?;
        let name = update.name.as_deref().map(name).transpose()?;
        let body = update.body.map(body).transpose()?;
        self.db
            .write((human(caller)?, id, name, body), |tx, (user, id, name, body)| {
                Box::pin(async move {
                    users::store::hold(tx, *user).await?;
                    let before = store::find(tx, *user, *id).await?;
                    let name = name.clone().unwrap_or(before.name);
                    let body = body.clone().unwrap_or(before.body);
                    let text = TemplateText { name, body };
                    store::update(tx, *id, &text).await?;
                    store::find(tx, *user, *id).await
                })
            })
            .await
    }

    /// Deletes a template of the human who calls.
    pub async fn delete(&self, caller: &Caller, id: TemplateId) -> Result<()> {
        caller.require(Permission::Write)?;
        self.db
            .write((human(caller)?, id), |tx, (user, id)| {
                Box::pin(async move {
                    let found = store::find(tx, *user, *id).await?;
                    store::delete(tx, found.id).await
                })
            })
            .await
    }
}

async fn create(tx: &mut Tx, user: UserId, text: &TemplateText) -> Result<MessageTemplate> {
    users::store::hold(tx, user).await?;
    if store::count(tx, user).await? >= limits::TEMPLATES_MAX {
        let message = format!(
            "You have {} message templates, which is the maximum. Delete some that you no longer need.",
            limits::TEMPLATES_MAX
        );
        return Err(Error::conflict("too_many_templates", message));
    }
    let id = store::insert(tx, user, text).await?;
    store::find(tx, user, id).await
}

/// The human who calls, unless with a key that is limited to channels. Agents and the admin socket have no templates.
fn human(caller: &Caller) -> Result<UserId> {
    caller.require_direct()?;
    match caller.actor() {
        Actor::User(user) => Ok(user.id),
        Actor::Agent(_) | Actor::Root => Err(Error::new(
            ErrorKind::Forbidden,
            "human_required",
            "Only a human has message templates: log in, or use a key of your own.",
        )),
    }
}

fn name(text: &str) -> Result<String> {
    line("name", text, limits::TEMPLATE_NAME_MAX)?.ok_or_else(|| Error::invalid("name", "must not be empty"))
}

fn body(text: String) -> Result<String> {
    check_body(&text)?;
    Ok(text)
}
