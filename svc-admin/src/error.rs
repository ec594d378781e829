//! Conversion of errors to JSON-RPC.

use svc_core::{Error, ErrorKind};

use crate::wire::{Fault, FaultDetail, FaultField};

/// The line is not JSON.
pub(crate) const PARSE_ERROR: i32 = -32700;
/// The line is JSON but not a request.
pub(crate) const INVALID_REQUEST: i32 = -32600;
/// No method has this name.
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
/// The parameters are invalid.
pub(crate) const INVALID_PARAMS: i32 = -32602;
/// Internal error.
const INTERNAL_ERROR: i32 = -32603;

/// Converts an error of the core. It is logged here, once.
pub(crate) fn fault(error: &Error) -> Fault {
    if error.kind() == ErrorKind::Internal {
        tracing::error!(error = error.log_line(), "an admin request failed");
    } else {
        tracing::debug!(error = error.log_line(), "an admin request was refused");
    }
    let errors = error
        .fields()
        .iter()
        .map(|fault| FaultField { field: fault.field.clone(), message: fault.message.clone() })
        .collect();
    let mut fault = new(number(error.kind()), error.code(), error.message(), errors);
    if let Some(data) = &mut fault.data {
        (*data.details).clone_from(error.details());
    }
    fault
}

/// JSON-RPC reserves -32000 to -32099 for the application.
fn number(kind: ErrorKind) -> i32 {
    match kind {
        ErrorKind::Invalid => INVALID_PARAMS,
        ErrorKind::Internal => INTERNAL_ERROR,
        ErrorKind::Unauthenticated => -32001,
        ErrorKind::Forbidden => -32003,
        ErrorKind::NotFound => -32004,
        ErrorKind::Conflict => -32009,
        ErrorKind::TooMany => -32029,
        ErrorKind::Unavailable => -32053,
    }
}

/// Error for a line that is not JSON.
pub(crate) fn parse_error(reason: &str) -> Fault {
    let message = format!("The line is not JSON ({reason}): send one JSON text per line.");
    new(PARSE_ERROR, "parse_error", &message, Vec::new())
}

/// Error for a line that is JSON but not a request.
pub(crate) fn invalid_request(reason: &str) -> Fault {
    let message = format!("The request does not follow JSON-RPC 2.0: {reason}.");
    new(INVALID_REQUEST, "invalid_request", &message, Vec::new())
}

/// Error for an unknown method; `nearest` are the most similar names.
pub(crate) fn method_not_found(name: &str, nearest: &[&str]) -> Fault {
    let remedy = if nearest.is_empty() {
        "rpc.discover lists them all".to_owned()
    } else {
        format!("did you mean {}?", nearest.join(" or "))
    };
    let end = if remedy.ends_with('?') { "" } else { "." };
    // The name is input of the caller, so it is truncated.
    let name: String = name.chars().take(64).collect();
    new(METHOD_NOT_FOUND, "method_not_found", &format!("No method named {name}: {remedy}{end}"), Vec::new())
}

/// Error for an invalid parameter.
pub(crate) fn bad_params(field: &str, message: &str) -> Fault {
    let errors = vec![FaultField { field: field.to_owned(), message: message.to_owned() }];
    let sentence = format!("The parameters are not valid: {field}: {message}.");
    new(INVALID_PARAMS, "validation_failed", &sentence, errors)
}

/// Error for a user that is neither the server's own user nor root.
pub(crate) fn foreign_user(uid: u32) -> Fault {
    let message =
        format!("User {uid} may not administer this hub: run the command as the server's own user or as root.");
    new(number(ErrorKind::Forbidden), "forbidden", &message, Vec::new())
}

fn new(number: i32, code: &str, message: &str, errors: Vec<FaultField>) -> Fault {
    Fault {
        code: number,
        message: message.to_owned(),
        data: Some(FaultDetail { code: code.to_owned(), message: message.to_owned(), errors, details: Box::default() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_core_keeps_its_message() {
        let fault = fault(&Error::invalid("name", "is empty"));
        let detail = fault.data.unwrap();
        assert_eq!((fault.code, detail.code.as_str()), (INVALID_PARAMS, "validation_failed"));
        assert_eq!(detail.errors, [FaultField { field: "name".into(), message: "is empty".into() }]);
    }

    #[test]
    fn details_are_in_the_data() {
        let fault = fault(&Error::conflict("already_claimed", "No.").with_detail("holder", "ann"));
        let encoded = serde_json::to_value(&fault).unwrap();
        assert_eq!(encoded["data"]["holder"], "ann");
        assert_eq!(serde_json::from_value::<Fault>(encoded).unwrap(), fault);
    }

    #[test]
    fn internal_details_are_not_revealed() {
        let fault = fault(&Error::internal("the key file is missing"));
        assert_eq!(fault.code, INTERNAL_ERROR);
        assert!(!serde_json::to_string(&fault).unwrap().contains("key file"));
    }

    #[test]
    fn an_unknown_method_is_answered_with_similar_names() {
        assert!(method_not_found("db.chek", &["db.check"]).message.contains("did you mean db.check?"));
        assert!(method_not_found("x", &[]).message.contains("rpc.discover"));
    }
}
