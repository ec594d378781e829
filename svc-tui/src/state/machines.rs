//! The registered machines and what they report.
//!
//! Invariants: the selected machine stays selected when the registry is read again.

use ratatui::Frame;
use ratatui::layout::Rect;
use svc_core::Timestamp;
use svc_core::live::LiveBody;
use svc_core::principals::{RegistryPrincipal, RegistryView};

use super::context::Context;
use super::destination::Destination;
use super::list::Selection;
use super::loaded::Loaded;
use super::parts::{Scroll, row_at};
use super::reading::Reading;
use super::screen::{Handled, KeyHint, Screen, key};
use crate::action::Action;
use crate::text;
use crate::view::View;

/// How a machine is. The registry takes precedence over what the machine reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condition {
    /// It was removed from the registry.
    NotRegistered,
    /// It is disabled in the registry.
    Disabled,
    /// All its keys are revoked.
    NoKey,
    /// It has not reported a status.
    NeverSeen,
    /// Its heartbeat is overdue.
    Silent,
    /// Its state sounds like a failure.
    Bad,
    /// Its state sounds like something that passes.
    Odd,
    /// It works.
    Good,
}

/// How a machine is at a time.
pub(crate) fn condition(machine: &RegistryPrincipal, now: Timestamp) -> Condition {
    if !machine.registered {
        return Condition::NotRegistered;
    }
    if !machine.enabled {
        return Condition::Disabled;
    }
    if machine.active_keys == 0 {
        return Condition::NoKey;
    }
    let Some(status) = &machine.status else { return Condition::NeverSeen };
    // No event tells of silence, because nothing happens then.
    if status.stale || now >= status.stale_at {
        return Condition::Silent;
    }
    let sounds = |words: &[&str]| words.iter().any(|word| status.state.contains(word));
    if sounds(&["fail", "error", "down", "broken", "fault"]) {
        return Condition::Bad;
    }
    if sounds(&["degrad", "warn", "stop", "paus", "idle", "start"]) {
        return Condition::Odd;
    }
    Condition::Good
}

/// The machines.
pub(crate) struct Machines {
    /// The registry with its machines.
    pub(crate) registry: Loaded<RegistryView>,
    /// The selected machine.
    pub(crate) list: Selection,
    /// Where the rows are on screen.
    pub(crate) area: Rect,
    /// Whether the details receive the keys; in a narrow window they are shown in place of the list.
    pub(crate) in_details: bool,
    /// The position in the details.
    pub(crate) scroll: Scroll,
    turn: Reading,
}

impl Machines {
    /// The screen before anything was read.
    pub(crate) fn new() -> Self {
        Self {
            registry: Loaded::Waiting,
            list: Selection::default(),
            area: Rect::default(),
            in_details: false,
            scroll: Scroll::default(),
            turn: Reading::default(),
        }
    }

    /// The selected machine.
    pub(crate) fn selected(&self) -> Option<&RegistryPrincipal> {
        self.registry.get()?.principals.get(self.list.index)
    }

    fn count(&self) -> usize {
        self.registry.get().map_or(0, |registry| registry.principals.len())
    }

    fn read(&mut self, context: &mut Context<'_>) {
        if !self.turn.begins() {
            return;
        }
        context.ask(
            |hub| async move { hub.machines().await },
            |screen: &mut Self, answer, context| {
                screen.turn.ends();
                let selected = screen.selected().map(|machine| machine.principal_id.clone());
                if let Some(failure) = screen.registry.take(answer) {
                    context.fail(&failure);
                }
                let machines = screen.registry.get().map_or(&[][..], |registry| &registry.principals);
                if let Some(index) =
                    machines.iter().position(|machine| Some(&machine.principal_id) == selected.as_ref())
                {
                    screen.list.index = index;
                }
                screen.list.limit(screen.count());
                screen.in_details &= screen.count() > 0;
                screen.read(context);
            },
        );
    }

    fn enter(&mut self) -> bool {
        let enters = !self.in_details && self.count() > 0;
        self.in_details |= enters;
        enters
    }

    fn leave(&mut self) -> bool {
        std::mem::take(&mut self.in_details)
    }
}

impl Screen for Machines {
    fn destination(&self) -> Destination {
        Destination::Machines
    }

    fn title(&self) -> String {
        "Machines".to_owned()
    }

    fn load(&mut self, context: &mut Context<'_>) {
        self.turn.expire();
        self.read(context);
    }

    fn act(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        let count = self.count();
        let used = match action {
            _ if self.in_details && self.scroll.act(action) => true,
            _ if !self.in_details && self.list.act(action, count) => {
                self.scroll.offset = 0;
                true
            }
            Action::Enter | Action::Right => self.enter(),
            Action::Back | Action::Left => self.leave(),
            Action::Copy => {
                let name = self.selected().map(|machine| text::one_line(&machine.principal_id));
                if let Some(name) = name {
                    context.copy(name);
                    context.note("Id copied.");
                }
                true
            }
            Action::Click { column, row } => {
                let before = self.list.index;
                let clicked = row_at(self.area, *column, *row).is_some_and(|row| self.list.click(row, count));
                if clicked {
                    self.in_details = self.list.index == before;
                    self.scroll.offset = 0;
                }
                clicked
            }
            _ => false,
        };
        if used { Handled::Yes } else { Handled::No }
    }

    fn news(&mut self, news: &LiveBody, _context: &mut Context<'_>) {
        if matches!(news, LiveBody::MachineChanged(_)) {
            self.turn.expire();
        }
    }

    fn settle(&mut self, context: &mut Context<'_>) {
        self.read(context);
    }

    fn keys(&self) -> Vec<KeyHint> {
        vec![key("Enter", "details"), key("y", "copy id")]
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
        crate::view::machines::draw(self, frame, area, view);
    }
}

#[cfg(test)]
mod tests {
    use svc_core::principals::RuntimeStatus;

    use super::*;

    fn machine(state: &str) -> RegistryPrincipal {
        let at = Timestamp::from_micros(0);
        let status = RuntimeStatus {
            state: state.into(),
            message: None,
            details: None,
            heartbeat_seconds: 60,
            since: at,
            seen_at: at,
            stale_at: Timestamp::from_micros(180),
            stale: false,
            beats: 1,
        };
        RegistryPrincipal {
            principal_id: "svc:sense:door-1".into(),
            enabled: true,
            active_keys: 1,
            revoked_keys: 0,
            scopes: Vec::new(),
            registered: true,
            status: Some(status),
            events: 0,
            last_event_at: None,
            sources: Vec::new(),
        }
    }

    #[test]
    fn the_registry_takes_precedence_over_the_machine() {
        let now = Timestamp::from_micros(10);
        assert_eq!(condition(&machine("running"), now), Condition::Good);
        assert_eq!(condition(&machine("shutdown"), now), Condition::Bad);
        assert_eq!(condition(&machine("starting"), now), Condition::Odd);
        assert_eq!(condition(&RegistryPrincipal { status: None, ..machine("a") }, now), Condition::NeverSeen);
        assert_eq!(condition(&RegistryPrincipal { active_keys: 0, ..machine("a") }, now), Condition::NoKey);
        assert_eq!(condition(&RegistryPrincipal { enabled: false, ..machine("a") }, now), Condition::Disabled);
        assert_eq!(condition(&RegistryPrincipal { registered: false, ..machine("a") }, now), Condition::NotRegistered);
    }

    #[test]
    fn a_machine_falls_silent_without_an_event() {
        assert_eq!(condition(&machine("running"), Timestamp::from_micros(179)), Condition::Good);
        assert_eq!(condition(&machine("running"), Timestamp::from_micros(180)), Condition::Silent);
    }
}
