//! Goals: an outcome that an owner wants, a tree of tasks, and the agents that do them.

mod service;

pub use service::Goals;
