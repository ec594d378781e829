//! Errors of the API server, and the failures of runs that follow from them.

use std::error::Error as _;

use kube::Error;
use svc_model::harness::RunFailure;

/// The meaning of an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// There is an object of this name.
    Exists,
    /// There is no such object.
    Missing(String),
    /// The request can be repeated.
    Transient(String),
    /// The hub is not known to the cluster.
    Unknown(String),
    /// The request cannot succeed.
    Final(RunFailure, String),
}

impl Fault {
    /// The failure of a run, in words for its owner.
    pub(super) fn into_failure(self) -> (RunFailure, String) {
        match self {
            Self::Exists => (RunFailure::ClusterRefused, "An object of this name exists already.".to_owned()),
            Self::Missing(detail) => (RunFailure::ClusterRefused, format!("The cluster does not have it: {detail}")),
            Self::Transient(detail) => {
                (RunFailure::ClusterUnavailable, format!("The cluster does not answer: {detail}"))
            }
            Self::Unknown(detail) => (
                RunFailure::ClusterForbidden,
                format!("The cluster does not accept the credential of the hub, which may have expired: {detail}"),
            ),
            Self::Final(reason, detail) => (reason, detail),
        }
    }
}

pub(super) fn fault(error: &Error) -> Fault {
    match error {
        Error::Api(status) => of_status(status.code, &status.reason, &status.message),
        Error::Auth(error) => Fault::Unknown(error.to_string()),
        Error::Service(_) | Error::HyperError(_) | Error::ReadEvents(_) | Error::HttpError(_) => {
            let told = chain(error);
            if told.contains("invalid peer certificate") {
                let detail = format!("The certificate of the cluster is not the expected one: {told}");
                return Fault::Final(RunFailure::ClusterUnavailable, detail);
            }
            Fault::Transient(told)
        }
        other => Fault::Final(RunFailure::ClusterRefused, format!("The cluster gave an unexpected answer: {other}")),
    }
}

fn of_status(code: u16, reason: &str, message: &str) -> Fault {
    let detail = message.to_owned();
    match code {
        401 => Fault::Unknown(detail),
        // A quota refuses with the code of a missing right.
        403 if message.contains("exceeded quota") || message.contains("violates PodSecurity") => {
            Fault::Final(RunFailure::ClusterRefused, format!("The cluster refuses it: {detail}"))
        }
        // An object in a namespace that is being deleted.
        403 if message.contains("being terminated") => {
            Fault::Final(RunFailure::ClusterRefused, format!("The cluster refuses it: {detail}"))
        }
        403 => {
            let told = format!("The role of the hub in the cluster does not allow it: {detail}");
            Fault::Final(RunFailure::ClusterForbidden, told)
        }
        404 => Fault::Missing(detail),
        409 if reason == "AlreadyExists" => Fault::Exists,
        408 | 409 | 429 | 500..=599 => Fault::Transient(format!("{code} {detail}")),
        _ => Fault::Final(RunFailure::ClusterRefused, format!("The cluster refuses it: {detail}")),
    }
}

/// An error with its causes.
fn chain(error: &Error) -> String {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let text = next.to_string();
        if !told.contains(&text) {
            told.push_str(": ");
            told.push_str(&text);
        }
        cause = next.source();
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_its_reason() {
        let of = |code, reason, message| of_status(code, reason, message).into_failure().0;
        let quota = "jobs.batch \"a\" is forbidden: exceeded quota: small";
        assert_eq!(of(403, "Forbidden", quota), RunFailure::ClusterRefused);
        assert_eq!(of(403, "Forbidden", "User \"app\" cannot create resource"), RunFailure::ClusterForbidden);
        assert_eq!(of(401, "Unauthorized", "Unauthorized"), RunFailure::ClusterForbidden);
        assert_eq!(of(404, "NotFound", "namespaces \"a\" not found"), RunFailure::ClusterRefused);
        assert_eq!(of(422, "Invalid", "spec is invalid"), RunFailure::ClusterRefused);
        assert_eq!(of(503, "ServiceUnavailable", "down"), RunFailure::ClusterUnavailable);
    }

    #[test]
    fn what_may_pass_is_repeated_and_nothing_else() {
        for code in [408, 429, 500, 503, 504] {
            assert!(matches!(of_status(code, "", ""), Fault::Transient(_)), "{code}");
        }
        for code in [400, 401, 403, 404, 422] {
            assert!(!matches!(of_status(code, "", ""), Fault::Transient(_)), "{code}");
        }
        assert_eq!(of_status(409, "AlreadyExists", ""), Fault::Exists);
        assert!(matches!(of_status(409, "Conflict", ""), Fault::Transient(_)));
    }
}
