//! The table: what each documented route asks of its caller, and what everybody is answered.

/// What a route asks of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    /// Nothing.
    Nothing,
    /// A login.
    Session,
    /// A key or a token.
    Bearer,
    /// Anybody known, to look at what is theirs.
    Read,
    /// Anybody known, with the permission `write` if it is a key.
    Write,
    /// A human, or a key of theirs with the permission `admin`, to manage what is theirs.
    Manage,
    /// The role `admin`.
    Admin,
    /// A request that a machine signed, which nobody in the table can do: see `machine_endpoints`.
    Signature,
}

/// What the path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// Nothing that belongs to anybody: everybody acts on their own.
    Nothing,
    /// Something of the owner's, which for others is not there.
    Owned,
}

/// `(method, path, needs, names, answer to the right caller)`.
pub(super) const TABLE: &[(&str, &str, Needs, Names, u16)] = &[
    ("GET", "/healthz", Needs::Nothing, Names::Nothing, 200),
    ("GET", "/readyz", Needs::Nothing, Names::Nothing, 200),
    ("GET", "/metrics", Needs::Nothing, Names::Nothing, 200),
    ("POST", "/auth/login", Needs::Nothing, Names::Nothing, 200),
    // Without an invitation, which is its own kind of credential.
    ("POST", "/auth/register", Needs::Nothing, Names::Nothing, 403),
    ("POST", "/auth/join", Needs::Nothing, Names::Nothing, 403),
    // Without a link.
    ("POST", "/auth/reset", Needs::Nothing, Names::Nothing, 403),
    ("POST", "/auth/logout", Needs::Session, Names::Nothing, 204),
    ("GET", "/auth/me", Needs::Session, Names::Nothing, 200),
    ("PATCH", "/auth/me", Needs::Session, Names::Nothing, 200),
    ("PUT", "/auth/password", Needs::Session, Names::Nothing, 204),
    ("POST", "/auth/confirm", Needs::Session, Names::Nothing, 204),
    ("GET", "/auth/sessions", Needs::Session, Names::Nothing, 200),
    ("DELETE", "/auth/sessions", Needs::Session, Names::Nothing, 204),
    ("DELETE", "/auth/sessions/{id}", Needs::Session, Names::Owned, 204),
    ("GET", "/auth/grants", Needs::Session, Names::Nothing, 200),
    ("DELETE", "/auth/grants/{id}", Needs::Session, Names::Owned, 204),
    ("GET", "/api/agents", Needs::Read, Names::Nothing, 200),
    ("POST", "/api/agents", Needs::Manage, Names::Nothing, 201),
    ("GET", "/api/agents/{name}", Needs::Read, Names::Owned, 200),
    ("PATCH", "/api/agents/{name}", Needs::Manage, Names::Owned, 200),
    ("DELETE", "/api/agents/{name}", Needs::Manage, Names::Owned, 204),
    ("POST", "/api/agents/{name}/rotate-key", Needs::Manage, Names::Owned, 200),
    ("GET", "/api/agents/{name}/agent-md", Needs::Read, Names::Owned, 200),
    ("GET", "/api/agents/{name}/mcp-config", Needs::Read, Names::Owned, 200),
    ("POST", "/api/agents/{name}/connection-test", Needs::Read, Names::Owned, 200),
    ("GET", "/api/agents/reactive", Needs::Read, Names::Nothing, 200),
    // The hub does not run it.
    ("POST", "/api/agents/{name}/run", Needs::Manage, Names::Owned, 409),
    // It has no harness.
    ("POST", "/api/agents/{name}/run/preview", Needs::Manage, Names::Owned, 409),
    ("GET", "/api/runs", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/runs/{id}", Needs::Read, Names::Owned, 200),
    ("GET", "/api/runs/{id}/logs", Needs::Read, Names::Owned, 200),
    ("POST", "/api/runs/{id}/retry", Needs::Manage, Names::Owned, 409),
    ("POST", "/api/runs/{id}/cancel", Needs::Manage, Names::Owned, 409),
    // Only the credential of the run itself.
    ("POST", "/api/runs/{id}/result", Needs::Read, Names::Nothing, 403),
    ("GET", "/api/agents/{name}/reputation", Needs::Read, Names::Owned, 200),
    ("GET", "/api/agents/{name}/budget", Needs::Read, Names::Owned, 200),
    ("GET", "/api/loops", Needs::Read, Names::Nothing, 200),
    ("POST", "/api/loops/{id}/lift", Needs::Manage, Names::Owned, 200),
    ("GET", "/api/archetypes", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/skills", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/skills/{name}", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/keys", Needs::Manage, Names::Nothing, 200),
    ("POST", "/api/keys", Needs::Manage, Names::Nothing, 201),
    ("GET", "/api/keys/{id}", Needs::Manage, Names::Owned, 200),
    ("DELETE", "/api/keys/{id}", Needs::Manage, Names::Owned, 204),
    ("POST", "/api/messages", Needs::Write, Names::Nothing, 201),
    ("GET", "/api/messages", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/messages/search", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/messages/{id}", Needs::Read, Names::Owned, 200),
    // An agent of the owner wrote it: the owner may delete it, and the agent alone may edit it.
    ("PATCH", "/api/messages/{id}", Needs::Write, Names::Owned, 403),
    ("DELETE", "/api/messages/{id}", Needs::Write, Names::Owned, 200),
    ("GET", "/api/messages/{id}/versions", Needs::Read, Names::Owned, 200),
    ("GET", "/api/messages/{id}/replies", Needs::Read, Names::Owned, 200),
    ("GET", "/api/messages/{id}/thread", Needs::Read, Names::Owned, 200),
    ("POST", "/api/messages/claim", Needs::Write, Names::Nothing, 200),
    ("POST", "/api/messages/{id}/claim", Needs::Write, Names::Owned, 200),
    ("POST", "/api/messages/{id}/done", Needs::Write, Names::Owned, 200),
    ("POST", "/api/messages/{id}/fail", Needs::Write, Names::Owned, 200),
    // With the token of nobody's claim.
    ("POST", "/api/messages/{id}/renew", Needs::Write, Names::Owned, 409),
    ("POST", "/api/messages/{id}/release", Needs::Write, Names::Owned, 409),
    ("GET", "/api/messages/{id}/receipts", Needs::Read, Names::Owned, 200),
    ("GET", "/api/messages/{id}/reactions", Needs::Read, Names::Owned, 200),
    ("POST", "/api/messages/{id}/reactions", Needs::Write, Names::Owned, 200),
    // There is none to remove.
    ("DELETE", "/api/messages/{id}/reactions", Needs::Write, Names::Owned, 404),
    ("GET", "/api/messages/by-state", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/trust/{agent}", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/dead-letters", Needs::Read, Names::Nothing, 200),
    ("POST", "/api/dead-letters/{id}/retry", Needs::Write, Names::Owned, 200),
    ("POST", "/api/dead-letters/{id}/acknowledge", Needs::Write, Names::Owned, 200),
    ("GET", "/api/webhooks", Needs::Read, Names::Nothing, 200),
    ("POST", "/api/webhooks", Needs::Write, Names::Nothing, 201),
    ("GET", "/api/webhooks/{id}", Needs::Read, Names::Owned, 200),
    ("PATCH", "/api/webhooks/{id}", Needs::Write, Names::Owned, 200),
    // The owner's agent has deleted it by then.
    ("DELETE", "/api/webhooks/{id}", Needs::Write, Names::Owned, 404),
    ("POST", "/api/webhooks/{id}/rotate-secret", Needs::Write, Names::Owned, 200),
    ("POST", "/api/webhooks/{id}/test", Needs::Write, Names::Owned, 200),
    ("POST", "/api/webhooks/{id}/recover", Needs::Write, Names::Owned, 200),
    ("GET", "/api/webhooks/{id}/deliveries", Needs::Read, Names::Owned, 200),
    ("GET", "/api/deliveries/{id}", Needs::Read, Names::Owned, 200),
    // It has not ended.
    ("POST", "/api/deliveries/{id}/retry", Needs::Write, Names::Owned, 409),
    ("GET", "/api/k8s/handlers", Needs::Read, Names::Nothing, 200),
    ("POST", "/api/k8s/handlers", Needs::Write, Names::Nothing, 201),
    // The owner's agent has deleted it by then.
    ("DELETE", "/api/k8s/handlers/{id}", Needs::Write, Names::Owned, 404),
    ("GET", "/api/k8s/runs", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/k8s/runs/{id}", Needs::Read, Names::Owned, 200),
    ("GET", "/api/k8s/runs/{id}/logs", Needs::Read, Names::Owned, 200),
    ("GET", "/api/goals", Needs::Read, Names::Nothing, 200),
    ("POST", "/api/goals", Needs::Write, Names::Nothing, 201),
    ("GET", "/api/goals/{id}", Needs::Read, Names::Owned, 200),
    ("PATCH", "/api/goals/{id}", Needs::Manage, Names::Owned, 200),
    ("POST", "/api/goals/{id}/complete", Needs::Write, Names::Owned, 200),
    ("POST", "/api/goals/{id}/tasks", Needs::Write, Names::Owned, 200),
    ("POST", "/api/goals/{id}/approve", Needs::Manage, Names::Owned, 200),
    ("POST", "/api/goals/{id}/tasks/{task}/approve", Needs::Manage, Names::Owned, 200),
    // Nobody has submitted it.
    ("POST", "/api/goals/{id}/tasks/{task}/verify", Needs::Manage, Names::Owned, 409),
    // It has not failed.
    ("POST", "/api/goals/{id}/tasks/{task}/reopen", Needs::Manage, Names::Owned, 409),
    ("POST", "/api/goals/{id}/tasks/{task}/cancel", Needs::Manage, Names::Owned, 200),
    ("POST", "/api/goals/{id}/proposals/{number}/approve", Needs::Manage, Names::Owned, 200),
    ("POST", "/api/goals/{id}/proposals/{number}/reject", Needs::Manage, Names::Owned, 200),
    // An article belongs to all.
    ("GET", "/api/wiki/articles", Needs::Read, Names::Nothing, 200),
    ("POST", "/api/wiki/articles", Needs::Write, Names::Nothing, 201),
    ("GET", "/api/wiki/articles/{slug}", Needs::Read, Names::Nothing, 200),
    // The other owner has changed it by then.
    ("PUT", "/api/wiki/articles/{slug}", Needs::Write, Names::Nothing, 409),
    // The other owner has deleted it by then.
    ("DELETE", "/api/wiki/articles/{slug}", Needs::Write, Names::Nothing, 404),
    ("GET", "/api/wiki/articles/{slug}/revisions", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/wiki/articles/{slug}/revisions/{number}", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/wiki/articles/{slug}/diff", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/wiki/articles/{slug}/backlinks", Needs::Read, Names::Nothing, 200),
    // Another article has the slug.
    ("POST", "/api/wiki/articles/{slug}/rename", Needs::Write, Names::Nothing, 409),
    // It is not deleted.
    ("POST", "/api/wiki/articles/{slug}/restore", Needs::Write, Names::Nothing, 409),
    ("POST", "/api/wiki/articles/{slug}/verify", Needs::Write, Names::Nothing, 200),
    ("GET", "/api/wiki/map", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/approvals", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/secret-requests", Needs::Read, Names::Nothing, 200),
    ("POST", "/api/secret-requests/{id}/provide", Needs::Manage, Names::Owned, 200),
    ("POST", "/api/secret-requests/{id}/reject", Needs::Manage, Names::Owned, 200),
    ("GET", "/api/tasks", Needs::Read, Names::Nothing, 200),
    ("POST", "/api/tasks", Needs::Write, Names::Nothing, 201),
    ("GET", "/api/tasks/{id}", Needs::Read, Names::Owned, 200),
    ("POST", "/api/tasks/{id}/bids", Needs::Write, Names::Owned, 201),
    // There is no such bid.
    ("POST", "/api/tasks/{id}/accept", Needs::Write, Names::Owned, 404),
    // Nobody has it.
    ("POST", "/api/tasks/{id}/complete", Needs::Write, Names::Owned, 409),
    ("GET", "/api/channels", Needs::Read, Names::Nothing, 200),
    ("POST", "/api/channels", Needs::Write, Names::Nothing, 201),
    ("GET", "/api/channels/{name}", Needs::Read, Names::Owned, 200),
    ("PATCH", "/api/channels/{name}", Needs::Write, Names::Owned, 200),
    ("DELETE", "/api/channels/{name}", Needs::Write, Names::Owned, 204),
    ("PUT", "/api/channels/{name}/settings", Needs::Write, Names::Owned, 200),
    ("PUT", "/api/channels/{name}/owner", Needs::Write, Names::Owned, 200),
    ("GET", "/api/channels/{name}/messages", Needs::Read, Names::Owned, 200),
    ("POST", "/api/channels/{name}/join", Needs::Write, Names::Owned, 200),
    // Its owner cannot leave.
    ("POST", "/api/channels/{name}/leave", Needs::Write, Names::Owned, 409),
    ("GET", "/api/channels/{name}/members", Needs::Read, Names::Owned, 200),
    ("POST", "/api/channels/{name}/members", Needs::Write, Names::Owned, 200),
    ("DELETE", "/api/channels/{name}/members/{handle}", Needs::Write, Names::Owned, 204),
    ("GET", "/api/dm/partners", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/dm/{name}/messages", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/conversations", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/conversations/{id}", Needs::Read, Names::Owned, 200),
    ("GET", "/api/notifications/unread", Needs::Read, Names::Nothing, 200),
    ("POST", "/api/notifications/mark-read", Needs::Write, Names::Nothing, 204),
    ("GET", "/api/notifications/settings", Needs::Read, Names::Nothing, 200),
    ("PUT", "/api/notifications/settings", Needs::Write, Names::Nothing, 200),
    ("GET", "/api/push/vapid-key", Needs::Session, Names::Nothing, 200),
    ("GET", "/api/push/subscriptions", Needs::Session, Names::Nothing, 200),
    ("POST", "/api/push/subscriptions", Needs::Session, Names::Nothing, 201),
    ("DELETE", "/api/push/subscriptions/{id}", Needs::Session, Names::Owned, 204),
    ("POST", "/api/push/test", Needs::Session, Names::Nothing, 202),
    ("PUT", "/api/presence", Needs::Session, Names::Nothing, 204),
    ("GET", "/api/events", Needs::Read, Names::Nothing, 200),
    ("POST", "/api/attachments", Needs::Write, Names::Nothing, 201),
    ("GET", "/api/attachments/{hash}", Needs::Read, Names::Owned, 200),
    ("GET", "/api/attachments/{hash}/meta", Needs::Read, Names::Owned, 200),
    ("GET", "/api/usage", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/attachments/{hash}/thumbnail", Needs::Read, Names::Owned, 200),
    ("GET", "/api/whoami", Needs::Bearer, Names::Nothing, 200),
    ("GET", "/api/traces", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/traces/export", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/traces/stats", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/analytics/timeline", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/analytics/top-agents", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/analytics/top-channels", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/analytics/summary", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/machines", Needs::Read, Names::Nothing, 200),
    ("PUT", "/api/machine/source-configs/{source}", Needs::Signature, Names::Nothing, 401),
    ("PUT", "/api/machine/runtime-status", Needs::Signature, Names::Nothing, 401),
    ("POST", "/api/machine/events", Needs::Signature, Names::Nothing, 401),
    ("GET", "/api/machine/evidence", Needs::Signature, Names::Nothing, 401),
    ("GET", "/api/admin/users", Needs::Admin, Names::Nothing, 200),
    ("POST", "/api/admin/users", Needs::Admin, Names::Nothing, 201),
    ("GET", "/api/admin/users/{name}", Needs::Admin, Names::Nothing, 200),
    ("PATCH", "/api/admin/users/{name}", Needs::Admin, Names::Nothing, 200),
    ("POST", "/api/admin/users/{name}/password-reset", Needs::Admin, Names::Nothing, 200),
    ("GET", "/api/admin/invites", Needs::Admin, Names::Nothing, 200),
    ("POST", "/api/admin/invites", Needs::Admin, Names::Nothing, 201),
    // There is none.
    ("DELETE", "/api/admin/invites/{id}", Needs::Admin, Names::Nothing, 404),
    ("GET", "/api/admin/agents", Needs::Admin, Names::Nothing, 200),
    ("GET", "/api/admin/oauth-clients", Needs::Admin, Names::Nothing, 200),
    // There is no such client.
    ("DELETE", "/api/admin/oauth-clients", Needs::Admin, Names::Nothing, 404),
    ("GET", "/api/admin/audit", Needs::Admin, Names::Nothing, 200),
    ("GET", "/api/admin/audit/export", Needs::Admin, Names::Nothing, 200),
    ("GET", "/api/admin/health", Needs::Admin, Names::Nothing, 200),
    ("GET", "/api/admin/backups", Needs::Admin, Names::Nothing, 200),
];

/// Where somebody is answered otherwise than the general rule says: `(method, path, who, status, code)`.
pub(super) const EXCEPTIONS: &[(&str, &str, Asker, u16, &str)] = &[
    // A key that is limited to channels reads nothing of its owner's agents.
    ("GET", "/api/agents/{name}", Asker::ChannelLimitedKey, 404, "not_found"),
    ("GET", "/api/trust/{agent}", Asker::ChannelLimitedKey, 404, "not_found"),
    ("GET", "/api/attachments/{hash}", Asker::ChannelLimitedKey, 404, "not_found"),
    ("GET", "/api/attachments/{hash}/meta", Asker::ChannelLimitedKey, 404, "not_found"),
    ("GET", "/api/attachments/{hash}/thumbnail", Asker::ChannelLimitedKey, 404, "not_found"),
    // It sees no direct messages.
    ("GET", "/api/agents/{name}/agent-md", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/agents/{name}/mcp-config", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/agents/{name}/connection-test", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/messages", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/messages/{id}", Asker::ChannelLimitedKey, 404, "not_found"),
    ("PATCH", "/api/messages/{id}", Asker::ChannelLimitedKey, 404, "not_found"),
    ("DELETE", "/api/messages/{id}", Asker::ChannelLimitedKey, 404, "not_found"),
    ("GET", "/api/messages/{id}/versions", Asker::ChannelLimitedKey, 404, "not_found"),
    ("GET", "/api/messages/{id}/replies", Asker::ChannelLimitedKey, 404, "not_found"),
    ("GET", "/api/messages/{id}/thread", Asker::ChannelLimitedKey, 404, "not_found"),
    ("POST", "/api/messages/claim", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/messages/{id}/done", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/messages/{id}/fail", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/messages/{id}/renew", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/messages/{id}/release", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/messages/{id}/receipts", Asker::ChannelLimitedKey, 404, "not_found"),
    ("GET", "/api/messages/{id}/reactions", Asker::ChannelLimitedKey, 404, "not_found"),
    ("POST", "/api/messages/{id}/reactions", Asker::ChannelLimitedKey, 404, "not_found"),
    ("GET", "/api/dead-letters", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/dead-letters/{id}/retry", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/dead-letters/{id}/acknowledge", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    // A webhook is its agent's too.
    ("DELETE", "/api/webhooks/{id}", Asker::OwnAgent, 204, ""),
    ("POST", "/api/deliveries/{id}/retry", Asker::OwnAgent, 409, "delivery_open"),
    ("GET", "/api/agents/{name}/reputation", Asker::ChannelLimitedKey, 404, "not_found"),
    ("GET", "/api/agents/{name}/budget", Asker::ChannelLimitedKey, 404, "not_found"),
    // Loops tell of direct messages.
    ("GET", "/api/loops", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    // Webhooks carry direct messages.
    ("GET", "/api/webhooks", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/webhooks", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/webhooks/{id}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("PATCH", "/api/webhooks/{id}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("DELETE", "/api/webhooks/{id}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/webhooks/{id}/rotate-secret", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/webhooks/{id}/test", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/webhooks/{id}/recover", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/webhooks/{id}/deliveries", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/deliveries/{id}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/deliveries/{id}/retry", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    // So do runs.
    ("GET", "/api/agents/reactive", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/runs", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/runs/{id}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/runs/{id}/logs", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    // And Jobs. A handler is its agent's too.
    ("DELETE", "/api/k8s/handlers/{id}", Asker::OwnAgent, 204, ""),
    ("GET", "/api/k8s/handlers", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/k8s/handlers", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("DELETE", "/api/k8s/handlers/{id}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/k8s/runs", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/k8s/runs/{id}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/k8s/runs/{id}/logs", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    // Goals have channels of their own, and tell of everything in them.
    ("GET", "/api/goals", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/goals", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/goals/{id}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/goals/{id}/complete", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/goals/{id}/tasks", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/approvals", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/secret-requests", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    // The first one to change or to delete an article is the other owner.
    ("PUT", "/api/wiki/articles/{slug}", Asker::OtherOwner, 200, ""),
    ("PUT", "/api/wiki/articles/{slug}", Asker::OtherAgent, 409, "edit_conflict"),
    ("PUT", "/api/wiki/articles/{slug}", Asker::OwnAgent, 409, "edit_conflict"),
    ("DELETE", "/api/wiki/articles/{slug}", Asker::OtherOwner, 204, ""),
    ("DELETE", "/api/wiki/articles/{slug}", Asker::OtherAgent, 404, "article_deleted"),
    ("DELETE", "/api/wiki/articles/{slug}", Asker::OwnAgent, 404, "article_deleted"),
    // The wiki is no channel.
    ("GET", "/api/wiki/articles", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/wiki/articles", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/wiki/articles/{slug}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("PUT", "/api/wiki/articles/{slug}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("DELETE", "/api/wiki/articles/{slug}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/wiki/articles/{slug}/revisions", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/wiki/articles/{slug}/revisions/{number}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/wiki/articles/{slug}/diff", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/wiki/articles/{slug}/backlinks", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/wiki/articles/{slug}/rename", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/wiki/articles/{slug}/restore", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/wiki/articles/{slug}/verify", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/wiki/map", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    // Approvals wait for a human.
    ("GET", "/api/approvals", Asker::OwnAgent, 403, "owner_required"),
    ("GET", "/api/approvals", Asker::OtherAgent, 403, "owner_required"),
    ("GET", "/api/dm/partners", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/dm/{name}/messages", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/conversations/{id}", Asker::ChannelLimitedKey, 404, "not_found"),
    ("POST", "/api/notifications/mark-read", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    // Only a human is notified, and settings tell of direct messages.
    ("GET", "/api/notifications/settings", Asker::OwnAgent, 403, "human_required"),
    ("GET", "/api/notifications/settings", Asker::OtherAgent, 403, "human_required"),
    ("GET", "/api/notifications/settings", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("PUT", "/api/notifications/settings", Asker::OwnAgent, 403, "human_required"),
    ("PUT", "/api/notifications/settings", Asker::OtherAgent, 403, "human_required"),
    ("PUT", "/api/notifications/settings", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    // Nobody else has a browser that could be tested.
    ("POST", "/api/push/test", Asker::OtherOwner, 409, "no_subscriptions"),
    // The task is in another channel than those that the key is limited to.
    ("GET", "/api/tasks/{id}", Asker::ChannelLimitedKey, 404, "not_found"),
    ("POST", "/api/tasks/{id}/bids", Asker::ChannelLimitedKey, 404, "not_found"),
    ("POST", "/api/tasks/{id}/accept", Asker::ChannelLimitedKey, 404, "not_found"),
    ("POST", "/api/tasks/{id}/complete", Asker::ChannelLimitedKey, 404, "not_found"),
    // It has posted the task itself.
    ("POST", "/api/tasks/{id}/bids", Asker::OwnAgent, 403, "own_task"),
    // What tells of everything is not for a key that is for some channels.
    ("GET", "/api/traces", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/traces/export", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/traces/stats", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/analytics/timeline", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/analytics/top-agents", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/analytics/summary", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    // Nobody but the agent wrote the message.
    ("PATCH", "/api/messages/{id}", Asker::OwnAgent, 200, ""),
    // The message is addressed to the owner; their agent only wrote it.
    ("POST", "/api/messages/{id}/done", Asker::OwnAgent, 403, "not_addressee"),
    ("POST", "/api/messages/{id}/fail", Asker::OwnAgent, 403, "not_addressee"),
    ("POST", "/api/messages/{id}/renew", Asker::OwnAgent, 403, "not_addressee"),
    ("POST", "/api/messages/{id}/release", Asker::OwnAgent, 403, "not_addressee"),
    // Dead letters wait for a human.
    ("GET", "/api/dead-letters", Asker::OwnAgent, 403, "owner_required"),
    ("GET", "/api/dead-letters", Asker::OtherAgent, 403, "owner_required"),
    ("POST", "/api/dead-letters/{id}/retry", Asker::OwnAgent, 403, "owner_required"),
    ("POST", "/api/dead-letters/{id}/retry", Asker::OtherAgent, 403, "owner_required"),
    ("POST", "/api/dead-letters/{id}/acknowledge", Asker::OwnAgent, 403, "owner_required"),
    ("POST", "/api/dead-letters/{id}/acknowledge", Asker::OtherAgent, 403, "owner_required"),
    // A member sees a channel; its owner changes it.
    ("PATCH", "/api/channels/{name}", Asker::OwnAgent, 403, "channel_owner_required"),
    ("DELETE", "/api/channels/{name}", Asker::OwnAgent, 403, "channel_owner_required"),
    ("PUT", "/api/channels/{name}/settings", Asker::OwnAgent, 403, "channel_owner_required"),
    ("PUT", "/api/channels/{name}/owner", Asker::OwnAgent, 403, "channel_owner_required"),
    ("POST", "/api/channels/{name}/members", Asker::OwnAgent, 403, "channel_owner_required"),
    ("DELETE", "/api/channels/{name}/members/{handle}", Asker::OwnAgent, 403, "channel_owner_required"),
    ("POST", "/api/channels/{name}/leave", Asker::OwnAgent, 204, ""),
    // The channel is none of those that the key is limited to.
    ("POST", "/api/channels", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/channels/{name}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("PATCH", "/api/channels/{name}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("DELETE", "/api/channels/{name}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("PUT", "/api/channels/{name}/settings", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("PUT", "/api/channels/{name}/owner", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/channels/{name}/messages", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/channels/{name}/join", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/channels/{name}/leave", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/channels/{name}/members", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/channels/{name}/members", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("DELETE", "/api/channels/{name}/members/{handle}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
];

/// Everybody who could ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asker {
    Anonymous,
    EndedSession,
    ExpiredSession,
    RevokedKey,
    ExpiredKey,
    DeletedAgentsKey,
    /// An access token of the owner's agent that was issued for `/mcp`.
    TokenForMcp,
    OtherOwner,
    OtherAgent,
    OwnAgent,
    ReadOnlyKey,
    ChannelLimitedKey,
    ForeignOrigin,
    Right,
}

pub(super) const ASKERS: [Asker; 14] = [
    Asker::Anonymous,
    Asker::EndedSession,
    Asker::ExpiredSession,
    Asker::RevokedKey,
    Asker::ExpiredKey,
    Asker::DeletedAgentsKey,
    Asker::TokenForMcp,
    Asker::OtherOwner,
    Asker::OtherAgent,
    Asker::OwnAgent,
    Asker::ReadOnlyKey,
    Asker::ChannelLimitedKey,
    Asker::ForeignOrigin,
    Asker::Right,
];

/// The status that the table foresees.
#[expect(clippy::match_same_arms, reason = "each line is a rule of its own")]
pub(super) fn expected(asker: Asker, method: &str, needs: Needs, names: Names, right: u16) -> u16 {
    use {Asker as A, Needs as N};
    match (asker, needs) {
        // A login from another origin is refused even where nothing else is asked.
        (A::ForeignOrigin, N::Nothing) if method != "GET" => 403,
        (_, N::Nothing | N::Signature) | (A::Right, _) => right,
        (
            A::Anonymous
            | A::EndedSession
            | A::ExpiredSession
            | A::RevokedKey
            | A::ExpiredKey
            | A::DeletedAgentsKey
            | A::TokenForMcp,
            _,
        ) => 401,
        (A::ForeignOrigin, N::Bearer) => 401,
        (A::ForeignOrigin, _) if method == "GET" => right,
        (A::ForeignOrigin, _) => 403,
        (A::OtherOwner, N::Bearer) => 401,
        (_, N::Bearer) => right,
        (A::OtherOwner | A::OtherAgent | A::OwnAgent | A::ReadOnlyKey | A::ChannelLimitedKey, N::Admin) => 403,
        (A::OtherOwner, _) => {
            if names == Names::Owned {
                404
            } else {
                right
            }
        }
        (_, N::Session) => 403,
        (A::ReadOnlyKey, N::Write) => 403,
        (A::OtherAgent, N::Read | N::Write) if names == Names::Owned => 404,
        (_, N::Read | N::Write) => right,
        (_, N::Manage) => 403,
    }
}

/// Why the table foresees that status; `None` where the right caller would be told the same.
pub(super) fn reason(asker: Asker, needs: Needs, status: u16) -> Option<&'static str> {
    use {Asker as A, Needs as N};
    match (asker, needs, status) {
        // Whatever else they send.
        (_, N::Signature, _) => Some("signature_missing"),
        (A::ForeignOrigin, _, 403) => Some("cross_origin"),
        (_, N::Nothing, _) | (A::Right, ..) => None,
        (A::Anonymous, _, 401) => Some("unauthenticated"),
        (A::EndedSession | A::ExpiredSession, _, 401) => Some("no_session"),
        (A::RevokedKey | A::DeletedAgentsKey, _, 401) => Some("token_revoked"),
        (A::ExpiredKey, _, 401) => Some("token_expired"),
        (A::TokenForMcp, _, 401) => Some("invalid_token"),
        (_, N::Bearer, 401) => Some("bearer_required"),
        (_, N::Session, 403) => Some("session_required"),
        (A::ReadOnlyKey, N::Write | N::Manage | N::Admin, 403) => Some("permission_denied"),
        (A::ChannelLimitedKey, N::Manage | N::Admin, 403) => Some("channel_not_allowed"),
        (A::OwnAgent | A::OtherAgent, N::Manage, 403) => Some("owner_required"),
        (_, N::Admin, 403) => Some("admin_required"),
        (_, _, 404) => Some("not_found"),
        _ => None,
    }
}
