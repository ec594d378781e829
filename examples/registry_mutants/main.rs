//! Writes valid and invalid registry documents with the verdict of the hub, one JSON object per
//! line: `{"document": "…", "fits_schema": true, "is_taken": true}`. The argument is the number of
//! documents, 10,000 by default. `tests/clients/js/registry.test.mjs` compares another validator of
//! the published schema with them.

mod mutants;

use std::io::{BufWriter, Write};

use mutants::Mutant;

fn main() -> std::io::Result<()> {
    let count = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(10_000);
    let mut out = BufWriter::new(std::io::stdout().lock());
    for number in 0..count {
        let Mutant { document, fits_schema, is_taken } = Mutant::new(number);
        let line = serde_json::json!({ "document": document, "fits_schema": fits_schema, "is_taken": is_taken });
        writeln!(out, "{line}")?;
    }
    out.flush()
}
