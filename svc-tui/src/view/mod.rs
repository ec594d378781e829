//! Pictures of the state. Nothing here changes what is known; only positions of scrolling are kept.

pub(crate) mod agents;
pub(crate) mod article;
pub(crate) mod board;
pub(crate) mod conversation;
pub(crate) mod dead_letters;
pub(crate) mod frame;
pub(crate) mod goal;
pub(crate) mod goals;
pub(crate) mod login;
pub(crate) mod look;
pub(crate) mod machines;
pub(crate) mod overlay;
pub(crate) mod parts;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod search;
pub(crate) mod sidebar;
pub(crate) mod today;
pub(crate) mod wiki;

use svc_core::Timestamp;

use self::look::Look;
use crate::state::shared::Shared;

/// Columns from which details are shown beside a list.
pub(crate) const DETAILS_FROM: u16 = 120;
/// Columns from which the conversations are shown beside the screen.
pub(crate) const SIDEBAR_FROM: u16 = 100;

/// The surroundings of a picture.
#[derive(Clone, Copy)]
pub(crate) struct View<'v> {
    /// Styles.
    pub(crate) look: Look,
    /// The time.
    pub(crate) now: Timestamp,
    /// The offset of the local time zone from UTC, in minutes.
    pub(crate) zone: i32,
    /// Whether the window is wide enough for details beside the main part.
    pub(crate) wide: bool,
    /// What all screens share.
    pub(crate) shared: &'v Shared,
}
