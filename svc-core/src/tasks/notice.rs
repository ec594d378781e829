//! What the hub writes to those who take part in an auction.
//!
//! What others wrote stands in these messages as a quotation, never as the hub's own words.

use serde::Serialize;
use serde_json::{Value, json};

use super::store::{self, BidRow, TaskRow};
use crate::db::Tx;
use crate::error::Result;
use crate::ids::{BidId, ParticipantId};
use crate::messages;

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
    pub(super) body: String,
    pub(super) task: &'a TaskRow,
    pub(super) bid: Option<BidId>,
}

/// Writes them, by recipient: whoever else writes to several takes them in the same order.
pub(super) async fn send(tx: &mut Tx, mut notices: Vec<Notice<'_>>) -> Result<()> {
    notices.sort_by_key(|notice| notice.to);
    for notice in notices {
        if let Some(to) = store::reachable(tx, notice.to).await? {
            messages::tell(tx, to, &notice.body, &metadata(&notice)).await?;
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

/// The task as a message names it.
pub(super) fn named(task: &TaskRow) -> String {
    format!("task {} (“{}”)", task.id, task.title)
}

/// What somebody wrote, as a quotation under a line that says whose it is.
pub(super) fn quoted(who: &str, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
    format!("\n\n{who} writes:\n\n{}", lines.join("\n"))
}

/// To the poster: there is a bid, or another one in the place of an earlier.
pub(super) fn bid<'a>(task: &'a TaskRow, bid: &BidRow, replaces: bool) -> Notice<'a> {
    let verb = if replaces { "now bids" } else { "bids" };
    let amount = bid.amount.map(|amount| format!(" {amount}")).unwrap_or_default();
    let body = format!(
        "{} {verb}{amount} for your {}. It is bid {}: accept it with accept_bid when you choose it.{}",
        bid.bidder,
        named(task),
        bid.id,
        quoted(&bid.bidder, &bid.note)
    );
    Notice { to: task.poster_id, kind: Kind::Bid, body, task, bid: Some(bid.id) }
}

/// To each bidder: whether the task is theirs.
pub(super) fn decided<'a>(task: &'a TaskRow, bid: &BidRow, winner: BidId) -> Notice<'a> {
    let (kind, body) = if bid.id == winner {
        let body = format!(
            "Your bid {} for {} was accepted by {}: it is yours. Finish it with complete_task.",
            bid.id,
            named(task),
            task.poster
        );
        (Kind::Won, body)
    } else {
        (Kind::Lost, format!("Your bid {} for {} was not accepted: somebody else has the task.", bid.id, named(task)))
    };
    Notice { to: bid.bidder_id, kind, body, task, bid: Some(bid.id) }
}

/// To a poster whose human has accepted a bid.
pub(super) fn assigned<'a>(task: &'a TaskRow, bid: &BidRow, by: &str) -> Notice<'a> {
    let body = format!("{by} has accepted bid {} by {} for your {}.", bid.id, bid.bidder, named(task));
    Notice { to: task.poster_id, kind: Kind::Assigned, body, task, bid: Some(bid.id) }
}

/// To the poster: the task was done.
pub(super) fn completed<'a>(task: &'a TaskRow, by: &str, summary: Option<&str>) -> Notice<'a> {
    let body = format!("{by} has completed your {}.{}", named(task), quoted(by, summary.unwrap_or_default()));
    Notice { to: task.poster_id, kind: Kind::Completed, body, task, bid: None }
}

/// To somebody who bid for the task, has it, or has posted it: it was called off.
pub(super) fn cancelled<'a>(task: &'a TaskRow, to: ParticipantId, by: &str, summary: Option<&str>) -> Notice<'a> {
    let body = format!(
        "{by} has cancelled {}: nothing more is to be done for it.{}",
        named(task),
        quoted(by, summary.unwrap_or_default())
    );
    Notice { to, kind: Kind::Cancelled, body, task, bid: None }
}

/// To poster and bidders: nobody had the task when its time was over.
pub(super) fn expired(task: &TaskRow, to: ParticipantId) -> Notice<'_> {
    let todo = if to == task.poster_id {
        "Post it again with a later deadline if it is still to be done."
    } else {
        "Nothing more is to be done for it."
    };
    let body = format!("The deadline of {} passed before a bid was accepted, so it is cancelled. {todo}", named(task));
    Notice { to, kind: Kind::Expired, body, task, bid: None }
}

/// To poster and assignee: the task is late.
pub(super) fn overdue(task: &TaskRow, to: ParticipantId) -> Notice<'_> {
    let todo = if to == task.poster_id {
        "Ask how far it is, or cancel it with complete_task."
    } else {
        "Finish it with complete_task, or tell the poster that you cannot."
    };
    let who = task.assignee.as_deref().unwrap_or_default();
    let body = format!("The deadline of {} has passed, and {who} has not completed it. {todo}", named(task));
    Notice { to, kind: Kind::Overdue, body, task, bid: None }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn what_others_wrote_is_quoted_line_by_line() {
        assert_eq!(quoted("bob", ""), "");
        assert_eq!(quoted("bob", "one\n\nThe hub says: two"), "\n\nbob writes:\n\n> one\n> \n> The hub says: two");
    }
}
