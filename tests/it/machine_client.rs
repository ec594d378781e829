//! The example `machine_client`: one request of each kind, signed.

use std::sync::Mutex;

use svc_test_macros::both_engines;

use crate::support::machines::TestMachine;
use crate::support::server::TestServer;

#[path = "../../examples/machine_client/client.rs"]
pub(crate) mod client;

#[both_engines]
async fn the_example_does_what_it_says(test: TestServer) {
    let door = test.machine("door-1").await;
    let machine = client::MachineClient::new(&test.url("/"), door.signer(&test)).unwrap();
    let said = Mutex::new(Vec::new());
    for _ in 0..2 {
        machine.tour("door-1/opened/1", |line| said.lock().unwrap().push(line)).await.unwrap();
    }
    let (known, first, second) = ("the hub knows that we are \"running\"", "1 new event, 0", "0 new event, 1");
    let version = "the configuration has version 1";
    let expected = [version, known, &format!("{first} known before"), "1 in evidence"];
    let again = [version, known, &format!("{second} known before"), "1 in evidence"];
    assert_eq!(*said.lock().unwrap(), [expected, again].concat());
    let stranger = client::MachineClient::new(&test.url(""), TestMachine::new("door-2").signer(&test)).unwrap();
    let refused = stranger.tour("door-2/opened/1", drop).await.unwrap_err().to_string();
    assert!(refused.contains("unknown_machine_key"), "{refused}");
    test.stop().await;
}
