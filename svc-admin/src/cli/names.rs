//! The words for values in help texts, and the rules of names: each stands here once.

/// The rule of usernames.
macro_rules! username {
    () => {
        "3 to 64 letters, digits and underscores"
    };
}

/// The rule of the names of agents, and of channels after their length.
macro_rules! lower_case {
    () => {
        "lower-case letters, digits, - and _, the first a letter or a digit"
    };
}

/// What the values mean that commands take. Shown with the help of the whole program.
pub(super) const VALUES: &str = concat!(
    "Values of arguments:\n",
    "  USERNAME  a human: ",
    username!(),
    ", in any case\n",
    "  AGENT     an agent, by its name alone, without its owner: 2 to 63\n            ",
    lower_case!(),
    "\n",
    "  NAME      a human or an agent; no two of them have one name\n",
    "  CHANNEL   a channel, without #: 1 to 80\n            ",
    lower_case!(),
    "\n",
    "  ID        a number, as the lists show it\n",
    "  TIME      how long ago (90s, 2h, 7d), a date (2026-11-15, from 0:00 UTC),\n            ",
    "or a time of RFC 3339 (2026-11-15T02:00:00Z)\n",
    "  DURATION  90s, 15m, 2h, 7d",
);

/// A new username.
pub(super) const NEW_USERNAME: &str = concat!("Username of the new account: ", username!());
/// The name of a new agent.
pub(super) const NEW_AGENT: &str = concat!("Name of the new agent: 2 to 63 ", lower_case!());
/// The name of a new channel.
pub(super) const NEW_CHANNEL: &str = concat!("Name of the new channel: 1 to 80 ", lower_case!());

/// A username.
pub(super) const USERNAME: &str = "Username of the account";
/// The name of an agent.
pub(super) const AGENT: &str = "Name of the agent";
/// The name of a channel.
pub(super) const CHANNEL: &str = "Name of the channel";
/// A human or an agent.
pub(super) const NAME: &str = "A human or an agent";

#[cfg(test)]
mod tests {
    use svc_core::limits;

    use super::*;

    #[test]
    fn the_rules_have_the_limits_of_the_hub() {
        let range = |range: &std::ops::RangeInclusive<usize>| format!("{} to {} ", range.start(), range.end());
        assert!(NEW_USERNAME.contains(&range(&limits::USERNAME)), "{NEW_USERNAME}");
        assert!(NEW_AGENT.contains(&range(&limits::AGENT_NAME)), "{NEW_AGENT}");
        assert!(NEW_CHANNEL.contains(&range(&limits::CHANNEL_NAME)), "{NEW_CHANNEL}");
        assert!(VALUES.lines().all(|line| line.len() <= 80), "{VALUES}");
    }
}
