//! The word index on SQLite, which follows the messages. On PostgreSQL the words are a column of
//! the message and are written with it.
//!
//! Invariant: a message is in the index if its id is at most the position, and it is not a direct
//! copy that notifies of a mention. Index and position change in one transaction, and SQLite has a
//! single writer, in whose order ids are assigned. So no message is missed or indexed twice,
//! however many tasks move the position.

use super::words;
use crate::error::Result;
use crate::ids::MessageId;
use crate::store::db::{Db, Engine, Tx, placeholders};
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
        let moved =
            db.note((), |tx, ()| Box::pin(async move { Ok((advance(tx).await?, position(tx).await?)) })).await?;
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
    let newest: Option<i64> = tx.query("SELECT max(id) FROM messages").fetch_value().await?;
    Ok((newest.unwrap_or(0), position(tx).await?))
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
    let from = position(tx).await?;
    let next: Vec<UnindexedMessage> = tx.query(NEXT).bind(from).bind(BATCH).fetch_all().await?;
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
    struct UnindexedMessage {
        id: MessageId,
        subject: String,
        body: String,
        mention_of: Option<MessageId>,
    }
}

const NEXT: &str = "SELECT id, subject, body, mention_of FROM messages WHERE id > $1 ORDER BY id LIMIT $2";

/// Removes messages from the index, in the transaction that removes their rows.
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
