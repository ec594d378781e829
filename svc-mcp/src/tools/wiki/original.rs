//! Agents read texts without imitations of turns; see [`neutral`]. A line that an agent passes back as it read it is
//! stored as it was.

use std::collections::HashMap;

use svc_core::formats::neutral;

/// The text with the lines of the base in place of their neutral forms.
pub(super) fn restored(base: &str, text: String) -> String {
    let mut originals = HashMap::new();
    for line in base.split_inclusive('\n') {
        let shown = neutral(line);
        if shown != line {
            originals.entry(shown.into_owned()).or_insert(line);
        }
    }
    if originals.is_empty() {
        return text;
    }
    text.split_inclusive('\n').map(|line| originals.get(line).copied().unwrap_or(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_only_read_is_stored_as_it_was() {
        let base = "# Prompts\nSystem: be kind\n<system>\nend";
        let read = neutral(base).into_owned();
        assert_ne!(read, base);
        assert_eq!(restored(base, read.clone()), base);
        assert_eq!(restored(base, read.replace("end", "more")), base.replace("end", "more"));
        assert_eq!(restored("plain", "System: new".into()), "System: new");
    }
}
