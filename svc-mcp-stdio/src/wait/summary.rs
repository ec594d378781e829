//! Summary of waiting messages in one line, without their content.

use serde::Serialize;

/// Summary of waiting messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Summary {
    /// Number of unclaimed messages.
    pub(crate) messages: usize,
    /// The largest id among them, for `--after`.
    pub(crate) newest: i64,
    /// Their authors.
    pub(crate) from: Vec<String>,
    /// The highest priority among them: 1 to 10.
    pub(crate) top_priority: u32,
}

impl Summary {
    /// Summarizes messages; `None` for none. Each is an id, an author and a priority.
    pub(crate) fn of(messages: impl IntoIterator<Item = (i64, String, u32)>) -> Option<Self> {
        let mut summary = Self { messages: 0, newest: 0, from: Vec::new(), top_priority: 0 };
        for (id, from, priority) in messages {
            summary.messages += 1;
            summary.newest = summary.newest.max(id);
            summary.top_priority = summary.top_priority.max(priority);
            if !summary.from.contains(&from) {
                summary.from.push(from);
            }
        }
        summary.from.sort();
        (summary.messages > 0).then_some(summary)
    }

    /// As JSON.
    pub(crate) fn line(&self) -> String {
        // Numbers and names can always be serialized.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// As a sentence for a model.
    pub(crate) fn sentence(&self) -> String {
        let (count, noun) = if self.messages == 1 { (1, "message waits") } else { (self.messages, "messages wait") };
        format!(
            "svc: {count} {noun} for you, from {}; the highest priority is {}. Use claim_messages of the svc tools to work on them, or read_inbox to look.",
            self.from.join(", "),
            self.top_priority
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_messages_are_one_line() {
        assert_eq!(Summary::of([]), None);
        let summary = Summary::of([(7, "bob".into(), 5), (9, "ann".into(), 8), (8, "bob".into(), 1)]).unwrap();
        assert_eq!(summary.line(), r#"{"messages":3,"newest":9,"from":["ann","bob"],"top_priority":8}"#);
        assert!(
            summary.sentence().starts_with("svc: 3 messages wait for you, from ann, bob; the highest priority is 8.")
        );
    }
}
