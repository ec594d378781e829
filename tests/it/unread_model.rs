//! What is unread against a simple model: whatever is sent, read, edited, deleted, muted, joined and left, all doors tell
//! the same.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::Caller;
use svc_core::ids::MessageId;
use svc_core::messages::NewMessage;
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::TestServer;

const CASES: usize = 6;
const STEPS: usize = 48;
/// All doors are compared after this many steps.
const COMPARED: usize = 4;
/// A public channel of both, a private one, and a public one that the reader does not know at the beginning.
const ROOMS: [(&str, bool); 3] = [("team", true), ("den", false), ("lobby", true)];
const SUBJECTS: [&str; 2] = ["", "plans"];

/// A step of a history. The author is a member of all channels.
#[derive(Debug, Clone)]
enum Step {
    /// The author says something in a channel.
    Say {
        room: usize,
        mention: bool,
    },
    /// The reader does, and becomes a member of a public channel by it.
    Answer {
        room: usize,
    },
    /// The author writes to the reader.
    Write {
        subject: usize,
    },
    /// The reader writes to the author.
    Reply {
        subject: usize,
    },
    ReadRoom {
        room: usize,
        through: Option<prop::sample::Index>,
    },
    ReadLetters {
        through: Option<prop::sample::Index>,
    },
    Edit(prop::sample::Index),
    Delete(prop::sample::Index),
    Level {
        place: usize,
        level: usize,
    },
    Join {
        room: usize,
    },
    Leave {
        room: usize,
    },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let room = || 0..ROOMS.len();
    let index = any::<prop::sample::Index>;
    let step = prop_oneof![
        6 => (room(), any::<bool>()).prop_map(|(room, mention)| Step::Say { room, mention }),
        2 => room().prop_map(|room| Step::Answer { room }),
        3 => (0..SUBJECTS.len()).prop_map(|subject| Step::Write { subject }),
        2 => (0..SUBJECTS.len()).prop_map(|subject| Step::Reply { subject }),
        4 => (room(), prop::option::of(index())).prop_map(|(room, through)| Step::ReadRoom { room, through }),
        2 => prop::option::of(index()).prop_map(|through| Step::ReadLetters { through }),
        1 => index().prop_map(Step::Edit),
        2 => index().prop_map(Step::Delete),
        2 => (0..=ROOMS.len(), 0..3_usize).prop_map(|(place, level)| Step::Level { place, level }),
        1 => room().prop_map(|room| Step::Join { room }),
        1 => room().prop_map(|room| Step::Leave { room }),
    ];
    prop::collection::vec(step, STEPS)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Room(usize),
    Letters(usize),
}

#[derive(Debug, Clone)]
struct Modelled {
    place: Place,
    is_own: bool,
    /// Whether it mentions the reader, who could read it.
    mention: bool,
    text: String,
    deleted: bool,
}

/// How far the reader is in a channel.
#[derive(Debug, Clone, Default)]
struct Room {
    /// The last message that a member has read; none without a membership.
    read: Option<i64>,
    /// For a reader who is no member: the last mention that is read, and the last one that is gone.
    elsewhere: Option<(i64, i64)>,
    muted: bool,
}

#[derive(Default)]
struct Model {
    messages: BTreeMap<i64, Modelled>,
    rooms: [Room; 3],
    /// The last message that is read, by subject.
    letters: [i64; 2],
    letters_muted: bool,
}

impl Model {
    fn newest(&self, place: Place) -> i64 {
        self.messages.iter().filter(|(_, message)| message.place == place).map(|(id, _)| *id).max().unwrap_or(0)
    }

    fn join(&mut self, room: usize) {
        if self.rooms[room].read.is_none() {
            self.rooms[room].read = Some(self.newest(Place::Room(room)));
        }
    }

    fn sees(&self, room: usize) -> bool {
        ROOMS[room].1 || self.rooms[room].read.is_some()
    }

    fn say(&mut self, id: i64, place: Place, is_own: bool, mention: bool, text: &str) {
        if let (Place::Room(room), true) = (place, mention)
            && self.rooms[room].read.is_none()
        {
            self.rooms[room].elsewhere.get_or_insert((id - 1, 0));
        }
        self.messages.insert(id, Modelled { place, is_own, mention, text: text.to_owned(), deleted: false });
    }

    /// The messages of a place that are not deleted, newest last.
    fn of(&self, place: Place) -> impl Iterator<Item = (i64, &Modelled)> {
        self.messages
            .iter()
            .filter(move |(_, message)| message.place == place && !message.deleted)
            .map(|(id, message)| (*id, message))
    }

    fn unread_in(&self, room: usize) -> usize {
        let Some(read) = self.rooms[room].read else { return 0 };
        self.of(Place::Room(room)).filter(|(id, message)| !message.is_own && *id > read).count()
    }

    fn unread_letters(&self) -> Vec<i64> {
        let of_subject = |subject: usize| {
            let unread = move |(id, message): &(i64, &Modelled)| !message.is_own && *id > self.letters[subject];
            self.of(Place::Letters(subject)).filter(unread).map(|(id, _)| id)
        };
        let mut all: Vec<_> = (0..SUBJECTS.len()).flat_map(of_subject).collect();
        all.sort_unstable();
        all
    }

    /// The mentions that the reader sees, newest first, and whether each is unread.
    fn mentions(&self) -> Vec<(i64, bool)> {
        let in_room = |room: usize| {
            let known = &self.rooms[room];
            let shown = move |id: i64| known.read.is_some() || id > known.elsewhere.map_or(0, |(_, left)| left);
            let unread =
                move |id: i64| known.read.or(known.elsewhere.map(|(read, _)| read)).is_some_and(|read| id > read);
            self.of(Place::Room(room))
                .filter(move |(id, message)| message.mention && self.sees(room) && shown(*id))
                .map(move |(id, _)| (id, unread(id)))
        };
        let mut all: Vec<_> = (0..ROOMS.len()).flat_map(in_room).collect();
        all.sort_unstable_by_key(|(id, _)| std::cmp::Reverse(*id));
        all
    }

    fn unread_mentions_in(&self, room: usize) -> usize {
        let is_here = |id: &i64| self.messages[id].place == Place::Room(room);
        self.mentions().iter().filter(|(id, unread)| *unread && is_here(id)).count()
    }
}

struct Run<'t> {
    test: &'t TestServer,
    author: Person,
    reader: Person,
    from_author: Caller,
    from_reader: Caller,
    case: usize,
    model: Model,
    count: usize,
}

impl<'t> Run<'t> {
    async fn new(test: &'t TestServer, case: usize) -> Self {
        let (author, reader) =
            (test.person(&format!("author{case}")).await, test.person(&format!("reader{case}")).await);
        let (from_author, from_reader) = (test.caller(&author).await, test.caller(&reader).await);
        let mut run = Self { test, author, reader, from_author, from_reader, case, model: Model::default(), count: 0 };
        for (room, (_, public)) in ROOMS.iter().enumerate() {
            let invited = [run.reader.username.as_str()];
            let members: &[&str] = if room == 0 { &invited } else { &[] };
            test.open_room(&run.author, &run.room(room), *public, members).await;
        }
        run.model.join(0);
        run
    }

    fn room(&self, room: usize) -> String {
        format!("{}{}", ROOMS[room].0, self.case)
    }

    fn text(&mut self, mention: bool) -> String {
        self.count += 1;
        let whom = if mention { format!("@{}", self.reader.username) } else { "all".to_owned() };
        format!("{} for {whom}", self.count)
    }

    /// Marks as read; `None` for everything.
    async fn mark(&self, kind: &str, name: &str, through: Option<i64>) -> u16 {
        let mut mark = json!({ "kind": kind, "name": name });
        if let Some(through) = through {
            mark["last_message_id"] = json!(through);
        }
        let asked = self.test.request_as(&self.reader, Method::POST, "/api/notifications/mark-read").json(&mark);
        asked.send().await.unwrap().status().as_u16()
    }

    fn chosen(&self, index: prop::sample::Index) -> Option<i64> {
        let ids: Vec<_> = self.model.messages.keys().copied().collect();
        (!ids.is_empty()).then(|| ids[index.index(ids.len())])
    }

    async fn step(&mut self, step: Step) {
        match step {
            Step::Say { room, mention } => {
                let text = self.text(mention);
                let id = self.test.say_in(&self.from_author, &self.room(room), &text).await;
                let is_told = mention && self.model.sees(room);
                self.model.say(id, Place::Room(room), false, is_told, &text);
            }
            Step::Answer { room } if self.model.sees(room) => {
                self.model.join(room);
                let text = self.text(false);
                let id = self.test.say_in(&self.from_reader, &self.room(room), &text).await;
                self.model.say(id, Place::Room(room), true, false, &text);
            }
            Step::Write { subject } => self.write(subject, false).await,
            Step::Reply { subject } => self.write(subject, true).await,
            Step::ReadRoom { room, through } => self.read_room(room, through).await,
            Step::ReadLetters { through } => {
                let through = through.and_then(|index| self.chosen(index));
                assert_eq!(self.mark("dm", &self.author.username, through).await, 204);
                for read in &mut self.model.letters {
                    *read = (*read).max(through.unwrap_or(i64::MAX - 1));
                }
                // Everything up to now, and nothing that comes later.
                let newest = self.model.messages.keys().max().copied().unwrap_or(0);
                for read in &mut self.model.letters {
                    *read = (*read).min(newest);
                }
            }
            Step::Edit(index) => self.edit(index).await,
            Step::Delete(index) => self.delete(index).await,
            Step::Level { place, level } => self.set_level(place, level).await,
            Step::Join { room } if self.model.rooms[room].read.is_none() => {
                self.test.let_in(&self.author, &self.room(room), &self.reader.username).await;
                self.model.join(room);
            }
            Step::Leave { room } if self.model.rooms[room].read.is_some() => {
                let path = format!("/api/channels/{}/leave", self.room(room));
                self.test.did(&self.reader, Method::POST, &path, json!({})).await;
                let newest = self.model.newest(Place::Room(room));
                let room = &mut self.model.rooms[room];
                (room.read, room.elsewhere) = (None, Some((newest, newest)));
            }
            Step::Answer { .. } | Step::Join { .. } | Step::Leave { .. } => {}
        }
    }

    async fn write(&mut self, subject: usize, is_own: bool) {
        let text = self.text(false);
        let (from, to) = if is_own { (&self.from_reader, &self.author) } else { (&self.from_author, &self.reader) };
        let new = NewMessage { subject: Some(SUBJECTS[subject].into()), ..NewMessage::to(&to.username, &text) };
        let id = self.test.hub.messages().send(from, new).await.unwrap().id.0;
        self.model.say(id, Place::Letters(subject), is_own, false, &text);
    }

    async fn read_room(&mut self, room: usize, through: Option<prop::sample::Index>) {
        let through = through.and_then(|index| self.chosen(index));
        let status = self.mark("channel", &self.room(room), through).await;
        let newest = self.model.newest(Place::Room(room));
        let through = through.unwrap_or(newest).min(newest);
        let sees = self.model.sees(room);
        let known = &mut self.model.rooms[room];
        match (&mut known.read, &mut known.elsewhere) {
            (Some(read), _) => {
                assert_eq!(status, 204);
                *read = (*read).max(through);
            }
            (None, _) if !sees => assert_eq!(status, 404),
            (None, Some((read, _))) => {
                assert_eq!(status, 204);
                *read = (*read).max(through);
            }
            (None, None) => assert_eq!(status, 403),
        }
    }

    async fn edit(&mut self, index: prop::sample::Index) {
        let Some(id) = self.chosen(index) else { return };
        let message = &self.model.messages[&id];
        // A reader who has left a private channel cannot change what they said there.
        if message.deleted || matches!(message.place, Place::Room(room) if message.is_own && !self.model.sees(room)) {
            return;
        }
        let by = if message.is_own { &self.reader } else { &self.author };
        let text = format!("{}!", message.text);
        self.test.did(by, Method::PATCH, &format!("/api/messages/{id}"), json!({ "body": &text })).await;
        self.model.messages.get_mut(&id).unwrap().text = text;
    }

    async fn delete(&mut self, index: prop::sample::Index) {
        let Some(id) = self.chosen(index) else { return };
        let message = &self.model.messages[&id];
        if matches!(message.place, Place::Room(room) if message.is_own && !self.model.sees(room)) {
            return;
        }
        let by = if message.is_own { &self.from_reader } else { &self.from_author };
        self.test.hub.messages().delete(by, MessageId(id)).await.unwrap();
        self.model.messages.get_mut(&id).unwrap().deleted = true;
    }

    async fn set_level(&mut self, place: usize, level: usize) {
        let (kind, name) = match ROOMS.get(place) {
            Some(_) if !self.model.sees(place) => return,
            Some(_) => ("channel", self.room(place)),
            None => ("dm", self.author.username.clone()),
        };
        let level = ["all", "mentions", "nothing"][level];
        let change = json!({ "conversations": [{ "kind": kind, "name": name, "level": level }] });
        self.test.did(&self.reader, Method::PUT, "/api/notifications/settings", change).await;
        let muted = level == "nothing";
        match self.model.rooms.get_mut(place) {
            Some(room) => room.muted = muted,
            None => self.model.letters_muted = muted,
        }
    }

    async fn look(&self, path: &str) -> Value {
        self.test.look(&self.reader, path).await
    }

    /// Compares what every door tells with the model.
    async fn compare(&self) {
        let model = &self.model;
        let letters = model.unread_letters();
        let author = self.author.username.as_str();
        let has_letters = model.messages.values().any(|message| matches!(message.place, Place::Letters(_)));

        let unread = self.look("/api/notifications/unread").await;
        let unread = unread.as_array().unwrap();
        let entry = |kind: &str, name: &str| {
            let found = unread.iter().find(|entry| entry["kind"] == kind && entry["name"] == name)?;
            assert_eq!(found["mention_copies"], 0, "a person has no copies");
            Some((found["unread"].as_u64().unwrap(), found["mentions"].as_u64().unwrap()))
        };
        let channels = self.look("/api/channels?limit=200").await;
        let channels = channels["channels"].as_array().unwrap();
        let (mut direct, mut mentions) = (0, 0);
        for room in 0..ROOMS.len() {
            let name = self.room(room);
            let counts = (model.unread_in(room) as u64, model.unread_mentions_in(room) as u64);
            let is_listed = model.rooms[room].read.is_some() || counts.1 > 0;
            assert_eq!(entry("channel", &name), is_listed.then_some(counts), "{name}");
            let listed = channels.iter().find(|channel| channel["name"] == name.as_str());
            let listed =
                listed.map(|channel| (channel["unread"].as_u64().unwrap(), channel["mentions"].as_u64().unwrap()));
            assert_eq!(listed, model.sees(room).then_some(counts), "{name} among the channels");
            if !model.rooms[room].muted {
                mentions += counts.1;
            }
        }
        assert_eq!(entry("dm", author), has_letters.then_some((letters.len() as u64, 0)), "direct messages");
        if !model.letters_muted {
            direct = letters.len() as u64;
        }
        let totals = self.look("/api/notifications/totals").await;
        assert_eq!(totals, json!({ "direct": direct, "mentions": mentions, "total": direct + mentions }));

        let partners = self.look("/api/dm/partners").await;
        let partner = partners.as_array().unwrap().iter().find(|partner| partner["name"] == author);
        assert_eq!(partner.is_some(), has_letters);
        if let Some(partner) = partner {
            assert_eq!(partner["unread"].as_u64(), Some(letters.len() as u64));
            assert_eq!(partner["last_unread"]["id"].as_i64(), letters.last().copied());
            let newest = SUBJECTS.iter().enumerate().map(|(subject, _)| model.newest(Place::Letters(subject))).max();
            assert_eq!(partner["last_message_id"].as_i64(), newest);
        }
        let inbox = self.look(&format!("/api/messages?unread=true&limit=200&agent={}", self.reader.username)).await;
        let mut listed = crate::support::talk::ids(&inbox);
        listed.sort_unstable();
        assert_eq!(listed, letters, "the unread messages of the inbox");
        let timeline = self.look(&format!("/api/dm/{author}/messages?limit=200")).await;
        let all = model.messages.iter().filter(|(_, message)| matches!(message.place, Place::Letters(_)));
        assert_eq!(crate::support::talk::ids(&timeline), all.map(|(id, _)| *id).collect::<Vec<_>>());

        for unread_only in [false, true] {
            let page = self.look(&format!("/api/mentions?limit=200&unread={unread_only}")).await;
            let told: Vec<_> = page["mentions"].as_array().unwrap().iter().map(Self::mention).collect();
            let expected = model.mentions().into_iter().filter(|(_, unread)| !unread_only || *unread);
            let expected: Vec<_> =
                expected.map(|(id, unread)| (id, unread, model.messages[&id].text.clone())).collect();
            assert_eq!(told, expected, "mentions, unread only: {unread_only}");
        }
    }

    fn mention(mention: &Value) -> (i64, bool, String) {
        let text = mention["text"].as_str().unwrap().to_owned();
        (mention["message_id"].as_i64().unwrap(), mention["unread"].as_bool().unwrap(), text)
    }
}

#[both_engines]
async fn whatever_happens_all_doors_tell_what_the_model_counts(test: TestServer) {
    let mut runner = TestRunner::deterministic();
    for case in 0..CASES {
        let steps = steps().new_tree(&mut runner).unwrap().current();
        let mut run = Run::new(&test, case).await;
        for (number, step) in steps.into_iter().enumerate() {
            run.step(step).await;
            if number % COMPARED == 0 {
                run.compare().await;
            }
        }
        run.compare().await;
    }
    test.stop().await;
}
