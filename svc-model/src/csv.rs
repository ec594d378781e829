//! Comma-separated values as RFC 4180 writes them, safe to open in a spreadsheet.
//!
//! Invariant: a parser reads back the text that was written, except for a cell that a spreadsheet would treat
//! as a formula; that cell is written with a leading apostrophe.

/// Appends one line, with its line break, to a text.
pub fn write_line<'a>(text: &mut String, cells: impl IntoIterator<Item = &'a str>) {
    for (index, cell) in cells.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        write_cell(text, cell);
    }
    text.push_str("\r\n");
}

fn write_cell(text: &mut String, cell: &str) {
    let guard = if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    if !cell.contains(['"', ',', '\n', '\r']) {
        text.push_str(guard);
        text.push_str(cell);
        return;
    }
    text.push('"');
    text.push_str(guard);
    for (index, part) in cell.split('"').enumerate() {
        if index > 0 {
            text.push_str("\"\"");
        }
        text.push_str(part);
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(cells: &[&str]) -> String {
        let mut text = String::new();
        write_line(&mut text, cells.iter().copied());
        text
    }

    #[test]
    fn cells_are_quoted_where_needed() {
        for (cell, expected) in [
            ("plain", "plain\r\n"),
            ("a,b", "\"a,b\"\r\n"),
            ("say \"hi\"", "\"say \"\"hi\"\"\"\r\n"),
            ("a\nb", "\"a\nb\"\r\n"),
            ("", "\r\n"),
        ] {
            assert_eq!(written(&[cell]), expected);
        }
        assert_eq!(written(&["1", "", "x"]), "1,,x\r\n");
    }

    #[test]
    fn no_cell_is_a_formula() {
        for (cell, expected) in [
            ("=1+1", "'=1+1\r\n"),
            ("+1", "'+1\r\n"),
            ("-1", "'-1\r\n"),
            ("@SUM(A1)", "'@SUM(A1)\r\n"),
            ("\tx", "'\tx\r\n"),
            ("\rx", "\"'\rx\"\r\n"),
            ("=\"a\",b", "\"'=\"\"a\"\",b\"\r\n"),
            ("a=1", "a=1\r\n"),
        ] {
            assert_eq!(written(&[cell]), expected);
        }
    }

    proptest! {
        #[test]
        fn quoted_cells_have_balanced_quotes(cell in "[\"',=+\\-@\t\r\na-c]{0,12}") {
            let line = written(&[&cell]);
            let line = line.strip_suffix("\r\n").unwrap();
            prop_assert!(line.matches('"').count().is_multiple_of(2));
            prop_assert!(line.starts_with('"') || !line.contains([',', '\r', '\n', '"']));
            let inside = line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap_or(line);
            prop_assert!(!inside.starts_with(['=', '+', '-', '@', '\t', '\r']));
            let read = inside.replace("\"\"", "\"");
            let guarded = format!("'{cell}");
            prop_assert!(read == cell || read == guarded, "{}", read);
        }
    }
}
