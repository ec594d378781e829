//! The analytics handle.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use svc_macros::boxed_futures;
use svc_model::analytics::{Activity, ActivityBucket, AgentRank, ChannelRank, Summary};
use svc_model::auth::Permission;

use super::buckets::{Buckets as _, Grain};
use super::rollup;
use super::store::{self, Scope};
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::identity::auth::{Caller, Credential};
use crate::ids::UserId;
use crate::insight::traces::{self, Traces};
use crate::limits;
use crate::messaging::quotas::SentMessages;
use crate::span::Span;
use crate::store::db::{Db, Tx, Work};
use crate::store::events::EventLog;
use crate::timestamp::Timestamp;

/// The period in which failures are counted.
const ERRORS_SINCE: Duration = Duration::from_hours(24);

/// Analytics of a hub; see [`Hub::analytics`](crate::Hub::analytics).
#[derive(Clone)]
pub struct Analytics {
    pub(super) db: Db,
    pub(super) events: EventLog,
    pub(super) clock: Arc<dyn Clock>,
    traces: Traces,
}

#[boxed_futures]
impl Analytics {
    pub(crate) fn new(db: Db, events: EventLog, clock: Arc<dyn Clock>, traces: Traces) -> Self {
        Self { db, events, clock, traces }
    }

    /// Messages over time: for a human their own and their agents', for an agent its own.
    pub async fn timeline(&self, caller: &Caller, span: Span) -> Result<Activity> {
        caller.require_direct()?;
        let scope = self.ready(caller).await?;
        let (now, grain) = (self.clock.now(), span.grain());
        let since = span.start(now);
        let (sent, received) = self
            .db
            .read((scope, grain, since), |tx, (scope, grain, since)| {
                Box::pin(async move {
                    let sent = store::sent(tx, *scope, *grain, *since).await?;
                    Ok((sent, store::received(tx, *scope, *grain, *since).await?))
                })
            })
            .await?;
        let (sent, received) = (by_start(sent), by_start(received));
        let count = |counts: &BTreeMap<_, i64>, start| counts.get(&start).copied().unwrap_or(0);
        let bucket = |start| ActivityBucket { start, sent: count(&sent, start), received: count(&received, start) };
        let buckets = span.starts(now).map(bucket).collect();
        Ok(Activity { span, bucket_seconds: grain.length().as_secs(), buckets })
    }

    /// The caller's agents that sent the most messages; 5 of them unless `limit` is given.
    pub async fn top_agents(&self, caller: &Caller, span: Span, limit: Option<i64>) -> Result<Vec<AgentRank>> {
        caller.require_direct()?;
        let limit = ranking_limit(limit)?;
        let scope = self.ready(caller).await?;
        let since = span.start(self.clock.now());
        self.db
            .read((scope, span.grain(), since, limit), |tx, (scope, grain, since, limit)| {
                Box::pin(store::top_agents(tx, *scope, *grain, *since, *limit))
            })
            .await
    }

    /// The visible channels with the most messages of all senders.
    pub async fn top_channels(&self, caller: &Caller, span: Span, limit: Option<i64>) -> Result<Vec<ChannelRank>> {
        let limit = ranking_limit(limit)?;
        let scope = self.ready(caller).await?;
        let since = span.start(self.clock.now());
        self.db
            .read((scope, allowed(caller), span.grain(), since, limit), |tx, (scope, allowed, grain, since, limit)| {
                Box::pin(store::top_channels(tx, *scope, allowed, (*grain, *since), *limit))
            })
            .await
    }

    /// A few key figures.
    pub async fn summary(&self, caller: &Caller) -> Result<Summary> {
        caller.require_direct()?;
        let scope = self.ready(caller).await?;
        self.traces.settle().await;
        let now = self.clock.now();
        let trace_scope = traces::TraceScope::of(caller);
        self.db
            .read((scope, trace_scope, allowed(caller), now), |tx, (scope, trace_scope, allowed, now)| {
                Box::pin(summarise(tx, *scope, trace_scope, allowed, *now))
            })
            .await
    }

    /// Checks the caller and lets the counting catch up: messages sent before a query are included.
    async fn ready(&self, caller: &Caller) -> Result<Scope> {
        caller.require(Permission::Read)?;
        rollup::catch_up(&self.events).await?;
        Ok(Scope::of(caller))
    }
}

impl SentMessages for Analytics {
    fn sent_lately(&self, owner: UserId) -> Work<'_, Vec<(Timestamp, i64)>> {
        Box::pin(async move {
            rollup::catch_up(&self.events).await?;
            let since = Span::Day.start(self.clock.now());
            let scope = Scope::Of(owner);
            self.db
                .read((scope, since), |tx, (scope, since)| Box::pin(store::sent(tx, *scope, Grain::Hour, *since)))
                .await
        })
    }
}

async fn summarise(
    tx: &mut Tx,
    scope: Scope,
    trace_scope: &traces::TraceScope,
    allowed: &[String],
    now: Timestamp,
) -> Result<Summary> {
    let (messages_today, messages_7d) = store::lately(tx, scope, Grain::Day.start(now), Span::Week.start(now)).await?;
    let messages_total = store::total(tx, scope).await?;
    let agents_active = store::active_agents(tx, scope, trace_scope, now.minus(limits::AGENT_ACTIVE)).await?;
    let agents_total = store::agents(tx, scope).await?;
    let channels = store::channels(tx, scope, allowed).await?;
    let errors_24h = traces::store::errors_since(tx, trace_scope, now.minus(ERRORS_SINCE)).await?;
    Ok(Summary { messages_today, messages_7d, messages_total, agents_active, agents_total, channels, errors_24h })
}

/// The channels that a key is limited to; empty for all.
fn allowed(caller: &Caller) -> Vec<String> {
    match caller.credential() {
        Credential::ManagedKey(limits) => limits.allowed_channels.clone(),
        _ => Vec::new(),
    }
}

fn by_start(counts: Vec<(Timestamp, i64)>) -> BTreeMap<Timestamp, i64> {
    counts.into_iter().collect()
}

/// The checked limit of a ranking. Unlike other lists, a larger limit is silently reduced to the
/// maximum.
fn ranking_limit(limit: Option<i64>) -> Result<u32> {
    match limit {
        None => Ok(limits::RANKING_DEFAULT),
        Some(limit) if limit < 1 => Err(Error::invalid("limit", "must be 1 or more")),
        Some(limit) => Ok(u32::try_from(limit).unwrap_or(u32::MAX).min(limits::RANKING_MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rankings_are_capped_and_never_empty() {
        let limits: Vec<_> = [None, Some(1), Some(100), Some(101), Some(i64::MAX)].map(ranking_limit).into();
        assert_eq!(limits.into_iter().map(Result::unwrap).collect::<Vec<_>>(), [5, 1, 100, 100, 100]);
        for limit in [0, -1, i64::MIN] {
            assert_eq!(ranking_limit(Some(limit)).unwrap_err().fields()[0].field, "limit");
        }
    }
}
