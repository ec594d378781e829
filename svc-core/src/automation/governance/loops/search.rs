//! From a message of an agent to the loops that it is a part of.

use std::collections::HashSet;

use svc_model::events::{EventBody, MessageCreated};
use svc_model::governance::LoopKind;
use svc_model::participants::ParticipantKind;

use super::signs::{self, Said};
use crate::automation::governance::store::{self, NewLoop, Pair, SaidRow};
use crate::error::Result;
use crate::ids::{AgentId, ConversationId, MessageId, ParticipantId};
use crate::limits;
use crate::store::db::Tx;
use crate::store::events::Event;
use crate::timestamp::Timestamp;

/// A message of an agent that may be a part of a loop.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Candidate {
    from: AgentId,
    conversation: ConversationId,
    /// The recipient of a direct message.
    to: Option<ParticipantId>,
    /// Those whom a message in a channel mentions.
    mentioned: Vec<ParticipantId>,
}

impl Candidate {
    /// The candidate that an event is about, if it is about one.
    pub(super) fn of(event: &Event) -> Result<Option<Self>> {
        if event.kind != "message.created" {
            return Ok(None);
        }
        let EventBody::MessageCreated(created) = event.body()? else { return Ok(None) };
        Ok(Self::of_message(created))
    }

    fn of_message(created: MessageCreated) -> Option<Self> {
        // The copy that tells of a mention is a part of the conversation in the channel.
        if created.from_kind != ParticipantKind::Agent || created.mention_of.is_some() {
            return None;
        }
        let from = created.audience.sender_id?;
        let to = created.audience.recipient_id;
        if to == Some(from) {
            return None;
        }
        Some(Self {
            from: AgentId(from.0),
            conversation: created.conversation_id,
            to,
            mentioned: created.mentioned.into_iter().take(limits::LOOP_ADDRESSED).collect(),
        })
    }
}

/// The loops that these messages are a part of and that are not held yet.
pub(super) async fn search(tx: &mut Tx, candidates: &[Candidate]) -> Result<Vec<NewLoop>> {
    let mut found = Vec::new();
    for candidate in candidates {
        match candidate.to {
            Some(to) => direct(tx, candidate, to, &mut found).await?,
            None => in_channel(tx, candidate, &mut found).await?,
        }
    }
    Ok(found)
}

async fn direct(tx: &mut Tx, candidate: &Candidate, to: ParticipantId, found: &mut Vec<NewLoop>) -> Result<()> {
    let Some(other) = store::agents_among(tx, &[to]).await?.pop() else { return Ok(()) };
    let pair = Pair::of(candidate.from, other);
    let Some(since) = window(tx, pair, candidate.conversation).await? else { return Ok(()) };
    let rows = store::between(tx, candidate.from, other).await?;
    let said: Vec<Said> = rows.iter().filter(|row| row.created_at > since).map(said).collect();
    let flood = signs::flood(&said, ParticipantId(candidate.from.0), tx.now());
    let sign = match flood {
        Some(count) => Some((LoopKind::Flood, count)),
        None => between_two(tx, &said).await?,
    };
    found.extend(sign.map(|(kind, count)| NewLoop { kind, pair, conversation: candidate.conversation, count }));
    Ok(())
}

async fn in_channel(tx: &mut Tx, candidate: &Candidate, found: &mut Vec<NewLoop>) -> Result<()> {
    let (from, conversation) = (ParticipantId(candidate.from.0), candidate.conversation);
    let rows = store::recent(tx, conversation).await?;
    let alone = Pair::alone(candidate.from);
    if let Some(since) = window(tx, alone, conversation).await? {
        let all: Vec<Said> = rows.iter().filter(|row| row.created_at > since).map(said).collect();
        if let Some(count) = signs::flood(&all, from, tx.now()) {
            found.push(NewLoop { kind: LoopKind::Flood, pair: alone, conversation, count });
        }
    }
    // A human who takes part ends every exchange before.
    let since_human: Vec<SaidRow> = rows.into_iter().take_while(|row| row.kind != ParticipantKind::Human).collect();
    let mut addressed = candidate.mentioned.clone();
    let newest = since_human.iter().find(|row| row.sender_id == from);
    addressed.extend(newest.and_then(|row| row.answers));
    addressed.retain(|participant| *participant != from);
    addressed.sort_unstable();
    addressed.dedup();
    let others = store::agents_among(tx, &addressed).await?;
    if others.is_empty() {
        return Ok(());
    }
    let ids: Vec<MessageId> = since_human.iter().map(|row| row.id).collect();
    let mentions: HashSet<(MessageId, ParticipantId)> = store::mentions(tx, &ids).await?.into_iter().collect();
    for other in others {
        let pair = Pair::of(candidate.from, other);
        let Some(since) = window(tx, pair, conversation).await? else { continue };
        let them = ParticipantId(other.0);
        let is_between = |row: &&SaidRow| {
            let to = if row.sender_id == from { them } else { from };
            let is_theirs = row.sender_id == from || row.sender_id == them;
            is_theirs && row.created_at > since && (row.answers == Some(to) || mentions.contains(&(row.id, to)))
        };
        let said: Vec<Said> = since_human.iter().filter(is_between).map(said).collect();
        let sign = between_two(tx, &said).await?;
        found.extend(sign.map(|(kind, count)| NewLoop { kind, pair, conversation, count }));
    }
    Ok(())
}

/// The sign of a loop in the messages between two agents, newest first.
async fn between_two(tx: &mut Tx, said: &[Said]) -> Result<Option<(LoopKind, u32)>> {
    if let Some(count) = signs::exchange(said) {
        return Ok(Some((LoopKind::Exchange, count)));
    }
    if said.len() < limits::LOOP_ALIKE {
        return Ok(None);
    }
    let last: Vec<MessageId> = said.iter().take(limits::LOOP_COMPARED).map(|said| said.id).collect();
    let bodies = store::bodies(tx, &last).await?;
    Ok(signs::repetition(&bodies).map(|count| (LoopKind::Repetition, count)))
}

/// The time after which messages count: the last minutes, and nothing from before the last loop of the same agents
/// ended. None while a loop is held.
async fn window(tx: &mut Tx, pair: Pair, conversation: ConversationId) -> Result<Option<Timestamp>> {
    let now = tx.now();
    let recent = now.minus(limits::LOOP_WINDOW);
    let ended = store::last_end(tx, pair, conversation).await?;
    Ok(match ended {
        Some(ended) if ended > now => None,
        Some(ended) => Some(recent.max(ended)),
        None => Some(recent),
    })
}

fn said(row: &SaidRow) -> Said {
    Said { id: row.id, from: row.sender_id, at: row.created_at }
}
