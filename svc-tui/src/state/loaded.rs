//! Data from the hub that is on its way, here, or could not be read.

use crate::backend::{Failure, Result};

/// Data with its state.
#[derive(Debug, Clone, Default)]
pub(crate) enum Loaded<T> {
    /// It was not asked for, or is on its way for the first time.
    #[default]
    Waiting,
    /// It is here. It may be read again meanwhile.
    Here(T),
    /// It could not be read.
    Failed(Failure),
}

impl<T> Loaded<T> {
    /// The data, if it is here.
    pub(crate) fn get(&self) -> Option<&T> {
        if let Self::Here(data) = self { Some(data) } else { None }
    }

    /// The data, if it is here.
    pub(crate) fn get_mut(&mut self) -> Option<&mut T> {
        if let Self::Here(data) = self { Some(data) } else { None }
    }

    /// Takes an answer. Data that is here stays when a later request fails; the failure is returned.
    pub(crate) fn take(&mut self, answer: Result<T>) -> Option<Failure> {
        match (answer, &self) {
            (Ok(data), _) => {
                *self = Self::Here(data);
                None
            }
            (Err(failure), Self::Here(_)) => Some(failure),
            (Err(failure), _) => {
                *self = Self::Failed(failure);
                None
            }
        }
    }
}
