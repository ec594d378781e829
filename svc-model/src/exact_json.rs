//! Lossless JSON: a value is stored exactly as it was sent, or rejected. An object must not repeat a name,
//! and a number must survive a round trip.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Reads a JSON value that must be stored losslessly; for `deserialize_with`.
pub fn exact_json<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    let Unrepeated(value) = serde_json::from_str(raw.get()).map_err(|error| {
        let message = error.to_string();
        D::Error::custom(message.split(" at line ").next().unwrap_or(&message))
    })?;
    match numbers(raw.get()).find(|number| !survives(number)) {
        Some(number) => Err(D::Error::custom(format!(
            "the number {} cannot be kept exactly: send it as a string",
            number.chars().take(40).collect::<String>()
        ))),
        None => Ok(value),
    }
}

/// Reads an optional JSON value that must be stored losslessly. See [`exact_json`].
pub fn exact_json_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    exact_json(deserializer).map(|value| Some(value).filter(|value| !value.is_null()))
}

/// A value in which no object repeats a name.
struct Unrepeated(Value);

impl<'de> Deserialize<'de> for Unrepeated {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader).map(Self)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Unrepeated(item)) = list.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some((name, Unrepeated(value))) = object.next_entry::<String, _>()? {
            if fields.contains_key(&name) {
                return Err(A::Error::custom(format!("the name {} is repeated in one object", Value::from(name))));
            }
            fields.insert(name, value);
        }
        Ok(Value::Object(fields))
    }
}

/// The numbers of a JSON text, as they are written.
fn numbers(json: &str) -> impl Iterator<Item = &str> {
    // Text between unescaped quotation marks is a string.
    let (mut in_string, mut is_hidden) = (false, false);
    json.split(move |character: char| {
        let was_hidden = std::mem::take(&mut is_hidden);
        match character {
            '"' if !was_hidden => in_string = !in_string,
            '\\' if in_string && !was_hidden => is_hidden = true,
            _ => {}
        }
        in_string || !(character.is_ascii_digit() || matches!(character, '-' | '+' | '.' | 'e' | 'E'))
    })
    // The letter `e` also occurs outside of numbers.
    .filter(|token| token.bytes().any(|byte| byte.is_ascii_digit()))
}

/// Whether a number is unchanged after a round trip.
fn survives(number: &str) -> bool {
    serde_json::from_str::<Value>(number).is_ok_and(|read| decimal(&read.to_string()) == decimal(number))
}

/// A number as its sign, its digits without zeros at either end, and the power of ten of the last digit.
fn decimal(number: &str) -> Option<(bool, String, i64)> {
    let (negative, number) = number.strip_prefix('-').map_or((false, number), |rest| (true, rest));
    let (plain, power) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, part) = plain.split_once('.').unwrap_or((plain, ""));
    let digits = format!("{whole}{part}");
    let digits = digits.trim_start_matches('0');
    let kept = digits.trim_end_matches('0');
    if kept.is_empty() {
        return Some((false, String::new(), 0));
    }
    let power: i64 = power.parse().ok()?;
    let moved = i64::try_from(digits.len() - kept.len()).ok()? - i64::try_from(part.len()).ok()?;
    Some((negative, kept.to_owned(), power.checked_add(moved)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Result<Value, String> {
        exact_json(&mut serde_json::Deserializer::from_str(text)).map_err(|error| error.to_string())
    }

    #[test]
    fn lossless_values_are_accepted() {
        for text in [
            "null",
            "[]",
            "0",
            "-0",
            "0.0e5",
            "1.50",
            "1e3",
            "1E+3",
            "18446744073709551615",
            "-9223372036854775808",
            "0.1",
            "5e-324",
            "1.7976931348623157e308",
            r#"{"a": {"a": [1, {"a": 2}]}, "b": "a\"1e999\\"}"#,
            r#""99999999999999999999999""#,
            "[true, false, null, 1]",
        ] {
            assert_eq!(read(text), Ok(serde_json::from_str(text).unwrap()), "{text}");
        }
    }

    #[test]
    fn lossy_values_are_rejected() {
        for text in
            ["18446744073709551617", "[1, -9223372036854775809]", "0.1000000000000000055511151231257827", "1e-400"]
        {
            assert!(read(text).unwrap_err().contains("cannot be kept exactly"), "{text}");
        }
        for text in [r#"{"a": 1, "a": 1}"#, r#"[{"b": {"a": 1, "c": 2, "\u0061": 3}}]"#] {
            assert!(read(text).unwrap_err().contains(r#"the name "a" is repeated"#), "{text}");
        }
        assert!(read("1e400").is_err());
        assert!(read(&"[".repeat(10_000)).is_err());
        assert!(read(&format!("{}{}", "[".repeat(10_000), "]".repeat(10_000))).is_err());
    }

    #[test]
    fn a_missing_value_may_be_null() {
        let read = |text: &str| exact_json_or_none(&mut serde_json::Deserializer::from_str(text)).unwrap();
        assert_eq!((read("null"), read("{}")), (None, Some(json!({}))));
    }

    proptest! {
        #[test]
        fn numbers_survive_a_round_trip(double in any::<f64>(), whole in any::<i64>()) {
            for number in [json!(double), json!(whole)] {
                prop_assert_eq!(read(&number.to_string()), Ok(number));
            }
        }
    }
}
