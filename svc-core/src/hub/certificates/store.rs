//! The SQL of certificates.

use std::collections::BTreeMap;

use super::EndpointCertificate;
use super::endpoints::Purpose;
use crate::error::Result;
use crate::ids::WebhookId;
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

const WEBHOOKS: &str = "SELECT id, url
  FROM webhooks
 WHERE enabled AND url LIKE 'https:%'
 ORDER BY enabled_after
 LIMIT $1";

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[("certificates.webhooks", WEBHOOKS)];

crate::row! {
    /// A certificate as a row, with the agent of its webhook.
    struct CertificateRow {
        endpoint: String,
        purpose: String,
        webhook_id: Option<WebhookId>,
        agent: Option<String>,
        ends_at: Option<Timestamp>,
        looked_at: Option<Timestamp>,
        error: Option<String>,
    }
}

crate::row! {
    /// An endpoint and the last look at it.
    #[derive(Debug, Clone)]
    pub(super) struct Seen {
        pub(super) endpoint: String,
        pub(super) ends_at: Option<Timestamp>,
        pub(super) looked_at: Option<Timestamp>,
        pub(super) has_error: bool,
    }
}

/// A look at an endpoint: the end of its certificate, or why that is unknown.
pub(super) type Look = (String, Result<Timestamp, String>);

/// The webhooks that post to https, those that were enabled first.
pub(super) async fn webhooks(tx: &mut Tx) -> Result<Vec<(WebhookId, String)>> {
    tx.query(WEBHOOKS).bind(limits::CERTIFICATE_WEBHOOKS_MAX).fetch_all().await
}

/// All certificates, the one that ends first at the beginning. Those of webhooks that were disabled or deleted since
/// are left out.
pub(super) async fn list(tx: &mut Tx) -> Result<Vec<EndpointCertificate>> {
    let rows: Vec<CertificateRow> = tx
        .query(
            "SELECT c.endpoint, c.purpose, c.webhook_id, p.handle AS agent, c.ends_at, c.looked_at, c.error
               FROM certificates c
               LEFT JOIN webhooks w ON w.id = c.webhook_id
               LEFT JOIN participants p ON p.id = w.agent_id
              WHERE c.webhook_id IS NULL OR w.enabled
              ORDER BY c.ends_at IS NULL, c.ends_at, c.endpoint",
        )
        .fetch_all()
        .await?;
    let certificate = |row: CertificateRow| EndpointCertificate {
        used_by: match (row.webhook_id, row.agent) {
            (Some(id), Some(agent)) => format!("webhook {} of {agent}", id.0),
            _ if row.purpose == Purpose::Hub.word() => "the address of this hub".to_owned(),
            _ => "the bucket of the attachments".to_owned(),
        },
        endpoint: row.endpoint,
        ends_at: row.ends_at,
        looked_at: row.looked_at,
        error: row.error,
    };
    Ok(rows.into_iter().map(certificate).collect())
}

/// All endpoints with their purposes, as they are stored.
pub(super) async fn purposes(tx: &mut Tx) -> Result<Vec<(String, String, Option<WebhookId>)>> {
    tx.query("SELECT endpoint, purpose, webhook_id FROM certificates ORDER BY endpoint").fetch_all().await
}

/// All endpoints with the last looks at them; the one that waits longest first.
pub(super) async fn seen(tx: &mut Tx) -> Result<Vec<Seen>> {
    tx.query(
        "SELECT endpoint, ends_at, looked_at, error IS NOT NULL AS has_error
           FROM certificates
          ORDER BY looked_at IS NOT NULL, looked_at, endpoint",
    )
    .fetch_all()
    .await
}

/// Makes these the endpoints that are looked at.
pub(super) async fn replace(tx: &mut Tx, wanted: &BTreeMap<String, Purpose>) -> Result<()> {
    for (endpoint, ..) in purposes(tx).await? {
        if !wanted.contains_key(&endpoint) {
            tx.query("DELETE FROM certificates WHERE endpoint = $1").bind(endpoint).execute().await?;
        }
    }
    for (endpoint, purpose) in wanted {
        tx.query(
            "INSERT INTO certificates (endpoint, purpose, webhook_id) VALUES ($1, $2, $3)
             ON CONFLICT (endpoint) DO UPDATE SET purpose = excluded.purpose, webhook_id = excluded.webhook_id",
        )
        .bind(endpoint.as_str())
        .bind(purpose.word())
        .bind(purpose.webhook())
        .execute()
        .await?;
    }
    Ok(())
}

/// Writes down looks. An end that is known already is kept when a look fails.
pub(super) async fn note(tx: &mut Tx, looks: &[Look]) -> Result<()> {
    let now = tx.now();
    for (endpoint, outcome) in looks {
        tx.query(
            "UPDATE certificates
                SET looked_at = $2, ends_at = coalesce($3, ends_at), error = $4
              WHERE endpoint = $1",
        )
        .bind(endpoint.as_str())
        .bind(now)
        .bind(outcome.as_ref().ok().copied())
        .bind(outcome.as_ref().err().cloned())
        .execute()
        .await?;
    }
    Ok(())
}
