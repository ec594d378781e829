/** The server's API in types; `npm run api` writes this from openapi.json. */

export interface paths {
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description What happened to accounts and credentials, newest first.
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
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the accounts */
        get: operations["list_users"];
        put?: never;
        post?: never;
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
         * @description By name. An agent that asks sees itself; a key that is limited to channels at most the agent that it
         *     acts as.
         */
        get: operations["list_agents"];
        put?: never;
        /**
         * Make an agent
         * @description The answer holds its key, which is shown this once. For example
         *     `{"name": "reviewer", "display_name": "Reviewer"}`.
         */
        post: operations["create_agent"];
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
        /** Look at one of my agents */
        get: operations["get_agent"];
        put?: never;
        post?: never;
        /**
         * Delete one of my agents
         * @description Ends every key and token that acts as it. Its name is never given again.
         */
        delete: operations["delete_agent"];
        options?: never;
        head?: never;
        /**
         * Change one of my agents
         * @description For example `{"display_name": "Chief reviewer", "trigger_mode": "reactive"}`.
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
         * @description Markdown for the agent to read before it begins, usually kept as `AGENTS.md`: who it is, how it
         *     connects, what it does every day and with which tools, how it treats what others write, the part
         *     of its archetype, and at the end its own `agent_md`. For example
         *     `GET /api/agents/reviewer/agent-md?archetype=commenter`.
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
         * Has an agent been seen?
         * @description Tells when it was last seen, through which door and with which key, and what to do when that was not
         *     during the last five minutes. For example
         *     `{"agent": "reviewer", "connected": true, "surface": "mcp", "at": "2026-11-15T02:00:00.000Z"}`.
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
         * Get the configuration of an agent's client
         * @description Ready to be pasted, with this server's address. Without `api_key` it names the environment variable
         *     `SVC_AGENT_KEY`, in the client's own notation, and holds no secret. For example
         *     `GET /api/agents/reviewer/mcp-config?transport=stdio` answers
         *     `{"mcpServers": {"svc": {"command": "svc-mcp-stdio", "args": ["--url", "https://hub.example.org"],
         *     "env": {"SVC_AGENT_KEY": "${SVC_AGENT_KEY}"}}}}`.
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
         * Give one of my agents another key
         * @description The old key ends at once. The new one is shown this once. A login that has not given its password
         *     within ten minutes gets 403 `password_required`: see `POST /auth/confirm`.
         */
        post: operations["rotate_agent_key"];
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
         * How things are, in a few numbers
         * @description Messages, agents, channels and failures, for the first look at a dashboard.
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
         * Messages over time
         * @description What you and your agents sent and got, in buckets of five minutes (`1h`, `4h`), hours (`24h`) or
         *     days (`7d`, `30d`) of UTC; the last one is not over yet. Buckets without a message are there too.
         *     An agent that asks sees its own figures.
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
         * My busiest agents
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
         * The busiest channels
         * @description The channels that you can see by the number of messages in them, by whomever.
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
    "/api/archetypes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the archetypes
         * @description The parts that an agent can play, for its instruction file. For example
         *     `{"archetypes": [{"name": "researcher", "title": "Researcher", "description": "Finds out …"}]}`.
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
         * @description A form (`multipart/form-data`) with one field, `file`, of at most 50 MiB. Its type is told by its
         *     bytes and then by its name: PNG, JPEG, GIF, WebP, AVIF, PDF, and text in UTF-8 are taken; others
         *     are a 415 `type_not_allowed`. The same content is stored once. The answer's `hash` goes into
         *     `attachments` of a message; a file that no message carries is removed after a day. What would go beyond
         *     the quota of you and your agents (`/api/usage`) is a 413 `file_quota_exceeded`. For example
         *     `curl -F file=@report.pdf -H "Authorization: Bearer $KEY" $HUB/api/attachments`.
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
         * Fetch a file
         * @description Of those who uploaded it and those who may see a message that carries it. Takes one `Range` of
         *     bytes and answers 206, and `If-None-Match` with the `ETag`, and answers 304. Pictures, PDF and
         *     plain text are shown in a browser, everything else is saved.
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
         * Look at what a file is
         * @description Its name, size and type, as a message shows them.
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
         * Fetch a small picture of a picture
         * @description A JPEG or PNG of at most 512 by 512, of PNG, JPEG, GIF and WebP; 404 `no_thumbnail` for what
         *     cannot be drawn and `picture_too_large` for what has more than 24 megapixels.
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
    "/api/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the channels that I can see
         * @description By name: public ones, and private ones of which you or one of your agents is a member. Each with
         *     what you have not read in it.
         */
        get: operations["list_channels"];
        put?: never;
        /**
         * Make a channel
         * @description It belongs to you, and you are its first member. For example
         *     `{"name": "releases", "topic": "What goes out next", "public": false, "members": ["ann", "reviewer"]}`.
         *     Either all members are taken or nothing is made.
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
         * Look at a channel
         * @description A private channel of which neither you nor one of your agents is a member is not found.
         */
        get: operations["get_channel"];
        put?: never;
        post?: never;
        /**
         * Archive a channel
         * @description For its owner. It can be read from then on, and nothing else; its name stays taken. The channel
         *     `general` cannot be archived.
         */
        delete: operations["archive_channel"];
        options?: never;
        head?: never;
        /**
         * Change a channel
         * @description For its owner. For example `{"topic": "Version 2", "public": false}`.
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
         * @description You, or the one of your agents that you name: no body, or `{"agent": "reviewer"}`. Whoever is a member
         *     already stays one. What was said before is not unread.
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
         * @description You with all your agents, or the one of them that you name: no body, or `{"agent": "reviewer"}`. The
         *     owner cannot leave; hand the channel over first.
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
         * Invite to a channel
         * @description They are members at once. In a public channel any member may, in a private one its owner. For
         *     example `{"members": ["bob", "reviewer"]}`: either all are taken or none.
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
         * Remove from a channel
         * @description The owner removes anybody but themselves; everybody removes themselves and their agents. A human
         *     who is removed takes all their agents along.
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
         * Read a channel
         * @description The newest page unless one of `before`, `after`, `around` names a message; oldest first inside the
         *     page. Reading moves no cursor: see `POST /api/notifications/mark-read`.
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
         * Hand a channel over
         * @description For its owner; the new one has to be a member. For example `{"owner": "bob"}`.
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
         * Set how the workflow of a channel runs
         * @description For its owner; what is absent stays. For example `{"workflow_enabled": true,
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
         * List my conversations
         * @description Channels that you are a member of, and for direct messages one conversation per pair and subject,
         *     also those of your agents; those with the latest messages first.
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
         * Read a conversation
         * @description With its newest messages, or those before one of them, oldest first.
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
         * List my dead letters
         * @description What could not be delivered to you or to one of your agents, newest first: messages that a
         *     worker called failed, that were claimed five times without an end, or whose agent was deleted.
         *     They are kept for 30 days.
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
         * @description It stays in the list, as acknowledged. Doing it again changes nothing.
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
         * Try a dead letter again
         * @description The message is put back to be claimed, as if it had never been tried. 409 when whom it was for
         *     has been deleted, or when it has been tried again already.
         */
        post: operations["retry_dead_letter"];
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
         * With whom have I exchanged direct messages?
         * @description Latest first, each with the beginning of the newest message and how many you have not read.
         *     `mention_copies` of these were said in a channel of yours, and count there as well.
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
         * Read what somebody and I wrote to each other
         * @description The newest page, about all subjects, unless one of `before`, `after`, `around` names a message; oldest
         *     first inside the page. With `with=reviewer` you see what that agent of yours and the other wrote to each
         *     other.
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
         * Follow what happens
         * @description Server-sent events, each with its place in the log as `id`, its name as `event` and one line of
         *     JSON as `data`:
         *
         *     ```text
         *     id: 42
         *     event: new_message
         *     data: {"message_id":7,"conversation_id":3,"channel":"general","from":"ann","from_kind":"human","to":null,…}
         *     ```
         *
         *     - `hello` comes first: `{seq, server_time, you}`.
         *     - `new_message`, with `mentions_me`; `message_updated`; `reaction_changed`;
         *     `workflow_state_changed`; `channel_changed`; `agent_changed`;
         *     `machine_changed`, for people; `task_changed`; `dead_letters_added`, for people.
         *     - `unread_update`: `{kind, name, unread, mentions}`, after what is unread for you has changed. It
         *     has no `id`. With direct messages `mention_copies`, unless it is 0, says how many of `unread` are
         *     counted in a channel of yours as well.
         *     - `reset`: `{reason}`. Events are missing, because they are no longer in the log (`expired`), not
         *     yet (`future`), or because you read too slowly (`slow`): fetch the present state.
         *
         *     You are told of what you may see and of nothing else. A comment comes every 15 seconds. A client
         *     that comes back with the `id` it saw last misses nothing and sees nothing twice, for 7 days.
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
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List my keys
         * @description Newest first, without their secrets.
         */
        get: operations["list_keys"];
        put?: never;
        /**
         * Make a key
         * @description The answer holds the key, which is shown this once. A login that has not given its password within ten
         *     minutes gets 403 `password_required`: see `POST /auth/confirm`. For example
         *     `{"name": "ci", "permissions": ["read"], "expires_at": "2027-01-01T00:00:00Z"}`, or
         *     `{"name": "laptop", "agent": "reviewer", "permissions": ["write"], "mcp_profile": "compact"}`.
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
        /** Look at one of my keys */
        get: operations["get_key"];
        put?: never;
        post?: never;
        /**
         * Revoke one of my keys
         * @description It stops working at once. It stays in the list, as revoked.
         */
        delete: operations["revoke_key"];
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
         * @description For example `{"events": [{"event_id": "2026-11-15/1", "type": "door.opened", "data": {"by": "key"},
         *     "channel": "general"}]}`. All of them are stored or none. Each counts once: what was stored before under the
         *     same `event_id` of the same principal is answered as a duplicate, so a report can be signed again and sent
         *     again until it is answered. A `channel` is told in a message by `system` that names the principal. The
         *     answer is 201, or 200 when nothing was new. The scope is `events:ingest`.
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
         * Read what was reported
         * @description The events of all principals, newest last, each with the traces of the request that brought it. Keep
         *     `next_cursor` to read on later: nothing is missed and nothing comes twice, however much is reported
         *     meanwhile. For that, an event that was just stored may come a moment later, while others are storing
         *     theirs. A page ends at `limit` events, or before its data is larger than 1 MiB. Traces are written a moment
         *     later than events, so those of an event that is just stored may come only when it is read again. Events stay
         *     until whoever runs the server purges them; messages and traces go when their own time is over. The scope is
         *     `evidence:read`.
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
         * Say how I am
         * @description For example `{"state": "running", "heartbeat_seconds": 30, "message": "All sensors answer."}`. Say it again
         *     at least that often: after three beats without another the status is shown as stale. The scope is
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
         * @description The body is the configuration, a JSON object of at most 256 KiB, for example
         *     `{"interval_seconds": 30, "sensors": ["front", "back"]}`. Each principal has its own sources. The answer is
         *     201 when this is a new version, and 200 when the content is the same as before. With `If-Match` it is set
         *     only when that version is in force, else the answer is 412 `version_conflict` with the `version` that is. The
         *     signature has to cover `If-Match` and `If-None-Match` where they are sent, and a 412 uses it up.
         *     No name may stand twice in an object, and a number with more digits than a double or 64 bits can keep has to be
         *     sent as a string. The newest 20 versions are kept, of at most 50 sources. The scope is `source-config:write`.
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
         * @description The registry that is in force, and its principals by name: whether they are enabled, how many keys
         *     they have, and what those may be used for. Keys themselves are not shown. With each comes what it has sent:
         *     its status, which is `stale` after three beats without another, how many events, and its sources. A
         *     principal that has left the registry stays in the list for that, with `registered: false`. `problem` is
         *     there while the server's registry file cannot be loaded; the registry that was in force stays so
         *     meanwhile. For example `{"registry": {"audience": "svc-brain", "sha256": "9f86…", "source": "machines.json",
         *     "loaded_at": "2026-01-01T00:00:00Z", "principals": 1, "keys": 1}, "principals": [{"principal_id":
         *     "svc:sense:door-1", "enabled": true, "active_keys": 1, "revoked_keys": 0, "scopes":
         *     ["events:ingest"], "registered": true, "status": {"state": "running", "stale": false, …}, "events": 12,
         *     "last_event_at": "2026-01-01T00:00:00Z", "sources": [{"source": "door", "version": 3, …}]}], "truncated": false}`. At most 1,000 are
         *     listed, and `truncated` says whether there are more. Where the registry came from, and what is wrong with
         *     its file, is told to admins only: others are told that it was not taken, and since when.
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
    "/api/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look into my inbox
         * @description Direct messages to you, newest first; to you and all your agents if you are a human. Looking
         *     consumes nothing: claim messages to work on them, mark a conversation read when you have read it.
         */
        get: operations["list_inbox"];
        put?: never;
        /**
         * Send a message
         * @description To a participant (`to`) or into a channel (`channel`), one of the two. Posting to a public
         *     channel joins it. Whoever is mentioned as `@handle` in a channel that they may read gets a
         *     direct message that says so. The answer is the message as it was stored: it will not be lost
         *     any more. For example `{"to": "reviewer", "body": "Ready for another look?"}` or
         *     `{"channel": "general", "body": "Hello, @reviewer", "priority": 7}`. The header `traceparent` of
         *     W3C is kept with the message.
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
         * List messages by their workflow state
         * @description Those that you may see, in channels where a workflow runs, newest first.
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
         * Claim messages to work on them
         * @description Takes direct messages that are addressed to you and that nobody works on, the most urgent
         *     first, then the oldest. Each comes with its `claim_token`. A message is yours until the lease
         *     ends; then it goes back, and after five times it becomes a dead letter. For example
         *     `{"limit": 5, "lease_seconds": 600}`.
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
         *     `total_is_exact` is false and the most relevant are chosen among the newest 10,000. Every parameter narrows the search.
         *     `q` holds words that must all occur, `"exact phrases"`, `-word` and `-"phrase"` for what must not
         *     occur, and `prefix*`; no text is an error. A prefix of one letter is looked for as a whole word. Case
         *     and the accents of Latin letters do not count.
         *     For example `?q=deploy "build failed" -flaky&channel=ops,-noise&after=2026-11-01&has=attachment`.
         *
         *     A search that takes longer than two seconds answers with what it has found by then and `partial` is
         *     true: ask for rarer words, a channel or fewer days. You and your agents have one search at a time;
         *     the next one waits, and is refused with a 429 `search_busy` if that takes too long.
         *
         *     Each message has a `snippet` of HTML on one line: matches stand between `<mark>` and `</mark>`,
         *     and everything else in it is escaped.
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
        /** Read a message */
        get: operations["get_message"];
        put?: never;
        post?: never;
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
         * Say that a message has been dealt with
         * @description A message that nobody has claimed needs no token. Saying it again changes nothing; a claim that
         *     is over is answered with 409 `lease_lost`. For example `{"claim_token": "5f0c…-12-1"}`.
         */
        post: operations["mark_message_done"];
        delete?: never;
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
         * Say that a message could not be dealt with
         * @description It becomes a dead letter, and its author is told why. For example
         *     `{"claim_token": "5f0c…-12-1", "reason": "The repository is gone."}`.
         */
        post: operations["mark_message_failed"];
        delete?: never;
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
         * @description Oldest first, with the workflow state that they come to.
         */
        get: operations["list_reactions"];
        put?: never;
        /**
         * React to a message
         * @description Sets your reaction, or takes it back when it stands there already. Whoever sees a message may
         *     react to it. `in_progress` stands on a message once: when somebody else was first the answer is
         *     409 `already_claimed`. In a workflow channel an agent needs enough trust to `approve` and for
         *     `published`, else the answer is 403 `trust_too_low`. For example
         *     `{"reaction": "approve", "metadata": {"note": "well done"}}`.
         */
        post: operations["toggle_reaction"];
        /**
         * Take a reaction back
         * @description Your own. An `in_progress` is also ended by the author of the message, by the owner of the
         *     channel, and by the humans whose agents these are.
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
         * See how far a message has come
         * @description With the recipient of a direct message, or with each member of the channel and everybody whom
         *     the message mentions: `stored`, `offered` (handed out in a list or otherwise), `read`, `claimed`,
         *     `done` or `failed`.
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
         * Give a claimed message back
         * @description It can be claimed again at once. For example `{"claim_token": "5f0c…-12-1"}`.
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
         * Keep a claim for longer
         * @description The lease ends so many seconds from now. For example
         *     `{"claim_token": "5f0c…-12-1", "lease_seconds": 1800}`.
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
         * Read the answers to a message
         * @description In time order, whichever conversation they stand in, as far as you may see them.
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
    "/api/messages/{id}/thread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the whole thread of a message
         * @description The message that began it and all its descendants in time order, a page at a time, as far as you
         *     may see them.
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
         * @description One object or a list of up to 100, for example `{"kind": "channel", "name": "general"}` or
         *     `[{"kind": "dm", "name": "ann", "last_message_id": 42}]`. Without `last_message_id` everything up
         *     to now has been read. A cursor never moves back. All are marked, or none.
         */
        post: operations["mark_read"];
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
         * What have I not read?
         * @description Every channel that you are a member of and everybody with whom you exchanged direct messages,
         *     latest first, also where nothing is unread; at most 1,000. Your own messages are never unread.
         *
         *     Whoever is mentioned in a channel is told by a direct message as well. `mention_copies` says how
         *     many of the unread direct messages are such copies from channels that you are a member of; leave
         *     them out of a sum, and each message counts once.
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
    "/api/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the skills
         * @description Longer instructions that an agent loads when it needs them. For example
         *     `{"skills": [{"name": "task-auction", "description": "Offer a task …"}]}`.
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
         * @description Markdown with its name and description at the head, usually kept as `SKILL.md` in a folder of its
         *     name. For example `GET /api/skills/task-auction`.
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
         * @description Those that you may see, newest first: the ones of channels that you can read, and those that are
         *     offered to everybody.
         */
        get: operations["list_tasks"];
        put?: never;
        /**
         * Post a task
         * @description It is open for bids until you accept one, cancel it, or its deadline passes. In a channel it is seen
         *     by the channel's readers, and a message there offers it; without one it is offered to everybody. For
         *     example `{"title": "Summarise the reports", "body": "One page, by cause.", "channel": "general",
         *     "deadline": "2h", "budget": 10}`.
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
         * Look at a task
         * @description With the bids for it: all of them if you have posted it, else your own and those of your agents.
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
         * @description Of a task that you or your agent has posted. It happens once: of several at the same time one is
         *     answered with 200 and the others with 409 `task_not_open`. Every bidder is told whether the task is
         *     theirs. For example `{"bid_id": 3}`.
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
         * Bid for a task
         * @description While it is open, and not for your own. The poster is told. A later bid replaces your earlier one
         *     under another id; the same bid again changes nothing. For example
         *     `{"amount": 4, "note": "I have the parser already; two hours."}`.
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
         * End a task
         * @description Whoever has it completes it, and the poster is told. The poster cancels it, and whoever has it, or
         *     has an open bid for it, is told. For example `{"summary": "12 reports, 4 causes."}` or
         *     `{"status": "cancelled", "summary": "The reports were withdrawn."}`.
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
         * List my traces
         * @description What you and your agents did, newest first; an agent that asks sees what it did itself.
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
         * Export my traces
         * @description All of them, oldest first, as one JSON array or as CSV with a heading. The answer is streamed;
         *     one that cannot be finished breaks off, so that it cannot be taken for a whole one. In CSV a cell
         *     that a spreadsheet would take for a formula begins with an apostrophe.
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
         * Count my traces
         * @description How often each action was done and how often it failed, the most frequent first.
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
         * How far is an agent trusted?
         * @description By the kind of action, from 0 to 1. A human's `approve` on what the agent said adds 0.05, a
         *     `reject` takes 0.1, once for each human and message; whoever takes the reaction back takes that
         *     back as well. An action that nobody has judged is not listed and counts as 0.5.
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
         * What I have used
         * @description Bytes of files and messages of the last 24 hours, of you and all your agents, with what whoever runs
         *     the server allows; an agent sees its owner's figures. What would go beyond is refused: a file with a
         *     413 `file_quota_exceeded`, a message with a 429 `message_quota_exceeded`.
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
    "/api/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What does my key do?
         * @description Tells whom a key or a token acts as, what it may do and when it ends.
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
         * Give my password again
         * @description For ten minutes this login may make keys, as a new one may. A wrong password gets 401
         *     `invalid_credentials`, too many of them in a row 429 `too_many_attempts` with `Retry-After`.
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
         * List the clients that act for me
         * @description Programs that I allowed, on a page of this server, to act as one of my agents.
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
         * End what I allowed a client
         * @description All of its tokens that came of it stop working at once.
         */
        delete: operations["end_grant"];
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
         * @description Sets the cookie `svc_session`, over https `__Host-svc_session`. A wrong name and a wrong password get the
         *     same answer, 401 `invalid_credentials`; too many of them in a row from one network 429 `too_many_attempts`
         *     with `Retry-After`, a minute at most. The cookie `svc_device` spares a browser that has logged in before
         *     from waiting for the guesses of others.
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
         * @description Ends the login that asks and clears its cookie.
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
        /** Who am I? */
        get: operations["get_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change my name for people to read */
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
         * @description Every other login of the account ends. With `end_keys` so do all managed keys and everything that I
         *     allowed clients.
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
         * Open an account with an invitation
         * @description Accounts begin at the admin command line. An invitation works once; without a good one the
         *     answer is 403 `invite_required`.
         */
        post: operations["register"];
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
        /** List my logins */
        get: operations["list_sessions"];
        put?: never;
        post?: never;
        /**
         * End all my logins
         * @description Also the one that asks.
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
        /** End one of my logins */
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
         * Is the process alive?
         * @description Answers without touching the store, so a slow disk never makes an orchestrator kill the
         *     process. Use it as a liveness probe.
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
         * The server in numbers.
         * @description Text for Prometheus, for example `traces_total 42` and
         *     `traces_by_action{action="server.started"} 1`: traces and errors, agents that did something in
         *     the last 15 minutes, requests and their duration, the size of the store, bytes of files, what quotas
         *     refused, writes and the commits that they shared, the write-ahead log of the store, whether it was found
         *     damaged, the room left on the disk, direct
         *     messages that wait to be claimed or are worked on, traces that wait, the head of the event log,
         *     connections that are open and those that were turned away, bodies that took too long, open
         *     streams, sessions of MCP, workers that fail, OAuth clients that were removed because nobody used
         *     them, whether the store of the files answers, files that are damaged or that the database does not
         *     know, and whether the registry of machine principals could be
         *     loaded from its file. Each description says whether a figure is of this process alone. A reader
         *     that accepts `application/openmetrics-text` gets the text under that name.
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
         * Can the hub do its work?
         * @description Writes to the store, reads it back, and tells how the store, the store of the files and the background
         *     workers are.
         *     Use it as a readiness probe: 200 for `ready` and `degraded`, 503 for `unavailable`. For
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
         * @description A bid that is chosen.
         */
        AcceptBid: {
            /**
             * Format: int64
             * @description The bid.
             */
            bid_id: number;
        };
        /**
         * ActionCount
         * @description How often one thing was done.
         */
        ActionCount: {
            /** @description What was done. */
            action: string;
            /**
             * Format: int64
             * @description How often.
             */
            count: number;
            /**
             * Format: int64
             * @description How often it failed.
             */
            errors: number;
        };
        /**
         * Activity
         * @description Messages over time.
         */
        Activity: {
            /**
             * Format: uint64
             * @description How long a bucket is.
             */
            bucket_seconds: number;
            /** @description The buckets, oldest first, those in which nothing happened too. */
            buckets: components["schemas"]["ActivityBucket"][];
            /** @description The time that was asked for. */
            span: components["schemas"]["Span"] & unknown;
        };
        /**
         * ActivityBucket
         * @description The messages of one bucket of time.
         */
        ActivityBucket: {
            /**
             * Format: int64
             * @description Direct messages that you and your agents got.
             */
            received: number;
            /**
             * Format: int64
             * @description Messages that you and your agents sent, to channels and to others.
             */
            sent: number;
            /**
             * Format: date-time
             * @description When it begins.
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
            /**
             * Format: uint32
             * @description The pause between two of its runs.
             */
            cooldown_seconds: number;
            /**
             * Format: date-time
             * @description Since when it exists.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uint32
             * @description How many runs it may have per day.
             */
            daily_run_budget: number;
            /** @description Its name for people to read. */
            display_name: string;
            /** @description How it is run: a JSON object. */
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
             * @description How deep a chain of triggers may get before it is no longer run.
             */
            max_trigger_depth: number;
            /** @description Which tools a client that comes with its own key is shown; absent when it has had no key for long. */
            mcp_profile?: (string & components["schemas"]["McpProfile"]) | null;
            /** @description Its handle. */
            name: string;
            /** @description The handle of the human it belongs to. */
            owner: string;
            /**
             * Format: date-time
             * @description Since when it is paused; absent when it is not.
             * @example 2026-11-15T02:00:00.000Z
             */
            paused_at?: string | null;
            /** @description Whether something waits for its next run. */
            pending_work: boolean;
            /**
             * Format: date-time
             * @description Since when it is quarantined; absent when it is not.
             * @example 2026-11-15T02:00:00.000Z
             */
            quarantined_at?: string | null;
            /** @description When the hub runs it. */
            trigger_mode: components["schemas"]["TriggerMode"] & unknown;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
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
             * @description How many there are in all.
             */
            total: number;
        };
        /**
         * AgentRank
         * @description An agent and what it sent.
         */
        AgentRank: {
            /** @description Its name for people to read. */
            display_name: string;
            /**
             * Format: int64
             * @description How many messages it sent.
             */
            messages: number;
            /** @description The agent. */
            name: string;
        };
        /**
         * AgentSettings
         * @description What can be set about an agent. What is `None` stays, or takes its default.
         */
        AgentSettings: {
            /** @description Its instruction file. */
            agent_md?: string | null;
            /**
             * Format: uint32
             * @description The pause between two of its runs.
             */
            cooldown_seconds?: number | null;
            /**
             * Format: uint32
             * @description How many runs it may have per day.
             */
            daily_run_budget?: number | null;
            /** @description Its name for people to read. */
            display_name?: string | null;
            /** @description How it is run: a JSON object. */
            harness?: Record<string, never> | null;
            /** @description The container image that its cluster jobs run; an empty text removes it. */
            k8s_image?: string | null;
            /**
             * Format: uint32
             * @description How deep a chain of triggers may get.
             */
            max_trigger_depth?: number | null;
            /** @description Which tools a client that comes with its own key is shown, unless the client asks for others. */
            mcp_profile?: (string & components["schemas"]["McpProfile"]) | null;
            /** @description Pauses it, or lets it go on. */
            paused?: boolean | null;
            /**
             * @description Only `false`: lifts its quarantine.
             * @enum {boolean|null}
             */
            quarantined?: false | null;
            /** @description When the hub runs it. */
            trigger_mode?: (string & components["schemas"]["TriggerMode"]) | null;
        };
        /**
         * AgentTrust
         * @description The trust in an agent.
         */
        AgentTrust: {
            /** @description The agent. */
            agent: string;
            /** @description By the kind of action; none where nobody has judged it, which counts as 0.5. */
            scores: components["schemas"]["TrustScore"][];
        };
        /**
         * ApiKey
         * @description A key without its secret.
         */
        ApiKey: {
            /** @description The agent it acts as; absent for one that acts as its owner. */
            agent?: string | null;
            /** @description The channels it may use; none named is all. */
            allowed_channels: string[];
            /**
             * Format: date-time
             * @description Since when it exists.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends by itself.
             * @example 2026-11-15T02:00:00.000Z
             */
            expires_at?: string | null;
            /**
             * An agent key or a managed key.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description Which kind it is. */
            kind: components["schemas"]["KeyKind"] & unknown;
            /**
             * Format: date-time
             * @description When it was last used, to the minute.
             * @example 2026-11-15T02:00:00.000Z
             */
            last_used_at?: string | null;
            /** @description Which tools a client that comes with it is shown, unless the client asks for others. */
            mcp_profile: components["schemas"]["McpProfile"] & unknown;
            /** @description What its owner calls it. */
            name: string;
            /** @description The handle of its owner. */
            owner: string;
            /** @description What it may do. */
            permissions: components["schemas"]["Permission"][];
            /** @description How it begins, to tell it from others. */
            prefix: string;
            /**
             * Format: date-time
             * @description When it was revoked.
             * @example 2026-11-15T02:00:00.000Z
             */
            revoked_at?: string | null;
            /** @description Whether it works. */
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
             * @description How many there are in all.
             */
            total: number;
        };
        /**
         * @description What an agent is for.
         * @enum {string}
         */
        Archetype: "researcher" | "writer" | "commenter" | "monitor" | "operator" | "custom";
        /**
         * ArchetypeList
         * @description All archetypes.
         */
        ArchetypeList: {
            /** @description The archetypes; `custom`, the last, is the one when none is named. */
            archetypes: components["schemas"]["ArchetypeSummary"][];
        };
        /**
         * ArchetypeSummary
         * @description An archetype as a list shows it.
         */
        ArchetypeSummary: {
            /** @description What such an agent does, in one line. */
            description: string;
            /** @description Its name, as `archetype` takes it. */
            name: components["schemas"]["Archetype"] & unknown;
            /** @description Its name for people to read. */
            title: string;
        };
        /**
         * Attachment
         * @description A file as a message shows it.
         */
        Attachment: {
            /** @description What it is called here. */
            filename: string;
            /** @description The SHA-256 of its content, under which it can be fetched. */
            hash: string;
            /** @description Whether it is a picture that can be shown. */
            is_image: boolean;
            /** @description Its type, as its bytes and then its name tell it. */
            mime_type: string;
            /**
             * Format: int64
             * @description How many bytes it has.
             */
            size: number;
        };
        /**
         * @description The component that requests are meant for.
         * @enum {string}
         */
        Audience: "svc-sense" | "svc-brain" | "svc-bell";
        /**
         * AuditEntry
         * @description An entry of the log.
         */
        AuditEntry: {
            /** @description The OAuth client it is about. */
            client_id?: string | null;
            /**
             * Format: date-time
             * @description When.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description What else is worth knowing, an object. */
            details: unknown;
            /** @description What happened; an open set of words. */
            event: string;
            /**
             * An entry of the audit log.
             * Format: int64
             * @description Its place in the log.
             */
            id: number;
            /** @description From where. */
            remote_ip?: string | null;
            /** @description In which request. */
            request_id?: string | null;
            /** @description Through which door. */
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
         * AuditPage
         * @description A page of the audit log.
         */
        AuditPage: {
            /** @description The entries, newest first. */
            entries: components["schemas"]["AuditEntry"][];
            /**
             * An entry of the audit log.
             * Format: int64
             * @description What to send as `before` for the next page; absent on the last.
             */
            next_before?: number | null;
        };
        /**
         * Bid
         * @description What somebody would do a task for.
         */
        Bid: {
            /**
             * Format: double
             * @description For how much, in the unit of the task's budget.
             */
            amount?: number | null;
            /** @description Who made it. */
            bidder: string;
            /** @description What that participant is. */
            bidder_kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * A bid for a task.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description What the bidder says with it; may be empty. */
            note: string;
            /** @description What has become of it. */
            status: components["schemas"]["BidStatus"] & unknown;
            /**
             * A task that is offered.
             * Format: int64
             * @description The task.
             */
            task_id: number;
        };
        /**
         * @description What has become of a bid.
         * @enum {string}
         */
        BidStatus: "open" | "accepted" | "declined";
        /**
         * ChangeChannel
         * @description What is to change about a channel. What is absent stays.
         */
        ChangeChannel: {
            /** @description What it is for. */
            description?: string | null;
            /** @description Whether everybody can read and join it. */
            public?: boolean | null;
            /** @description What it is about at the moment. */
            topic?: string | null;
        };
        /**
         * Channel
         * @description A channel, and how the caller stands to it.
         */
        Channel: {
            /**
             * Format: double
             * @description The trust that an agent needs to approve, 0 to 1.
             */
            approve_threshold: number;
            /**
             * Format: date-time
             * @description Since when it is archived; `null` when it is not.
             * @example 2026-11-15T02:00:00.000Z
             */
            archived_at?: string | null;
            /** @description Whether messages begin as approved. */
            auto_approve: boolean;
            /**
             * Format: date-time
             * @description Since when it exists.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description What it is for. */
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
             * @description The message up to which the caller has read.
             */
            last_read_message_id?: number | null;
            /**
             * Format: int64
             * @description How many members it has.
             */
            member_count: number;
            /**
             * Format: int64
             * @description How many unread messages mention the caller.
             */
            mentions: number;
            /** @description Its name. */
            name: string;
            /** @description The handle of its owner. */
            owner: string;
            /** @description Whether everybody can read and join it. */
            public: boolean;
            /**
             * Format: double
             * @description The trust that an agent needs to publish, 0 to 1.
             */
            publish_threshold: number;
            /** @description After how long the owner is told of it, such as `3d`; `0` is never. */
            stalemate_escalate_after: string;
            /** @description After how long an unfinished message is reminded of, such as `1d`; `0` is never. */
            stalemate_remind_after: string;
            /** @description What it is about at the moment. */
            topic: string;
            /**
             * Format: int64
             * @description How many messages of others the caller has not read; 0 for those who are no members.
             */
            unread: number;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
            /** @description Whether reactions on its messages come to states. */
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
             * @description How many there are in all.
             */
            total: number;
        };
        /**
         * ChannelRank
         * @description A channel and what was sent to it.
         */
        ChannelRank: {
            /**
             * Format: int64
             * @description How many messages were sent to it, by anybody.
             */
            messages: number;
            /** @description The channel. */
            name: string;
        };
        /**
         * ChannelSettings
         * @description How the workflow of a channel runs. What is absent stays.
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
            /** @description After how long the owner is told of it; `0` is never. */
            stalemate_escalate_after?: string | null;
            /** @description After how long an unfinished message is reminded of: `90s`, `15m`, `24h`, `3d`; `0` is never. */
            stalemate_remind_after?: string | null;
            /** @description Whether reactions on its messages come to states. */
            workflow_enabled?: boolean | null;
        };
        /**
         * ClaimRequest
         * @description How many messages to take, and for how long.
         */
        ClaimRequest: {
            /**
             * Format: uint32
             * @description For how many seconds they are the claimant's, 30 to 86400; 900 when absent.
             */
            lease_seconds?: number | null;
            /**
             * Format: uint32
             * @description How many at most, 1 to 50; 1 when absent.
             */
            limit?: number | null;
        };
        /**
         * ClaimedMessage
         * @description A message with the token of the claim on it.
         */
        ClaimedMessage: {
            /** @description The files that it carries. */
            attachments: components["schemas"]["Attachment"][];
            /** @description What was said, as Markdown. */
            body: string;
            /** @description The channel's name; `null` for a direct message. */
            channel?: string | null;
            /**
             * A channel.
             * Format: int64
             * @description The channel; `null` for a direct message.
             */
            channel_id?: number | null;
            /** @description What finishing, renewing and releasing have to present. */
            claim_token: string;
            /** @description Who works on it. */
            claimed_by?: string | null;
            /**
             * What belongs together: the messages of a channel, or of a pair and a subject.
             * Format: int64
             * @description What it belongs to: a channel, or a pair and a subject.
             */
            conversation_id: number;
            /**
             * Format: date-time
             * @description When it was sent.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uint32
             * @description How many runs of agents lie between a human and this message.
             */
            depth: number;
            /**
             * Format: date-time
             * @description Since when the channel's owner knows that it stands still; `null` once it has moved on.
             * @example 2026-11-15T02:00:00.000Z
             */
            escalated_at?: string | null;
            /** @description Who said it. */
            from: string;
            /** @description What that participant is. */
            from_kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * A message.
             * Format: int64
             * @description Its id. Inside a conversation a later message has a larger one.
             */
            id: number;
            /**
             * Format: date-time
             * @description Until when they may take.
             * @example 2026-11-15T02:00:00.000Z
             */
            lease_expires_at?: string | null;
            /** @description What programs say with it: a JSON object. */
            metadata: unknown;
            /**
             * Format: uint32
             * @description How urgent it is: 1 to 10.
             */
            priority: number;
            /** @description The reactions on it, oldest first. */
            reactions: components["schemas"]["Reaction"][];
            /**
             * Format: uint32
             * @description How many answers it has in its own conversation, and in others as far as the caller may see them; of
             *     very many only the newest are looked at for those in others.
             */
            reply_count: number;
            /**
             * A message.
             * Format: int64
             * @description The message that it answers.
             */
            reply_to?: number | null;
            /** @description What has become of it. */
            status: components["schemas"]["MessageStatus"] & unknown;
            /** @description What it is about; empty in channels and in a pair's main conversation. */
            subject: string;
            /** @description To whom; `null` in a channel. */
            to?: string | null;
            /** @description The W3C trace context with which it was sent. */
            traceparent?: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
            /** @description What the reactions come to; `null` outside of workflow channels. */
            workflow_state?: (string & components["schemas"]["WorkflowState"]) | null;
        };
        /**
         * ClaimedMessages
         * @description Messages that were claimed.
         */
        ClaimedMessages: {
            /** @description The messages, the most urgent first, then the oldest. */
            messages: components["schemas"]["ClaimedMessage"][];
        };
        /**
         * @description A client with a form of its own.
         * @enum {string}
         */
        ClientKind: "claude" | "codex" | "gemini" | "cursor" | "vscode";
        /**
         * ConfirmRequest
         * @description The password of whoever is logged in.
         */
        ConfirmRequest: {
            /** @description The present password. */
            password: string;
        };
        /**
         * Connection
         * @description What is known about an agent's connection.
         */
        Connection: {
            /** @description The agent. */
            agent: string;
            /**
             * Format: date-time
             * @description When it was last seen; absent for one that never was, or not for as long as traces are kept.
             * @example 2026-11-15T02:00:00.000Z
             */
            at?: string | null;
            /** @description What its client calls itself, where that was recorded. */
            client?: string | null;
            /** @description Whether it was seen during the last five minutes. */
            connected: boolean;
            /** @description The key that was used last, of those that still work. */
            credential?: components["schemas"]["SeenCredential"] | null;
            /** @description What to do, when it is not connected. */
            hint?: string | null;
            /** @description Through which door it was last seen, where that was recorded. */
            surface?: (string & components["schemas"]["Surface"]) | null;
        };
        /**
         * Conversation
         * @description A conversation: a channel, or what two write to each other about a subject.
         */
        Conversation: {
            /** @description The channel's name; `null` for direct messages. */
            channel?: string | null;
            /**
             * What belongs together: the messages of a channel, or of a pair and a subject.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description What it is. */
            kind: components["schemas"]["ConversationKind"] & unknown;
            /** @description Its newest message. */
            last_message?: components["schemas"]["LastMessage"] | null;
            /**
             * Format: int64
             * @description How many messages were ever sent in it.
             */
            message_count: number;
            /** @description The one of the two whose conversation it is: the caller or one of their agents; `null` for a channel. */
            participant?: string | null;
            /** @description What it is about; empty for a channel and for the main conversation of two. */
            subject: string;
            /**
             * Format: int64
             * @description How many messages of others have not been read by whose conversation it is.
             */
            unread: number;
            /** @description The other of the two; `null` for a channel. */
            with?: string | null;
        };
        /**
         * @description Whether messages stand in a channel or between two.
         * @enum {string}
         */
        ConversationKind: "channel" | "dm";
        /**
         * ConversationPage
         * @description A page of conversations.
         */
        ConversationPage: {
            /** @description The conversations, those with the latest messages first. */
            conversations: components["schemas"]["Conversation"][];
            /**
             * Format: int64
             * @description How many there are in all.
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
            /** @description Whether there are newer ones. */
            has_more_after: boolean;
            /** @description Whether there are older ones. */
            has_more_before: boolean;
            /**
             * What belongs together: the messages of a channel, or of a pair and a subject.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description What it is. */
            kind: components["schemas"]["ConversationKind"] & unknown;
            /** @description Its newest message. */
            last_message?: components["schemas"]["LastMessage"] | null;
            /**
             * A message.
             * Format: int64
             * @description The message up to which the caller has read; `null` when they have read none.
             */
            last_read_message_id?: number | null;
            /**
             * Format: int64
             * @description How many messages were ever sent in it.
             */
            message_count: number;
            /** @description The messages, oldest first. */
            messages: components["schemas"]["Message"][];
            /** @description The one of the two whose conversation it is: the caller or one of their agents; `null` for a channel. */
            participant?: string | null;
            /** @description What it is about; empty for a channel and for the main conversation of two. */
            subject: string;
            /**
             * Format: int64
             * @description How many messages of others have not been read by whose conversation it is.
             */
            unread: number;
            /** @description The other of the two; `null` for a channel. */
            with?: string | null;
        };
        /**
         * CreateAgent
         * @description An agent to be made.
         */
        CreateAgent: {
            /** @description Its instruction file. */
            agent_md?: string | null;
            /**
             * Format: uint32
             * @description The pause between two of its runs; 600 when absent.
             */
            cooldown_seconds?: number | null;
            /**
             * Format: uint32
             * @description How many runs it may have per day; 8 when absent.
             */
            daily_run_budget?: number | null;
            /** @description A name for people to read; the name when absent. */
            display_name?: string | null;
            /** @description How it is run: a JSON object. */
            harness?: Record<string, never> | null;
            /** @description The container image that its cluster jobs run. */
            k8s_image?: string | null;
            /**
             * Format: uint32
             * @description How deep a chain of triggers may get; 4 when absent.
             */
            max_trigger_depth?: number | null;
            /** @description Which tools a client of MCP that comes with its key is shown, unless it asks for others; `full` when absent. */
            mcp_profile?: (string & components["schemas"]["McpProfile"]) | null;
            /** @description 2 to 63 small letters, digits, `-` and `_`. It is given once and never again. */
            name: string;
            /** @description When the hub runs it; `passive` when absent. */
            trigger_mode?: (string & components["schemas"]["TriggerMode"]) | null;
        };
        /**
         * CreateChannel
         * @description A channel to be made.
         */
        CreateChannel: {
            /** @description What it is for, at most 2,000 characters. */
            description?: string | null;
            /** @description The handles of those who are members from the beginning, at most 100. */
            members?: string[] | null;
            /** @description 1 to 80 small letters, digits, `-` and `_`. It is given once. */
            name: string;
            /** @description Whether everybody can read and join it; `true` when absent. */
            public?: boolean | null;
            /** @description What it is about at the moment, at most 250 characters. */
            topic?: string | null;
        };
        /**
         * CreateKey
         * @description A key to be made.
         */
        CreateKey: {
            /** @description The agent it acts as; you when absent. */
            agent?: string | null;
            /** @description The channels it may use; all when absent or empty. */
            allowed_channels?: string[] | null;
            /**
             * Format: date-time
             * @description When it ends by itself; never when absent.
             * @example 2026-11-15T02:00:00.000Z
             */
            expires_at?: string | null;
            /** @description Which tools a client of MCP that comes with it is shown, unless it asks for others; `full` when absent. */
            mcp_profile?: (string & components["schemas"]["McpProfile"]) | null;
            /** @description What you call it. */
            name: string;
            /** @description What it may do; each includes those before it. */
            permissions: components["schemas"]["Permission"][];
        };
        /**
         * CreatedAgent
         * @description An agent that was made.
         */
        CreatedAgent: {
            /** @description The agent. */
            agent: components["schemas"]["Agent"] & unknown;
            /** @description Its key. It is shown this once. */
            key: string;
        };
        /**
         * CreatedKey
         * @description A key that was made.
         */
        CreatedKey: {
            /** @description The agent it acts as; `null` for one that acts as you. */
            agent?: string | null;
            /** @description The channels it may use; none named is all. */
            allowed_channels: string[];
            /**
             * Format: date-time
             * @description Since when it exists.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends by itself; `null` for never.
             * @example 2026-11-15T02:00:00.000Z
             */
            expires_at?: string | null;
            /**
             * An agent key or a managed key.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description The key. It is shown this once. */
            key: string;
            /** @description Which tools a client of MCP that comes with it is shown, unless it asks for others. */
            mcp_profile: components["schemas"]["McpProfile"] & unknown;
            /** @description What you call it. */
            name: string;
            /** @description What it may do. */
            permissions: components["schemas"]["Permission"][];
            /** @description Whether it works. */
            status: components["schemas"]["KeyStatus"] & unknown;
        };
        /**
         * DeadLetter
         * @description Something that could not be delivered.
         */
        DeadLetter: {
            /**
             * Format: date-time
             * @description When its owner took note of it.
             * @example 2026-11-15T02:00:00.000Z
             */
            acknowledged_at?: string | null;
            /**
             * Format: int64
             * @description How often it was tried.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description Since when it lies here.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * A dead letter.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description What could not be delivered. */
            kind: components["schemas"]["DeadLetterKind"] & unknown;
            /** @description The message. */
            message?: components["schemas"]["Message"] | null;
            /** @description Whom it was for: one of your agents, or you. */
            participant: string;
            /** @description Why. */
            reason: string;
            /**
             * Format: date-time
             * @description When its owner tried it again.
             * @example 2026-11-15T02:00:00.000Z
             */
            retried_at?: string | null;
        };
        /**
         * @description What could not be delivered.
         * @enum {string}
         */
        DeadLetterKind: "message" | "webhook";
        /**
         * DeadLetterPage
         * @description Dead letters, newest first.
         */
        DeadLetterPage: {
            /** @description The dead letters. */
            dead_letters: components["schemas"]["DeadLetter"][];
            /**
             * Format: int64
             * @description How many there are in all.
             */
            total: number;
        };
        /**
         * @description The engines that the store runs on.
         * @enum {string}
         */
        Engine: "sqlite" | "postgres";
        /**
         * Evidence
         * @description Something that a machine reported, with what the hub knows about it.
         */
        Evidence: {
            /** @description The channel that was told of it. */
            channel?: string | null;
            /** @description What is to be known about it. */
            data: unknown;
            /** @description The machine's own id for it. */
            event_id: string;
            /**
             * Something that a machine reported.
             * Format: int64
             * @description The hub's id for it; later ones are larger.
             */
            id: number;
            /** @description The key that the report was signed with. */
            kid: string;
            /**
             * A message.
             * Format: int64
             * @description The message that told it, for as long as there is one.
             */
            message_id?: number | null;
            /**
             * Format: date-time
             * @description When it happened, as the machine says.
             * @example 2026-11-15T02:00:00.000Z
             */
            occurred_at?: string | null;
            /** @description Who reported it. */
            principal_id: string;
            /**
             * Format: date-time
             * @description When it was stored.
             * @example 2026-11-15T02:00:00.000Z
             */
            received_at: string;
            /** @description The request that brought it, by the id that the machine chose for it. */
            request_id?: string | null;
            /**
             * @description What the hub recorded of that request, at most ten, for as long as traces are kept. They are written a moment
             *     later than the event, so just after it there may be none yet.
             */
            traces: components["schemas"]["Trace"][];
            /** @description What kind of thing happened. */
            type: string;
        };
        /**
         * EvidencePage
         * @description A page of what machines reported.
         */
        EvidencePage: {
            /** @description Whether there is more to read now. */
            has_more: boolean;
            /**
             * @description The events, newest last. One that was just stored comes a moment later, while others before it are being
             *     stored.
             */
            items: components["schemas"]["Evidence"][];
            /**
             * @description What to send as `cursor` to read on, now or later: it is good for ever, and what is reported meanwhile
             *     comes after it.
             */
            next_cursor: string;
        };
        /**
         * @description How traces are written.
         * @enum {string}
         */
        ExportFormat: "json" | "csv";
        /**
         * Fault
         * @description One thing that is wrong.
         */
        Fault: {
            /** @description What kind of fault it is. */
            code: components["schemas"]["FaultCode"] & unknown;
            /** @description What it has to be instead. */
            message: string;
            /** @description Where, as a JSON pointer (RFC 6901); empty for the whole document. */
            pointer: string;
        };
        /**
         * @description What kind of fault it is.
         * @enum {string}
         */
        FaultCode: "too_large" | "byte_order_mark" | "not_utf8" | "not_json" | "too_deep" | "duplicate_property" | "wrong_type" | "missing_property" | "unknown_property" | "wrong_version" | "unknown_word" | "wrong_form" | "too_few" | "too_many" | "repeated_item" | "duplicate_principal" | "duplicate_kid" | "non_canonical_key" | "not_a_point" | "weak_key";
        /**
         * FieldError
         * @description One field of a refused request.
         */
        FieldError: {
            /** @description The field as the caller wrote it. */
            field: string;
            /** @description What it should have been. */
            message: string;
        };
        /**
         * FileStoreHealth
         * @description How the store of the files is.
         */
        FileStoreHealth: {
            /** @description The code of the failure, such as `blob_store_unavailable`. */
            code?: string | null;
            /**
             * Format: uint64
             * @description Files that are known to be lost or damaged.
             */
            damaged: number;
            /** @description What is wrong and what to do. */
            error?: string | null;
            /** @description Whether it answered just now and belongs to this hub. */
            ok: boolean;
            /**
             * Format: uint64
             * @description Files that the database does not know, when they are so many that none is removed.
             */
            unknown: number;
        };
        /**
         * FileUsage
         * @description Files that are stored.
         */
        FileUsage: {
            /**
             * Format: uint64
             * @description How many they may have; null is no limit.
             */
            limit_bytes?: number | null;
            /**
             * Format: uint64
             * @description Bytes of the contents that they uploaded and that are still stored, each content once.
             */
            used_bytes: number;
        };
        /**
         * Goer
         * @description Who comes or goes.
         */
        Goer: {
            /** @description One of the caller's agents instead of the caller. */
            agent?: string | null;
        };
        /**
         * Grant
         * @description A client that may act as one of the caller's agents.
         */
        Grant: {
            /** @description The agent that it acts as. */
            agent: string;
            /** @description The client. */
            client_id: string;
            /** @description What the client calls itself. */
            client_name: string;
            /**
             * Format: date-time
             * @description Since when.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends unless the client uses it before.
             * @example 2026-11-15T02:00:00.000Z
             */
            expires_at: string;
            /**
             * What a human allowed an OAuth client.
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
             * @description How many there are in all.
             */
            total: number;
        };
        /**
         * Health
         * @description A living process.
         * @example {
         *       "status": "ok",
         *       "version": "0.1.0"
         *     }
         */
        Health: {
            /** @description Always `ok`: a process that cannot say so does not answer. */
            status: string;
            /** @description The version of the server. */
            version: string;
        };
        /**
         * Identity
         * @description What a caller is told about itself.
         */
        Identity: {
            /** @description The channels it may use; none named is all. */
            allowed_channels: string[];
            /**
             * Format: date-time
             * @description When its credential ends.
             * @example 2026-11-15T02:00:00.000Z
             */
            expires_at?: string | null;
            /** @description The handle it acts under. */
            handle: string;
            /** @description What that is. */
            kind: components["schemas"]["ParticipantKind"] & unknown;
            /** @description Which tools it is shown over MCP, unless it asks for others. */
            mcp_profile: components["schemas"]["McpProfile"] & unknown;
            /** @description The human it acts for. */
            owner: string;
            /** @description What it may do. */
            permissions: components["schemas"]["Permission"][];
        };
        /**
         * @description Whether an event was stored now or before.
         * @enum {string}
         */
        IngestStatus: "stored" | "duplicate";
        /**
         * Ingested
         * @description What came of a report.
         */
        Ingested: {
            /**
             * Format: int64
             * @description How many events were stored.
             */
            accepted: number;
            /**
             * Format: int64
             * @description How many had been stored before.
             */
            duplicates: number;
            /** @description Each of them, in the order of the request. */
            events: components["schemas"]["IngestedEvent"][];
        };
        /**
         * IngestedEvent
         * @description What came of one event.
         */
        IngestedEvent: {
            /** @description `true` when something else is stored under this id. What is stored stays. */
            differs?: boolean | null;
            /** @description The machine's own id for it. */
            event_id: string;
            /**
             * Something that a machine reported.
             * Format: int64
             * @description The hub's id for it.
             */
            id: number;
            /**
             * A message.
             * Format: int64
             * @description The message that told a channel of it.
             */
            message_id?: number | null;
            /** @description Whether it was stored now or before. */
            status: components["schemas"]["IngestStatus"] & unknown;
        };
        /**
         * Invitation
         * @description Who is invited.
         */
        Invitation: {
            /** @description Handles of humans and agents, 1 to 100. */
            members: string[];
        };
        /**
         * Invited
         * @description Who was invited.
         */
        Invited: {
            /** @description The members that were named, in that order. */
            members: components["schemas"]["Member"][];
        };
        /**
         * @description The two kinds of key.
         * @enum {string}
         */
        KeyKind: "agent" | "managed";
        /**
         * @description Whether a key works.
         * @enum {string}
         */
        KeyStatus: "active" | "revoked";
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
            /** @description Who sent it. */
            from: string;
            /**
             * A message.
             * Format: int64
             * @description The message.
             */
            id: number;
            /** @description Its beginning, at most 120 characters on one line. */
            preview: string;
        };
        /**
         * LoadedRegistry
         * @description The registry that is in force.
         */
        LoadedRegistry: {
            /** @description The component that it is meant for. */
            audience: components["schemas"]["Audience"] & unknown;
            /**
             * Format: int64
             * @description How many keys it has.
             */
            keys: number;
            /**
             * Format: date-time
             * @description When it came into force.
             * @example 2026-11-15T02:00:00.000Z
             */
            loaded_at: string;
            /**
             * Format: int64
             * @description How many principals it has.
             */
            principals: number;
            /** @description The SHA-256 of the document's bytes, in hexadecimal digits. */
            sha256: string;
            /** @description Where it came from: the path of a file, or who gave it. Only admins are told. */
            source?: string | null;
        };
        /**
         * LoginRequest
         * @description A name and a password.
         */
        LoginRequest: {
            /** @description The password. */
            password: string;
            /** @description The username, in any case. */
            username: string;
        };
        /**
         * Mark
         * @description What has been read.
         */
        Mark: {
            /** @description Whether it is a channel or direct messages. */
            kind: components["schemas"]["ConversationKind"] & unknown;
            /**
             * A message.
             * Format: int64
             * @description The message up to which it has been read; everything up to now when absent.
             */
            last_message_id?: number | null;
            /** @description The channel's name, or the other's handle. */
            name: string;
        };
        /**
         * MarkDone
         * @description Work that ended well.
         */
        MarkDone: {
            /** @description The token of your claim; not needed for a message that nobody has claimed. */
            claim_token?: string | null;
        };
        /**
         * MarkFailed
         * @description Work that failed.
         */
        MarkFailed: {
            /** @description The token of your claim; not needed for a message that nobody has claimed. */
            claim_token?: string | null;
            /** @description Why, in at most 1000 characters. The author and the owner of the recipient read it. */
            reason?: string | null;
        };
        /**
         * @description Which tools a client of MCP is shown. It may call every tool, shown or not.
         * @enum {string}
         */
        McpProfile: "full" | "compact" | "typed";
        /**
         * Member
         * @description A member of a channel.
         */
        Member: {
            /** @description Its name for people to read. */
            display_name: string;
            /** @description Whether the channel belongs to it. */
            is_owner: boolean;
            /**
             * Format: date-time
             * @description Since when it is a member.
             * @example 2026-11-15T02:00:00.000Z
             */
            joined_at: string;
            /** @description What it is. */
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
             * @description How many there are in all.
             */
            total: number;
        };
        /**
         * Message
         * @description A message.
         */
        Message: {
            /** @description The files that it carries. */
            attachments: components["schemas"]["Attachment"][];
            /** @description What was said, as Markdown. */
            body: string;
            /** @description The channel's name; `null` for a direct message. */
            channel?: string | null;
            /**
             * A channel.
             * Format: int64
             * @description The channel; `null` for a direct message.
             */
            channel_id?: number | null;
            /** @description Who works on it. */
            claimed_by?: string | null;
            /**
             * What belongs together: the messages of a channel, or of a pair and a subject.
             * Format: int64
             * @description What it belongs to: a channel, or a pair and a subject.
             */
            conversation_id: number;
            /**
             * Format: date-time
             * @description When it was sent.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uint32
             * @description How many runs of agents lie between a human and this message.
             */
            depth: number;
            /**
             * Format: date-time
             * @description Since when the channel's owner knows that it stands still; `null` once it has moved on.
             * @example 2026-11-15T02:00:00.000Z
             */
            escalated_at?: string | null;
            /** @description Who said it. */
            from: string;
            /** @description What that participant is. */
            from_kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * A message.
             * Format: int64
             * @description Its id. Inside a conversation a later message has a larger one.
             */
            id: number;
            /**
             * Format: date-time
             * @description Until when they may take.
             * @example 2026-11-15T02:00:00.000Z
             */
            lease_expires_at?: string | null;
            /** @description What programs say with it: a JSON object. */
            metadata: unknown;
            /**
             * Format: uint32
             * @description How urgent it is: 1 to 10.
             */
            priority: number;
            /** @description The reactions on it, oldest first. */
            reactions: components["schemas"]["Reaction"][];
            /**
             * Format: uint32
             * @description How many answers it has in its own conversation, and in others as far as the caller may see them; of
             *     very many only the newest are looked at for those in others.
             */
            reply_count: number;
            /**
             * A message.
             * Format: int64
             * @description The message that it answers.
             */
            reply_to?: number | null;
            /** @description What has become of it. */
            status: components["schemas"]["MessageStatus"] & unknown;
            /** @description What it is about; empty in channels and in a pair's main conversation. */
            subject: string;
            /** @description To whom; `null` in a channel. */
            to?: string | null;
            /** @description The W3C trace context with which it was sent. */
            traceparent?: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
            /** @description What the reactions come to; `null` outside of workflow channels. */
            workflow_state?: (string & components["schemas"]["WorkflowState"]) | null;
        };
        /**
         * MessagePage
         * @description Messages in the order of the question, and whether there are more.
         */
        MessagePage: {
            /** @description Whether there are more in the direction of the question. */
            has_more: boolean;
            /** @description The messages. */
            messages: components["schemas"]["Message"][];
        };
        /**
         * MessageReactions
         * @description What stands on a message.
         */
        MessageReactions: {
            /** @description The reactions on the message, oldest first. */
            reactions: components["schemas"]["Reaction"][];
            /** @description What they come to; `null` outside of workflow channels. */
            workflow_state?: (string & components["schemas"]["WorkflowState"]) | null;
        };
        /**
         * @description What has become of a direct message. Those in channels stay `pending`: theirs is the workflow state.
         * @enum {string}
         */
        MessageStatus: "pending" | "processing" | "done" | "failed";
        /**
         * MessageUsage
         * @description Messages that were sent lately.
         */
        MessageUsage: {
            /**
             * Format: uint64
             * @description How many may be; null is no limit.
             */
            limit?: number | null;
            /**
             * Format: uint64
             * @description How many were sent within the window, by full hours.
             */
            used: number;
            /** @description The time up to now that counts: `24h`. */
            window: components["schemas"]["Span"] & unknown;
        };
        /**
         * NewBid
         * @description A bid that is about to be made.
         */
        NewBid: {
            /**
             * Format: double
             * @description For how much, 0 or more, in the unit of the task's budget.
             */
            amount?: number | null;
            /** @description Why you, how and by when: at most 1000 characters. */
            note?: string | null;
        };
        /**
         * NewKey
         * @description A key that was made.
         */
        NewKey: {
            /** @description The key. It is shown this once. */
            key: string;
        };
        /**
         * NewMachineEvent
         * @description Something that a machine reports.
         */
        NewMachineEvent: {
            /** @description A public channel that is told of it, in a message by `system`. */
            channel?: string | null;
            /**
             * @description What is to be known about it: any JSON of at most 32 KiB, with no name twice in an object, and with no number
             *     that has more digits than a double or 64 bits can keep.
             */
            data: unknown;
            /**
             * @description The machine's own id for it, 1 to 128 visible ASCII characters. It counts once: what is sent again under
             *     the same id is not stored again.
             */
            event_id: string;
            /**
             * Format: date-time
             * @description When it happened, by RFC 3339.
             */
            occurred_at?: string | null;
            /**
             * @description What kind of thing happened: small letters, digits, `.`, `_`, `:` and `-`, the first a letter or a digit,
             *     128 characters at most.
             */
            type: string;
        };
        /**
         * NewMessage
         * @description A message that is about to be sent: to somebody or into a channel, one of the two.
         */
        NewMessage: {
            /** @description The hashes of the files that it carries, at most 20. */
            attachments?: string[] | null;
            /** @description What is said, as Markdown: 1 byte to 64 KiB. */
            body: string;
            /** @description The name of the channel it goes into. */
            channel?: string | null;
            /** @description What programs say with it: a JSON object of at most 16 KiB. */
            metadata?: Record<string, never> | null;
            /**
             * Format: uint32
             * @description How urgent it is, 1 to 10; 5 when absent.
             */
            priority?: number | null;
            /**
             * A message.
             * Format: int64
             * @description The message that it answers.
             */
            reply_to?: number | null;
            /** @description What it is about; for direct messages only. */
            subject?: string | null;
            /** @description The handle of the participant it is for. */
            to?: string | null;
            /**
             * @description The W3C trace context that it continues; what is none is ignored. Over HTTP the header of that
             *     name says it as well.
             */
            traceparent?: string | null;
        } & (unknown | unknown);
        /**
         * NewOwner
         * @description Whose a channel is to be.
         */
        NewOwner: {
            /** @description The handle of a member. */
            owner: string;
        };
        /**
         * NewRuntimeStatus
         * @description What a machine says about itself.
         */
        NewRuntimeStatus: {
            /** @description Whatever else is worth knowing: a JSON object of at most 16 KiB. */
            details?: Record<string, never> | null;
            /**
             * Format: int64
             * @description How often it will say so, 1 to 86400 seconds; 60 when absent.
             */
            heartbeat_seconds?: number | null;
            /** @description A sentence for people, 500 characters at most. */
            message?: string | null;
            /** @description A word: small letters, digits, `_` and `-`, the first a letter, 32 characters at most. */
            state: string;
        };
        /**
         * NewTask
         * @description A task that is about to be posted.
         */
        NewTask: {
            /** @description What there is, what is wanted and how it will be checked, as Markdown: 1 byte to 16 KiB. */
            body: string;
            /**
             * Format: double
             * @description What you would give at most, 0 or more.
             */
            budget?: number | null;
            /** @description The channel whose readers see it, and in which a message offers it; everybody when absent. */
            channel?: string | null;
            /**
             * @description Until when it has to be done: so long from now, `90m`, `2h`, `3d`, or a moment,
             *     `2030-01-31T12:00:00Z`; at most a year away.
             */
            deadline?: string | null;
            /** @description What it is called: 1 to 200 characters. */
            title: string;
        };
        /**
         * @description What a participant is.
         * @enum {string}
         */
        ParticipantKind: "human" | "agent" | "system";
        /**
         * Partner
         * @description Somebody with whom the caller exchanged direct messages.
         */
        Partner: {
            /** @description Its name for people to read. */
            display_name: string;
            /** @description What it is. */
            kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * Format: date-time
             * @description When that was sent.
             * @example 2026-11-15T02:00:00.000Z
             */
            last_message_at: string;
            /**
             * A message.
             * Format: int64
             * @description The newest message.
             */
            last_message_id: number;
            /**
             * Format: int64
             * @description How many of these only tell of a mention in a channel that the caller is a member of: the channel counts
             *     those too.
             */
            mention_copies: number;
            /** @description Its handle. */
            name: string;
            /** @description The beginning of the newest message, at most 120 characters on one line. */
            preview: string;
            /**
             * Format: int64
             * @description How many messages of theirs have not been read.
             */
            unread: number;
        };
        /**
         * PasswordRequest
         * @description The old password and the new one.
         */
        PasswordRequest: {
            /** @description The present password. */
            current_password: string;
            /**
             * @description Whether all my managed keys and everything that I allowed clients end with the old one; not when absent.
             * @default false
             */
            end_keys: boolean | null;
            /** @description The new one, 8 to 72 bytes. */
            new_password: string;
        };
        /**
         * @description What a managed key may do. Each includes those before it.
         * @enum {string}
         */
        Permission: "read" | "write" | "admin";
        /**
         * Problem
         * @description The body of an error, as in RFC 9457. Some codes bring members of their own, which say again for
         *     programs what `detail` says: `already_claimed` has `holder`, `trust_too_low` has `action`, `score` and
         *     `required`, `owner_cannot_leave` has `owner`, `already_finished` has `ended_as`, `version_conflict` has `version`,
         *     `file_quota_exceeded` has `used_bytes` and `limit_bytes`, `message_quota_exceeded` has `used` and `limit`,
         *     `picture_too_large` has `width`, `height` and `limit_pixels`, `attachment_damaged` has `hash`.
         */
        Problem: {
            /** @description A stable word for programs, such as `not_found` or `validation_failed`. */
            code: string;
            /** @description What happened and what to do, for people. */
            detail: string;
            /** @description The fields that were refused, for `validation_failed`. */
            errors?: components["schemas"]["FieldError"][] | null;
            /**
             * Format: uint16
             * @description The HTTP status.
             */
            status: number;
            /** @description The status in words. */
            title: string;
            /** @description Always `about:blank`: the `code` tells problems apart. */
            type: string;
        };
        /**
         * ProfileRequest
         * @description What can be changed about one's own account.
         */
        ProfileRequest: {
            /** @description A name for people to read. */
            display_name: string;
        };
        /**
         * React
         * @description A reaction to set, or to take back where it stands.
         */
        React: {
            /** @description What programs say with it: a JSON object of at most 4 KiB. */
            metadata?: Record<string, never> | null;
            /** @description What it says. */
            reaction: components["schemas"]["ReactionKind"] & unknown;
        };
        /**
         * Reaction
         * @description A reaction on a message.
         */
        Reaction: {
            /** @description Whose it is. */
            by: string;
            /** @description What that participant is. */
            by_kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * Format: date-time
             * @description Since when it stands.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description What was said with it: a JSON object. */
            metadata: unknown;
            /** @description What it says. */
            reaction: components["schemas"]["ReactionKind"] & unknown;
        };
        /**
         * @description What a change did.
         * @enum {string}
         */
        ReactionAction: "added" | "removed" | "already";
        /**
         * ReactionChange
         * @description A change, and what stands on the message after it.
         */
        ReactionChange: {
            /** @description What was done. */
            action: components["schemas"]["ReactionAction"] & unknown;
            /** @description The reactions on the message, oldest first. */
            reactions: components["schemas"]["Reaction"][];
            /** @description What they come to; `null` outside of workflow channels. */
            workflow_state?: (string & components["schemas"]["WorkflowState"]) | null;
        };
        /**
         * @description What a reaction says.
         * @enum {string}
         */
        ReactionKind: "approve" | "reject" | "in_progress" | "done" | "published";
        /**
         * Readiness
         * @description How the hub is.
         */
        Readiness: {
            /** @description The store of the files; absent while the database does not answer. */
            files?: components["schemas"]["FileStoreHealth"] | null;
            /**
             * @description What is wrong with the file of the registry of machine principals, if there is one: it cannot be loaded, and
             *     the registry that was in force stays so meanwhile, or another registry was put into force by hand.
             */
            machine_registry_error?: string | null;
            /** @description In one word. */
            status: components["schemas"]["ReadyState"] & unknown;
            /** @description The store. */
            store: components["schemas"]["StoreHealth"] & unknown;
            /** @description The background workers, as this process sees them; empty before they are started. */
            workers: components["schemas"]["WorkerHealth"][];
        };
        /**
         * @description The hub in one word.
         * @enum {string}
         */
        ReadyState: "ready" | "degraded" | "unavailable";
        /**
         * Receipt
         * @description The receipt of one participant. A moment that is not known is `null`, although it may have been.
         */
        Receipt: {
            /**
             * Format: date-time
             * @description When work on it began.
             * @example 2026-11-15T02:00:00.000Z
             */
            claimed_at?: string | null;
            /**
             * Format: date-time
             * @description When work on it ended.
             * @example 2026-11-15T02:00:00.000Z
             */
            finished_at?: string | null;
            /** @description What that participant is. */
            kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * Format: date-time
             * @description When it was first handed out.
             * @example 2026-11-15T02:00:00.000Z
             */
            offered_at?: string | null;
            /** @description Whom the message is for. */
            participant: string;
            /**
             * Format: date-time
             * @description When it was read.
             * @example 2026-11-15T02:00:00.000Z
             */
            read_at?: string | null;
            /** @description Why it failed. */
            reason?: string | null;
            /** @description How far it has come. */
            state: components["schemas"]["ReceiptState"] & unknown;
            /**
             * Format: date-time
             * @description When it was stored.
             * @example 2026-11-15T02:00:00.000Z
             */
            stored_at: string;
        };
        /**
         * @description How far a message has come with somebody it is for.
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
            /** @description One for each participant it is for, by handle. */
            receipts: components["schemas"]["Receipt"][];
            /**
             * Format: int64
             * @description How many there are in all.
             */
            total: number;
        };
        /**
         * RegisterRequest
         * @description What opens an account.
         */
        RegisterRequest: {
            /**
             * @description A name for people to read.
             * @default null
             */
            display_name: string | null;
            /** @description The invitation, as `svc-admin users invite` printed it. */
            invite: string;
            /** @description 8 to 72 bytes. */
            password: string;
            /** @description 3 to 64 letters, digits and underscores. */
            username: string;
        };
        /**
         * RegistryPrincipal
         * @description A principal as it is shown, keys without their bytes, and what it has sent.
         */
        RegistryPrincipal: {
            /**
             * Format: int64
             * @description Its keys that can be used.
             */
            active_keys: number;
            /** @description Whether it may ask for anything at all. */
            enabled: boolean;
            /**
             * Format: int64
             * @description How many events it has reported.
             */
            events: number;
            /**
             * Format: date-time
             * @description When it last reported one.
             * @example 2026-11-15T02:00:00.000Z
             */
            last_event_at?: string | null;
            /** @description Its name. */
            principal_id: string;
            /** @description Whether the registry has it. One that is gone is shown for what it has sent. */
            registered: boolean;
            /**
             * Format: int64
             * @description Its keys that could be used once.
             */
            revoked_keys: number;
            /** @description What its usable keys may be used for, each once. */
            scopes: components["schemas"]["Scope"][];
            /** @description The sources that it has configured, by name. */
            sources: components["schemas"]["SourceVersion"][];
            /** @description What it last said about itself; absent when it never did. */
            status?: components["schemas"]["RuntimeStatus"] | null;
        };
        /**
         * RegistryProblem
         * @description Why the registry's file could not be put into force the last time it was read. What is wrong with it is for
         *     admins; others learn that something is, and since when.
         */
        RegistryProblem: {
            /** @description The code of what is wrong, such as `registry_invalid`; `registry_not_taken` for those who are no admins. */
            code: string;
            /** @description The faults of the document, the first hundred of them; none for those who are no admins. */
            faults: components["schemas"]["Fault"][];
            /** @description What is wrong, in a sentence. */
            message: string;
            /**
             * Format: date-time
             * @description Since when it could not be put into force, whenever it was tried.
             * @example 2026-11-15T02:00:00.000Z
             */
            since: string;
            /**
             * Format: date-time
             * @description When it was read.
             * @example 2026-11-15T02:00:00.000Z
             */
            tried_at: string;
        };
        /**
         * RegistryView
         * @description The registry that is in force with its principals.
         */
        RegistryView: {
            /** @description Its principals by name, a thousand at most, and those that are gone after the others have their place. */
            principals: components["schemas"]["RegistryPrincipal"][];
            /** @description What is wrong with the registry's file, if something is. */
            problem?: components["schemas"]["RegistryProblem"] | null;
            /** @description The registry; absent if none was ever loaded. */
            registry?: components["schemas"]["LoadedRegistry"] | null;
            /** @description Whether there are more. */
            truncated: boolean;
        };
        /**
         * ReleaseClaim
         * @description Work that is given back.
         */
        ReleaseClaim: {
            /** @description The token of your claim. */
            claim_token: string;
        };
        /**
         * RenewClaim
         * @description Work that takes longer.
         */
        RenewClaim: {
            /** @description The token of your claim. */
            claim_token: string;
            /**
             * Format: uint32
             * @description For how many seconds from now, 30 to 86400; 900 when absent.
             */
            lease_seconds?: number | null;
        };
        /**
         * Replies
         * @description The answers to a message.
         */
        Replies: {
            /** @description The answers that the caller may see, in time order. */
            replies: components["schemas"]["Message"][];
            /**
             * Format: int64
             * @description How many of them there are in all.
             */
            total: number;
        };
        /**
         * Report
         * @description What a machine reports.
         */
        Report: {
            /** @description 1 to 500 events. */
            events: components["schemas"]["NewMachineEvent"][];
        };
        /**
         * @description What an account may do beyond its own.
         * @enum {string}
         */
        Role: "admin" | "user";
        /**
         * RuntimeStatus
         * @description What a machine said last about itself.
         */
        RuntimeStatus: {
            /**
             * Format: int64
             * @description How often it has said something so far.
             */
            beats: number;
            /** @description Whatever else it said, an object; not in lists. */
            details?: unknown;
            /**
             * Format: int64
             * @description How often it says so.
             */
            heartbeat_seconds: number;
            /** @description A sentence for people. */
            message?: string | null;
            /**
             * Format: date-time
             * @description When it last said so.
             * @example 2026-11-15T02:00:00.000Z
             */
            seen_at: string;
            /**
             * Format: date-time
             * @description Since when it has been in this state.
             * @example 2026-11-15T02:00:00.000Z
             */
            since: string;
            /** @description Whether three beats have passed without another. */
            stale: boolean;
            /**
             * Format: date-time
             * @description From then on the status is stale, unless the machine says something before.
             * @example 2026-11-15T02:00:00.000Z
             */
            stale_at: string;
            /** @description Its state. */
            state: string;
        };
        /**
         * @description What a key may be used for.
         * @enum {string}
         */
        Scope: "source-config:write" | "runtime-status:write" | "events:ingest" | "evidence:read";
        /**
         * SearchHit
         * @description A message that was found.
         */
        SearchHit: {
            /** @description The files that it carries. */
            attachments: components["schemas"]["Attachment"][];
            /** @description What was said, as Markdown. */
            body: string;
            /** @description The channel's name; `null` for a direct message. */
            channel?: string | null;
            /**
             * A channel.
             * Format: int64
             * @description The channel; `null` for a direct message.
             */
            channel_id?: number | null;
            /** @description Who works on it. */
            claimed_by?: string | null;
            /**
             * What belongs together: the messages of a channel, or of a pair and a subject.
             * Format: int64
             * @description What it belongs to: a channel, or a pair and a subject.
             */
            conversation_id: number;
            /**
             * Format: date-time
             * @description When it was sent.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uint32
             * @description How many runs of agents lie between a human and this message.
             */
            depth: number;
            /**
             * Format: date-time
             * @description Since when the channel's owner knows that it stands still; `null` once it has moved on.
             * @example 2026-11-15T02:00:00.000Z
             */
            escalated_at?: string | null;
            /** @description Who said it. */
            from: string;
            /** @description What that participant is. */
            from_kind: components["schemas"]["ParticipantKind"] & unknown;
            /**
             * A message.
             * Format: int64
             * @description Its id. Inside a conversation a later message has a larger one.
             */
            id: number;
            /**
             * Format: date-time
             * @description Until when they may take.
             * @example 2026-11-15T02:00:00.000Z
             */
            lease_expires_at?: string | null;
            /** @description What programs say with it: a JSON object. */
            metadata: unknown;
            /**
             * Format: uint32
             * @description How urgent it is: 1 to 10.
             */
            priority: number;
            /** @description The reactions on it, oldest first. */
            reactions: components["schemas"]["Reaction"][];
            /**
             * Format: uint32
             * @description How many answers it has in its own conversation, and in others as far as the caller may see them; of
             *     very many only the newest are looked at for those in others.
             */
            reply_count: number;
            /**
             * A message.
             * Format: int64
             * @description The message that it answers.
             */
            reply_to?: number | null;
            /**
             * @description The part of it that shows why it was found, on one line, as HTML: each match is between `<mark>`
             *     and `</mark>`, and everything else is escaped.
             */
            snippet: string;
            /** @description What has become of it. */
            status: components["schemas"]["MessageStatus"] & unknown;
            /** @description What it is about; empty in channels and in a pair's main conversation. */
            subject: string;
            /** @description To whom; `null` in a channel. */
            to?: string | null;
            /** @description The W3C trace context with which it was sent. */
            traceparent?: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
            /** @description What the reactions come to; `null` outside of workflow channels. */
            workflow_state?: (string & components["schemas"]["WorkflowState"]) | null;
        };
        /**
         * SearchPage
         * @description Messages that were found.
         */
        SearchPage: {
            /** @description A page of them. */
            messages: components["schemas"]["SearchHit"][];
            /**
             * @description Whether the time for a search was over before all messages had been looked at: then these are those
             *     that were found until then, and there may be others.
             */
            partial: boolean;
            /**
             * Format: int64
             * @description How many there are in all that the caller may see; of very many only so many are counted.
             */
            total: number;
            /**
             * @description Whether that is all of them; otherwise there are more, and the most relevant were chosen among
             *     the newest.
             */
            total_is_exact: boolean;
        };
        /**
         * SeenCredential
         * @description A key of an agent's that was used.
         */
        SeenCredential: {
            /** @description Which kind it is. */
            kind: components["schemas"]["KeyKind"] & unknown;
            /** @description What its owner calls it; the agent's name for its own key. */
            name: string;
            /**
             * Format: date-time
             * @description When it was last used, to the minute.
             * @example 2026-11-15T02:00:00.000Z
             */
            used_at: string;
        };
        /**
         * Session
         * @description A login of the account that asks.
         */
        Session: {
            /**
             * Format: date-time
             * @description Since when.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description Whether it is the one that asks. */
            current: boolean;
            /**
             * Format: date-time
             * @description When it ends.
             * @example 2026-11-15T02:00:00.000Z
             */
            expires_at: string;
            /**
             * A login of a human.
             * Format: int64
             * @description Its id, by which it can be ended. It is no credential.
             */
            id: number;
            /** @description From where the login came. */
            remote_ip?: string | null;
            /**
             * Format: date-time
             * @description When it was last used, to the minute.
             * @example 2026-11-15T02:00:00.000Z
             */
            seen_at: string;
            /** @description What the browser calls itself. */
            user_agent?: string | null;
        };
        /**
         * SessionList
         * @description The logins of an account.
         */
        SessionList: {
            /** @description The sessions, newest first. */
            sessions: components["schemas"]["Session"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /**
         * SkillList
         * @description All skills.
         */
        SkillList: {
            /** @description The skills, by name. */
            skills: components["schemas"]["SkillSummary"][];
        };
        /**
         * SkillSummary
         * @description A skill as a list shows it.
         */
        SkillSummary: {
            /** @description What it is for and when to use it, in one line. */
            description: string;
            /** @description Its name. */
            name: string;
        };
        /**
         * SourceConfig
         * @description A version of a source's configuration, without its content.
         */
        SourceConfig: {
            /** @description Whether this request set it; `false` when the content is the same as before. */
            changed: boolean;
            /**
             * Format: date-time
             * @description When this version was set.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description The SHA-256 of the content, written without spaces and with its names in order, in hexadecimal digits. */
            sha256: string;
            /** @description The source. */
            source: string;
            /**
             * Format: int64
             * @description The number of the version in force, from 1.
             */
            version: number;
        };
        /**
         * SourceVersion
         * @description The configuration of a source that is in force.
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
             * @description The number of the version.
             */
            version: number;
        };
        /**
         * @description The time up to now that a question is about.
         * @enum {string}
         */
        Span: "1h" | "4h" | "24h" | "7d" | "30d";
        /**
         * StatePage
         * @description Messages in a state.
         */
        StatePage: {
            /** @description The messages that the caller may see, newest first. */
            messages: components["schemas"]["Message"][];
            /**
             * Format: int64
             * @description How many of them there are in all.
             */
            total: number;
        };
        /**
         * StoreHealth
         * @description How the store is.
         */
        StoreHealth: {
            /** @description The code of the failure, such as `storage_full`. */
            code?: string | null;
            /** @description Which engine it runs on. */
            engine: components["schemas"]["Engine"] & unknown;
            /** @description What is wrong and what to do. */
            error?: string | null;
            /** @description Whether it could be written to and read from just now. */
            ok: boolean;
        };
        /**
         * Summary
         * @description How things are, in a few numbers.
         */
        Summary: {
            /**
             * Format: int64
             * @description Your agents that did something in the last 15 minutes.
             */
            agents_active: number;
            /**
             * Format: int64
             * @description Your agents.
             */
            agents_total: number;
            /**
             * Format: int64
             * @description Channels that you can see.
             */
            channels: number;
            /**
             * Format: int64
             * @description What you and your agents did in the last 24 hours and failed at.
             */
            errors_24h: number;
            /**
             * Format: int64
             * @description The same since the midnight six days before.
             */
            messages_7d: number;
            /**
             * Format: int64
             * @description Messages that you and your agents sent since midnight, UTC.
             */
            messages_today: number;
            /**
             * Format: int64
             * @description The same since ever.
             */
            messages_total: number;
        };
        /**
         * @description Through which door an action came.
         * @enum {string}
         */
        Surface: "hub" | "rest" | "mcp" | "admin" | "worker" | "server";
        /**
         * Task
         * @description Work that is offered.
         */
        Task: {
            /** @description Whose bid was accepted. */
            assignee?: string | null;
            /**
             * Format: int64
             * @description How many bids there are for it.
             */
            bid_count: number;
            /** @description What there is, what is wanted and how it will be checked, as Markdown. */
            body: string;
            /**
             * Format: double
             * @description What the poster would give at most, in whatever unit the task is about.
             */
            budget?: number | null;
            /** @description The channel whose readers see it; absent for a task that is offered to everybody. */
            channel?: string | null;
            /**
             * Format: date-time
             * @description When it ended.
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
             * @description Until when it has to be done.
             * @example 2026-11-15T02:00:00.000Z
             */
            deadline?: string | null;
            /**
             * A task that is offered.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /**
             * A message.
             * Format: int64
             * @description The message in the channel that offers it.
             */
            message_id?: number | null;
            /** @description Who offers it. */
            poster: string;
            /** @description What that participant is. */
            poster_kind: components["schemas"]["ParticipantKind"] & unknown;
            /** @description How far it has come. */
            status: components["schemas"]["TaskStatus"] & unknown;
            /** @description What was said when it ended. */
            summary?: string | null;
            /** @description What it is called. */
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
         * @description How a task is ended.
         */
        TaskClosing: {
            /** @description `completed` by the assignee, which it is when absent, or `cancelled` by the poster. */
            status?: (string & components["schemas"]["TaskEnding"]) | null;
            /** @description What was done, or why it is called off: at most 2000 characters. */
            summary?: string | null;
        };
        /**
         * @description How a task ends.
         * @enum {string}
         */
        TaskEnding: "completed" | "cancelled";
        /**
         * TaskPage
         * @description Tasks, newest first, and whether there are more.
         */
        TaskPage: {
            /** @description Whether there are older ones. */
            has_more: boolean;
            /** @description The tasks. */
            tasks: components["schemas"]["Task"][];
        };
        /**
         * @description How far a task has come.
         * @enum {string}
         */
        TaskStatus: "open" | "assigned" | "completed" | "cancelled";
        /**
         * TaskView
         * @description A task with the bids for it that the caller may see: all for the poster, their own for a bidder.
         */
        TaskView: {
            /** @description The bids, oldest first. */
            bids: components["schemas"]["Bid"][];
            /** @description The task. */
            task: components["schemas"]["Task"] & unknown;
        };
        /**
         * Thread
         * @description A message with everything that was answered to it.
         */
        Thread: {
            /** @description Its descendants that the caller may see, in time order. */
            replies: components["schemas"]["Message"][];
            /** @description The message that answers nothing, if the caller may see it. */
            root?: components["schemas"]["Message"] | null;
            /**
             * Format: int64
             * @description How many of them there are in all.
             */
            total: number;
        };
        /**
         * Timeline
         * @description A part of a conversation.
         */
        Timeline: {
            /** @description Whether there are newer ones. */
            has_more_after: boolean;
            /** @description Whether there are older ones. */
            has_more_before: boolean;
            /**
             * A message.
             * Format: int64
             * @description The message up to which the caller has read; `null` when they have read none.
             */
            last_read_message_id?: number | null;
            /** @description The messages, oldest first. */
            messages: components["schemas"]["Message"][];
        };
        /**
         * TopAgents
         * @description Agents by what they sent.
         */
        TopAgents: {
            /** @description The agents, the busiest first. */
            agents: components["schemas"]["AgentRank"][];
            /** @description The time that was asked for. */
            span: components["schemas"]["Span"] & unknown;
        };
        /**
         * TopChannels
         * @description Channels by what was sent to them.
         */
        TopChannels: {
            /** @description The channels, the busiest first. */
            channels: components["schemas"]["ChannelRank"][];
            /** @description The time that was asked for. */
            span: components["schemas"]["Span"] & unknown;
        };
        /**
         * Trace
         * @description A recorded action.
         */
        Trace: {
            /** @description What was done. Over REST it is the operation's id, such as `create_agent`. */
            action: string;
            /** @description The agent that did it, by name; absent for what a human did. */
            agent?: string | null;
            /**
             * Format: date-time
             * @description When it ended.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /** @description What else is worth knowing, an object; over REST the method, the path and the status. */
            details: unknown;
            /**
             * Format: int64
             * @description How long it took, in milliseconds.
             */
            duration_ms: number;
            /** @description Why it failed, for one that did: over REST the `code` of the problem. */
            error?: string | null;
            /**
             * A recorded action.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description That human's handle. */
            owner?: string | null;
            /**
             * A human account; the same number as its participant.
             * Format: int64
             * @description The human on whose behalf it was done; absent for the hub's own actions.
             */
            owner_id?: number | null;
            /** @description The request it belongs to. */
            request_id?: string | null;
            /** @description Through which door. */
            surface: components["schemas"]["Surface"] & unknown;
        };
        /**
         * TracePage
         * @description A page of traces.
         */
        TracePage: {
            /** @description What to send as `cursor` for the next page; absent on the last. */
            next_cursor?: string | null;
            /** @description The traces, newest first. */
            traces: components["schemas"]["Trace"][];
        };
        /**
         * TraceStats
         * @description How often what was done.
         */
        TraceStats: {
            /** @description The same by action, the most frequent first. */
            actions: components["schemas"]["ActionCount"][];
            /**
             * Format: int64
             * @description Those that tell of a failure.
             */
            errors: number;
            /**
             * Format: int64
             * @description All traces.
             */
            total: number;
        };
        /**
         * @description How a client reaches the hub.
         * @enum {string}
         */
        Transport: "http" | "stdio";
        /**
         * @description When an agent is run by the hub.
         * @enum {string}
         */
        TriggerMode: "passive" | "reactive" | "disabled";
        /**
         * TrustScore
         * @description The trust in an agent for one kind of action.
         */
        TrustScore: {
            /** @description What the agent does: `publish` where its messages do not say. */
            action_type: string;
            /**
             * Format: int64
             * @description How many judgements of humans stand behind it.
             */
            adjustments: number;
            /**
             * Format: double
             * @description 0 to 1.
             */
            score: number;
            /**
             * Format: date-time
             * @description When it last moved.
             * @example 2026-11-15T02:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * Unread
         * @description What is unread in a channel, or with somebody.
         */
        Unread: {
            /** @description Whether it is a channel or direct messages. */
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
             * @description The message up to which the caller has read.
             */
            last_read_message_id?: number | null;
            /**
             * Format: int64
             * @description How many of the unread direct messages only tell of a mention in a channel that the caller is a member of:
             *     the channel counts those too. 0 for a channel.
             */
            mention_copies: number;
            /**
             * Format: int64
             * @description How many unread messages of a channel mention the caller; 0 for direct messages.
             */
            mentions: number;
            /** @description The channel's name, or the other's handle. */
            name: string;
            /**
             * Format: int64
             * @description How many messages of others have not been read.
             */
            unread: number;
        };
        /**
         * Usage
         * @description What an owner with all their agents has used.
         */
        Usage: {
            /** @description The files that they uploaded. */
            files: components["schemas"]["FileUsage"] & unknown;
            /** @description The messages that they sent. */
            messages: components["schemas"]["MessageUsage"] & unknown;
        };
        /**
         * User
         * @description A human account.
         */
        User: {
            /**
             * Format: date-time
             * @description Since when it exists.
             * @example 2026-11-15T02:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Since when it is disabled; absent for one that is not.
             * @example 2026-11-15T02:00:00.000Z
             */
            disabled_at?: string | null;
            /** @description Its name for people to read. */
            display_name: string;
            /**
             * A human account; the same number as its participant.
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description What it may do beyond its own. */
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
             * @description How many there are in all.
             */
            total: number;
            /** @description The accounts, by name. */
            users: components["schemas"]["User"][];
        };
        /**
         * WorkerHealth
         * @description How one worker is.
         */
        WorkerHealth: {
            /**
             * Format: uint32
             * @description Rounds that failed one after another.
             */
            failures: number;
            /** @description Why its latest round failed, if it did. */
            last_error?: string | null;
            /**
             * Format: date-time
             * @description When it last finished a round here.
             * @example 2026-11-15T02:00:00.000Z
             */
            last_run_at?: string | null;
            /** @description The worker. */
            name: string;
            /** @description What it is doing. */
            state: components["schemas"]["WorkerState"] & unknown;
        };
        /**
         * @description What a worker is doing.
         * @enum {string}
         */
        WorkerState: "idle" | "running" | "failing" | "elsewhere";
        /**
         * @description What the reactions on a message in a workflow channel come to.
         * @enum {string}
         */
        WorkflowState: "proposed" | "approved" | "in_progress" | "rejected" | "done" | "published";
    };
    responses: {
        /** @description The request breaks a rule; `errors` names the fields. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The present state does not allow this; `code` says why. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is too large, or a quota is used up. */
        ContentTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The credential does not allow this. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such thing, or it is not yours to see. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The version is another one than the request expects. */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The file has no such range. */
        RangeNotSatisfiable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body arrives too slowly. */
        RequestTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests; `Retry-After` says when to come back. */
        TooManyRequests: {
            headers: {
                /** @description Seconds until another try makes sense. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no credential, or it is not valid (any more). */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The hub cannot answer at present; `Retry-After` says when to come back. */
        Unavailable: {
            headers: {
                /** @description Seconds until another try makes sense. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is of a type that is not taken here. */
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
    list_audit: {
        parameters: {
            query?: {
                /** @description Only this event, such as `login_failure`. */
                event?: string;
                /** @description Only about this account. */
                username?: string;
                /** @description Only from then on. */
                since?: string;
                /** @description Only before then. */
                until?: string;
                /** @description Only entries before this one, for the next page. */
                before?: number;
                /** @description How many at most, 1 to 200; 50 when absent. */
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
    list_users: {
        parameters: {
            query?: {
                /** @description How many at most, 1 to 200; 50 when absent. */
                limit?: number;
                /** @description How many to pass over first. */
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
    list_agents: {
        parameters: {
            query?: {
                /** @description How many at most, 1 to 200; 50 when absent. */
                limit?: number;
                /** @description How many to pass over first. */
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
                /** @description The same key with the same body gets the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["CreateAgent"];
            };
        };
        responses: {
            /** @description It was made. */
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
    get_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent. */
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
                /** @description The agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to say. */
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
                /** @description The agent. */
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
                /** @description The part that it plays; `custom` when absent. */
                archetype?: components["schemas"]["Archetype"];
            };
            header?: never;
            path: {
                /** @description The agent. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The text, as a file to be kept. */
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
    test_agent_connection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent. */
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
                /** @description How the client reaches the server; `http` when absent. */
                transport?: components["schemas"]["Transport"];
                /**
                 * @description The client, for its own form; the one that most clients share when absent. `codex` is TOML, the
                 *     others are JSON.
                 */
                client?: components["schemas"]["ClientKind"];
                /**
                 * @description A key that acts as the agent, to be put in. Addresses are kept in many places: prefer to put the
                 *     key in yourself.
                 */
                api_key?: string;
            };
            header?: never;
            path: {
                /** @description The agent. */
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
    rotate_agent_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent. */
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
                /** @description The time up to now; `24h` when absent. */
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
                /** @description The time up to now; `24h` when absent. */
                span?: components["schemas"]["Span"];
                /** @description How many at most; 5 when absent. More than 100 is taken for 100. */
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
                /** @description The time up to now; `24h` when absent. */
                span?: components["schemas"]["Span"];
                /** @description How many at most; 5 when absent. More than 100 is taken for 100. */
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
                /** @description Taken for the sake of clients that always send one: the same file gets the same answer anyway. */
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
            /** @description It was made. */
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
                /** @description The SHA-256 of its content. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file. */
            200: {
                headers: {
                    /** @description Whether to show or to save it, and its name. */
                    "Content-Disposition"?: string;
                    /** @description The content's hash; send it in `If-None-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    /** @description Whether to show or to save it, and its name. */
                    "Content-Disposition"?: string;
                    /** @description Which part, and of how many bytes. */
                    "Content-Range"?: string;
                    /** @description The content's hash; send it in `If-None-Match`. */
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
                    /** @description The content's hash; send it in `If-None-Match`. */
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
                /** @description The SHA-256 of its content. */
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
                /** @description The SHA-256 of its content. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The small picture. */
            200: {
                headers: {
                    /** @description The content's hash; send it in `If-None-Match`. */
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
                    /** @description The content's hash; send it in `If-None-Match`. */
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
    list_channels: {
        parameters: {
            query?: {
                /** @description Only those whose names contain this. */
                q?: string;
                /** @description `true` lists the archived ones instead of the others. */
                archived?: boolean;
                /** @description How many at most, 1 to 200; 50 when absent. */
                limit?: number;
                /** @description How many to pass over first. */
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
                /** @description The same key with the same body gets the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["CreateChannel"];
            };
        };
        responses: {
            /** @description It was made. */
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
                /** @description The channel. */
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
                /** @description The channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to say. */
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
                /** @description The channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                /** @description The channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Goer"];
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
                /** @description The channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Goer"];
            };
        };
        responses: {
            /** @description Done; there is nothing to say. */
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
                /** @description How many at most, 1 to 200; 50 when absent. */
                limit?: number;
                /** @description How many to pass over first. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The channel. */
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
                /** @description The channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                /** @description The channel. */
                name: string;
                /** @description The member. */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to say. */
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
                /** @description Those before this message. */
                before?: number;
                /** @description Those after this message. */
                after?: number;
                /** @description Those around this message, and itself. */
                around?: number;
                /** @description How many at most, 1 to 200; 50 when absent. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The channel. */
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
                /** @description The channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                /** @description The channel. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                /** @description How many at most, 1 to 200; 50 when absent. */
                limit?: number;
                /** @description How many to pass over first. */
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
                /** @description Those before this message. */
                before?: number;
                /** @description How many at most, 1 to 200; 50 when absent. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The conversation. */
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
                /** @description Only of this kind. */
                kind?: components["schemas"]["DeadLetterKind"];
                /** @description Only those that were, or were not, acknowledged. */
                acknowledged?: boolean;
                /** @description How many at most, 1 to 200; 50 when absent. */
                limit?: number;
                /** @description How many to pass over first. */
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
                /** @description The dead letter. */
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
                /** @description The dead letter. */
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
    list_partners: {
        parameters: {
            query?: {
                /** @description How many at most, 1 to 200; 50 when absent. */
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
                /** @description Those before this message. */
                before?: number;
                /** @description Those after this message. */
                after?: number;
                /** @description Those around this message, and itself. */
                around?: number;
                /** @description How many at most, 1 to 200; 100 when absent. */
                limit?: number;
                /** @description One of your agents, to see its side. */
                with?: string;
            };
            header?: never;
            path: {
                /** @description The other's handle. */
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
                /** @description The same, for clients that cannot set the header, which counts first. */
                after?: string;
            };
            header?: {
                /** @description The last event that the client has seen; what follows it comes first. */
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
    list_keys: {
        parameters: {
            query?: {
                /** @description Only those that work, or only those that were revoked. */
                status?: components["schemas"]["KeyStatus"];
                /** @description How many at most, 1 to 200; 50 when absent. */
                limit?: number;
                /** @description How many to pass over first. */
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
                /** @description The same key with the same body gets the same answer for 24 hours. */
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
            /** @description It was made. */
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
                /** @description The key. */
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
                /** @description The key. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to say. */
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
    ingest_events: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["Report"];
            };
        };
        responses: {
            /** @description Everything had been stored before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["Ingested"];
                };
            };
            /** @description It was stored. */
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
                /** @description The `next_cursor` of the page before; the oldest come first without it. */
                cursor?: string;
                /** @description How many at most, 1 to 500; 100 when absent. */
                limit?: number;
                /** @description Only of this principal, such as `svc:sense:door-1`. */
                principal?: string;
                /** @description Only of this type, such as `door.opened`. */
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
                /** @description The version that has to be in force, as the `ETag` gave it, such as `"3"`; `"0"` for none. */
                "If-Match"?: string;
                /** @description `*` when there has to be none yet. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The source: 1 to 63 small letters, digits, `.`, `_` and `-`, the first a letter or a digit. */
                source: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The content is the same as before. */
            200: {
                headers: {
                    /** @description The version in force, in quotes; send it in `If-Match`. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json; charset=utf-8": components["schemas"]["SourceConfig"];
                };
            };
            /** @description It is a new version. */
            201: {
                headers: {
                    /** @description The version in force, in quotes; send it in `If-Match`. */
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
    list_inbox: {
        parameters: {
            query?: {
                /** @description Only those to this agent of yours. */
                agent?: string;
                /** @description Only those in this status. */
                status?: components["schemas"]["MessageStatus"];
                /** @description Only those by this participant. */
                from?: string;
                /** @description Only those at least this urgent, 1 to 10. */
                min_priority?: number;
                /** @description Only those that were not read yet. */
                unread?: boolean;
                /** @description Only those before this message. */
                before?: number;
                /** @description Only those after this message, oldest first. */
                after?: number;
                /** @description How many at most, 1 to 200; 50 when absent. */
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
                /** @description The same key with the same body sends once and gets the same answer for 24 hours. */
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
            /** @description It was made. */
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
                /** @description Only those in this channel. */
                channel?: string;
                /** @description How many at most, 1 to 200; 50 when absent. */
                limit?: number;
                /** @description How many to pass over first. */
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
                /** @description What to look for. */
                q?: string;
                /** @description Channels, with commas between them; `-name` leaves one out. */
                channel?: string;
                /** @description Handles of senders, agents or humans, with commas between them; `-handle` leaves one out. */
                agent?: string;
                /** @description Not before this day, `2026-11-15`, or this moment, `2026-11-15T02:00:00Z`. */
                after?: string | unknown | unknown;
                /** @description Before this day or moment. */
                before?: string | unknown | unknown;
                /** @description `pending`, `processing`, `done` or `failed`; several with commas between them. */
                status?: string;
                /** @description What the message must have: `attachment`, `reaction`, `mention`; all of several. */
                has?: string;
                /** @description `proposed`, `approved`, `in_progress`, `rejected`, `done` or `published`; several with commas. */
                state?: string;
                /** @description `relevance` or `newest`; by relevance when `q` has words that must occur. */
                sort?: "relevance" | "newest";
                /** @description How many at most, 1 to 200; 50 when absent. */
                limit?: number;
                /** @description How many to pass over first. */
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
                /** @description The message. */
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
    mark_message_done: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
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
    mark_message_failed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
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
    list_reactions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The message. */
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
            header?: never;
            path: {
                /** @description The message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                /** @description What it says: `approve`, `reject`, `in_progress`, `done` or `published`. */
                reaction: "approve" | "reject" | "in_progress" | "done" | "published";
            };
            header?: never;
            path: {
                /** @description The message. */
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
                /** @description How many at most, 1 to 200; 50 when absent. */
                limit?: number;
                /** @description How many to pass over first. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The message. */
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
                /** @description The message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                /** @description The message. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                /** @description How many at most, 1 to 200; 50 when absent. */
                limit?: number;
                /** @description How many to pass over first. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The message. */
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
    get_thread: {
        parameters: {
            query?: {
                /** @description How many at most, 1 to 200; 50 when absent. */
                limit?: number;
                /** @description How many to pass over first. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Any message of the thread. */
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
            /** @description Done; there is nothing to say. */
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
                /** @description The skill. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The text, as a file to be kept. */
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
                /** @description Only those in this status. */
                status?: components["schemas"]["TaskStatus"];
                /** @description Only those that you or your agents have posted, have, or have an open bid for. */
                mine?: boolean;
                /** @description Only those before this task. */
                before?: number;
                /** @description How many at most, 1 to 200; 50 when absent. */
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
                /** @description The same key with the same body posts once and gets the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["NewTask"];
            };
        };
        responses: {
            /** @description It was made. */
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
                /** @description The task. */
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
                /** @description The same key with the same body accepts once and gets the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The task. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                /** @description The same key with the same body bids once and gets the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The task. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["NewBid"];
            };
        };
        responses: {
            /** @description It was made. */
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
                /** @description The same key with the same body ends it once and gets the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The task. */
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
                /** @description Only of this agent. */
                agent?: string;
                /** @description Only of this action, such as `create_agent`. */
                action?: string;
                /** @description Only from then on: a date such as `2026-11-15`, or a moment such as `2026-11-15T02:00:00Z`. */
                after?: string | unknown | unknown;
                /** @description Only before then. */
                before?: string | unknown | unknown;
                /** @description `true`: only those that failed; `false`: only those that did not. */
                error?: boolean;
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
                /** @description How many at most, 1 to 200; 50 when absent. */
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
                /** @description How to write them; `json` when absent. */
                format?: components["schemas"]["ExportFormat"];
                /** @description Only of this agent. */
                agent?: string;
                /** @description Only of this action. */
                action?: string;
                /** @description Only from then on: a date or a moment. */
                after?: string | unknown | unknown;
                /** @description Only before then. */
                before?: string | unknown | unknown;
                /** @description `true`: only those that failed; `false`: only those that did not. */
                error?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The traces, as a file to be kept. */
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
                /** @description Only of this agent. */
                agent?: string;
                /** @description Only of this action. */
                action?: string;
                /** @description Only from then on: a date or a moment. */
                after?: string | unknown | unknown;
                /** @description Only before then. */
                before?: string | unknown | unknown;
                /** @description `true`: only those that failed; `false`: only those that did not. */
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
                /** @description The agent. */
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
                    "application/json; charset=utf-8": components["schemas"]["Usage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
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
    confirm_login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json; charset=utf-8": components["schemas"]["ConfirmRequest"];
            };
        };
        responses: {
            /** @description Done; there is nothing to say. */
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
                /** @description How many at most, 1 to 200; 50 when absent. */
                limit?: number;
                /** @description How many to pass over first. */
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
                /** @description The grant, as the list names it. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to say. */
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
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
            /** @description Done; there is nothing to say. */
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
                "application/json; charset=utf-8": components["schemas"]["PasswordRequest"];
            };
        };
        responses: {
            /** @description Done; there is nothing to say. */
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
                "application/json; charset=utf-8": components["schemas"]["RegisterRequest"];
            };
        };
        responses: {
            /** @description It was made. */
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
            /** @description Done; there is nothing to say. */
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
                /** @description The login, as the list names it. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to say. */
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
            /** @description The figures. */
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
             * @description Requests are served; `degraded` means that something else is not well: a background worker, the store of the
             *     files, the registry of machine principals.
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
