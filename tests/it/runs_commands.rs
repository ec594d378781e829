//! Runs of real commands by a server, from the message to the answer.

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::runs::{Commands, shell};
use crate::support::wait::until;

#[both_engines]
async fn a_command_answers_a_message(test: Commands) {
    let test = test.0;
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    let script = "grep -q 'Is the build green' prompt.md || exit 3\necho kept > \"$HOME/diary\"\n\
                  echo '{\"response\": \"It is green.\", \"usage\": {\"tokens_in\": 12, \"tokens_out\": 3}}'";
    test.set_agent(&ann, "scout", json!({ "harness": shell(script) })).await;
    let asked = test.say(&ann, json!({ "to": "scout", "body": "Is the build green?" })).await;
    let run = test.until_run(&ann, "succeeded").await;
    let story = test.run(&ann, &run["id"]).await;
    let reply = &story["outgoing_message"];
    assert_eq!((&reply["body"], &reply["reply_to"]), (&json!("It is green."), &asked["id"]));
    assert_eq!((&story["harness_run"]["tokens_in"], &story["harness_run"]["exit_code"]), (&json!(12), &json!(0)));
    let used = test.look(&ann, "/api/agents/scout/budget").await;
    assert_eq!((&used["tokens"]["spent"], &used["daily_runs"]["spent"]), (&json!(15), &json!(1)));
    // A command that fails says so to the owner.
    test.set_agent(&ann, "scout", json!({ "harness": shell("echo 'no such branch' >&2\nexit 4") })).await;
    test.say(&ann, json!({ "to": "scout", "body": "Once more." })).await;
    let run = test.until_run(&ann, "failed").await;
    let story = test.run(&ann, &run["id"]).await;
    assert_eq!(story["harness_run"]["exit_code"], 4);
    assert!(story["harness_run"]["error_log"].as_str().unwrap().contains("no such branch"), "{story}");
}

#[both_engines]
async fn what_is_kept_of_a_deleted_agent_is_removed(test: Commands) {
    let test = test.0;
    let ann = test.person("ann").await;
    for name in ["scout", "other"] {
        test.reactive(&ann, name).await;
        test.set_agent(&ann, name, json!({ "harness": shell("echo kept > \"$HOME/diary\"") })).await;
        test.say(&ann, json!({ "to": name, "body": "Write." })).await;
        until("the run of this agent", async || {
            let runs = test.runs(&ann, &format!("?agent={name}&status=succeeded")).await;
            (runs.len() == 1).then_some(())
        })
        .await;
    }
    let agents = test.hub.config().data.join("runs/agents");
    assert!(agents.join("scout/home/diary").exists());
    let deleted = test.request_as(&ann, Method::DELETE, "/api/agents/scout").send().await.unwrap();
    assert_eq!(deleted.status(), 204);
    let workers = test.hub.workers();
    let worker = workers.iter().find(|worker| worker.name() == "run_directories").unwrap();
    worker.run_once().await.unwrap();
    assert!(!agents.join("scout").exists());
    assert!(agents.join("other/home/diary").exists());
}

#[both_engines]
async fn readiness_tells_what_confines_runs(test: Commands) {
    let test = test.0;
    let ready = test.get_json("/readyz").await;
    let expected = test.hub.readiness().await.run_confinement;
    assert_eq!(ready["run_confinement"].as_str(), expected.as_deref(), "{ready}");
    assert_eq!((&ready["run_confinement_error"], &ready["status"]), (&Value::Null, &json!("ready")));
    let is_linux = cfg!(target_os = "linux");
    assert_eq!(expected.is_some(), is_linux, "every Linux limits system calls: {ready}");
}
