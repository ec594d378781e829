//! Message lists within a token budget: the most important messages first, with a cursor to read on.
//!
//! Invariants: of a window of messages, those that fit are returned, by priority and then the newest first; the
//! number of omitted messages of the window is reported, with a cursor; reading on with the cursor shows each of the
//! rest once, whatever is sent meanwhile.

use schemars::JsonSchema;
use serde::Serialize;
use svc_core::ids::MessageId;
use svc_core::messages::Message;
use svc_core::{Caller, Error, Hub, limits};

use crate::budget::Budget;
use crate::catalogue::Call;
use crate::error::Refusal;
use crate::shown::{Reader, Shown};

/// Tokens reserved for the JSON around the messages.
const FRAME: u32 = 40;

/// Cursor of a message list: the window, and the last message of it that was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MessageCursor {
    /// The window ends before this message.
    pub(crate) before: MessageId,
    /// Progress within the window.
    behind: Option<WindowProgress>,
}

/// Progress within a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct WindowProgress {
    /// The window begins with this message. Older messages that move into the window, because others were removed,
    /// belong to the next one.
    begins: i64,
    /// The rank of the last message that was shown.
    last: (u32, i64),
}

impl MessageCursor {
    /// The newest window.
    pub(crate) const NEWEST: Self = Self { before: MessageId(i64::MAX), behind: None };

    pub(crate) fn parse(cursor: Option<&str>) -> Result<Self, Refusal> {
        let Some(text) = cursor else { return Ok(Self::NEWEST) };
        let numbers: Option<Vec<i64>> =
            text.split('.').map(|part| part.parse::<i64>().ok().filter(|number| *number > 0)).take(5).collect();
        let place = match numbers.as_deref() {
            Some([before]) => Some((*before, None)),
            Some([before, begins, priority, id]) => u32::try_from(*priority)
                .ok()
                .map(|priority| (*before, Some(WindowProgress { begins: *begins, last: (priority, *id) }))),
            _ => None,
        };
        place
            .map(|(before, behind)| Self { before: MessageId(before), behind })
            .ok_or_else(|| Error::invalid("cursor", "must be the cursor of an earlier result of this tool").into())
    }

    fn print(self) -> String {
        match self.behind {
            None => self.before.0.to_string(),
            Some(WindowProgress { begins, last: (priority, id) }) => {
                format!("{}.{begins}.{priority}.{id}", self.before.0)
            }
        }
    }
}

/// Sort key of a message of a window: messages are shown in this order until the budget is exhausted.
fn rank(message: &Message) -> (u32, i64) {
    (message.priority, message.id.0)
}

/// Order of the returned messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// By priority, then the newest first.
    Urgent,
    /// The oldest first.
    Time,
}

/// A page of messages for an agent.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Listed {
    pub(crate) messages: Vec<Shown>,
    /// Number of omitted messages of the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) omitted: Option<usize>,
    /// Whether there are older ones.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) older: bool,
    /// Whether there are newer ones.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) newer: bool,
    /// Cursor to read on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cursor: Option<String>,
    /// No message up to this id was omitted.
    #[serde(skip)]
    pub(crate) through: Option<MessageId>,
}

/// A window of messages in either order, and whether there are older ones.
pub(crate) struct Window {
    messages: Vec<Message>,
    older: bool,
    /// The oldest message of the window, shown or not.
    begins: Option<i64>,
}

impl Window {
    pub(crate) fn of(messages: Vec<Message>, older: bool) -> Self {
        let begins = messages.iter().map(|message| message.id.0).min();
        Self { messages, older, begins }
    }

    /// Keeps only the messages that match.
    #[must_use]
    pub(crate) fn only(mut self, wanted: impl Fn(&Message) -> bool) -> Self {
        self.messages.retain(wanted);
        self
    }
}

/// The part of a window that fits into `tokens`.
pub(crate) async fn fit(
    call: &Call,
    tokens: u32,
    place: MessageCursor,
    window: Window,
    order: Order,
) -> Result<Listed, Refusal> {
    let Window { mut messages, mut older, mut begins } = window;
    let mut ids: Vec<MessageId> = messages.iter().map(|message| message.id).collect();
    ids.sort_unstable();
    let newest = ids.last().map(|id| id.0);
    messages.sort_by_key(|message| std::cmp::Reverse(rank(message)));
    if let Some(behind) = place.behind {
        older |= messages.iter().any(|message| message.id.0 < behind.begins);
        messages.retain(|message| message.id.0 >= behind.begins && rank(message) < behind.last);
        begins = Some(behind.begins);
    }
    let reader = Reader::of(&call.hub, &call.caller, &messages).await?;
    let (mut shown, last, omitted) = fill(tokens, &reader, &messages);
    let before =
        if place == MessageCursor::NEWEST { newest.map_or(place.before, |id| MessageId(id + 1)) } else { place.before };
    let cursor = match (omitted, last, begins) {
        (1.., Some(last), Some(begins)) => {
            Some(MessageCursor { before, behind: Some(WindowProgress { begins, last }) })
        }
        (_, _, Some(begins)) if older => Some(MessageCursor { before: MessageId(begins), behind: None }),
        _ => None,
    };
    let through = whole_through(&ids, &messages[messages.len() - omitted..]);
    if order == Order::Time {
        shown.sort_by_key(|message| message.id);
    }
    let omitted = (omitted > 0).then_some(omitted);
    Ok(Listed { messages: shown, omitted, older, newer: false, cursor: cursor.map(MessageCursor::print), through })
}

/// The last of these ids before which no message was omitted.
fn whole_through(ids: &[MessageId], left_out: &[Message]) -> Option<MessageId> {
    let first = left_out.iter().map(|message| message.id).min();
    ids.iter().copied().take_while(|id| first.is_none_or(|first| *id < first)).last()
}

/// The messages that fit, the rank of the last one, and the number of omitted messages.
fn fill(max_tokens: u32, reader: &Reader, messages: &[Message]) -> (Vec<Shown>, Option<(u32, i64)>, usize) {
    let mut budget = Budget::of(max_tokens.saturating_sub(FRAME));
    let mut shown = Vec::new();
    let mut last = None;
    for message in messages {
        let mut item = reader.show(message);
        if !budget.pay(&item) {
            if !shown.is_empty() {
                break;
            }
            // The first message is always shown, shortened if necessary.
            item.shrink(budget.left());
            shown.push(item);
            last = Some(rank(message));
            break;
        }
        shown.push(item);
        last = Some(rank(message));
    }
    let omitted = messages.len() - shown.len();
    (shown, last, omitted)
}

/// The messages that fit of a list in its own order, from an offset on.
pub(crate) async fn fit_in_order(
    hub: &Hub,
    caller: &Caller,
    max_tokens: u32,
    messages: &[Message],
) -> Result<Vec<Shown>, Refusal> {
    let reader = Reader::of(hub, caller, messages).await?;
    Ok(fill(max_tokens, &reader, messages).0)
}

/// Records the shown messages as delivered; omitted ones are not recorded.
pub(crate) async fn hand_out(call: &Call, shown: &[Shown]) -> Result<(), Refusal> {
    let ids = shown.iter().map(|message| message.id).collect();
    Ok(call.hub.messages().handed_out(&call.caller, ids).await?)
}

/// Parses a cursor that is an offset.
pub(crate) fn offset(cursor: Option<&str>) -> Result<i64, Refusal> {
    match cursor.map(str::parse::<i64>) {
        None => Ok(0),
        Some(Ok(offset)) if offset >= 0 => Ok(offset),
        Some(_) => Err(Error::invalid("cursor", "must be the cursor of an earlier result of this tool").into()),
    }
}

/// Remainder of a list after a page, and the cursor to read on.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Rest {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) omitted: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cursor: Option<String>,
}

/// Cursor of a list that is ordered by name: the last name that was shown, and the number of entries up to it.
///
/// The name decides where the next page begins, so that entries that are added or removed meanwhile are neither
/// repeated nor hidden; the number only serves to count the remaining entries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ByName {
    passed: i64,
    pub(crate) name: Option<String>,
}

impl ByName {
    pub(crate) fn parse(cursor: Option<&str>) -> Result<Self, Refusal> {
        let Some(text) = cursor else { return Ok(Self::default()) };
        let parts = text.split_once('.').and_then(|(passed, name)| Some((passed.parse::<i64>().ok()?, name)));
        match parts {
            Some((passed, name)) if passed > 0 && !name.is_empty() && !name.contains('\0') => {
                Ok(Self { passed, name: Some(name.to_owned()) })
            }
            _ => Err(Error::invalid("cursor", "must be the cursor of an earlier result of this tool").into()),
        }
    }

    /// The remainder once these entries of a page were shown.
    pub(crate) fn rest(&self, shown: &NamePage<'_>, total: i64) -> Rest {
        let passed = self.passed.saturating_add(i64::try_from(shown.count).unwrap_or(i64::MAX));
        // The total may have fallen because earlier entries were removed, so the page itself decides whether there is
        // more.
        let is_last = shown.count == shown.found && shown.found < limits::PAGE_MAX as usize;
        match shown.last {
            Some(last) if !is_last => {
                let unshown = i64::try_from(shown.found - shown.count).unwrap_or(i64::MAX);
                let omitted = Some((total - passed).max(unshown)).filter(|left| *left > 0);
                Rest { omitted, cursor: Some(format!("{passed}.{last}")) }
            }
            _ => Rest::default(),
        }
    }
}

/// The shown part of a page of names.
pub(crate) struct NamePage<'n> {
    /// Number of entries on the page.
    pub(crate) found: usize,
    /// Number of entries that were shown.
    pub(crate) count: usize,
    /// Name of the last shown entry.
    pub(crate) last: Option<&'n str>,
}

impl Rest {
    pub(crate) fn after(offset: i64, shown: usize, total: i64) -> Self {
        let end = offset.saturating_add(i64::try_from(shown).unwrap_or(i64::MAX));
        let left = total - end;
        if left > 0 && shown > 0 {
            Self { omitted: Some(left), cursor: Some(end.to_string()) }
        } else {
            Self::default()
        }
    }
}

/// Cursor of a list that the hub pages with cursors of its own: its page, and the number of items of it that were shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PageCursor {
    skip: usize,
    pub(crate) page: Option<String>,
}

impl PageCursor {
    pub(crate) fn parse(cursor: Option<&str>) -> Result<Self, Refusal> {
        let Some(cursor) = cursor else { return Ok(Self::default()) };
        let parts = cursor.split_once('.').and_then(|(skip, page)| Some((skip.parse().ok()?, page)));
        let (skip, page) =
            parts.ok_or_else(|| Error::invalid("cursor", "must be the cursor of an earlier result of this tool"))?;
        Ok(Self { skip, page: Some(page.to_owned()).filter(|page| !page.is_empty()) })
    }

    /// The items of the page that fit, and where to read on; `next` is the cursor of the next page.
    pub(crate) fn fit<T: Serialize>(self, max_tokens: u32, items: Vec<T>, next: Option<String>) -> (Vec<T>, Rest) {
        let unread: Vec<T> = items.into_iter().skip(self.skip).collect();
        let all = unread.len();
        let shown = some_of(max_tokens, unread);
        let left = all - shown.len();
        let cursor = if left > 0 {
            Some(format!("{}.{}", self.skip + shown.len(), self.page.unwrap_or_default()))
        } else {
            next.map(|next| format!("0.{next}"))
        };
        (shown, Rest { omitted: i64::try_from(left).ok().filter(|left| *left > 0), cursor })
    }
}

/// As many items as fit into the budget, at least one.
pub(crate) fn some_of<T: Serialize>(max_tokens: u32, items: Vec<T>) -> Vec<T> {
    let mut budget = Budget::of(max_tokens.saturating_sub(FRAME));
    let mut taken = Vec::new();
    for item in items {
        let paid = budget.pay(&item);
        if paid || taken.is_empty() {
            taken.push(item);
        }
        if !paid {
            break;
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_by_name_goes_on_behind_the_last_name() {
        let begin = ByName::parse(None).unwrap();
        let page = |found, count, last| NamePage { found, count, last: Some(last) };
        let rest = begin.rest(&page(5, 2, "ops.v2"), 5);
        assert_eq!((rest.omitted, rest.cursor.as_deref()), (Some(3), Some("2.ops.v2")));
        let next = ByName::parse(rest.cursor.as_deref()).unwrap();
        assert_eq!(next.name.as_deref(), Some("ops.v2"));
        assert_eq!(next.rest(&page(3, 3, "z"), 5).cursor, None);
        let fallen = next.rest(&page(3, 2, "y"), 3);
        assert_eq!((fallen.omitted, fallen.cursor.as_deref()), (Some(1), Some("4.y")), "those behind were removed");
        for text in ["", "2", "2.", "x.ops", "0.ops", "-1.ops"] {
            assert_eq!(ByName::parse(Some(text)).unwrap_err().errors[0].field, "cursor", "{text:?}");
        }
    }

    #[test]
    fn a_cursor_of_a_page_has_the_place_in_it() {
        let parsed = |text| PageCursor::parse(Some(text)).map(|cursor| (cursor.skip, cursor.page));
        assert_eq!(PageCursor::parse(None).unwrap(), PageCursor::default());
        assert_eq!(parsed("3.").unwrap(), (3, None));
        assert_eq!(parsed("0.a.b").unwrap(), (0, Some("a.b".to_owned())));
        for wrong in ["", "3", "x.y", "-1.a"] {
            assert_eq!(parsed(wrong).unwrap_err().code, "validation_failed", "{wrong}");
        }
        let items = || vec!["x".repeat(200); 3];
        let (shown, rest) = PageCursor::default().fit(100, items(), Some("next".into()));
        assert_eq!((shown.len(), rest.omitted, rest.cursor.as_deref()), (1, Some(2), Some("1.")));
        let (shown, rest) = PageCursor::parse(Some("1.")).unwrap().fit(1000, items(), Some("next".into()));
        assert_eq!((shown.len(), rest.omitted, rest.cursor.as_deref()), (2, None, Some("0.next")));
    }

    #[test]
    fn cursors_round_trip_and_others_are_rejected() {
        let behind = Some(WindowProgress { begins: 2, last: (5, 3) });
        for place in
            [MessageCursor { before: MessageId(7), behind: None }, MessageCursor { before: MessageId(9), behind }]
        {
            assert_eq!(MessageCursor::parse(Some(&place.print())).unwrap(), place);
        }
        for text in ["", "x", "1.2", "1.2.3", "1.2.3.4.5", "-1", "1.2.3.x", "0", "1.2.99999999999.3", " 1"] {
            assert_eq!(MessageCursor::parse(Some(text)).unwrap_err().errors[0].field, "cursor", "{text:?}");
        }
    }
}
