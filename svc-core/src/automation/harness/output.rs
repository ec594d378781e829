//! The standard output of a run: lines are read as they come, and the report is found in them.

use serde_json::Value;
use svc_model::harness::{ReportedUsage, RunReport, Usage};

use super::report;
use crate::limits;

/// The form in which a program writes its report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The report of the hub as the last line. A line before it may tell what was used so far.
    Report,
    /// Claude Code, `--output-format json`: an object with `result`.
    Claude,
    /// Codex, `exec --json`: an event in each line.
    Codex,
    /// Gemini CLI, `--output-format json`: an object over several lines with `response` and `stats`.
    Gemini,
    /// opencode, `run --format json`: an event in each line.
    Opencode,
}

/// What a program printed, as far as it matters for the report.
pub(super) struct Output {
    form: Form,
    /// The line that is not complete yet.
    line: Vec<u8>,
    /// Whether the current line is too long to be read.
    is_skipping: bool,
    /// The last line that is not empty.
    last: Vec<u8>,
    /// All of it, until it is too long.
    whole: Vec<u8>,
    is_whole: bool,
    /// What events told so far.
    told: RunReport,
    has_ended: bool,
}

impl Output {
    pub(super) fn new(form: Form) -> Self {
        Self {
            form,
            line: Vec::new(),
            is_skipping: false,
            last: Vec::new(),
            whole: Vec::new(),
            is_whole: true,
            told: RunReport::default(),
            has_ended: false,
        }
    }

    /// Takes the next bytes.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        if self.is_whole {
            self.is_whole = self.whole.len() + bytes.len() <= limits::RUN_REPORT_MAX;
            if self.is_whole {
                self.whole.extend_from_slice(bytes);
            } else {
                self.whole = Vec::new();
            }
        }
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            self.grow(&rest[..end]);
            self.end_line();
            rest = &rest[end + 1..];
        }
        self.grow(rest);
    }

    /// What the run has used so far, as far as it told.
    pub(super) fn usage(&self) -> Usage {
        self.told.usage.map_or_else(Usage::default, |usage| usage.bounded())
    }

    /// The report, when there is one. An error says what is wrong with it.
    pub(super) fn finish(mut self) -> Result<Option<RunReport>, String> {
        self.end_line();
        match self.form {
            Form::Report => Ok(report::parse(&self.last).ok()),
            Form::Claude => claude(&self.last).or_else(|_| claude(&self.whole)).map(Some),
            Form::Gemini => gemini(&self.whole).map(Some),
            Form::Codex | Form::Opencode if !self.has_ended => {
                Err(self.told.error.unwrap_or_else(|| "its output ended before the last event".into()))
            }
            Form::Codex | Form::Opencode => Ok(Some(self.told)),
        }
    }

    fn grow(&mut self, bytes: &[u8]) {
        if self.is_skipping || self.line.len() + bytes.len() > limits::RUN_REPORT_MAX {
            self.is_skipping = true;
            self.line = Vec::new();
        } else {
            self.line.extend_from_slice(bytes);
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.is_skipping) {
            // A line that is too long is no report, and neither is the one before it.
            self.last = Vec::new();
            return;
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            return;
        }
        self.last = line.to_vec();
        if line.first() != Some(&b'{') {
            return;
        }
        let Ok(event) = serde_json::from_slice::<Value>(line) else { return };
        match self.form {
            Form::Report => {
                if let Some(usage) = event.get("usage")
                    && let Ok(usage) = serde_json::from_value::<ReportedUsage>(usage.clone())
                {
                    self.told.usage = Some(usage);
                }
            }
            Form::Codex => self.codex(&event),
            Form::Opencode => self.opencode(&event),
            Form::Claude | Form::Gemini => {}
        }
    }

    fn codex(&mut self, event: &Value) {
        match event["type"].as_str().unwrap_or_default() {
            "thread.started" => self.told.session_id = text(&event["thread_id"]),
            "item.completed" if event["item"]["type"] == "agent_message" => {
                self.told.response = text(&event["item"]["text"]);
            }
            "turn.completed" => {
                let usage = &event["usage"];
                self.told.usage = Some(ReportedUsage {
                    tokens_in: usage["input_tokens"].as_i64(),
                    tokens_out: usage["output_tokens"].as_i64(),
                    tokens_cached: usage["cached_input_tokens"].as_i64(),
                    cost_usd: None,
                });
                self.told.error = None;
                self.has_ended = true;
            }
            "turn.failed" => {
                self.told.error = text(&event["error"]["message"]).or(Some("the turn failed".into()));
                self.has_ended = true;
            }
            "error" => self.told.error = text(&event["message"]),
            _ => {}
        }
    }

    fn opencode(&mut self, event: &Value) {
        if let Some(session) = text(&event["sessionID"]) {
            self.told.session_id = Some(session);
        }
        let part = &event["part"];
        match event["type"].as_str().unwrap_or_default() {
            "text" => self.told.response = text(&part["text"]),
            "step_finish" => {
                let tokens = &part["tokens"];
                let count = |value: &Value| value.as_i64().unwrap_or(0);
                let cached = count(&tokens["cache"]["read"]);
                let input =
                    count(&tokens["input"]).saturating_add(cached).saturating_add(count(&tokens["cache"]["write"]));
                let output = count(&tokens["output"]).saturating_add(count(&tokens["reasoning"]));
                let usage = self.told.usage.get_or_insert_default();
                add(&mut usage.tokens_in, input);
                add(&mut usage.tokens_out, output);
                add(&mut usage.tokens_cached, cached);
                if let Some(cost) = part["cost"].as_f64() {
                    usage.cost_usd = Some(usage.cost_usd.unwrap_or(0.0) + cost);
                }
                self.has_ended = true;
            }
            "error" => {
                let error = &event["error"];
                self.told.error = text(&error["data"]["message"])
                    .or_else(|| text(&error["message"]))
                    .or_else(|| text(&error["name"]))
                    .or(Some("it reported an error".into()));
                self.has_ended = true;
            }
            _ => {}
        }
    }
}

fn add(sum: &mut Option<i64>, count: i64) {
    *sum = Some(sum.unwrap_or(0).saturating_add(count));
}

fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(ToOwned::to_owned)
}

fn object(bytes: &[u8]) -> Result<Value, String> {
    if bytes.is_empty() {
        return Err("its output is empty, or longer than a report may be".into());
    }
    serde_json::from_slice(bytes).map_err(|error| format!("its output is not JSON: {error}"))
}

fn claude(bytes: &[u8]) -> Result<RunReport, String> {
    let value = object(bytes)?;
    if value["type"] != "result" {
        return Err("its output has no result".into());
    }
    let usage = &value["usage"];
    let count = |field: &str| usage[field].as_i64().unwrap_or(0);
    let cached = count("cache_read_input_tokens");
    let input = count("input_tokens").saturating_add(cached).saturating_add(count("cache_creation_input_tokens"));
    let response = text(&value["result"]);
    let error = if value["is_error"] == true {
        response.clone().or_else(|| text(&value["subtype"])).or(Some("it reported an error".into()))
    } else {
        None
    };
    Ok(RunReport {
        response: response.filter(|_| error.is_none()),
        session_id: text(&value["session_id"]),
        usage: Some(ReportedUsage {
            tokens_in: Some(input),
            tokens_out: Some(count("output_tokens")),
            tokens_cached: Some(cached),
            cost_usd: value["total_cost_usd"].as_f64(),
        }),
        trace_id: None,
        error,
    })
}

fn gemini(bytes: &[u8]) -> Result<RunReport, String> {
    // Notices may stand before the object.
    let start = bytes.iter().position(|byte| *byte == b'{').unwrap_or(0);
    let value = object(&bytes[start..])?;
    let (mut input, mut output, mut cached) = (0_i64, 0_i64, 0_i64);
    for model in value["stats"]["models"].as_object().into_iter().flat_map(|models| models.values()) {
        let count = |field: &str| model["tokens"][field].as_i64().unwrap_or(0);
        input = input.saturating_add(count("prompt"));
        output = output.saturating_add(count("candidates")).saturating_add(count("thoughts"));
        cached = cached.saturating_add(count("cached"));
    }
    let error = value.get("error").filter(|error| !error.is_null());
    let error = error.map(|error| text(&error["message"]).unwrap_or_else(|| "it reported an error".into()));
    if error.is_none() && !value["response"].is_string() {
        return Err("its output has no response".into());
    }
    Ok(RunReport {
        response: text(&value["response"]),
        session_id: text(&value["session_id"]),
        usage: Some(ReportedUsage {
            tokens_in: Some(input),
            tokens_out: Some(output),
            tokens_cached: Some(cached),
            cost_usd: None,
        }),
        trace_id: None,
        error,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(form: Form, text: &str) -> Result<Option<RunReport>, String> {
        let mut output = Output::new(form);
        // In parts, as a pipe brings it.
        for part in text.as_bytes().chunks(7) {
            output.take(part);
        }
        output.finish()
    }

    fn usage(report: &RunReport) -> (i64, i64, i64, Option<i64>) {
        let usage = report.usage.unwrap().bounded();
        (usage.tokens_in, usage.tokens_out, usage.tokens_cached, usage.cost_micros)
    }

    #[test]
    fn the_last_line_is_the_report() {
        let report =
            read(Form::Report, "working\n{\"response\": \"no\"}\n{\"response\": \"yes\"}\n\n").unwrap().unwrap();
        assert_eq!(report.response.as_deref(), Some("yes"));
        for text in
            ["", "plain text", "{\"response\": \"x\"}\nand more", "{\"level\": 1}", "{\"response\":", "\u{0}\u{1}"]
        {
            assert_eq!(read(Form::Report, text), Ok(None), "{text}");
        }
    }

    #[test]
    fn a_line_tells_what_was_used_so_far() {
        let mut output = Output::new(Form::Report);
        output.take(b"{\"usage\": {\"tokens_in\": 70, \"tokens_out\": 5}}\nmore");
        assert_eq!(output.usage().tokens(), 75);
    }

    #[test]
    fn claude_code_tells_answer_session_tokens_and_money() {
        let text = r#"{"type":"result","subtype":"success","is_error":false,"duration_ms":2600,"num_turns":1,
            "result":"Hello.","session_id":"75e2167f-a2c1-4ae5-8c0f-3b4dfb2f6c11","total_cost_usd":0.0125,
            "usage":{"input_tokens":4,"cache_creation_input_tokens":100,"cache_read_input_tokens":1000,"output_tokens":30}}"#;
        let report = read(Form::Claude, &text.replace('\n', "")).unwrap().unwrap();
        assert_eq!(report.response.as_deref(), Some("Hello."));
        assert_eq!(report.session_id.as_deref(), Some("75e2167f-a2c1-4ae5-8c0f-3b4dfb2f6c11"));
        assert_eq!(usage(&report), (1104, 30, 1000, Some(12_500)));
        let failed = r#"{"type":"result","subtype":"error_max_turns","is_error":true,"session_id":"a"}"#;
        assert_eq!(read(Form::Claude, failed).unwrap().unwrap().error.as_deref(), Some("error_max_turns"));
        for text in ["", "Hello.", "{\"type\":\"assistant\"}", "{\"response\":\"x\"}"] {
            assert!(read(Form::Claude, text).is_err(), "{text}");
        }
    }

    #[test]
    fn codex_tells_its_thread_first_and_its_tokens_last() {
        let text = concat!(
            "{\"type\":\"thread.started\",\"thread_id\":\"0199a213-81c0-7800-8aa1-bbab2a035a53\"}\n",
            "{\"type\":\"turn.started\"}\n",
            "{\"type\":\"item.completed\",\"item\":{\"id\":\"item_0\",\"type\":\"reasoning\",\"text\":\"hm\"}}\n",
            "{\"type\":\"item.completed\",\"item\":{\"id\":\"item_1\",\"type\":\"agent_message\",\"text\":\"Done.\"}}\n",
        );
        let end = "{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":24763,\"cached_input_tokens\":24448,\"output_tokens\":122}}\n";
        let report = read(Form::Codex, &format!("{text}{end}")).unwrap().unwrap();
        assert_eq!(report.response.as_deref(), Some("Done."));
        assert_eq!(report.session_id.as_deref(), Some("0199a213-81c0-7800-8aa1-bbab2a035a53"));
        assert_eq!(usage(&report), (24763, 122, 24448, None));
        assert!(read(Form::Codex, text).is_err(), "the turn did not end");
        let failed = "{\"type\":\"turn.failed\",\"error\":{\"message\":\"quota\"}}";
        assert_eq!(read(Form::Codex, &format!("{text}{failed}")).unwrap().unwrap().error.as_deref(), Some("quota"));
    }

    #[test]
    fn gemini_cli_tells_tokens_by_model() {
        let text = r#"Loaded cached credentials.
            {
              "session_id": "a1b2",
              "response": "Paris.",
              "stats": { "models": {
                "pro": { "tokens": { "prompt": 100, "candidates": 20, "total": 130, "cached": 40, "thoughts": 10, "tool": 0 } },
                "flash": { "tokens": { "prompt": 5, "candidates": 1, "total": 6, "cached": 0, "thoughts": 0, "tool": 0 } }
              } }
            }"#;
        let report = read(Form::Gemini, text).unwrap().unwrap();
        assert_eq!((report.response.as_deref(), report.session_id.as_deref()), (Some("Paris."), Some("a1b2")));
        assert_eq!(usage(&report), (105, 31, 40, None));
        let failed = r#"{"session_id": "a", "error": {"type": "Error", "message": "no key", "code": 41}}"#;
        assert_eq!(read(Form::Gemini, failed).unwrap().unwrap().error.as_deref(), Some("no key"));
        assert!(read(Form::Gemini, "{}").is_err() && read(Form::Gemini, "text").is_err());
    }

    #[test]
    fn opencode_tells_tokens_by_step() {
        let step = |input: u32| {
            format!(
                "{{\"type\":\"step_finish\",\"sessionID\":\"ses_49\",\"part\":{{\"type\":\"step-finish\",\"cost\":0.5,\
                 \"tokens\":{{\"input\":{input},\"output\":3,\"reasoning\":2,\"cache\":{{\"read\":10,\"write\":1}}}}}}}}\n"
            )
        };
        let text = "{\"type\":\"text\",\"sessionID\":\"ses_49\",\"part\":{\"type\":\"text\",\"text\":\"Done.\"}}\n";
        let report = read(Form::Opencode, &format!("{}{text}{}", step(100), step(7))).unwrap().unwrap();
        assert_eq!((report.response.as_deref(), report.session_id.as_deref()), (Some("Done."), Some("ses_49")));
        assert_eq!(usage(&report), (129, 10, 20, Some(1_000_000)));
        let failed = "{\"type\":\"error\",\"sessionID\":\"s\",\"error\":{\"name\":\"APIError\",\"data\":{\"message\":\"no key\"}}}";
        assert_eq!(read(Form::Opencode, failed).unwrap().unwrap().error.as_deref(), Some("no key"));
    }

    #[test]
    fn a_line_without_end_is_not_kept() {
        let mut output = Output::new(Form::Report);
        for _ in 0..64 {
            output.take(&vec![b'{'; 64 * 1024]);
        }
        assert!(output.line.is_empty() && output.whole.is_empty());
        assert_eq!(output.finish(), Ok(None));
    }

    proptest! {
        #[test]
        fn any_output_is_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            for form in [Form::Report, Form::Claude, Form::Codex, Form::Gemini, Form::Opencode] {
                let mut output = Output::new(form);
                output.take(&bytes);
                drop(output.finish());
            }
        }
    }
}
