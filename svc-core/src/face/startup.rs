//! What a program does before it opens a hub, and what a first start leaves to be shown.

#[cfg(unix)]
pub use crate::hub::data_directory::keep_new_files_private;
pub use crate::hub::data_directory::prepare_data_directory;
pub use crate::hub::first_run::FirstAdmin;
pub use crate::hub::startup::{refuse_lost_store, refuse_missing_store};
