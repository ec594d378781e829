//! The channel message that announces a machine event.

use serde_json::{Value, json};

use super::batch::Draft;
use crate::limits;
use crate::messaging::messages::Statement;

/// The message: what happened, who reported it, and the beginning of the data. All text by the
/// machine is formatted as code, where a name mentions nobody.
pub(super) fn statement(principal_id: &str, event: &Draft) -> Statement {
    let moment = event.occurred_at.map(|moment| format!(" at {moment}")).unwrap_or_default();
    let said = Statement::default().quote(principal_id, &event.kind).say(" reported by ");
    let said = said.quote(principal_id, principal_id).say(moment);
    match &event.data {
        Value::Null => said,
        Value::Object(fields) if fields.is_empty() => said,
        data => said.quote_code(principal_id, "json", &excerpt(data)),
    }
}

/// The metadata of the message.
pub(super) fn metadata(principal_id: &str, event: &Draft) -> Value {
    json!({ "machine_event": { "principal_id": principal_id, "event_id": event.event_id, "type": event.kind } })
}

/// The first lines of the data.
fn excerpt(data: &Value) -> String {
    let text = format!("{data:#}");
    let mut kept = String::new();
    let mut left = limits::MACHINE_EXCERPT_MAX;
    for (number, line) in text.lines().enumerate() {
        if number == limits::MACHINE_EXCERPT_LINES {
            return kept + "…";
        }
        let length = line.chars().count();
        if length > left {
            kept.extend(line.chars().take(left));
            return kept + "…";
        }
        left -= length;
        kept.push_str(line);
        kept.push('\n');
    }
    kept.truncate(kept.trim_end().len());
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text;

    fn body(principal_id: &str, event: &Draft) -> String {
        statement(principal_id, event).body().to_owned()
    }

    fn event(data: Value) -> Draft {
        Draft {
            event_id: "e-1".into(),
            kind: "door.opened".into(),
            occurred_at: Some("2026-01-01T00:00:00Z".parse().unwrap()),
            data,
            channel: Some("ops".into()),
            sha256: String::new(),
        }
    }

    #[test]
    fn it_contains_the_event_and_its_reporter() {
        assert_eq!(
            body("svc:sense:door-1", &event(json!({ "by": "key" }))),
            "`door.opened` reported by `svc:sense:door-1` at 2026-01-01T00:00:00.000Z\n\n\
             ```json\n{\n  \"by\": \"key\"\n}\n```"
        );
        assert!(!body("svc:sense:door-1", &event(json!({}))).contains("```"));
        assert!(!body("svc:sense:door-1", &event(Value::Null)).contains("```"));
    }

    #[test]
    fn long_data_is_truncated() {
        for data in [json!("x".repeat(5000)), json!(vec![1; 5000]), json!({ "a": "ä".repeat(9000) })] {
            let text = body("svc:sense:door-1", &event(data));
            assert!(text.ends_with("…\n```"), "{text}");
            assert!(text.chars().count() < limits::MACHINE_EXCERPT_MAX + 200 && text.lines().count() < 40, "{text}");
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let text = r"(\PC|[@#`~\n ]){0,12}|`{1,5}|\n```\n@ann|@ann #ops";
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            text.prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((text, inner), 0..4)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn nothing_in_the_data_mentions_anybody(data in any_json()) {
            let found = text::links(&body("svc:sense:door-1", &event(data)));
            prop_assert_eq!(found, text::links(""));
        }
    }
}
