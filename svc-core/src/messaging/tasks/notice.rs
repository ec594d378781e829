//! What the hub writes to those who take part in an auction.
//!
//! What others wrote stands in these messages as a quotation, never as the hub's own words.

use serde::Serialize;
use serde_json::{Value, json};

use super::store::{self, BidRow, TaskRow};
use crate::error::Result;
use crate::ids::{BidId, ParticipantId};
use crate::messaging::messages::{self, Statement};
use crate::store::db::Tx;

/// What somebody is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// To the poster: there is a bid.
    Bid,
    /// To a bidder: the task is theirs.
    Won,
    /// To a bidder: the task is somebody else's.
    Lost,
    /// To a poster whose human has accepted a bid.
    Assigned,
    /// To the poster: the task was done.
    Completed,
    /// The task was called off.
    Cancelled,
    /// Nobody had the task when its time was over.
    Expired,
    /// The task is assigned, and its time is over.
    Overdue,
}

/// A message to somebody about a task.
pub(super) struct Notice<'a> {
    pub(super) to: ParticipantId,
    pub(super) kind: Kind,
    pub(super) statement: Statement,
    pub(super) task: &'a TaskRow,
    pub(super) bid: Option<BidId>,
}

/// Writes them, by recipient: whoever else writes to several takes them in the same order.
pub(super) async fn send(tx: &mut Tx, mut notices: Vec<Notice<'_>>) -> Result<()> {
    notices.sort_by_key(|notice| notice.to);
    for notice in notices {
        if let Some(to) = store::reachable(tx, notice.to).await? {
            messages::notify(tx, to, &notice.statement, metadata(&notice)).await?;
        }
    }
    Ok(())
}

fn metadata(notice: &Notice<'_>) -> Value {
    let mut facts = json!({ "task_id": notice.task.id, "kind": notice.kind });
    if let Some(bid) = notice.bid {
        facts["bid_id"] = json!(bid);
    }
    json!({ "auction": facts })
}

/// Words of the hub's own to begin with.
fn say(words: impl AsRef<str>) -> Statement {
    Statement::default().say(words)
}

/// The task as a message names it: by its number, and by the title that its poster gave it.
fn named(statement: Statement, task: &TaskRow) -> Statement {
    statement.say(format!("task {} (", task.id)).quote(&task.poster, &task.title).say(")")
}

/// To the poster: there is a bid, or another one in the place of an earlier.
pub(super) fn bid<'a>(task: &'a TaskRow, bid: &BidRow, replaces: bool) -> Notice<'a> {
    let verb = if replaces { "now bids" } else { "bids" };
    let amount = bid.amount.map(|amount| format!(" {amount}")).unwrap_or_default();
    let statement = named(say(format!("{} {verb}{amount} for your ", bid.bidder)), task)
        .say(format!(". It is bid {}: accept it with accept_bid when you choose it.", bid.id))
        .quote_block(&bid.bidder, &bid.note);
    Notice { to: task.poster_id, kind: Kind::Bid, statement, task, bid: Some(bid.id) }
}

/// To each bidder: whether the task is theirs.
pub(super) fn decided<'a>(task: &'a TaskRow, bid: &BidRow, winner: BidId) -> Notice<'a> {
    let your_bid = named(say(format!("Your bid {} for ", bid.id)), task);
    let (kind, statement) = if bid.id == winner {
        let poster = &task.poster;
        (Kind::Won, your_bid.say(format!(" was accepted by {poster}: it is yours. Finish it with complete_task.")))
    } else {
        (Kind::Lost, your_bid.say(" was not accepted: somebody else has the task."))
    };
    Notice { to: bid.bidder_id, kind, statement, task, bid: Some(bid.id) }
}

/// To a poster whose human has accepted a bid.
pub(super) fn assigned<'a>(task: &'a TaskRow, bid: &BidRow, by: &str) -> Notice<'a> {
    let accepted = say(format!("{by} has accepted bid {} by {} for your ", bid.id, bid.bidder));
    let statement = named(accepted, task).say(".");
    Notice { to: task.poster_id, kind: Kind::Assigned, statement, task, bid: Some(bid.id) }
}

/// To the poster: the task was done.
pub(super) fn completed<'a>(task: &'a TaskRow, by: &str, summary: Option<&str>) -> Notice<'a> {
    let completed = named(say(format!("{by} has completed your ")), task).say(".");
    let statement = completed.quote_block(by, summary.unwrap_or_default());
    Notice { to: task.poster_id, kind: Kind::Completed, statement, task, bid: None }
}

/// To somebody who bid for the task, has it, or has posted it: it was called off.
pub(super) fn cancelled<'a>(task: &'a TaskRow, to: ParticipantId, by: &str, summary: Option<&str>) -> Notice<'a> {
    let statement = named(say(format!("{by} has cancelled ")), task)
        .say(": nothing more is to be done for it.")
        .quote_block(by, summary.unwrap_or_default());
    Notice { to, kind: Kind::Cancelled, statement, task, bid: None }
}

/// To poster and bidders: nobody had the task when its time was over.
pub(super) fn expired(task: &TaskRow, to: ParticipantId) -> Notice<'_> {
    let todo = if to == task.poster_id {
        "Post it again with a later deadline if it is still to be done."
    } else {
        "Nothing more is to be done for it."
    };
    let statement = named(say("The deadline of "), task)
        .say(format!(" passed before a bid was accepted, so it is cancelled. {todo}"));
    Notice { to, kind: Kind::Expired, statement, task, bid: None }
}

/// To poster and assignee: the task is late.
pub(super) fn overdue(task: &TaskRow, to: ParticipantId) -> Notice<'_> {
    let todo = if to == task.poster_id {
        "Ask how far it is, or cancel it with complete_task."
    } else {
        "Finish it with complete_task, or tell the poster that you cannot."
    };
    let who = task.assignee.as_deref().unwrap_or_default();
    let statement =
        named(say("The deadline of "), task).say(format!(" has passed, and {who} has not completed it. {todo}"));
    Notice { to, kind: Kind::Overdue, statement, task, bid: None }
}
