//! Which hub `svc-admin` talks to, where there are two of them.

use std::process::Command;

use tempfile::TempDir;

use crate::support::child::{Ran, TestChild, program};

/// The data directories of two hubs, and what serves them.
struct TwoHubs {
    folders: [TempDir; 2],
    _servers: [TestChild; 2],
}

impl TwoHubs {
    fn start(start: impl Fn(&[&str]) -> (TestChild, String)) -> Self {
        let folders = [TempDir::new().unwrap(), TempDir::new().unwrap()];
        let serve = |folder: &TempDir| start(&["--data", &shown(folder), "--listen", "127.0.0.1:0"]).0;
        let servers = [serve(&folders[0]), serve(&folders[1])];
        Self { folders, _servers: servers }
    }

    fn data(&self, hub: usize) -> String {
        shown(&self.folders[hub])
    }

    fn socket(&self, hub: usize) -> String {
        format!("{}/admin.sock", self.data(hub))
    }
}

fn shown(folder: &TempDir) -> String {
    folder.path().display().to_string()
}

/// The command line in an environment with these variables, and without the others that name a hub.
fn admin(arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
    TestChild::ran(prepared(arguments, variables), b"")
}

fn prepared(arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = program("svc-admin", arguments);
    command.env_remove("SVC_ADMIN_SOCKET").env_remove("SVC_DATA").envs(variables.iter().copied());
    command
}

const SOCKET: &str = "SVC_ADMIN_SOCKET";
const DATA: &str = "SVC_DATA";

#[tokio::test(flavor = "multi_thread")]
async fn the_data_directory_of_an_option_wins_over_every_variable() {
    let hubs = TwoHubs::start(TestChild::server);
    let (one, two) = (hubs.data(0), hubs.data(1));
    let other = [(SOCKET, hubs.socket(0)), (DATA, one.clone())];
    let other: Vec<_> = other.iter().map(|(name, value)| (*name, value.as_str())).collect();
    admin(&["--data", &two, "users", "create", "ann"], &other).shown_once();
    // Options may follow the command.
    admin(&["users", "create", "bob", "--data", &two], &other).shown_once();
    admin(&["--data", &two, "--socket", &hubs.socket(1), "users", "create", "cleo"], &other).shown_once();
    let names = |data: &str| admin(&["--data", data, "users", "list"], &[]).worked();
    for name in ["ann", "bob", "cleo"] {
        assert!(names(&two).contains(name) && !names(&one).contains(name), "{name}");
    }
    // An option wins over the variable of the other one, too.
    let listed = admin(&["--socket", &hubs.socket(0), "users", "list"], &[(DATA, &two), (SOCKET, &hubs.socket(1))]);
    assert!(!listed.worked().contains("ann"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_names_two_hubs_is_refused_and_reaches_neither() {
    let hubs = TwoHubs::start(TestChild::server);
    let (one, two, socket) = (hubs.data(0), hubs.data(1), hubs.socket(0));
    let create = ["users", "create", "ann"];
    let options = [&["--data", &two, "--socket", &socket], &create[..]].concat();
    for said in [
        admin(&options, &[]).refused(1, "are of two hubs"),
        // The variables of a container contradict each other: no option says which is meant.
        admin(&create, &[(DATA, &two), (SOCKET, &socket)]).refused(1, "are of two hubs"),
    ] {
        for named in [&one, &two, &socket] {
            assert!(said.contains(named.as_str()), "{named} is not in {said}");
        }
        assert!(said.contains("--socket") && said.contains("--data"), "{said}");
    }
    for data in [&one, &two] {
        assert!(!admin(&["--data", data, "users", "list"], &[]).worked().contains("ann"));
    }
    // A directory without a hub leads nowhere, although the environment names one.
    let empty = TempDir::new().unwrap();
    admin(&["--data", &shown(&empty), "status"], &[(SOCKET, &socket)]).refused(1, "is the server running?");
    admin(&["--data", "/nonexistent", "status"], &[(SOCKET, &socket)]).refused(1, "is the server running?");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_in_the_directory_of_another_hub_is_not_taken_for_its_own() {
    let (data_folder, foreign_folder) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let (data, foreign) = (shown(&data_folder), shown(&foreign_folder));
    let socket = format!("{foreign}/admin.sock");
    let (_server, _) = TestChild::server(&["--data", &data, "--listen", "127.0.0.1:0", "--admin-socket", &socket]);
    let said = admin(&["--data", &foreign, "status"], &[]).refused(1, "are of two hubs");
    assert!(said.contains(&data) && said.contains(&foreign), "{said}");
    // The hub is found by the variable that its server was started with.
    assert!(admin(&["--data", &data, "status"], &[(SOCKET, &socket)]).worked().contains("ready"));
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_container_the_data_directory_of_an_option_wins_over_that_of_the_image() {
    let hubs = TwoHubs::start(TestChild::server_in_a_container);
    let inside = |arguments: &[&str]| {
        let image = hubs.data(0);
        let mut command = prepared(arguments, &[(DATA, &image)]);
        command.env("KUBERNETES_SERVICE_HOST", "10.0.0.1");
        TestChild::ran(command, b"")
    };
    inside(&["--data", &hubs.data(1), "users", "create", "ann"]).shown_once();
    inside(&["users", "create", "bob"]).shown_once();
    assert!(!inside(&["users", "list"]).worked().contains("ann"));
    let second = inside(&["users", "list", "--data", &hubs.data(1)]).worked();
    assert!(second.contains("ann") && !second.contains("bob"), "{second}");
}
