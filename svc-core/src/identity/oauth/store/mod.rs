//! The SQL of the OAuth server, a file per table.

pub(super) mod clients;
pub(super) mod codes;
pub(super) mod devices;
pub(super) mod grants;
pub(super) mod tokens;

/// The statements over growing tables, for the test of query plans.
pub(crate) fn listed() -> Vec<(&'static str, &'static str)> {
    [clients::LISTED, codes::LISTED, devices::LISTED, grants::LISTED, tokens::LISTED].concat()
}
