//! Agents that answer each other without end: the chain stops by itself, however they let the hub know what they
//! answer.

use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::mcp_http::{answered, message};
use crate::support::receiver::Receiver;
use crate::support::server::TestServer;
use crate::support::wait::until;

/// How the hub knows what an agent answers.
#[derive(Debug, Clone, Copy)]
enum Link {
    /// By the header `Svc-Depth` of the delivery.
    Header,
    /// By the message that it replies to.
    Reply,
    /// By the message that it has claimed.
    Claim,
}

/// An agent that answers every delivery with a message to another agent.
struct Player {
    key: String,
    other: &'static str,
    receiver: Receiver,
    link: Link,
    /// The messages that it was told of, with their depths.
    told: Vec<(i64, String)>,
}

impl Player {
    async fn play(&mut self, test: &TestServer) -> ! {
        loop {
            let received = self.receiver.next().await;
            let told = &received.body()["data"];
            let depth = received.header("svc-depth");
            assert_eq!(told["depth"].to_string(), depth);
            self.told.push((told["id"].as_i64().unwrap(), depth.to_owned()));
            let mut arguments = json!({ "to": self.other, "body": "Your turn." });
            match self.link {
                Link::Header => {}
                Link::Reply => arguments["reply_to"] = told["id"].clone(),
                Link::Claim => {
                    let claimed = test.tool(&self.key, "claim_messages", json!({})).await;
                    assert_eq!(claimed["messages"][0]["id"], told["id"], "{claimed}");
                }
            }
            let body = message("tools/call", json!({ "name": "send_message", "arguments": arguments }));
            let mut request = test.mcp_request(&self.key, &body);
            if let Link::Header = self.link {
                request = request.header("svc-depth", depth);
            }
            let sent = answered(request.send().await.unwrap()).await;
            assert!(sent["result"].get("isError").is_none(), "{sent}");
        }
    }
}

async fn chain(test: &TestServer, link: Link) {
    let ann = test.person("ann").await;
    let mut hooks = Vec::new();
    let mut players = Vec::new();
    for (name, other) in [("ping", "pong"), ("pong", "ping")] {
        let key = test.create_agent(&ann, name).await;
        let receiver = Receiver::start().await;
        hooks.push(test.hook(&ann, name, &receiver.url, &["*"]).await["webhook"]["id"].clone());
        players.push(Player { key, other, receiver, link, told: Vec::new() });
    }
    let mut second = players.pop().unwrap();
    let mut first = players.pop().unwrap();
    test.say(&ann, json!({ "to": "ping", "body": "Begin." })).await;
    // Five are delivered, at the depths 0 to 4; the sixth goes to pong and is stopped.
    let ended = until("the end of the chain", async || {
        let (to_first, to_second) =
            (test.deliveries(&ann, &hooks[0], "").await, test.deliveries(&ann, &hooks[1], "").await);
        let delivered = |listed: &[Value]| listed.iter().filter(|delivery| delivery["status"] == "delivered").count();
        let stopped = to_second.iter().find(|delivery| delivery["status"] == "stopped").cloned();
        stopped.filter(|_| delivered(&to_first) == 3 && delivered(&to_second) == 2)
    });
    let stopped = tokio::select! {
        _ = first.play(test) => unreachable!("it plays without end"),
        _ = second.play(test) => unreachable!("it plays without end"),
        stopped = ended => stopped,
    };
    assert_eq!((&stopped["error"], &stopped["depth"], &stopped["attempts"]), (&json!("depth"), &json!(5), &json!(0)));
    let depths = |player: &Player| player.told.iter().map(|(_, depth)| depth.clone()).collect::<Vec<_>>();
    assert_eq!(
        (depths(&first), depths(&second)),
        (["0", "2", "4"].map(String::from).into(), ["1", "3"].map(String::from).into())
    );
    assert_eq!(test.number("SELECT count(*) FROM messages WHERE body = 'Your turn.'").await, 5);
    assert!(first.receiver.rest().is_empty() && second.receiver.rest().is_empty());

    // Whoever reads the last message sees how deep it is.
    let last = test.number("SELECT max(id) FROM messages WHERE body = 'Your turn.'").await;
    assert_eq!(test.look(&ann, &format!("/api/messages/{last}")).await["depth"], 5);
    assert_eq!(test.tool(&second.key, "get_message", json!({ "id": last })).await["depth"], 5);
}

#[both_engines]
async fn a_chain_ends_when_receivers_echo_the_depth(test: TestServer) {
    chain(&test, Link::Header).await;
}

#[both_engines]
async fn a_chain_ends_when_receivers_reply(test: TestServer) {
    chain(&test, Link::Reply).await;
}

#[both_engines]
async fn a_chain_ends_when_receivers_claim_what_they_answer(test: TestServer) {
    chain(&test, Link::Claim).await;
}
