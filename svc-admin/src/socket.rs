//! The path of the socket, common to server and command line.
//!
//! It is the value of `SVC_ADMIN_SOCKET`. Without it, it is `admin.sock` in the data directory, or in a container,
//! where that is often a volume that does not support sockets, `/tmp/svc-UID/NAME.sock`. UID is the server's user,
//! and NAME is derived from the data directory, so that hubs on one machine do not collide.
//!
//! Invariants below `/tmp`: the directory is private to the user whose id it contains, which both sides check before
//! they use anything in it.

use std::ffi::OsString;
use std::fs::{DirBuilder, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use svc_core::{Error, ErrorKind, Result};

/// The variable with the path of the socket, for both sides.
pub(crate) const SOCKET_VARIABLE: &str = "SVC_ADMIN_SOCKET";

/// The parent directory of sockets in a container.
const IN_A_CONTAINER: &str = "/tmp";

/// The limit of the system, without the terminating zero.
const LONGEST_PATH: usize = 107;

/// The socket path of a server of this process's user for the hub with this data directory, which must exist.
pub fn socket_path(data: &Path) -> PathBuf {
    named().unwrap_or_else(|| {
        if is_in_a_container() { in_a_container(data, own_user()) } else { in_the_data_directory(data) }
    })
}

/// Default socket paths of the hub with this data directory, in the order in which the command line tries them: the
/// server may run as root, and it may run in a container although this process does not.
pub(crate) fn candidates(data: &Path) -> Vec<PathBuf> {
    let mut places = Vec::new();
    for user in owner(data).into_iter().chain([own_user(), 0]) {
        let place = in_a_container(data, user);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let beside = in_the_data_directory(data);
    if is_in_a_container() {
        places.push(beside);
    } else {
        places.insert(0, beside);
    }
    places
}

/// The owner of a directory.
pub(crate) fn owner(data: &Path) -> Option<u32> {
    data.metadata().ok().map(|found| found.uid())
}

/// The user id of this process.
pub(crate) fn own_user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// The socket path of the environment.
pub(crate) fn named() -> Option<PathBuf> {
    std::env::var_os(SOCKET_VARIABLE).filter(|path: &OsString| !path.is_empty()).map(PathBuf::from)
}

fn is_in_a_container() -> bool {
    std::env::var_os("KUBERNETES_SERVICE_HOST").is_some()
        || ["/.dockerenv", "/run/.containerenv"].iter().any(|mark| Path::new(mark).exists())
}

fn in_the_data_directory(data: &Path) -> PathBuf {
    data.join("admin.sock")
}

fn in_a_container(data: &Path, user: u32) -> PathBuf {
    Path::new(IN_A_CONTAINER).join(format!("svc-{user}")).join(format!("{}.sock", name(data)))
}

/// A name that is unique for a directory, however it is reached: one path may lead to different directories in
/// containers that share `/tmp`.
fn name(data: &Path) -> String {
    let mut hash = Sha256::new();
    hash.update(data.canonicalize().unwrap_or_else(|_| data.to_owned()).as_os_str().as_bytes());
    if let Ok(found) = data.metadata() {
        hash.update([0]);
        hash.update(found.dev().to_be_bytes());
        hash.update(found.ino().to_be_bytes());
    }
    let half = hash.finalize().iter().take(16).fold(0_u128, |word, byte| word << 8 | u128::from(*byte));
    format!("{half:032x}")
}

/// The private directory of a socket and its user; `None` for a path elsewhere.
fn user_of_private_directory(path: &Path) -> Option<(PathBuf, u32)> {
    let directory = path.parent().filter(|directory| directory.parent() == Some(Path::new(IN_A_CONTAINER)))?;
    let user = directory.file_name()?.to_str()?.strip_prefix("svc-")?.parse().ok()?;
    Some((directory.to_owned(), user))
}

/// Creates the private directory of a socket below `/tmp`, or checks that it is private. Other paths are the
/// operator's choice.
pub(crate) fn prepare_directory(path: &Path) -> Result<()> {
    let Some((directory, user)) = user_of_private_directory(path) else {
        return Ok(());
    };
    match DirBuilder::new().mode(0o700).create(&directory) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            let sentence = format!(
                "The directory {} of the admin socket cannot be created ({error}): set {SOCKET_VARIABLE}.",
                directory.display()
            );
            Err(Error::unavailable("admin_socket", sentence).with_source(error))
        }
        _ => check_directory(&directory, user),
    }
}

/// Checks that a socket below `/tmp` is in a directory that only its user can write to.
pub(crate) fn check_private(path: &Path) -> Result<()> {
    match user_of_private_directory(path) {
        Some((directory, user)) => check_directory(&directory, user),
        None => Ok(()),
    }
}

fn check_directory(directory: &Path, user: u32) -> Result<()> {
    match directory.symlink_metadata() {
        // Connecting reports this error.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(found) if is_private(&found, user) => Ok(()),
        _ => {
            let sentence = format!(
                "{} is not a private directory of user {user}, so no admin socket in it can be trusted: remove it, or \
                 name another path with {SOCKET_VARIABLE}.",
                directory.display()
            );
            Err(Error::new(ErrorKind::Conflict, "admin_socket_directory", sentence))
        }
    }
}

/// Permission bits of group and others.
const OTHERS: u32 = 0o077;

fn is_private(found: &Metadata, user: u32) -> bool {
    found.is_dir() && found.uid() == user && found.mode() & OTHERS == 0
}

/// Rejects a path that is too long, with a better message than the system's.
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
    use std::os::unix::fs::PermissionsExt;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn the_name_depends_on_the_directory_and_not_on_its_path() {
        let place = TempDir::new().unwrap();
        let (one, other, link) = (place.path().join("one"), place.path().join("other"), place.path().join("link"));
        for directory in [&one, &other] {
            std::fs::create_dir(directory).unwrap();
        }
        std::os::unix::fs::symlink(&one, &link).unwrap();
        assert_eq!(name(&one), name(&link));
        assert_eq!(name(&one), name(&place.path().join("other/../one")));
        assert_ne!(name(&one), name(&other));
        // Another directory under the same path belongs to another hub.
        let before = name(&one);
        std::fs::rename(&one, place.path().join("moved")).unwrap();
        std::fs::create_dir(&one).unwrap();
        assert_ne!(name(&one), before);
        assert!(check_length(&in_a_container(&one, u32::MAX)).is_ok());
    }

    #[test]
    fn only_a_private_directory_of_the_right_user_is_accepted() {
        let place = TempDir::new().unwrap();
        let own = own_user();
        let found = |mode| {
            std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(mode)).unwrap();
            place.path().symlink_metadata().unwrap()
        };
        assert!(is_private(&found(0o700), own));
        assert!(!is_private(&found(0o700), own + 1));
        assert!(!is_private(&found(0o750), own) && !is_private(&found(0o1777), own));
        let link = place.path().join("link");
        std::os::unix::fs::symlink(place.path(), &link).unwrap();
        assert!(!is_private(&link.symlink_metadata().unwrap(), own));
        assert_eq!(user_of_private_directory(Path::new("/tmp/svc-7/a.sock")).unwrap().1, 7);
        assert!(user_of_private_directory(Path::new("/run/svc-7/a.sock")).is_none());
    }

    #[test]
    fn a_path_that_is_too_long_is_rejected() {
        assert!(check_length(Path::new(&"x".repeat(LONGEST_PATH))).is_ok());
        let error = check_length(Path::new(&"x".repeat(LONGEST_PATH + 1))).unwrap_err();
        assert!(error.message().contains("108 bytes") && error.message().contains(SOCKET_VARIABLE));
    }
}
