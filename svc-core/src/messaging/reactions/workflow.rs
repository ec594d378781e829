//! Deriving the workflow state from reactions: the reaction of the highest rank decides.

use svc_model::reactions::{ReactionKind, WorkflowState};

/// Each reaction with its resulting state, from the lowest rank to the highest.
const RANKS: [(ReactionKind, WorkflowState); 5] = [
    (ReactionKind::Approve, WorkflowState::Approved),
    (ReactionKind::InProgress, WorkflowState::InProgress),
    (ReactionKind::Reject, WorkflowState::Rejected),
    (ReactionKind::Done, WorkflowState::Done),
    (ReactionKind::Published, WorkflowState::Published),
];

/// The state of a message with these reactions; `beginning` is the state without any.
pub(crate) fn state(beginning: WorkflowState, reactions: impl IntoIterator<Item = ReactionKind>) -> WorkflowState {
    let rank = |reaction| RANKS.iter().position(|(ranked, _)| *ranked == reaction);
    reactions.into_iter().filter_map(rank).max().map_or(beginning, |highest| RANKS[highest].1)
}

/// The initial state of a message in a workflow channel.
pub(crate) fn beginning(auto_approve: bool) -> WorkflowState {
    if auto_approve { WorkflowState::Approved } else { WorkflowState::Proposed }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: [ReactionKind; 5] = [
        ReactionKind::Approve,
        ReactionKind::Reject,
        ReactionKind::InProgress,
        ReactionKind::Done,
        ReactionKind::Published,
    ];

    #[test]
    fn without_reactions_the_state_is_the_initial_one() {
        assert_eq!(state(beginning(false), []), WorkflowState::Proposed);
        assert_eq!(state(beginning(true), []), WorkflowState::Approved);
    }

    #[test]
    fn the_higher_rank_decides() {
        use ReactionKind::{Approve, Done, InProgress, Published, Reject};
        for (reactions, expected) in [
            (vec![Approve], WorkflowState::Approved),
            (vec![InProgress, Approve], WorkflowState::InProgress),
            (vec![Reject, InProgress], WorkflowState::Rejected),
            (vec![Done, Reject, Approve], WorkflowState::Done),
            (vec![Published, Done, Reject], WorkflowState::Published),
        ] {
            assert_eq!(state(WorkflowState::Proposed, reactions.clone()), expected, "{reactions:?}");
        }
    }

    proptest! {
        #[test]
        fn neither_order_nor_number_matters(picks in prop::collection::vec(0..5_usize, 0..20)) {
            let reactions: Vec<_> = picks.iter().map(|pick| ALL[*pick]).collect();
            let mut reversed = reactions.clone();
            reversed.reverse();
            reversed.dedup();
            prop_assert_eq!(
                state(WorkflowState::Proposed, reactions),
                state(WorkflowState::Proposed, reversed)
            );
        }

        #[test]
        fn one_more_reaction_never_lowers_the_state(picks in prop::collection::vec(0..5_usize, 0..8), more in 0..5_usize) {
            let rank = |reactions: &[ReactionKind]| {
                let state = state(WorkflowState::Proposed, reactions.iter().copied());
                RANKS.iter().position(|(_, ranked)| *ranked == state)
            };
            let mut reactions: Vec<_> = picks.iter().map(|pick| ALL[*pick]).collect();
            let before = rank(&reactions);
            reactions.push(ALL[more]);
            prop_assert!(rank(&reactions) >= before);
        }
    }
}
