//! Agents that are scripts, from outside: a person is answered, many messages arrive at once, two agents answer each
//! other.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::Timestamp;
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::runs::{Commands, shell};
use crate::support::server::TestServer;
use crate::support::wait::until;

/// A script that asks for its inbox with the credential of its run, waits at a gate the first time, and answers.
const SCRIPT: &str = r#"
request='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_inbox","arguments":{"status":"processing"},
  "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},
           "io.modelcontextprotocol/clientInfo":{"name":"script","version":"1"}}}}'
host=${SVC_URL#http://}
exec 3<>"/dev/tcp/${host%:*}/${host#*:}"
printf '%s\r\n' 'POST /mcp HTTP/1.1' "Host: $host" "Authorization: Bearer $SVC_AGENT_KEY" \
  'Content-Type: application/json' 'Accept: application/json, text/event-stream' 'MCP-Protocol-Version: 2026-07-28' \
  'MCP-Method: tools/call' 'MCP-Name: read_inbox' "Content-Length: ${#request}" 'Connection: close' '' >&3
printf '%s' "$request" >&3
inbox=$(cat <&3)
echo "The inbox was read." >&2
if [ ! -p "$HOME/gate" ]; then
  mkfifo "$HOME/gate"
  read -r go < "$HOME/gate"
fi
case "$inbox" in
  *'Is the build green?'*) response='It is green.' ;;
  *'And the tests?'*) response='They pass.' ;;
  *) printf '%s\n' "$inbox" >&2; exit 3 ;;
esac
printf '{"response": "%s", "usage": {"tokens_in": 900, "tokens_out": 100, "cost_usd": 0.02}}\n' "$response"
"#;

/// Seconds of the real clock.
const COOLDOWN: u64 = 2;

/// The reactions to a message, as somebody sees them.
async fn reactions(test: &TestServer, person: &Person, id: &Value) -> Vec<String> {
    let message = test.look(person, &format!("/api/messages/{id}")).await;
    let shown = message["reactions"].as_array().unwrap();
    shown.iter().map(|reaction| reaction["reaction"].as_str().unwrap().to_owned()).collect()
}

#[both_engines]
async fn a_person_is_answered_by_a_script(test: Commands) {
    let test = test.0;
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    test.set_agent(&ann, "scout", json!({ "harness": shell(SCRIPT), "cooldown_seconds": COOLDOWN })).await;
    let asked = test.say(&ann, json!({ "to": "scout", "body": "Is the build green?" })).await;
    // While it runs, the message is in progress and the log grows.
    let run = test.until_run(&ann, "running").await;
    assert_eq!(reactions(&test, &ann, &asked["id"]).await, ["in_progress"]);
    let path = format!("/api/runs/{}/logs", run["id"]);
    let log = async || test.request_as(&ann, Method::GET, &path).send().await.unwrap().text().await.unwrap();
    until("the live log", async || log().await.contains("The inbox was read.").then_some(())).await;
    let gate = test.hub.config().data.join("runs/agents/scout/home/gate");
    until("the gate", async || gate.exists().then_some(())).await;
    tokio::fs::write(&gate, "go\n").await.unwrap();
    let story = test.until_status(&ann, &run["id"], "succeeded").await;
    let reply = &story["outgoing_message"];
    assert_eq!((&reply["from"], &reply["to"]), (&json!("scout"), &json!("ann")));
    assert_eq!((&reply["body"], &reply["reply_to"]), (&json!("It is green."), &asked["id"]));
    assert_eq!(
        (&story["harness_run"]["cost_usd"], &story["trigger_message"]["status"]),
        (&json!(0.02), &json!("done"))
    );
    assert_eq!(reactions(&test, &ann, &asked["id"]).await, ["in_progress", "done"]);
    // A message during the cooldown is answered after it, without another one.
    let first = story["run"]["ended_at"].clone();
    let again = test.say(&ann, json!({ "to": "scout", "body": "And the tests?" })).await;
    let second = until("the second run", async || {
        let runs = test.runs(&ann, "?status=succeeded").await;
        runs.first().filter(|run| run["id"] != story["run"]["id"]).cloned()
    })
    .await;
    let time = |value: &Value| serde_json::from_value::<Timestamp>(value.clone()).unwrap();
    assert!(time(&second["started_at"]).since(time(&first)) >= Duration::from_secs(COOLDOWN), "{second}");
    let story = test.run(&ann, &second["id"]).await;
    let reply = &story["outgoing_message"];
    assert_eq!((&reply["body"], &reply["reply_to"]), (&json!("They pass."), &again["id"]));
}

#[both_engines]
async fn many_messages_at_once_are_run_one_after_the_other(test: Commands) {
    let test = test.0;
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    let script = "echo begin >> \"$HOME/trail\"\ngrep -o '\"id\":' messages.json | wc -l >> \"$HOME/count\"\n\
                  echo end >> \"$HOME/trail\"";
    test.set_agent(&ann, "scout", json!({ "harness": shell(script) })).await;
    let sent = (0..50).map(|number| test.say(&ann, json!({ "to": "scout", "body": format!("Number {number}.") })));
    join_all(sent).await;
    let open = "SELECT count(*) FROM messages WHERE body LIKE 'Number %' AND status <> 'done'";
    until("all messages are done", async || (test.number(open).await == 0).then_some(())).await;
    let home = test.hub.config().data.join("runs/agents/scout/home");
    let trail = tokio::fs::read_to_string(home.join("trail")).await.unwrap();
    let steps: Vec<&str> = trail.lines().collect();
    assert!(steps.len() >= 6 && steps.chunks(2).all(|run| run == ["begin", "end"]), "{steps:?}");
    let run = "SELECT CAST(sum(message_count) AS BIGINT) FROM reactive_runs WHERE status = 'succeeded'";
    assert_eq!(test.number(run).await, 50);
}

/// Two agents that answer whatever they are told, each time with other words.
async fn parrots(test: &TestServer, ann: &Person, depth: u32) -> String {
    let script = "printf '{\"response\": \"Answer %s.\"}\\n' \"$SVC_RUN_ID\"";
    let key = test.reactive(ann, "ping").await;
    test.reactive(ann, "pong").await;
    for name in ["ping", "pong"] {
        test.set_agent(ann, name, json!({ "harness": shell(script), "max_trigger_depth": depth })).await;
    }
    key
}

#[both_engines]
async fn two_agents_that_answer_each_other_stop_at_the_depth(test: Commands) {
    let test = test.0;
    let ann = test.person("ann").await;
    let ping = parrots(&test, &ann, 4).await;
    test.say_with(&ping, json!({ "to": "pong", "body": "Hello." })).await;
    until("the depth", async || test.statuses(&ann).await.contains(&"depth_exceeded".to_owned()).then_some(())).await;
    // The message of an agent has depth 1, so there are four runs before the one that is too deep.
    let mut expected = vec!["succeeded"; 4];
    expected.push("depth_exceeded");
    assert_eq!(test.statuses(&ann).await, expected);
}

#[both_engines]
async fn two_agents_that_answer_each_other_are_held_as_a_loop(test: Commands) {
    let test = test.0;
    let ann = test.person("ann").await;
    let ping = parrots(&test, &ann, 16).await;
    test.say_with(&ping, json!({ "to": "pong", "body": "Hello." })).await;
    until("a run that is held", async || test.statuses(&ann).await.contains(&"paused".to_owned()).then_some(())).await;
    let loops = test.look(&ann, "/api/loops").await;
    assert_eq!(loops["loops"][0]["kind"], "exchange", "{loops}");
    let runs = test.statuses(&ann).await;
    assert!(runs.len() > 12 && !runs.contains(&"depth_exceeded".to_owned()), "{runs:?}");
    // People are still answered.
    test.say(&ann, json!({ "to": "ping", "body": "Are you there?" })).await;
    until("an answer", async || {
        let last = test.runs(&ann, "?agent=ping&status=succeeded").await;
        let story = test.run(&ann, &last.first()?["id"]).await;
        (story["outgoing_message"]["to"] == "ann").then_some(())
    })
    .await;
}
