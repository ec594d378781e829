//! The programs whose arguments and output the hub knows: one table.
//!
//! The prompt goes to standard input, because every user of a machine can read the arguments of a process.

use svc_model::harness::{HarnessPreset, HarnessSettings};

use super::output::Form;

/// A program.
pub(super) struct Preset {
    pub(super) command: &'static str,
    /// The version whose arguments and output these are.
    #[cfg_attr(not(test), expect(dead_code, reason = "it documents the table, and a test requires it"))]
    pub(super) version: &'static str,
    /// The arguments of every run.
    arguments: &'static [&'static str],
    /// The arguments that continue a session, before its id.
    resume: &'static [&'static str],
    /// The argument that limits the cost of a run, before the dollars.
    max_usd: Option<&'static str>,
    /// The last arguments.
    last: &'static [&'static str],
    pub(super) form: Form,
}

const PRESETS: [Preset; 4] = [
    Preset {
        command: "claude",
        version: "2.1.197",
        arguments: &[
            "--print",
            "--output-format=json",
            "--mcp-config=.mcp.json",
            "--strict-mcp-config",
            "--permission-mode=acceptEdits",
            "--allowedTools=mcp__svc",
        ],
        resume: &["--resume"],
        max_usd: Some("--max-budget-usd"),
        last: &[],
        form: Form::Claude,
    },
    Preset {
        command: "codex",
        version: "0.166.0",
        arguments: &["exec", "--json", "--skip-git-repo-check", "--sandbox=workspace-write", "--color=never"],
        resume: &["resume"],
        max_usd: None,
        last: &["-"],
        form: Form::Codex,
    },
    Preset {
        command: "gemini",
        version: "0.61.0",
        arguments: &["--output-format=json", "--skip-trust", "--approval-mode=auto_edit"],
        resume: &["--resume"],
        max_usd: None,
        last: &[],
        form: Form::Gemini,
    },
    Preset {
        command: "opencode",
        version: "1.18.33",
        arguments: &["run", "--format=json"],
        resume: &["--session"],
        max_usd: None,
        last: &[],
        form: Form::Opencode,
    },
];

pub(super) fn preset(preset: HarnessPreset) -> &'static Preset {
    match preset {
        HarnessPreset::Claude => &PRESETS[0],
        HarnessPreset::Codex => &PRESETS[1],
        HarnessPreset::Gemini => &PRESETS[2],
        HarnessPreset::Opencode => &PRESETS[3],
    }
}

/// The command line of a run, and the form of its output.
pub(super) struct CommandLine {
    pub(super) command: Option<String>,
    pub(super) arguments: Vec<String>,
    pub(super) form: Form,
    /// Whether the prompt goes to standard input, which is empty otherwise.
    pub(super) reads_prompt: bool,
}

impl CommandLine {
    /// The command line that settings mean. Their own arguments come after those of the preset, before the session.
    pub(super) fn of(settings: &HarnessSettings, session: Option<&str>) -> Self {
        let Some(preset) = settings.preset.map(preset) else {
            let (command, arguments) = (settings.command.clone(), settings.args.clone());
            return Self { command, arguments, form: Form::Report, reads_prompt: false };
        };
        let mut arguments: Vec<String> = preset.arguments.iter().map(|&argument| argument.to_owned()).collect();
        if let Some((flag, usd)) = preset.max_usd.zip(settings.max_usd) {
            arguments.push(format!("{flag}={usd}"));
        }
        arguments.extend(settings.args.iter().cloned());
        if let Some(session) = session {
            arguments.extend(preset.resume.iter().map(|&argument| argument.to_owned()));
            arguments.push(session.to_owned());
        }
        arguments.extend(preset.last.iter().map(|&argument| argument.to_owned()));
        let command = settings.command.clone().unwrap_or_else(|| preset.command.to_owned());
        Self { command: Some(command), arguments, form: preset.form, reads_prompt: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_preset_has_its_row() {
        for name in [HarnessPreset::Claude, HarnessPreset::Codex, HarnessPreset::Gemini, HarnessPreset::Opencode] {
            let row = preset(name);
            assert_eq!(name.as_str(), row.command);
            assert!(row.version.starts_with(|first: char| first.is_ascii_digit()));
        }
    }

    #[test]
    fn arguments_are_in_the_order_that_the_programs_expect() {
        let settings = HarnessSettings {
            preset: Some(HarnessPreset::Codex),
            args: vec!["--model=m".into()],
            ..HarnessSettings::default()
        };
        let line = CommandLine::of(&settings, Some("0199"));
        assert_eq!(line.command.as_deref(), Some("codex"));
        assert_eq!(line.arguments[5..], ["--model=m", "resume", "0199", "-"]);
        let settings =
            HarnessSettings { preset: Some(HarnessPreset::Claude), max_usd: Some(1.5), ..HarnessSettings::default() };
        let line = CommandLine::of(&settings, None);
        assert_eq!(line.arguments.last().map(String::as_str), Some("--max-budget-usd=1.5"));
        let plain =
            HarnessSettings { command: Some("agent.sh".into()), args: vec!["x".into()], ..HarnessSettings::default() };
        let line = CommandLine::of(&plain, Some("0199"));
        assert_eq!((line.arguments, line.reads_prompt), (vec!["x".to_owned()], false));
    }
}
