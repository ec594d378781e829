//! The index of words on SQLite, which follows the messages. On PostgreSQL the words are a column of
//! the message and written with it, so there is nothing to follow.
//!
//! What always holds: a message is in the index if its id is not beyond the position and it is no copy
//! that tells of a mention. The two change in one transaction, and there is one writer, in whose order
//! ids are given; so whoever moves the position, and however many do, no message is missed or added
//! twice.

use super::words;
use crate::error::Result;
use crate::ids::MessageId;
use crate::store::db::{Db, Engine, Tx, placeholders};
use crate::store::workers::Progress;

/// The name of the position, and of the worker that moves it.
pub(super) const NAME: &str = "search_indexer";
/// Messages indexed in one transaction.
const BATCH: u32 = 500;

/// Brings every message into the index that had been sent when this was called, so that nobody
/// misses their own words.
pub(super) async fn catch_up(db: &Db) -> Result<()> {
    if db.engine() != Engine::Sqlite {
        return Ok(());
    }
    let (newest, mut reached) = db.read((), |tx, ()| Box::pin(distance(tx))).await?;
    while reached < newest {
        let moved =
            db.note((), |tx, ()| Box::pin(async move { Ok((advance(tx).await?, position(tx).await?)) })).await?;
        // Without room for the index, what is in it is found, and the rest when there is room again.
        let Some((progress, position)) = moved else { break };
        if progress == Progress::Done {
            // Nothing is left; the newest may have been removed meanwhile.
            break;
        }
        reached = position;
    }
    Ok(())
}

/// The newest message, and how far the index has come.
async fn distance(tx: &mut Tx) -> Result<(i64, i64)> {
    let newest: Option<i64> = tx.query("SELECT max(id) FROM messages").fetch_value().await?;
    Ok((newest.unwrap_or(0), position(tx).await?))
}

/// One round of the worker. It asks before it writes, because most events are no messages.
pub(super) async fn follow(db: &Db) -> Result<Progress> {
    if db.engine() != Engine::Sqlite {
        return Ok(Progress::Done);
    }
    let (newest, reached) = db.read((), |tx, ()| Box::pin(distance(tx))).await?;
    if reached >= newest {
        return Ok(Progress::Done);
    }
    db.write((), |tx, ()| Box::pin(advance(tx))).await
}

/// Indexes the next messages.
async fn advance(tx: &mut Tx) -> Result<Progress> {
    let from = position(tx).await?;
    let next: Vec<Next> = tx.query(NEXT).bind(from).bind(BATCH).fetch_all().await?;
    let Some(last) = next.last().map(|message| message.id) else { return Ok(Progress::Done) };
    let full = next.len() == BATCH as usize;
    for message in next.into_iter().filter(|message| message.mention_of.is_none()) {
        tx.query("INSERT INTO message_words (rowid, subject, body) VALUES ($1, $2, $3)")
            .bind(message.id)
            .bind(words::spaced(&message.subject))
            .bind(words::spaced(&message.body))
            .execute()
            .await?;
    }
    tx.query(
        "INSERT INTO worker_positions (name, position) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET position = excluded.position",
    )
    .bind(NAME)
    .bind(last)
    .execute()
    .await?;
    Ok(if full { Progress::More } else { Progress::Done })
}

crate::row! {
    struct Next {
        id: MessageId,
        subject: String,
        body: String,
        mention_of: Option<MessageId>,
    }
}

const NEXT: &str = "SELECT id, subject, body, mention_of FROM messages WHERE id > $1 ORDER BY id LIMIT $2";

/// Takes messages out of the index, in the transaction in which their rows go.
pub(crate) async fn forget(tx: &mut Tx, ids: &[MessageId]) -> Result<()> {
    if tx.engine() != Engine::Sqlite || ids.is_empty() {
        return Ok(());
    }
    let text = format!("DELETE FROM message_words WHERE rowid IN ({})", placeholders(1, ids.len()));
    ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).execute().await?;
    Ok(())
}

async fn position(tx: &mut Tx) -> Result<i64> {
    let found = tx.query("SELECT position FROM worker_positions WHERE name = $1").bind(NAME);
    Ok(found.fetch_optional::<(i64,)>().await?.map_or(0, |(position,)| position))
}
