//! Where the socket is, so that server and command line always agree.
//!
//! It is the path that `SVC_ADMIN_SOCKET` names. Without it, it is `admin.sock` in the data directory,
//! or in a container, where that is often a volume on which sockets do not work,
//! `/tmp/svc-UID/NAME.sock`. UID is the server's user, and NAME follows from the data directory, so
//! that hubs on one machine do not meet.
//!
//! What always holds below `/tmp`: the directory is private to the user whose number it bears, which
//! both sides check before they use anything in it.

use std::ffi::OsString;
use std::fs::{DirBuilder, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use svc_core::{Error, ErrorKind, Result};

/// Names the socket, for both sides.
pub(crate) const SOCKET_VARIABLE: &str = "SVC_ADMIN_SOCKET";

/// Where sockets are in a container.
const IN_A_CONTAINER: &str = "/tmp";

/// What the system takes, without the closing zero.
const LONGEST_PATH: usize = 107;

/// The socket that a server of this process's user makes for the hub with this data directory, which
/// has to be there.
pub fn socket_path(data: &Path) -> PathBuf {
    named().unwrap_or_else(|| {
        if is_in_a_container() { in_a_container(data, own_user()) } else { in_the_data_directory(data) }
    })
}

/// Where the command line looks for the socket of the hub with this data directory when none is named, one
/// place after the other: the server may run as root, and its environment may say of a container what ours does not.
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

/// Whose directory this is.
pub(crate) fn owner(data: &Path) -> Option<u32> {
    data.metadata().ok().map(|found| found.uid())
}

/// Who this process is.
pub(crate) fn own_user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// The socket that the environment names.
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

/// A name that two directories never share, however they are reached: one path may lead to different
/// directories in containers that share `/tmp`.
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

/// The user whose private directory a socket of ours must be in; `None` for a path that is elsewhere.
fn user_of_private_directory(path: &Path) -> Option<(PathBuf, u32)> {
    let directory = path.parent().filter(|directory| directory.parent() == Some(Path::new(IN_A_CONTAINER)))?;
    let user = directory.file_name()?.to_str()?.strip_prefix("svc-")?.parse().ok()?;
    Some((directory.to_owned(), user))
}

/// Makes the private directory of a socket below `/tmp`, or sees that it is private. Other paths are the
/// operator's choice.
pub(crate) fn prepare_directory(path: &Path) -> Result<()> {
    let Some((directory, user)) = user_of_private_directory(path) else {
        return Ok(());
    };
    match DirBuilder::new().mode(0o700).create(&directory) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            let sentence = format!(
                "The directory {} of the admin socket cannot be made ({error}): name another path with {SOCKET_VARIABLE}.",
                directory.display()
            );
            Err(Error::unavailable("admin_socket", sentence).with_source(error))
        }
        _ => check_directory(&directory, user),
    }
}

/// Sees that a socket below `/tmp` is in a directory that only its user can have filled.
pub(crate) fn check_private(path: &Path) -> Result<()> {
    match user_of_private_directory(path) {
        Some((directory, user)) => check_directory(&directory, user),
        None => Ok(()),
    }
}

fn check_directory(directory: &Path, user: u32) -> Result<()> {
    match directory.symlink_metadata() {
        // Whoever is about to connect is told by that.
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

/// The rights of everybody but the owner.
const OTHERS: u32 = 0o077;

fn is_private(found: &Metadata, user: u32) -> bool {
    found.is_dir() && found.uid() == user && found.mode() & OTHERS == 0
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
    use std::os::unix::fs::PermissionsExt;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn the_name_follows_from_the_directory_and_not_from_the_way_to_it() {
        let place = TempDir::new().unwrap();
        let (one, other, link) = (place.path().join("one"), place.path().join("other"), place.path().join("link"));
        for directory in [&one, &other] {
            std::fs::create_dir(directory).unwrap();
        }
        std::os::unix::fs::symlink(&one, &link).unwrap();
        assert_eq!(name(&one), name(&link));
        assert_eq!(name(&one), name(&place.path().join("other/../one")));
        assert_ne!(name(&one), name(&other));
        // Another directory under the same path is another hub's.
        let before = name(&one);
        std::fs::rename(&one, place.path().join("moved")).unwrap();
        std::fs::create_dir(&one).unwrap();
        assert_ne!(name(&one), before);
        assert!(check_length(&in_a_container(&one, u32::MAX)).is_ok());
    }

    #[test]
    fn only_a_private_directory_of_the_right_user_will_do() {
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
    fn a_path_that_is_too_long_is_refused_by_name() {
        assert!(check_length(Path::new(&"x".repeat(LONGEST_PATH))).is_ok());
        let error = check_length(Path::new(&"x".repeat(LONGEST_PATH + 1))).unwrap_err();
        assert!(error.message().contains("108 bytes") && error.message().contains(SOCKET_VARIABLE));
    }
}
