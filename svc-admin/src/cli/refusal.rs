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
}
