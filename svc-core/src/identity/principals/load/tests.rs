//! Tests of registry documents: accepted ones, and faults with their codes.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::limits;

/// Public keys of RFC 8032, section 7.1.
const KEYS: [&str; 2] = ["11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw"];

fn good() -> Value {
    json!({
        "version": VERSION,
        "audience": "svc-brain",
        "principals": [
            {
                "principal_id": "svc:sense:door-1",
                "enabled": true,
                "keys": [
                    {
                        "kid": "door-2026-a",
                        "public_key_base64url": KEYS[0],
                        "status": "active",
                        "scopes": ["events:ingest", "evidence:read"],
                    },
                    {
                        "kid": "door-2026-b",
                        "public_key_base64url": KEYS[1],
                        "status": "revoked",
                        "scopes": ["source-config:write"],
                    },
                ],
            },
            { "principal_id": "svc:bell:b", "enabled": false, "keys": [] },
        ],
    })
}

/// The valid document with another value at a location.
fn with(pointer: &str, value: Value) -> Value {
    let mut document = good();
    *document.pointer_mut(pointer).unwrap() = value;
    document
}

fn refused(document: &Value) -> Faults {
    load_registry(document.to_string().as_bytes()).unwrap_err()
}

/// The locations and codes of all faults.
fn faults(document: &Value) -> Vec<(String, &'static str)> {
    refused(document).faults.into_iter().map(|fault| (fault.pointer, fault.code.as_str())).collect()
}

#[track_caller]
fn assert_fault(pointer: &str, value: Value, place: &str, code: &str) {
    let document = with(pointer, value);
    assert_eq!(faults(&document), [(place.to_owned(), code)], "{document}");
}

#[test]
fn a_valid_document_is_parsed() {
    let registry = load_registry(good().to_string().as_bytes()).unwrap();
    assert_eq!(registry.audience, Audience::SvcBrain);
    assert_eq!(registry.principals.len(), 2);
    let door = &registry.principals[0];
    assert_eq!((door.principal_id.as_str(), door.enabled, door.keys.len()), ("svc:sense:door-1", true, 2));
    assert_eq!(door.keys[0].scopes, [Scope::EventsIngest, Scope::EvidenceRead]);
    assert_eq!(door.keys[0].public_key.0[..4], [0xd7, 0x5a, 0x98, 0x01]);
    assert_eq!(door.keys[1].status, MachineKeyStatus::Revoked);
    let empty = json!({ "version": VERSION, "audience": "svc-bell", "principals": [] });
    assert!(load_registry(format!("\n{empty}\n").as_bytes()).unwrap().principals.is_empty());
}

#[test]
fn all_faults_are_reported_with_their_locations() {
    let document = json!({
        "version": "svc.machine-principal-registry/v2",
        "audience": "svc-nose",
        "principals": [
            {
                "principal_id": "svc:sense:Door",
                "enabled": "yes",
                "keys": [{ "kid": "short", "public_key_base64url": "x", "status": "lost", "scopes": [], "n~/": 1 }],
            },
            7,
            { "principal_id": "svc:sense:b", "keys": {} },
        ],
        "comment": "none",
    });
    let expected = [
        ("/comment", "unknown_property"),
        ("/version", "wrong_version"),
        ("/audience", "unknown_word"),
        ("/principals/0/principal_id", "wrong_form"),
        ("/principals/0/enabled", "wrong_type"),
        ("/principals/0/keys/0/n~0~1", "unknown_property"),
        ("/principals/0/keys/0/kid", "wrong_form"),
        ("/principals/0/keys/0/public_key_base64url", "wrong_form"),
        ("/principals/0/keys/0/status", "unknown_word"),
        ("/principals/0/keys/0/scopes", "too_few"),
        ("/principals/1", "wrong_type"),
        ("/principals/2", "missing_property"),
        ("/principals/2/keys", "wrong_type"),
    ];
    assert_eq!(faults(&document), expected.map(|(pointer, code)| (pointer.to_owned(), code)));
    let sentence = refused(&document).to_string();
    assert!(sentence.starts_with("The registry has 13 faults, the first: /comment is unknown"), "{sentence}");
}

#[test]
fn names_must_match_their_patterns_completely() {
    let long = |length: usize| format!("svc:sense:{}", "a".repeat(length));
    for id in ["svc:brain:0", "svc:bell:a.b-c", "svc:sense:a-", &long(63)] {
        assert!(load_registry(with("/principals/0/principal_id", id.into()).to_string().as_bytes()).is_ok(), "{id}");
    }
    let bad = [
        "svc:sense:",
        "svc:sense:-a",
        "svc:sense:.a",
        "svc:sense:A",
        "svc:nose:a",
        "svc:sense:a\n",
        " svc:sense:a",
        "svc:sense:a_b",
        "svc:sense:é",
        "SVC:sense:a",
        "",
        &long(64),
    ];
    for id in bad {
        let place = "/principals/0/principal_id";
        assert_fault(place, id.into(), place, "wrong_form");
    }
    for kid in ["abcdefgh", &"K".repeat(64), "a.b_c-d9"] {
        assert!(load_registry(with("/principals/0/keys/0/kid", kid.into()).to_string().as_bytes()).is_ok(), "{kid}");
    }
    for kid in ["abcdefg", &"k".repeat(65), "abcdefgh\n", "abc/defgh", "abcdéfgh", ""] {
        let place = "/principals/0/keys/0/kid";
        assert_fault(place, kid.into(), place, "wrong_form");
    }
}

#[test]
fn duplicates_are_rejected() {
    let place = "/principals/1/principal_id";
    assert_fault(place, "svc:sense:door-1".into(), place, "duplicate_principal");
    let place = "/principals/0/keys/1/kid";
    assert_fault(place, "door-2026-a".into(), place, "duplicate_kid");
    let key = json!({ "kid": "door-2026-a", "public_key_base64url": KEYS[1], "status": "active", "scopes": ["events:ingest"] });
    assert_fault("/principals/1/keys", json!([key]), "/principals/1/keys/0/kid", "duplicate_kid");
    assert!(!refused(&with(place, "door-2026-a".into())).schema);

    let text = good().to_string().replacen("\"enabled\":true", "\"enabled\":false,\"enabled\":true", 1);
    let faults = load_registry(text.as_bytes()).unwrap_err();
    assert_eq!((faults.total(), faults.schema), (1, false), "{faults}");
    assert_eq!(faults.faults[0].pointer, "/principals/0/enabled");
    assert_eq!(faults.faults[0].code, FaultCode::DuplicateProperty);
}

#[test]
fn scopes_are_one_to_four_different_words() {
    let place = "/principals/0/keys/0/scopes";
    let all = json!(["events:ingest", "evidence:read", "runtime-status:write", "source-config:write"]);
    assert!(load_registry(with(place, all.clone()).to_string().as_bytes()).is_ok());
    assert_fault(place, json!([]), place, "too_few");
    assert_fault(place, json!(["events:ingest", "events:ingest"]), &format!("{place}/1"), "repeated_item");
    assert_fault(place, json!(["events:write"]), &format!("{place}/0"), "unknown_word");
    assert_fault(place, json!(["events:ingest\n"]), &format!("{place}/0"), "unknown_word");
    let mut five = all;
    five.as_array_mut().unwrap().push("events:ingest".into());
    let expected = [(place.to_owned(), "too_many"), (format!("{place}/4"), "repeated_item")];
    assert_eq!(faults(&with(place, five)), expected);
}

#[test]
fn public_keys_must_be_canonical_and_usable() {
    let place = "/principals/0/keys/0/public_key_base64url";
    let cases = [
        // Padding, the other alphabet, a line feed, lengths.
        ("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=", "wrong_form"),
        ("11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo", "wrong_form"),
        ("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\n", "wrong_form"),
        ("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHUR", "wrong_form"),
        ("éqYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "wrong_form"),
        // The same bytes with the unused bits set.
        ("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURp", "non_canonical_key"),
        ("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURr", "non_canonical_key"),
        // y = 2 is not on the curve; y = p + 3 is another encoding of y = 3.
        ("AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "not_a_point"),
        ("8P_______________________________________38", "non_canonical_key"),
        // Orders 1, 2, 4 and 8, and the neutral point with a sign.
        ("AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "weak_key"),
        ("7P_______________________________________38", "weak_key"),
        ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "weak_key"),
        ("xxdqcD1N2E-6PAt2DRBnDyogU_osOczGTsf9d5KsA3o", "weak_key"),
        ("AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA", "weak_key"),
    ];
    for (key, code) in cases {
        assert_fault(place, key.into(), place, code);
        assert_eq!(refused(&with(place, key.into())).schema, code == "wrong_form", "{key}");
    }
    let y_is_3 = "AwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    assert!(load_registry(with(place, y_is_3.into()).to_string().as_bytes()).is_ok());
}

#[test]
fn a_document_with_many_faults_lists_the_first() {
    let faults = refused(&with("/principals", vec![Value::Null; 5000].into()));
    assert_eq!((faults.faults.len(), faults.more), (limits::REGISTRY_FAULTS_MAX, 4900));
    let error = crate::Error::from(faults);
    assert_eq!((error.code(), error.details()["more_faults"].as_u64()), ("registry_invalid", Some(4900)));
    assert!(error.message().ends_with("Nothing was changed."), "{error}");
}

#[test]
fn documents_must_be_objects() {
    for text in ["null", "1", "\"a\"", "[]", "true", "{}"] {
        let faults = load_registry(text.as_bytes()).unwrap_err();
        assert!(faults.schema && faults.faults[0].pointer.is_empty(), "{text}: {faults}");
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_are_rejected(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert!(load_registry(&bytes).is_err());
    }

    #[test]
    fn arbitrary_text_is_rejected(text in "[\\[\\]{}\",:a-z0-9\\\\ \n-]{0,400}") {
        prop_assert!(load_registry(text.as_bytes()).is_err());
    }

    #[test]
    fn a_changed_byte_does_not_panic(place in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = good().to_string().into_bytes();
        let place = place.index(bytes.len());
        bytes[place] = byte;
        if let Err(faults) = load_registry(&bytes) {
            prop_assert!(!faults.is_empty());
        }
    }
}
