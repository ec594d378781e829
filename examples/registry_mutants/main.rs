//! Writes registry documents, good and bad, each with what the hub says of it: one JSON object a line,
//! `{"document": "…", "fits_schema": true, "is_taken": true}`. Takes how many; 10,000 unless it is told.
//! `tests/clients/js/registry.test.mjs` holds another validator of the published schema against them.

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
