//! Goals: an outcome that an owner wants, with a budget, a tree of tasks and the agents that do them.

mod proposals;
mod tree;
mod updates;
mod view;

use serde::{Deserialize, Serialize};

use crate::error::{Error, FieldError, Result};
use crate::governance::{micros_of, usd_of};
use crate::ids::{GoalId, MessageId, UserId};
use crate::limits;
use crate::names::label;
use crate::object::object_or_none;
use crate::timestamp::Timestamp;

pub use proposals::*;
pub use tree::*;
pub use updates::*;
pub use view::*;

/// The status of a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum GoalStatus {
    /// It has no tasks yet.
    Draft,
    /// Its tasks are worked on.
    Active,
    /// It was reached.
    Completed,
    /// It cannot go on by itself; `stuck_reason` says why.
    Stuck,
    /// It was given up.
    Cancelled,
}

crate::text_enum! {
    GoalStatus {
        Draft => "draft",
        Active => "active",
        Completed => "completed",
        Stuck => "stuck",
        Cancelled => "cancelled",
    }
}

impl GoalStatus {
    /// All statuses.
    pub const ALL: [Self; 5] = [Self::Draft, Self::Active, Self::Completed, Self::Stuck, Self::Cancelled];

    /// Whether a goal with this status never changes its status again.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Cancelled)
    }

    /// The status with this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }
}

/// How much an agent may do without a human.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum Autonomy {
    /// A human approves tasks before they can be claimed.
    #[default]
    Supervised,
    /// Tasks can be claimed as soon as they are proposed.
    Autonomous,
}

crate::text_enum! { Autonomy { Supervised => "supervised", Autonomous => "autonomous" } }

/// The limits of what a goal, or a task of it, may cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct GoalBudget {
    /// The maximum cost in dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    /// The maximum number of tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<i64>,
}

impl GoalBudget {
    /// A budget of microdollars and tokens, as the store has it.
    pub fn stored(usd_micros: Option<i64>, tokens: Option<i64>) -> Self {
        Self { usd: usd_micros.map(usd_of), tokens }
    }

    /// The money in microdollars.
    pub fn micros(&self) -> Option<i64> {
        self.usd.map(micros_of)
    }

    /// The fields with values out of range, named after the fields that hold them.
    pub(super) fn faults(self, usd: &str, tokens: &str) -> Vec<FieldError> {
        let mut faults = Vec::new();
        if self.usd.is_some_and(|usd| !(0.0..=limits::BUDGET_USD_MAX).contains(&usd)) {
            let message = format!("must be 0 to {}", limits::BUDGET_USD_MAX);
            faults.push(FieldError { field: usd.to_owned(), message });
        }
        if self.tokens.is_some_and(|tokens| !(0..=limits::BUDGET_TOKENS_MAX).contains(&tokens)) {
            let message = format!("must be 0 to {}", limits::BUDGET_TOKENS_MAX);
            faults.push(FieldError { field: tokens.to_owned(), message });
        }
        faults
    }
}

/// Money and tokens that were spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Spent {
    /// Dollars.
    pub usd: f64,
    /// Tokens.
    pub tokens: i64,
}

impl Spent {
    /// Microdollars and tokens, as the store has them.
    pub fn stored(usd_micros: i64, tokens: i64) -> Self {
        Self { usd: usd_of(usd_micros), tokens }
    }
}

/// The number of tasks of a goal, by what they wait for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct TaskCounts {
    /// All tasks but the cancelled ones.
    pub total: i64,
    /// Tasks that wait for an approval.
    pub proposed: i64,
    /// Tasks that are claimed or in progress.
    pub active: i64,
    /// Tasks that wait for a verification.
    pub verifying: i64,
    /// Tasks that are done.
    pub done: i64,
    /// Tasks that failed.
    pub failed: i64,
}

/// A goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Goal {
    /// Its id.
    pub id: GoalId,
    /// Its short name, unique on this hub.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// The outcome that is wanted and its background, as Markdown.
    pub description: String,
    /// Its status.
    pub status: GoalStatus,
    /// Why it is stuck: `budget` when its budget is used up, or the words of the participant that reported it.
    pub stuck_reason: Option<String>,
    /// The handle of the human who owns it.
    pub owner: String,
    /// The handle of the agent that coordinates it.
    pub coordinator: Option<String>,
    /// The private channel of its owner, its coordinator and its assignees; `null` after the channel was removed.
    pub channel: Option<String>,
    /// Whether a human approves its tasks.
    pub autonomy: Autonomy,
    /// The limits of its cost.
    pub budget: GoalBudget,
    /// Its cost so far.
    pub spent: Spent,
    /// The number of its tasks.
    pub task_counts: TaskCounts,
    /// The depth to which agents may propose agents.
    pub max_spawn_depth: u32,
    /// The outcome, or the reason why it was given up.
    pub completion_summary: Option<String>,
    /// The message that reports its end; `null` after the message was deleted.
    pub completion_message_id: Option<MessageId>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it or one of its tasks last changed.
    pub updated_at: Timestamp,
    /// When it was completed or cancelled.
    pub completed_at: Option<Timestamp>,
}

/// A page of goals: stuck ones first, then the newest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct GoalPage {
    /// The goals.
    pub goals: Vec<Goal>,
    /// The cursor of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
}

/// The filter of a list of goals.
#[derive(Debug, Clone, Default)]
pub struct GoalFilter {
    /// Only goals in this status.
    pub status: Option<GoalStatus>,
    /// Only goals of this user; for operators, who see the goals of all.
    pub owner: Option<UserId>,
    /// Only goals after this cursor.
    pub cursor: Option<String>,
    /// The maximum number of goals.
    pub limit: Option<i64>,
}

/// The request to create a goal.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct NewGoal {
    /// Its title: 1 to 200 characters.
    pub title: String,
    /// The outcome that is wanted and its background, as Markdown: at most 16 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its short name, up to 64 characters: lower-case letters, digits, - and _; derived from the title when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
    /// The agent that coordinates it; the caller when absent, if that is an agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coordinator: Option<String>,
    /// The limits of its cost; none when absent.
    #[serde(default, deserialize_with = "object_or_none", skip_serializing_if = "Option::is_none")]
    pub budget: Option<GoalBudget>,
    /// Whether a human approves its tasks; `supervised` when absent. An agent that is supervised itself cannot set `autonomous`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autonomy: Option<Autonomy>,
    /// The depth to which agents may propose agents: 0 to 10, 3 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_spawn_depth: Option<u32>,
}

impl NewGoal {
    /// A goal with this title.
    pub fn titled(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Reports all invalid fields at once, and trims the texts.
    pub fn checked(mut self) -> Result<Self> {
        let mut faults = Vec::new();
        match label("title", &self.title, limits::GOAL_TITLE_MAX) {
            Ok(title) => self.title = title,
            Err(error) => faults.extend_from_slice(error.fields()),
        }
        if self.slug.as_deref().is_some_and(|slug| !is_slug(slug)) {
            let most = limits::GOAL_SLUG_MAX;
            let message = format!(
                "must have 1 to {most} characters: lower-case letters, digits, - and _, the first a letter or a digit"
            );
            faults.push(FieldError { field: "slug".into(), message });
        }
        faults.extend(long_text("description", self.description.as_deref()));
        faults.extend(self.budget.unwrap_or_default().faults("budget.usd", "budget.tokens"));
        let depths = limits::SPAWN_DEPTHS;
        if self.max_spawn_depth.is_some_and(|depth| !depths.contains(&depth)) {
            let message = format!("must be {} to {}", depths.start(), depths.end());
            faults.push(FieldError { field: "max_spawn_depth".into(), message });
        }
        if faults.is_empty() { Ok(self) } else { Err(Error::invalid_fields(faults)) }
    }
}

/// Changes of a goal; absent fields stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct GoalChanges {
    /// Its title: 1 to 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The outcome that is wanted and its background, as Markdown: at most 16 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The limits of its cost; replaces all limits, and an empty object removes them.
    #[serde(default, deserialize_with = "object_or_none", skip_serializing_if = "Option::is_none")]
    pub budget: Option<GoalBudget>,
    /// Its status. Legal moves: draft to active; draft and active to stuck; stuck to active; any of these to completed
    /// or cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<GoalStatus>,
    /// Why it is stuck, with the status `stuck`; at most 2000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stuck_reason: Option<String>,
    /// Whether a human approves its tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autonomy: Option<Autonomy>,
    /// The agent that coordinates it; an empty text removes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coordinator: Option<String>,
}

impl GoalChanges {
    /// Reports all invalid fields at once, and trims the texts.
    pub fn checked(mut self) -> Result<Self> {
        let mut faults = Vec::new();
        if let Some(title) = self.title.take() {
            match label("title", &title, limits::GOAL_TITLE_MAX) {
                Ok(title) => self.title = Some(title),
                Err(error) => faults.extend_from_slice(error.fields()),
            }
        }
        faults.extend(long_text("description", self.description.as_deref()));
        faults.extend(note("stuck_reason", &mut self.stuck_reason));
        if self.stuck_reason.is_some() && self.status != Some(GoalStatus::Stuck) {
            let message = "goes with the status stuck only".to_owned();
            faults.push(FieldError { field: "stuck_reason".into(), message });
        }
        faults.extend(self.budget.unwrap_or_default().faults("budget.usd", "budget.tokens"));
        if faults.is_empty() { Ok(self) } else { Err(Error::invalid_fields(faults)) }
    }
}

/// Whether a text can be the slug of a goal.
fn is_slug(text: &str) -> bool {
    (1..=limits::GOAL_SLUG_MAX).contains(&text.len())
        && !text.starts_with(['-', '_'])
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte))
}

/// The slug of a title: its letters and digits, with hyphens in between. `goal` when it has none.
pub fn slug_of(title: &str) -> String {
    let mut slug = String::new();
    for letter in title.chars().flat_map(char::to_lowercase) {
        if letter.is_ascii_alphanumeric() {
            slug.push(letter);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    // Leaves room for a number that makes it unique.
    slug.truncate(limits::GOAL_SLUG_MAX - 8);
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "goal".to_owned() } else { slug.to_owned() }
}

/// The error of a text that is too long to be stored.
fn long_text(field: &str, text: Option<&str>) -> Option<FieldError> {
    let most = limits::GOAL_TEXT_MAX;
    let is_wrong = text.is_some_and(|text| text.len() > most || text.contains('\0'));
    is_wrong.then(|| FieldError { field: field.into(), message: format!("must be at most {most} bytes, without NUL") })
}

/// Trims a note, and returns the error of one that is too long. An empty note is none.
fn note(field: &str, text: &mut Option<String>) -> Option<FieldError> {
    *text = text.take().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let most = limits::GOAL_NOTE_MAX;
    let is_wrong = text.as_ref().is_some_and(|text| text.chars().count() > most || text.contains('\0'));
    is_wrong.then(|| FieldError {
        field: field.into(),
        message: format!("must have at most {most} characters, without NUL"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(error: &Error) -> Vec<&str> {
        error.fields().iter().map(|fault| fault.field.as_str()).collect()
    }

    #[test]
    fn a_slug_is_made_of_the_letters_and_digits_of_a_title() {
        for (title, slug) in [
            ("Ship version 2.0!", "ship-version-2-0"),
            ("  --  ", "goal"),
            ("Übersicht & Plan", "bersicht-plan"),
            ("目標", "goal"),
        ] {
            assert_eq!(slug_of(title), slug);
            assert!(is_slug(&slug_of(title)), "{title}");
        }
        assert!(slug_of(&"a ".repeat(200)).len() < limits::GOAL_SLUG_MAX - 6);
    }

    #[test]
    fn all_faults_of_a_goal_are_reported_at_once() {
        let new = NewGoal {
            title: " ".into(),
            slug: Some("-x".into()),
            description: Some("x".repeat(limits::GOAL_TEXT_MAX + 1)),
            budget: Some(GoalBudget { usd: Some(-1.0), tokens: Some(-1) }),
            max_spawn_depth: Some(11),
            ..NewGoal::default()
        };
        let error = new.checked().unwrap_err();
        assert_eq!(faults(&error), ["title", "slug", "description", "budget.usd", "budget.tokens", "max_spawn_depth"]);
        let error = GoalChanges { stuck_reason: Some("no key".into()), ..GoalChanges::default() }.checked();
        assert_eq!(faults(&error.unwrap_err()), ["stuck_reason"]);
    }
}
