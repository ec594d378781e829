/** Goals as the API has them. The names are those of the server's model. */

import type { Schemas } from '../api/client';

export type GoalStatus = Schemas['GoalStatus'];
export type Autonomy = Schemas['Autonomy'];
export type GoalTaskStatus = Schemas['GoalTaskStatus'];
export type VerifierKind = Schemas['VerifierKind'];
export type ProposalStatus = Schemas['ProposalStatus'];
export type TimelineKind = Schemas['TimelineKind'];
export type ApprovalKind = Schemas['ApprovalKind'];
export type SecretRequestStatus = Schemas['SecretRequestStatus'];
export type GoalBudget = Schemas['GoalBudget'];
export type Spent = Schemas['Spent'];
export type TaskCounts = Schemas['TaskCounts'];
export type Goal = Schemas['Goal'];
export type GoalPage = Schemas['GoalPage'];
export type NewGoal = Schemas['NewGoal'];
export type GoalChanges = Schemas['GoalChanges'];
export type GoalCompletion = Schemas['GoalCompletion'];
export type Verifier = Schemas['Verifier'];
export type GoalTask = Schemas['GoalTask'];
export type TaskRollup = Schemas['TaskRollup'];
export type BillingLine = Schemas['BillingLine'];
export type SpawnedAgent = Schemas['SpawnedAgent'];
export type Proposal = Schemas['Proposal'];
export type TimelineEntry = Schemas['TimelineEntry'];
export type GoalDetail = Schemas['GoalDetail'];
export type TaskVerdict = Schemas['TaskVerdict'];
export type DecisionNote = Schemas['DecisionNote'];
export type Approval = Schemas['Approval'];
export type ApprovalList = Schemas['ApprovalList'];
export type SecretRequest = Schemas['SecretRequest'];
export type SecretRequestPage = Schemas['SecretRequestPage'];
