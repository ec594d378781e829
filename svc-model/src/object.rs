//! Objects in requests. Derived implementations also accept a list of the fields, which no description of the API tells.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

/// Reads an optional object, and nothing in place of it; for `deserialize_with`.
pub(crate) fn object_or_none<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_any(Object(PhantomData))
}

/// Reads an object; for `deserialize_with`.
pub(crate) fn object<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    object_or_none(deserializer)?.ok_or_else(|| D::Error::custom("invalid type: null, expected an object"))
}

struct Object<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
    type Value = Option<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Limits {
        usd: Option<u32>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Settings {
        #[serde(default, deserialize_with = "object_or_none")]
        limits: Option<Limits>,
    }

    #[test]
    fn a_list_of_fields_is_no_object() {
        let read = |text: &str| serde_json::from_str::<Settings>(text);
        assert_eq!(read(r#"{"limits": {"usd": 3}}"#).unwrap().limits, Some(Limits { usd: Some(3) }));
        assert_eq!(read(r#"{"limits": {}}"#).unwrap().limits, Some(Limits { usd: None }));
        assert_eq!(read(r#"{"limits": null}"#).unwrap().limits, None);
        assert_eq!(read("{}").unwrap().limits, None);
        for other in ["[3]", "[]", "3", "\"\""] {
            let refusal = read(&format!(r#"{{"limits": {other}}}"#)).unwrap_err().to_string();
            assert!(refusal.contains("expected an object"), "{refusal}");
        }
    }
}
