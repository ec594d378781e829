//! The word index on SQLite, which follows the messages. On PostgreSQL the words are a column of
//! the message and are written with it.
//!
//! Invariant: a message is in the index, with its current text, if its id is at most the position, and
//! it is neither deleted nor a direct copy that notifies of a mention. Index and position change in one
//! transaction, and SQLite has a single writer, in whose order ids are assigned. So no message is missed
//! or indexed twice, however many tasks move the position.

use super::store::index as store;
use super::words;
use crate::error::Result;
use crate::ids::MessageId;
use crate::store::db::{Db, Engine, Tx};
use crate::store::workers::Progress;

/// The name of the position and of the worker that moves it.
pub(super) const NAME: &str = "search_indexer";
/// Messages indexed in one transaction.
const BATCH: u32 = 500;

/// Indexes every message that was sent before this call, so that callers find their own messages.
pub(super) async fn catch_up(db: &Db) -> Result<()> {
    if db.engine() != Engine::Sqlite {
        return Ok(());
    }
    let (newest, mut reached) = db.read((), |tx, ()| Box::pin(distance(tx))).await?;
    while reached < newest {
        let moved = db
            .note((), |tx, ()| Box::pin(async move { Ok((advance(tx).await?, store::position(tx, NAME).await?)) }))
            .await?;
        // If there is no space for the index, a search finds what is indexed; the rest is indexed
        // later.
        let Some((progress, position)) = moved else { break };
        if progress == Progress::Done {
            // Nothing is left; the newest message may have been removed meanwhile.
            break;
        }
        reached = position;
    }
    Ok(())
}

/// The newest message id and the position of the index.
async fn distance(tx: &mut Tx) -> Result<(i64, i64)> {
    Ok((store::newest(tx).await?.unwrap_or(0), store::position(tx, NAME).await?))
}

/// One run of the worker. It reads before it writes, because most events are not messages.
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
    let from = store::position(tx, NAME).await?;
    let next = store::after(tx, from, BATCH).await?;
    let Some(last) = next.last().map(|message| message.id) else { return Ok(Progress::Done) };
    let full = next.len() == BATCH as usize;
    for message in next.into_iter().filter(|message| message.mention_of.is_none() && message.deleted_at.is_none()) {
        store::insert(tx, message.id, &words::spaced(&message.subject), &words::spaced(&message.body)).await?;
    }
    store::set_position(tx, NAME, last).await?;
    Ok(if full { Progress::More } else { Progress::Done })
}

/// Indexes a message by its new texts, in the transaction that changes them. A message that is not indexed yet is read
/// with its new texts later.
pub(crate) async fn reindex(tx: &mut Tx, id: MessageId, subject: &str, body: &str) -> Result<()> {
    if tx.engine() != Engine::Sqlite || store::position(tx, NAME).await? < id.0 {
        return Ok(());
    }
    store::forget(tx, &[id]).await?;
    store::insert(tx, id, &words::spaced(subject), &words::spaced(body)).await
}

/// Makes the index of a store whose messages were written without it. On PostgreSQL the words are in the rows.
pub(crate) async fn rebuild(tx: &mut Tx) -> Result<()> {
    if tx.engine() != Engine::Sqlite {
        return Ok(());
    }
    store::set_position(tx, NAME, MessageId(0)).await?;
    while advance(tx).await? == Progress::More {}
    Ok(())
}
