//! Where the socket is, so that server and command line always agree.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use svc_core::{Error, ErrorKind, Result};

/// Names the socket, for both sides.
pub(crate) const SOCKET_VARIABLE: &str = "SVC_ADMIN_SOCKET";

/// In a container the data directory is often a volume on which sockets do not work.
const IN_A_CONTAINER: &str = "/tmp/svc-admin.sock";

/// What the system takes, without the closing zero.
const LONGEST_PATH: usize = 107;

/// The socket of the hub with this data directory: `SVC_ADMIN_SOCKET`, or a fixed path in a
/// container, or `admin.sock` in the directory.
pub fn socket_path(data: &Path) -> PathBuf {
    let in_a_container = std::env::var_os("KUBERNETES_SERVICE_HOST").is_some() || Path::new("/.dockerenv").exists();
    choose(std::env::var_os(SOCKET_VARIABLE), in_a_container, data)
}

fn choose(named: Option<OsString>, in_a_container: bool, data: &Path) -> PathBuf {
    match named.filter(|path| !path.is_empty()) {
        Some(path) => path.into(),
        None if in_a_container => IN_A_CONTAINER.into(),
        None => data.join("admin.sock"),
    }
}

/// Refuses a path that the system would refuse with a message that helps nobody.
pub(crate) fn check_length(path: &Path) -> Result<()> {
    let length = path.as_os_str().len();
    if length <= LONGEST_PATH {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Invalid,
        "admin_socket_path",
        format!(
            "The path of the admin socket, {}, has {length} bytes and the system takes {LONGEST_PATH}: \
             name a shorter one with {SOCKET_VARIABLE}.",
            path.display(),
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_path_wins_then_the_container_then_the_data_directory() {
        let data = Path::new("data");
        assert_eq!(choose(Some("/run/x.sock".into()), true, data), Path::new("/run/x.sock"));
        assert_eq!(choose(Some("".into()), true, data), Path::new(IN_A_CONTAINER));
        assert_eq!(choose(None, false, data), Path::new("data/admin.sock"));
    }

    #[test]
    fn a_path_that_is_too_long_is_refused_by_name() {
        assert!(check_length(Path::new(&"x".repeat(LONGEST_PATH))).is_ok());
        let error = check_length(Path::new(&"x".repeat(LONGEST_PATH + 1))).unwrap_err();
        assert!(error.message().contains("108 bytes") && error.message().contains(SOCKET_VARIABLE));
    }
}
