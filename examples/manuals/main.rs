//! Writes the manual pages and the shell completions of all programs: `man/` and `completions/` below the folder that
//! is the argument, by default `target/manuals`. `make dist` ships them.

mod pages;

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("target/manuals"), PathBuf::from);
    pages::write_all(&folder)?;
    println!("{}", folder.display());
    Ok(())
}
