//! A hub embedded in your own program: an agent that gets a message as work and finishes it, and a table of your own
//! beside the hub's tables, with an event for every change that a subscriber receives.
//!
//! Run it with `cargo run -p svc --example embed_hub`; it keeps its data in a temporary directory.

use svc_core::prelude::*;

#[tokio::main]
async fn main() -> Result<()> {
    let data = std::env::temp_dir().join(format!("svc-embed-{}", std::process::id()));
    let hub = Hub::open(HubConfig::at(&data)).await?;

    work_of_an_agent(&hub).await?;
    table_of_your_own(&hub).await?;
    println!("The hub is {:?}.", hub.readiness().await.status);

    hub.close().await;
    // Removes only this example's own directory.
    tokio::fs::remove_dir_all(&data).await.ok();
    Ok(())
}

/// Sends a message to an agent, and receives and finishes it as the agent.
async fn work_of_an_agent(hub: &Hub) -> Result<()> {
    // The program itself may do everything.
    let root = Caller::root();
    hub.users().create(&root, NewUser::named("ann")?).await?;
    let created = hub.agents().create(&root, NewAgent::named("scout")?.owned_by("ann")?).await?;
    // The agent may do what its key allows.
    let scout = hub.auth().bearer(&created.key).await?;

    // A key makes the request safe to repeat: this sends one message.
    let question = NewMessage::to("scout", "Which tea do we have?");
    let asked = hub.messages().send(&root.clone().once("tea-1")?, question.clone()).await?;
    let again = hub.messages().send(&root.once("tea-1")?, question).await?;
    assert_eq!(asked.id, again.id);

    // At most one worker of the agent holds a message, until it is finished or the lease ends.
    for work in hub.messages().claim(&scout, ClaimRequest::default()).await?.messages {
        println!("scout got from {}: {}", work.message.from, work.message.body);
        hub.messages().send(&scout, NewMessage::to("ann", "Assam.")).await?;
        let finished = hub.messages().finish(&scout, work.message.id, Finish::done(Some(work.claim_token))).await?;
        println!("message {} is {:?}", finished.id, finished.status);
    }
    Ok(())
}

/// Keeps orders in a table of this program and follows them in the hub's event log.
async fn table_of_your_own(hub: &Hub) -> Result<()> {
    // A unit of work is a function of a transaction and an input. It is durable when `write` returns.
    hub.db().write((), |tx, ()| Box::pin(tx.query("CREATE TABLE orders (item TEXT NOT NULL)").execute())).await?;

    let mut live = hub.events().subscribe(After::Now).await?;
    for item in ["tea", "biscuits"] {
        hub.db()
            .write(item, |tx, item| {
                Box::pin(async move {
                    tx.query("INSERT INTO orders (item) VALUES ($1)").bind(*item).execute().await?;
                    // In the same transaction: both are stored, or neither.
                    tx.emit(&NewEvent::new("order.placed", item)?).await
                })
            })
            .await?;
    }

    for _ in 0..2 {
        if let Some(event) = live.next().await? {
            println!("{} {} {}", event.seq, event.kind, event.payload);
        }
    }
    let orders: i64 =
        hub.db().read((), |tx, ()| Box::pin(tx.query("SELECT count(*) FROM orders").fetch_value())).await?;
    println!("{orders} orders");
    Ok(())
}
