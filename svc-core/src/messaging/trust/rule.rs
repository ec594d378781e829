//! Deriving a verdict from reactions, and a score from a verdict.

use serde_json::Value;
use svc_model::reactions::ReactionKind;

use crate::limits;

/// The default action type of a message.
pub(super) const PUBLISH: &str = "publish";

/// A human's verdict on a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Approved,
    Rejected,
}

/// The verdict of one human's reactions to a message: a rejection outweighs an approval.
pub(crate) fn verdict(reactions: impl IntoIterator<Item = ReactionKind>) -> Option<Verdict> {
    reactions.into_iter().fold(None, |verdict, reaction| match reaction {
        ReactionKind::Reject => Some(Verdict::Rejected),
        ReactionKind::Approve => verdict.or(Some(Verdict::Approved)),
        ReactionKind::InProgress | ReactionKind::Done | ReactionKind::Published => verdict,
    })
}

/// The score after one adjustment is undone and another is applied, and the applied delta, which is
/// smaller than its weight at the limits of the range.
pub(super) fn adjusted(score: i64, applied: i64, verdict: Option<Verdict>) -> (i64, i64) {
    let weight = match verdict {
        Some(Verdict::Approved) => limits::TRUST_APPROVE,
        Some(Verdict::Rejected) => -limits::TRUST_REJECT,
        None => 0,
    };
    let without = (score - applied).clamp(0, limits::TRUST_FULL);
    let with = (without + weight).clamp(0, limits::TRUST_FULL);
    (with, with - without)
}

/// The action type of a message from its metadata, if it is valid.
pub(super) fn action_type(metadata: &Value) -> &str {
    let proper = |word: &&str| {
        (1..=limits::ACTION_TYPE_MAX).contains(&word.len())
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.-".contains(&byte))
    };
    metadata.get("action_type").and_then(Value::as_str).filter(proper).unwrap_or(PUBLISH)
}

/// Millionths as a number from 0 to 1.
pub(super) fn number(millionths: u32) -> f64 {
    f64::from(millionths) / 1e6
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_rejection_outweighs_an_approval() {
        use ReactionKind::{Approve, Done, InProgress, Published, Reject};
        assert_eq!(verdict([InProgress, Done, Published]), None);
        assert_eq!(verdict([Done, Approve]), Some(Verdict::Approved));
        assert_eq!(verdict([Reject, Approve]), Some(Verdict::Rejected));
        assert_eq!(verdict([Approve, Reject, Done]), Some(Verdict::Rejected));
    }

    #[test]
    fn a_score_stops_at_either_end() {
        assert_eq!(adjusted(500_000, 0, Some(Verdict::Approved)), (550_000, 50_000));
        assert_eq!(adjusted(980_000, 0, Some(Verdict::Approved)), (1_000_000, 20_000));
        assert_eq!(adjusted(1_000_000, 20_000, None), (980_000, 0));
        assert_eq!(adjusted(30_000, 0, Some(Verdict::Rejected)), (0, -30_000));
        assert_eq!(adjusted(0, -30_000, Some(Verdict::Approved)), (80_000, 50_000));
        assert_eq!(adjusted(0, 50_000, None), (0, 0));
    }

    #[test]
    fn an_invalid_action_type_is_ignored() {
        assert_eq!(action_type(&json!({ "action_type": "deploy.prod-1_x" })), "deploy.prod-1_x");
        let long = "a".repeat(limits::ACTION_TYPE_MAX + 1);
        for improper in [json!(""), json!("Deploy"), json!("a b"), json!(7), json!(null), json!(long), json!("ü")] {
            assert_eq!(action_type(&json!({ "action_type": improper })), PUBLISH);
        }
        assert_eq!(action_type(&json!({})), PUBLISH);
    }

    proptest! {
        #[test]
        fn undoing_an_adjustment_restores_the_score(score in 0..=1_000_000_i64, approve in any::<bool>()) {
            let wanted = if approve { Verdict::Approved } else { Verdict::Rejected };
            let (moved, delta) = adjusted(score, 0, Some(wanted));
            prop_assert!((0..=limits::TRUST_FULL).contains(&moved));
            prop_assert_eq!(adjusted(moved, delta, None), (score, 0));
        }
    }
}
