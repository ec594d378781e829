//! Tasks: work that is offered, bid for, assigned and completed. The handle is `hub.tasks()`.

pub use crate::messaging::tasks::Tasks;

#[doc(inline)]
pub use svc_model::tasks::{
    Bid, BidStatus, NewBid, NewTask, Task, TaskClosing, TaskEnding, TaskFilter, TaskPage, TaskStatus, TaskView,
    TaskViewPage,
};
