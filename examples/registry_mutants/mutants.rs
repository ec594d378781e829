//! Registry documents with random changes, reproducible by their number.

use serde_json::{Map, Value, json};
use svc_core::principals::load_registry;

/// Public keys of RFC 8032, section 7.1.
const KEYS: [&str; 5] = [
    "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw",
    "_FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU",
    "J4EX_BRMcjQPZ9DyMW6Dhs7_vyskKMnFH-98WX8dQm4",
    "7Bcrk61eVj9JMscOEkUDTDVGfvLv1NZOv4GWg0Z-K_I",
];
const SCOPES: [&str; 4] = ["source-config:write", "runtime-status:write", "events:ingest", "evidence:read"];
/// Names that a validator may confuse with something else than a property.
const NAMES: [&str; 10] =
    ["comment", "", "__proto__", "constructor", "toString", "$ref", "Version", "kid ", "a/b~c", "enabled\n"];

/// A possibly changed document and the verdict of the loader.
pub(crate) struct Mutant {
    /// The document.
    pub(crate) document: String,
    /// Whether the loader finds no schema violation.
    pub(crate) fits_schema: bool,
    /// Whether the loader accepts it.
    pub(crate) is_taken: bool,
}

impl Mutant {
    /// The document with this number.
    pub(crate) fn new(number: u64) -> Self {
        let mut random = Random(number);
        let mut value = registry(&mut random);
        for _ in 0..random.below(4) {
            change(&mut value, &mut random);
        }
        let mut document = value.to_string();
        if random.one_in(12) && value.as_object().is_some_and(|object| !object.is_empty()) {
            // A duplicate property; the later one counts.
            document.insert_str(1, &format!("\"audience\":{},", junk(&mut random)));
        }
        let loaded = load_registry(document.as_bytes());
        let fits_schema = loaded.as_ref().err().is_none_or(|faults| !faults.schema);
        Self { document, fits_schema, is_taken: loaded.is_ok() }
    }
}

/// A reproducible pseudo-random number generator.
struct Random(u64);

impl Random {
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

/// A valid document.
fn registry(random: &mut Random) -> Value {
    let mut kids = 0;
    let principals: Vec<Value> = (0..random.below(4)).map(|index| principal(index, &mut kids, random)).collect();
    json!({
        "version": "svc.machine-principal-registry/v1",
        "audience": random.pick(&["svc-sense", "svc-brain", "svc-bell"]),
        "principals": principals,
    })
}

fn principal(index: usize, kids: &mut usize, random: &mut Random) -> Value {
    let kind = random.pick(&["sense", "brain", "bell"]);
    let length = [0, 1, 20, 61, 62][random.below(5)];
    let tail: String = (0..length).map(|_| random.pick(&["a", "7", ".", "-", "z"])).collect();
    let tail: String = tail.chars().take(62).collect();
    // The first character distinguishes the principals of a document.
    let keys: Vec<Value> = (0..random.below(3)).map(|_| key(kids, random)).collect();
    json!({ "principal_id": format!("svc:{kind}:{index}{tail}"), "enabled": random.one_in(2), "keys": keys })
}

fn key(kids: &mut usize, random: &mut Random) -> Value {
    *kids += 1;
    let filler = ["Key_2026.", "k-----------", "ABCDEFG"][random.below(3)];
    let kid: String = filler.repeat(1 + random.below(5)).chars().take(63).collect();
    let first = random.below(SCOPES.len());
    let scopes: Vec<_> = (0..=random.below(4)).map(|step| SCOPES[(first + step) % SCOPES.len()]).collect();
    json!({
        "kid": format!("{kid}{kids}"),
        "public_key_base64url": KEYS[random.below(KEYS.len())],
        "status": random.pick(&["active", "revoked"]),
        "scopes": scopes,
    })
}

/// Changes one value somewhere in the document.
fn change(value: &mut Value, random: &mut Random) {
    match value {
        Value::Array(items) if !items.is_empty() && !random.one_in(5) => {
            let index = random.below(items.len());
            change(&mut items[index], random);
        }
        Value::Object(fields) if !fields.is_empty() && !random.one_in(5) => {
            let index = random.below(fields.len());
            let field = fields.values_mut().nth(index).expect("the index is below the length");
            change(field, random);
        }
        Value::Array(items) => change_list(items, random),
        Value::Object(fields) => change_object(fields, random),
        Value::String(text) if !random.one_in(6) => *text = changed_text(text, random),
        other => *other = junk(random),
    }
}

fn change_list(items: &mut Vec<Value>, random: &mut Random) {
    let index = random.below(items.len());
    match random.below(4) {
        0 if !items.is_empty() => drop(items.remove(index)),
        1 if !items.is_empty() => items.push(items[index].clone()),
        2 => items.clear(),
        _ => items.insert(index, junk(random)),
    }
}

fn change_object(fields: &mut Map<String, Value>, random: &mut Random) {
    let index = random.below(fields.len());
    let name = fields.keys().nth(index).cloned();
    match (random.below(3), name) {
        (0, Some(name)) => drop(fields.remove(&name)),
        (1, Some(name)) => {
            let value = fields.remove(&name).unwrap_or_default();
            fields.insert(random.pick(&NAMES).to_owned(), value);
        }
        _ => drop(fields.insert(random.pick(&NAMES).to_owned(), junk(random))),
    }
}

fn changed_text(text: &str, random: &mut Random) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let index = random.below(characters.len());
    let odd = ['\n', '\r', ' ', '=', '+', '/', ':', '.', '-', '_', 'A', 'a', '0', 'é', '\u{0}', '\u{2028}', '🦀', 'ſ'];
    match random.below(8) {
        0 => characters.push(odd[random.below(odd.len())]),
        1 => characters.insert(index, odd[random.below(odd.len())]),
        2 if !characters.is_empty() => characters[index] = odd[random.below(odd.len())],
        3 if !characters.is_empty() => drop(characters.remove(index)),
        4 => characters.truncate(index),
        5 => characters.extend(std::iter::repeat_n('a', [1, 2, 30, 64][random.below(4)])),
        6 => return text.to_uppercase(),
        _ => {
            let words = ["svc-brain", "active", "events:ingest", "svc:sense:x", "abcdefgh", KEYS[0], ""];
            return random.pick(&words).to_owned();
        }
    }
    characters.into_iter().collect()
}

fn junk(random: &mut Random) -> Value {
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
    choices[random.below(choices.len())].clone()
}
