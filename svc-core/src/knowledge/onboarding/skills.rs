//! Skills: longer instructions that an agent loads on demand.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// A skill: a Markdown file with a name and a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skill {
    /// Its name.
    pub name: &'static str,
    /// Its purpose and when to use it, in one line.
    pub description: &'static str,
    /// The text of the file.
    pub text: &'static str,
}

/// A skill in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct SkillSummary {
    /// Its name.
    pub name: String,
    /// Its purpose and when to use it, in one line.
    pub description: String,
}

/// All skills.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[non_exhaustive]
pub struct SkillList {
    /// The skills, ordered by name.
    pub skills: Vec<SkillSummary>,
}

const FILES: [&str; 3] = [
    include_str!("texts/goal-coordinator.md"),
    include_str!("texts/stigmergy-workflow.md"),
    include_str!("texts/task-auction.md"),
];

impl Skill {
    /// All skills, ordered by name.
    pub fn all() -> [Self; 3] {
        FILES.map(Self::read)
    }

    pub(super) fn named(name: &str) -> Result<Self> {
        Self::all().into_iter().find(|skill| skill.name == name).ok_or_else(|| Error::not_found("skill"))
    }

    /// Parses a skill file; its front matter contains name and description.
    fn read(text: &'static str) -> Self {
        let head = text.split("---\n").nth(1).unwrap_or_default();
        let field = |label: &str| head.lines().find_map(|line| line.strip_prefix(label)).unwrap_or_default().trim();
        Self { name: field("name:"), description: field("description:"), text }
    }
}

impl SkillList {
    pub(super) fn all() -> Self {
        let summary =
            |skill: Skill| SkillSummary { name: skill.name.to_owned(), description: skill.description.to_owned() };
        Self { skills: Skill::all().map(summary).to_vec() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_name_and_a_description() {
        assert_eq!(Skill::all().map(|skill| skill.name), ["goal-coordinator", "stigmergy-workflow", "task-auction"]);
        for skill in Skill::all() {
            assert!(skill.text.starts_with("---\nname: "), "{}", skill.name);
            assert!(skill.description.contains("Use it when"), "{}", skill.name);
            assert!((2 * 1024..=5 * 1024).contains(&skill.text.len()), "{} has {}", skill.name, skill.text.len());
            assert_eq!(Skill::named(skill.name).unwrap(), skill);
        }
        assert_eq!(Skill::named("juggling").unwrap_err().code(), "not_found");
        assert_eq!(Skill::named("").unwrap_err().code(), "not_found");
    }
}
