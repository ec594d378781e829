//! Other users of the machine: what a server makes is for its own user alone, and a command leads to the hub
//! that it was meant for.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use svc_core::{Hub, HubConfig};
use tempfile::TempDir;

use crate::support::admin::svc_admin;
use crate::support::child::TestChild;
use crate::support::server::TestServer;

fn mode(path: &Path) -> u32 {
    path.symlink_metadata().unwrap().permissions().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn data() -> (TempDir, String) {
    let data = TempDir::new().unwrap();
    let path = data.path().display().to_string();
    (data, path)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_data_directory_that_is_open_to_others_is_closed_to_them() {
    let (data, _) = data();
    // New, and after a life in the open.
    for open in [0o755, 0o770, 0o777] {
        set_mode(data.path(), open);
        Hub::open(HubConfig::at(data.path())).await.unwrap().close().await;
        assert_eq!(mode(data.path()), 0o700, "{open:o}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_that_is_used_for_other_things_is_refused_and_left_alone() {
    let (shared, _) = data();
    tokio::fs::write(shared.path().join("letter.txt"), "dear").await.unwrap();
    set_mode(shared.path(), 0o755);
    let (sticky, _) = data();
    set_mode(sticky.path(), 0o1777);
    for (place, open) in [(&shared, 0o755), (&sticky, 0o1777)] {
        let refused = Hub::open(HubConfig::at(place.path())).await.err().expect("it is not private");
        assert_eq!(refused.code(), "data_directory_open");
        let message = refused.message();
        assert!(message.contains(&place.path().display().to_string()) && message.contains("chmod 700"), "{message}");
        assert_eq!(mode(place.path()), open);
        assert!(!place.path().join("svc.db").exists());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_in_which_somebody_else_has_put_a_file_is_refused() {
    let (data, _) = data();
    Hub::open(HubConfig::at(data.path())).await.unwrap().close().await;
    let planted = data.path().join("server.lock");
    tokio::fs::write(&planted, "").await.unwrap();
    if std::os::unix::fs::chown(&planted, Some(4711), None).is_err() {
        println!("skipped: files of another user: only root can make one");
        return;
    }
    set_mode(data.path(), 0o777);
    let refused = Hub::open(HubConfig::at(data.path())).await.err().expect("it is not ours alone");
    assert!(refused.message().contains("server.lock in it belongs to user 4711"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_makes_files_for_its_own_user_alone() {
    let (data, path) = data();
    set_mode(data.path(), 0o755);
    // From before, when anybody who could read the file could lock it.
    tokio::fs::write(data.path().join("server.lock"), "").await.unwrap();
    set_mode(&data.path().join("server.lock"), 0o644);
    let (_server, _) = TestChild::server(&["--data", &path, "--listen", "127.0.0.1:0"]);
    assert_eq!(mode(data.path()), 0o700);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(data.path()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(mode(&entry.path()) & 0o077, 0, "{:?}", entry.path());
        names.push(entry.file_name().into_string().unwrap());
    }
    for name in ["svc.db", "server.lock", "secret.key", "admin.sock", "blobs"] {
        assert!(names.iter().any(|found| found == name), "{name} is not among {names:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_container_hubs_do_not_meet_and_each_is_found_by_its_data() {
    let (one, one_path) = data();
    let (_two, two_path) = data();
    let start = |path: &str| TestChild::server_in_a_container(&["--data", path, "--listen", "127.0.0.1:0"]);
    let ((first, _), (_second, _)) = (start(&one_path), start(&two_path));
    let admin = |data: &str, arguments: &[&str]| {
        TestChild::run_in_a_container("svc-admin", &[&["--data", data], arguments].concat())
    };
    admin(&one_path, &["users", "create", "ann"]).shown_once();
    admin(&two_path, &["users", "create", "bob"]).shown_once();
    let names = |data: &str| admin(data, &["users", "list"]).worked();
    assert!(names(&one_path).contains("ann") && !names(&one_path).contains("bob"));
    assert!(names(&two_path).contains("bob") && !names(&two_path).contains("ann"));
    // By any path that leads there.
    let (links, _) = data();
    let link = links.path().join("link");
    std::os::unix::fs::symlink(one.path(), &link).unwrap();
    assert!(names(link.to_str().unwrap()).contains("ann"));

    let user = one.path().metadata().unwrap().uid();
    let sockets = format!("/tmp/svc-{user}");
    assert_eq!(mode(Path::new(&sockets)), 0o700);
    // A data directory without a hub leads nowhere.
    first.kill();
    admin(&one_path, &["status"]).refused(1, "No server is listening on");
    admin(links.path().to_str().unwrap(), &["status"]).refused(1, "is the server running?");
    assert!(names(&two_path).contains("bob"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_follows_no_link_and_is_for_its_owner_alone() {
    let server = TestServer::sqlite().await;
    let (place, _) = data();
    let (victim, file) = (place.path().join("victim"), place.path().join("audit.jsonl"));
    for (command, link) in [("audit", "audit.jsonl.part"), ("audit", "audit.jsonl"), ("traces", "audit.jsonl")] {
        tokio::fs::write(&victim, "precious").await.unwrap();
        std::fs::remove_file(place.path().join(link)).ok();
        std::os::unix::fs::symlink(&victim, place.path().join(link)).unwrap();
        svc_admin(&server, &[command, "export", "--file", file.to_str().unwrap()]).await.worked();
        assert_eq!(tokio::fs::read(&victim).await.unwrap(), b"precious", "{link}");
        let found = file.symlink_metadata().unwrap();
        assert!(found.is_file() && found.len() > 0, "{link}");
        assert_eq!(mode(&file), 0o600);
    }
    let archive = place.path().join("files.tar.gz");
    std::os::unix::fs::symlink(&victim, place.path().join("files.tar.gz.part")).unwrap();
    svc_admin(&server, &["attachments", "backup", archive.to_str().unwrap()]).await.worked();
    assert_eq!((tokio::fs::read(&victim).await.unwrap(), mode(&archive)), (b"precious".to_vec(), 0o600));
    let names = std::fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut left: Vec<_> =
        names.filter(|name| std::path::Path::new(name).extension().is_some_and(|end| end == "part")).collect();
    left.sort();
    assert_eq!(left, ["audit.jsonl.part", "files.tar.gz.part"], "no draft is left behind");
    server.stop().await;
}
