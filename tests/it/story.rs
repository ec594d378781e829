//! The example `workflow` on both engines.

use svc_test_macros::both_engines;

use crate::support::hub::TestHub;

#[path = "../../examples/workflow/story.rs"]
mod workflow;

#[both_engines]
async fn a_proposal_goes_through_a_workflow_channel(test: TestHub) {
    workflow::run(test.config.clone(), |line| println!("{line}")).await;
}
