//! The limit on open files of the process. Each connection is an open file.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use svc_core::limits;

/// Raises the soft limit to the hard limit, and logs a warning if that is low.
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
            "the limit on open files is low, so few connections are served: raise the hard limit (ulimit -Hn)"
        );
    }
}

/// The current limit.
pub(crate) fn limit() -> usize {
    let current = getrlimit(Resource::Nofile).current;
    current.and_then(|files| usize::try_from(files).ok()).unwrap_or(usize::MAX)
}
