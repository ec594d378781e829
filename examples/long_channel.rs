//! Fills a hub with a channel of many messages and with many channels, for load tests. A server may
//! be running on the same data.
//!
//! Run it with `cargo run --release -p svc --example long_channel -- DATA [MESSAGES] [CHANNELS]`.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use svc_core::channels::NewChannel;
use svc_core::messages::NewMessage;
use svc_core::{Caller, ErrorKind, Hub, HubConfig, Result};

/// The name of the long channel.
const CHANNEL: &str = "long";
/// The number of concurrent senders, whose messages share transactions.
const SENDERS: u32 = 64;

#[tokio::main]
async fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(data) = arguments.next() else {
        eprintln!("usage: long_channel DATA [MESSAGES] [CHANNELS]");
        return ExitCode::from(2);
    };
    let mut count = |default| arguments.next().map_or(Some(default), |text| text.parse::<u32>().ok());
    let (Some(messages), Some(channels)) = (count(100_000), count(0)) else {
        eprintln!("MESSAGES and CHANNELS are numbers");
        return ExitCode::from(2);
    };
    match fill(HubConfig::at(data), messages, channels).await {
        Ok(()) => {
            println!("#{CHANNEL} has {messages} more messages, and there are {channels} channels beside it");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn fill(config: HubConfig, messages: u32, channels: u32) -> Result<()> {
    let hub = Hub::open(config).await?;
    make_channel(&hub, CHANNEL.to_owned()).await?;
    for number in 1..=channels {
        make_channel(&hub, format!("room-{number}")).await?;
    }
    let next = Arc::new(AtomicU32::new(0));
    let senders: Vec<_> = (0..SENDERS)
        .map(|_| {
            let (hub, next) = (hub.clone(), next.clone());
            tokio::spawn(async move {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= messages {
                        return Ok::<_, svc_core::Error>(());
                    }
                    hub.messages().send(&Caller::root(), message(number)).await?;
                }
            })
        })
        .collect();
    for sender in senders {
        sender.await.map_err(|_| svc_core::Error::internal("a sender has panicked"))??;
    }
    hub.close().await;
    Ok(())
}

/// Creates a public channel unless it exists.
async fn make_channel(hub: &Hub, name: String) -> Result<()> {
    match hub.channels().create_for(&Caller::root(), "admin", NewChannel::named(name)).await {
        Err(error) if error.kind() == ErrorKind::Conflict => Ok(()),
        outcome => outcome.map(drop),
    }
}

fn message(number: u32) -> NewMessage {
    const LINES: [&str; 5] = [
        "The build is green again.",
        "A **longer** remark, with `code`, a [link](https://example.org) and a second line:\n\nit says what was tried, and that it helped.",
        "1. look\n2. think\n3. write",
        "```\ncargo test --workspace\n```",
        "Nothing to report.",
    ];
    let line = LINES[number as usize % LINES.len()];
    NewMessage { channel: Some(CHANNEL.to_owned()), body: format!("Message {number}. {line}"), ..NewMessage::default() }
}
