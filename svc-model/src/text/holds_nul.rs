//! Detection of the NUL character, which PostgreSQL accepts in no text.

use serde_json::Value;

/// Whether a JSON value contains a NUL, in a string or in a name. The check is made on the decoded value
/// rather than on its JSON text, where `u0000` after an escaped backslash is just letters.
pub fn holds_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(holds_nul),
        Value::Object(fields) => fields.iter().any(|(name, value)| name.contains('\0') || holds_nul(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nul_is_distinguished_from_its_escape_in_text() {
        for (text, expected) in [
            (r#"{"a": "\u0000"}"#, true),
            (r#"{"\u0000": 1}"#, true),
            (r#"{"a": [1, {"b": "x\\\u0000"}]}"#, true),
            (r#"{"a": "\\u0000"}"#, false),
            (r#"{"\\u0000": "u0000"}"#, false),
            (r#"{"a": ["\\\\u0000", 0, null, true]}"#, false),
        ] {
            assert_eq!(holds_nul(&serde_json::from_str(text).unwrap()), expected, "{text}");
        }
    }
}
