//! A settings file with hooks, edited at its hooks and nowhere else.
//!
//! Everything else is kept as text, so order, spaces and numbers are preserved.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::clients::SIGN;

/// A JSON object that keeps its order.
struct Ordered(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Ordered;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Ordered(entries))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

/// The text of the file, parsed as far as needed.
pub(super) struct Settings {
    /// Top-level entries; the value of the hooks is empty there.
    entries: Vec<(String, String)>,
    /// The entries of the hooks.
    hooks: Vec<(String, Entry)>,
}

/// An entry of the hooks.
enum Entry {
    /// The groups of an event, each as text.
    Groups(Vec<String>),
    /// Another value, as text: clients keep switches there too.
    Other(String),
}

const HOOKS: &str = "hooks";

impl Settings {
    /// Parses a file; an empty one has no settings.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim_start_matches('\u{feff}');
        let mut settings = Self { entries: Vec::new(), hooks: Vec::new() };
        if text.trim().is_empty() {
            return Ok(settings);
        }
        for (name, value) in read::<Ordered>(text)?.0 {
            if name == HOOKS {
                settings.hooks = events(value.get())?;
                settings.entries.push((name, String::new()));
            } else {
                settings.entries.push((name, value.get().to_owned()));
            }
        }
        if settings.entries.iter().filter(|(name, _)| name == HOOKS).count() > 1 {
            return Err("the key hooks is repeated".into());
        }
        Ok(settings)
    }

    /// Adds our group to an event, replacing an earlier one, or removes it.
    pub(super) fn set(&mut self, event: &str, group: Option<&Value>) -> Result<(), String> {
        let place = self.hooks.iter().position(|(name, _)| name == event);
        let old = match place.map(|place| &self.hooks[place].1) {
            None => Vec::new(),
            Some(Entry::Groups(groups)) => groups.clone(),
            Some(Entry::Other(_)) => return Err(format!("hooks.{event} is not a list")),
        };
        let mut new = Vec::new();
        let mut ours = group.map(|group| indented(group, 3));
        for text in &old {
            match without_ours(text)? {
                Kept::Whole => new.push(text.clone()),
                Kept::Part(rest) => new.push(indented(&rest, 3)),
                // An unchanged group keeps its position.
                Kept::Nothing => new.extend(ours.take()),
            }
        }
        new.extend(ours);
        match place {
            Some(place) if new.is_empty() && !old.is_empty() => drop(self.hooks.remove(place)),
            Some(place) => self.hooks[place].1 = Entry::Groups(new),
            None if new.is_empty() => {}
            None => self.hooks.push((event.to_owned(), Entry::Groups(new))),
        }
        Ok(())
    }

    /// The new text of the file.
    pub(super) fn print(&self) -> String {
        let mut entries: Vec<(String, String)> = self
            .entries
            .iter()
            .filter(|(name, _)| name != HOOKS || !self.hooks.is_empty())
            .map(|(name, text)| (name.clone(), if name == HOOKS { self.print_hooks() } else { text.clone() }))
            .collect();
        if !self.hooks.is_empty() && !entries.iter().any(|(name, _)| name == HOOKS) {
            entries.push((HOOKS.to_owned(), self.print_hooks()));
        }
        format!("{}\n", object(&entries, 0))
    }

    fn print_hooks(&self) -> String {
        let events: Vec<(String, String)> =
            self.hooks.iter().map(|(name, entry)| (name.clone(), entry.print())).collect();
        object(&events, 1)
    }
}

impl Entry {
    fn print(&self) -> String {
        match self {
            Self::Other(text) => text.clone(),
            Self::Groups(groups) if groups.is_empty() => "[]".into(),
            Self::Groups(groups) => {
                let groups: Vec<String> = groups.iter().map(|group| format!("{}{group}", margin(3))).collect();
                format!("[\n{}\n{}]", groups.join(",\n"), margin(2))
            }
        }
    }
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn events(text: &str) -> Result<Vec<(String, Entry)>, String> {
    let entries = read::<Ordered>(text).map_err(|reason| format!("hooks: {reason}"))?;
    let entry = |(name, value): (String, Box<RawValue>)| match read::<Vec<Box<RawValue>>>(value.get()) {
        Ok(groups) => (name, Entry::Groups(groups.iter().map(|group| group.get().to_owned()).collect())),
        Err(_) => (name, Entry::Other(value.get().to_owned())),
    };
    Ok(entries.0.into_iter().map(entry).collect())
}

/// The rest of a group without our hooks.
enum Kept {
    Whole,
    Part(Value),
    Nothing,
}

fn without_ours(text: &str) -> Result<Kept, String> {
    let mut group: Value = read(text)?;
    let Some(hooks) = group.get_mut(HOOKS).and_then(Value::as_array_mut) else { return Ok(Kept::Whole) };
    let before = hooks.len();
    hooks.retain(|hook| !hook["command"].as_str().is_some_and(|command| command.ends_with(SIGN)));
    Ok(match hooks.len() {
        left if left == before => Kept::Whole,
        0 => Kept::Nothing,
        _ => Kept::Part(group),
    })
}

fn margin(depth: usize) -> String {
    "  ".repeat(depth)
}

fn object(entries: &[(String, String)], depth: usize) -> String {
    if entries.is_empty() {
        return "{}".into();
    }
    let lines: Vec<String> = entries
        .iter()
        .map(|(name, text)| format!("{}{}: {text}", margin(depth + 1), Value::from(name.as_str())))
        .collect();
    format!("{{\n{}\n{}}}", lines.join(",\n"), margin(depth))
}

/// A formatted value with all lines but the first indented.
fn indented(value: &Value, depth: usize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.replace('\n', &format!("\n{}", margin(depth)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn ours(place: &str) -> Value {
        json!({ "hooks": [{ "type": "command", "command": format!("svc-mcp-stdio{place}{SIGN}") }] })
    }

    fn changed(text: &str, group: Option<&Value>) -> Result<String, String> {
        let mut settings = Settings::parse(text)?;
        for event in ["SessionStart", "Stop"] {
            settings.set(event, group)?;
        }
        Ok(settings.print())
    }

    const THEIRS: &str = r#"{
  "model": "x",   "big": 12345678901234567890.10,
  "hooks": {
    "enabled": true,
    "Stop": [
      { "hooks": [ { "type": "command", "command": "say done" } ] }
    ]
  },
  "last": [1,2]
}
"#;

    #[test]
    fn an_empty_file_gets_hooks_and_loses_them_again() {
        let with = changed("", Some(&ours(""))).unwrap();
        let value: Value = serde_json::from_str(&with).unwrap();
        assert_eq!(value["hooks"]["Stop"], json!([ours("")]));
        assert_eq!(changed(&with, Some(&ours(""))).unwrap(), with);
        assert_eq!(changed(&with, None).unwrap(), "{}\n");
    }

    #[test]
    fn other_entries_are_preserved_exactly() {
        let with = changed(THEIRS, Some(&ours(""))).unwrap();
        for kept in
            ["12345678901234567890.10", r#"{ "hooks": [ { "type": "command", "command": "say done" } ] }"#, "[1,2]"]
        {
            assert!(with.contains(kept), "{kept} is not in {with}");
        }
        let value: Value = serde_json::from_str(&with).unwrap();
        assert_eq!(value["hooks"]["enabled"], true);
        assert_eq!(value["hooks"]["Stop"].as_array().unwrap().len(), 2);
        let without: Value = serde_json::from_str(&changed(&with, None).unwrap()).unwrap();
        assert_eq!(without, serde_json::from_str::<Value>(THEIRS).unwrap());
    }

    #[test]
    fn installing_elsewhere_replaces_and_a_shared_group_is_parted() {
        let first = changed(THEIRS, Some(&ours(" --data /a"))).unwrap();
        let second = changed(&first, Some(&ours(" --data /b"))).unwrap();
        assert!(second.contains("/b") && !second.contains("/a"), "{second}");
        let mut shared = ours("");
        shared["hooks"].as_array_mut().unwrap().push(json!({"type":"command","command":"say done"}));
        let text = json!({"hooks":{"Stop":[shared]}}).to_string();
        let left: Value = serde_json::from_str(&changed(&text, None).unwrap()).unwrap();
        assert_eq!(left["hooks"]["Stop"][0]["hooks"], json!([{"type":"command","command":"say done"}]));
    }

    #[test]
    fn ambiguous_files_are_rejected() {
        for text in [
            "{",
            "[]",
            "7",
            "{\"a\":1,}",
            "// mine\n{}",
            "{\"hooks\":[]}",
            "{\"hooks\":{\"Stop\":{}}}",
            "{\"hooks\":{},\"hooks\":{}}",
        ] {
            assert!(changed(text, Some(&ours(""))).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn installing_and_removing_leaves_everything_else(names in proptest::collection::btree_set("[a-z\"\\\\]{1,6}", 0..5), number: i64) {
            let others: serde_json::Map<String, Value> =
                names.into_iter().filter(|name| name != HOOKS).map(|name| (name, json!({"n": number, "t": "{}"}))).collect();
            let text = serde_json::to_string_pretty(&others).unwrap();
            let with = changed(&text, Some(&ours(""))).unwrap();
            prop_assert_eq!(&changed(&with, Some(&ours(""))).unwrap(), &with);
            let without: Value = serde_json::from_str(&changed(&with, None).unwrap()).unwrap();
            prop_assert_eq!(without, Value::Object(others));
        }
    }
}
