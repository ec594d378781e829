//! The signs of a loop, as pure functions over messages.

use std::collections::HashMap;
use std::time::Duration;

use crate::ids::{MessageId, ParticipantId};
use crate::limits;
use crate::timestamp::Timestamp;

/// A message between two agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) id: MessageId,
    pub(super) from: ParticipantId,
    pub(super) at: Timestamp,
}

/// The number of answers among these messages, newest first, if there are too many.
pub(super) fn exchange(said: &[Said]) -> Option<u32> {
    let answers = said.windows(2).filter(|pair| pair[0].from != pair[1].from).count();
    (answers > limits::LOOP_ANSWERS).then(|| u32::try_from(answers).unwrap_or(u32::MAX))
}

/// The number of messages by one agent in the last minute, if there are too many.
pub(super) fn flood(said: &[Said], by: ParticipantId, now: Timestamp) -> Option<u32> {
    let since = now.minus(Duration::from_mins(1));
    let sent = said.iter().filter(|said| said.from == by && said.at > since).count();
    (sent > limits::LOOP_RATE).then(|| u32::try_from(sent).unwrap_or(u32::MAX))
}

/// The number of alike texts among the last messages, if there are too many.
pub(super) fn repetition(bodies: &[String]) -> Option<u32> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for body in bodies.iter().take(limits::LOOP_COMPARED) {
        *counts.entry(normalised(body)).or_default() += 1;
    }
    let most = counts.into_values().max().unwrap_or(0);
    (most >= limits::LOOP_ALIKE).then(|| u32::try_from(most).unwrap_or(u32::MAX))
}

/// The words of a text in lower case, without punctuation. Numbers are words too: an agent that hands out numbered work
/// repeats nothing. A text without words is compared as it is, without spaces.
fn normalised(body: &str) -> String {
    let words = body.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    if words.is_empty() { body.split_whitespace().collect() } else { words.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(senders: &[i64]) -> Vec<Said> {
        let at = Timestamp::from_micros(0);
        senders.iter().map(|from| Said { id: MessageId(1), from: ParticipantId(*from), at }).collect()
    }

    #[test]
    fn more_than_twelve_answers_are_an_exchange() {
        let thirteen: Vec<i64> = (0..13).map(|number| number % 2).collect();
        assert_eq!(exchange(&said(&thirteen)), None, "twelve answers");
        let fourteen: Vec<i64> = (0..14).map(|number| number % 2).collect();
        assert_eq!(exchange(&said(&fourteen)), Some(13));
        assert_eq!(exchange(&said(&[1; 50])), None, "one agent alone answers nobody");
        assert_eq!(exchange(&[]), None);
    }

    #[test]
    fn case_and_punctuation_do_not_make_a_new_text() {
        let alike = ["Try again.", "try again!", "(Try again)", "TRY  AGAIN", "try AGAIN…", "And now?"];
        assert_eq!(repetition(&alike.map(str::to_owned)), Some(5));
        let others = ["Try again.", "try again!", "(Try again)", "TRY  AGAIN", "give up", "And now?"];
        assert_eq!(repetition(&others.map(str::to_owned)), None);
        assert_eq!(repetition(&["👍".to_owned(), "👍 ".to_owned(), " 👍".to_owned()]), None);
        assert_eq!(repetition(&vec!["👍".to_owned(); 5]), Some(5));
        // Only the last six count.
        let mut long = vec!["one".to_owned(), "two".to_owned()];
        long.extend(vec!["same".to_owned(); 10]);
        assert_eq!(repetition(&long), None);
    }

    #[test]
    fn numbered_work_is_no_repetition() {
        assert_ne!(normalised("Review pull request 17."), normalised("Review pull request 18."));
        assert_eq!(normalised("Ärger, 12 mal"), normalised("ärger 12 MAL"));
    }

    #[test]
    fn more_than_sixty_messages_in_a_minute_are_a_flood() {
        let now = Timestamp::from_micros(0).plus(Duration::from_hours(1));
        let at = |seconds: u64, from: i64| Said {
            id: MessageId(1),
            from: ParticipantId(from),
            at: now.minus(Duration::from_secs(seconds)),
        };
        let sixty: Vec<_> = (0..60).map(|_| at(30, 7)).collect();
        let old: Vec<_> = (0..60).map(|_| at(60, 7)).collect();
        let theirs: Vec<_> = (0..60).map(|_| at(1, 8)).collect();
        let all = [sixty.clone(), old, theirs].concat();
        assert_eq!(flood(&all, ParticipantId(7), now), None);
        assert_eq!(flood(&[all, vec![at(0, 7)]].concat(), ParticipantId(7), now), Some(61));
    }
}
