//! Writes what `make dist` ships besides the programs, below the folder that is the argument: `man/`, `completions/`,
//! and the list of all dependencies, `svc.cdx.json`. On standard input it takes the output of
//! `cargo metadata --format-version 1`.

mod pages;
mod sbom;

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Write, stdin};
use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let missing = || Error::new(ErrorKind::InvalidInput, "name the folder to write to");
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or_else(missing)?;
    let mut metadata = String::new();
    stdin().read_to_string(&mut metadata)?;
    let mut lock = String::new();
    File::open("Cargo.lock")?.read_to_string(&mut lock)?;
    pages::write_all(&folder)?;
    let document = sbom::document(&serde_json::from_str(&metadata)?, &lock);
    let text = serde_json::to_string_pretty(&document)?;
    File::create(folder.join("svc.cdx.json"))?.write_all(format!("{text}\n").as_bytes())
}
