//! Limits of goals.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Maximum length of a goal's slug, which is also the end of the name of its channel.
pub const GOAL_SLUG_MAX: usize = 64;
/// Maximum length of a title, in characters.
pub const GOAL_TITLE_MAX: usize = 200;
/// Maximum size of a description, of acceptance criteria and of the instructions of a proposed agent, in bytes.
pub const GOAL_TEXT_MAX: usize = 16 * 1024;
/// Maximum length of a summary, of a reason and of a note, in characters.
pub const GOAL_NOTE_MAX: usize = 2000;
/// Maximum number of goals of one owner that are not completed or cancelled.
pub const GOALS_OPEN_MAX: i64 = 1000;
/// Maximum number of tasks of one proposal, and of one goal without its cancelled tasks.
pub const GOAL_TASKS_MAX: usize = 200;
/// Maximum depth of a task tree.
pub const GOAL_TREE_DEPTH: usize = 6;
/// Maximum number of dependencies of a task.
pub const GOAL_DEPENDENCIES_MAX: usize = 50;
/// Maximum number of tasks of a goal that were ever stored, with cancelled ones.
pub const GOAL_TASKS_EVER: i64 = 2000;
/// Maximum length of a billing code.
pub const BILLING_CODE_MAX: usize = 64;
/// Default of the depth to which agents may propose agents that may propose agents.
pub const SPAWN_DEPTH: u32 = 3;
/// Depths of spawning that a goal can allow.
pub const SPAWN_DEPTHS: RangeInclusive<u32> = 0..=10;
/// Maximum number of proposed agents of a goal that are not decided.
pub const PROPOSALS_OPEN_MAX: i64 = 20;
/// Maximum number of proposed agents of a goal.
pub const PROPOSALS_MAX: i64 = 200;
/// Maximum number of tools that a proposal lists.
pub const PROPOSAL_TOOLS_MAX: usize = 200;
/// Maximum length of the name of a tool.
pub const TOOL_NAME_MAX: usize = 64;
/// Maximum number of requests for secrets of one agent that are not decided.
pub const SECRET_REQUESTS_OPEN_MAX: i64 = 20;
/// Number of entries of a timeline in the detail of a goal.
pub const GOAL_TIMELINE: u32 = 200;
/// Number of messages of the channel among the entries of a timeline.
pub const GOAL_TIMELINE_MESSAGES: u32 = 100;
/// Maximum length of the beginning of a message in a timeline, in characters.
pub const GOAL_EXCERPT_MAX: usize = 200;
/// Interval at which verifications by a command are started that could not start before.
pub const GOAL_VERIFY_PACE: Duration = Duration::from_secs(10);
/// Maximum number of verifications that are started in one round.
pub const GOAL_VERIFY_BATCH: u32 = 50;
/// Maximum number of events that are read in one transaction.
pub const GOAL_READER_BATCH: u32 = 100;
/// Maximum length of the token of a claim in a request.
pub const CLAIM_TOKEN_MAX: usize = 128;
