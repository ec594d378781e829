//! A hub embedded in your own program: a table of your own beside the hub's tables, an event for
//! every change, and a subscriber that receives each event.
//!
//! Run it with `cargo run -p svc --example embed_hub`; it keeps its data in a temporary directory.

use svc_core::{After, Hub, HubConfig, NewEvent, Result};

#[tokio::main]
async fn main() -> Result<()> {
    let data = std::env::temp_dir().join(format!("svc-embed-{}", std::process::id()));
    let hub = Hub::open(HubConfig::at(&data)).await?;

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
    println!("{orders} orders, {:?}", hub.readiness().await.status);

    hub.close().await;
    // Removes only this example's own directory.
    tokio::fs::remove_dir_all(&data).await.ok();
    Ok(())
}
