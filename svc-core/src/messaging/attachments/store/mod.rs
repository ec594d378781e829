//! The SQL of attachments.

pub(super) mod contents;
pub(super) mod file_store;
pub(super) mod links;
pub(super) mod moves;

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("attachments.newest", contents::NEWEST),
    ("attachments.by_hash", contents::BY_HASH),
    ("attachments.damaged", contents::DAMAGED),
    ("attachments.idle", contents::IDLE),
    ("attachments.idle_of", contents::IDLE_OF),
    ("attachments.upload_of", contents::UPLOAD_OF),
    ("attachments.uploader", contents::UPLOADER),
    ("attachments.sender", links::SENDER),
    ("attachments.uploads", contents::UPLOADS),
    ("attachments.links_of_message", links::OF_MESSAGE),
    ("attachments.seen", links::SEEN),
];
