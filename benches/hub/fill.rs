//! A store after years of use: many messages in many conversations, deterministic for a given number. It is written
//! by bulk statements, because sending a million messages one by one would take longer than all measurements on them.

use std::collections::HashMap;

use svc_core::agents::{AgentSettings, NewAgent};
use svc_core::auth::Visit;
use svc_core::db::{Tx, Value};
use svc_core::workers::Progress;
use svc_core::{Caller, Hub, Result};

/// Agents, a tenth of them the admin's.
const AGENTS: i64 = 200;
/// Humans besides the admin.
const HUMANS: i64 = 20;
/// Channels besides `general`; every fourth is private.
const CHANNELS: i64 = 100;
/// Pairs of participants with direct messages.
const PAIRS: usize = 1_000;
/// Size of the vocabulary.
const WORDS: usize = 20_000;
/// Messages per transaction.
const BATCH: i64 = 10_000;
/// Time between two messages, in microseconds.
const PACE: i64 = 60_000_000;
/// 2024-01-01.
const BEGINNING: i64 = 1_704_067_200_000_000;

/// The callers that read the store.
pub(crate) struct Filled {
    /// The admin, who sees the agents' conversations as well as their own.
    pub(crate) human: Caller,
    /// The first of the admin's agents.
    pub(crate) agent: Caller,
}

/// The word with this number: the smaller the number, the more frequent it is.
pub(crate) fn word(number: usize) -> String {
    const SYLLABLES: [&str; 24] = [
        "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "qui", "ro", "su", "ta", "ve", "wi",
        "xo", "yu", "za", "bre", "cli", "dro",
    ];
    let mut rest = number + SYLLABLES.len();
    let mut word = String::new();
    while rest > 0 {
        word.push_str(SYLLABLES[rest % SYLLABLES.len()]);
        rest /= SYLLABLES.len();
    }
    word
}

/// Fills a new hub with this many messages.
pub(crate) async fn fill(hub: &Hub, messages: i64) -> Filled {
    let filled = Filled { human: human(hub).await, agent: agent(hub).await };
    let scene = hub.db().write((), |tx, ()| Box::pin(scene(tx))).await.expect("the names are free");
    let mut talk = Talk { scene, places: HashMap::new() };
    let mut number = 0;
    while number < messages {
        let batch: Vec<_> = (number..messages.min(number + BATCH)).map(|number| talk.message(number)).collect();
        number += BATCH;
        let written = hub.db().write(batch, |tx, batch| Box::pin(say(tx, batch)));
        written.await.expect("the rows are new");
    }
    hub.db().write((), |tx, ()| Box::pin(settle(tx))).await.expect("the rows are there");
    hub.db().write((), |tx, ()| Box::pin(count(tx))).await.expect("nothing was counted yet");
    index(hub).await;
    filled
}

/// Inserts the figures that analytics would have counted by day and in total.
async fn count(tx: &mut Tx) -> Result<()> {
    tx.query(
        "INSERT INTO message_rollups (grain, bucket, sender_id, channel_id, recipient_id, messages)
         SELECT 'day', created_at - created_at % 86400000000, sender_id, coalesce(channel_id, 0),
                coalesce(recipient_id, 0), count(*)
           FROM messages
          GROUP BY 2, 3, 4, 5",
    )
    .execute()
    .await?;
    tx.query(
        "INSERT INTO message_totals (sender_id, messages)
         SELECT sender_id, sum(messages) FROM message_rollups GROUP BY sender_id",
    )
    .execute()
    .await?;
    Ok(())
}

/// Runs the workers that process messages until they are done.
async fn index(hub: &Hub) {
    for worker in hub.workers() {
        while worker.run_once().await.expect("the round succeeds") == Progress::More {}
    }
}

/// The first admin, logged in.
pub(crate) async fn human(hub: &Hub) -> Caller {
    let admin = hub.first_admin().expect("the store is new");
    let visit = Visit::through(svc_core::auth::Surface::Hub);
    let session = hub.sessions().login(&admin.username, admin.password.reveal(), &visit).await.expect("the login");
    hub.auth().session(session.token.reveal()).await.expect("the credential is valid")
}

async fn agent(hub: &Hub) -> Caller {
    let new = NewAgent {
        name: "worker-0".parse().expect("a valid name"),
        owner: Some("admin".parse().expect("a valid name")),
        settings: AgentSettings::default(),
    };
    let key = hub.agents().create(&Caller::root(), new).await.expect("the name is free").key;
    hub.auth().bearer(&key).await.expect("the credential is valid")
}

/// Participants and conversations. The first of each list is created by the product, the others are rows.
#[derive(Clone)]
struct Scene {
    /// Participants and their owners.
    talkers: Vec<(i64, i64)>,
    /// Channels and their conversations.
    channels: Vec<(i64, i64)>,
    /// Two participants, by index, and their conversation.
    pairs: Vec<(usize, usize, i64)>,
    /// Cumulative frequencies of the words.
    shares: Vec<u64>,
}

async fn scene(tx: &mut Tx) -> Result<Scene> {
    let admin: i64 = tx.query("SELECT id FROM users").fetch_value().await?;
    let agent: i64 = tx.query("SELECT id FROM agents").fetch_value().await?;
    let mut talkers = vec![(admin, admin), (agent, admin)];
    for number in 1..=HUMANS {
        let id = participant(tx, "human", &format!("human_{number}")).await?;
        tx.query("INSERT INTO users (id, role, password_changed_at) VALUES ($1, 'user', $2)")
            .bind(id)
            .bind(BEGINNING)
            .execute()
            .await?;
        talkers.push((id, id));
    }
    let owners: Vec<_> = talkers.iter().filter(|(id, owner)| id == owner).map(|(id, _)| *id).collect();
    for number in 1..AGENTS {
        let owner = if number % 10 == 0 { admin } else { at(&owners, number) };
        let id = participant(tx, "agent", &format!("worker-{number}")).await?;
        tx.query(
            "INSERT INTO agents
                (id, owner_id, trigger_mode, cooldown_seconds, daily_run_budget, max_trigger_depth, harness, agent_md,
                 pending_work, updated_at)
             VALUES ($1, $2, 'passive', 600, 8, 4, $3, '', FALSE, $4)",
        )
        .bind(id)
        .bind(owner)
        .bind(Value::Json("{}".into()))
        .bind(BEGINNING)
        .execute()
        .await?;
        talkers.push((id, owner));
    }
    let channels = channels(tx, &talkers).await?;
    let pairs = pairs(tx, &talkers).await?;
    Ok(Scene { talkers, channels, pairs, shares: shares() })
}

async fn participant(tx: &mut Tx, kind: &str, handle: &str) -> Result<i64> {
    tx.query(
        "INSERT INTO participants (kind, handle, handle_key, display_name, created_at) VALUES ($1, $2, $2, $2, $3)",
    )
    .bind(kind)
    .bind(handle)
    .bind(BEGINNING)
    .insert("id")
    .await
}

async fn channels(tx: &mut Tx, talkers: &[(i64, i64)]) -> Result<Vec<(i64, i64)>> {
    let general: (i64, i64) =
        tx.query("SELECT channel_id, id FROM conversations WHERE channel_id IS NOT NULL").fetch_one().await?;
    let mut channels = vec![general];
    for number in 1..=CHANNELS {
        let channel: i64 = tx
            .query(
                "INSERT INTO channels (name, description, public, owner_id, created_at, updated_at)
                 VALUES ($1, '', $2, $3, $4, $4)",
            )
            .bind(format!("room-{number}"))
            .bind(number % 4 != 0)
            .bind(at(talkers, number).0)
            .bind(BEGINNING)
            .insert("id")
            .await?;
        channels.push((channel, conversation(tx, Some(channel), None).await?));
    }
    for (number, (channel, conversation)) in (0_i64..).zip(&channels) {
        // Every participant is in every tenth channel, and the first two are in all public ones.
        for (place, (talker, _)) in (0_i64..).zip(talkers) {
            if (place < 2 && number % 4 != 0) || (place + number) % 10 == 0 {
                member(tx, *channel, *conversation, *talker).await?;
            }
        }
    }
    Ok(channels)
}

async fn member(tx: &mut Tx, channel: i64, conversation: i64, talker: i64) -> Result<()> {
    tx.query("INSERT INTO channel_members (channel_id, participant_id, joined_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING")
        .bind(channel)
        .bind(talker)
        .bind(BEGINNING)
        .execute()
        .await?;
    cursor(tx, talker, conversation).await
}

async fn pairs(tx: &mut Tx, talkers: &[(i64, i64)]) -> Result<Vec<(usize, usize, i64)>> {
    let mut chance = Chance(7);
    let mut pairs: Vec<(usize, usize, i64)> = Vec::new();
    while pairs.len() < PAIRS {
        // Every tenth pair contains one of the first two.
        let one = if pairs.len().is_multiple_of(10) { pairs.len() / 10 % 2 } else { chance.below(talkers.len()) };
        let other = chance.below(talkers.len());
        let known = |pair: &(usize, usize, i64)| (pair.0, pair.1) == (one.min(other), one.max(other));
        if one != other && !pairs.iter().any(known) {
            let (low, high) = (talkers[one.min(other)].0, talkers[one.max(other)].0);
            let conversation = conversation(tx, None, Some((low.min(high), low.max(high)))).await?;
            cursor(tx, low, conversation).await?;
            cursor(tx, high, conversation).await?;
            pairs.push((one.min(other), one.max(other), conversation));
        }
    }
    Ok(pairs)
}

async fn conversation(tx: &mut Tx, channel: Option<i64>, pair: Option<(i64, i64)>) -> Result<i64> {
    tx.query(
        "INSERT INTO conversations (channel_id, low_id, high_id, subject, message_count, last_message_at, created_at)
         VALUES ($1, $2, $3, '', 0, $4, $4)",
    )
    .bind(channel)
    .bind(pair.map(|(low, _)| low))
    .bind(pair.map(|(_, high)| high))
    .bind(BEGINNING)
    .insert("id")
    .await
}

async fn cursor(tx: &mut Tx, talker: i64, conversation: i64) -> Result<()> {
    tx.query(
        "INSERT INTO read_cursors
            (participant_id, conversation_id, message_id, position, own_after, offered_id, updated_at)
         VALUES ($1, $2, 0, 0, 0, 0, $3)
         ON CONFLICT DO NOTHING",
    )
    .bind(talker)
    .bind(conversation)
    .bind(BEGINNING)
    .execute()
    .await?;
    Ok(())
}

const SAY: &str = "
    INSERT INTO messages
        (conversation_id, position, channel_id, sender_id, recipient_id, sender_owner_id, recipient_owner_id, subject,
         body, priority, status, metadata, reply_count, depth, attachment_count, reaction_count, attempts, created_at,
         updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, '', $8, $9, 'pending', $10, 0, 0, 0, 0, 0, $11, $11)";

async fn say(tx: &mut Tx, messages: &[Said]) -> Result<()> {
    for message in messages {
        tx.query(SAY)
            .bind(message.conversation)
            .bind(message.place)
            .bind(message.channel)
            .bind(message.from.0)
            .bind(message.to.map(|(id, _)| id))
            .bind(message.from.1)
            .bind(message.to.map(|(_, owner)| owner))
            .bind(message.body.as_str())
            .bind(1 + message.number % 10)
            .bind(Value::Json("{}".into()))
            .bind(BEGINNING + message.number * PACE)
            .execute()
            .await?;
    }
    Ok(())
}

struct Said {
    number: i64,
    conversation: i64,
    place: i64,
    channel: Option<i64>,
    from: (i64, i64),
    to: Option<(i64, i64)>,
    body: String,
}

/// All participants, and the number of messages of each conversation.
struct Talk {
    scene: Scene,
    places: HashMap<i64, i64>,
}

impl Talk {
    /// The message with this number. Three of four go to channels, most of them to a few.
    fn message(&mut self, number: i64) -> Said {
        let (scene, mut chance) = (&self.scene, Chance(number.unsigned_abs()));
        let body = body(scene, &mut chance);
        let (conversation, channel, from, to) = if chance.below(4) > 0 {
            let place = chance.below(scene.channels.len()).min(chance.below(scene.channels.len()));
            let (channel, conversation) = scene.channels[place];
            (conversation, Some(channel), chance.below(scene.talkers.len()), None)
        } else {
            let (one, other, conversation) = scene.pairs[chance.below(scene.pairs.len())];
            let (from, to) = if chance.below(2) == 0 { (one, other) } else { (other, one) };
            (conversation, None, from, Some(scene.talkers[to]))
        };
        let place = self.places.entry(conversation).or_default();
        *place += 1;
        Said { number, conversation, place: *place, channel, from: scene.talkers[from], to, body }
    }
}

/// 5 to 44 words with Zipf's distribution: the n-th word has 1/n of the frequency of the first.
fn body(scene: &Scene, chance: &mut Chance) -> String {
    let mut body = String::with_capacity(200);
    for place in 0..5 + chance.below(40) {
        if place > 0 {
            body.push(' ');
        }
        let share = chance.next() % scene.shares.last().copied().unwrap_or(1);
        body.push_str(&word(scene.shares.partition_point(|until| *until <= share)));
    }
    body
}

fn shares() -> Vec<u64> {
    let shares = (0..WORDS as u64).scan(0, |sum, number| {
        *sum += 1_000_000_000 / (number + 2);
        Some(*sum)
    });
    shares.collect()
}

/// Sets the message counts of conversations and the read positions: everybody has read all but the last ten messages
/// of a conversation.
async fn settle(tx: &mut Tx) -> Result<()> {
    for text in [
        "UPDATE conversations
            SET message_count = (SELECT count(*) FROM messages m WHERE m.conversation_id = conversations.id)",
        "UPDATE conversations
            SET last_message_at = (SELECT m.created_at FROM messages m WHERE m.conversation_id = conversations.id
                                    ORDER BY m.id DESC LIMIT 1)
          WHERE message_count > 0",
        "UPDATE channels SET member_count = (SELECT count(*) FROM channel_members cm WHERE cm.channel_id = channels.id)",
        "UPDATE read_cursors
            SET position = max(0, (SELECT v.message_count - 10 FROM conversations v WHERE v.id = conversation_id))",
        "UPDATE read_cursors
            SET message_id = coalesce((SELECT m.id FROM messages m
                                        WHERE m.conversation_id = read_cursors.conversation_id
                                        ORDER BY m.id DESC LIMIT 1 OFFSET 10), 0)",
        "UPDATE read_cursors
            SET offered_id = message_id,
                own_after = (SELECT count(*) FROM messages m
                              WHERE m.conversation_id = read_cursors.conversation_id
                                AND m.id > read_cursors.message_id AND m.sender_id = read_cursors.participant_id)",
    ] {
        tx.query(text).execute().await?;
    }
    Ok(())
}

fn at<T: Copy>(list: &[T], number: i64) -> T {
    list[usize::try_from(number).unwrap_or_default() % list.len()]
}

/// A deterministic pseudo-random generator.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap_or_default()
    }
}
