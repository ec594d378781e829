//! Registry documents and what has been done to them, the same for the same number.

use serde_json::{Map, Value, json};
use svc_core::load_registry;

/// Public keys of RFC 8032, section 7.1.
const KEYS: [&str; 5] = [
    "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw",
    "_FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU",
    "J4EX_BRMcjQPZ9DyMW6Dhs7_vyskKMnFH-98WX8dQm4",
    "7Bcrk61eVj9JMscOEkUDTDVGfvLv1NZOv4GWg0Z-K_I",
];
const SCOPES: [&str; 4] = ["source-config:write", "runtime-status:write", "events:ingest", "evidence:read"];
/// Names that a validator may take for something else than a property.
const NAMES: [&str; 10] =
    ["comment", "", "__proto__", "constructor", "toString", "$ref", "Version", "kid ", "a/b~c", "enabled\n"];

/// A document that may have been changed, and what the loader says of it.
pub(crate) struct Mutant {
    /// The document.
    pub(crate) document: String,
    /// Whether the loader finds nothing that a schema could refuse.
    pub(crate) fits_schema: bool,
    /// Whether the loader takes it.
    pub(crate) is_taken: bool,
}

impl Mutant {
    /// The mutant of this number.
    pub(crate) fn new(number: u64) -> Self {
        let mut chance = Chance(number);
        let mut value = registry(&mut chance);
        for _ in 0..chance.below(4) {
            change(&mut value, &mut chance);
        }
        let mut document = value.to_string();
        if chance.one_in(12) && value.as_object().is_some_and(|object| !object.is_empty()) {
            // A property that stands twice; the later one counts.
            document.insert_str(1, &format!("\"audience\":{},", junk(&mut chance)));
        }
        let verdict = load_registry(document.as_bytes());
        let fits_schema = verdict.as_ref().err().is_none_or(|faults| !faults.schema);
        Self { document, fits_schema, is_taken: verdict.is_ok() }
    }
}

/// Numbers that look like chance and repeat.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound.max(1)).expect("bounds are small");
        usize::try_from(self.next() % bound).expect("it is below a small bound")
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

/// A document without fault.
fn registry(chance: &mut Chance) -> Value {
    let mut kids = 0;
    let principals: Vec<Value> = (0..chance.below(4)).map(|index| principal(index, &mut kids, chance)).collect();
    json!({
        "version": "svc.machine-principal-registry/v1",
        "audience": chance.pick(&["svc-sense", "svc-brain", "svc-bell"]),
        "principals": principals,
    })
}

fn principal(index: usize, kids: &mut usize, chance: &mut Chance) -> Value {
    let kind = chance.pick(&["sense", "brain", "bell"]);
    let length = [0, 1, 20, 61, 62][chance.below(5)];
    let tail: String = (0..length).map(|_| chance.pick(&["a", "7", ".", "-", "z"])).collect();
    let tail: String = tail.chars().take(62).collect();
    // The first character tells the principals of a document apart.
    let keys: Vec<Value> = (0..chance.below(3)).map(|_| key(kids, chance)).collect();
    json!({ "principal_id": format!("svc:{kind}:{index}{tail}"), "enabled": chance.one_in(2), "keys": keys })
}

fn key(kids: &mut usize, chance: &mut Chance) -> Value {
    *kids += 1;
    let filler = ["Key_2026.", "k-----------", "ABCDEFG"][chance.below(3)];
    let kid: String = filler.repeat(1 + chance.below(5)).chars().take(63).collect();
    let first = chance.below(SCOPES.len());
    let scopes: Vec<_> = (0..=chance.below(4)).map(|step| SCOPES[(first + step) % SCOPES.len()]).collect();
    json!({
        "kid": format!("{kid}{kids}"),
        "public_key_base64url": KEYS[chance.below(KEYS.len())],
        "status": chance.pick(&["active", "revoked"]),
        "scopes": scopes,
    })
}

/// Changes one value somewhere in the document.
fn change(value: &mut Value, chance: &mut Chance) {
    match value {
        Value::Array(items) if !items.is_empty() && !chance.one_in(5) => {
            let index = chance.below(items.len());
            change(&mut items[index], chance);
        }
        Value::Object(fields) if !fields.is_empty() && !chance.one_in(5) => {
            let index = chance.below(fields.len());
            let field = fields.values_mut().nth(index).expect("the index is below the length");
            change(field, chance);
        }
        Value::Array(items) => change_list(items, chance),
        Value::Object(fields) => change_object(fields, chance),
        Value::String(text) if !chance.one_in(6) => *text = changed_text(text, chance),
        other => *other = junk(chance),
    }
}

fn change_list(items: &mut Vec<Value>, chance: &mut Chance) {
    let index = chance.below(items.len());
    match chance.below(4) {
        0 if !items.is_empty() => drop(items.remove(index)),
        1 if !items.is_empty() => items.push(items[index].clone()),
        2 => items.clear(),
        _ => items.insert(index, junk(chance)),
    }
}

fn change_object(fields: &mut Map<String, Value>, chance: &mut Chance) {
    let index = chance.below(fields.len());
    let name = fields.keys().nth(index).cloned();
    match (chance.below(3), name) {
        (0, Some(name)) => drop(fields.remove(&name)),
        (1, Some(name)) => {
            let value = fields.remove(&name).unwrap_or_default();
            fields.insert(chance.pick(&NAMES).to_owned(), value);
        }
        _ => drop(fields.insert(chance.pick(&NAMES).to_owned(), junk(chance))),
    }
}

fn changed_text(text: &str, chance: &mut Chance) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let index = chance.below(characters.len());
    let odd = ['\n', '\r', ' ', '=', '+', '/', ':', '.', '-', '_', 'A', 'a', '0', 'é', '\u{0}', '\u{2028}', '🦀', 'ſ'];
    match chance.below(8) {
        0 => characters.push(odd[chance.below(odd.len())]),
        1 => characters.insert(index, odd[chance.below(odd.len())]),
        2 if !characters.is_empty() => characters[index] = odd[chance.below(odd.len())],
        3 if !characters.is_empty() => drop(characters.remove(index)),
        4 => characters.truncate(index),
        5 => characters.extend(std::iter::repeat_n('a', [1, 2, 30, 64][chance.below(4)])),
        6 => return text.to_uppercase(),
        _ => {
            let words = ["svc-brain", "active", "events:ingest", "svc:sense:x", "abcdefgh", KEYS[0], ""];
            return chance.pick(&words).to_owned();
        }
    }
    characters.into_iter().collect()
}

fn junk(chance: &mut Chance) -> Value {
    let choices = [
        Value::Null,
        json!(true),
        json!(0),
        json!(-1.5),
        json!(""),
        json!("svc-brain"),
        json!([]),
        json!({}),
        json!([[]]),
        json!({ "kid": "abcdefgh" }),
        json!(["events:ingest"]),
        json!(9_007_199_254_740_993_i64),
    ];
    choices[chance.below(choices.len())].clone()
}
