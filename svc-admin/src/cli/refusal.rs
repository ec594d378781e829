//! Errors of the server in terms of the command line: an invalid parameter is named by its flag.

use crate::client::ClientError;
use crate::wire::FaultField;

/// `(parameter, flag)`. Other parameters keep their names.
const TYPED: &[(&str, &str)] = &[
    ("name", "NAME"),
    ("password", "The password"),
    ("value", "The value"),
    ("cooldown_seconds", "--cooldown"),
    ("daily_run_budget", "--daily-runs"),
    ("max_trigger_depth", "--max-depth"),
    ("harness", "--harness-file"),
    ("agent_md", "--agent-md-file"),
    ("redirect_uris", "--redirect-uri"),
];

/// `(methods, parameter, typed)`: parameters that these commands spell in their own way. A name with a dot at its end
/// stands for all methods of the noun.
const OF_METHODS: &[(&str, &str, &str)] = &[
    ("users.", "name", "USERNAME"),
    ("agents.", "name", "AGENT"),
    ("channels.", "name", "CHANNEL"),
    ("messages.search", "agent", "--from"),
    ("messages.search", "channel", "--in"),
    ("messages.search", "after", "--since"),
    ("messages.search", "before", "--until"),
    ("traces.", "after", "--since"),
    ("traces.", "before", "--until"),
    ("machines.purge", "before", "--until"),
    ("tasks.cancel", "summary", "--reason"),
    ("goals.cancel", "summary", "--reason"),
];

/// Parameters whose flag has the same name.
const FLAGS: &[&str] = &[
    "display_name",
    "base_url",
    "role",
    "agent",
    "auth_method",
    "expires_in",
    "k8s_image",
    "owner",
    "scope",
    "limit",
    "offset",
    "since",
    "until",
    "to",
    "from",
    "channel",
    "priority",
    "action",
    "after",
    "before",
    "cursor",
    "q",
    "description",
    "topic",
    "stalemate_remind_after",
    "stalemate_escalate_after",
    "publish_threshold",
    "approve_threshold",
];

/// The error with parameters as the command of this method spells them.
pub(super) fn as_typed(error: ClientError, method: &str) -> ClientError {
    let mut fault = match error {
        ClientError::Refused(fault) => fault,
        other => return other,
    };
    for found in fault.data.iter_mut().flat_map(|detail| &mut detail.errors) {
        let spelt = |(methods, parameter, _): &&(&str, &str, &str)| {
            found.field == *parameter && (method == *methods || methods.ends_with('.') && method.starts_with(methods))
        };
        if let Some((_, _, typed)) = OF_METHODS.iter().find(spelt) {
            found.field = (*typed).to_owned();
        }
    }
    ClientError::Refused(fault)
}

/// The error message for the user of the command.
pub(super) fn describe(error: &ClientError) -> String {
    let faults = match error {
        ClientError::Refused(fault) => fault.data.as_ref().map(|detail| detail.errors.as_slice()).unwrap_or_default(),
        _ => &[],
    };
    if faults.is_empty() {
        return error.to_string();
    }
    let parts: Vec<_> = faults.iter().map(one).collect();
    format!("{}.", parts.join("; ").trim_end_matches('.'))
}

fn one(fault: &FaultField) -> String {
    let field = fault.field.as_str();
    let typed = TYPED.iter().find(|(parameter, _)| *parameter == field).map(|(_, typed)| (*typed).to_owned());
    let flag = || FLAGS.contains(&field).then(|| format!("--{}", field.replace('_', "-")));
    format!("{} {}", typed.or_else(flag).unwrap_or_else(|| field.to_owned()), fault.message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Fault, FaultDetail};

    fn refused(errors: &[(&str, &str)]) -> ClientError {
        let errors = errors
            .iter()
            .map(|(field, message)| FaultField { field: (*field).to_owned(), message: (*message).to_owned() })
            .collect();
        let data =
            FaultDetail { code: "validation_failed".into(), message: "No.".into(), errors, details: Box::default() };
        ClientError::Refused(Fault { code: -32602, message: "No.".into(), data: Some(data) })
    }

    #[test]
    fn parameters_are_named_as_they_are_typed() {
        let error =
            refused(&[("max_trigger_depth", "must be 0 to 16"), ("display_name", "is empty"), ("odd", "is odd")]);
        assert_eq!(describe(&error), "--max-depth must be 0 to 16; --display-name is empty; odd is odd.");
        assert_eq!(describe(&refused(&[])), "No.");
    }

    #[test]
    fn some_commands_have_their_own_spelling() {
        let faults = [("name", "is taken"), ("before", "is early"), ("limit", "is odd")];
        for (method, sentence) in [
            ("users.create", "USERNAME is taken; --before is early; --limit is odd."),
            ("agents.list", "AGENT is taken; --before is early; --limit is odd."),
            ("traces.list", "NAME is taken; --until is early; --limit is odd."),
            ("messages.search", "NAME is taken; --until is early; --limit is odd."),
            ("messages.list", "NAME is taken; --before is early; --limit is odd."),
        ] {
            assert_eq!(describe(&as_typed(refused(&faults), method)), sentence, "{method}");
        }
    }
}
