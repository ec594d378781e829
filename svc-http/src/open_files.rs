//! How many files the process may have open. Each connection is one of them.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use svc_core::limits;

/// Raises the limit that counts to the one that this user may raise it to, and says so where that is little.
pub(crate) fn raise() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum
        && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })
    {
        tracing::warn!(target: "svc::http", %error, "the limit on open files could not be raised");
    }
    let files = limit();
    if files < limits::FILES_ADVISED {
        tracing::warn!(
            target: "svc::http",
            files,
            advised = limits::FILES_ADVISED,
            "few files may be open, so few connections are served at a time: raise the hard limit (ulimit -Hn)"
        );
    }
}

/// The limit as it is now.
pub(crate) fn limit() -> usize {
    let current = getrlimit(Resource::Nofile).current;
    current.and_then(|files| usize::try_from(files).ok()).unwrap_or(usize::MAX)
}
