//! The SQL of clients.

use svc_model::oauth::{Client, ClientAuthMethod, ClientSource, GrantType};

use crate::error::Result;
use crate::identity::oauth::registration::Description;
use crate::ids::AgentId;
use crate::page::Page;
use crate::store::db::{Json, Tx};
use crate::timestamp::Timestamp;

crate::row! {
    struct ClientRow {
        client_id: String,
        source: ClientSource,
        name: String,
        secret_hash: Option<String>,
        secret_format: SecretFormat,
        token_endpoint_auth_method: ClientAuthMethod,
        redirect_uris: Json<Vec<String>>,
        grant_types: Json<Vec<GrantType>>,
        client_uri: Option<String>,
        logo_uri: Option<String>,
        agent: Option<String>,
        created_at: Timestamp,
        fetched_at: Option<Timestamp>,
    }
}

/// The format of the checksum in a client's secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::identity::oauth) enum SecretFormat {
    /// A checksum that anybody can compute; of clients from before the keyed format.
    Public,
    /// A checksum that only the hub can compute, for this client.
    Keyed,
}

crate::text_enum! { SecretFormat { Public => "public", Keyed => "keyed" } }

/// A client with its internal data.
#[derive(Clone)]
pub(in crate::identity::oauth) struct KnownClient {
    pub(in crate::identity::oauth) client: Client,
    pub(in crate::identity::oauth) secret_hash: Option<String>,
    pub(in crate::identity::oauth) secret_format: SecretFormat,
    pub(in crate::identity::oauth) fetched_at: Option<Timestamp>,
}

impl From<ClientRow> for KnownClient {
    fn from(row: ClientRow) -> Self {
        let client = Client {
            client_id: row.client_id,
            source: row.source,
            name: row.name,
            token_endpoint_auth_method: row.token_endpoint_auth_method,
            redirect_uris: row.redirect_uris.0,
            grant_types: row.grant_types.0,
            client_uri: row.client_uri,
            logo_uri: row.logo_uri,
            agent: row.agent,
            created_at: row.created_at,
        };
        let ClientRow { secret_hash, secret_format, fetched_at, .. } = row;
        Self { client, secret_hash, secret_format, fetched_at }
    }
}

const FIND: &str = "
    SELECT c.client_id, c.source, c.name, c.secret_hash, c.secret_format, c.token_endpoint_auth_method,
           c.redirect_uris, c.grant_types, c.client_uri, c.logo_uri, a.handle AS agent, c.created_at, c.fetched_at
      FROM oauth_clients c
      LEFT JOIN participants a ON a.id = c.agent_id
     WHERE c.client_id = $1";

const LIST: &str = "
    SELECT c.client_id, c.source, c.name, c.secret_hash, c.secret_format, c.token_endpoint_auth_method,
           c.redirect_uris, c.grant_types, c.client_uri, c.logo_uri, a.handle AS agent, c.created_at, c.fetched_at
      FROM oauth_clients c
      LEFT JOIN participants a ON a.id = c.agent_id
     ORDER BY c.created_at DESC, c.client_id DESC
     LIMIT $1 OFFSET $2";

/// Ordered by the index, in which all of these rows have the same first column.
const UNUSED: &str = "
    SELECT client_id, source
      FROM oauth_clients
     WHERE source <> 'admin' AND approved_at IS NULL AND created_at < $1
     ORDER BY approved_at, created_at
     LIMIT $2";

const ABANDONED: &str = "
    SELECT c.client_id, c.source
      FROM oauth_clients c
     WHERE c.source <> 'admin' AND c.approved_at < $1
       AND (SELECT count(*) FROM oauth_grants g WHERE g.client_id = c.client_id) = 0
     ORDER BY c.approved_at
     LIMIT $2";

const COUNT_OWN: &str = "SELECT count(*) FROM oauth_clients WHERE source <> 'admin'";

pub(super) const LISTED: &[(&str, &str)] =
    &[("oauth_clients.list", LIST), ("oauth_clients.unused", UNUSED), ("oauth_clients.abandoned", ABANDONED)];

pub(in crate::identity::oauth) async fn find(tx: &mut Tx, client_id: &str) -> Result<Option<KnownClient>> {
    let row: Option<ClientRow> = tx.query(FIND).bind(client_id).fetch_optional().await?;
    Ok(row.map(Into::into))
}

pub(in crate::identity::oauth) async fn list(tx: &mut Tx, page: Page) -> Result<Vec<Client>> {
    let rows: Vec<ClientRow> = tx.query(LIST).bind(page.limit()).bind(page.offset()).fetch_all().await?;
    Ok(rows.into_iter().map(|row| KnownClient::from(row).client).collect())
}

pub(in crate::identity::oauth) async fn count(tx: &mut Tx) -> Result<i64> {
    tx.query("SELECT count(*) FROM oauth_clients").fetch_value().await
}

/// A row to insert.
pub(in crate::identity::oauth) struct NewRow<'a> {
    pub(in crate::identity::oauth) client_id: &'a str,
    pub(in crate::identity::oauth) source: ClientSource,
    pub(in crate::identity::oauth) description: &'a Description,
    pub(in crate::identity::oauth) secret_hash: Option<&'a str>,
    pub(in crate::identity::oauth) agent: Option<AgentId>,
}

/// Inserts a client, or updates one that is described by a document.
pub(in crate::identity::oauth) async fn put(tx: &mut Tx, new: NewRow<'_>) -> Result<()> {
    let now = tx.now();
    let NewRow { client_id, source, description, secret_hash, agent } = new;
    tx.query(
        "INSERT INTO oauth_clients
            (client_id, source, name, secret_hash, token_endpoint_auth_method, redirect_uris, grant_types,
             client_uri, logo_uri, agent_id, created_at, fetched_at, secret_format)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         ON CONFLICT (client_id) DO UPDATE
            SET name = excluded.name, redirect_uris = excluded.redirect_uris, grant_types = excluded.grant_types,
                client_uri = excluded.client_uri, logo_uri = excluded.logo_uri, fetched_at = excluded.fetched_at
          WHERE oauth_clients.source = 'document'",
    )
    .bind(client_id)
    .bind(source)
    .bind(description.name.as_str())
    .bind(secret_hash)
    .bind(description.auth_method)
    .bind(Json(description.redirect_uris.clone()))
    .bind(Json(description.grant_types.clone()))
    .bind(description.client_uri.as_deref())
    .bind(description.logo_uri.as_deref())
    .bind(agent)
    .bind(now)
    .bind((source == ClientSource::Document).then_some(now))
    .bind(SecretFormat::Keyed)
    .execute()
    .await?;
    Ok(())
}

/// Counts the clients that no operator created.
pub(in crate::identity::oauth) async fn count_own(tx: &mut Tx) -> Result<i64> {
    tx.query(COUNT_OWN).fetch_value().await
}

/// Lists such clients from before a time that no human ever approved, oldest first.
pub(in crate::identity::oauth) async fn unused(
    tx: &mut Tx,
    before: Timestamp,
    limit: i64,
) -> Result<Vec<(String, ClientSource)>> {
    tx.query(UNUSED).bind(before).bind(limit).fetch_all().await
}

/// Lists clients whose last approval was before a time and that have no grants left.
pub(in crate::identity::oauth) async fn abandoned(
    tx: &mut Tx,
    before: Timestamp,
    limit: i64,
) -> Result<Vec<(String, ClientSource)>> {
    tx.query(ABANDONED).bind(before).bind(limit).fetch_all().await
}

/// Records that a human approved the client now. Returns whether the client exists.
pub(in crate::identity::oauth) async fn approve(tx: &mut Tx, client_id: &str) -> Result<bool> {
    let now = tx.now();
    let noted = tx.query("UPDATE oauth_clients SET approved_at = $2 WHERE client_id = $1");
    Ok(noted.bind(client_id).bind(now).execute().await? == 1)
}

/// Removes an unused client. Returns whether it existed and was not approved meanwhile.
pub(in crate::identity::oauth) async fn remove_unless_approved_since(
    tx: &mut Tx,
    client_id: &str,
    since: Timestamp,
) -> Result<bool> {
    let removed = tx
        .query("DELETE FROM oauth_clients WHERE client_id = $1 AND (approved_at IS NULL OR approved_at < $2)")
        .bind(client_id)
        .bind(since)
        .execute()
        .await?;
    Ok(removed == 1)
}

/// Deletes a client with its grants. Returns whether it existed.
pub(in crate::identity::oauth) async fn delete(tx: &mut Tx, client_id: &str) -> Result<bool> {
    let deleted = tx.query("DELETE FROM oauth_clients WHERE client_id = $1").bind(client_id).execute().await?;
    Ok(deleted == 1)
}

crate::row! {
    /// The agent that a client is bound to.
    pub(in crate::identity::oauth) struct BoundAgent {
        pub(in crate::identity::oauth) agent_id: crate::ids::AgentId,
        pub(in crate::identity::oauth) agent: String,
        pub(in crate::identity::oauth) user_id: crate::ids::UserId,
        pub(in crate::identity::oauth) username: String,
    }
}

/// Finds the bound agent; `None` when there is none, or when it or its owner is not active.
pub(in crate::identity::oauth) async fn bound_agent(tx: &mut Tx, client_id: &str) -> Result<Option<BoundAgent>> {
    tx.query(
        "SELECT c.agent_id, a.handle AS agent, u.id AS user_id, o.handle AS username
           FROM oauth_clients c
           JOIN agents g ON g.id = c.agent_id
           JOIN participants a ON a.id = g.id
           JOIN users u ON u.id = g.owner_id
           JOIN participants o ON o.id = u.id
          WHERE c.client_id = $1 AND a.deleted_at IS NULL AND o.deleted_at IS NULL AND u.disabled_at IS NULL",
    )
    .bind(client_id)
    .fetch_optional()
    .await
}
