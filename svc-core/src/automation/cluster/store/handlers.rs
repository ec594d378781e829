//! The SQL of handlers.

use std::collections::BTreeMap;

use svc_model::cluster::{ClusterHandler, NewHandler};
use svc_model::webhooks::WebhookEvent;

use crate::column::Json;
use crate::error::Result;
use crate::ids::{AgentId, ChannelId, EventSeq, HandlerId, ParticipantId, UserId};
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// The handlers and the Jobs that a caller can access: those of the agents of a user, of one agent, or all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope {
    pub(crate) owner: Option<UserId>,
    pub(crate) agent: Option<AgentId>,
}

crate::row! {
    /// A handler with the agent and the human that it belongs to.
    #[derive(Debug, Clone)]
    pub(crate) struct HandlerRow {
        pub(crate) id: HandlerId,
        pub(crate) agent_id: AgentId,
        pub(crate) agent: String,
        pub(crate) owner_id: UserId,
        pub(crate) owner: String,
        pub(crate) image: String,
        pub(crate) events: Json<Vec<WebhookEvent>>,
        pub(crate) namespace: Option<String>,
        pub(crate) env: Json<BTreeMap<String, String>>,
        pub(crate) memory: Option<String>,
        pub(crate) cpu: Option<String>,
        pub(crate) timeout_seconds: u32,
        pub(crate) service_account: Option<String>,
        pub(crate) created_at: Timestamp,
    }
}

impl HandlerRow {
    /// The handler as it is shown.
    pub(crate) fn shown(self) -> ClusterHandler {
        ClusterHandler {
            id: self.id,
            agent: self.agent,
            image: self.image,
            events: self.events.0,
            namespace: self.namespace,
            env: self.env.0,
            memory: self.memory,
            cpu: self.cpu,
            timeout_seconds: self.timeout_seconds,
            service_account: self.service_account,
            created_at: self.created_at,
        }
    }
}

macro_rules! select_handlers {
    ($rest:literal) => {
        concat!(
            "SELECT h.id, h.agent_id, p.handle AS agent, a.owner_id, o.handle AS owner, h.image, h.events, h.namespace,
                    h.env, h.memory, h.cpu, h.timeout_seconds, h.service_account, h.created_at
               FROM cluster_handlers h
               JOIN agents a ON a.id = h.agent_id
               JOIN participants p ON p.id = h.agent_id
               JOIN participants o ON o.id = a.owner_id
              WHERE ($1 IS NULL OR a.owner_id = $1) AND ($2 IS NULL OR h.agent_id = $2) ",
            $rest
        )
    };
}

pub(crate) async fn list(tx: &mut Tx, scope: &Scope, agent: Option<&str>) -> Result<Vec<HandlerRow>> {
    tx.query(select_handlers!("AND ($3 IS NULL OR p.handle_key = $3) ORDER BY h.id"))
        .bind(scope.owner)
        .bind(scope.agent)
        .bind(agent.map(str::to_ascii_lowercase))
        .fetch_all()
        .await
}

pub(crate) async fn find(tx: &mut Tx, scope: &Scope, id: HandlerId) -> Result<Option<HandlerRow>> {
    tx.query(select_handlers!("AND h.id = $3")).bind(scope.owner).bind(scope.agent).bind(id).fetch_optional().await
}

pub(crate) async fn count(tx: &mut Tx, agent: AgentId) -> Result<i64> {
    tx.query("SELECT count(*) FROM cluster_handlers WHERE agent_id = $1").bind(agent).fetch_value().await
}

/// Stores a handler that was checked.
pub(crate) async fn insert(tx: &mut Tx, agent: AgentId, new: &NewHandler) -> Result<HandlerId> {
    let (now, newest) = (tx.now(), tx.newest_event().await?);
    tx.query(
        "INSERT INTO cluster_handlers
            (agent_id, image, events, namespace, env, memory, cpu, timeout_seconds, service_account, enabled_after,
             created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(agent)
    .bind(new.image.as_str())
    .bind(Json(new.events.clone()))
    .bind(new.namespace.as_deref())
    .bind(Json(new.env.clone().unwrap_or_default()))
    .bind(new.memory.as_deref())
    .bind(new.cpu.as_deref())
    .bind(new.timeout_seconds.unwrap_or(limits::HANDLER_SECONDS))
    .bind(new.service_account.as_deref())
    .bind(newest)
    .bind(now)
    .insert("id")
    .await
}

/// Removes a handler. Its Jobs stay.
pub(crate) async fn delete(tx: &mut Tx, id: HandlerId) -> Result<()> {
    tx.query("DELETE FROM cluster_handlers WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

/// Removes the handlers of an agent that is being deleted.
pub(crate) async fn remove_all_of(tx: &mut Tx, agent: AgentId) -> Result<u64> {
    tx.query("DELETE FROM cluster_handlers WHERE agent_id = $1").bind(agent).execute().await
}

/// The namespaces that handlers name.
pub(crate) async fn namespaces(tx: &mut Tx) -> Result<Vec<String>> {
    let found: Vec<(String,)> = tx
        .query("SELECT DISTINCT namespace FROM cluster_handlers WHERE namespace IS NOT NULL ORDER BY namespace")
        .fetch_all()
        .await?;
    Ok(found.into_iter().map(|(namespace,)| namespace).collect())
}

crate::row! {
    /// A handler that may want an event.
    #[derive(Debug, Clone)]
    pub(crate) struct Listener {
        pub(crate) id: HandlerId,
        pub(crate) agent_id: AgentId,
        pub(crate) agent: String,
        pub(crate) image: String,
        pub(crate) events: Json<Vec<WebhookEvent>>,
        pub(crate) enabled_after: EventSeq,
    }
}

/// Selects the handlers of owners who are not disabled.
macro_rules! select_listeners {
    ($from:literal, $which:literal) => {
        concat!(
            "SELECT h.id, h.agent_id, p.handle AS agent, h.image, h.events, h.enabled_after
               FROM ",
            $from,
            " JOIN agents a ON a.id = h.agent_id
              JOIN participants p ON p.id = h.agent_id
              JOIN users u ON u.id = a.owner_id
             WHERE u.disabled_at IS NULL AND ",
            $which
        )
    };
}

pub(super) const OF_AGENT: &str =
    select_listeners!("cluster_handlers h", "h.agent_id = $1 AND +h.id > $2 ORDER BY h.id LIMIT $3");
pub(super) const OF_MEMBERS: &str = select_listeners!(
    "channel_members cm JOIN cluster_handlers h ON h.agent_id = cm.participant_id",
    "cm.channel_id = $1 AND +h.id > $2 ORDER BY h.id LIMIT $3"
);

/// Whether there is a handler at all.
pub(crate) async fn is_any(tx: &mut Tx) -> Result<bool> {
    let found = tx.query("SELECT id FROM cluster_handlers LIMIT 1").fetch_optional::<(HandlerId,)>();
    Ok(found.await?.is_some())
}

/// The next handlers of an agent, after one of them.
pub(crate) async fn of_agent(tx: &mut Tx, agent: ParticipantId, after: HandlerId, limit: u32) -> Result<Vec<Listener>> {
    tx.query(OF_AGENT).bind(agent).bind(after).bind(limit).fetch_all().await
}

/// The next handlers of the members of a channel, after one of them.
pub(crate) async fn of_members(tx: &mut Tx, channel: ChannelId, after: HandlerId, limit: u32) -> Result<Vec<Listener>> {
    tx.query(OF_MEMBERS).bind(channel).bind(after).bind(limit).fetch_all().await
}

crate::row! {
    /// The event that only some handlers have seen, and the last one of these.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Place {
        pub(crate) event_seq: EventSeq,
        pub(crate) handler_id: HandlerId,
    }
}

pub(crate) async fn place(tx: &mut Tx) -> Result<Place> {
    tx.query("SELECT event_seq, handler_id FROM cluster_reader WHERE id = 1").fetch_one().await
}

pub(crate) async fn set_place(tx: &mut Tx, place: Place) -> Result<()> {
    tx.query("UPDATE cluster_reader SET event_seq = $1, handler_id = $2 WHERE id = 1")
        .bind(place.event_seq)
        .bind(place.handler_id)
        .execute()
        .await?;
    Ok(())
}
