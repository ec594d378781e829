//! The SQL of message templates.

use svc_model::templates::MessageTemplate;

use crate::error::{Error, Result};
use crate::ids::{TemplateId, UserId};
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    struct TemplateRow {
        id: TemplateId,
        name: String,
        body: String,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

/// The checked name and text of a template.
#[derive(Debug, Clone)]
pub(super) struct TemplateText {
    pub(super) name: String,
    pub(super) body: String,
}

const LIST: &str = "
    SELECT id, name, body, created_at, updated_at
      FROM message_templates
     WHERE user_id = $1
     ORDER BY name_key
     LIMIT $2";
const FIND: &str = "
    SELECT id, name, body, created_at, updated_at FROM message_templates WHERE id = $1 AND user_id = $2";
const COUNT: &str = "SELECT count(*) FROM message_templates WHERE user_id = $1";

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] =
    &[("templates.list", LIST), ("templates.find", FIND), ("templates.count", COUNT)];

impl From<TemplateRow> for MessageTemplate {
    fn from(row: TemplateRow) -> Self {
        let TemplateRow { id, name, body, created_at, updated_at } = row;
        Self { id, name, body, created_at, updated_at }
    }
}

/// The name as it is compared.
fn key(name: &str) -> String {
    name.to_lowercase()
}

pub(super) async fn list(tx: &mut Tx, user: UserId) -> Result<Vec<MessageTemplate>> {
    let rows: Vec<TemplateRow> = tx.query(LIST).bind(user).bind(limits::TEMPLATES_MAX).fetch_all().await?;
    Ok(rows.into_iter().map(MessageTemplate::from).collect())
}

/// A template of a user; otherwise not found.
pub(super) async fn find(tx: &mut Tx, user: UserId, id: TemplateId) -> Result<MessageTemplate> {
    let found: Option<TemplateRow> = tx.query(FIND).bind(id).bind(user).fetch_optional().await?;
    found.map(MessageTemplate::from).ok_or_else(|| Error::not_found("message template"))
}

pub(super) async fn count(tx: &mut Tx, user: UserId) -> Result<i64> {
    tx.query(COUNT).bind(user).fetch_value().await
}

pub(super) async fn insert(tx: &mut Tx, user: UserId, text: &TemplateText) -> Result<TemplateId> {
    let now = tx.now();
    tx.query(
        "INSERT INTO message_templates (user_id, name, name_key, body, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $5)",
    )
    .bind(user)
    .bind(text.name.as_str())
    .bind(key(&text.name))
    .bind(text.body.as_str())
    .bind(now)
    .insert("id")
    .await
}

pub(super) async fn update(tx: &mut Tx, id: TemplateId, text: &TemplateText) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE message_templates SET name = $2, name_key = $3, body = $4, updated_at = $5 WHERE id = $1")
        .bind(id)
        .bind(text.name.as_str())
        .bind(key(&text.name))
        .bind(text.body.as_str())
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

pub(super) async fn delete(tx: &mut Tx, id: TemplateId) -> Result<()> {
    tx.query("DELETE FROM message_templates WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

/// Removes all templates of a user.
pub(crate) async fn remove_all_of(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.query("DELETE FROM message_templates WHERE user_id = $1").bind(user).execute().await?;
    Ok(())
}
