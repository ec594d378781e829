//! The check of the settings of a harness.

use serde_json::Value;
use url::Url;

use super::{HUB_SERVER, HarnessBackend, HarnessSettings, PLACEHOLDERS, RESERVED_FILES};
use crate::error::{Error, FieldError, Result};
use crate::limits;

impl HarnessSettings {
    /// Reads and checks settings; an error names the fields, such as `harness.timeout_seconds`.
    pub fn from_json(value: &Value) -> Result<Self> {
        let settings: Self = serde_json::from_value(value.clone()).map_err(|error| {
            let fault = FieldError::of_serde("", ".", &error.to_string());
            let field = if fault.field.is_empty() { "harness".to_owned() } else { format!("harness.{}", fault.field) };
            Error::invalid(field, fault.message)
        })?;
        settings.checked()
    }

    /// Reports all invalid fields at once.
    pub fn checked(self) -> Result<Self> {
        let mut faults = Faults::default();
        self.check_backend(&mut faults);
        self.check_numbers(&mut faults);
        self.check_lists(&mut faults);
        if let Some(prompt) = &self.prompt {
            if prompt.trim().is_empty() || prompt.len() > limits::HARNESS_PROMPT_MAX {
                faults.add("prompt", format!("must have 1 to {} bytes", limits::HARNESS_PROMPT_MAX));
            }
            if let Some(unknown) = placeholders(prompt).into_iter().find(|name| !PLACEHOLDERS.contains(name)) {
                let known = PLACEHOLDERS.map(|name| format!("{{{{{name}}}}}")).join(", ");
                faults.add("prompt", format!("has the unknown placeholder {{{{{unknown}}}}}; there are {known}"));
            }
        }
        faults.0.is_empty().then_some(self).ok_or_else(|| Error::invalid_fields(faults.0))
    }

    fn check_backend(&self, faults: &mut Faults) {
        let backend = self.backend;
        let (command, url, image) = match backend {
            HarnessBackend::Subprocess => (true, false, false),
            HarnessBackend::Docker | HarnessBackend::K8s => (true, false, true),
            HarnessBackend::Webhook => (false, true, false),
        };
        for (field, value, fits) in
            [("command", &self.command, command), ("url", &self.url, url), ("image", &self.image, image)]
        {
            match value {
                Some(_) if !fits => faults.add(field, format!("does not go with the backend {backend}")),
                Some(text)
                    if text.trim().is_empty() || text.len() > limits::HARNESS_TEXT_MAX || text.contains('\0') =>
                {
                    faults.add(field, format!("must have 1 to {} bytes, without NUL", limits::HARNESS_TEXT_MAX));
                }
                _ => {}
            }
        }
        if backend == HarnessBackend::Subprocess && self.command.is_none() && self.preset.is_none() {
            faults.add("command", "is required, or a preset: claude, codex, gemini or opencode");
        }
        // An agent has an image for clusters in its own settings.
        if backend == HarnessBackend::Docker && self.image.is_none() {
            faults.add("image", format!("is required for the backend {backend}"));
        }
        if self.image.as_ref().is_some_and(|image| image.starts_with('-') || image.contains(char::is_whitespace)) {
            faults.add("image", "must be the name of an image, such as registry.example.org/agent:1");
        }
        if url && self.url.is_none() {
            faults.add("url", "is required for the backend webhook");
        }
        if url && self.preset.is_some() {
            faults.add("preset", "does not go with the backend webhook");
        }
        if let Some(url) = &self.url {
            let is_web = Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "https" | "http") && url.has_host());
            if !is_web {
                faults.add("url", "must be a URL such as https://example.org/run");
            }
        }
    }

    fn check_numbers(&self, faults: &mut Faults) {
        let range = limits::RUN_SECONDS_RANGE;
        if !range.contains(&self.timeout_seconds) {
            faults.add("timeout_seconds", format!("must be {} to {}", range.start(), range.end()));
        }
        let range = limits::RUN_MEMORY_MB_RANGE;
        if self.memory_mb.is_some_and(|memory| !range.contains(&memory)) {
            faults.add("memory_mb", format!("must be {} to {}", range.start(), range.end()));
        }
        if let Some(prices) = self.prices {
            for (field, price) in [
                ("prices.input", Some(prices.input)),
                ("prices.output", Some(prices.output)),
                ("prices.cached", prices.cached),
            ] {
                faults.amount(field, price, limits::HARNESS_PRICE_MAX);
            }
        }
        let estimate = self.estimate.unwrap_or_default();
        faults.amount("max_usd", self.max_usd, limits::HARNESS_USD_MAX);
        faults.amount("estimate.usd", estimate.usd, limits::HARNESS_USD_MAX);
        for (field, tokens) in [("max_tokens", self.max_tokens), ("estimate.tokens", estimate.tokens)] {
            if tokens.is_some_and(|tokens| !(0..=limits::HARNESS_TOKENS_MAX).contains(&tokens)) {
                faults.add(field, format!("must be 0 to {}", limits::HARNESS_TOKENS_MAX));
            }
        }
    }

    fn check_lists(&self, faults: &mut Faults) {
        for (field, count, most) in [
            ("args", self.args.len(), limits::HARNESS_ARGS_MAX),
            ("env", self.env.len(), limits::HARNESS_ENV_MAX),
            ("files", self.files.len(), limits::HARNESS_FILES_MAX),
            ("mcp_servers", self.mcp_servers.len(), limits::HARNESS_MCP_SERVERS_MAX),
        ] {
            if count > most {
                faults.add(field, format!("must have at most {most} entries"));
            }
        }
        for (number, argument) in self.args.iter().enumerate() {
            if argument.contains('\0') || argument.len() > limits::HARNESS_TEXT_MAX {
                faults.add(
                    &format!("args[{number}]"),
                    format!("must have at most {} bytes, without NUL", limits::HARNESS_TEXT_MAX),
                );
            }
        }
        for (name, value) in &self.env {
            if !is_variable(name) {
                faults.add(&format!("env.{name}"), "must be the name of a variable: letters, digits, underscores");
            } else if name.starts_with("SVC_") {
                faults.add(&format!("env.{name}"), "must not begin with SVC_, which the hub uses");
            }
            if value.contains('\0') {
                faults.add(&format!("env.{name}"), "must not contain the NUL character");
            }
        }
        for (path, text) in &self.files {
            if !is_inner_path(path) {
                faults.add(&format!("files.{path}"), "must be a path inside the work directory, such as docs/plan.md");
            } else if RESERVED_FILES.iter().any(|name| path.eq_ignore_ascii_case(name)) {
                faults.add(&format!("files.{path}"), "must not be a file that the hub writes");
            }
            if text.contains('\0') {
                faults.add(&format!("files.{path}"), "must not contain the NUL character");
            }
        }
        for (name, server) in &self.mcp_servers {
            let is_name = !name.is_empty()
                && name.len() <= limits::HARNESS_NAME_MAX
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
            if !is_name || name == HUB_SERVER {
                faults
                    .add(&format!("mcp_servers.{name}"), "must be a name of letters, digits, - and _, other than svc");
            }
            let has = |field: &str| server.get(field).is_some_and(Value::is_string);
            if has("url") == has("command") {
                faults.add(&format!("mcp_servers.{name}"), "must be an object with a url or a command");
            }
        }
    }

    /// The memory of a run, in bytes.
    pub fn memory(&self) -> u64 {
        u64::from(self.memory_mb.unwrap_or(limits::RUN_MEMORY_MB)) * 1024 * 1024
    }
}

/// Invalid fields of a harness.
#[derive(Default)]
struct Faults(Vec<FieldError>);

impl Faults {
    fn add(&mut self, field: &str, message: impl Into<String>) {
        self.0.push(FieldError { field: format!("harness.{field}"), message: message.into() });
    }

    fn amount(&mut self, field: &str, amount: Option<f64>, most: f64) {
        if amount.is_some_and(|amount| !(0.0..=most).contains(&amount)) {
            self.add(field, format!("must be 0 to {most}"));
        }
    }
}

/// The names in a template, `{{name}}`, in their order. Spaces inside the braces do not count.
pub fn placeholders(template: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = template;
    while let Some((_, after)) = rest.split_once("{{") {
        let Some((name, after)) = after.split_once("}}") else { break };
        found.push(name.trim());
        rest = after;
    }
    found
}

/// Whether a text can be the name of a variable of the environment.
pub(crate) fn is_variable(name: &str) -> bool {
    (1..=limits::HARNESS_NAME_MAX).contains(&name.len())
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a path stays inside the directory that it is relative to.
pub fn is_inner_path(path: &str) -> bool {
    (1..=limits::HARNESS_NAME_MAX).contains(&path.len())
        && !path.chars().any(|letter| letter.is_control() || letter == '\\')
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn faults(value: &Value) -> Vec<String> {
        match HarnessSettings::from_json(value) {
            Ok(_) => Vec::new(),
            Err(error) => error.fields().iter().map(|fault| fault.field.clone()).collect(),
        }
    }

    #[test]
    fn settings_that_can_be_run_are_accepted() {
        for value in [
            json!({ "command": "agent.sh" }),
            json!({ "preset": "claude" }),
            json!({ "backend": "docker", "image": "registry.example.org/agent:1" }),
            json!({ "backend": "k8s", "image": "agent" }),
            json!({ "backend": "k8s" }),
            json!({ "backend": "webhook", "url": "https://example.org/run" }),
            json!({ "command": "a", "args": ["-x"], "env": { "MODEL": "m" }, "timeout_seconds": 86_400, "memory_mb": 64,
                "prompt": "{{ messages }} {{how_to_answer}}", "reply": "never", "files": { "docs/plan.md": "" },
                "mcp_servers": { "git": { "command": "git-mcp" } }, "prices": { "input": 3, "output": 15.5 },
                "estimate": { "usd": 0.5 }, "max_usd": 2, "max_tokens": 100_000 }),
        ] {
            assert_eq!(faults(&value), Vec::<String>::new(), "{value}");
        }
    }

    #[test]
    fn a_fault_is_named_by_its_field() {
        for (value, field) in [
            (json!({}), "harness.command"),
            (json!({ "command": " " }), "harness.command"),
            (json!({ "command": "a", "nonsense": 1 }), "harness.nonsense"),
            (json!({ "command": "a", "backend": "vm" }), "harness"),
            (json!({ "command": "a", "url": "https://example.org" }), "harness.url"),
            (json!({ "backend": "webhook" }), "harness.url"),
            (json!({ "backend": "webhook", "url": "ftp://example.org" }), "harness.url"),
            (json!({ "backend": "docker" }), "harness.image"),
            (json!({ "backend": "docker", "image": "--privileged" }), "harness.image"),
            (json!({ "command": "a", "timeout_seconds": 9 }), "harness.timeout_seconds"),
            (json!({ "command": "a", "memory_mb": 1 }), "harness.memory_mb"),
            (json!({ "command": "a", "prompt": "{{secret}}" }), "harness.prompt"),
            (json!({ "command": "a", "env": { "SVC_RUN_ID": "1" } }), "harness.env.SVC_RUN_ID"),
            (json!({ "command": "a", "env": { "A=B": "1" } }), "harness.env.A=B"),
            (json!({ "command": "a", "args": ["\u{0}"] }), "harness.args[0]"),
            (json!({ "command": "a", "files": { "../x": "" } }), "harness.files.../x"),
            (json!({ "command": "a", "files": { "/etc/x": "" } }), "harness.files./etc/x"),
            (json!({ "command": "a", "files": { "agents.md": "" } }), "harness.files.agents.md"),
            (json!({ "command": "a", "mcp_servers": { "svc": { "url": "x" } } }), "harness.mcp_servers.svc"),
            (json!({ "command": "a", "mcp_servers": { "x": 1 } }), "harness.mcp_servers.x"),
            (json!({ "command": "a", "prices": { "input": -1, "output": 1 } }), "harness.prices.input"),
            (json!({ "command": "a", "max_usd": -1 }), "harness.max_usd"),
            (json!({ "command": "a", "max_tokens": -1 }), "harness.max_tokens"),
        ] {
            assert_eq!(faults(&value), [field], "{value}");
        }
    }
}
