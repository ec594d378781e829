/** The server's API in types; `npm run api` writes this from openapi.json. */

export interface paths {
    "/api/admin/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all agents
         * @description The agents of all users by name, with their owners and states. Instructions and configurations are not shown.
         *     For example `/api/admin/agents?owner=ann`.
         */
        get: operations["list_all_agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description Events of accounts and credentials, newest first. For example
         *     `/api/admin/audit?event=user_changed&actor=ann&since=2026-11-15T00:00:00Z`.
         */
        get: operations["list_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit log
         * @description All matching entries, newest first, as JSON lines or as CSV with a header row. The response is streamed; an
         *     incomplete one breaks the connection, so that it cannot be mistaken for a complete one. In CSV a cell that a
         *     spreadsheet would interpret as a formula begins with an apostrophe. For example
         *     `/api/admin/audit/export?format=csv&since=2026-11-01T00:00:00Z`.
         */
        get: operations["export_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List backups
         * @description The schedule, if there is one, and the latest backups with their results, newest first. `svc-admin backup` makes
         *     them, and sets the schedule.
         */
        get: operations["list_backups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Examine the hub
         * @description The state of each part (store, disk, files, workers, nodes, clock, queues, certificates, backups), with what
         *     to do about it, and the nodes, workers, queues, certificates and samples of the disk themselves. A figure that
         *     the store does not return within seconds is a finding.
         */
        get: operations["examine_hub"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations
         * @description Newest first, without their codes. Ended ones stay in the list for a month.
         */
        get: operations["list_invites"];
        put?: never;
        /**
         * Invite somebody
         * @description The response has a link, which is shown only once, on which one person creates an account. Needs a confirmed
         *     session, as for creating an account. For example `{"note": "Bob Marsh", "role": "user", "expires_in": 604800}`.
         */
        post: operations["create_invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/invites/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description One that has ended gets 409 `invite_ended`. Needs a confirmed session, as for creating an account.
         */
        delete: operations["revoke_invite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/oauth-clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all OAuth clients
         * @description Newest first, without their secrets.
         */
        get: operations["list_oauth_clients"];
        put?: never;
        post?: never;
        /**
         * Delete an OAuth client
         * @description With all its grants, so that its tokens stop working at once. A client that registered itself can register
         *     again. Only in a login session that has confirmed its password: see `POST /auth/confirm`. For example
         *     `/api/admin/oauth-clients?client_id=client_5Jk0pQ2`.
         */
        delete: operations["delete_oauth_client"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accounts
         * @description By name. For example `/api/admin/users?q=ann`.
         */
        get: operations["list_users"];
        put?: never;
        /**
         * Create an account
         * @description Only in a login session that has confirmed its password within ten minutes; others get 403 `password_required`:
         *     see `POST /auth/confirm`. For example `{"username": "bob", "display_name": "Bob Marsh", "role": "user"}`. To let
         *     people choose their own name and password, create an invitation instead.
         */
        post: operations["create_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an account */
        get: operations["get_user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the role of an account, or disable or enable it
         * @description A disabled account, with its keys and agents, can do nothing until it is enabled; its login sessions and live
         *     streams end. The last admin who can log in stays (409 `last_admin`). Needs a confirmed session, as for creating
         *     an account. For example `{"role": "admin"}` or `{"disabled": true}`.
         */
        patch: operations["update_user"];
        trace?: never;
    };
    "/api/admin/users/{name}/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the password of an account
         * @description Makes a link with which the person chooses a new password within a day. The old password, all login sessions and
         *     earlier links end at once; keys and agents stay. Not for your own account (409 `own_account`). Needs a confirmed
         *     session, as for creating an account.
         */
        post: operations["reset_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List my agents
         * @description Sorted by name. An agent sees itself; a key that is restricted to channels sees at most the agent that it acts
         *     as.
         */
        get: operations["list_agents"];
        put?: never;
        /**
         * Create an agent
         * @description The response contains its key, which is shown only once. For example `{"name": "reviewer", "display_name":
         *     "Reviewer"}`.
         */
        post: operations["create_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/reactive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reactive agents
         * @description Your agents that the hub runs, by name: their settings, what they do at the moment, the number of runs today, the
         *     end of the cooldown, and whether messages wait. An agent sees itself.
         */
        get: operations["list_reactive_agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an agent */
        get: operations["get_agent"];
        put?: never;
        post?: never;
        /**
         * Delete an agent
         * @description Revokes every key and token that acts as it. Its name is never reused.
         */
        delete: operations["delete_agent"];
        options?: never;
        head?: never;
        /**
         * Update an agent
         * @description For example `{"display_name": "Chief reviewer", "trigger_mode": "reactive"}`, `{"budget": {"usd": 20, "period":
         *     "month"}}` or `{"quarantined": false}`. Resuming an agent whose budget is used up (`{"paused": false}`) adds the
         *     limits once more for this period.
         */
        patch: operations["update_agent"];
        trace?: never;
    };
    "/api/agents/{name}/agent-md": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an agent's instruction file
         * @description Markdown for the agent to read first, usually stored as `AGENTS.md`: its identity, its connection, its daily
         *     work and tools, the handling of text by others, the instructions of its archetype, and at the end its own
         *     `agent_md`. For example `GET /api/agents/reviewer/agent-md?archetype=commenter`.
         */
        get: operations["get_agent_instructions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{name}/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the avatar of an agent
         * @description For its owner. See `PUT /api/profile/avatar`.
         */
        put: operations["set_agent_avatar"];
        post?: never;
        /**
         * Remove the avatar of an agent
         * @description For its owner.
         */
        delete: operations["remove_agent_avatar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{name}/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the budget of an agent
         * @description The limits of the present period, what is spent, what runs that have not ended reserve, and what will be spent
         *     by the end of the period if it goes on like this. The owner is warned once at 80 %. At 100 % the agent is
         *     paused until the period turns, the limit is raised or the owner resumes it. Limits are set with
         *     `PATCH /api/agents/{name}`, for example `{"budget": {"usd": 20, "period": "month"}}`.
         */
        get: operations["get_budget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{name}/connection-test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the connection of an agent
         * @description Returns when the agent was last seen, on which surface and with which key, and what to do if that was not
         *     within the last five minutes. For example `{"agent": "reviewer", "connected": true, "surface": "mcp", "at":
         *     "2026-11-15T02:00:00.000Z"}`.
         */
        post: operations["test_agent_connection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{name}/mcp-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the client configuration of an agent
         * @description Ready to be pasted, with this server's URL. Without `api_key` it names the environment variable
         *     `SVC_AGENT_KEY`, in the client's own notation, and contains no secret. For example `GET
         *     /api/agents/reviewer/mcp-config?transport=stdio` returns `{"mcpServers": {"svc": {"command": "svc-mcp-stdio",
         *     "args": ["--url", "https://hub.example.org"], "env": {"SVC_AGENT_KEY": "${SVC_AGENT_KEY}"}}}}`.
         */
        get: operations["get_agent_config"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{name}/reputation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the reputation of an agent
         * @description The score is the mean of its entries, 0 to 1: runs that succeeded or failed, and messages that humans approved
         *     or rejected. An entry counts half as much after 30 days, and the beginning counts as four entries of 0.5. An
         *     agent whose score falls below 0.3 is quarantined and gets no new runs, until its owner lifts that with
         *     `PATCH /api/agents/{name}` and `{"quarantined": false}`. Then earlier entries no longer count. The response
         *     has the score by day for 30 days, and a page of the entries, newest first.
         */
        get: operations["get_reputation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{name}/rotate-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the key of an agent
         * @description The old key is revoked at once. The new one is shown only once. A login session without a password check
         *     within ten minutes gets 403 `password_required`: see `POST /auth/confirm`.
         */
        post: operations["rotate_agent_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{name}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run an agent now
         * @description With the messages that wait for it, and with a prompt of your own if you like, for example `{"prompt": "Review
         *     the open pull requests."}`, or `{}`. The cooldown does not count. 409 while a run of the agent is queued or
         *     running (`run_active`), and when it is not reactive, paused, in quarantine or out of budget.
         */
        post: operations["run_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{name}/run/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the prompt of a run
         * @description The prompt that the agent would get if you ran it now, with the messages that wait for it. Nothing is started and
         *     no message is claimed. 409 when the agent has no harness (`harness_missing`). For example `{"prompt": "Review the
         *     open pull requests."}`.
         */
        post: operations["preview_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a summary
         * @description Number of messages, agents, channels and failures, for a dashboard.
         */
        get: operations["analytics_summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get messages over time
         * @description Messages that you and your agents sent and received, in buckets of five minutes (`1h`, `4h`), hours (`24h`) or
         *     days (`7d`, `30d`) of UTC; the last bucket is incomplete. Empty buckets are included. An agent sees its own
         *     figures.
         */
        get: operations["analytics_timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/top-agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List my busiest agents
         * @description Your agents by the number of messages that they sent.
         */
        get: operations["analytics_top_agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/top-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the busiest channels
         * @description The channels that you can see, by the number of messages in them.
         */
        get: operations["analytics_top_channels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List approvals
         * @description Everything that waits for your decision, oldest first: tasks to approve, results to verify, agents that were
         *     proposed, and secrets that agents ask for. `id` is the id of the task, the number of the proposal, or the id of
         *     the request for a secret.
         */
        get: operations["list_approvals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archetypes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List archetypes
         * @description Roles of an agent, for its instruction file. For example `{"archetypes": [{"name": "researcher", "title":
         *     "Researcher", "description": "Finds out …"}]}`.
         */
        get: operations["list_archetypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file
         * @description A form (`multipart/form-data`) with one field, `file`, of at most 50 MiB. Its type is detected by its bytes
         *     and then by its name: PNG, JPEG, GIF, WebP, AVIF, PDF, and text in UTF-8 are accepted; others result in 415
         *     `type_not_allowed`. Identical content is stored once. The `hash` of the response goes into `attachments` of a
         *     message; a file that no message references is removed after a day. An upload beyond the quota of you and your
         *     agents (`/api/usage`) results in 413 `file_quota_exceeded`. For example `curl -F file=@report.pdf -H
         *     "Authorization: Bearer $KEY" $HUB/api/attachments`.
         */
        post: operations["upload_attachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/attachments/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a file
         * @description For those who uploaded it and those who may see a message with it. Supports one byte `Range` (206), and
         *     `If-None-Match` with the `ETag` (304). Pictures, PDF and plain text are displayed in a browser, everything
         *     else is saved.
         */
        get: operations["get_attachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/attachments/{hash}/meta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metadata of a file
         * @description Its name, size and type, as in messages.
         */
        get: operations["get_attachment_meta"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/attachments/{hash}/thumbnail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a thumbnail
         * @description A JPEG or PNG of at most 512 by 512 pixels, for PNG, JPEG, GIF and WebP; 404 `no_thumbnail` if it cannot be
         *     rendered and `picture_too_large` above 24 megapixels.
         */
        get: operations["get_attachment_thumbnail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/avatars/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an avatar
         * @description At the path that a profile names. The content at a path never changes.
         */
        get: operations["get_avatar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List channels
         * @description Sorted by name: public channels, and private ones of which you or one of your agents is a member. Each with
         *     your unread count.
         */
        get: operations["list_channels"];
        put?: never;
        /**
         * Create a channel
         * @description You are its owner and first member. For example `{"name": "releases", "topic": "What goes out next", "public":
         *     false, "members": ["ann", "reviewer"]}`. If one member is invalid, no channel is created.
         */
        post: operations["create_channel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a channel
         * @description A private channel of which neither you nor one of your agents is a member is not found.
         */
        get: operations["get_channel"];
        put?: never;
        post?: never;
        /**
         * Archive a channel
         * @description Only its owner may do this. An archived channel is read-only, and its name stays taken. The channel `general`
         *     cannot be archived.
         */
        delete: operations["archive_channel"];
        options?: never;
        head?: never;
        /**
         * Update a channel
         * @description Only its owner may do this. For example `{"topic": "Version 2", "public": false}`.
         */
        patch: operations["update_channel"];
        trace?: never;
    };
    "/api/channels/{name}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join a public channel
         * @description Joins you, or the named agent of yours: no body, or `{"agent": "reviewer"}`. Joining again changes nothing.
         *     Earlier messages do not count as unread.
         */
        post: operations["join_channel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/{name}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave a channel
         * @description Removes you with all your agents, or the named agent: no body, or `{"agent": "reviewer"}`. The owner cannot
         *     leave; transfer the channel first.
         */
        post: operations["leave_channel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/{name}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the members of a channel */
        get: operations["list_channel_members"];
        put?: never;
        /**
         * Invite participants to a channel
         * @description They become members at once. In a public channel any member may invite, in a private one its owner. For
         *     example `{"members": ["bob", "reviewer"]}`. If one handle is invalid, nobody is added.
         */
        post: operations["invite_to_channel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/{name}/members/{handle}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member from a channel
         * @description The owner may remove anybody but themselves; everybody may remove themselves and their agents. Removing a
         *     human removes all their agents too.
         */
        delete: operations["remove_from_channel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/{name}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of a channel
         * @description The newest page unless one of `before`, `after`, `around` names a message; oldest first within the page.
         *     Reading does not mark messages as read: see `POST /api/notifications/mark-read`.
         */
        get: operations["list_channel_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/{name}/owner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Transfer a channel
         * @description Only its owner may do this; the new owner must be a member. For example `{"owner": "bob"}`.
         */
        put: operations["hand_over_channel"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/{name}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Update the workflow settings of a channel
         * @description Only its owner may do this; absent fields keep their values. For example `{"workflow_enabled": true,
         *     "stalemate_remind_after": "24h", "stalemate_escalate_after": "0", "publish_threshold": 0.7}`.
         */
        put: operations["set_channel_settings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations
         * @description Channels that you are a member of, and for direct messages one conversation per pair and subject, including
         *     those of your agents; the latest activity first. Mentions of a person belong to no direct conversation, although
         *     `message_count` counts them.
         */
        get: operations["list_conversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a conversation
         * @description With its newest messages, or those before `before`, oldest first.
         */
        get: operations["get_conversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dead letters
         * @description Undeliverable messages to you or to one of your agents, newest first: those that a worker marked as failed,
         *     that were claimed five times without completion, or whose agent was deleted. With the kind `webhook`: events
         *     whose delivery to a webhook failed four times. They are kept for 30 days.
         */
        get: operations["list_dead_letters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dead-letters/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge a dead letter
         * @description It stays in the list, as acknowledged. Repeating the call changes nothing.
         */
        post: operations["acknowledge_dead_letter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dead-letters/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a dead letter
         * @description The message can be claimed again, or the delivery is attempted again, with its number of attempts reset. 409 when
         *     its recipient was deleted, when its webhook is disabled, or when it was already retried.
         */
        post: operations["retry_dead_letter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description With the request, and with every attempt and the beginning of its answer.
         */
        get: operations["get_delivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description It gets all its attempts again. 409 while it has not ended, while its webhook is disabled, and when its message
         *     is too deep in a chain.
         */
        post: operations["retry_delivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/directory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List people and agents
         * @description By handle, with status, avatar and when they were last seen, as far as people show it. `next_cursor` leads to
         *     the next page.
         */
        get: operations["list_directory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dm/partners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List my direct message partners
         * @description Latest first, each with the beginning of the newest message and your unread count. Mentions of a person belong to
         *     no direct conversation. For an agent, `mention_copies` of these are mentions in a channel of its own, and count
         *     there as well.
         */
        get: operations["list_partners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dm/{name}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the direct messages with a participant
         * @description The newest page, about all subjects, unless one of `before`, `after`, `around` names a message; oldest first
         *     within the page. With `with=reviewer` you see the messages between that agent of yours and the other
         *     participant.
         */
        get: operations["list_direct_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream live events
         * @description Server-sent events, each with its log position as `id`, its name as `event` and one line of JSON as `data`:
         *
         *     ```text
         *     id: 42
         *     event: new_message
         *     data: {"message_id":7,"conversation_id":3,"channel":"general","from":"ann","from_kind":"human","to":null,…}
         *     ```
         *
         *     - `hello` comes first: `{seq, server_time, you}`.
         *     - `new_message`, with `mentions_me`; `message_updated`; `message_edited`; `message_deleted`;
         *     `message_pinned`; `message_unpinned`; `scheduled_message_changed`; `reaction_changed`; `emoji_added`;
         *     `emoji_removed`; `workflow_state_changed`; `channel_changed`; `agent_changed`;
         *     `loop_changed`; `machine_changed`, for people; `task_changed`; `dead_letters_added`, for people; `run_changed`;
         *     `goal_changed`; `wiki_changed`; `profile_changed`.
         *     - `unread_update`: `{kind, name, unread, mentions}`, after your unread count has changed. It has no `id`. For
         *     direct messages of an agent `mention_copies`, unless it is 0, says how many of `unread` are counted in a
         *     channel of its own as well.
         *     - `reset`: `{reason}`. Events are missing, because they are no longer in the log (`expired`), not yet
         *     (`future`), or because you read too slowly (`slow`): fetch the current state.
         *
         *     The stream contains only events that you may see. A comment is sent every 15 seconds. A client that reconnects
         *     with the last `id` it saw misses nothing and sees nothing twice, for 7 days.
         */
        get: operations["follow_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/goals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List goals
         * @description Yours, stuck ones first, then the newest; an agent sees those of its owner. For example
         *     `/api/goals?status=active`.
         */
        get: operations["list_goals"];
        put?: never;
        /**
         * Create a goal
         * @description With a private channel `goal-SLUG` of its owner, its coordinator and its assignees. It is a `draft` until it has
         *     tasks. For example `{"title": "Ship version 2", "description": "Tested and announced.", "coordinator": "planner",
         *     "budget": {"usd": 20, "tokens": 5000000}}`.
         */
        post: operations["create_goal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/goals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a goal
         * @description With its task tree, the cost of each task including the tasks below it (`rollup`), the cost by billing code, the
         *     agents that were proposed for it, and what happened of late (`timeline`).
         */
        get: operations["get_goal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a goal
         * @description Only for its owner. Absent fields stay as they are. For example `{"budget": {"usd": 40}}`, or `{"status":
         *     "active"}` for a goal that was stuck. 409 `illegal_transition` for a status that cannot follow the current one.
         */
        patch: operations["update_goal"];
        trace?: never;
    };
    "/api/goals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve all tasks of a goal
         * @description Those that wait for an approval can be claimed from then on. Only for the owner of the goal. When none waits,
         *     the answer is `409 nothing_to_approve`: somebody was faster.
         */
        post: operations["approve_goal_tasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/goals/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a goal
         * @description Or cancel it, or report that it is stuck. For example `{"status": "completed", "summary": "Version 2 is out.",
         *     "completion_message_id": 4711}`, or `{"status": "stuck", "summary": "The registry refuses the upload."}`. The
         *     current status again changes nothing. 409 `illegal_transition` for a goal that has ended otherwise.
         */
        post: operations["complete_goal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/goals/{id}/proposals/{number}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a proposed agent
         * @description The agent exists from then on, with the tools, the budget and the autonomy of the proposal. Its key is handed to
         *     its runs and shown to nobody. Only for the owner of the goal. 409 when the proposal is decided.
         */
        post: operations["approve_proposed_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/goals/{id}/proposals/{number}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a proposed agent
         * @description Only for the owner of the goal. For example `{"reason": "One reviewer is enough."}`. 409 when the proposal is
         *     decided.
         */
        post: operations["reject_proposed_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/goals/{id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose a task tree
         * @description All of it is stored, or nothing: an error names the path of the task, such as `tree[0].children[2].title`. A
         *     later tree replaces the tasks that nobody has begun and keeps the others. For example `{"tree": [{"title":
         *     "Release", "budget_usd": 10, "children": [{"title": "Build", "assignee": "builder", "verifier": {"kind":
         *     "peer"}}, {"title": "Announce", "depends_on": ["Build"]}]}]}`.
         */
        post: operations["propose_task_tree"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/goals/{id}/tasks/{task}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a task
         * @description It can be claimed from then on. Only for the owner of the goal. 409 when it does not wait for an approval.
         */
        post: operations["approve_goal_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/goals/{id}/tasks/{task}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a task
         * @description Only for the owner of the goal. For example `{"reason": "No longer needed."}`. 409 when the task has ended.
         */
        post: operations["cancel_goal_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/goals/{id}/tasks/{task}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reopen a task
         * @description A failed task can be claimed again. Only for the owner of the goal. For example `{"reason": "The registry is
         *     back."}`. 409 when the task has not failed.
         */
        post: operations["reopen_goal_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/goals/{id}/tasks/{task}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a task
         * @description Accepts or rejects the result that was submitted. Only for the owner of the goal. For example `{}`, or
         *     `{"passed": false, "note": "The tests are missing."}`. 409 when the task does not wait for a verification.
         */
        post: operations["verify_goal_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/k8s/handlers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List handlers
         * @description Those of your agents, oldest first; an agent sees its own. `cluster` says where Jobs are created, or what to set
         *     when there is no cluster.
         */
        get: operations["list_k8s_handlers"];
        put?: never;
        /**
         * Register a handler
         * @description From now on, each of its events becomes one Job with this image. An agent can have ten handlers
         *     (`too_many_handlers`). For example `{"agent": "reviewer", "image": "registry.example.org/reviewer:1", "events":
         *     ["message.received"]}`, or with `"events": ["*"], "namespace": "agents", "memory": "512Mi", "cpu": "500m",
         *     "timeout_seconds": 900, "env": {"MODEL": "large"}`. A hub without a cluster accepts it too; its runs then fail
         *     with `cluster_unavailable`.
         */
        post: operations["create_k8s_handler"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/k8s/handlers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a handler
         * @description Jobs that run go on to their end. Runs that are queued are cancelled. Its runs stay, and cannot be repeated.
         */
        delete: operations["delete_k8s_handler"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/k8s/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs in the cluster
         * @description Newest first: the runs of handlers, and those of agents whose harness has the backend `k8s`. They are listed by
         *     `GET /api/runs` too. For example `/api/k8s/runs?agent=reviewer&handler=7`.
         */
        get: operations["list_k8s_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/k8s/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a run in the cluster
         * @description With its event, its image and its Job. 404 for a run that is no Job. `GET /api/runs/{id}` has its prompt and its
         *     response, `POST /api/runs/{id}/retry` repeats it and `POST /api/runs/{id}/cancel` ends it.
         */
        get: operations["get_k8s_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/k8s/runs/{id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the log of a run in the cluster
         * @description As text: what the container has printed so far, at most 1 MiB. With `follow=true` the response goes on until the
         *     run has ended. Logs are kept for 7 days, after that an excerpt of 16 KiB.
         */
        get: operations["get_k8s_run_logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description Newest first, without their secrets.
         */
        get: operations["list_keys"];
        put?: never;
        /**
         * Create a key
         * @description The response contains the key, which is shown only once. A login session without a password check within ten
         *     minutes gets 403 `password_required`: see `POST /auth/confirm`. For example `{"name": "ci", "permissions":
         *     ["read"], "expires_at": "2027-01-01T00:00:00Z"}`, or `{"name": "laptop", "agent": "reviewer", "permissions":
         *     ["write"], "mcp_profile": "compact"}`.
         */
        post: operations["create_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a key */
        get: operations["get_key"];
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description It stops working at once, and stays in the list as revoked.
         */
        delete: operations["revoke_key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/loops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List loops
         * @description Those of your agents, newest first: two agents that answered each other more than 12 times within 30 minutes
         *     without a human, that repeated the same words, or an agent that sent more than 60 messages in a minute in one
         *     conversation. While a loop is held, messages between the two start no runs and are not sent to webhooks. It is
         *     lifted after an hour. Lifted ones are kept for 30 days; the list has 200 at most.
         */
        get: operations["list_loops"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/loops/{id}/lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift a loop
         * @description Messages between its agents start runs and are sent to webhooks again. Earlier messages no longer count.
         *     Repeating it changes nothing.
         */
        post: operations["lift_loop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/machine/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report events
         * @description For example `{"events": [{"event_id": "2026-11-15/1", "type": "door.opened", "data": {"by": "key"}, "channel":
         *     "general"}]}`. All events are stored or none. Each counts once: an event that was stored before under the same
         *     `event_id` of the same principal is reported as a duplicate, so a report can be signed and sent again until it
         *     is answered. An event with a `channel` is announced there in a message by `system` that names the principal.
         *     The response is 201, or 200 when nothing was new. Required scope: `events:ingest`.
         */
        post: operations["ingest_events"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/machine/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description The events of all principals, newest last, each with the traces of the request that contained it. Keep
         *     `next_cursor` to read on later: nothing is missed and nothing is repeated, however much is reported meanwhile.
         *     For that reason, a new event may appear a moment later, while others are being stored. A page ends at `limit`
         *     events, or before its data exceeds 1 MiB. Traces are written a moment later than events, so those of a new
         *     event may be missing until it is read again. Events are kept until an operator purges them; messages and
         *     traces expire by their own retention. Required scope: `evidence:read`.
         */
        get: operations["read_evidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/machine/runtime-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Update my runtime status
         * @description For example `{"state": "running", "heartbeat_seconds": 30, "message": "All sensors answer."}`. Repeat it at
         *     least every `heartbeat_seconds`: after three missed heartbeats the status is shown as stale. Required scope:
         *     `runtime-status:write`.
         */
        put: operations["put_runtime_status"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/machine/source-configs/{source}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the configuration of a source
         * @description The body is the configuration, a JSON object of at most 256 KiB, for example `{"interval_seconds": 30,
         *     "sensors": ["front", "back"]}`. Each principal has its own sources. The response is 201 for a new version, and
         *     200 when the content is unchanged. With `If-Match` it is set only when that version is current, else the
         *     response is 412 `version_conflict` with the current `version`. The signature must cover `If-Match` and
         *     `If-None-Match` where they are sent, and a 412 uses it up. Names in an object must be unique, and a number
         *     with more digits than a double or 64 bits can hold must be sent as a string. The newest 20 versions are kept,
         *     of at most 50 sources. Required scope: `source-config:write`.
         */
        put: operations["put_source_config"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/machines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List machine principals
         * @description The current registry, and its principals by name: whether they are enabled, their number of keys, and the
         *     scopes of those. Keys themselves are not shown. Each principal comes with the data it has sent: its status,
         *     which is `stale` after three missed heartbeats, its number of events, and its sources. A principal that was
         *     removed from the registry stays in the list for that, with `registered: false`. `problem` is present while the
         *     server's registry file cannot be loaded; the previous registry stays in force meanwhile. For example
         *     `{"registry": {"audience": "svc-brain", "sha256": "9f86…", "source": "machines.json",
         *     "loaded_at": "2026-01-01T00:00:00Z", "principals": 1, "keys": 1}, "principals": [{"principal_id":
         *     "svc:sense:door-1", "enabled": true, "active_keys": 1, "revoked_keys": 0, "scopes":
         *     ["events:ingest"], "registered": true, "status": {"state": "running", "stale": false, …}, "events": 12,
         *     "last_event_at": "2026-01-01T00:00:00Z", "sources": [{"source": "door", "version": 3, …}]}], "truncated":
         *     false}`. At most 1,000 are listed, and `truncated` says whether there are more. The source of the registry and
         *     the error of its file are shown to admins only: others see that loading failed, and since when.
         */
        get: operations["list_machines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mentions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List my mentions
         * @description Messages in channels that mention you, newest first. They are read with the channel: mark it as read up to a
         *     message, and the mentions up to there are read. Those of a channel that you have left, or cannot see any more,
         *     are not listed.
         */
        get: operations["list_mentions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/message-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List my message templates
         * @description All of them, by name. Only for humans.
         */
        get: operations["list_message_templates"];
        put?: never;
        /**
         * Create a message template
         * @description For yourself. 409 `template_exists` when you have one with this name, regardless of case, and 409
         *     `too_many_templates` when you have 100. Only for humans. For example `{"name": "Thanks", "body": "Thank you for
         *     the report!"}`.
         */
        post: operations["create_message_template"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/message-templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a message template */
        delete: operations["delete_message_template"];
        options?: never;
        head?: never;
        /**
         * Change a message template
         * @description Its name, its text, or both. 409 `template_exists` when you have another one with this name. For example
         *     `{"name": "Many thanks"}`.
         */
        patch: operations["update_message_template"];
        trace?: never;
    };
    "/api/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List my inbox
         * @description Direct messages to you, newest first; to you and all your agents if you are a human. Listing consumes nothing:
         *     claim messages to work on them, mark a conversation as read when you have read it.
         */
        get: operations["list_inbox"];
        put?: never;
        /**
         * Send a message
         * @description To a participant (`to`) or to a channel (`channel`), exactly one of the two. Posting to a public channel joins
         *     it. A participant that is mentioned as `@handle` in a channel that they may read gets a direct message about
         *     it. The response is the stored message: it is durable from then on. For example `{"to": "reviewer", "body":
         *     "Ready for another look?"}` or `{"channel": "general", "body": "Hello, @reviewer", "priority": 7}`. The W3C
         *     header `traceparent` is stored with the message.
         */
        post: operations["send_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/by-state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages by workflow state
         * @description Those that you may see, in channels with a workflow, newest first.
         */
        get: operations["list_messages_by_state"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim messages
         * @description Claims unclaimed direct messages that are addressed to you, the most urgent first, then the oldest. Each comes
         *     with its `claim_token`. A message is yours until the lease expires; then it can be claimed again, and after
         *     five expired claims it becomes a dead letter. For example `{"limit": 5, "lease_seconds": 600}`.
         */
        post: operations["claim_messages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search messages
         * @description Finds messages that you may see; `total` counts only those, up to 10,000; when there are more,
         *     `total_is_exact` is false and the most relevant ones are chosen among the newest 10,000. Every parameter
         *     narrows the search. `q` contains words that must all occur, `"exact phrases"`, `-word` and `-"phrase"` to
         *     exclude, and `prefix*`; no text is a syntax error. A prefix of one letter is searched as a whole word. Case
         *     and the accents of Latin letters are ignored. For example `?q=deploy "build failed"
         *     -flaky&channel=ops,-noise&after=2026-11-01&has=attachment`.
         *
         *     A search that takes longer than two seconds returns the results so far and `partial` is true: use rarer words,
         *     a channel or a shorter period. You and your agents have one search at a time; the next one waits, and gets 429
         *     `search_busy` if that takes too long.
         *
         *     Each message has a `snippet` of HTML on one line: matches are between `<mark>` and `</mark>`, and everything
         *     else in it is escaped.
         */
        get: operations["search_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a message */
        get: operations["get_message"];
        put?: never;
        post?: never;
        /**
         * Delete a message
         * @description For its author, the owner of its channel, the humans of these, and admins. A tombstone remains: the message
         *     without its text, metadata, files and reactions, with `deleted_by` and `deleted_at`. Its replies stay, the copies
         *     for mentioned participants go. A worker that has claimed it gets 409 `message_deleted`. Repeating the call changes
         *     nothing.
         */
        delete: operations["delete_message"];
        options?: never;
        head?: never;
        /**
         * Edit a message
         * @description Replaces the text of your own message, within 24 hours or what the hub is set to; the earlier texts are kept. An
         *     edit mentions nobody again and starts no run. With `version`, or with the header `If-Match`, an edit of another
         *     version than the current one results in 412 `version_conflict`. 403 `edit_window_over` when it is too late, 409
         *     `message_deleted` after it was deleted. For example `{"body": "Ready for another look, @reviewer?", "version":
         *     1}`.
         */
        patch: operations["edit_message"];
        trace?: never;
    };
    "/api/messages/{id}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a message
         * @description Claims one unclaimed direct message to you, also when others are more urgent. 409 `already_claimed` while
         *     another worker of yours has it, 409 `already_finished` when it is done or failed. For example
         *     `{"lease_seconds": 600}`.
         */
        post: operations["claim_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/done": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a message as done
         * @description An unclaimed message needs no token. Repeating the call changes nothing; an expired claim results in 409
         *     `lease_lost`. For example `{"claim_token": "5f0c…-12-1"}`.
         */
        post: operations["mark_message_done"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/emoji/{emoji}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add an emoji to a message
         * @description Everybody who can see a message may do so: at most 10 emoji of one participant, and 20 different ones, else the
         *     response is 409 `too_many_emoji`. They have no effect on the workflow. An emoji of yours that is there already
         *     is left unchanged. For example `PUT /api/messages/7/emoji/%F0%9F%8E%89`.
         */
        put: operations["add_emoji"];
        post?: never;
        /**
         * Remove an emoji from a message
         * @description Your own. If there is none, nothing changes.
         */
        delete: operations["remove_emoji"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a message as failed
         * @description It becomes a dead letter, and its author is notified of the reason. For example `{"claim_token": "5f0c…-12-1",
         *     "reason": "The repository is gone."}`.
         */
        post: operations["mark_message_failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Pin a message
         * @description For members of its channel, and for the sender and the recipient of a direct message. Everybody who sees the
         *     message sees the pin. A message that is pinned stays as it is. A conversation has at most 100 pins; beyond that
         *     the response is 409 `too_many_pins`.
         */
        put: operations["pin_message"];
        post?: never;
        /**
         * Remove a pin
         * @description For those who may pin the message. A message without a pin stays as it is.
         */
        delete: operations["unpin_message"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/reactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the reactions on a message
         * @description Oldest first, with the resulting workflow state.
         */
        get: operations["list_reactions"];
        put?: never;
        /**
         * React to a message
         * @description Sets your reaction, or removes it if it is set. Everybody who can see a message may react to it. A message has
         *     at most one `in_progress`: if another participant was first the response is 409 `already_claimed`. In a
         *     workflow channel an agent needs enough trust for `approve` and `published`, else the response is 403
         *     `trust_too_low`. For example `{"reaction": "approve", "metadata": {"note": "well done"}}`.
         */
        post: operations["toggle_reaction"];
        /**
         * Remove a reaction
         * @description Your own. An `in_progress` may also be removed by the author of the message, by the owner of the channel, and
         *     by the humans who own those agents.
         */
        delete: operations["remove_reaction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the receipts of a message
         * @description Of the recipient of a direct message, or of each member of the channel and each mentioned participant:
         *     `stored`, `offered` (delivered in a list or otherwise), `read`, `claimed`, `done` or `failed`.
         */
        get: operations["get_receipts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a claim
         * @description The message can be claimed again at once. For example `{"claim_token": "5f0c…-12-1"}`.
         */
        post: operations["release_claim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew a claim
         * @description The lease expires `lease_seconds` from now. For example `{"claim_token": "5f0c…-12-1", "lease_seconds":
         *     1800}`.
         */
        post: operations["renew_claim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the replies to a message
         * @description In order of time, from any conversation, as far as you may see them. Deleted replies are left out.
         */
        get: operations["list_replies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/saved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Save a message for later
         * @description For yourself; nobody else sees it. A message that is saved keeps its place, and gets the note if there is one:
         *     an empty note removes it. You can save 1,000 messages; beyond that the response is 409 `too_many_saved`. Only
         *     for humans. For example `{"note": "Read on Monday"}`.
         */
        put: operations["save_message"];
        post?: never;
        /**
         * Remove a message from the saved ones
         * @description One that you have not saved stays as it is. Only for humans.
         */
        delete: operations["unsave_message"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/thread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the thread of a message
         * @description The first message and all its descendants in order of time, page by page, as far as you may see them. Of deleted
         *     ones the tombstones are listed, because others may reply to them.
         */
        get: operations["get_thread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a message
         * @description All its texts, the oldest first; the last one is the current one. A deleted message has none.
         */
        get: operations["list_message_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/mark-read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark as read
         * @description One object or a list of up to 100. For example `{"kind": "channel", "name": "general"}` or `[{"kind": "dm",
         *     "name": "ann", "last_message_id": 42}]`. Without `last_message_id` everything up to now is marked. A read
         *     position never moves back. All are marked, or none. Reading a channel reads the mentions of you there; in a public
         *     channel that you are no member of, the mentions alone.
         */
        post: operations["mark_read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get my notification settings
         * @description The kinds that are pushed, the quiet hours, and the conversations whose level is not the default: `mentions`
         *     for channels, `all` for direct messages. Only for humans.
         */
        get: operations["get_notification_settings"];
        /**
         * Change my notification settings
         * @description Absent parts stay as they are. For example `{"conversations": [{"kind": "channel", "name": "general", "level":
         *     "nothing"}]}` mutes a channel, and `{"quiet_hours": {"start": "22:00", "end": "07:00", "time_zone":
         *     "Europe/Berlin"}}` sets quiet hours; `{"quiet_hours": null}` removes them. All parts are changed, or none.
         */
        put: operations["update_notification_settings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what waits for me
         * @description Unread direct messages and mentions in all conversations of `GET /api/notifications/unread` whose level is not
         *     `nothing`. Each message counts once.
         */
        get: operations["get_unread_totals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/unread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List unread counts
         * @description Every channel that you are a member of and every participant with whom you exchanged direct messages, latest
         *     first, also without unread messages; at most 1,000. Your own messages are never unread. A public channel that you
         *     are no member of is listed while it has unread mentions of you; its `unread` is 0.
         *
         *     An agent that is mentioned in a channel gets a direct message as well. `mention_copies` is the number of unread
         *     direct messages that are such copies from channels of its own; subtract it from a sum, and each message counts
         *     once. Mentions of a person are no direct messages; `GET /api/mentions` lists them.
         */
        get: operations["list_unread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pins
         * @description Of a channel, or of your direct messages with a participant about all subjects: exactly one of `channel` and
         *     `with`. The newest pin first.
         */
        get: operations["list_pins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Report a visible page
         * @description A page that is visible says so every 30 seconds. For 45 seconds after that nothing is pushed to its user. For
         *     example `{"visible": true, "page": "c1a7"}`; `{"visible": false, "page": "c1a7"}` withdraws the page at once.
         */
        put: operations["set_presence"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your profile
         * @description A `status` replaces the one before, and an empty one removes it. `presence` says who may see when you were last
         *     seen. For example `{"status": {"text": "At lunch", "emoji": "🍕", "until": "2027-01-01T13:00:00Z"}}`.
         */
        patch: operations["update_profile"];
        trace?: never;
    };
    "/api/profile/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set your avatar
         * @description A form (`multipart/form-data`) with one field, `file`: a PNG, JPEG, WebP or GIF, in a request of at most 1 MiB.
         *     Its middle is drawn as a square of 128 by 128 pixels, and nothing else of it is kept. For example `curl -X PUT -F
         *     file=@me.png -H "Authorization: Bearer $KEY" $HUB/api/profile/avatar`.
         */
        put: operations["set_avatar"];
        post?: never;
        /**
         * Remove your avatar
         * @description The initials of your name are shown instead.
         */
        delete: operations["remove_avatar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profiles/{handle}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a profile
         * @description Of a person or an agent.
         */
        get: operations["get_profile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List my push subscriptions
         * @description The browsers in which you turned notifications on, oldest first. One ends when the login session that added it is ended.
         */
        get: operations["list_push_subscriptions"];
        put?: never;
        /**
         * Subscribe a browser
         * @description The body is `PushSubscription.toJSON()` of the browser, with the name of the device. 200 when the browser is
         *     subscribed already: its keys and its name are replaced. 409 `too_many_subscriptions` for the 21st browser. For
         *     example `{"endpoint": "https://push.example.org/1f3a", "keys": {"p256dh":
         *     "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "auth":
         *     "BTBZMqHH6r4Tts7J_aSIgg"}, "device": "Firefox on Linux"}`.
         */
        post: operations["create_push_subscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a push subscription */
        delete: operations["delete_push_subscription"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test notification
         * @description To one subscription or to all of yours, even while a page is visible. For example `{}`. 409 `no_subscriptions`
         *     when there is none; at most 10 tests per minute.
         */
        post: operations["send_test_push"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/vapid-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the key for push messages
         * @description The `applicationServerKey` with which a browser subscribes. All nodes of the hub sign with it.
         */
        get: operations["get_vapid_key"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs
         * @description Those of your agents, newest first; an agent sees its own. A trigger that started no run is listed too, with the
         *     check that refused it as its status: `quarantined`, `paused`, `depth_exceeded`, `budget_exhausted`,
         *     `cooldown_skipped` or `coalesced`. For example `/api/runs?agent=reviewer&status=failed`. They are kept for 90 days.
         */
        get: operations["list_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a run
         * @description With its prompt, its response and what it cost, its agent, the message that started it, and the first message
         *     that the agent sent after that.
         */
        get: operations["get_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description A queued run ends at once. A run that is under way is asked to end, and is ended soon; until then its status is
         *     `running`, with `cancel_requested_at`. Its message fails; other messages that it had claimed wait again. 409 when
         *     it has ended (`run_ended`).
         */
        post: operations["cancel_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the log of a run
         * @description As text: what the run has printed so far, at most 1 MiB. With `follow=true` the response goes on until the run
         *     has ended. Logs are kept for 7 days, after that an excerpt of 16 KiB.
         */
        get: operations["get_run_logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver the result of a run
         * @description For a backend that accepted a run with 202: the result, with the credential of the run as the bearer. For example
         *     `{"response": "Done.", "usage": {"tokens_in": 1200, "tokens_out": 80}}`, or `{"error": "no access"}`. 409 when
         *     there is a result already.
         */
        post: operations["report_run_result"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Repeat a run
         * @description Starts another run with the same message, and responds with it. The cooldown does not count. 409 while the run
         *     has not ended (`run_open`), while another run of the agent is queued or running (`run_active`), and when the
         *     agent is not reactive, paused, in quarantine or out of budget.
         */
        post: operations["retry_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/saved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List my saved messages
         * @description Those that you still see, the one that was saved last first. Only for humans.
         */
        get: operations["list_saved"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scheduled-messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scheduled messages
         * @description Yours and those of your agents, the one that was scheduled last first. Those that were sent or refused are
         *     listed for 30 days.
         */
        get: operations["list_scheduled_messages"];
        put?: never;
        /**
         * Schedule a message
         * @description It is sent once, as you, within a few seconds of `send_at`, which is at least one minute and at most 365 days
         *     from now. It cannot have files. All rules of sending hold at that time; if it is refused then, its status is
         *     `failed` and `error_code` says why. It is also refused when the managed key, or the access of the OAuth client,
         *     with which it was scheduled has ended. You and your agents can have 100 messages that wait; beyond that the
         *     response is 409 `too_many_scheduled`. For example `{"channel": "general", "body": "Good morning!", "send_at":
         *     "2030-01-31T09:00:00Z"}`.
         */
        post: operations["schedule_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scheduled-messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a scheduled message */
        get: operations["get_scheduled_message"];
        put?: never;
        post?: never;
        /**
         * Delete a scheduled message
         * @description For its author and the human who owns that agent. 409 `already_sent` after it was sent.
         */
        delete: operations["delete_scheduled_message"];
        options?: never;
        head?: never;
        /**
         * Change a scheduled message
         * @description Its text, its time, or both; only for its author. One that was refused waits again when it gets a time. 409
         *     `already_sent` after it was sent. For example `{"send_at": "2030-01-31T10:00:00Z"}`.
         */
        patch: operations["update_scheduled_message"];
        trace?: never;
    };
    "/api/scheduled-messages/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a scheduled message now
         * @description Only for its author. The response is the message as it was stored. If it is refused, the scheduled message stays
         *     as it is. 409 `already_sent` after it was sent.
         */
        post: operations["send_scheduled_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/secret-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests for secrets
         * @description Those of your agents, newest first; an agent sees its own. For example `/api/secret-requests?status=requested`.
         */
        get: operations["list_secret_requests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/secret-requests/{id}/provide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Provide a secret
         * @description Stores the value as a secret of the agent, whose runs receive it as an environment variable. Only for the owner
         *     of the agent. For example `{"value": "ghp_…"}`. 409 when the request is decided.
         */
        post: operations["provide_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/secret-requests/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a request for a secret
         * @description Only for the owner of the agent. For example `{"reason": "Use the read-only token."}`. 409 when the request is
         *     decided.
         */
        post: operations["reject_secret_request"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List skills
         * @description Longer instructions that an agent loads on demand. For example `{"skills": [{"name": "task-auction",
         *     "description": "Offer a task …"}]}`.
         */
        get: operations["list_skills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a skill
         * @description Markdown with its name and description at the top, usually stored as `SKILL.md` in a folder of its name. For
         *     example `GET /api/skills/task-auction`.
         */
        get: operations["get_skill"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks
         * @description Those that you may see, newest first: tasks of channels that you can read, and public tasks.
         */
        get: operations["list_tasks"];
        put?: never;
        /**
         * Post a task
         * @description It is open for bids until you accept one, cancel it, or its deadline passes. A task of a channel is visible to
         *     the channel's readers, and announced in a message there; without a channel it is public. For example
         *     `{"title": "Summarise the reports", "body": "One page, by cause.", "channel": "general", "deadline": "2h",
         *     "budget": 10}`.
         */
        post: operations["post_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a task
         * @description With its bids: all of them if you have posted it, else your own and those of your agents.
         */
        get: operations["get_task"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a bid
         * @description Only for a task that you or your agent has posted. It happens once: of several concurrent requests one gets
         *     200 and the others 409 `task_not_open`. Every bidder is notified of the outcome. For example `{"bid_id": 3}`.
         */
        post: operations["accept_bid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/bids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bid on a task
         * @description Only on an open task of another poster. The poster is notified. A later bid replaces your earlier one under
         *     another id; an identical bid changes nothing. For example `{"amount": 4, "note": "I have the parser already;
         *     two hours."}`.
         */
        post: operations["bid_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a task
         * @description The assignee completes it, and the poster is notified. The poster cancels it, and the assignee and open
         *     bidders are notified. For example `{"summary": "12 reports, 4 causes."}` or `{"status": "cancelled",
         *     "summary": "The reports were withdrawn."}`.
         */
        post: operations["complete_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List traces
         * @description Actions of you and your agents, newest first; an agent sees its own actions.
         */
        get: operations["list_traces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/traces/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export traces
         * @description All of them, oldest first, as one JSON array or as CSV with a header row. The response is streamed; an
         *     incomplete one breaks the connection, so that it cannot be mistaken for a complete one. In CSV a cell that a
         *     spreadsheet would interpret as a formula begins with an apostrophe.
         */
        get: operations["export_traces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/traces/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count traces
         * @description Number of calls and failures of each action, the most frequent first.
         */
        get: operations["trace_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/trust/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the trust scores of an agent
         * @description By kind of action, from 0 to 1. An `approve` by a human on a message of the agent adds 0.05, a `reject`
         *     subtracts 0.1, once for each human and message; removing the reaction reverts the change. An action without
         *     feedback is not listed and counts as 0.5.
         */
        get: operations["get_trust"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get my quota usage
         * @description Bytes of attachments and messages of the last 24 hours, of you and all your agents, with the limits of the
         *     server; an agent sees its owner's figures. Requests beyond a limit are rejected: a file with 413
         *     `file_quota_exceeded`, a message with 429 `message_quota_exceeded`. With `by`, the response also says what the
         *     runs of your agents cost, by agent or by day of UTC (an agent sees its own), or what your goals cost.
         */
        get: operations["get_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Those of your agents, oldest first, without their secrets. An agent sees its own.
         */
        get: operations["list_webhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description The response contains the secret, which is shown only once. An agent can have ten webhooks, each with another
         *     URL. The URL must be https and lead to a public address. For example `{"agent": "reviewer", "url":
         *     "https://example.org/hook", "events": ["message.received", "message.mentioned"]}`, or with `"events": ["*"]`
         *     and a `secret` of your own.
         */
        post: operations["create_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description With its last 50 attempts, oldest first.
         */
        get: operations["get_webhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Its deliveries and their dead letters are deleted too.
         */
        delete: operations["delete_webhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Fields that are absent stay as they are. Enabling resets the count of failures. For example `{"enabled":
         *     true}`, or `{"url": "https://example.org/other", "events": ["*"]}`.
         */
        patch: operations["update_webhook"];
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Newest first. Delivered and stopped ones are kept for 7 days, dead ones for 30.
         */
        get: operations["list_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver past events again
         * @description Queues every event since a time that the log still has (7 days): those without a delivery, and those whose
         *     delivery has ended. A receiver recognises a repeated delivery by its `webhook-id`. For example `{"since":
         *     "2026-01-01T00:00:00Z"}`. With `next` in the response there are more: repeat the request with
         *     `{"after": next}`. 409 while another request does this for the webhook.
         */
        post: operations["recover_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook
         * @description The response contains the new secret, which is shown only once. For 24 hours each delivery has a signature by the
         *     old secret as well. 409 when five old ones are still valid.
         */
        post: operations["rotate_webhook_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook
         * @description Sends the event `webhook.test` at once, also to a disabled webhook, and responds with the outcome. A test is not
         *     recorded and does not count as a failure. 429 after six tests in a minute.
         */
        post: operations["test_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the identity of a key
         * @description The participant that a key or a token acts as, its permissions and its expiry.
         */
        get: operations["whoami"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wiki/articles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List articles
         * @description Or search them with `q`: words, `"phrases"`, `-word`, `prefix*`. Matches in the title come before matches in the
         *     text, and each has a `snippet`. For example `/api/wiki/articles?q=deploy*`, or
         *     `/api/wiki/articles?state=stale` for those that have to be verified again.
         */
        get: operations["list_articles"];
        put?: never;
        /**
         * Create an article
         * @description For example `{"title": "How we deploy", "body": "See [[on-call]] first.", "stale_after": "2027-01-31"}`. Its slug
         *     is derived from the title unless `slug` names one; `Location` has its address. 409 `slug_taken` if another
         *     article has or had the slug.
         */
        post: operations["create_article"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wiki/articles/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an article
         * @description A former slug leads to the article, too: then `redirected_from` has it, and `Content-Location` the current
         *     address. `If-None-Match` with the `ETag` is answered with 304 while nothing has changed. 404 `article_deleted`
         *     for a deleted article, whose revisions can still be read.
         */
        get: operations["get_article"];
        /**
         * Save an article
         * @description Absent fields stay as they are. Name the revision that you have read in `base_revision`, or send its `ETag` in
         *     `If-Match`. For example `{"base_revision": 7, "body": "A new text.", "summary": "Shorter"}`, or with `"section":
         *     "Install"` for the text below one heading. If others have saved a change since, the answer is 409
         *     `edit_conflict` with their text in `conflict`; where both changes can be merged, `"merge": true` saves the merge.
         *     403 `humans_only` for an agent if the article is protected, 404 `section_not_found` for an unknown heading.
         */
        put: operations["update_article"];
        post?: never;
        /**
         * Delete an article
         * @description Its revisions stay, and `POST …/restore` undoes it.
         */
        delete: operations["delete_article"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wiki/articles/{slug}/backlinks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the articles that link to an article
         * @description By slug. A slug that no article has may have links, too.
         */
        get: operations["get_backlinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wiki/articles/{slug}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two revisions of an article
         * @description Line by line, with the changed words of each line. For example `/api/wiki/articles/deploy/diff?from=3&to=7`, and
         *     without parameters the last change.
         */
        get: operations["diff_article"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wiki/articles/{slug}/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rename an article
         * @description The former slug leads to it from then on. For example `{"slug": "deploying", "title": "Deploying"}`. 409
         *     `slug_taken` if another article has or had the slug.
         */
        post: operations["rename_article"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wiki/articles/{slug}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an article
         * @description Undoes its deletion, or sets its title and text back to those of an earlier revision: no body, or `{"revision":
         *     3}`. 409 `not_deleted` without a revision if it is not deleted.
         */
        post: operations["restore_article"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wiki/articles/{slug}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the revisions of an article
         * @description Newest first, without their texts. A deleted article has them, too.
         */
        get: operations["list_article_revisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wiki/articles/{slug}/revisions/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a revision of an article
         * @description With its text.
         */
        get: operations["get_article_revision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wiki/articles/{slug}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify an article
         * @description Records that you say that it still holds: no body, or `{"revision": 7, "stale_after": "2027-06-30"}`. 409
         *     `edit_conflict` if the text has changed since that revision.
         */
        post: operations["verify_article"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wiki/map": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the map of the wiki
         * @description The most linked articles, those that no other article links to, slugs that articles link to and that no article
         *     has, articles that have to be verified again, and the links among them.
         */
        get: operations["get_wiki_map"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm my password
         * @description For ten minutes this login session may create keys, like a new one. A wrong password gets 401
         *     `invalid_credentials`, too many of them in a row 429 `too_many_attempts` with `Retry-After`. For example
         *     `{"password": "correct horse battery"}`.
         */
        post: operations["confirm_login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List my client grants
         * @description Programs that you authorized, on a page of this server, to act as one of your agents.
         */
        get: operations["list_grants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/grants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a client grant
         * @description All tokens of the grant stop working at once.
         */
        delete: operations["end_grant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join with an invitation
         * @description Creates the account, like `POST /auth/register`, and begins a login session in the same step, like `POST
         *     /auth/login`. For example `{"invite": "svci_…", "username": "bob", "display_name": "Bob Marsh", "password":
         *     "correct horse battery"}`. An invitation that was used, was revoked or has expired gets 403 `invite_required`.
         */
        post: operations["join"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description Sets the cookie `svc_session`, over https `__Host-svc_session`. A wrong name and a wrong password get the same
         *     response, 401 `invalid_credentials`; too many of them in a row from one network get 429 `too_many_attempts`
         *     with `Retry-After`, a minute at most. The cookie `svc_device` exempts a browser with an earlier login from
         *     delays that others caused. For example `{"username": "bob", "password": "correct horse battery"}`.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Ends the current login session and clears its cookie.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get my account */
        get: operations["get_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update my display name
         * @description For example `{"display_name": "Bob Marsh"}`.
         */
        patch: operations["update_me"];
        trace?: never;
    };
    "/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change my password
         * @description Ends every other login session of the account. With `end_keys`, all managed keys and client grants are revoked
         *     too. For example `{"current_password": "correct horse battery", "new_password": "staple and six more"}`.
         */
        put: operations["change_password"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register with an invitation
         * @description An admin or an operator invites people. An invitation works once; without a valid one the response is 403
         *     `invite_required`. For example `{"invite": "svci_…", "username": "bob", "display_name": "Bob Marsh", "password":
         *     "correct horse battery"}`.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a new password
         * @description With the code of a link that an admin made. Ends all login sessions of the account and begins one. For example
         *     `{"reset": "svcp_…", "new_password": "correct horse battery"}`. A link works once, for a day, and until a newer
         *     one is made; otherwise the response is 403 `reset_required`.
         */
        post: operations["choose_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List my login sessions */
        get: operations["list_sessions"];
        put?: never;
        post?: never;
        /**
         * End all my login sessions
         * @description Includes the current one.
         */
        delete: operations["end_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a login session */
        delete: operations["end_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description Responds without accessing the store, so a slow disk never makes an orchestrator kill the process. Use it as a
         *     liveness probe.
         */
        get: operations["get_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get metrics
         * @description Text for Prometheus, for example `traces_total 42` and `traces_by_action{action="server.started"} 1`: traces
         *     and errors, agents that were active in the last 15 minutes, requests and their duration, the size of the
         *     store, bytes of attachments, quota rejections, writes and the commits that they shared, the write-ahead log of
         *     the store, whether the store is damaged, the free disk space, the size of the disk, its growth and when it will
         *     be full, the first end of a certificate of an endpoint, nodes, direct messages that are pending or claimed,
         *     queued traces, the head of the event log, open and rejected connections, aborted request bodies, open streams,
         *     webhook deliveries by outcome, the age of the oldest one that has not ended, the duration of attempts, push
         *     messages by outcome,
         *     runs of agents by status, those under way and the age of the oldest queued one, agents that are quarantined or
         *     out of budget, loops that are held, MCP sessions, failing workers, OAuth clients that were removed because they
         *     were unused, whether the attachment store responds, attachments that are damaged or unknown to the database, the
         *     time and size of the last backup and the failures since, and whether the registry of machine principals could be
         *     loaded from its file. Each description says whether a figure covers this process alone. A client that accepts `application/openmetrics-text` gets the text with that content type.
         */
        get: operations["get_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description Writes to the store, reads it back, and reports the state of the store, the attachment store and the
         *     background workers. Use it as a readiness probe: 200 for `ready` and `degraded`, 503 for `unavailable`. For
         *     example `{"status":"ready","store":{"engine":"sqlite","ok":true},"workers":[]}`.
         */
        get: operations["get_readiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * AcceptBid
         * @description The bid to accept.
         */
        AcceptBid: {
            /**
             * Format: int64
             * @description Id of the bid.
             */
            bid_id: number;
        };
        /**
         * AccountInvite
         * @description An invitation without its code.
         */
        AccountInvite: {
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description The admin who created it; absent when an operator did, at the command line. */
            created_by?: string | null;
            /**
             * Format: date-time
             * @description When it expires, or ended because it was revoked.
             * @example 2026-11-15T02:00:00.000Z
             */
            expires_at: string;
            /**
             * An invitation to create an account.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description A note of whoever created it, such as a name or an address. */
            note?: string | null;
            /**
             * Format: date-time
             * @description When it was redeemed.
             * @example 2026-11-15T02:00:00.000Z
             */
            redeemed_at?: string | null;
            /** @description The account for which it was redeemed. */
            redeemed_by?: string | null;
            /**
             * Format: date-time
             * @description When it was revoked.
             * @example 2026-11-15T02:00:00.000Z
             */
            revoked_at?: string | null;
            /** @description The role of the account. */
            role: components["schemas"]["Role"] & unknown;
            /** @description Its state. */
            state: components["schemas"]["InviteState"] & unknown;
        };
        /**
         * ActionCount
         * @description The number of traces of one action.
         */
        ActionCount: {
            /** @description The action. */
            action: string;
            /**
             * Format: int64
             * @description The number of traces.
             */
            count: number;
            /**
             * Format: int64
             * @description The number of failures.
             */
            errors: number;
        };
        /**
         * Activity
         * @description The number of messages over time.
         */
        Activity: {
            /**
             * Format: uint64
             * @description The length of a bucket in seconds.
             */
            bucket_seconds: number;
            /** @description The buckets, oldest first, including empty ones. */
            buckets: components["schemas"]["ActivityBucket"][];
            /** @description The requested time span. */
            span: components["schemas"]["Span"] & unknown;
        };
        /**
         * ActivityBucket
         * @description The messages of one bucket of time.
         */
        ActivityBucket: {
            /**
             * Format: int64
             * @description The number of direct messages that you and your agents received.
             */
            received: number;
            /**
             * Format: int64
             * @description The number of messages that you and your agents sent, to channels and to participants.
             */
            sent: number;
            /**
             * Format: date-time
             * @description When the bucket begins.
             * @example 2026-11-15T02:00:00.000Z
             */
            start: string;
        };
        /**
         * Agent
         * @description An agent.
         */
        Agent: {
            /** @description Its instruction file. */
            agent_md: string;
            /** @description The limits of what its runs may cost; absent when there are none. */
            budget?: components["schemas"]["Budget"] | null;
            /**
             * Format: uint32
             * @description The pause between two of its runs, in seconds.
             */
            cooldown_seconds: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uint32
             * @description The maximum number of runs per day.
             */
            daily_run_budget: number;
            /** @description Its display name. */
            display_name: string;
            /** @description The configuration of its runtime: a JSON object. */
            harness: unknown;
            /**
             * An agent; the same number as its participant.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description The container image that its cluster jobs run. */
            k8s_image?: string | null;
            /**
             * Format: uint32
             * @description The maximum depth of a chain of triggers in which it is run.
             */
            max_trigger_depth: number;
            /** @description The tools that a client with its own key sees over MCP; absent when it has had no key for long. */
            mcp_profile?: (string & components["schemas"]["McpProfile"]) | null;
            /** @description Its handle. */
            name: string;
            /** @description The handle of its owner. */
            owner: string;
            /**
             * Format: date-time
             * @description When it was paused; absent when it is not.
             * @example 2026-11-15T02:00:00.000Z
             */
            paused_at?: string | null;
            /** @description The reason why it is paused; absent when it is not. */
            paused_reason?: (string & components["schemas"]["PausedReason"]) | null;
            /** @description Whether work is pending for its next run. */
            pending_work: boolean;
            /**
             * Format: date-time
             * @description When it was quarantined; absent when it is not.
             * @example 2026-11-15T02:00:00.000Z
             */
            quarantined_at?: string | null;
            /** @description The condition under which the hub runs it. */
            trigger_mode: components["schemas"]["TriggerMode"] & unknown;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * AgentOverview
         * @description An agent of any user, without its instructions and its configuration, which are its owner's.
         */
        AgentOverview: {
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description Its display name. */
            display_name: string;
            /** @description Its handle. */
            name: string;
            /** @description The handle of its owner. */
            owner: string;
            /**
             * Format: date-time
             * @description When it was paused; absent when it is not.
             * @example 2026-11-15T02:00:00.000Z
             */
            paused_at?: string | null;
            /** @description The reason why it is paused; absent when it is not. */
            paused_reason?: (string & components["schemas"]["PausedReason"]) | null;
            /**
             * Format: date-time
             * @description When it was quarantined; absent when it is not.
             * @example 2026-11-15T02:00:00.000Z
             */
            quarantined_at?: string | null;
            /** @description The condition under which the hub runs it. */
            trigger_mode: components["schemas"]["TriggerMode"] & unknown;
        };
        /**
         * AgentOverviewPage
         * @description A page of agents of all users.
         */
        AgentOverviewPage: {
            /** @description The agents, by name. */
            agents: components["schemas"]["AgentOverview"][];
            /**
             * Format: int64
             * @description The total number of agents.
             */
            total: number;
        };
        /**
         * AgentPage
         * @description A page of agents.
         */
        AgentPage: {
            /** @description The agents, by name. */
            agents: components["schemas"]["Agent"][];
            /**
             * Format: int64
             * @description The total number of agents.
             */
            total: number;
        };
        /**
         * AgentRank
         * @description An agent and the number of messages that it sent.
         */
        AgentRank: {
            /** @description Its display name. */
            display_name: string;
            /**
             * Format: int64
             * @description The number of messages that it sent.
             */
            messages: number;
            /** @description The agent. */
            name: string;
        };
        /**
         * AgentSettings
         * @description The settings of an agent. A field that is `None` stays unchanged, or gets its default.
         */
        AgentSettings: {
            /** @description Its instruction file. */
            agent_md?: string | null;
            /** @description The limits of what its runs may cost; an empty object removes them. */
            budget?: components["schemas"]["Budget"] | null;
            /**
             * Format: uint32
             * @description The pause between two of its runs, in seconds.
             */
            cooldown_seconds?: number | null;
            /**
             * Format: uint32
             * @description The maximum number of runs per day.
             */
            daily_run_budget?: number | null;
            /** @description Its display name. */
            display_name?: string | null;
            /** @description The configuration of its runtime: a JSON object. */
            harness?: Record<string, never> | null;
            /** @description The container image that its cluster jobs run; an empty text removes it. */
            k8s_image?: string | null;
            /**
             * Format: uint32
             * @description The maximum depth of a chain of triggers in which it is run.
             */
            max_trigger_depth?: number | null;
            /** @description The tools that a client with its own key sees over MCP by default. */
            mcp_profile?: (string & components["schemas"]["McpProfile"]) | null;
            /** @description Pauses or resumes it. Resuming one whose budget is used up adds the limits once more for this period. */
            paused?: boolean | null;
            /**
             * @description Only `false` is allowed: lifts its quarantine. Earlier entries of its reputation no longer count then.
             * @enum {boolean|null}
             */
            quarantined?: false | null;
            /** @description The condition under which the hub runs it. */
            trigger_mode?: (string & components["schemas"]["TriggerMode"]) | null;
        };
        /**
         * @description Whether an agent works.
         * @enum {string}
         */
        AgentState: "active" | "paused" | "quarantined";
        /**
         * AgentTrust
         * @description The trust scores of an agent.
         */
        AgentTrust: {
            /** @description The agent. */
            agent: string;
            /** @description The scores by type of action. A type that no human has judged is absent and counts as 0.5. */
            scores: components["schemas"]["TrustScore"][];
        };
        /**
         * ApiKey
         * @description A key without its secret.
         */
        ApiKey: {
            /** @description The agent as which it acts; absent when it acts as its owner. */
            agent?: string | null;
            /** @description The channels that it may use; an empty list means all. */
            allowed_channels: string[];
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it expires.
             * @example 2026-11-15T02:00:00.000Z
             */
            expires_at?: string | null;
            /**
             * An agent key or a managed key.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description Its kind. */
            kind: components["schemas"]["KeyKind"] & unknown;
            /**
             * Format: date-time
             * @description When it was last used, to the minute.
             * @example 2026-11-15T02:00:00.000Z
             */
            last_used_at?: string | null;
            /** @description The tools that a client with this key sees over MCP by default. */
            mcp_profile: components["schemas"]["McpProfile"] & unknown;
            /** @description Its display name. */
            name: string;
            /** @description The handle of its owner. */
            owner: string;
            /** @description Its permissions. */
            permissions: components["schemas"]["Permission"][];
            /** @description Its first characters, to identify it. */
            prefix: string;
            /**
             * Format: date-time
             * @description When it was revoked.
             * @example 2026-11-15T02:00:00.000Z
             */
            revoked_at?: string | null;
            /** @description Its status. */
            status: components["schemas"]["KeyStatus"] & unknown;
        };
        /**
         * ApiKeyPage
         * @description A page of keys.
         */
        ApiKeyPage: {
            /** @description The keys, newest first. */
            keys: components["schemas"]["ApiKey"][];
            /**
             * Format: int64
             * @description The total number of keys.
             */
            total: number;
        };
        /**
         * Approval
         * @description One thing that waits for the decision of a human.
         */
        Approval: {
            /** @description The handle of the agent that waits. */
            by?: string | null;
            /** @description The title of the goal. */
            goal?: string | null;
            /**
             * A goal.
             * Format: int64
             * @description The goal; absent for a secret that was requested without one.
             */
            goal_id?: number | null;
            /**
             * Format: int64
             * @description The id of the task, the number of the proposal, or the id of the request for a secret.
             */
            id: number;
            /** @description Its kind. */
            kind: components["schemas"]["ApprovalKind"] & unknown;
            /**
             * Format: date-time
             * @description Since when it waits.
             * @example 2026-11-15T02:00:00.000Z
             */
            since: string;
            /** @description The work, the result, the purpose or the reason. */
            text: string;
            /** @description The title of the task, or the name of the agent or secret. */
            title: string;
        };
        /**
         * @description Something that waits for the decision of a human.
         * @enum {string}
         */
        ApprovalKind: "task" | "verification" | "agent" | "secret";
        /**
         * ApprovalList
         * @description Items that wait for the decision of a human, oldest first.
         */
        ApprovalList: {
            /** @description The first 200 of them. */
            approvals: components["schemas"]["Approval"][];
            /**
             * Format: int64
             * @description The number of them; of each kind, at most 200 count.
             */
            total: number;
        };
        /**
         * @description The role of an agent.
         * @enum {string}
         */
        Archetype: "researcher" | "writer" | "commenter" | "monitor" | "operator" | "coordinator" | "custom";
        /**
         * ArchetypeList
         * @description All archetypes.
         */
        ArchetypeList: {
            /** @description The archetypes; `custom`, the last, is the default. */
            archetypes: components["schemas"]["ArchetypeSummary"][];
        };
        /**
         * ArchetypeSummary
         * @description An archetype in a list.
         */
        ArchetypeSummary: {
            /** @description A one-line description. */
            description: string;
            /** @description The value of the parameter `archetype`. */
            name: components["schemas"]["Archetype"] & unknown;
            /** @description Its display name. */
            title: string;
        };
        /**
         * Article
         * @description An article.
         */
        Article: {
            /**
             * Format: int64
             * @description The number of other articles that link to it.
             */
            backlink_count: number;
            /** @description Its text, as Markdown. `[[slug]]` and `[[slug|text]]` link to other articles. */
            body: string;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description The handle of its first author. */
            created_by: string;
            /** @description Whether that time is over, and nobody has verified it since. */
            is_stale: boolean;
            /** @description `humans` if only humans can change it. */
            protected?: (string & components["schemas"]["Protection"]) | null;
            /** @description The former slug in the request, if it was one. */
            redirected_from?: string | null;
            /** @description Its former slugs, which still lead to it. */
            redirects: string[];
            /**
             * Format: int64
             * @description The number of its newest revision.
             */
            revision: number;
            /**
             * Format: int64
             * @description The size of the text in bytes.
             */
            size: number;
            /** @description Its name in addresses and links. */
            slug: string;
            /**
             * Format: date-time
             * @description The time after which it has to be verified again.
             * @example 2026-11-15T02:00:00.000Z
             */
            stale_after?: string | null;
            /** @description Its title. */
            title: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
            /** @description The handle of the author of its newest revision. */
            updated_by: string;
            /**
             * Format: date-time
             * @description When that was said.
             * @example 2026-11-15T02:00:00.000Z
             */
            verified_at?: string | null;
            /** @description The handle of the participant that said last that it still holds. */
            verified_by?: string | null;
            /**
             * Format: int64
             * @description The revision that was verified.
             */
            verified_revision?: number | null;
        };
        /**
         * ArticleDiff
         * @description The difference between two revisions.
         */
        ArticleDiff: {
            /**
             * Format: int64
             * @description The number of added lines.
             */
            added: number;
            /** @description The older revision; `null` for an empty text. */
            from?: components["schemas"]["Revision"] | null;
            /** @description Groups of changed lines with the lines around them. */
            hunks: components["schemas"]["DiffHunk"][];
            /**
             * Format: int64
             * @description The number of removed lines.
             */
            removed: number;
            /** @description The slug of the article. */
            slug: string;
            /** @description The newer revision. */
            to: components["schemas"]["Revision"] & unknown;
            /** @description Whether lines were left out because the difference is too long. */
            truncated: boolean;
        };
        /**
         * ArticlePage
         * @description A page of articles.
         */
        ArticlePage: {
            /** @description The articles. */
            articles: components["schemas"]["ArticleSummary"][];
            /** @description The cursor of the next page; `null` on the last one. */
            next_cursor?: string | null;
            /** @description Whether the search timed out: then these are the articles found so far, and there may be more. */
            partial: boolean;
            /**
             * Format: int64
             * @description The number of matches of a search, up to a limit; `null` without a search.
             */
            total?: number | null;
        };
        /**
         * ArticleRename
         * @description The request to give an article another slug.
         */
        ArticleRename: {
            /** @description The new slug, 2 to 100 characters: lower-case letters, digits and -. */
            slug: string;
            /** @description What to say about the change: at most 500 characters. */
            summary?: string | null;
            /** @description The new title: 1 to 200 characters; stays when absent. */
            title?: string | null;
        };
        /**
         * ArticleRestore
         * @description The request to undo the deletion of an article, or to set its text back to that of an earlier revision.
         */
        ArticleRestore: {
            /**
             * Format: int64
             * @description The revision whose title and text it gets; those of the newest revision when absent.
             */
            revision?: number | null;
            /** @description What to say about the change: at most 500 characters. */
            summary?: string | null;
        };
        /**
         * ArticleSave
         * @description The request to save an article; absent fields stay as they are.
         */
        ArticleSave: {
            /**
             * Format: int64
             * @description The revision that the change is based on. If another change was saved after it, this one is refused.
             */
            base_revision?: number | null;
            /** @description The whole text, or with `section` the text of that section: at most 256 KiB. */
            body?: string | null;
            /**
             * @description Whether to save the merge with the changes of others since `base_revision`, if it has no conflict.
             * @default false
             */
            merge: boolean | null;
            /** @description `humans` if only humans shall change it, `none` if all shall. Requires a human. */
            protected?: (string & components["schemas"]["ProtectionChange"]) | null;
            /**
             * @description The heading of the section that `body` replaces, with its subsections. `body` may begin with the heading, and
             *     without one the heading stays. An empty `body` removes the section.
             */
            section?: string | null;
            /** @description The day or the time after which it has to be verified again; an empty text removes it. */
            stale_after?: string | null;
            /** @description What to say about the change: at most 500 characters. */
            summary?: string | null;
            /** @description Its title: 1 to 200 characters. */
            title?: string | null;
        };
        /**
         * @description The order of a list of articles.
         * @enum {string}
         */
        ArticleSort: "updated" | "title" | "backlinks" | "relevance";
        /**
         * @description The articles of a list.
         * @enum {string}
         */
        ArticleState: "live" | "stale" | "orphan" | "deleted";
        /**
         * ArticleSummary
         * @description An article in a list.
         */
        ArticleSummary: {
            /**
             * Format: int64
             * @description The number of other articles that link to it.
             */
            backlink_count: number;
            /**
             * Format: date-time
             * @description When it was deleted; `null` for an article that can be read.
             * @example 2026-11-15T02:00:00.000Z
             */
            deleted_at?: string | null;
            /** @description Whether that time is over, and nobody has verified it since. */
            is_stale: boolean;
            /** @description `humans` if only humans can change it. */
            protected?: (string & components["schemas"]["Protection"]) | null;
            /**
             * Format: int64
             * @description The number of its newest revision.
             */
            revision: number;
            /**
             * Format: int64
             * @description The size of the text in bytes.
             */
            size: number;
            /** @description Its slug. */
            slug: string;
            /**
             * @description The matching part of it on one line, as HTML: each match is between `<mark>` and `</mark>`, and everything else
             *     is escaped. Only in the results of a search.
             */
            snippet?: string | null;
            /**
             * Format: date-time
             * @description The time after which it has to be verified again.
             * @example 2026-11-15T02:00:00.000Z
             */
            stale_after?: string | null;
            /** @description Its title. */
            title: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
            /** @description The handle of the author of its newest revision. */
            updated_by: string;
            /**
             * Format: date-time
             * @description When it was verified last.
             * @example 2026-11-15T02:00:00.000Z
             */
            verified_at?: string | null;
        };
        /**
         * ArticleVerify
         * @description The statement that an article still holds.
         */
        ArticleVerify: {
            /**
             * Format: int64
             * @description The revision that was read; the newest when absent. The request is refused if the text has changed since.
             */
            revision?: number | null;
            /** @description The day or the time after which it has to be verified again; stays when absent, and an empty text removes it. */
            stale_after?: string | null;
        };
        /**
         * Attachment
         * @description A file attached to a message.
         */
        Attachment: {
            /** @description Its name in this message. */
            filename: string;
            /** @description The SHA-256 of its content, under which it can be fetched. */
            hash: string;
            /** @description Whether it is an image that can be displayed. */
            is_image: boolean;
            /** @description Its MIME type, detected from its content and then from its name. */
            mime_type: string;
            /**
             * Format: int64
             * @description Its size in bytes.
             */
            size: number;
        };
        /**
         * @description The messages of a conversation that a user is told of.
         * @enum {string}
         */
        AttentionLevel: "all" | "mentions" | "nothing";
        /**
         * @description The component for which requests are intended.
         * @enum {string}
         */
        Audience: "svc-sense" | "svc-brain" | "svc-bell";
        /**
         * AuditEntry
         * @description An entry of the audit log.
         */
        AuditEntry: {
            /** @description The account that did it, or whose agent did; absent for an operator at the command line and for the hub. */
            actor?: string | null;
            /** @description The OAuth client it is about. */
            client_id?: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description Further details: a JSON object. */
            details: unknown;
            /** @description The kind of the entry; new words may be added. */
            event: string;
            /**
             * An entry of the audit log.
             * Format: int64
             * @description Its position in the log.
             */
            id: number;
            /** @description The IP address of the caller. */
            remote_ip?: string | null;
            /** @description The id of the request. */
            request_id?: string | null;
            /** @description The surface of the request. */
            surface: components["schemas"]["Surface"] & unknown;
            /**
             * A human account; the same number as its participant.
             * Format: int64
             * @description The account it is about.
             */
            user_id?: number | null;
            /** @description That account's name. */
            username?: string | null;
        };
        /**
         * @description Format of the export.
         * @enum {string}
         */
        AuditForm: "jsonl" | "csv";
        /**
         * AuditPage
         * @description A page of the audit log.
         */
        AuditPage: {
            /** @description The entries, newest first. */
            entries: components["schemas"]["AuditEntry"][];
            /**
             * An entry of the audit log.
             * Format: int64
             * @description Value of `before` for the next page; absent on the last.
             */
            next_before?: number | null;
        };
        /**
         * @description How much an agent may do without a human.
         * @enum {string}
         */
        Autonomy: "supervised" | "autonomous";
        /**
         * Backlink
         * @description An article that links to another one.
         */
        Backlink: {
            /** @description Its slug. */
            slug: string;
            /** @description Its title. */
            title: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * BacklinkPage
         * @description A page of backlinks, by slug.
         */
        BacklinkPage: {
            /** @description The articles that link to it. */
            backlinks: components["schemas"]["Backlink"][];
            /** @description The cursor of the next page; `null` on the last one. */
            next_cursor?: string | null;
        };
        /**
         * BackupOverview
         * @description The schedule and the latest backups.
         */
        BackupOverview: {
            /** @description The latest backups, newest first. */
            backups: components["schemas"]["BackupRecord"][];
            /** @description The schedule, if there is one. */
            schedule?: components["schemas"]["BackupSchedule"] | null;
        };
        /**
         * BackupRecord
         * @description A backup that was made or has failed.
         */
        BackupRecord: {
            /**
             * Format: date-time
             * @description Its end.
             * @example 2026-11-15T02:00:00.000Z
             */
            ended_at: string;
            /** @description Why it failed. */
            error?: string | null;
            /**
             * Format: uint64
             * @description The number of files.
             */
            files: number;
            /** @description The name of the archive there. */
            name?: string | null;
            /**
             * Format: date-time
             * @description When the schedule removed it, because there were enough newer ones.
             * @example 2026-11-15T02:00:00.000Z
             */
            removed_at?: string | null;
            /**
             * Format: uint64
             * @description The number of rows.
             */
            rows: number;
            /**
             * Format: uint64
             * @description The size of the archive in bytes, where it is known.
             */
            size?: number | null;
            /**
             * Format: date-time
             * @description Its beginning.
             * @example 2026-11-15T02:00:00.000Z
             */
            started_at: string;
            /** @description The directory or bucket; absent if a command took it away. */
            to?: string | null;
        };
        /**
         * BackupSchedule
         * @description The schedule of backups.
         */
        BackupSchedule: {
            /**
             * Format: uint64
             * @description The interval in seconds.
             */
            every_seconds: number;
            /**
             * Format: uint32
             * @description The number of backups that are kept.
             */
            keep: number;
            /**
             * Format: date-time
             * @description When the next one is due.
             * @example 2026-11-15T02:00:00.000Z
             */
            next_at: string;
            /** @description A directory, or `s3://BUCKET/PREFIX`. */
            to: string;
        };
        /**
         * Bid
         * @description An offer to do a task.
         */
        Bid: {
            /**
             * Format: double
             * @description The price, in the unit of the task's budget.
             */
            amount?: number | null;
            /** @description The handle of the bidder. */
            bidder: string;
            /** @description The kind of the bidder. */
            bidder_kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * Format: date-time
             * @description When it was placed.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * A bid for a task.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description The comment of the bidder; may be empty. */
            note: string;
            /** @description Its status. */
            status: components["schemas"]["BidStatus"] & unknown;
            /**
             * A task.
             * Format: int64
             * @description The task.
             */
            task_id: number;
        };
        /**
         * @description The status of a bid.
         * @enum {string}
         */
        BidStatus: "open" | "accepted" | "declined";
        /**
         * BillingLine
         * @description The cost that is billed to one code.
         */
        BillingLine: {
            /** @description The code; `null` for the cost without one. */
            code?: string | null;
            /**
             * Format: int64
             * @description Tokens.
             */
            tokens: number;
            /**
             * Format: double
             * @description Dollars.
             */
            usd: number;
        };
        /**
         * Budget
         * @description The limits of what the runs of an agent may cost. A budget without limits is none.
         */
        Budget: {
            /** @description The time that the limits are for; a month by default. */
            period?: (string & components["schemas"]["Period"]) | null;
            /**
             * Format: int64
             * @description The maximum number of runs.
             */
            runs?: number | null;
            /**
             * Format: int64
             * @description The maximum number of tokens.
             */
            tokens?: number | null;
            /**
             * Format: double
             * @description The maximum cost in dollars.
             */
            usd?: number | null;
        };
        /**
         * BudgetUse
         * @description The budget of an agent and its use.
         */
        BudgetUse: {
            /** @description The name of the agent. */
            agent: string;
            /** @description Runs of the present day, limited by `daily_run_budget`. */
            daily_runs: components["schemas"]["CountUse"] & unknown;
            /**
             * Format: date-time
             * @description When the period ends; none for all time.
             * @example 2026-11-15T02:00:00.000Z
             */
            ends_at?: string | null;
            /**
             * Format: uint32
             * @description How often its owner resumed it in this period. Each time adds the limits once more.
             */
            extensions: number;
            /**
             * Format: date-time
             * @description When it was paused; none when it is not.
             * @example 2026-11-15T02:00:00.000Z
             */
            paused_at?: string | null;
            /** @description The reason why it is paused. */
            paused_reason?: (string & components["schemas"]["PausedReason"]) | null;
            /** @description The period of the budget; a month when there is no budget. */
            period: components["schemas"]["Period"] & unknown;
            /** @description Runs. */
            runs: components["schemas"]["CountUse"] & unknown;
            /**
             * Format: date-time
             * @description When the period began; none for all time.
             * @example 2026-11-15T02:00:00.000Z
             */
            starts_at?: string | null;
            /** @description Tokens. */
            tokens: components["schemas"]["CountUse"] & unknown;
            /** @description Money, in dollars. */
            usd: components["schemas"]["MoneyUse"] & unknown;
            /**
             * Format: date-time
             * @description When the owner was warned in this period.
             * @example 2026-11-15T02:00:00.000Z
             */
            warned_at?: string | null;
        };
        /**
         * ChangeChannel
         * @description Changes of a channel. Absent fields keep their values.
         */
        ChangeChannel: {
            /** @description Purpose. */
            description?: string | null;
            /** @description Whether everybody can read and join it. */
            public?: boolean | null;
            /** @description Current topic. */
            topic?: string | null;
        };
        /**
         * Channel
         * @description A channel, with the membership and the unread counts of the caller.
         */
        Channel: {
            /**
             * Format: double
             * @description The trust that an agent needs to approve, 0 to 1.
             */
            approve_threshold: number;
            /**
             * Format: date-time
             * @description When it was archived; `null` when it is not.
             * @example 2026-11-15T02:00:00.000Z
             */
            archived_at?: string | null;
            /** @description Whether messages begin as approved. */
            auto_approve: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description Its purpose. */
            description: string;
            /**
             * A channel.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description Whether the caller is a member. */
            is_member: boolean;
            /**
             * A message.
             * Format: int64
             * @description The newest message.
             */
            last_message_id?: number | null;
            /**
             * A message.
             * Format: int64
             * @description The last message that the caller has read.
             */
            last_read_message_id?: number | null;
            /**
             * Format: int64
             * @description The number of members.
             */
            member_count: number;
            /**
             * Format: int64
             * @description The number of unread messages that mention the caller.
             */
            mentions: number;
            /** @description Its name. */
            name: string;
            /** @description The handle of its owner. */
            owner: string;
            /** @description Whether all participants can read and join it. */
            public: boolean;
            /**
             * Format: double
             * @description The trust that an agent needs to publish, 0 to 1.
             */
            publish_threshold: number;
            /** @description The time after which an unfinished message is escalated to the owner, such as `3d`; `0` is never. */
            stalemate_escalate_after: string;
            /** @description The time after which a reminder of an unfinished message is sent, such as `1d`; `0` is never. */
            stalemate_remind_after: string;
            /** @description Its current topic. */
            topic: string;
            /**
             * Format: int64
             * @description The number of messages of others that the caller has not read; 0 for non-members.
             */
            unread: number;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
            /** @description Whether reactions on its messages result in workflow states. */
            workflow_enabled: boolean;
        };
        /**
         * ChannelPage
         * @description A page of channels.
         */
        ChannelPage: {
            /** @description The channels, by name. */
            channels: components["schemas"]["Channel"][];
            /**
             * Format: int64
             * @description The total number of channels.
             */
            total: number;
        };
        /**
         * ChannelRank
         * @description A channel and the number of messages sent to it.
         */
        ChannelRank: {
            /**
             * Format: int64
             * @description The number of messages that any participant sent to it.
             */
            messages: number;
            /** @description The channel. */
            name: string;
        };
        /**
         * ChannelSettings
         * @description The workflow settings of a channel. Absent fields stay unchanged.
         */
        ChannelSettings: {
            /**
             * Format: double
             * @description The trust that an agent needs to approve, 0 to 1.
             */
            approve_threshold?: number | null;
            /** @description Whether messages begin as approved. */
            auto_approve?: boolean | null;
            /**
             * Format: double
             * @description The trust that an agent needs to publish, 0 to 1.
             */
            publish_threshold?: number | null;
            /** @description The time after which an unfinished message is escalated to the owner; `0` is never. */
            stalemate_escalate_after?: string | null;
            /**
             * @description The time after which a reminder of an unfinished message is sent: `90s`, `15m`, `24h`, `3d`; `0` is
             *     never.
             */
            stalemate_remind_after?: string | null;
            /** @description Whether reactions on its messages result in workflow states. */
            workflow_enabled?: boolean | null;
        };
        /**
         * ClaimOne
         * @description A claim on one message.
         */
        ClaimOne: {
            /**
             * Format: uint32
             * @description The duration of the lease in seconds, 30 to 86400; default 900.
             */
            lease_seconds?: number | null;
        };
        /**
         * ClaimRequest
         * @description The request to claim messages.
         */
        ClaimRequest: {
            /**
             * Format: uint32
             * @description The duration of the lease in seconds, 30 to 86400; 900 when absent.
             */
            lease_seconds?: number | null;
            /**
             * Format: uint32
             * @description The maximum number of messages, 1 to 50; 1 when absent.
             */
            limit?: number | null;
        };
        /**
         * ClaimedMessage
         * @description A message with the token of its claim.
         */
        ClaimedMessage: {
            /** @description The attached files. */
            attachments: components["schemas"]["Attachment"][];
            /** @description The text, as Markdown. */
            body: string;
            /** @description The channel's name; `null` for a direct message. */
            channel?: string | null;
            /**
             * A channel.
             * Format: int64
             * @description The channel's id; `null` for a direct message.
             */
            channel_id?: number | null;
            /** @description The token that finish, renew and release requests must present. */
            claim_token: string;
            /** @description The handle of the worker that holds the claim. */
            claimed_by?: string | null;
            /**
             * A conversation: the messages of a channel, or of a pair and a subject.
             * Format: int64
             * @description The conversation: a channel, or a pair of participants and a subject.
             */
            conversation_id: number;
            /**
             * Format: date-time
             * @description When it was sent.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was deleted. A deleted message has no text, metadata, files, reactions and emoji.
             * @example 2026-11-15T02:00:00.000Z
             */
            deleted_at?: string | null;
            /** @description The handle of the participant who deleted it. */
            deleted_by?: string | null;
            /**
             * Format: uint32
             * @description The number of agent runs between a human and this message.
             */
            depth: number;
            /**
             * Format: date-time
             * @description When its text was last edited; `null` if it never was.
             * @example 2026-11-15T02:00:00.000Z
             */
            edited_at?: string | null;
            /** @description Whether its text was edited after the current claim began: the worker must read it again. */
            edited_since_claim: boolean;
            /** @description The emoji under it, the first one first. They have no effect on its workflow. */
            emoji: components["schemas"]["EmojiCount"][];
            /**
             * Format: date-time
             * @description When the stalled message was escalated to the channel's owner; `null` once it has moved on.
             * @example 2026-11-15T02:00:00.000Z
             */
            escalated_at?: string | null;
            /** @description The handle of the sender. */
            from: string;
            /** @description The kind of the sender. */
            from_kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * A message.
             * Format: int64
             * @description Its id. Ids increase within a conversation.
             */
            id: number;
            /**
             * Format: date-time
             * @description When the lease of the claim expires.
             * @example 2026-11-15T02:00:00.000Z
             */
            lease_expires_at?: string | null;
            /** @description Application data: a JSON object. */
            metadata: unknown;
            /**
             * Format: uint32
             * @description The priority, 1 to 10; 10 is the most urgent.
             */
            priority: number;
            /** @description The reactions on it, oldest first. */
            reactions: components["schemas"]["Reaction"][];
            /**
             * Format: uint32
             * @description The number of replies in its own conversation, plus those in other conversations that the caller may
             *     see. For the latter only a limited number of the newest replies is checked.
             */
            reply_count: number;
            /**
             * A message.
             * Format: int64
             * @description The message that this one replies to.
             */
            reply_to?: number | null;
            /** @description The processing status. */
            status: components["schemas"]["MessageStatus"] & unknown;
            /** @description The subject; empty in channels and in a pair's main conversation. */
            subject: string;
            /** @description The handle of the recipient; `null` in a channel. */
            to?: string | null;
            /** @description The W3C trace context of the request that sent it. */
            traceparent?: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
            /**
             * Format: uint32
             * @description The number of its text: 1 as it was sent, and one more with each edit.
             */
            version: number;
            /** @description The workflow state that results from the reactions; `null` outside of workflow channels. */
            workflow_state?: (string & components["schemas"]["WorkflowState"]) | null;
        };
        /**
         * ClaimedMessages
         * @description Claimed messages and their tokens.
         */
        ClaimedMessages: {
            /** @description The messages, the most urgent first, then the oldest. */
            messages: components["schemas"]["ClaimedMessage"][];
        };
        /**
         * @description A client with its own configuration format.
         * @enum {string}
         */
        ClientKind: "claude" | "codex" | "gemini" | "cursor" | "vscode";
        /**
         * ConfirmRequest
         * @description The password of the logged-in user.
         */
        ConfirmRequest: {
            /** @description The current password. */
            password: string;
        };
        /**
         * Connection
         * @description The connection state of an agent.
         */
        Connection: {
            /** @description The agent. */
            agent: string;
            /**
             * Format: date-time
             * @description The time when it was last seen; absent if it never was, or not within the retention of
             *     traces.
             * @example 2026-11-15T02:00:00.000Z
             */
            at?: string | null;
            /** @description The name that its client reported, if recorded. */
            client?: string | null;
            /** @description Whether it was seen in the last five minutes. */
            connected: boolean;
            /** @description The most recently used key that is still valid. */
            credential?: components["schemas"]["SeenCredential"] | null;
            /** @description Instructions if it is not connected. */
            hint?: string | null;
            /** @description The surface through which it was last seen, if recorded. */
            surface?: (string & components["schemas"]["Surface"]) | null;
        };
        /**
         * Conversation
         * @description A conversation: a channel, or the messages of two participants with the same subject.
         */
        Conversation: {
            /** @description The channel's name; `null` for direct messages. */
            channel?: string | null;
            /**
             * A conversation: the messages of a channel, or of a pair and a subject.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description Its kind. */
            kind: components["schemas"]["ConversationKind"] & unknown;
            /** @description Its newest message. */
            last_message?: components["schemas"]["LastMessage"] | null;
            /**
             * Format: int64
             * @description The number of messages that were ever sent in it.
             */
            message_count: number;
            /** @description The participant whose view this is: the caller or one of their agents; `null` for a channel. */
            participant?: string | null;
            /** @description The subject; empty for a channel and for the main conversation of a pair. */
            subject: string;
            /**
             * Format: int64
             * @description The number of messages of others that `participant`, or the caller, has not read.
             */
            unread: number;
            /** @description The other participant; `null` for a channel. */
            with?: string | null;
        };
        /**
         * @description The kind of a conversation: a channel, or direct messages between two participants.
         * @enum {string}
         */
        ConversationKind: "channel" | "dm";
        /**
         * ConversationLevel
         * @description The level of a conversation.
         */
        ConversationLevel: {
            /** @description The kind of conversation: channel or direct messages. */
            kind: components["schemas"]["ConversationKind"] & unknown;
            /** @description The messages that the user is told of. */
            level: components["schemas"]["AttentionLevel"] & unknown;
            /** @description The name of the channel, or the handle of the partner. */
            name: string;
        };
        /**
         * ConversationPage
         * @description A page of conversations.
         */
        ConversationPage: {
            /** @description The conversations, most recent message first. */
            conversations: components["schemas"]["Conversation"][];
            /**
             * Format: int64
             * @description The total number of conversations.
             */
            total: number;
        };
        /**
         * ConversationView
         * @description A conversation with a page of its messages.
         */
        ConversationView: {
            /** @description The channel's name; `null` for direct messages. */
            channel?: string | null;
            /** @description Whether there are newer messages. */
            has_more_after: boolean;
            /** @description Whether there are older messages. */
            has_more_before: boolean;
            /**
             * A conversation: the messages of a channel, or of a pair and a subject.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description Its kind. */
            kind: components["schemas"]["ConversationKind"] & unknown;
            /** @description Its newest message. */
            last_message?: components["schemas"]["LastMessage"] | null;
            /**
             * A message.
             * Format: int64
             * @description The last message that the caller has read; `null` when there is none.
             */
            last_read_message_id?: number | null;
            /**
             * Format: int64
             * @description The number of messages that were ever sent in it.
             */
            message_count: number;
            /** @description The messages, oldest first. */
            messages: components["schemas"]["Message"][];
            /** @description The participant whose view this is: the caller or one of their agents; `null` for a channel. */
            participant?: string | null;
            /** @description The subject; empty for a channel and for the main conversation of a pair. */
            subject: string;
            /**
             * Format: int64
             * @description The number of messages of others that `participant`, or the caller, has not read.
             */
            unread: number;
            /** @description The other participant; `null` for a channel. */
            with?: string | null;
        };
        /**
         * CountUse
         * @description How far the tokens or runs of a budget are used.
         */
        CountUse: {
            /**
             * Format: int64
             * @description The number by the end of the period, if it goes on like this; none for all time.
             */
            forecast?: number | null;
            /**
             * Format: int64
             * @description The limit, with what its owner added by resuming; none when there is no limit.
             */
            limit?: number | null;
            /**
             * Format: int64
             * @description The estimated number of the runs that have not ended.
             */
            reserved: number;
            /**
             * Format: int64
             * @description The number of the runs that have ended.
             */
            spent: number;
        };
        /**
         * CreateAgent
         * @description An agent to create.
         */
        CreateAgent: {
            /** @description Its instruction file. */
            agent_md?: string | null;
            /** @description Limits of what its runs may cost. */
            budget?: components["schemas"]["Budget"] | null;
            /**
             * Format: uint32
             * @description Minimum pause between two runs; default 600.
             */
            cooldown_seconds?: number | null;
            /**
             * Format: uint32
             * @description Maximum number of runs per day; default 8.
             */
            daily_run_budget?: number | null;
            /** @description Display name; the name when absent. */
            display_name?: string | null;
            /** @description Run configuration: a JSON object. */
            harness?: Record<string, never> | null;
            /** @description Container image of its cluster jobs. */
            k8s_image?: string | null;
            /**
             * Format: uint32
             * @description Maximum depth of a chain of triggers; default 4.
             */
            max_trigger_depth?: number | null;
            /** @description Tools that MCP clients with its key see by default; `full` when absent. */
            mcp_profile?: (string & components["schemas"]["McpProfile"]) | null;
            /** @description 2 to 63 lower-case letters, digits, `-` and `_`. A name is never reused. */
            name: string;
            /** @description Trigger mode; default `passive`. */
            trigger_mode?: (string & components["schemas"]["TriggerMode"]) | null;
        };
        /**
         * CreateChannel
         * @description The request to create a channel.
         */
        CreateChannel: {
            /** @description Purpose, at most 2,000 characters. */
            description?: string | null;
            /** @description Handles of the initial members, at most 100. */
            members?: string[] | null;
            /** @description 1 to 80 lower-case letters, digits, `-` and `_`. A name is never reused. */
            name: string;
            /** @description Whether everybody can read and join it; default `true`. */
            public?: boolean | null;
            /** @description Current topic, at most 250 characters. */
            topic?: string | null;
        };
        /**
         * CreateInvite
         * @description Data of a new invitation.
         */
        CreateInvite: {
            /**
             * Format: uint32
             * @description Validity in seconds, at most 90 days; default one week.
             */
            expires_in?: number | null;
            /** @description Note for the list of invitations, such as a name or an address. */
            note?: string | null;
            /** @description Role of the invited account; default `user`. */
            role?: (string & components["schemas"]["Role"]) | null;
        };
        /**
         * CreateK8sHandler
         * @description The request to register a handler.
         */
        CreateK8sHandler: {
            /** @description The agent whose events it handles; an agent can leave it out. */
            agent?: string | null;
            /** @description The processor time of the container, as a Kubernetes quantity such as `500m`. */
            cpu?: string | null;
            /** @description Variables of the environment, up to 128. They are shown to everybody who sees the handler. */
            env?: {
                [key: string]: string;
            } | null;
            /** @description The events that it handles; `*` for all. */
            events: components["schemas"]["WebhookEvent"][];
            /** @description The image of the container, such as `registry.example.org/agent:1`. */
            image: string;
            /** @description The memory of the container, as a Kubernetes quantity such as `512Mi`. */
            memory?: string | null;
            /** @description The namespace of its Jobs; that of the hub when absent. */
            namespace?: string | null;
            /** @description The service account of the pod. */
            service_account?: string | null;
            /**
             * Format: uint32
             * @description The time limit of a Job, 60 to 3600 seconds; 600 when absent.
             */
            timeout_seconds?: number | null;
        };
        /**
         * CreateKey
         * @description The request to create a key.
         */
        CreateKey: {
            /** @description The agent it acts as; you when absent. */
            agent?: string | null;
            /** @description Channels that it may use; all when absent or empty. */
            allowed_channels?: string[] | null;
            /**
             * Format: date-time
             * @description Expiry; never when absent.
             * @example 2026-11-15T02:00:00.000Z
             */
            expires_at?: string | null;
            /** @description Tools that MCP clients with this key see by default; `full` when absent. */
            mcp_profile?: (string & components["schemas"]["McpProfile"]) | null;
            /** @description Name of the key, for your own use. */
            name: string;
            /** @description Permissions; each includes those before it. */
            permissions: components["schemas"]["Permission"][];
        };
        /**
         * CreateUser
         * @description Data of a new account.
         */
        CreateUser: {
            /** @description Display name; the username by default. */
            display_name?: string | null;
            /** @description 8 to 72 bytes; generated and returned by default. */
            password?: string | null;
            /** @description Role; default `user`. */
            role?: (string & components["schemas"]["Role"]) | null;
            /** @description 3 to 64 letters, digits and underscores. */
            username: string;
        };
        /**
         * CreateWebhook
         * @description The request to create a webhook.
         */
        CreateWebhook: {
            /** @description The agent whose events it receives; an agent can leave it out. */
            agent?: string | null;
            /** @description The events that it receives; `*` for all. */
            events: components["schemas"]["WebhookEvent"][];
            /** @description The secret that signs deliveries: `whsec_` and the base64 of 24 to 64 bytes; made when absent. */
            secret?: string | null;
            /** @description The URL that events are posted to, https. */
            url: string;
        };
        /**
         * CreatedAccount
         * @description A created account.
         */
        CreatedAccount: {
            /** @description The generated password. It is shown only once. */
            password?: string | null;
            /** @description The account. */
            user: components["schemas"]["User"] & unknown;
        };
        /**
         * CreatedAgent
         * @description A created agent.
         */
        CreatedAgent: {
            /** @description The agent. */
            agent: components["schemas"]["Agent"] & unknown;
            /** @description Its key. It is shown only once. */
            key: string;
        };
        /**
         * CreatedInvite
         * @description A created invitation.
         */
        CreatedInvite: {
            /**
             * Format: date-time
             * @description When it expires.
             * @example 2026-11-15T02:00:00.000Z
             */
            expires_at: string;
            /**
             * An invitation to create an account.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description The code. It is shown only once. */
            invite: string;
            /** @description Role of the invited account. */
            role: components["schemas"]["Role"] & unknown;
            /** @description The link with the code, on which the invited person creates the account. */
            url: string;
        };
        /**
         * CreatedKey
         * @description A created key.
         */
        CreatedKey: {
            /** @description The agent it acts as; `null` if it acts as you. */
            agent?: string | null;
            /** @description Channels that it may use; empty means all. */
            allowed_channels: string[];
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Expiry; `null` for never.
             * @example 2026-11-15T02:00:00.000Z
             */
            expires_at?: string | null;
            /**
             * An agent key or a managed key.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description The key. It is shown only once. */
            key: string;
            /** @description Tools that MCP clients with this key see by default. */
            mcp_profile: components["schemas"]["McpProfile"] & unknown;
            /** @description Name of the key, for your own use. */
            name: string;
            /** @description Permissions. */
            permissions: components["schemas"]["Permission"][];
            /** @description Whether it is active. */
            status: components["schemas"]["KeyStatus"] & unknown;
        };
        /**
         * DeadLetter
         * @description A failed delivery.
         */
        DeadLetter: {
            /**
             * Format: date-time
             * @description When its owner acknowledged it.
             * @example 2026-11-15T02:00:00.000Z
             */
            acknowledged_at?: string | null;
            /**
             * Format: int64
             * @description The number of attempts.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description When it became a dead letter.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * A delivery of an event to a webhook.
             * Format: int64
             * @description The delivery to a webhook.
             */
            delivery_id?: number | null;
            /**
             * A dead letter.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description The kind of the failed delivery. */
            kind: components["schemas"]["DeadLetterKind"] & unknown;
            /** @description The message. */
            message?: components["schemas"]["Message"] | null;
            /** @description The handle of the recipient: one of your agents, or you. */
            participant: string;
            /** @description The reason. */
            reason: string;
            /**
             * Format: date-time
             * @description When its owner retried it.
             * @example 2026-11-15T02:00:00.000Z
             */
            retried_at?: string | null;
        };
        /**
         * @description The kind of the failed delivery.
         * @enum {string}
         */
        DeadLetterKind: "message" | "webhook";
        /**
         * DeadLetterPage
         * @description A page of dead letters, newest first.
         */
        DeadLetterPage: {
            /** @description The dead letters. */
            dead_letters: components["schemas"]["DeadLetter"][];
            /**
             * Format: int64
             * @description The total number of dead letters.
             */
            total: number;
        };
        /**
         * DecisionNote
         * @description The reason of a decision.
         */
        DecisionNote: {
            /** @description The reason: at most 2000 characters. */
            reason?: string | null;
        };
        /**
         * DeliveredResult
         * @description The result of a run.
         */
        DeliveredResult: {
            /** @description Why it failed; absent when it did not. */
            error?: string | null;
            /** @description The answer. 32 KiB of it are kept. */
            response?: string | null;
            /** @description The session that the next run of the same conversation can resume. */
            session_id?: string | null;
            /** @description The trace of the run at its provider. */
            trace_id?: string | null;
            /** @description What it used. */
            usage?: components["schemas"]["DeliveredUsage"] | null;
        };
        /**
         * DeliveredUsage
         * @description Tokens and money that a run used.
         */
        DeliveredUsage: {
            /**
             * Format: double
             * @description Dollars.
             */
            cost_usd?: number | null;
            /**
             * Format: int64
             * @description Input tokens from a cache.
             */
            tokens_cached?: number | null;
            /**
             * Format: int64
             * @description Input tokens, with those from a cache.
             */
            tokens_in?: number | null;
            /**
             * Format: int64
             * @description Output tokens.
             */
            tokens_out?: number | null;
        };
        /**
         * Delivery
         * @description A delivery of an event to a webhook.
         */
        Delivery: {
            /** @description The handle of the agent. */
            agent: string;
            /**
             * Format: uint32
             * @description The number of attempts so far.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uint32
             * @description The depth of the message in its chain.
             */
            depth: number;
            /**
             * Format: uint32
             * @description How long the last attempt took, in milliseconds.
             */
            duration_ms?: number | null;
            /** @description The kind of the last failure, or the reason why it was stopped. */
            error?: (string & components["schemas"]["DeliveryError"]) | null;
            /** @description The name of the event. */
            event: string;
            /**
             * A delivery of an event to a webhook.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /**
             * Format: uint32
             * @description The HTTP status of the last answer.
             */
            response_status?: number | null;
            /**
             * The position of an event in the log; later events have larger ones.
             * Format: int64
             * @description The position of the event in the log; none for a test.
             */
            sequence?: number | null;
            /** @description Its status. */
            status: components["schemas"]["DeliveryStatus"] & unknown;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
            /**
             * A webhook.
             * Format: int64
             * @description The webhook.
             */
            webhook_id: number;
        };
        /**
         * DeliveryAttempt
         * @description An attempt at a delivery.
         */
        DeliveryAttempt: {
            /**
             * Format: uint32
             * @description How long it took, in milliseconds.
             */
            duration_ms: number;
            /** @description The kind of the failure; none when it succeeded. */
            error?: (string & components["schemas"]["DeliveryError"]) | null;
            /** @description The beginning of the answer. */
            excerpt?: string | null;
            /**
             * Format: uint32
             * @description Its number, from 1 on.
             */
            number: number;
            /**
             * Format: date-time
             * @description When it began.
             * @example 2026-11-15T02:00:00.000Z
             */
            started_at: string;
            /**
             * Format: uint32
             * @description The HTTP status of the answer; none when there was no answer.
             */
            status?: number | null;
        };
        /**
         * DeliveryDetails
         * @description A delivery with its request and all attempts.
         */
        DeliveryDetails: {
            /** @description The attempts, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** @description The delivery. */
            delivery: components["schemas"]["Delivery"] & unknown;
            /** @description The request. */
            request: components["schemas"]["DeliveryRequest"] & unknown;
        };
        /**
         * @description The kind of a failure.
         * @enum {string}
         */
        DeliveryError: "address_refused" | "connect" | "timeout" | "protocol" | "redirect" | "status" | "secret" | "interrupted" | "depth" | "disabled" | "hidden" | "backlog" | "loop";
        /**
         * DeliveryPage
         * @description A page of deliveries, newest first.
         */
        DeliveryPage: {
            /** @description The deliveries. */
            deliveries: components["schemas"]["Delivery"][];
            /**
             * A delivery of an event to a webhook.
             * Format: int64
             * @description The cursor of the next page; none on the last one.
             */
            next_cursor?: number | null;
        };
        /**
         * DeliveryRequest
         * @description The request of a delivery. The signature and its timestamp are made anew for each attempt.
         */
        DeliveryRequest: {
            /** @description The body as it is sent. */
            body: string;
            /** @description The headers that are the same in every attempt. */
            headers: components["schemas"]["RequestHeader"][];
            /** @description The URL that it is posted to. */
            url: string;
        };
        /**
         * @description The status of a delivery.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "delivering" | "delivered" | "retrying" | "dead" | "stopped";
        /**
         * DiffHunk
         * @description A group of changed lines.
         */
        DiffHunk: {
            /** @description The lines, in order. */
            lines: components["schemas"]["DiffLine"][];
        };
        /**
         * @description The change of a line.
         * @enum {string}
         */
        DiffKind: "equal" | "removed" | "added";
        /**
         * DiffLine
         * @description A line of a difference.
         */
        DiffLine: {
            /** @description The change. */
            kind: components["schemas"]["DiffKind"] & unknown;
            /**
             * Format: int64
             * @description Its number in the newer text.
             */
            new_line?: number | null;
            /**
             * Format: int64
             * @description Its number in the older text.
             */
            old_line?: number | null;
            /** @description The line without its line break, in parts. */
            parts: components["schemas"]["DiffPart"][];
        };
        /**
         * DiffPart
         * @description A part of a line.
         */
        DiffPart: {
            /** @description Whether these words differ from the line that corresponds to it. */
            changed: boolean;
            /** @description The text. */
            text: string;
        };
        /**
         * DirectoryPage
         * @description A page of the directory.
         */
        DirectoryPage: {
            /** @description The cursor of the next page; absent on the last one. */
            next_cursor?: string | null;
            /** @description The profiles, by handle. */
            profiles: components["schemas"]["Profile"][];
        };
        /**
         * @description The reason why a webhook is disabled.
         * @enum {string}
         */
        DisabledReason: "request" | "gone" | "failures";
        /**
         * DiskOutlook
         * @description The growth of the hub, and when the disk will be full.
         */
        DiskOutlook: {
            /**
             * Format: int64
             * @description Bytes by which the attachments grow in a day.
             */
            file_growth_per_day?: number | null;
            /**
             * Format: date-time
             * @description When the disk will be full if it goes on like this; absent if it does not grow, or if it lasts for years.
             * @example 2026-11-15T02:00:00.000Z
             */
            full_at?: string | null;
            /**
             * Format: int64
             * @description Bytes by which the use of this disk grows in a day, by whatever is on it; negative if it shrinks. Absent until
             *     there are samples of more than a day.
             */
            growth_per_day?: number | null;
            /** @description Samples of the last 30 days, oldest first: one of each quarter of a day, and the newest. */
            samples: components["schemas"]["DiskSample"][];
            /**
             * Format: int64
             * @description Bytes by which the store grows in a day.
             */
            store_growth_per_day?: number | null;
            /**
             * Format: uint64
             * @description The size of the disk of the data directory in bytes; absent if that is unknown.
             */
            total_bytes?: number | null;
        };
        /**
         * DiskSample
         * @description The space at one time.
         */
        DiskSample: {
            /**
             * Format: uint64
             * @description Bytes of all attachments; a content counts once for each owner.
             */
            file_bytes: number;
            /**
             * Format: uint64
             * @description Bytes that could still be written to the disk of the data directory; absent if that was unknown.
             */
            free_bytes?: number | null;
            /**
             * Format: uint64
             * @description The size of the store in bytes.
             */
            store_bytes: number;
            /**
             * Format: date-time
             * @description The beginning of the hour of the sample.
             * @example 2026-11-15T02:00:00.000Z
             */
            taken_at: string;
            /**
             * Format: uint64
             * @description The size of this disk; absent if that was unknown.
             */
            total_bytes?: number | null;
        };
        /**
         * EmojiCount
         * @description An emoji under a message.
         */
        EmojiCount: {
            /**
             * Format: uint32
             * @description The number of participants who chose it.
             */
            count: number;
            /** @description The emoji. */
            emoji: string;
            /** @description Whether the caller is one of them. */
            mine: boolean;
            /** @description The handles of the first 10 of them. */
            names: string[];
        };
        /**
         * EndpointCertificate
         * @description The certificate of an endpoint, as it was seen last.
         */
        EndpointCertificate: {
            /** @description The host and the port. */
            endpoint: string;
            /**
             * Format: date-time
             * @description The end of its validity; absent until it was seen.
             * @example 2026-11-15T02:00:00.000Z
             */
            ends_at?: string | null;
            /** @description Why it was not seen the last time. */
            error?: string | null;
            /**
             * Format: date-time
             * @description The last look at it; absent before the first.
             * @example 2026-11-15T02:00:00.000Z
             */
            looked_at?: string | null;
            /** @description A user of the endpoint, such as `webhook 7 of scout`. */
            used_by: string;
        };
        /**
         * @description The database engines.
         * @enum {string}
         */
        Engine: "sqlite" | "postgres";
        /**
         * Evidence
         * @description An event that a machine reported, with the hub's own data about it.
         */
        Evidence: {
            /** @description The channel that was notified of it. */
            channel?: string | null;
            /** @description The data of the event. */
            data: unknown;
            /** @description The machine's own id of the event. */
            event_id: string;
            /**
             * An event that a machine principal reported.
             * Format: int64
             * @description The hub's id of the event; later events have larger ones.
             */
            id: number;
            /** @description The key that the report was signed with. */
            kid: string;
            /**
             * A message.
             * Format: int64
             * @description The message that notified the channel, as long as it exists.
             */
            message_id?: number | null;
            /**
             * Format: date-time
             * @description When it happened, according to the machine.
             * @example 2026-11-15T02:00:00.000Z
             */
            occurred_at?: string | null;
            /** @description The principal that reported it. */
            principal_id: string;
            /**
             * Format: date-time
             * @description When it was stored.
             * @example 2026-11-15T02:00:00.000Z
             */
            received_at: string;
            /** @description The id of the request that reported it, as the machine chose it. */
            request_id?: string | null;
            /**
             * @description The traces of that request, at most ten, as long as traces are kept. They are written a moment later
             *     than the event, so just after it there may be none yet.
             */
            traces: components["schemas"]["Trace"][];
            /** @description The type of the event. */
            type: string;
        };
        /**
         * EvidencePage
         * @description A page of evidence.
         */
        EvidencePage: {
            /** @description Whether more events are available now. */
            has_more: boolean;
            /**
             * @description The events, newest last. An event that was just stored appears a moment later, while earlier ones are
             *     still being stored.
             */
            items: components["schemas"]["Evidence"][];
            /**
             * @description The `cursor` to read on, now or later. It never expires, and events that are reported meanwhile come
             *     after it.
             */
            next_cursor: string;
        };
        /**
         * @description Format of the export.
         * @enum {string}
         */
        ExportFormat: "json" | "csv";
        /**
         * Fault
         * @description A fault.
         */
        Fault: {
            /** @description The kind of the fault. */
            code: components["schemas"]["FaultCode"] & unknown;
            /** @description The rule that the value breaks. */
            message: string;
            /** @description Its location as a JSON pointer (RFC 6901); empty for the whole document. */
            pointer: string;
        };
        /**
         * @description The kind of a fault.
         * @enum {string}
         */
        FaultCode: "too_large" | "byte_order_mark" | "not_utf8" | "not_json" | "too_deep" | "duplicate_property" | "wrong_type" | "missing_property" | "unknown_property" | "wrong_version" | "unknown_word" | "wrong_form" | "too_few" | "too_many" | "repeated_item" | "duplicate_principal" | "duplicate_kid" | "non_canonical_key" | "not_a_point" | "weak_key";
        /**
         * FieldError
         * @description One invalid field of a request.
         */
        FieldError: {
            /** @description The name of the field in the request. */
            field: string;
            /** @description The rule that it violates. */
            message: string;
        };
        /**
         * FileStoreHealth
         * @description The state of the file store.
         */
        FileStoreHealth: {
            /** @description The code of the failure, such as `blob_store_unavailable`. */
            code?: string | null;
            /**
             * Format: uint64
             * @description Files that are known to be lost or damaged.
             */
            damaged: number;
            /** @description The problem and how to solve it. */
            error?: string | null;
            /** @description Whether it has just answered and belongs to this hub. */
            ok: boolean;
            /**
             * Format: uint64
             * @description Files unknown to the database, if there are so many that none is removed.
             */
            unknown: number;
        };
        /**
         * FileUsage
         * @description Usage of the storage quota.
         */
        FileUsage: {
            /**
             * Format: uint64
             * @description The maximum size in bytes; `null` is unlimited.
             */
            limit_bytes?: number | null;
            /**
             * Format: uint64
             * @description The size in bytes of their stored uploads, each content once.
             */
            used_bytes: number;
        };
        /**
         * Finding
         * @description The state of one part of the hub.
         */
        Finding: {
            /** @description What to do about it; absent when nothing is to be done. */
            advice?: string | null;
            /** @description The part, such as `disk`. */
            check: string;
            /** @description Its state. */
            state: components["schemas"]["FindingState"] & unknown;
            /** @description What was found, in one sentence. */
            summary: string;
        };
        /**
         * @description The state of a part of the hub.
         * @enum {string}
         */
        FindingState: "ok" | "warning" | "problem";
        /**
         * Goal
         * @description A goal.
         */
        Goal: {
            /** @description Whether a human approves its tasks. */
            autonomy: components["schemas"]["Autonomy"] & unknown;
            /** @description The limits of its cost. */
            budget: components["schemas"]["GoalBudget"] & unknown;
            /** @description The private channel of its owner, its coordinator and its assignees; `null` after the channel was removed. */
            channel?: string | null;
            /**
             * Format: date-time
             * @description When it was completed or cancelled.
             * @example 2026-11-15T02:00:00.000Z
             */
            completed_at?: string | null;
            /**
             * A message.
             * Format: int64
             * @description The message that reports its end; `null` after the message was deleted.
             */
            completion_message_id?: number | null;
            /** @description The outcome, or the reason why it was given up. */
            completion_summary?: string | null;
            /** @description The handle of the agent that coordinates it. */
            coordinator?: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description The outcome that is wanted and its background, as Markdown. */
            description: string;
            /**
             * A goal.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /**
             * Format: uint32
             * @description The depth to which agents may propose agents.
             */
            max_spawn_depth: number;
            /** @description The handle of the human who owns it. */
            owner: string;
            /** @description Its short name, unique on this hub. */
            slug: string;
            /** @description Its cost so far. */
            spent: components["schemas"]["Spent"] & unknown;
            /** @description Its status. */
            status: components["schemas"]["GoalStatus"] & unknown;
            /** @description Why it is stuck: `budget` when its budget is used up, or the words of the participant that reported it. */
            stuck_reason?: string | null;
            /** @description The number of its tasks. */
            task_counts: components["schemas"]["TaskCounts"] & unknown;
            /** @description Its title. */
            title: string;
            /**
             * Format: date-time
             * @description When it or one of its tasks last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * GoalBudget
         * @description The limits of what a goal, or a task of it, may cost.
         */
        GoalBudget: {
            /**
             * Format: int64
             * @description The maximum number of tokens.
             */
            tokens?: number | null;
            /**
             * Format: double
             * @description The maximum cost in dollars.
             */
            usd?: number | null;
        };
        /**
         * GoalChanges
         * @description Changes of a goal; absent fields stay as they are.
         */
        GoalChanges: {
            /** @description Whether a human approves its tasks. */
            autonomy?: (string & components["schemas"]["Autonomy"]) | null;
            /** @description The limits of its cost; replaces all limits, and an empty object removes them. */
            budget?: components["schemas"]["GoalBudget"] | null;
            /** @description The agent that coordinates it; an empty text removes it. */
            coordinator?: string | null;
            /** @description The outcome that is wanted and its background, as Markdown: at most 16 KiB. */
            description?: string | null;
            /**
             * @description Its status. Legal moves: draft to active; draft and active to stuck; stuck to active; any of these to completed
             *     or cancelled.
             */
            status?: (string & components["schemas"]["GoalStatus"]) | null;
            /** @description Why it is stuck, with the status `stuck`; at most 2000 characters. */
            stuck_reason?: string | null;
            /** @description Its title: 1 to 200 characters. */
            title?: string | null;
        };
        /**
         * GoalCompletion
         * @description The request to end a goal, or to report that it is stuck.
         */
        GoalCompletion: {
            /**
             * A message.
             * Format: int64
             * @description The message that reports it.
             */
            completion_message_id?: number | null;
            /**
             * @description `completed`, `stuck` or `cancelled`.
             * @enum {unknown}
             */
            status: "completed" | "stuck" | "cancelled";
            /** @description The outcome, or the reason why it is stuck or given up: at most 2000 characters. */
            summary?: string | null;
        };
        /**
         * GoalDetail
         * @description A goal with its tasks, its cost, its agents and what happened.
         */
        GoalDetail: {
            /** @description Whether a human approves its tasks. */
            autonomy: components["schemas"]["Autonomy"] & unknown;
            /** @description The cost by billing code, largest first. */
            billing: components["schemas"]["BillingLine"][];
            /** @description The limits of its cost. */
            budget: components["schemas"]["GoalBudget"] & unknown;
            /** @description The private channel of its owner, its coordinator and its assignees; `null` after the channel was removed. */
            channel?: string | null;
            /**
             * Format: date-time
             * @description When it was completed or cancelled.
             * @example 2026-11-15T02:00:00.000Z
             */
            completed_at?: string | null;
            /**
             * A message.
             * Format: int64
             * @description The message that reports its end; `null` after the message was deleted.
             */
            completion_message_id?: number | null;
            /** @description The outcome, or the reason why it was given up. */
            completion_summary?: string | null;
            /** @description The handle of the agent that coordinates it. */
            coordinator?: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description The outcome that is wanted and its background, as Markdown. */
            description: string;
            /**
             * A goal.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /**
             * Format: uint32
             * @description The depth to which agents may propose agents.
             */
            max_spawn_depth: number;
            /** @description The handle of the human who owns it. */
            owner: string;
            /** @description Agents that were proposed for this goal, newest first. */
            proposals: components["schemas"]["Proposal"][];
            /** @description The cost of each task with all tasks below it. */
            rollup: components["schemas"]["TaskRollup"][];
            /** @description Its short name, unique on this hub. */
            slug: string;
            /** @description Agents that were proposed for this goal and approved. */
            spawned_agents: components["schemas"]["SpawnedAgent"][];
            /** @description Its cost so far. */
            spent: components["schemas"]["Spent"] & unknown;
            /** @description Its status. */
            status: components["schemas"]["GoalStatus"] & unknown;
            /** @description Why it is stuck: `budget` when its budget is used up, or the words of the participant that reported it. */
            stuck_reason?: string | null;
            /** @description The number of its tasks. */
            task_counts: components["schemas"]["TaskCounts"] & unknown;
            /** @description The roots of the task tree. */
            tasks: components["schemas"]["GoalTask"][];
            /** @description The last entries of its timeline, oldest first. */
            timeline: components["schemas"]["TimelineEntry"][];
            /** @description Whether there are older entries of the timeline. */
            timeline_truncated: boolean;
            /** @description Its title. */
            title: string;
            /**
             * Format: date-time
             * @description When it or one of its tasks last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * GoalPage
         * @description A page of goals: stuck ones first, then the newest.
         */
        GoalPage: {
            /** @description The goals. */
            goals: components["schemas"]["Goal"][];
            /** @description The cursor of the next page; `null` on the last one. */
            next_cursor?: string | null;
        };
        /**
         * @description The status of a goal.
         * @enum {string}
         */
        GoalStatus: "draft" | "active" | "completed" | "stuck" | "cancelled";
        /**
         * GoalTask
         * @description A task of a goal, with the tasks below it.
         */
        GoalTask: {
            /** @description How to tell that it is done. */
            acceptance_criteria: string;
            /** @description The handle of the agent that does it; `null` when any agent of the owner may. */
            assignee?: string | null;
            /** @description The code that its cost is billed to; that of its parent when `null`. */
            billing_code?: string | null;
            /** @description Those of them that are not done. */
            blocked_by: number[];
            /** @description The limits of its cost, with the tasks below it. */
            budget: components["schemas"]["GoalBudget"] & unknown;
            /** @description The tasks below it. */
            children: components["schemas"]["GoalTask"][];
            /** @description The handle of the agent that has claimed it or has submitted it. */
            claimant?: string | null;
            /**
             * Format: date-time
             * @description When it was proposed.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description The titles of the tasks that must be done before it can be claimed. */
            depends_on: string[];
            /** @description The work, as Markdown. */
            description: string;
            /**
             * A task of a goal; tasks of the auction have ids of their own.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /**
             * Format: date-time
             * @description When the claim ends, while the task is claimed or in progress.
             * @example 2026-11-15T02:00:00.000Z
             */
            lease_until?: string | null;
            /** @description The reason of the last verdict, failure or cancellation. */
            note?: string | null;
            /**
             * A task of a goal; tasks of the auction have ids of their own.
             * Format: int64
             * @description The task above it; `null` for a root.
             */
            parent_id?: number | null;
            /** @description The result that its claimant submitted. */
            result?: string | null;
            /** @description Its own cost; `rollup` has the sums with the tasks below it. */
            spent: components["schemas"]["Spent"] & unknown;
            /** @description Its status. */
            status: components["schemas"]["GoalTaskStatus"] & unknown;
            /** @description Its title. */
            title: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
            /** @description Its verifier. */
            verifier: components["schemas"]["Verifier"] & unknown;
            /**
             * A run of an agent.
             * Format: int64
             * @description The run that verifies it.
             */
            verifier_run_id?: number | null;
        };
        /**
         * @description The status of a task of a goal.
         * @enum {string}
         */
        GoalTaskStatus: "proposed" | "approved" | "claimed" | "in_progress" | "awaiting_verification" | "done" | "failed" | "cancelled";
        /**
         * Grant
         * @description The grant of a client that may act as one of the caller's agents.
         */
        Grant: {
            /** @description The agent as which it acts. */
            agent: string;
            /** @description The client. */
            client_id: string;
            /** @description The display name of the client. */
            client_name: string;
            /**
             * Format: date-time
             * @description When it was granted.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it expires unless the client uses it before.
             * @example 2026-11-15T02:00:00.000Z
             */
            expires_at: string;
            /**
             * The grant of an OAuth client.
             * Format: int64
             * @description Its id.
             */
            id: number;
        };
        /**
         * GrantPage
         * @description A page of grants.
         */
        GrantPage: {
            /** @description The grants, newest first. */
            grants: components["schemas"]["Grant"][];
            /**
             * Format: int64
             * @description The total number of grants.
             */
            total: number;
        };
        /**
         * HarnessRun
         * @description What went into a run and what came out.
         */
        HarnessRun: {
            /** @description The backend that ran it. */
            backend: string;
            /** @description Whether the cost was computed from tokens and prices, because the tool reported none. */
            cost_imputed: boolean;
            /**
             * Format: double
             * @description The cost in US dollars.
             */
            cost_usd?: number | null;
            /** @description Why it failed, up to 16 KiB. */
            error_log?: string | null;
            /**
             * Format: int64
             * @description The exit code of the process.
             */
            exit_code?: number | null;
            /** @description The beginning and the end of the log, up to 16 KiB. */
            logs_excerpt?: string | null;
            /** @description The rendered prompt, up to 32 KiB. */
            prompt: string;
            /** @description Whether the prompt was cut. */
            prompt_truncated: boolean;
            /**
             * A run of an agent.
             * Format: int64
             * @description The run.
             */
            reactive_run_id: number;
            /** @description The answer, up to 32 KiB. */
            response?: string | null;
            /** @description Whether the answer was cut. */
            response_truncated: boolean;
            /** @description The session that the next run of the same conversation can resume. */
            session_id?: string | null;
            /**
             * Format: int64
             * @description Tokens that were read from a cache.
             */
            tokens_cached?: number | null;
            /**
             * Format: int64
             * @description Tokens that were read.
             */
            tokens_in?: number | null;
            /**
             * Format: int64
             * @description Tokens that were written.
             */
            tokens_out?: number | null;
            /** @description The trace of the run at its provider. */
            trace_id?: string | null;
        };
        /**
         * Health
         * @description Liveness of the process.
         * @example {
         *       "status": "ok",
         *       "version": "0.1.0"
         *     }
         */
        Health: {
            /** @description Always `ok`: a process that is not alive does not respond. */
            status: string;
            /** @description The version of the server. */
            version: string;
        };
        /**
         * HealthReport
         * @description The state of the hub, for its operators.
         */
        HealthReport: {
            /** @description The certificates of the https endpoints that the hub depends on, the one that ends first at the beginning. */
            certificates: components["schemas"]["EndpointCertificate"][];
            /** @description The growth of the hub, and when the disk of the data directory will be full. */
            disk: components["schemas"]["DiskOutlook"] & unknown;
            /** @description The database engine. */
            engine: components["schemas"]["Engine"] & unknown;
            /** @description All findings, in a fixed order. */
            findings: components["schemas"]["Finding"][];
            /**
             * Format: uint64
             * @description Bytes that can still be written to the disk of the data directory; absent if that is unknown.
             */
            free_disk_bytes?: number | null;
            /** @description The processes that serve the hub. */
            nodes: components["schemas"]["NodeInfo"][];
            /** @description The queues with work that waits. */
            queues: components["schemas"]["QueueBacklog"][];
            /**
             * Format: int64
             * @description The newest schema that the process knows.
             */
            schema: number;
            /** @description The worst state of all findings. */
            state: components["schemas"]["FindingState"] & unknown;
            /**
             * Format: uint64
             * @description The size of the store in bytes.
             */
            store_bytes: number;
            /** @description The version of the process that answers. */
            version: string;
            /** @description The background workers of the process that answers. */
            workers: components["schemas"]["WorkerHealth"][];
        };
        /**
         * Identity
         * @description The identity of the caller, as returned by the API.
         */
        Identity: {
            /** @description The channels that it may use; an empty list means all. */
            allowed_channels: string[];
            /**
             * Format: date-time
             * @description When its credential expires.
             * @example 2026-11-15T02:00:00.000Z
             */
            expires_at?: string | null;
            /** @description The handle under which it acts. */
            handle: string;
            /** @description The kind of that participant. */
            kind: components["schemas"]["ParticipantKind"] & unknown;
            /** @description The tools that it sees over MCP by default. */
            mcp_profile: components["schemas"]["McpProfile"] & unknown;
            /** @description The handle of the human for whom it acts. */
            owner: string;
            /** @description Its permissions. */
            permissions: components["schemas"]["Permission"][];
        };
        /**
         * @description Whether an event was stored now or before.
         * @enum {string}
         */
        IngestStatus: "stored" | "duplicate";
        /**
         * Ingested
         * @description The result of a report.
         */
        Ingested: {
            /**
             * Format: int64
             * @description The number of events that were stored.
             */
            accepted: number;
            /**
             * Format: int64
             * @description The number of events that had been stored before.
             */
            duplicates: number;
            /** @description The result for each event, in the order of the request. */
            events: components["schemas"]["IngestedEvent"][];
        };
        /**
         * IngestedEvent
         * @description The result for one event.
         */
        IngestedEvent: {
            /** @description `true` when a different event is stored under this id. The stored event stays. */
            differs?: boolean | null;
            /** @description The machine's own id of the event. */
            event_id: string;
            /**
             * An event that a machine principal reported.
             * Format: int64
             * @description The hub's id of the event.
             */
            id: number;
            /**
             * A message.
             * Format: int64
             * @description The message that notified a channel of it.
             */
            message_id?: number | null;
            /** @description Whether it was stored now or before. */
            status: components["schemas"]["IngestStatus"] & unknown;
        };
        /**
         * Invitation
         * @description Participants to invite.
         */
        Invitation: {
            /** @description Handles of humans and agents, 1 to 100. */
            members: string[];
        };
        /**
         * InvitePage
         * @description A page of invitations.
         */
        InvitePage: {
            /** @description The invitations, newest first. */
            invites: components["schemas"]["AccountInvite"][];
            /**
             * Format: int64
             * @description The total number of invitations.
             */
            total: number;
        };
        /**
         * @description The state of an invitation.
         * @enum {string}
         */
        InviteState: "open" | "redeemed" | "revoked" | "expired";
        /**
         * Invited
         * @description Invited participants.
         */
        Invited: {
            /** @description The members, in the order of the request. */
            members: components["schemas"]["Member"][];
        };
        /**
         * JoinRequest
         * @description Data of a new account that logs in at once.
         */
        JoinRequest: {
            /**
             * @description Display name.
             * @default null
             */
            display_name: string | null;
            /** @description The invitation code, which is the part of its link behind the `#`. */
            invite: string;
            /** @description 8 to 72 bytes. */
            password: string;
            /** @description 3 to 64 letters, digits and underscores. */
            username: string;
        };
        /**
         * K8sCluster
         * @description Whether the hub has a cluster.
         */
        K8sCluster: {
            /** @description Whether a cluster is configured. Whether it answers shows when a Job is created. */
            configured: boolean;
            /** @description The namespace of Jobs whose handlers name none. */
            namespace?: string | null;
            /** @description What to set when no cluster is configured, or what is wrong with the configuration. */
            problem?: string | null;
        };
        /**
         * K8sHandler
         * @description A handler: each of its events becomes one Job.
         */
        K8sHandler: {
            /** @description The handle of the agent whose events it handles. */
            agent: string;
            /** @description The processor time of the container, as a Kubernetes quantity such as `500m`. */
            cpu?: string | null;
            /**
             * Format: date-time
             * @description When it was registered.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description Variables of the environment. Secrets are set elsewhere. */
            env: {
                [key: string]: string;
            };
            /** @description The events that it handles; `*` for all. */
            events: components["schemas"]["WebhookEvent"][];
            /**
             * A handler that turns events into Jobs of a cluster.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description The image of the container. */
            image: string;
            /** @description The memory of the container, as a Kubernetes quantity such as `512Mi`. */
            memory?: string | null;
            /** @description The namespace of its Jobs; `null` for the namespace that the hub is configured with. */
            namespace?: string | null;
            /** @description The service account of the pod. Without it, the pod gets no token for the API of the cluster. */
            service_account?: string | null;
            /**
             * Format: uint32
             * @description The time limit of a Job, in seconds.
             */
            timeout_seconds: number;
        };
        /**
         * K8sHandlerList
         * @description The handlers of the caller, oldest first.
         */
        K8sHandlerList: {
            /** @description Where Jobs are created, or why they cannot be. */
            cluster: components["schemas"]["K8sCluster"] & unknown;
            /** @description The handlers. */
            handlers: components["schemas"]["K8sHandler"][];
            /**
             * Format: int64
             * @description The total number of handlers.
             */
            total: number;
        };
        /**
         * K8sRun
         * @description A run that takes place as a Job of a cluster.
         */
        K8sRun: {
            /** @description The handle of the agent. */
            agent: string;
            /**
             * Format: date-time
             * @description When the event was read.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ended.
             * @example 2026-11-15T02:00:00.000Z
             */
            ended_at?: string | null;
            /** @description Why it failed or was cancelled: a word such as `timeout`, `image` or `exit_code`. */
            error?: string | null;
            /** @description Why it failed, in words. */
            error_detail?: string | null;
            /** @description The event that it handles. */
            event?: (string & components["schemas"]["WebhookEvent"]) | null;
            /**
             * The position of an event in the log; later events have larger ones.
             * Format: int64
             * @description The position of the event in the log.
             */
            event_sequence?: number | null;
            /**
             * Format: int64
             * @description The exit code of the container.
             */
            exit_code?: number | null;
            /**
             * A handler that turns events into Jobs of a cluster.
             * Format: int64
             * @description The handler; `null` for a run of a harness with the backend `k8s`, and when the handler was deleted.
             */
            handler_id?: number | null;
            /**
             * A run of an agent.
             * Format: int64
             * @description The run; `GET /api/runs/{id}` has its story.
             */
            id: number;
            /** @description The image of the container. */
            image: string;
            /** @description The name of the Job; `null` until it is created. */
            job?: string | null;
            /** @description The namespace of the Job; `null` until it is created. */
            namespace?: string | null;
            /**
             * A run of an agent.
             * Format: int64
             * @description The run that it repeats.
             */
            retry_of?: number | null;
            /**
             * Format: date-time
             * @description When a node began it; `null` when none did.
             * @example 2026-11-15T02:00:00.000Z
             */
            started_at?: string | null;
            /** @description The status of the run. */
            status: components["schemas"]["RunStatus"] & unknown;
            /**
             * A message.
             * Format: int64
             * @description The message that the event is about.
             */
            trigger_message_id?: number | null;
        };
        /**
         * K8sRunPage
         * @description A page of runs in clusters, newest first.
         */
        K8sRunPage: {
            /**
             * A run of an agent.
             * Format: int64
             * @description The `cursor` of the next page; `null` on the last one.
             */
            next_cursor?: number | null;
            /** @description The runs. */
            runs: components["schemas"]["K8sRun"][];
        };
        /**
         * @description The kind of a key.
         * @enum {string}
         */
        KeyKind: "agent" | "managed";
        /**
         * @description The status of a key.
         * @enum {string}
         */
        KeyStatus: "active" | "revoked";
        /**
         * KindChanges
         * @description A change of some kinds. Absent ones stay as they are.
         */
        KindChanges: {
            /** @description Decisions that wait for the user. */
            approval?: boolean | null;
            /** @description Budgets that are nearly or wholly used. */
            budget?: boolean | null;
            /** @description Messages in channels whose level is `all`. */
            channel_message?: boolean | null;
            /** @description Direct messages. */
            direct_message?: boolean | null;
            /** @description Failed runs of the user's agents. */
            failed_run?: boolean | null;
            /** @description Mentions in channels. */
            mention?: boolean | null;
            /** @description Agents in quarantine. */
            quarantine?: boolean | null;
            /** @description Webhooks that were disabled because of failures. */
            webhook_disabled?: boolean | null;
        };
        /**
         * LastMessage
         * @description The newest message of a conversation.
         */
        LastMessage: {
            /**
             * Format: date-time
             * @description When it was sent.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description The handle of the sender. */
            from: string;
            /**
             * A message.
             * Format: int64
             * @description The message.
             */
            id: number;
            /** @description The beginning of the text, at most 120 characters on one line. */
            preview: string;
        };
        /**
         * LoadedRegistry
         * @description The loaded registry.
         */
        LoadedRegistry: {
            /** @description The component for which it is intended. */
            audience: components["schemas"]["Audience"] & unknown;
            /**
             * Format: int64
             * @description The number of keys.
             */
            keys: number;
            /**
             * Format: date-time
             * @description When it was loaded.
             * @example 2026-11-15T02:00:00.000Z
             */
            loaded_at: string;
            /**
             * Format: int64
             * @description The number of principals.
             */
            principals: number;
            /** @description The SHA-256 of the document's bytes, in hexadecimal digits. */
            sha256: string;
            /** @description Its origin: the path of a file, or the name of the uploader. Only admins see it. */
            source?: string | null;
        };
        /**
         * LoginRequest
         * @description A username and a password.
         */
        LoginRequest: {
            /** @description The password. */
            password: string;
            /** @description The username, case-insensitive. */
            username: string;
        };
        /**
         * Loop
         * @description A loop. While it is held, messages between its agents start no runs and are not sent to webhooks.
         */
        Loop: {
            /** @description The handle of an agent. */
            agent: string;
            /**
             * A conversation: the messages of a channel, or of a pair and a subject.
             * Format: int64
             * @description The conversation in which it was found.
             */
            conversation_id: number;
            /**
             * Format: uint32
             * @description The number of answers, of similar messages, or of messages in a minute.
             */
            count: number;
            /**
             * Format: date-time
             * @description When it was found.
             * @example 2026-11-15T02:00:00.000Z
             */
            held_at: string;
            /**
             * A loop between agents.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description What gave it away. */
            kind: components["schemas"]["LoopKind"] & unknown;
            /**
             * Format: date-time
             * @description When it was lifted; none while it is held.
             * @example 2026-11-15T02:00:00.000Z
             */
            lifted_at?: string | null;
            /** @description The handle of the human who lifted it; none when its time was over. */
            lifted_by?: string | null;
            /** @description The handle of the other one; none for an agent that floods a channel, whom nobody there is told of. */
            other?: string | null;
            /**
             * Format: date-time
             * @description When it is lifted without being asked for.
             * @example 2026-11-15T02:00:00.000Z
             */
            until: string;
        };
        /**
         * @description What gave a loop away.
         * @enum {string}
         */
        LoopKind: "exchange" | "repetition" | "flood";
        /**
         * LoopList
         * @description The loops of the caller's agents, newest first.
         */
        LoopList: {
            /** @description The loops. */
            loops: components["schemas"]["Loop"][];
        };
        /**
         * MapLink
         * @description A link between two articles of the map.
         */
        MapLink: {
            /** @description The slug of the article with the link. */
            from: string;
            /** @description The slug of the article or wanted article that it leads to. */
            to: string;
        };
        /**
         * Mark
         * @description The request to mark a conversation as read.
         */
        Mark: {
            /** @description The kind of conversation: channel or direct messages. */
            kind: components["schemas"]["ConversationKind"] & unknown;
            /**
             * A message.
             * Format: int64
             * @description The last message that was read; everything up to now when absent.
             */
            last_message_id?: number | null;
            /** @description The name of the channel, or the handle of the partner. */
            name: string;
        };
        /**
         * MarkDone
         * @description Completion of a message.
         */
        MarkDone: {
            /** @description The token of your claim; not needed for an unclaimed message. */
            claim_token?: string | null;
        };
        /**
         * MarkFailed
         * @description Failure of a message.
         */
        MarkFailed: {
            /** @description The token of your claim; not needed for an unclaimed message. */
            claim_token?: string | null;
            /** @description The reason, at most 1000 characters. The author and the owner of the recipient can read it. */
            reason?: string | null;
        };
        /**
         * @description The set of tools that an MCP client sees. It may call every tool, listed or not.
         * @enum {string}
         */
        McpProfile: "full" | "compact" | "typed";
        /**
         * Member
         * @description A member of a channel.
         */
        Member: {
            /** @description Its display name. */
            display_name: string;
            /** @description Whether it owns the channel. */
            is_owner: boolean;
            /**
             * Format: date-time
             * @description When it joined.
             * @example 2026-11-15T02:00:00.000Z
             */
            joined_at: string;
            /** @description Its kind. */
            kind: components["schemas"]["ParticipantKind"] & unknown;
            /** @description Its handle. */
            name: string;
        };
        /**
         * MemberPage
         * @description A page of members.
         */
        MemberPage: {
            /** @description The members, by handle. */
            members: components["schemas"]["Member"][];
            /**
             * Format: int64
             * @description The total number of members.
             */
            total: number;
        };
        /**
         * MembershipRequest
         * @description The participant that joins or leaves.
         */
        MembershipRequest: {
            /** @description One of the caller's agents instead of the caller. */
            agent?: string | null;
        };
        /**
         * Mention
         * @description A message in a channel that mentions the caller.
         */
        Mention: {
            /** @description The name of its channel. */
            channel: string;
            /**
             * Format: date-time
             * @description When it was sent.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description The handle of its author. */
            from: string;
            /** @description The kind of its author. */
            from_kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * A message.
             * Format: int64
             * @description The message with the mention.
             */
            message_id: number;
            /** @description The beginning of its text, at most 1,000 characters; a longer text ends with an ellipsis. */
            text: string;
            /** @description Whether the caller has not read it yet. A mention in an archived channel is never unread. */
            unread: boolean;
        };
        /**
         * MentionPage
         * @description A page of mentions.
         */
        MentionPage: {
            /** @description Whether there are older ones. */
            has_more: boolean;
            /** @description The mentions, newest first. */
            mentions: components["schemas"]["Mention"][];
        };
        /**
         * Message
         * @description A message.
         */
        Message: {
            /** @description The attached files. */
            attachments: components["schemas"]["Attachment"][];
            /** @description The text, as Markdown. */
            body: string;
            /** @description The channel's name; `null` for a direct message. */
            channel?: string | null;
            /**
             * A channel.
             * Format: int64
             * @description The channel's id; `null` for a direct message.
             */
            channel_id?: number | null;
            /** @description The handle of the worker that holds the claim. */
            claimed_by?: string | null;
            /**
             * A conversation: the messages of a channel, or of a pair and a subject.
             * Format: int64
             * @description The conversation: a channel, or a pair of participants and a subject.
             */
            conversation_id: number;
            /**
             * Format: date-time
             * @description When it was sent.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was deleted. A deleted message has no text, metadata, files, reactions and emoji.
             * @example 2026-11-15T02:00:00.000Z
             */
            deleted_at?: string | null;
            /** @description The handle of the participant who deleted it. */
            deleted_by?: string | null;
            /**
             * Format: uint32
             * @description The number of agent runs between a human and this message.
             */
            depth: number;
            /**
             * Format: date-time
             * @description When its text was last edited; `null` if it never was.
             * @example 2026-11-15T02:00:00.000Z
             */
            edited_at?: string | null;
            /** @description Whether its text was edited after the current claim began: the worker must read it again. */
            edited_since_claim: boolean;
            /** @description The emoji under it, the first one first. They have no effect on its workflow. */
            emoji: components["schemas"]["EmojiCount"][];
            /**
             * Format: date-time
             * @description When the stalled message was escalated to the channel's owner; `null` once it has moved on.
             * @example 2026-11-15T02:00:00.000Z
             */
            escalated_at?: string | null;
            /** @description The handle of the sender. */
            from: string;
            /** @description The kind of the sender. */
            from_kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * A message.
             * Format: int64
             * @description Its id. Ids increase within a conversation.
             */
            id: number;
            /**
             * Format: date-time
             * @description When the lease of the claim expires.
             * @example 2026-11-15T02:00:00.000Z
             */
            lease_expires_at?: string | null;
            /** @description Application data: a JSON object. */
            metadata: unknown;
            /**
             * Format: uint32
             * @description The priority, 1 to 10; 10 is the most urgent.
             */
            priority: number;
            /** @description The reactions on it, oldest first. */
            reactions: components["schemas"]["Reaction"][];
            /**
             * Format: uint32
             * @description The number of replies in its own conversation, plus those in other conversations that the caller may
             *     see. For the latter only a limited number of the newest replies is checked.
             */
            reply_count: number;
            /**
             * A message.
             * Format: int64
             * @description The message that this one replies to.
             */
            reply_to?: number | null;
            /** @description The processing status. */
            status: components["schemas"]["MessageStatus"] & unknown;
            /** @description The subject; empty in channels and in a pair's main conversation. */
            subject: string;
            /** @description The handle of the recipient; `null` in a channel. */
            to?: string | null;
            /** @description The W3C trace context of the request that sent it. */
            traceparent?: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
            /**
             * Format: uint32
             * @description The number of its text: 1 as it was sent, and one more with each edit.
             */
            version: number;
            /** @description The workflow state that results from the reactions; `null` outside of workflow channels. */
            workflow_state?: (string & components["schemas"]["WorkflowState"]) | null;
        };
        /**
         * MessageEdit
         * @description The request to change the text of a message.
         */
        MessageEdit: {
            /** @description The new text, as Markdown: 1 byte to 64 KiB. */
            body: string;
            /**
             * Format: uint32
             * @description The version that is changed. If the message has another one by now, the request is rejected with
             *     `version_conflict`. When absent, the current one is changed.
             */
            version?: number | null;
        };
        /**
         * MessageEmoji
         * @description The emoji under a message, the first one first.
         */
        MessageEmoji: {
            /** @description The emoji. */
            emoji: components["schemas"]["EmojiCount"][];
        };
        /**
         * MessagePage
         * @description A page of messages, in the order of the request.
         */
        MessagePage: {
            /** @description Whether there are more messages in the requested direction. */
            has_more: boolean;
            /** @description The messages. */
            messages: components["schemas"]["Message"][];
        };
        /**
         * MessageReactions
         * @description The reactions on a message, with the workflow state.
         */
        MessageReactions: {
            /** @description The reactions on the message, oldest first. */
            reactions: components["schemas"]["Reaction"][];
            /** @description The resulting workflow state; `null` outside of workflow channels. */
            workflow_state?: (string & components["schemas"]["WorkflowState"]) | null;
        };
        /**
         * @description The processing status of a direct message. Channel messages stay `pending`; they have a workflow state
         *     instead.
         * @enum {string}
         */
        MessageStatus: "pending" | "processing" | "done" | "failed";
        /**
         * MessageTemplate
         * @description A message template.
         */
        MessageTemplate: {
            /** @description The text, as Markdown. */
            body: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * A message template.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description Its name. */
            name: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * MessageTemplateUpdate
         * @description The request to change a message template. Absent parts stay as they are.
         */
        MessageTemplateUpdate: {
            /** @description The new text. */
            body?: string | null;
            /** @description The new name. */
            name?: string | null;
        };
        /**
         * MessageTemplates
         * @description All templates of the caller.
         */
        MessageTemplates: {
            /** @description The templates by name, at most 100. */
            templates: components["schemas"]["MessageTemplate"][];
        };
        /**
         * MessageUsage
         * @description Usage of the message quota.
         */
        MessageUsage: {
            /**
             * Format: uint64
             * @description The maximum number of messages; `null` is unlimited.
             */
            limit?: number | null;
            /**
             * Format: uint64
             * @description The number of messages sent within the window, in full hours.
             */
            used: number;
            /** @description The time window up to now: `24h`. */
            window: components["schemas"]["Span"] & unknown;
        };
        /**
         * MessageVersion
         * @description A text of a message.
         */
        MessageVersion: {
            /** @description The text. */
            body: string;
            /**
             * Format: date-time
             * @description When it was written.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uint32
             * @description Its number; 1 is the text as it was sent.
             */
            version: number;
        };
        /**
         * MessageVersions
         * @description The texts of a message.
         */
        MessageVersions: {
            /**
             * A message.
             * Format: int64
             * @description The message.
             */
            message_id: number;
            /** @description All texts, the oldest first; the last one is the current one. Empty for a deleted message. */
            versions: components["schemas"]["MessageVersion"][];
        };
        /**
         * MoneyUse
         * @description How far the money of a budget is used.
         */
        MoneyUse: {
            /**
             * Format: double
             * @description The cost by the end of the period, if it goes on like this; none for all time.
             */
            forecast?: number | null;
            /**
             * Format: double
             * @description The limit in dollars, with what its owner added by resuming; none when there is no limit.
             */
            limit?: number | null;
            /**
             * Format: double
             * @description The estimated cost of the runs that have not ended.
             */
            reserved: number;
            /**
             * Format: double
             * @description The cost of the runs that have ended.
             */
            spent: number;
        };
        /**
         * NewArticle
         * @description The request to create an article.
         */
        NewArticle: {
            /**
             * @description Its text, as Markdown: at most 256 KiB. `[[slug]]` and `[[slug|text]]` link to other articles.
             * @default
             */
            body: string | null;
            /** @description `humans` if only humans shall change it. Requires a human. */
            protected?: (string & components["schemas"]["ProtectionChange"]) | null;
            /** @description Its slug, 2 to 100 characters: lower-case letters, digits and -; derived from the title when absent. */
            slug?: string | null;
            /** @description The day or the time after which it has to be verified again. */
            stale_after?: string | null;
            /** @description What to say about the change: at most 500 characters. */
            summary?: string | null;
            /** @description Its title: 1 to 200 characters. */
            title: string;
        };
        /**
         * NewBid
         * @description The request to bid for a task.
         */
        NewBid: {
            /**
             * Format: double
             * @description The price, 0 or more, in the unit of the task's budget.
             */
            amount?: number | null;
            /** @description Why you, how and by when: at most 1000 characters. */
            note?: string | null;
        };
        /**
         * NewGoal
         * @description The request to create a goal.
         */
        NewGoal: {
            /** @description Whether a human approves its tasks; `supervised` when absent. An agent that is supervised itself cannot set `autonomous`. */
            autonomy?: (string & components["schemas"]["Autonomy"]) | null;
            /** @description The limits of its cost; none when absent. */
            budget?: components["schemas"]["GoalBudget"] | null;
            /** @description The agent that coordinates it; the caller when absent, if that is an agent. */
            coordinator?: string | null;
            /** @description The outcome that is wanted and its background, as Markdown: at most 16 KiB. */
            description?: string | null;
            /**
             * Format: uint32
             * @description The depth to which agents may propose agents: 0 to 10, 3 when absent.
             */
            max_spawn_depth?: number | null;
            /** @description Its short name, up to 64 characters: lower-case letters, digits, - and _; derived from the title when absent. */
            slug?: string | null;
            /** @description Its title: 1 to 200 characters. */
            title: string;
        };
        /**
         * NewKey
         * @description A created key.
         */
        NewKey: {
            /** @description The key. It is shown only once. */
            key: string;
        };
        /**
         * NewMachineEvent
         * @description An event that a machine reports.
         */
        NewMachineEvent: {
            /** @description A public channel that is notified of it, in a message by `system`. */
            channel?: string | null;
            /**
             * @description The data of the event: any JSON of at most 32 KiB, with no repeated name in an object, and with no
             *     number that has more digits than a double or 64 bits can keep.
             */
            data: unknown;
            /**
             * @description The machine's own id of the event, 1 to 128 visible ASCII characters. It is unique: an event that is
             *     sent again under the same id is not stored again.
             */
            event_id: string;
            /**
             * Format: date-time
             * @description When it happened, by RFC 3339.
             */
            occurred_at?: string | null;
            /**
             * @description The type of the event: lower case letters, digits, `.`, `_`, `:` and `-`, the first a letter or a
             *     digit, 128 characters at most.
             */
            type: string;
        };
        /**
         * NewMessage
         * @description The request to send a message, either to a participant or to a channel.
         */
        NewMessage: {
            /** @description The hashes of the attached files, at most 20. */
            attachments?: string[] | null;
            /** @description The text, as Markdown: 1 byte to 64 KiB. */
            body: string;
            /** @description The name of the channel. */
            channel?: string | null;
            /** @description Application data: a JSON object of at most 16 KiB. */
            metadata?: Record<string, never> | null;
            /**
             * Format: uint32
             * @description The priority, 1 to 10; 5 when absent.
             */
            priority?: number | null;
            /**
             * A message.
             * Format: int64
             * @description The message that this one replies to.
             */
            reply_to?: number | null;
            /** @description The subject; for direct messages only. */
            subject?: string | null;
            /** @description The handle of the recipient. */
            to?: string | null;
            /**
             * @description The W3C trace context to continue; an invalid value is ignored. Over HTTP the header of that name sets
             *     it as well.
             */
            traceparent?: string | null;
        } & (unknown | unknown);
        /**
         * NewMessageTemplate
         * @description The request to make a message template.
         */
        NewMessageTemplate: {
            /** @description The text, as Markdown: 1 byte to 64 KiB. */
            body: string;
            /** @description Its name: 1 to 60 characters in one line, unique for each human regardless of case. */
            name: string;
        };
        /**
         * NewOwner
         * @description The new owner of a channel.
         */
        NewOwner: {
            /** @description The handle of a member. */
            owner: string;
        };
        /**
         * NewPushSubscription
         * @description A subscription as the browser returns it (`PushSubscription.toJSON()`), with a name.
         */
        NewPushSubscription: {
            /** @description The name of the device: 1 to 80 characters. Derived from the `User-Agent` when absent. */
            device?: string | null;
            /** @description The URL of the push service. */
            endpoint: string;
            /**
             * Format: double
             * @description When the browser ends the subscription, in milliseconds since 1970. It is accepted and not used: the push
             *     service reports the end.
             */
            expirationTime?: number | null;
            /** @description The keys of the browser. */
            keys: components["schemas"]["PushKeys"] & unknown;
        };
        /**
         * NewRun
         * @description The request to run an agent now.
         */
        NewRun: {
            /** @description What the agent is asked to do, besides the messages that wait for it: up to 16 KiB. */
            prompt?: string | null;
        };
        /**
         * NewRuntimeStatus
         * @description A status report of a machine.
         */
        NewRuntimeStatus: {
            /** @description Further details: a JSON object of at most 16 KiB. */
            details?: Record<string, never> | null;
            /**
             * Format: int64
             * @description The interval of its heartbeats, 1 to 86400 seconds; 60 when absent.
             */
            heartbeat_seconds?: number | null;
            /** @description A message for people, 500 characters at most. */
            message?: string | null;
            /** @description The state: lower case letters, digits, `_` and `-`, the first a letter, 32 characters at most. */
            state: string;
        };
        /**
         * NewScheduledMessage
         * @description The request to send a message later, either to a participant or to a channel. It cannot have files.
         */
        NewScheduledMessage: {
            /** @description The text, as Markdown: 1 byte to 64 KiB. */
            body: string;
            /** @description The name of the channel. */
            channel?: string | null;
            /** @description Application data: a JSON object of at most 16 KiB. */
            metadata?: Record<string, never> | null;
            /**
             * Format: uint32
             * @description The priority, 1 to 10; 5 when absent.
             */
            priority?: number | null;
            /**
             * A message.
             * Format: int64
             * @description The message that it replies to.
             */
            reply_to?: number | null;
            /**
             * Format: date-time
             * @description When to send it: at least one minute and at most 365 days from now.
             * @example 2026-11-15T02:00:00.000Z
             */
            send_at: string;
            /** @description The subject; for direct messages only. */
            subject?: string | null;
            /** @description The handle of the recipient. */
            to?: string | null;
        } & (unknown | unknown);
        /**
         * NewStatus
         * @description A new status. An empty one removes the status.
         */
        NewStatus: {
            /** @description An emoji. */
            emoji?: string | null;
            /** @description The text, one line of at most 100 characters. */
            text?: string | null;
            /**
             * Format: date-time
             * @description When it ends, in the future.
             * @example 2026-11-15T02:00:00.000Z
             */
            until?: string | null;
        };
        /**
         * NewTask
         * @description The request to post a task.
         */
        NewTask: {
            /** @description The context, the expected result and how it will be checked, as Markdown: 1 byte to 16 KiB. */
            body: string;
            /**
             * Format: double
             * @description The maximum that you would pay, 0 or more.
             */
            budget?: number | null;
            /** @description The channel whose readers see it and where a message announces it; all participants when absent. */
            channel?: string | null;
            /**
             * @description When it must be done: a duration from now, `90m`, `2h`, `3d`, or a time, `2030-01-31T12:00:00Z`; at
             *     most a year away.
             */
            deadline?: string | null;
            /** @description Its title: 1 to 200 characters. */
            title: string;
        };
        /**
         * NodeInfo
         * @description A process that serves the hub.
         */
        NodeInfo: {
            /** @description The location of its files; absent on SQLite. */
            files?: string | null;
            /** @description Its id, new with every start. */
            id: string;
            /** @description Whether it is the process that answers. */
            is_this: boolean;
            /** @description The leases that it holds: the workers that run in it. */
            leases: string[];
            /**
             * Format: int64
             * @description The newest schema that it knows.
             */
            schema: number;
            /**
             * Format: date-time
             * @description Its last heartbeat; absent on SQLite.
             * @example 2026-11-15T02:00:00.000Z
             */
            seen_at?: string | null;
            /**
             * Format: date-time
             * @description Its start; absent on SQLite.
             * @example 2026-11-15T02:00:00.000Z
             */
            started_at?: string | null;
            /** @description Its version. */
            version: string;
        };
        /**
         * NotificationKinds
         * @description The kinds of notifications that are on.
         */
        NotificationKinds: {
            /** @description Decisions that wait for the user. */
            approval: boolean;
            /** @description Budgets that are nearly or wholly used. */
            budget: boolean;
            /** @description Messages in channels whose level is `all`. */
            channel_message: boolean;
            /** @description Direct messages. */
            direct_message: boolean;
            /** @description Failed runs of the user's agents. */
            failed_run: boolean;
            /** @description Mentions in channels. */
            mention: boolean;
            /** @description Agents in quarantine. */
            quarantine: boolean;
            /** @description Webhooks that were disabled because of failures. */
            webhook_disabled: boolean;
        };
        /**
         * NotificationSettings
         * @description The notification settings of a user.
         */
        NotificationSettings: {
            /** @description The conversations whose level is not the default. */
            conversations: components["schemas"]["ConversationLevel"][];
            /** @description The kinds that are pushed. */
            kinds: components["schemas"]["NotificationKinds"] & unknown;
            /** @description The time in which nothing is pushed. */
            quiet_hours?: components["schemas"]["QuietHours"] | null;
        };
        /**
         * OAuthClient
         * @description An OAuth client, without its secret.
         */
        OAuthClient: {
            /** @description The agent as which it acts with its own credentials. */
            agent?: string | null;
            /** @description Its public id. */
            client_id: string;
            /**
             * Format: date-time
             * @description When it was registered.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description Its grant types. */
            grant_types: string[];
            /** @description Its display name, as it gave it. */
            name: string;
            /** @description The allowed redirect URIs. */
            redirect_uris: string[];
            /** @description Its origin: `registered` by itself, created by an `admin`, or described by a `document` at its id. */
            source: string;
            /** @description Its authentication method. */
            token_endpoint_auth_method: string;
        };
        /**
         * OAuthClientPage
         * @description A page of OAuth clients.
         */
        OAuthClientPage: {
            /** @description The clients, newest first. */
            clients: components["schemas"]["OAuthClient"][];
            /**
             * Format: int64
             * @description The total number of clients.
             */
            total: number;
        };
        /**
         * @description The kind of a participant.
         * @enum {string}
         */
        ParticipantKind: "human" | "agent" | "system";
        /**
         * Partner
         * @description A participant with whom the caller exchanged direct messages.
         */
        Partner: {
            /** @description Its display name. */
            display_name: string;
            /** @description Its kind. */
            kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * Format: date-time
             * @description When the newest message was sent.
             * @example 2026-11-15T02:00:00.000Z
             */
            last_message_at: string;
            /**
             * A message.
             * Format: int64
             * @description The newest message.
             */
            last_message_id: number;
            /** @description The newest unread message of this partner, while there is one. */
            last_unread?: components["schemas"]["LastMessage"] | null;
            /**
             * Format: int64
             * @description For an agent, the number of unread messages that only notify of a mention in a channel of which it is a member:
             *     the channel counts those too. 0 for a person.
             */
            mention_copies: number;
            /** @description Its handle. */
            name: string;
            /** @description The beginning of the newest message, at most 120 characters on one line. */
            preview: string;
            /**
             * Format: int64
             * @description The number of unread messages of this partner.
             */
            unread: number;
        };
        /**
         * PasswordRequest
         * @description The current password and the new one.
         */
        PasswordRequest: {
            /** @description The current password. */
            current_password: string;
            /**
             * @description Whether all managed keys and client grants of the account are revoked too; default `false`.
             * @default false
             */
            end_keys: boolean | null;
            /** @description The new password, 8 to 72 bytes. */
            new_password: string;
        };
        /**
         * @description The reason why an agent is paused.
         * @enum {string}
         */
        PausedReason: "manual" | "budget";
        /**
         * @description The time that a budget is for. Days and months are those of UTC.
         * @enum {string}
         */
        Period: "day" | "month" | "total";
        /**
         * @description The permissions of a managed key. Each includes those before it.
         * @enum {string}
         */
        Permission: "read" | "write" | "admin";
        /**
         * Pin
         * @description A message that is pinned in its conversation.
         */
        Pin: {
            /**
             * A pin: a message that is pinned in its conversation.
             * Format: int64
             * @description Its id. A later pin has a larger one.
             */
            id: number;
            /** @description The message. */
            message: components["schemas"]["Message"] & unknown;
            /**
             * Format: date-time
             * @description When it was pinned.
             * @example 2026-11-15T02:00:00.000Z
             */
            pinned_at: string;
            /** @description The handle of the participant who pinned it. */
            pinned_by: string;
        };
        /**
         * PinPage
         * @description A page of pins, the newest first.
         */
        PinPage: {
            /** @description Whether there are older pins. */
            has_more: boolean;
            /** @description The pins. */
            pins: components["schemas"]["Pin"][];
        };
        /**
         * Presence
         * @description Whether a page of the user is visible.
         */
        Presence: {
            /**
             * @description A name of the page that its other tabs do not have: 1 to 64 letters, digits, `-` and `_`. Pages without a name
             *     count as one.
             */
            page?: string | null;
            /** @description Whether the page is visible; `true` when absent. */
            visible?: boolean | null;
        };
        /**
         * @description Who may see when a person was last seen.
         * @enum {string}
         */
        PresenceAudience: "everyone" | "nobody";
        /**
         * Problem
         * @description The body of an error (RFC 9457). Some codes have additional members with the values of `detail` for programs:
         *     `already_claimed` has `holder`, `trust_too_low` has `action`, `score` and `required`, `owner_cannot_leave` has
         *     `owner`, `already_finished` has `ended_as`, `version_conflict` has `version`, `file_quota_exceeded` has
         *     `used_bytes` and `limit_bytes`, `message_quota_exceeded` has `used` and `limit`, `picture_too_large` has `width`,
         *     `height` and `limit_pixels`, `attachment_damaged` has `hash`, `edit_conflict` has `conflict`: the `revision`, `title`,
         *     `body`, `updated_by` and `updated_at` of the current text, `merge_is_clean`, and the `merged` text if it is.
         */
        Problem: {
            /** @description A stable identifier for programs, such as `not_found` or `validation_failed`. */
            code: string;
            /** @description Explanation for people: the cause and the remedy. */
            detail: string;
            /** @description The invalid fields, for `validation_failed`. */
            errors?: components["schemas"]["FieldError"][] | null;
            /**
             * Format: uint16
             * @description The HTTP status.
             */
            status: number;
            /** @description The reason phrase of the status. */
            title: string;
            /** @description Always `about:blank`: problems are distinguished by their `code`. */
            type: string;
        };
        /**
         * Profile
         * @description The profile of a person or an agent.
         */
        Profile: {
            /** @description The path of the avatar, a picture of 128 by 128 pixels; absent when there is none. */
            avatar?: string | null;
            /** @description The display name. */
            display_name: string;
            /** @description The handle. */
            handle: string;
            /** @description `human` or `agent`. */
            kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * Format: date-time
             * @description When a person last used a login, or an agent a credential of its own, to the minute. Absent when that never
             *     happened, and for a person who shows it to nobody.
             * @example 2026-11-15T02:00:00.000Z
             */
            last_seen_at?: string | null;
            /** @description For an agent, the handle of its owner. */
            owner?: string | null;
            /** @description Who may see `last_seen_at`; only in the own profile of a person. */
            presence?: (string & components["schemas"]["PresenceAudience"]) | null;
            /** @description Whether an agent works. */
            state?: (string & components["schemas"]["AgentState"]) | null;
            /** @description The status. */
            status?: components["schemas"]["Status"] | null;
            /**
             * Format: double
             * @description The mean trust in an agent for `publish` and `approve`, 0 to 1; absent when no person has judged it.
             */
            trust?: number | null;
        };
        /**
         * ProfileChange
         * @description The request to change the own profile. A field that is absent stays unchanged.
         */
        ProfileChange: {
            /** @description Who may see when the caller was last seen; for people only. */
            presence?: (string & components["schemas"]["PresenceAudience"]) | null;
            /** @description The new status as a whole; an empty object removes it. */
            status?: components["schemas"]["NewStatus"] | null;
        };
        /**
         * ProfileRequest
         * @description Changeable fields of the own account.
         */
        ProfileRequest: {
            /** @description Display name. */
            display_name: string;
        };
        /**
         * Proposal
         * @description An agent that was proposed for a goal.
         */
        Proposal: {
            /** @description How much it may do without a human. */
            autonomy: components["schemas"]["Autonomy"] & unknown;
            /**
             * Format: double
             * @description The limit of the cost of all its runs, in dollars.
             */
            budget_usd?: number | null;
            /**
             * Format: date-time
             * @description When it was proposed.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was decided.
             * @example 2026-11-15T02:00:00.000Z
             */
            decided_at?: string | null;
            /** @description The handle of the human who decided. */
            decided_by?: string | null;
            /**
             * Format: uint32
             * @description The depth that the agent has: 1 for one that was proposed by an agent that was not.
             */
            depth: number;
            /** @description The instruction file that it gets. */
            instructions: string;
            /** @description The handle that the agent gets. */
            name: string;
            /**
             * Format: int64
             * @description Its number in the goal.
             */
            number: number;
            /** @description The handle of the agent that proposed it. */
            proposer: string;
            /** @description Its purpose. */
            purpose: string;
            /** @description Why it was rejected. */
            reason?: string | null;
            /** @description Its status. */
            status: components["schemas"]["ProposalStatus"] & unknown;
            /** @description The MCP tools that it may call; `null` for all. */
            tools?: string[] | null;
        };
        /**
         * @description The status of a proposal.
         * @enum {string}
         */
        ProposalStatus: "proposed" | "approved" | "rejected";
        /**
         * @description The participants that can change an article.
         * @enum {string}
         */
        Protection: "humans";
        /**
         * @description The change of an article's protection.
         * @enum {string}
         */
        ProtectionChange: "humans" | "none";
        /**
         * ProvideSecret
         * @description The value of a secret.
         */
        ProvideSecret: {
            /** @description The value: 1 to 65536 bytes, without NUL. It is stored encrypted and shown to nobody. */
            value: string;
        };
        /**
         * PushKeys
         * @description The keys of a subscription.
         */
        PushKeys: {
            /** @description The authentication secret: 16 bytes in base64url. */
            auth: string;
            /** @description The public key of the browser: an uncompressed point on P-256, 65 bytes in base64url. */
            p256dh: string;
        };
        /**
         * PushSubscription
         * @description A browser that receives push messages.
         */
        PushSubscription: {
            /**
             * Format: date-time
             * @description When it was added.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description Whether the login session of this request added it. */
            current: boolean;
            /** @description The name of the device. */
            device: string;
            /**
             * Format: uint32
             * @description The number of failed attempts since the last success.
             */
            failures: number;
            /**
             * A browser that receives push messages.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description The reason of the last failure, if no attempt has succeeded since. */
            last_error?: string | null;
            /**
             * Format: date-time
             * @description When a message was last accepted by the push service.
             * @example 2026-11-15T02:00:00.000Z
             */
            last_success_at?: string | null;
            /** @description The host of its push service. */
            service: string;
        };
        /**
         * PushSubscriptionList
         * @description The subscriptions of a user.
         */
        PushSubscriptionList: {
            /** @description The subscriptions, oldest first. */
            items: components["schemas"]["PushSubscription"][];
            /**
             * Format: uint32
             * @description The maximum number of subscriptions of a user.
             */
            max: number;
        };
        /**
         * PushTest
         * @description The request for a test notification.
         */
        PushTest: {
            /**
             * A browser that receives push messages.
             * Format: int64
             * @description The subscription to test; all of the user when absent.
             */
            subscription_id?: number | null;
        };
        /**
         * PushTestQueued
         * @description The test notifications that are on their way.
         */
        PushTestQueued: {
            /**
             * Format: uint32
             * @description Their number.
             */
            queued: number;
        };
        /**
         * QueueBacklog
         * @description The work of one queue that waits.
         */
        QueueBacklog: {
            /**
             * Format: uint64
             * @description The age of the oldest of them in seconds.
             */
            oldest_seconds: number;
            /**
             * Format: int64
             * @description The number of items that could be taken now.
             */
            pending: number;
            /** @description The queue, such as `webhooks`. */
            queue: string;
        };
        /**
         * QuietHours
         * @description The time of a day in which nothing is pushed.
         */
        QuietHours: {
            /** @description The end, such as `07:00`; if it is before the beginning, the quiet hours pass midnight. */
            end: string;
            /** @description The beginning, such as `22:00`. */
            start: string;
            /** @description The time zone in which both are, such as `Europe/Berlin`. */
            time_zone: string;
        };
        /**
         * QuietHoursChange
         * @description New quiet hours: all three fields, or none to remove them.
         */
        QuietHoursChange: {
            /** @description The end, such as `07:00`. */
            end?: string | null;
            /** @description The beginning, such as `22:00`. */
            start?: string | null;
            /** @description The time zone, such as `Europe/Berlin`. */
            time_zone?: string | null;
        };
        /**
         * React
         * @description A reaction to toggle.
         */
        React: {
            /** @description Metadata for programs: a JSON object of at most 4 KiB. */
            metadata?: Record<string, never> | null;
            /** @description Kind of reaction. */
            reaction: components["schemas"]["ReactionKind"] & unknown;
        };
        /**
         * Reaction
         * @description A reaction on a message.
         */
        Reaction: {
            /** @description The handle of its author. */
            by: string;
            /** @description The kind of its author. */
            by_kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * Format: date-time
             * @description When it was added.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description Application data: a JSON object. */
            metadata: unknown;
            /** @description The kind of the reaction. */
            reaction: components["schemas"]["ReactionKind"] & unknown;
        };
        /**
         * @description The effect of a request to add or remove a reaction.
         * @enum {string}
         */
        ReactionAction: "added" | "removed" | "already";
        /**
         * ReactionChange
         * @description The result of a change of reactions.
         */
        ReactionChange: {
            /** @description The effect of the request. */
            action: components["schemas"]["ReactionAction"] & unknown;
            /** @description The reactions on the message, oldest first. */
            reactions: components["schemas"]["Reaction"][];
            /** @description The resulting workflow state; `null` outside of workflow channels. */
            workflow_state?: (string & components["schemas"]["WorkflowState"]) | null;
        };
        /**
         * @description The kind of a reaction.
         * @enum {string}
         */
        ReactionKind: "approve" | "reject" | "in_progress" | "done" | "published";
        /**
         * ReactiveAgent
         * @description A reactive agent, and when it can run next.
         */
        ReactiveAgent: {
            /**
             * A run of an agent.
             * Format: int64
             * @description The run that is queued or running.
             */
            active_run_id?: number | null;
            /** @description The agent and its settings. */
            agent: components["schemas"]["RunAgent"] & unknown;
            /**
             * Format: date-time
             * @description When its cooldown ends; `null` when it has none.
             * @example 2026-11-15T02:00:00.000Z
             */
            cooldown_until?: string | null;
            /** @description Whether messages wait for its next run. */
            pending_work: boolean;
            /**
             * Format: uint32
             * @description The number of runs that were begun today, in UTC.
             */
            runs_today: number;
            /** @description What it does at the moment. */
            state: components["schemas"]["ReactiveState"] & unknown;
        };
        /**
         * ReactiveAgents
         * @description The reactive agents of a caller.
         */
        ReactiveAgents: {
            /** @description The agents, by name. */
            agents: components["schemas"]["ReactiveAgent"][];
        };
        /**
         * @description What a reactive agent does at the moment.
         * @enum {string}
         */
        ReactiveState: "idle" | "queued" | "running" | "cooldown" | "budget_exhausted" | "paused" | "quarantined";
        /**
         * Readiness
         * @description The state of the hub.
         */
        Readiness: {
            /** @description The file store; absent while the database does not answer. */
            files?: components["schemas"]["FileStoreHealth"] | null;
            /**
             * Format: date-time
             * @description When the last backup succeeded, whatever its age; absent if there was none. It does not change the state.
             * @example 2026-11-15T02:00:00.000Z
             */
            last_backup_at?: string | null;
            /**
             * @description The problem with the registry file of machine principals, if any: it cannot be loaded, and
             *     the active registry stays in force meanwhile, or another registry was loaded manually.
             */
            machine_registry_error?: string | null;
            /** @description What confines the commands of runs on this machine; absent when nothing does. */
            run_confinement?: string | null;
            /** @description Why the commands of runs cannot be confined as required; none is run meanwhile. */
            run_confinement_error?: string | null;
            /** @description The overall state. */
            status: components["schemas"]["ReadyState"] & unknown;
            /** @description The store. */
            store: components["schemas"]["StoreHealth"] & unknown;
            /** @description The background workers of this process; empty before they are started. */
            workers: components["schemas"]["WorkerHealth"][];
        };
        /**
         * @description The overall state of the hub.
         * @enum {string}
         */
        ReadyState: "ready" | "degraded" | "unavailable";
        /**
         * Receipt
         * @description The receipt of one recipient. A timestamp is `null` when it is unknown, even if the step took place.
         */
        Receipt: {
            /**
             * Format: date-time
             * @description When processing began.
             * @example 2026-11-15T02:00:00.000Z
             */
            claimed_at?: string | null;
            /**
             * Format: date-time
             * @description When processing ended.
             * @example 2026-11-15T02:00:00.000Z
             */
            finished_at?: string | null;
            /** @description The kind of the recipient. */
            kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * Format: date-time
             * @description When it was first returned to the recipient.
             * @example 2026-11-15T02:00:00.000Z
             */
            offered_at?: string | null;
            /** @description The handle of the recipient. */
            participant: string;
            /**
             * Format: date-time
             * @description When it was read.
             * @example 2026-11-15T02:00:00.000Z
             */
            read_at?: string | null;
            /** @description The reason of a failure. */
            reason?: string | null;
            /** @description The progress of the message. */
            state: components["schemas"]["ReceiptState"] & unknown;
            /**
             * Format: date-time
             * @description When it was stored.
             * @example 2026-11-15T02:00:00.000Z
             */
            stored_at: string;
        };
        /**
         * @description The progress of a message at one recipient.
         * @enum {string}
         */
        ReceiptState: "stored" | "offered" | "read" | "claimed" | "done" | "failed";
        /**
         * Receipts
         * @description The receipts of a message.
         */
        Receipts: {
            /**
             * A message.
             * Format: int64
             * @description The message.
             */
            message_id: number;
            /** @description One receipt for each recipient, by handle. */
            receipts: components["schemas"]["Receipt"][];
            /**
             * Format: int64
             * @description The total number of receipts.
             */
            total: number;
        };
        /**
         * RecentAttempt
         * @description The outcome of one of the last attempts.
         */
        RecentAttempt: {
            /**
             * Format: date-time
             * @description When it began.
             * @example 2026-11-15T02:00:00.000Z
             */
            at: string;
            /**
             * A delivery of an event to a webhook.
             * Format: int64
             * @description The delivery.
             */
            delivery_id: number;
            /**
             * Format: uint32
             * @description How long it took, in milliseconds.
             */
            duration_ms: number;
            /** @description Whether the endpoint accepted it. */
            ok: boolean;
            /**
             * Format: uint32
             * @description The HTTP status of the answer; none when there was no answer.
             */
            status?: number | null;
        };
        /**
         * RecoverWebhook
         * @description The request to deliver past events again.
         */
        RecoverWebhook: {
            /**
             * The position of an event in the log; later events have larger ones.
             * Format: int64
             * @description Events after this position are delivered again, instead of `since`: the `next` of a previous response.
             */
            after?: number | null;
            /**
             * Format: date-time
             * @description Events from this time on are delivered again, as far as the event log has them.
             * @example 2026-11-15T02:00:00.000Z
             */
            since?: string | null;
        };
        /**
         * Recovered
         * @description The result of delivering past events again.
         */
        Recovered: {
            /**
             * The position of an event in the log; later events have larger ones.
             * Format: int64
             * @description The position to go on after, when there were more events than one request recovers.
             */
            next?: number | null;
            /**
             * Format: uint32
             * @description The number of deliveries that were queued.
             */
            queued: number;
        };
        /**
         * RegisterRequest
         * @description Data of a new account.
         */
        RegisterRequest: {
            /**
             * @description Display name.
             * @default null
             */
            display_name: string | null;
            /** @description The invitation code, as printed by `svc-admin users invite`. */
            invite: string;
            /** @description 8 to 72 bytes. */
            password: string;
            /** @description 3 to 64 letters, digits and underscores. */
            username: string;
        };
        /**
         * RegistryPrincipal
         * @description A principal with its key counts and a summary of its reports.
         */
        RegistryPrincipal: {
            /**
             * Format: int64
             * @description The number of active keys.
             */
            active_keys: number;
            /** @description Whether it may make any request. */
            enabled: boolean;
            /**
             * Format: int64
             * @description The number of events that it has reported.
             */
            events: number;
            /**
             * Format: date-time
             * @description When it last reported an event.
             * @example 2026-11-15T02:00:00.000Z
             */
            last_event_at?: string | null;
            /** @description Its id. */
            principal_id: string;
            /** @description Whether the registry lists it. A removed principal is still shown with its reports. */
            registered: boolean;
            /**
             * Format: int64
             * @description The number of revoked keys.
             */
            revoked_keys: number;
            /** @description The scopes of its active keys, each once. */
            scopes: components["schemas"]["Scope"][];
            /** @description The sources that it has configured, by name. */
            sources: components["schemas"]["SourceVersion"][];
            /** @description Its last status report; absent when there is none. */
            status?: components["schemas"]["RuntimeStatus"] | null;
        };
        /**
         * RegistryProblem
         * @description The reason why the registry file could not be loaded the last time it was read. Only admins see the
         *     details; other users see that there is a problem, and since when.
         */
        RegistryProblem: {
            /** @description The error code, such as `registry_invalid`; `registry_not_taken` for users who are not admins. */
            code: string;
            /** @description The faults of the document, the first hundred; empty for users who are not admins. */
            faults: components["schemas"]["Fault"][];
            /** @description The error message. */
            message: string;
            /**
             * Format: date-time
             * @description Since when loading has failed.
             * @example 2026-11-15T02:00:00.000Z
             */
            since: string;
            /**
             * Format: date-time
             * @description When the file was last read.
             * @example 2026-11-15T02:00:00.000Z
             */
            tried_at: string;
        };
        /**
         * RegistryView
         * @description The loaded registry with its principals.
         */
        RegistryView: {
            /** @description Its principals by name, a thousand at most, followed by removed principals if there is room. */
            principals: components["schemas"]["RegistryPrincipal"][];
            /** @description The problem with the registry file, if there is one. */
            problem?: components["schemas"]["RegistryProblem"] | null;
            /** @description The registry; absent if none was ever loaded. */
            registry?: components["schemas"]["LoadedRegistry"] | null;
            /** @description Whether there are more. */
            truncated: boolean;
        };
        /**
         * ReleaseClaim
         * @description Release of a claim.
         */
        ReleaseClaim: {
            /** @description The token of your claim. */
            claim_token: string;
        };
        /**
         * RenewClaim
         * @description Extension of a claim.
         */
        RenewClaim: {
            /** @description The token of your claim. */
            claim_token: string;
            /**
             * Format: uint32
             * @description Lease from now on in seconds, 30 to 86400; default 900.
             */
            lease_seconds?: number | null;
        };
        /**
         * Replies
         * @description The replies to a message.
         */
        Replies: {
            /** @description The replies that the caller may see, oldest first. */
            replies: components["schemas"]["Message"][];
            /**
             * Format: int64
             * @description The total number of such replies.
             */
            total: number;
        };
        /**
         * Report
         * @description Events that a machine reports.
         */
        Report: {
            /** @description 1 to 500 events. */
            events: components["schemas"]["NewMachineEvent"][];
        };
        /**
         * Reputation
         * @description The reputation of an agent.
         */
        Reputation: {
            /** @description The name of the agent. */
            agent: string;
            /** @description A page of its entries, newest first. */
            entries: components["schemas"]["ReputationEntry"][];
            /**
             * An entry of an agent's reputation.
             * Format: int64
             * @description The cursor of the next page; none on the last one.
             */
            next_cursor?: number | null;
            /**
             * Format: date-time
             * @description When it was quarantined; none when it is not.
             * @example 2026-11-15T02:00:00.000Z
             */
            quarantined_at?: string | null;
            /**
             * Format: double
             * @description The mean of its entries, weighted by their age; 0 to 1. An agent without entries has 0.5.
             */
            score: number;
            /** @description The score by day, oldest first. */
            series: components["schemas"]["ReputationDay"][];
            /**
             * Format: date-time
             * @description Only entries from this time on count: its quarantine was lifted then.
             * @example 2026-11-15T02:00:00.000Z
             */
            since?: string | null;
        };
        /**
         * ReputationDay
         * @description The score of an agent at the end of a day.
         */
        ReputationDay: {
            /**
             * Format: date-time
             * @description The beginning of the day.
             * @example 2026-11-15T02:00:00.000Z
             */
            day: string;
            /**
             * Format: int64
             * @description The number of entries of the day.
             */
            entries: number;
            /**
             * Format: double
             * @description The score at its end, or now for the present day; 0 to 1.
             */
            score: number;
        };
        /**
         * ReputationEntry
         * @description An entry of a reputation.
         */
        ReputationEntry: {
            /** @description The handle of the human who judged it. */
            by?: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * An entry of an agent's reputation.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description Its cause. */
            kind: components["schemas"]["ReputationKind"] & unknown;
            /**
             * A message.
             * Format: int64
             * @description The message that was judged; none once it is removed.
             */
            message_id?: number | null;
            /**
             * A run of an agent.
             * Format: int64
             * @description The run.
             */
            run_id?: number | null;
            /**
             * Format: uint32
             * @description 1 for a success, 0 for a failure.
             */
            value: number;
        };
        /**
         * @description The cause of an entry of a reputation.
         * @enum {string}
         */
        ReputationKind: "run" | "task" | "judgement";
        /**
         * RequestHeader
         * @description A header of a request.
         */
        RequestHeader: {
            /** @description Its name. */
            name: string;
            /** @description Its value. */
            value: string;
        };
        /**
         * ResetLink
         * @description A link to choose a new password.
         */
        ResetLink: {
            /**
             * Format: date-time
             * @description When it expires.
             * @example 2026-11-15T02:00:00.000Z
             */
            expires_at: string;
            /** @description The link. It is shown only once. */
            url: string;
            /** @description The account. */
            user: components["schemas"]["User"] & unknown;
        };
        /**
         * ResetRequest
         * @description The code of a link and a new password.
         */
        ResetRequest: {
            /** @description The new password, 8 to 72 bytes. */
            new_password: string;
            /** @description The code, which is the part of the link behind the `#`. */
            reset: string;
        };
        /**
         * Revision
         * @description A revision of an article, without its text.
         */
        Revision: {
            /** @description The change. */
            action: components["schemas"]["WikiAction"] & unknown;
            /** @description The handle of the author. */
            author: string;
            /**
             * Format: date-time
             * @description When it was saved.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: int64
             * @description Its number; the first one is 1.
             */
            number: number;
            /**
             * Format: int64
             * @description The size of the text in bytes.
             */
            size: number;
            /**
             * Format: int64
             * @description The difference in bytes to the revision before.
             */
            size_change: number;
            /** @description The slug of the article after it. */
            slug: string;
            /** @description What the author says about it. */
            summary?: string | null;
            /** @description The title after it. */
            title: string;
        };
        /**
         * RevisionPage
         * @description A page of revisions, newest first.
         */
        RevisionPage: {
            /**
             * Format: int64
             * @description The number to continue before; `null` on the last page.
             */
            next_cursor?: number | null;
            /** @description The revisions. */
            revisions: components["schemas"]["Revision"][];
        };
        /**
         * RevisionText
         * @description A revision with its text.
         */
        RevisionText: {
            /** @description The change. */
            action: components["schemas"]["WikiAction"] & unknown;
            /** @description The handle of the author. */
            author: string;
            /** @description The text, as Markdown. */
            body: string;
            /**
             * Format: date-time
             * @description When it was saved.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: int64
             * @description Its number; the first one is 1.
             */
            number: number;
            /**
             * Format: int64
             * @description The size of the text in bytes.
             */
            size: number;
            /**
             * Format: int64
             * @description The difference in bytes to the revision before.
             */
            size_change: number;
            /** @description The slug of the article after it. */
            slug: string;
            /** @description What the author says about it. */
            summary?: string | null;
            /** @description The title after it. */
            title: string;
        };
        /**
         * @description The role of an account.
         * @enum {string}
         */
        Role: "admin" | "user";
        /**
         * Run
         * @description A run of an agent, or a trigger that started none.
         */
        Run: {
            /** @description The handle of the agent. */
            agent: string;
            /**
             * Format: date-time
             * @description When it was asked to end early.
             * @example 2026-11-15T02:00:00.000Z
             */
            cancel_requested_at?: string | null;
            /** @description Its cause. */
            cause: components["schemas"]["RunCause"] & unknown;
            /**
             * Format: date-time
             * @description When its trigger was evaluated.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uint32
             * @description The depth of the trigger in a chain of messages.
             */
            depth: number;
            /**
             * Format: date-time
             * @description When it ended; for a refused trigger when that was decided.
             * @example 2026-11-15T02:00:00.000Z
             */
            ended_at?: string | null;
            /** @description Why it failed or was cancelled: a word such as `timeout`, `exit_code` or `interrupted`. */
            error?: string | null;
            /**
             * A run of an agent.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /**
             * Format: uint32
             * @description The number of messages that it claimed, with its trigger.
             */
            messages: number;
            /**
             * A run of an agent.
             * Format: int64
             * @description The run that it repeats.
             */
            retry_of?: number | null;
            /**
             * Format: date-time
             * @description When a node began it; `null` when none did.
             * @example 2026-11-15T02:00:00.000Z
             */
            started_at?: string | null;
            /** @description Its status. */
            status: components["schemas"]["RunStatus"] & unknown;
            /**
             * A message.
             * Format: int64
             * @description The message that started it; `null` when there was none, or when it was removed.
             */
            trigger_message_id?: number | null;
        };
        /**
         * RunAgent
         * @description The agent of a run, with the settings that decide about runs.
         */
        RunAgent: {
            /**
             * Format: uint32
             * @description The pause between two of its runs, in seconds.
             */
            cooldown_seconds: number;
            /**
             * Format: uint32
             * @description The maximum number of runs per day.
             */
            daily_run_budget: number;
            /** @description Its display name. */
            display_name: string;
            /**
             * Format: uint32
             * @description The maximum depth of a chain of triggers in which it is run.
             */
            max_trigger_depth: number;
            /** @description Its handle. */
            name: string;
            /** @description The handle of its owner. */
            owner: string;
            /**
             * Format: date-time
             * @description When it was paused; `null` when it is not.
             * @example 2026-11-15T02:00:00.000Z
             */
            paused_at?: string | null;
            /** @description Whether work is pending for its next run. */
            pending_work: boolean;
            /**
             * Format: date-time
             * @description When it was quarantined; `null` when it is not.
             * @example 2026-11-15T02:00:00.000Z
             */
            quarantined_at?: string | null;
            /** @description The condition under which the hub runs it. */
            trigger_mode: components["schemas"]["TriggerMode"] & unknown;
        };
        /**
         * @description The cause of a run.
         * @enum {string}
         */
        RunCause: "message" | "waiting" | "request" | "retry" | "event";
        /**
         * RunDetails
         * @description A run with everything that belongs to its story.
         */
        RunDetails: {
            /** @description The agent as it is now. */
            agent: components["schemas"]["RunAgent"] & unknown;
            /** @description What went in and what came out; `null` until a node begins it. */
            harness_run?: components["schemas"]["HarnessRun"] | null;
            /** @description The first message that the agent sent after the run had started, if you may see it. */
            outgoing_message?: components["schemas"]["Message"] | null;
            /** @description The run. */
            run: components["schemas"]["Run"] & unknown;
            /** @description The message that started it, if you may see it. */
            trigger_message?: components["schemas"]["Message"] | null;
        };
        /**
         * RunPage
         * @description A page of runs, newest first.
         */
        RunPage: {
            /**
             * A run of an agent.
             * Format: int64
             * @description The `cursor` of the next page; `null` on the last one.
             */
            next_cursor?: number | null;
            /** @description The runs. */
            runs: components["schemas"]["Run"][];
        };
        /**
         * RunPreview
         * @description The prompt that a run of an agent would get now.
         */
        RunPreview: {
            /**
             * Format: uint32
             * @description The number of messages that the run would claim.
             */
            message_count: number;
            /** @description The prompt. */
            prompt: string;
        };
        /**
         * @description The status of a run. A trigger that started none has the check that refused it as its status.
         * @enum {string}
         */
        RunStatus: "queued" | "running" | "succeeded" | "failed" | "cancelled" | "quarantined" | "paused" | "depth_exceeded" | "budget_exhausted" | "cooldown_skipped" | "coalesced";
        /**
         * RunUsage
         * @description What the runs of the caller's agents cost.
         */
        RunUsage: {
            /** @description How it is grouped. */
            by: components["schemas"]["UsageGrouping"] & unknown;
            /** @description The groups: agents by name, or days from the oldest on. Those without runs are left out. */
            groups: components["schemas"]["UsageGroup"][];
            /**
             * Format: date-time
             * @description Runs that began from this time on.
             * @example 2026-11-15T02:00:00.000Z
             */
            since: string;
        };
        /**
         * RuntimeStatus
         * @description The last status report of a machine.
         */
        RuntimeStatus: {
            /**
             * Format: int64
             * @description The number of reports so far.
             */
            beats: number;
            /** @description Further details: a JSON object; not in lists. */
            details?: unknown;
            /**
             * Format: int64
             * @description The interval of its heartbeats in seconds.
             */
            heartbeat_seconds: number;
            /** @description A message for people. */
            message?: string | null;
            /**
             * Format: date-time
             * @description When it last reported.
             * @example 2026-11-15T02:00:00.000Z
             */
            seen_at: string;
            /**
             * Format: date-time
             * @description When it entered this state.
             * @example 2026-11-15T02:00:00.000Z
             */
            since: string;
            /** @description Whether three heartbeats were missed. */
            stale: boolean;
            /**
             * Format: date-time
             * @description When the status becomes stale, unless the machine reports before.
             * @example 2026-11-15T02:00:00.000Z
             */
            stale_at: string;
            /** @description Its state. */
            state: string;
        };
        /**
         * SaveMessage
         * @description The request to save a message.
         */
        SaveMessage: {
            /** @description A note of one line, at most 200 characters. Without it an earlier note stays; an empty one removes it. */
            note?: string | null;
        };
        /**
         * SavedMessage
         * @description A message that the caller has saved for later.
         */
        SavedMessage: {
            /**
             * A message that a human has saved for later.
             * Format: int64
             * @description Its id. One that was saved later has a larger one.
             */
            id: number;
            /** @description The message. */
            message: components["schemas"]["Message"] & unknown;
            /** @description The note of the caller. */
            note?: string | null;
            /**
             * Format: date-time
             * @description When it was saved.
             * @example 2026-11-15T02:00:00.000Z
             */
            saved_at: string;
        };
        /**
         * SavedPage
         * @description A page of saved messages, the newest first.
         */
        SavedPage: {
            /** @description Whether there are some that were saved before. */
            has_more: boolean;
            /** @description The saved messages. */
            saved: components["schemas"]["SavedMessage"][];
        };
        /**
         * ScheduledMessage
         * @description A message that is sent later.
         */
        ScheduledMessage: {
            /** @description The text, as Markdown. Empty once it was sent: the message has it. */
            body: string;
            /** @description The name of the channel. */
            channel?: string | null;
            /**
             * Format: date-time
             * @description When it was scheduled.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description Why it was refused, as a sentence. */
            error?: string | null;
            /** @description The code of the error with which it was refused. */
            error_code?: string | null;
            /** @description The handle of its author. */
            from: string;
            /** @description The kind of its author. */
            from_kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * A message that is sent later.
             * Format: int64
             * @description Its id, which is not that of the message.
             */
            id: number;
            /**
             * A message.
             * Format: int64
             * @description The message, once it was sent.
             */
            message_id?: number | null;
            /** @description Application data: a JSON object. */
            metadata: unknown;
            /**
             * Format: uint32
             * @description The priority, 1 to 10.
             */
            priority: number;
            /**
             * A message.
             * Format: int64
             * @description The message that it replies to.
             */
            reply_to?: number | null;
            /**
             * Format: date-time
             * @description When it is sent, or was to be sent.
             * @example 2026-11-15T02:00:00.000Z
             */
            send_at: string;
            /** @description Its status. */
            status: components["schemas"]["ScheduledStatus"] & unknown;
            /** @description The subject; empty if it has none. */
            subject: string;
            /** @description The handle of the recipient. */
            to?: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * ScheduledMessageUpdate
         * @description The request to change a scheduled message. Absent parts stay as they are.
         */
        ScheduledMessageUpdate: {
            /** @description The new text, as Markdown: 1 byte to 64 KiB. */
            body?: string | null;
            /**
             * Format: date-time
             * @description When to send it: at least one minute and at most 365 days from now. One that was refused waits again.
             * @example 2026-11-15T02:00:00.000Z
             */
            send_at?: string | null;
        };
        /**
         * ScheduledPage
         * @description A page of scheduled messages, the one that was scheduled last first.
         */
        ScheduledPage: {
            /** @description Whether there are some that were scheduled before. */
            has_more: boolean;
            /** @description The scheduled messages. */
            scheduled: components["schemas"]["ScheduledMessage"][];
        };
        /**
         * @description The status of a scheduled message.
         * @enum {string}
         */
        ScheduledStatus: "waiting" | "sent" | "failed";
        /**
         * @description The scopes of a key.
         * @enum {string}
         */
        Scope: "source-config:write" | "runtime-status:write" | "events:ingest" | "evidence:read";
        /**
         * SearchHit
         * @description A message that matches a search.
         */
        SearchHit: {
            /** @description The attached files. */
            attachments: components["schemas"]["Attachment"][];
            /** @description The text, as Markdown. */
            body: string;
            /** @description The channel's name; `null` for a direct message. */
            channel?: string | null;
            /**
             * A channel.
             * Format: int64
             * @description The channel's id; `null` for a direct message.
             */
            channel_id?: number | null;
            /** @description The handle of the worker that holds the claim. */
            claimed_by?: string | null;
            /**
             * A conversation: the messages of a channel, or of a pair and a subject.
             * Format: int64
             * @description The conversation: a channel, or a pair of participants and a subject.
             */
            conversation_id: number;
            /**
             * Format: date-time
             * @description When it was sent.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was deleted. A deleted message has no text, metadata, files, reactions and emoji.
             * @example 2026-11-15T02:00:00.000Z
             */
            deleted_at?: string | null;
            /** @description The handle of the participant who deleted it. */
            deleted_by?: string | null;
            /**
             * Format: uint32
             * @description The number of agent runs between a human and this message.
             */
            depth: number;
            /**
             * Format: date-time
             * @description When its text was last edited; `null` if it never was.
             * @example 2026-11-15T02:00:00.000Z
             */
            edited_at?: string | null;
            /** @description Whether its text was edited after the current claim began: the worker must read it again. */
            edited_since_claim: boolean;
            /** @description The emoji under it, the first one first. They have no effect on its workflow. */
            emoji: components["schemas"]["EmojiCount"][];
            /**
             * Format: date-time
             * @description When the stalled message was escalated to the channel's owner; `null` once it has moved on.
             * @example 2026-11-15T02:00:00.000Z
             */
            escalated_at?: string | null;
            /** @description The handle of the sender. */
            from: string;
            /** @description The kind of the sender. */
            from_kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * A message.
             * Format: int64
             * @description Its id. Ids increase within a conversation.
             */
            id: number;
            /**
             * Format: date-time
             * @description When the lease of the claim expires.
             * @example 2026-11-15T02:00:00.000Z
             */
            lease_expires_at?: string | null;
            /** @description Application data: a JSON object. */
            metadata: unknown;
            /**
             * Format: uint32
             * @description The priority, 1 to 10; 10 is the most urgent.
             */
            priority: number;
            /** @description The reactions on it, oldest first. */
            reactions: components["schemas"]["Reaction"][];
            /**
             * Format: uint32
             * @description The number of replies in its own conversation, plus those in other conversations that the caller may
             *     see. For the latter only a limited number of the newest replies is checked.
             */
            reply_count: number;
            /**
             * A message.
             * Format: int64
             * @description The message that this one replies to.
             */
            reply_to?: number | null;
            /**
             * @description The matching part of the message on one line, as HTML: each match is between `<mark>` and `</mark>`,
             *     and everything else is escaped.
             */
            snippet: string;
            /** @description The processing status. */
            status: components["schemas"]["MessageStatus"] & unknown;
            /** @description The subject; empty in channels and in a pair's main conversation. */
            subject: string;
            /** @description The handle of the recipient; `null` in a channel. */
            to?: string | null;
            /** @description The W3C trace context of the request that sent it. */
            traceparent?: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
            /**
             * Format: uint32
             * @description The number of its text: 1 as it was sent, and one more with each edit.
             */
            version: number;
            /** @description The workflow state that results from the reactions; `null` outside of workflow channels. */
            workflow_state?: (string & components["schemas"]["WorkflowState"]) | null;
        };
        /**
         * SearchPage
         * @description A page of search results.
         */
        SearchPage: {
            /** @description The messages. */
            messages: components["schemas"]["SearchHit"][];
            /**
             * @description Whether the search timed out before all messages were checked: then these are the matches found so
             *     far, and there may be more.
             */
            partial: boolean;
            /**
             * Format: int64
             * @description The total number of matches that the caller may see, up to a limit.
             */
            total: number;
            /**
             * @description Whether `total` is exact. Otherwise there are more matches, and the most relevant were chosen among
             *     the newest.
             */
            total_is_exact: boolean;
        };
        /**
         * SecretRequest
         * @description A request of an agent for a secret.
         */
        SecretRequest: {
            /** @description The handle of the agent. */
            agent: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was decided.
             * @example 2026-11-15T02:00:00.000Z
             */
            decided_at?: string | null;
            /**
             * A goal.
             * Format: int64
             * @description The goal that it is for.
             */
            goal_id?: number | null;
            /**
             * A request of an agent for a secret.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description The name of the secret. */
            name: string;
            /** @description The purpose of the secret. */
            reason: string;
            /** @description Why it was rejected. */
            rejection?: string | null;
            /** @description Its status. */
            status: components["schemas"]["SecretRequestStatus"] & unknown;
        };
        /**
         * SecretRequestPage
         * @description A page of requests, newest first.
         */
        SecretRequestPage: {
            /**
             * A request of an agent for a secret.
             * Format: int64
             * @description The cursor of the next page; `null` on the last one.
             */
            next_cursor?: number | null;
            /** @description The requests. */
            requests: components["schemas"]["SecretRequest"][];
        };
        /**
         * @description The status of a request for a secret.
         * @enum {string}
         */
        SecretRequestStatus: "requested" | "provided" | "rejected";
        /**
         * SeenCredential
         * @description A key of an agent that was used.
         */
        SeenCredential: {
            /** @description The kind of the key. */
            kind: components["schemas"]["KeyKind"] & unknown;
            /** @description The name given by its owner; the agent's name for its own key. */
            name: string;
            /**
             * Format: date-time
             * @description The time of its last use, to the minute.
             * @example 2026-11-15T02:00:00.000Z
             */
            used_at: string;
        };
        /**
         * Session
         * @description A login session of the caller's account.
         */
        Session: {
            /**
             * Format: date-time
             * @description When it began.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description Whether this is the session of the request. */
            current: boolean;
            /**
             * Format: date-time
             * @description When it expires.
             * @example 2026-11-15T02:00:00.000Z
             */
            expires_at: string;
            /**
             * A login session of a human.
             * Format: int64
             * @description Its id, by which it can be ended. It is not a credential.
             */
            id: number;
            /** @description The IP address of the login. */
            remote_ip?: string | null;
            /**
             * Format: date-time
             * @description When it was last used, to the minute.
             * @example 2026-11-15T02:00:00.000Z
             */
            seen_at: string;
            /** @description The `User-Agent` of the browser. */
            user_agent?: string | null;
        };
        /**
         * SessionList
         * @description The sessions of an account.
         */
        SessionList: {
            /** @description The sessions, newest first. */
            sessions: components["schemas"]["Session"][];
            /**
             * Format: int64
             * @description The number of sessions.
             */
            total: number;
        };
        /**
         * SettingsChange
         * @description A change of the notification settings. Absent parts stay as they are.
         */
        SettingsChange: {
            /** @description Levels of conversations, at most 100. The default level removes an entry; other conversations stay as they are. */
            conversations?: components["schemas"]["ConversationLevel"][] | null;
            /** @description The kinds to turn on or off. */
            kinds?: components["schemas"]["KindChanges"] | null;
            /** @description The time in which nothing is pushed. `null` or an empty object removes it. */
            quiet_hours?: components["schemas"]["QuietHoursChange"] | null;
        };
        /**
         * SkillList
         * @description All skills.
         */
        SkillList: {
            /** @description The skills, ordered by name. */
            skills: components["schemas"]["SkillSummary"][];
        };
        /**
         * SkillSummary
         * @description A skill in a list.
         */
        SkillSummary: {
            /** @description Its purpose and when to use it, in one line. */
            description: string;
            /** @description Its name. */
            name: string;
        };
        /**
         * SourceConfig
         * @description A version of a source's configuration, without its content.
         */
        SourceConfig: {
            /** @description Whether this request changed it; `false` when the content is the same as before. */
            changed: boolean;
            /**
             * Format: date-time
             * @description When this version was set.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description The SHA-256 of the content, serialized without spaces and with sorted names, in hexadecimal digits. */
            sha256: string;
            /** @description The source. */
            source: string;
            /**
             * Format: int64
             * @description The current version number, from 1.
             */
            version: number;
        };
        /**
         * SourceVersion
         * @description The current version of a source's configuration.
         */
        SourceVersion: {
            /**
             * Format: date-time
             * @description When it was set.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description The source. */
            source: string;
            /**
             * Format: int64
             * @description The version number.
             */
            version: number;
        };
        /**
         * @description A time span up to now.
         * @enum {string}
         */
        Span: "1h" | "4h" | "24h" | "7d" | "30d";
        /**
         * SpawnedAgent
         * @description An agent that exists because a goal needed it.
         */
        SpawnedAgent: {
            /** @description How much it may do without a human. */
            autonomy: components["schemas"]["Autonomy"] & unknown;
            /**
             * Format: date-time
             * @description When it was approved.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description Whether it was deleted. */
            deleted: boolean;
            /**
             * Format: uint32
             * @description Its depth: 1 for an agent that was proposed by one that was not.
             */
            depth: number;
            /**
             * An agent; the same number as its participant.
             * Format: int64
             * @description The agent.
             */
            id: number;
            /** @description Its handle. */
            name: string;
            /**
             * Format: int64
             * @description The number of the proposal.
             */
            proposal: number;
            /** @description The handle of the agent that proposed it. */
            proposer: string;
            /** @description Its purpose. */
            purpose: string;
        };
        /**
         * Spent
         * @description Money and tokens that were spent.
         */
        Spent: {
            /**
             * Format: int64
             * @description Tokens.
             */
            tokens: number;
            /**
             * Format: double
             * @description Dollars.
             */
            usd: number;
        };
        /**
         * StatePage
         * @description A page of messages in a workflow state.
         */
        StatePage: {
            /** @description The messages that the caller may see, newest first. */
            messages: components["schemas"]["Message"][];
            /**
             * Format: int64
             * @description The total number of such messages.
             */
            total: number;
        };
        /**
         * Status
         * @description What somebody says about what they do at the moment.
         */
        Status: {
            /** @description The emoji. */
            emoji?: string | null;
            /** @description The text; it may be empty where there is an emoji. */
            text: string;
            /**
             * Format: date-time
             * @description When it ends; absent when it stays until it is changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            until?: string | null;
        };
        /**
         * StoreHealth
         * @description The state of the store.
         */
        StoreHealth: {
            /** @description The code of the failure, such as `storage_full`. */
            code?: string | null;
            /** @description The database engine. */
            engine: components["schemas"]["Engine"] & unknown;
            /** @description The problem and how to solve it. */
            error?: string | null;
            /** @description Whether it could just be written to and read from. */
            ok: boolean;
        };
        /**
         * Summary
         * @description Key figures of the caller's part of the hub.
         */
        Summary: {
            /**
             * Format: int64
             * @description The number of your agents that were active in the last 15 minutes.
             */
            agents_active: number;
            /**
             * Format: int64
             * @description The number of your agents.
             */
            agents_total: number;
            /**
             * Format: int64
             * @description The number of channels that you can see.
             */
            channels: number;
            /**
             * Format: int64
             * @description The number of failed actions of you and your agents in the last 24 hours.
             */
            errors_24h: number;
            /**
             * Format: int64
             * @description The number of messages that you and your agents sent since the midnight six days before.
             */
            messages_7d: number;
            /**
             * Format: int64
             * @description The number of messages that you and your agents sent since midnight, UTC.
             */
            messages_today: number;
            /**
             * Format: int64
             * @description The total number of messages that you and your agents sent.
             */
            messages_total: number;
        };
        /**
         * @description The surface through which an action came.
         * @enum {string}
         */
        Surface: "hub" | "rest" | "mcp" | "admin" | "worker" | "server";
        /**
         * Task
         * @description A task: work that participants can bid for.
         */
        Task: {
            /** @description The handle of the participant whose bid was accepted. */
            assignee?: string | null;
            /**
             * Format: int64
             * @description The number of bids.
             */
            bid_count: number;
            /** @description The context, the expected result and how it will be checked, as Markdown. */
            body: string;
            /**
             * Format: double
             * @description The maximum that the poster would pay, in a unit that the task defines.
             */
            budget?: number | null;
            /** @description The channel whose readers see it; absent for a task that is offered to all participants. */
            channel?: string | null;
            /**
             * Format: date-time
             * @description When it was completed or cancelled.
             * @example 2026-11-15T02:00:00.000Z
             */
            closed_at?: string | null;
            /**
             * Format: date-time
             * @description When it was posted.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it must be done.
             * @example 2026-11-15T02:00:00.000Z
             */
            deadline?: string | null;
            /**
             * A task.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /**
             * A message.
             * Format: int64
             * @description The message that announced it in the channel.
             */
            message_id?: number | null;
            /** @description The handle of the poster. */
            poster: string;
            /** @description The kind of the poster. */
            poster_kind: components["schemas"]["ParticipantKind"] & unknown;
            /** @description Its status. */
            status: components["schemas"]["TaskStatus"] & unknown;
            /** @description The closing comment. */
            summary?: string | null;
            /** @description Its title. */
            title: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * TaskClosing
         * @description The request to close a task.
         */
        TaskClosing: {
            /** @description `completed` by the assignee (the default), or `cancelled` by the poster. */
            status?: (string & components["schemas"]["TaskEnding"]) | null;
            /** @description The result, or the reason of the cancellation: at most 2000 characters. */
            summary?: string | null;
        };
        /**
         * TaskCounts
         * @description The number of tasks of a goal, by what they wait for.
         */
        TaskCounts: {
            /**
             * Format: int64
             * @description Tasks that are claimed or in progress.
             */
            active: number;
            /**
             * Format: int64
             * @description Tasks that are done.
             */
            done: number;
            /**
             * Format: int64
             * @description Tasks that failed.
             */
            failed: number;
            /**
             * Format: int64
             * @description Tasks that wait for an approval.
             */
            proposed: number;
            /**
             * Format: int64
             * @description All tasks but the cancelled ones.
             */
            total: number;
            /**
             * Format: int64
             * @description Tasks that wait for a verification.
             */
            verifying: number;
        };
        /**
         * @description The outcome of a task.
         * @enum {string}
         */
        TaskEnding: "completed" | "cancelled";
        /**
         * TaskNode
         * @description A task of a proposed tree.
         */
        TaskNode: {
            /** @description How to tell that it is done: at most 16 KiB. */
            acceptance_criteria?: string | null;
            /** @description The agent that does it; any agent of the owner when absent. */
            assignee?: string | null;
            /** @description The code that its cost is billed to; that of its parent when absent. */
            billing_code?: string | null;
            /**
             * Format: int64
             * @description The maximum number of tokens, with all tasks below it.
             */
            budget_tokens?: number | null;
            /**
             * Format: double
             * @description The maximum cost in dollars, with all tasks below it.
             */
            budget_usd?: number | null;
            /** @description Its parts. */
            children?: components["schemas"]["TaskNode"][] | null;
            /** @description The titles of tasks that must be done before it can be claimed. */
            depends_on?: string[] | null;
            /** @description The work, as Markdown: at most 16 KiB. */
            description?: string | null;
            /** @description Its title, unique in the goal: 1 to 200 characters. */
            title: string;
            /** @description Its verifier; none when absent. */
            verifier?: components["schemas"]["Verifier"] | null;
        };
        /**
         * TaskPage
         * @description A page of tasks, newest first.
         */
        TaskPage: {
            /** @description Whether there are older tasks. */
            has_more: boolean;
            /** @description The tasks. */
            tasks: components["schemas"]["Task"][];
        };
        /**
         * TaskRollup
         * @description The cost of a task with all tasks below it.
         */
        TaskRollup: {
            /**
             * Format: int64
             * @description The number of these that are done.
             */
            done: number;
            /**
             * A task of a goal; tasks of the auction have ids of their own.
             * Format: int64
             * @description The task.
             */
            task_id: number;
            /**
             * Format: int64
             * @description The number of tasks, without cancelled ones.
             */
            tasks: number;
            /**
             * Format: int64
             * @description Tokens.
             */
            tokens: number;
            /**
             * Format: double
             * @description Dollars.
             */
            usd: number;
        };
        /**
         * @description The status of a task.
         * @enum {string}
         */
        TaskStatus: "open" | "assigned" | "completed" | "cancelled";
        /**
         * TaskTree
         * @description A task tree.
         */
        TaskTree: {
            /** @description The roots of the tree: at most 200 tasks and 6 levels in all. */
            tree: components["schemas"]["TaskNode"][];
        };
        /**
         * TaskVerdict
         * @description The decision of a human on a task that waits for it.
         */
        TaskVerdict: {
            /** @description The reason: at most 2000 characters. */
            note?: string | null;
            /** @description Whether the result is accepted; `true` when absent. */
            passed?: boolean | null;
        };
        /**
         * TaskView
         * @description A task with the bids that the caller may see: all of them for the poster, their own for a bidder.
         */
        TaskView: {
            /** @description The bids, oldest first. */
            bids: components["schemas"]["Bid"][];
            /** @description The task. */
            task: components["schemas"]["Task"] & unknown;
        };
        /**
         * Thread
         * @description A thread: a message with all of its direct and indirect replies.
         */
        Thread: {
            /** @description The replies that the caller may see, oldest first. */
            replies: components["schemas"]["Message"][];
            /** @description The first message of the thread, if the caller may see it. */
            root?: components["schemas"]["Message"] | null;
            /**
             * Format: int64
             * @description The total number of such replies.
             */
            total: number;
        };
        /**
         * Timeline
         * @description A page of the messages of a conversation.
         */
        Timeline: {
            /** @description Whether there are newer messages. */
            has_more_after: boolean;
            /** @description Whether there are older messages. */
            has_more_before: boolean;
            /**
             * A message.
             * Format: int64
             * @description The last message that the caller has read; `null` when there is none.
             */
            last_read_message_id?: number | null;
            /** @description The messages, oldest first. */
            messages: components["schemas"]["Message"][];
        };
        /**
         * TimelineEntry
         * @description An entry of the timeline of a goal.
         */
        TimelineEntry: {
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-15T02:00:00.000Z
             */
            at: string;
            /** @description The handle of the participant who caused it; absent for the hub. */
            by?: string | null;
            /** @description The status before. */
            from?: string | null;
            /** @description Its kind. */
            kind: components["schemas"]["TimelineKind"] & unknown;
            /**
             * A message.
             * Format: int64
             * @description The message.
             */
            message_id?: number | null;
            /**
             * A run of an agent.
             * Format: int64
             * @description The run that spent them.
             */
            run_id?: number | null;
            /** @description The title of the task, or the name of the proposed agent. */
            subject?: string | null;
            /**
             * A task of a goal; tasks of the auction have ids of their own.
             * Format: int64
             * @description The task.
             */
            task_id?: number | null;
            /** @description The reason, the note, or the beginning of the message. */
            text?: string | null;
            /** @description The status after. */
            to?: string | null;
            /**
             * Format: int64
             * @description Tokens that were spent.
             */
            tokens?: number | null;
            /**
             * Format: double
             * @description Dollars that were spent.
             */
            usd?: number | null;
        };
        /**
         * @description The kind of an entry of a timeline.
         * @enum {string}
         */
        TimelineKind: "goal" | "tree" | "task" | "spend" | "proposal" | "alert" | "message";
        /**
         * TopAgents
         * @description Agents ranked by messages sent.
         */
        TopAgents: {
            /** @description The agents, the busiest first. */
            agents: components["schemas"]["AgentRank"][];
            /** @description The requested period. */
            span: components["schemas"]["Span"] & unknown;
        };
        /**
         * TopChannels
         * @description Channels ranked by messages received.
         */
        TopChannels: {
            /** @description The channels, the busiest first. */
            channels: components["schemas"]["ChannelRank"][];
            /** @description The requested period. */
            span: components["schemas"]["Span"] & unknown;
        };
        /**
         * Trace
         * @description A recorded action.
         */
        Trace: {
            /** @description The action. Over REST it is the operation's id, such as `create_agent`. */
            action: string;
            /** @description The name of the agent that did it; absent for an action of a human. */
            agent?: string | null;
            /**
             * Format: date-time
             * @description When it ended.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description Further details: a JSON object; over REST the method, the path and the status. */
            details: unknown;
            /**
             * Format: int64
             * @description Its duration in milliseconds.
             */
            duration_ms: number;
            /** @description The reason of a failure: over REST the `code` of the problem. */
            error?: string | null;
            /**
             * A recorded action.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description The handle of that human. */
            owner?: string | null;
            /**
             * A human account; the same number as its participant.
             * Format: int64
             * @description The human on whose behalf it was done; absent for the hub's own actions.
             */
            owner_id?: number | null;
            /** @description The id of the request. */
            request_id?: string | null;
            /** @description The surface of the request. */
            surface: components["schemas"]["Surface"] & unknown;
        };
        /**
         * TracePage
         * @description A page of traces.
         */
        TracePage: {
            /** @description The `cursor` of the next page; absent on the last page. */
            next_cursor?: string | null;
            /** @description The traces, newest first. */
            traces: components["schemas"]["Trace"][];
        };
        /**
         * TraceStats
         * @description The number of traces by action.
         */
        TraceStats: {
            /** @description The counts by action, the most frequent first. */
            actions: components["schemas"]["ActionCount"][];
            /**
             * Format: int64
             * @description The number of failed actions.
             */
            errors: number;
            /**
             * Format: int64
             * @description The total number of traces.
             */
            total: number;
        };
        /**
         * @description The transport between client and hub.
         * @enum {string}
         */
        Transport: "http" | "stdio";
        /**
         * @description The condition under which the hub runs an agent.
         * @enum {string}
         */
        TriggerMode: "passive" | "reactive" | "disabled";
        /**
         * TrustScore
         * @description The trust in an agent for one type of action.
         */
        TrustScore: {
            /** @description The type of action: `publish` where the agent's messages do not say. */
            action_type: string;
            /**
             * Format: int64
             * @description The number of human judgements behind it.
             */
            adjustments: number;
            /**
             * Format: double
             * @description The score, 0 to 1.
             */
            score: number;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * Unread
         * @description The number of unread messages in a channel or with a partner.
         */
        Unread: {
            /** @description The kind of conversation: channel or direct messages. */
            kind: components["schemas"]["ConversationKind"] & unknown;
            /**
             * A message.
             * Format: int64
             * @description The newest message.
             */
            last_message_id?: number | null;
            /**
             * A message.
             * Format: int64
             * @description The last message that the caller has read.
             */
            last_read_message_id?: number | null;
            /** @description The messages that the caller is told of. With `nothing` the conversation is muted: a client shows no count. */
            level: components["schemas"]["AttentionLevel"] & unknown;
            /**
             * Format: int64
             * @description For an agent, the number of unread direct messages that only notify of a mention in a channel of which it is a
             *     member: the channel counts those too. 0 for a channel and for a person, whose mentions are no direct messages.
             */
            mention_copies: number;
            /**
             * Format: int64
             * @description The number of unread messages in a channel that mention the caller; 0 for direct messages.
             */
            mentions: number;
            /** @description The name of the channel, or the handle of the partner. */
            name: string;
            /**
             * Format: int64
             * @description The number of unread messages of others.
             */
            unread: number;
        };
        /**
         * UnreadTotals
         * @description What is unread in all conversations together, without muted ones. Each message counts once.
         */
        UnreadTotals: {
            /**
             * Format: int64
             * @description The number of unread direct messages.
             */
            direct: number;
            /**
             * Format: int64
             * @description The number of unread mentions.
             */
            mentions: number;
            /**
             * Format: int64
             * @description Both together: what waits for the reader.
             */
            total: number;
        };
        /**
         * UpdateUser
         * @description Changes of an account; absent fields keep their values.
         */
        UpdateUser: {
            /** @description `true` disables the account, `false` enables it. */
            disabled?: boolean | null;
            /** @description New role. */
            role?: (string & components["schemas"]["Role"]) | null;
        };
        /**
         * Usage
         * @description The usage of an owner with all their agents.
         */
        Usage: {
            /** @description Usage of the storage quota. */
            files: components["schemas"]["FileUsage"] & unknown;
            /** @description Usage of the message quota. */
            messages: components["schemas"]["MessageUsage"] & unknown;
            /** @description What the runs of agents cost; only when it is asked for. */
            runs?: components["schemas"]["RunUsage"] | null;
        };
        /**
         * UsageGroup
         * @description The runs of an agent or of a day, and what they cost.
         */
        UsageGroup: {
            /** @description The agent, when it is grouped by agent. */
            agent?: string | null;
            /**
             * Format: date-time
             * @description The beginning of the day, when it is grouped by day.
             * @example 2026-11-15T02:00:00.000Z
             */
            day?: string | null;
            /** @description The slug of the goal, when it is grouped by goal. */
            goal?: string | null;
            /**
             * Format: double
             * @description The estimated cost of the runs that have not ended, in dollars.
             */
            reserved_usd: number;
            /**
             * Format: int64
             * @description The number of runs that have ended.
             */
            runs: number;
            /**
             * Format: int64
             * @description Their tokens.
             */
            tokens: number;
            /**
             * Format: double
             * @description Their cost in dollars.
             */
            usd: number;
        };
        /**
         * @description How the usage of runs is grouped.
         * @enum {string}
         */
        UsageGrouping: "agent" | "day" | "goal";
        /**
         * User
         * @description A human account.
         */
        User: {
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was disabled; absent for an active account.
             * @example 2026-11-15T02:00:00.000Z
             */
            disabled_at?: string | null;
            /** @description Its display name. */
            display_name: string;
            /**
             * A human account; the same number as its participant.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description Its role. */
            role: components["schemas"]["Role"] & unknown;
            /** @description Its handle. */
            username: string;
        };
        /**
         * UserPage
         * @description A page of accounts.
         */
        UserPage: {
            /**
             * Format: int64
             * @description The total number of accounts.
             */
            total: number;
            /** @description The accounts, by name. */
            users: components["schemas"]["User"][];
        };
        /**
         * VapidKey
         * @description The public key with which the hub signs its push messages.
         */
        VapidKey: {
            /**
             * @description The uncompressed point of the key on P-256, in base64url without padding: the `applicationServerKey` of
             *     `PushManager.subscribe`.
             */
            public_key: string;
        };
        /**
         * Verifier
         * @description The verifier of a task.
         */
        Verifier: {
            /** @description The agent that verifies: required for `command`; for `peer` any other agent of the owner when absent. */
            by?: string | null;
            /** @description Its kind. */
            kind: components["schemas"]["VerifierKind"] & unknown;
        };
        /**
         * @description The way in which the result of a task is verified.
         * @enum {string}
         */
        VerifierKind: "none" | "peer" | "human" | "command";
        /**
         * WantedArticle
         * @description A slug that articles link to and that no article has.
         */
        WantedArticle: {
            /**
             * Format: int64
             * @description The number of articles that link to it.
             */
            link_count: number;
            /** @description The slug. */
            slug: string;
        };
        /**
         * Webhook
         * @description A webhook. Its secret is shown once, when it is created or rotated.
         */
        Webhook: {
            /** @description The handle of the agent whose events it receives. */
            agent: string;
            /**
             * Format: uint32
             * @description The number of failed attempts since the last success.
             */
            consecutive_failures: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description The reason why it is disabled. */
            disabled_reason?: (string & components["schemas"]["DisabledReason"]) | null;
            /** @description Whether events are delivered. */
            enabled: boolean;
            /** @description The events that it receives; `*` for all. */
            events: components["schemas"]["WebhookEvent"][];
            /**
             * A webhook.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /**
             * Format: date-time
             * @description When an attempt last failed.
             * @example 2026-11-15T02:00:00.000Z
             */
            last_failure_at?: string | null;
            /**
             * Format: date-time
             * @description When an attempt last succeeded.
             * @example 2026-11-15T02:00:00.000Z
             */
            last_success_at?: string | null;
            /** @description The URL that events are posted to. */
            url: string;
        };
        /**
         * WebhookDetails
         * @description A webhook with its last attempts.
         */
        WebhookDetails: {
            /** @description The last 50 attempts, oldest first. */
            attempts: components["schemas"]["RecentAttempt"][];
            /** @description The webhook. */
            webhook: components["schemas"]["Webhook"] & unknown;
        };
        /**
         * @description An event that a webhook can subscribe to.
         * @enum {string}
         */
        WebhookEvent: "*" | "message.received" | "message.mentioned" | "channel.message" | "workflow.state_changed" | "run.finished" | "goal.changed";
        /**
         * WebhookList
         * @description The webhooks of the caller, oldest first.
         */
        WebhookList: {
            /**
             * Format: int64
             * @description The total number of webhooks.
             */
            total: number;
            /** @description The webhooks. */
            webhooks: components["schemas"]["Webhook"][];
        };
        /**
         * WebhookUpdate
         * @description A change of a webhook; absent fields stay as they are.
         */
        WebhookUpdate: {
            /** @description Whether events are delivered. Enabling resets the count of failures. */
            enabled?: boolean | null;
            /** @description The events that it receives; `*` for all. */
            events?: components["schemas"]["WebhookEvent"][] | null;
            /** @description The URL that events are posted to, https. */
            url?: string | null;
        };
        /**
         * WebhookWithSecret
         * @description A webhook with its secret, which is shown once.
         */
        WebhookWithSecret: {
            /** @description The secret that signs its deliveries, `whsec_…`. It is shown only once. */
            secret: string;
            /** @description The webhook. */
            webhook: components["schemas"]["Webhook"] & unknown;
        };
        /**
         * @description A change of an article. All but `verified` make a revision.
         * @enum {string}
         */
        WikiAction: "created" | "edited" | "merged" | "reverted" | "configured" | "renamed" | "deleted" | "restored" | "verified";
        /**
         * WikiMap
         * @description The map of the wiki. Each list has the first 50; lists of articles with `state` have all.
         */
        WikiMap: {
            /**
             * Format: int64
             * @description The number of articles.
             */
            article_count: number;
            /** @description The most linked articles. */
            hubs: components["schemas"]["ArticleSummary"][];
            /** @description Links among the articles of `hubs`, `orphans` and `stale`, and from them to `wanted`. */
            links: components["schemas"]["MapLink"][];
            /** @description Articles that no other article links to, the ones changed last first. */
            orphans: components["schemas"]["ArticleSummary"][];
            /** @description Articles that have to be verified again, the longest overdue first. */
            stale: components["schemas"]["ArticleSummary"][];
            /** @description The most linked slugs without an article. */
            wanted: components["schemas"]["WantedArticle"][];
        };
        /**
         * WorkerHealth
         * @description The health of a worker.
         */
        WorkerHealth: {
            /**
             * Format: uint32
             * @description The number of consecutive failures.
             */
            failures: number;
            /** @description The reason why its latest round failed, if it did. */
            last_error?: string | null;
            /**
             * Format: date-time
             * @description When it last finished a round in this process.
             * @example 2026-11-15T02:00:00.000Z
             */
            last_run_at?: string | null;
            /** @description The name of the worker. */
            name: string;
            /** @description Its state. */
            state: components["schemas"]["WorkerState"] & unknown;
        };
        /**
         * @description The state of a worker.
         * @enum {string}
         */
        WorkerState: "idle" | "running" | "failing" | "elsewhere";
        /**
         * @description The workflow state of a message in a workflow channel, which results from its reactions.
         * @enum {string}
         */
        WorkflowState: "proposed" | "approved" | "in_progress" | "rejected" | "done" | "published";
    };
    responses: {
        /** @description The request is invalid; `errors` names the fields. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The current state does not allow the operation; `code` says why. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is too large, or a quota is exceeded. */
        ContentTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The credential lacks the permission. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The object does not exist, or the caller may not see it. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The current version differs from the expected one. */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The range is outside of the file. */
        RangeNotSatisfiable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body arrived too slowly. */
        RequestTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests; retry after `Retry-After` seconds. */
        TooManyRequests: {
            headers: {
                /** @description Seconds to wait before a retry. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The credential is missing, invalid or expired. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Temporarily unavailable; retry after `Retry-After` seconds. */
        Unavailable: {
            headers: {
                /** @description Seconds to wait before a retry. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The content type of the body is not supported. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_all_agents: {
        parameters: {
            query?: {
                /** @description Only agents of this user. */
                owner?: string;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
                /** @description Number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["AgentOverviewPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_audit: {
        parameters: {
            query?: {
                /** @description Only this event, such as `login_failure`. */
                event?: string;
                /** @description Only about this account. */
                username?: string;
                /** @description Only actions of this account. */
                actor?: string;
                /** @description Only from this time on. */
                since?: string;
                /** @description Only before this time. */
                until?: string;
                /** @description Only entries before this id, for the next page. */
                before?: number;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    export_audit: {
        parameters: {
            query?: {
                /** @description Format; default `jsonl`. */
                format?: components["schemas"]["AuditForm"];
                /** @description Only this event. */
                event?: string;
                /** @description Only about this account. */
                username?: string;
                /** @description Only actions of this account. */
                actor?: string;
                /** @description Only from this time on. */
                since?: string;
                /** @description Only before this time. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries, as a downloadable file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson; charset=utf-8": string;
                    "text/csv; charset=utf-8; header=present": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_backups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["BackupOverview"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    examine_hub: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["HealthReport"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_invites: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
                /** @description Number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["InvitePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_invite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expires_in": 604800,
                 *       "note": "Bob Marsh",
                 *       "role": "user"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["CreateInvite"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["CreatedInvite"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    revoke_invite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the invitation. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["AccountInvite"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_oauth_clients: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
                /** @description Number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["OAuthClientPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_oauth_client: {
        parameters: {
            query: {
                /** @description Id of the client, which may be a URL. */
                client_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_users: {
        parameters: {
            query?: {
                /** @description Only accounts whose handle or display name contains this text. */
                q?: string;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
                /** @description Number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["UserPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_user: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Bob Marsh",
                 *       "role": "user",
                 *       "username": "bob"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["CreateUser"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["CreatedAccount"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Username. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Username. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["UpdateUser"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    reset_password: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Username. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ResetLink"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_agents: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
                /** @description Number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["AgentPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_agent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Reviewer",
                 *       "name": "reviewer"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["CreateAgent"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["CreatedAgent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_reactive_agents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ReactiveAgents"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["AgentSettings"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_agent_instructions: {
        parameters: {
            query?: {
                /** @description Its archetype; default `custom`. */
                archetype?: components["schemas"]["Archetype"];
            };
            header?: never;
            path: {
                /** @description Name of the agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The text, as a downloadable file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown; charset=utf-8": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    set_agent_avatar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent. */
                name: string;
            };
            cookie?: never;
        };
        /** @description A form with the file. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Profile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    remove_agent_avatar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Profile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_budget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["BudgetUse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    test_agent_connection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_agent_config: {
        parameters: {
            query?: {
                /** @description Transport between client and server; default `http`. */
                transport?: components["schemas"]["Transport"];
                /**
                 * @description The client, for its own format; by default the format that most clients share. `codex` is TOML, the others
                 *     are JSON.
                 */
                client?: components["schemas"]["ClientKind"];
                /** @description A key of the agent to insert. URLs are stored in many places: prefer to insert the key yourself. */
                api_key?: string;
            };
            header?: never;
            path: {
                /** @description Name of the agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The configuration. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": unknown;
                    "application/toml": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_reputation: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: number;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Name of the agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Reputation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotate_agent_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["NewKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    run_agent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Name of the agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["NewRun"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    preview_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prompt": "Review the open pull requests."
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["NewRun"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["RunPreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    analytics_summary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Summary"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    analytics_timeline: {
        parameters: {
            query?: {
                /** @description The period up to now; default `24h`. */
                span?: components["schemas"]["Span"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Activity"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    analytics_top_agents: {
        parameters: {
            query?: {
                /** @description The period up to now; default `24h`. */
                span?: components["schemas"]["Span"];
                /** @description Maximum number of entries; default 5, at most 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["TopAgents"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    analytics_top_channels: {
        parameters: {
            query?: {
                /** @description The period up to now; default `24h`. */
                span?: components["schemas"]["Span"];
                /** @description Maximum number of entries; default 5, at most 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["TopChannels"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_approvals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ApprovalList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_archetypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ArchetypeList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    upload_attachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted for clients that always send one: uploading the same file again returns the same response anyway. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A form with the file. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Attachment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_attachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description SHA-256 of the content. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file. */
            200: {
                headers: {
                    /** @description Inline or attachment, and the file name. */
                    "Content-Disposition"?: string;
                    /** @description Hash of the content; send it in `If-None-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /** @description Inline or attachment, and the file name. */
                    "Content-Disposition"?: string;
                    /** @description The range, and the size of the file. */
                    "Content-Range"?: string;
                    /** @description Hash of the content; send it in `If-None-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    /** @description Hash of the content; send it in `If-None-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_attachment_meta: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description SHA-256 of the content. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Attachment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_attachment_thumbnail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description SHA-256 of the content. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The thumbnail. */
            200: {
                headers: {
                    /** @description Hash of the content; send it in `If-None-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    /** @description Hash of the content; send it in `If-None-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_avatar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description SHA-256 of the content. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_channels: {
        parameters: {
            query?: {
                /** @description Only channels whose names contain this text. */
                q?: string;
                /** @description `true` lists archived channels instead of active ones. */
                archived?: boolean;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
                /** @description Number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ChannelPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_channel: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "members": [
                 *         "ann",
                 *         "reviewer"
                 *       ],
                 *       "name": "releases",
                 *       "public": false,
                 *       "topic": "What goes out next"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["CreateChannel"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_channel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    archive_channel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_channel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "public": false,
                 *       "topic": "Version 2"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["ChangeChannel"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    join_channel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "agent": "reviewer"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["MembershipRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    leave_channel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "agent": "reviewer"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["MembershipRequest"];
            };
        };
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_channel_members: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
                /** @description Number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Name of the channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["MemberPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    invite_to_channel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "members": [
                 *         "bob",
                 *         "reviewer"
                 *       ]
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["Invitation"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Invited"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    remove_from_channel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the channel. */
                name: string;
                /** @description Handle of the member. */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_channel_messages: {
        parameters: {
            query?: {
                /** @description Only messages before this id. */
                before?: number;
                /** @description Only messages after this id. */
                after?: number;
                /** @description Messages around this id, including itself. */
                around?: number;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Name of the channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Timeline"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    hand_over_channel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "owner": "bob"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["NewOwner"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    set_channel_settings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "publish_threshold": 0.7,
                 *       "stalemate_escalate_after": "0",
                 *       "stalemate_remind_after": "24h",
                 *       "workflow_enabled": true
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["ChannelSettings"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_conversations: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
                /** @description Number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ConversationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_conversation: {
        parameters: {
            query?: {
                /** @description Only messages before this id. */
                before?: number;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the conversation. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ConversationView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_dead_letters: {
        parameters: {
            query?: {
                /** @description Only this kind. */
                kind?: components["schemas"]["DeadLetterKind"];
                /** @description Only acknowledged, or only unacknowledged ones. */
                acknowledged?: boolean;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
                /** @description Number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["DeadLetterPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    acknowledge_dead_letter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dead letter. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["DeadLetter"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    retry_dead_letter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dead letter. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["DeadLetter"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_delivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the delivery. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["DeliveryDetails"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    retry_delivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the delivery. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_directory: {
        parameters: {
            query?: {
                /** @description Only those whose handle or display name contains this, in any case; at most 200 characters. */
                query?: string;
                /** @description `human` or `agent`. */
                kind?: "human" | "agent";
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["DirectoryPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_partners: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Partner"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_direct_messages: {
        parameters: {
            query?: {
                /** @description Only messages before this id. */
                before?: number;
                /** @description Only messages after this id. */
                after?: number;
                /** @description Messages around this id, including itself. */
                around?: number;
                /** @description Page size, 1 to 200; default 100. */
                limit?: number;
                /** @description One of your agents, to see its direct messages. */
                with?: string;
            };
            header?: never;
            path: {
                /** @description Handle of the other participant. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Timeline"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    follow_events: {
        parameters: {
            query?: {
                /** @description Like `Last-Event-ID`, for clients that cannot set the header; the header has precedence. */
                after?: string;
            };
            header?: {
                /** @description Id of the last event that the client has seen; the stream continues after it. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, until either side ends the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_goals: {
        parameters: {
            query?: {
                /** @description Only goals with this status. */
                status?: components["schemas"]["GoalStatus"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["GoalPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_goal: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "budget": {
                 *         "tokens": 5000000,
                 *         "usd": 20
                 *       },
                 *       "coordinator": "planner",
                 *       "description": "Tested and announced.",
                 *       "title": "Ship version 2"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["NewGoal"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Goal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_goal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the goal. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["GoalDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_goal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the goal. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["GoalChanges"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Goal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    approve_goal_tasks: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the goal. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Goal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    complete_goal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the goal. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["GoalCompletion"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Goal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    approve_proposed_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the goal. */
                id: number;
                /** @description Number of the proposal in the goal. */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Proposal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    reject_proposed_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the goal. */
                id: number;
                /** @description Number of the proposal in the goal. */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "One reviewer is enough."
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["DecisionNote"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Proposal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    propose_task_tree: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the goal. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tree": [
                 *         {
                 *           "budget_usd": 10,
                 *           "children": [
                 *             {
                 *               "assignee": "builder",
                 *               "title": "Build",
                 *               "verifier": {
                 *                 "kind": "peer"
                 *               }
                 *             },
                 *             {
                 *               "depends_on": [
                 *                 "Build"
                 *               ],
                 *               "title": "Announce"
                 *             }
                 *           ],
                 *           "title": "Release"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["TaskTree"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["GoalDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    approve_goal_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the goal. */
                id: number;
                /** @description Id of the task. */
                task: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["GoalTask"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancel_goal_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the goal. */
                id: number;
                /** @description Id of the task. */
                task: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "No longer needed."
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["DecisionNote"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["GoalTask"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    reopen_goal_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the goal. */
                id: number;
                /** @description Id of the task. */
                task: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The registry is back."
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["DecisionNote"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["GoalTask"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    verify_goal_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the goal. */
                id: number;
                /** @description Id of the task. */
                task: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["TaskVerdict"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["GoalTask"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_k8s_handlers: {
        parameters: {
            query?: {
                /** @description Only handlers of this agent. */
                agent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["K8sHandlerList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_k8s_handler: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent": "reviewer",
                 *       "events": [
                 *         "message.received"
                 *       ],
                 *       "image": "registry.example.org/reviewer:1"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["CreateK8sHandler"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["K8sHandler"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_k8s_handler: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the handler. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_k8s_runs: {
        parameters: {
            query?: {
                /** @description Only runs of this agent. */
                agent?: string;
                /** @description Only runs of this handler. */
                handler?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: number;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["K8sRunPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_k8s_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the run. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["K8sRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_k8s_run_logs: {
        parameters: {
            query?: {
                /** @description Whether to wait for what follows. */
                follow?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the run. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_keys: {
        parameters: {
            query?: {
                /** @description Only active, or only revoked keys. */
                status?: components["schemas"]["KeyStatus"];
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
                /** @description Number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ApiKeyPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_key: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["CreateKey"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["CreatedKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the key. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    revoke_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the key. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_loops: {
        parameters: {
            query?: {
                /** @description Only loops that are held (`true`), or only those that are lifted (`false`). */
                held?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["LoopList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    lift_loop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the loop. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Loop"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    ingest_events: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         {
                 *           "channel": "general",
                 *           "data": {
                 *             "by": "key"
                 *           },
                 *           "event_id": "2026-11-15/1",
                 *           "type": "door.opened"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["Report"];
            };
        };
        responses: {
            /** @description All events were stored before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Ingested"];
                };
            };
            /** @description New events were stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Ingested"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    read_evidence: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; the oldest events come first without it. */
                cursor?: string;
                /** @description Page size, 1 to 500; default 100. */
                limit?: number;
                /** @description Only events of this principal, such as `svc:sense:door-1`. */
                principal?: string;
                /** @description Only events of this type, such as `door.opened`. */
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["EvidencePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    put_runtime_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "heartbeat_seconds": 30,
                 *       "message": "All sensors answer.",
                 *       "state": "running"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["NewRuntimeStatus"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["RuntimeStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    put_source_config: {
        parameters: {
            query?: never;
            header?: {
                /** @description The expected current version, as in the `ETag`, such as `"3"`; `"0"` for none. */
                "If-Match"?: string;
                /** @description `*` when no version may exist yet. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The source: 1 to 63 lower-case letters, digits, `.`, `_` and `-`, the first a letter or a digit. */
                source: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "interval_seconds": 30,
                 *       "sensors": [
                 *         "front",
                 *         "back"
                 *       ]
                 *     }
                 */
                "application/json; charset=utf-8": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The content is unchanged. */
            200: {
                headers: {
                    /** @description The current version, in quotes; send it in `If-Match`. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SourceConfig"];
                };
            };
            /** @description A new version was stored. */
            201: {
                headers: {
                    /** @description The current version, in quotes; send it in `If-Match`. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SourceConfig"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_machines: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["RegistryView"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_mentions: {
        parameters: {
            query?: {
                /** @description Only unread ones. */
                unread?: boolean;
                /** @description Only mentions in messages before this id. */
                before?: number;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["MentionPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_message_templates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["MessageTemplates"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_message_template: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "body": "Thank you for the report!",
                 *       "name": "Thanks"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["NewMessageTemplate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["MessageTemplate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_message_template: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the template. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_message_template: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the template. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Many thanks"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["MessageTemplateUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["MessageTemplate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_inbox: {
        parameters: {
            query?: {
                /** @description Only messages to this agent of yours. */
                agent?: string;
                /** @description Only messages with this status. */
                status?: components["schemas"]["MessageStatus"];
                /** @description Only messages from this participant. */
                from?: string;
                /** @description Only messages with at least this priority, 1 to 10. */
                min_priority?: number;
                /** @description Only unread messages, without mentions of yourself. */
                unread?: boolean;
                /** @description Only messages before this id. */
                before?: number;
                /** @description Only messages after this id, oldest first. */
                after?: number;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["MessagePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    send_message: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["NewMessage"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_messages_by_state: {
        parameters: {
            query: {
                /** @description `proposed`, `approved`, `in_progress`, `rejected`, `done` or `published`. */
                state: "proposed" | "approved" | "in_progress" | "rejected" | "done" | "published";
                /** @description Only messages of this channel. */
                channel?: string;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
                /** @description Number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["StatePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    claim_messages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "lease_seconds": 600,
                 *       "limit": 5
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["ClaimRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ClaimedMessages"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    search_messages: {
        parameters: {
            query?: {
                /** @description Search query. */
                q?: string;
                /** @description Channels, separated by commas; `-name` excludes one. */
                channel?: string;
                /** @description Handles of senders, agents or humans, separated by commas; `-handle` excludes one. */
                agent?: string;
                /** @description Not before this date, `2026-11-15`, or this time, `2026-11-15T02:00:00Z`. */
                after?: string | unknown | unknown;
                /** @description Before this date or time. */
                before?: string | unknown | unknown;
                /** @description `pending`, `processing`, `done` or `failed`; several separated by commas. */
                status?: string;
                /** @description Required parts of the message: `attachment`, `reaction`, `mention`; with several, all of them. */
                has?: string;
                /** @description `proposed`, `approved`, `in_progress`, `rejected`, `done` or `published`; several separated by commas. */
                state?: string;
                /** @description `relevance` or `newest`; default `relevance` if `q` has words that must occur. */
                sort?: "relevance" | "newest";
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
                /** @description Number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SearchPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_message: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    edit_message: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the edit is based on, in quotes, such as `"1"`. */
                "If-Match"?: string;
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "body": "Ready for another look, @reviewer?",
                 *       "version": 1
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["MessageEdit"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    claim_message: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "lease_seconds": 600
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["ClaimOne"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ClaimedMessage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    mark_message_done: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "claim_token": "5f0c…-12-1"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["MarkDone"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    add_emoji: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the message. */
                id: number;
                /** @description One emoji of Unicode. */
                emoji: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["MessageEmoji"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    remove_emoji: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the message. */
                id: number;
                /** @description One emoji of Unicode. */
                emoji: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["MessageEmoji"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    mark_message_failed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "claim_token": "5f0c…-12-1",
                 *       "reason": "The repository is gone."
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["MarkFailed"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    pin_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Pin"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    unpin_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_reactions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["MessageReactions"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    toggle_reaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "metadata": {
                 *         "note": "well done"
                 *       },
                 *       "reaction": "approve"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["React"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ReactionChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    remove_reaction: {
        parameters: {
            query: {
                /** @description Kind of reaction: `approve`, `reject`, `in_progress`, `done` or `published`. */
                reaction: "approve" | "reject" | "in_progress" | "done" | "published";
            };
            header?: never;
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ReactionChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_receipts: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
                /** @description Number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Receipts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    release_claim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "claim_token": "5f0c…-12-1"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["ReleaseClaim"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    renew_claim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "claim_token": "5f0c…-12-1",
                 *       "lease_seconds": 1800
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["RenewClaim"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_replies: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
                /** @description Number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Replies"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    save_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "note": "Read on Monday"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["SaveMessage"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SavedMessage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    unsave_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_thread: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
                /** @description Number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of any message of the thread. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Thread"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_message_versions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["MessageVersions"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    mark_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Mark"] | components["schemas"]["Mark"][];
            };
        };
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_notification_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["NotificationSettings"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_notification_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["SettingsChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["NotificationSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_unread_totals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["UnreadTotals"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_unread: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Unread"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_pins: {
        parameters: {
            query?: {
                /** @description Name of a channel. */
                channel?: string;
                /** @description Handle of a participant. */
                with?: string;
                /** @description Only pins before this id. */
                before?: number;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["PinPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    set_presence: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Presence"];
            };
        };
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_profile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": {
                 *         "emoji": "🍕",
                 *         "text": "At lunch",
                 *         "until": "2027-01-01T13:00:00Z"
                 *       }
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["ProfileChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Profile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    set_avatar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A form with the file. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Profile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    remove_avatar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Profile"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_profile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Handle of the person or the agent. */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Profile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_push_subscriptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["PushSubscriptionList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_push_subscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "device": "Firefox on Linux",
                 *       "endpoint": "https://push.example.org/1f3a",
                 *       "keys": {
                 *         "auth": "BTBZMqHH6r4Tts7J_aSIgg",
                 *         "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
                 *       }
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["NewPushSubscription"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["PushSubscription"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["PushSubscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_push_subscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the subscription. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    send_test_push: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json; charset=utf-8": components["schemas"]["PushTest"];
            };
        };
        responses: {
            /** @description Accepted; it will be done soon. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["PushTestQueued"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_vapid_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["VapidKey"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_runs: {
        parameters: {
            query?: {
                /** @description Only runs of this agent. */
                agent?: string;
                /** @description Only runs with this status. */
                status?: components["schemas"]["RunStatus"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: number;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["RunPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the run. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["RunDetails"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancel_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the run. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_run_logs: {
        parameters: {
            query?: {
                /** @description Whether to wait for what follows. */
                follow?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the run. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    report_run_result: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the run. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["DeliveredResult"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    retry_run: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the run. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_saved: {
        parameters: {
            query?: {
                /** @description Only messages that were saved before this one, by the id of the saved message. */
                before?: number;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SavedPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_scheduled_messages: {
        parameters: {
            query?: {
                /** @description Only those with this status. */
                status?: components["schemas"]["ScheduledStatus"];
                /** @description Only those before this id. */
                before?: number;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ScheduledPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    schedule_message: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "body": "Good morning!",
                 *       "channel": "general",
                 *       "send_at": "2030-01-31T09:00:00Z"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["NewScheduledMessage"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ScheduledMessage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_scheduled_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the scheduled message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ScheduledMessage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_scheduled_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the scheduled message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_scheduled_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the scheduled message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "send_at": "2030-01-31T10:00:00Z"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["ScheduledMessageUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ScheduledMessage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    send_scheduled_message: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the scheduled message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_secret_requests: {
        parameters: {
            query?: {
                /** @description Only requests with this status. */
                status?: components["schemas"]["SecretRequestStatus"];
                /** @description The `next_cursor` of the previous page. */
                before?: number;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SecretRequestPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    provide_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the request. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "ghp_…"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["ProvideSecret"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SecretRequest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    reject_secret_request: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the request. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Use the read-only token."
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["DecisionNote"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SecretRequest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_skills: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SkillList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_skill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the skill. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The text, as a downloadable file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown; charset=utf-8": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_tasks: {
        parameters: {
            query?: {
                /** @description Only tasks with this status. */
                status?: components["schemas"]["TaskStatus"];
                /** @description Only tasks that you or your agents have posted, are assigned to, or have an open bid on. */
                mine?: boolean;
                /** @description Only tasks before this id. */
                before?: number;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["TaskPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    post_task: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "body": "One page, by cause.",
                 *       "budget": 10,
                 *       "channel": "general",
                 *       "deadline": "2h",
                 *       "title": "Summarise the reports"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["NewTask"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the task. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["TaskView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    accept_bid: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the task. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bid_id": 3
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["AcceptBid"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    bid_task: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the task. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "amount": 4,
                 *       "note": "I have the parser already; two hours."
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["NewBid"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Bid"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    complete_task: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the task. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["TaskClosing"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_traces: {
        parameters: {
            query?: {
                /** @description Only actions of this agent. */
                agent?: string;
                /** @description Only this action, such as `create_agent`. */
                action?: string;
                /** @description Only from this date or time on, such as `2026-11-15` or `2026-11-15T02:00:00Z`. */
                after?: string | unknown | unknown;
                /** @description Only before this date or time. */
                before?: string | unknown | unknown;
                /** @description `true`: only failed actions; `false`: only successful ones. */
                error?: boolean;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["TracePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    export_traces: {
        parameters: {
            query?: {
                /** @description Format; default `json`. */
                format?: components["schemas"]["ExportFormat"];
                /** @description Only actions of this agent. */
                agent?: string;
                /** @description Only this action. */
                action?: string;
                /** @description Only from this date or time on. */
                after?: string | unknown | unknown;
                /** @description Only before this date or time. */
                before?: string | unknown | unknown;
                /** @description `true`: only failed actions; `false`: only successful ones. */
                error?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The traces, as a downloadable file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Trace"][];
                    "text/csv; charset=utf-8; header=present": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    trace_stats: {
        parameters: {
            query?: {
                /** @description Only actions of this agent. */
                agent?: string;
                /** @description Only this action. */
                action?: string;
                /** @description Only from this date or time on. */
                after?: string | unknown | unknown;
                /** @description Only before this date or time. */
                before?: string | unknown | unknown;
                /** @description `true`: only failed actions; `false`: only successful ones. */
                error?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["TraceStats"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_trust: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["AgentTrust"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_usage: {
        parameters: {
            query?: {
                /** @description How the cost of runs is grouped; without it that is left out. */
                by?: components["schemas"]["UsageGrouping"];
                /** @description Number of days, today included, 1 to 366; default 30. */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_webhooks: {
        parameters: {
            query?: {
                /** @description Only webhooks of this agent. */
                agent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["WebhookList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent": "reviewer",
                 *       "events": [
                 *         "message.received",
                 *         "message.mentioned"
                 *       ],
                 *       "url": "https://example.org/hook"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["WebhookDetails"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["WebhookUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_deliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries with this status. */
                status?: components["schemas"]["DeliveryStatus"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: number;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    recover_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-01-01T00:00:00Z"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["RecoverWebhook"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Recovered"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotate_webhook_secret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    test_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["DeliveryAttempt"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    whoami: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Identity"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_articles: {
        parameters: {
            query?: {
                /** @description Only articles that match these words. */
                q?: string;
                /** @description The order; `updated` when absent, and `relevance` for a search. */
                sort?: components["schemas"]["ArticleSort"];
                /** @description Only articles in this state; `live` when absent. */
                state?: components["schemas"]["ArticleState"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ArticlePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_article: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "body": "See [[on-call]] first.",
                 *       "stale_after": "2027-01-31",
                 *       "title": "How we deploy"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["NewArticle"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description The revision and a hash of the answer; send it in `If-None-Match` or `If-Match`. */
                    ETag: string;
                    /** @description Its address. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Article"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_article: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the article. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The current address, if the request had a former slug. */
                    "Content-Location"?: string;
                    /** @description The revision and a hash of the answer; send it in `If-None-Match` or `If-Match`. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Article"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    /** @description The revision and a hash of the answer; send it in `If-None-Match` or `If-Match`. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_article: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the revision that the change is based on, or its number in quotes, such as `"7"`. */
                "If-Match"?: string;
            };
            path: {
                /** @description Slug of the article. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "base_revision": 7,
                 *       "body": "A new text.",
                 *       "summary": "Shorter"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["ArticleSave"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The current address, if the request had a former slug. */
                    "Content-Location"?: string;
                    /** @description The revision and a hash of the answer; send it in `If-None-Match` or `If-Match`. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Article"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_article: {
        parameters: {
            query?: {
                /** @description Why it is deleted: at most 500 characters. */
                summary?: string;
            };
            header?: never;
            path: {
                /** @description Slug of the article. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_backlinks: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Slug of the article. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["BacklinkPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    diff_article: {
        parameters: {
            query?: {
                /** @description The older revision; the one before `to` when absent, and 0 for an empty text. */
                from?: number;
                /** @description The newer revision; the newest when absent. */
                to?: number;
            };
            header?: never;
            path: {
                /** @description Slug of the article. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["ArticleDiff"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    rename_article: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Slug of the article. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "slug": "deploying",
                 *       "title": "Deploying"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["ArticleRename"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The current address, if the request had a former slug. */
                    "Content-Location"?: string;
                    /** @description The revision and a hash of the answer; send it in `If-None-Match` or `If-Match`. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Article"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    restore_article: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Slug of the article. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "revision": 3
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["ArticleRestore"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The current address, if the request had a former slug. */
                    "Content-Location"?: string;
                    /** @description The revision and a hash of the answer; send it in `If-None-Match` or `If-Match`. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Article"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_article_revisions: {
        parameters: {
            query?: {
                /** @description Only revisions before this number: the `next_cursor` of the previous page. */
                cursor?: number;
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Slug of the article. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["RevisionPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_article_revision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the article. */
                slug: string;
                /** @description Number of the revision. */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["RevisionText"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    verify_article: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key and body gets the first response again, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Slug of the article. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "revision": 7,
                 *       "stale_after": "2027-06-30"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["ArticleVerify"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The current address, if the request had a former slug. */
                    "Content-Location"?: string;
                    /** @description The revision and a hash of the answer; send it in `If-None-Match` or `If-Match`. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Article"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_wiki_map: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["WikiMap"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirm_login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["ConfirmRequest"];
            };
        };
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_grants: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 200; default 50. */
                limit?: number;
                /** @description Number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["GrantPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    end_grant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the grant. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    join: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Bob Marsh",
                 *       "invite": "svci_…",
                 *       "password": "correct horse battery",
                 *       "username": "bob"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["JoinRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery",
                 *       "username": "bob"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["User"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Bob Marsh"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["ProfileRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    change_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current_password": "correct horse battery",
                 *       "new_password": "staple and six more"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["PasswordRequest"];
            };
        };
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Bob Marsh",
                 *       "invite": "svci_…",
                 *       "password": "correct horse battery",
                 *       "username": "bob"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["RegisterRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    choose_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "new_password": "correct horse battery",
                 *       "reset": "svcp_…"
                 *     }
                 */
                "application/json; charset=utf-8": components["schemas"]["ResetRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SessionList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    end_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    end_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the login session. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
        };
    };
    get_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/openmetrics-text; version=1.0.0; charset=utf-8": string;
                    "text/plain; version=0.0.4; charset=utf-8": string;
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_readiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description Requests are served; `degraded` means that another component fails: a background worker, the attachment store,
             *     or the registry of machine principals.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Readiness"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description The store cannot be written to or read from, so requests would fail. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Readiness"];
                };
            };
        };
    };
}
