//! Messages of the hub to the participants of an auction.
//!
//! Text by others appears in these messages only as a quotation.

use serde::Serialize;
use serde_json::{Value, json};

use super::store::{self, BidRow, TaskRow};
use crate::error::Result;
use crate::ids::{BidId, ParticipantId};
use crate::messaging::messages::{self, Statement};
use crate::store::db::Tx;

/// The kind of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// To the poster: a bid was made.
    Bid,
    /// To a bidder: their bid was accepted.
    Won,
    /// To a bidder: another bid was accepted.
    Lost,
    /// To the poster: their human accepted a bid.
    Assigned,
    /// To the poster: the task was completed.
    Completed,
    /// The task was cancelled.
    Cancelled,
    /// The deadline passed without an assignee.
    Expired,
    /// The deadline of an assigned task passed.
    Overdue,
}

/// A message to a participant about a task.
pub(super) struct Notice<'a> {
    pub(super) to: ParticipantId,
    pub(super) kind: Kind,
    pub(super) statement: Statement,
    pub(super) task: &'a TaskRow,
    pub(super) bid: Option<BidId>,
}

/// Sends notices ordered by recipient, the lock order of concurrent senders.
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

/// A statement that starts with text of the hub.
fn say(text: impl AsRef<str>) -> Statement {
    Statement::default().say(text)
}

/// Names a task by its id and its quoted title.
fn named(statement: Statement, task: &TaskRow) -> Statement {
    statement.say(format!("task {} (", task.id)).quote(&task.poster, &task.title).say(")")
}

/// To the poster: a bid was made or replaced.
pub(super) fn bid<'a>(task: &'a TaskRow, bid: &BidRow, replaces: bool) -> Notice<'a> {
    let verb = if replaces { "now bids" } else { "bids" };
    let amount = bid.amount.map(|amount| format!(" {amount}")).unwrap_or_default();
    let statement = named(say(format!("{} {verb}{amount} for your ", bid.bidder)), task)
        .say(format!(". It is bid {}: accept it with accept_bid when you choose it.", bid.id))
        .quote_block(&bid.bidder, &bid.note);
    Notice { to: task.poster_id, kind: Kind::Bid, statement, task, bid: Some(bid.id) }
}

/// To each bidder: whether their bid was accepted.
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

/// To the poster: their human accepted a bid.
pub(super) fn assigned<'a>(task: &'a TaskRow, bid: &BidRow, by: &str) -> Notice<'a> {
    let accepted = say(format!("{by} has accepted bid {} by {} for your ", bid.id, bid.bidder));
    let statement = named(accepted, task).say(".");
    Notice { to: task.poster_id, kind: Kind::Assigned, statement, task, bid: Some(bid.id) }
}

/// To the poster: the task was completed.
pub(super) fn completed<'a>(task: &'a TaskRow, by: &str, summary: Option<&str>) -> Notice<'a> {
    let completed = named(say(format!("{by} has completed your ")), task).say(".");
    let statement = completed.quote_block(by, summary.unwrap_or_default());
    Notice { to: task.poster_id, kind: Kind::Completed, statement, task, bid: None }
}

/// To the bidders, the assignee or the poster: the task was cancelled.
pub(super) fn cancelled<'a>(task: &'a TaskRow, to: ParticipantId, by: &str, summary: Option<&str>) -> Notice<'a> {
    let statement = named(say(format!("{by} has cancelled ")), task)
        .say(". No further work is needed.")
        .quote_block(by, summary.unwrap_or_default());
    Notice { to, kind: Kind::Cancelled, statement, task, bid: None }
}

/// To poster and bidders: the deadline passed without an assignee.
pub(super) fn expired(task: &TaskRow, to: ParticipantId) -> Notice<'_> {
    let todo = if to == task.poster_id {
        "Post it again with a later deadline if it is still needed."
    } else {
        "No further work is needed."
    };
    let statement = named(say("The deadline of "), task)
        .say(format!(" passed before a bid was accepted, so it is cancelled. {todo}"));
    Notice { to, kind: Kind::Expired, statement, task, bid: None }
}

/// To poster and assignee: the task is overdue.
pub(super) fn overdue(task: &TaskRow, to: ParticipantId) -> Notice<'_> {
    let todo = if to == task.poster_id {
        "Ask for its progress, or cancel it with complete_task."
    } else {
        "Finish it with complete_task, or tell the poster that you cannot."
    };
    let who = task.assignee.as_deref().unwrap_or_default();
    let statement =
        named(say("The deadline of "), task).say(format!(" has passed, and {who} has not completed it. {todo}"));
    Notice { to, kind: Kind::Overdue, statement, task, bid: None }
}
