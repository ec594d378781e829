//! The published schema of registries and the loader: of ten thousand documents they say the same.

use std::collections::BTreeSet;

use serde_json::Value;
use svc_core::principals::REGISTRY_SCHEMA;

#[path = "../../examples/registry_mutants/mutants.rs"]
mod mutants;

use mutants::Mutant;

const MUTANTS: u64 = 10_000;

#[test]
fn the_schema_and_the_loader_agree_on_ten_thousand_documents() {
    let schema: Value = serde_json::from_str(REGISTRY_SCHEMA).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let (mut fit, mut taken) = (0, 0);
    for number in 0..MUTANTS {
        let mutant = Mutant::new(number);
        let document: Value = serde_json::from_str(&mutant.document).unwrap();
        assert_eq!(validator.is_valid(&document), mutant.fits_schema, "{number}: {}", mutant.document);
        assert!(!mutant.is_taken || is_unique(&mutant.document, &document), "{number}: {}", mutant.document);
        fit += u64::from(mutant.fits_schema);
        taken += u64::from(mutant.is_taken);
    }
    // Both verdicts are common enough to mean something, and so is what a schema cannot say.
    assert!((MUTANTS / 5..MUTANTS * 4 / 5).contains(&fit), "{fit}");
    assert!((MUTANTS / 5..fit - MUTANTS / 100).contains(&taken), "{taken} of {fit}");
}

/// Whether nothing stands twice that may stand once in a registry, which a schema cannot say.
fn is_unique(text: &str, document: &Value) -> bool {
    let mut names = BTreeSet::new();
    let principals = document["principals"].as_array().into_iter().flatten();
    let keys =
        document["principals"].as_array().into_iter().flatten().filter_map(|one| one["keys"].as_array()).flatten();
    let ids = principals.map(|one| &one["principal_id"]).chain(keys.map(|key| &key["kid"]));
    ids.into_iter().all(|id| names.insert(id.to_string())) && text.matches("\"audience\":").count() == 1
}

#[test]
fn a_registry_with_a_name_twice_is_not_unique() {
    for (text, is) in [
        (r#"{"audience":1,"principals":[{"principal_id":"a","keys":[{"kid":"k"}]}]}"#, true),
        (r#"{"audience":1,"audience":1,"principals":[]}"#, false),
        (r#"{"audience":1,"principals":[{"principal_id":"a"},{"principal_id":"a"}]}"#, false),
        (r#"{"audience":1,"principals":[{"keys":[{"kid":"k"},{"kid":"k"}]}]}"#, false),
    ] {
        assert_eq!(is_unique(text, &serde_json::from_str(text).unwrap()), is, "{text}");
    }
}

#[test]
fn every_level_of_the_schema_is_closed_and_described() {
    fn look(schema: &Value, place: &str) {
        if let Some(Value::Object(properties)) = schema.get("properties") {
            assert_eq!(schema["additionalProperties"], false, "{place}");
            assert_eq!(schema["required"].as_array().map(Vec::len), Some(properties.len()), "{place}");
        }
        if schema.get("type").is_some() {
            assert!(schema["title"].is_string() && schema["description"].is_string(), "{place} is not described");
        }
        let inner = ["properties", "$defs"].iter().filter_map(|name| schema.get(name)?.as_object()).flatten();
        for (name, schema) in inner {
            look(schema, &format!("{place}/{name}"));
        }
        if let Some(items) = schema.get("items") {
            look(items, &format!("{place}/items"));
        }
    }
    let schema: Value = serde_json::from_str(REGISTRY_SCHEMA).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert!(schema["$id"].is_string());
    look(&schema, "");
}
