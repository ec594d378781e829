//! Rows of a busy hub, in every table that grows: 20,000 of most.

use svc_core::db::Engine;

/// The statements that fill the tables.
pub(super) fn filling(engine: Engine) -> Vec<String> {
    let numbers = match engine {
        Engine::Sqlite => {
            "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)"
        }
        Engine::Postgres => "WITH numbers (n) AS (SELECT generate_series(1, 20000))",
    };
    let json = if engine == Engine::Sqlite { "'{}'" } else { "CAST('{}' AS jsonb)" };
    let bytes = if engine == Engine::Sqlite { "x'00'" } else { "CAST('x' AS bytea)" };
    let hash = if engine == Engine::Sqlite { "CAST(n AS BLOB)" } else { "CAST(CAST(n AS TEXT) AS bytea)" };
    let mut texts = vec![
        format!("{numbers} INSERT INTO events (kind, payload, created_at) SELECT 'test', {json}, n FROM numbers"),
        format!(
            "{numbers} INSERT INTO traces (owner_id, agent, action, surface, duration_ms, details, created_at)
             SELECT n % 50, 'a' || (n % 20), 'test', 'hub', 0, {json}, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO idempotency_keys (scope, key, fingerprint, answer, created_at)
             SELECT 's', CAST(n AS TEXT), {bytes}, 'null', n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO participants (kind, handle, handle_key, display_name, created_at)
             SELECT 'agent', 'a' || n, 'a' || n, 'a', n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO sessions (user_id, token_hash, created_at, seen_at, expires_at)
             SELECT (SELECT min(id) FROM users), {hash}, n, n, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO login_devices (user_id, token_hash, created_at, seen_at, expires_at)
             SELECT (SELECT min(id) FROM users), {hash}, n, n, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO invites (token_hash, role, created_at, expires_at)
             SELECT {hash}, 'user', n, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO login_failures (subject, failures, last_at, blocked_until)
             SELECT {hash}, 1, n, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO api_keys
                (key_id, secret_hash, kind, owner_id, name, permissions, allowed_channels, created_at)
             SELECT CAST(n AS TEXT), {hash}, 'managed', (SELECT min(id) FROM users), 'k', {json}, {json}, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO audit_log (event, surface, details, created_at)
             SELECT 'login_success', 'rest', {json}, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO participants (kind, handle, handle_key, display_name, created_at)
             SELECT 'human', 'h' || n, 'h' || n, 'h', n FROM numbers"
        ),
        "INSERT INTO users (id, role, password_changed_at)
         SELECT id, 'user', created_at FROM participants WHERE handle_key LIKE 'h%' AND kind = 'human'"
            .into(),
        format!(
            "INSERT INTO agents
                (id, owner_id, trigger_mode, cooldown_seconds, daily_run_budget, max_trigger_depth, harness, agent_md,
                 pending_work, updated_at)
             SELECT id, (SELECT min(id) FROM users), 'passive', 0, 0, 0, {json}, '', FALSE, created_at
               FROM participants WHERE kind = 'agent'"
        ),
        format!(
            "{numbers} INSERT INTO oauth_clients
                (client_id, source, name, token_endpoint_auth_method, redirect_uris, grant_types, created_at)
             SELECT 'c' || n, 'registered', 'c', 'none', {json}, {json}, n FROM numbers"
        ),
        "INSERT INTO oauth_grants (client_id, user_id, agent_id, scope, created_at, expires_at)
         SELECT 'c' || a.updated_at, a.owner_id, a.id, 'mcp', a.updated_at, a.updated_at FROM agents a"
            .into(),
        format!(
            "{numbers} INSERT INTO oauth_tokens (token_hash, kind, grant_id, created_at, expires_at)
             SELECT {hash}, 'access', (SELECT min(id) FROM oauth_grants) + n - 1, n, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO oauth_codes
                (code_hash, client_id, user_id, agent_id, redirect_uri, code_challenge, scope, created_at, expires_at)
             SELECT {hash}, 'c' || n, (SELECT min(id) FROM users), (SELECT min(id) FROM agents), 'r', 'x', 'mcp', n, n
               FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO oauth_device_codes
                (device_code_hash, user_code, client_id, scope, status, interval_seconds, created_at, expires_at)
             SELECT {hash}, CAST(n AS TEXT), 'c' || n, 'mcp', 'pending', 5, n, n FROM numbers"
        ),
    ];
    texts.extend(messaging(numbers, json));
    texts.extend(machines(engine, numbers, json, hash));
    texts.extend(queues(numbers, json));
    texts.extend(webhooks(numbers, json, bytes));
    texts.extend(runs(numbers));
    texts.extend(cluster(json));
    texts.extend(governance(numbers));
    texts.extend(goals(numbers));
    texts.push(format!(
        "INSERT INTO secrets (participant_id, name, sealed, created_at, updated_at) SELECT id, 'N', {bytes}, 1, 1 FROM agents"
    ));
    texts.push("ANALYZE".into());
    texts
}

/// A webhook of every agent, and deliveries of a few.
fn webhooks(numbers: &str, json: &str, bytes: &str) -> Vec<String> {
    vec![
        format!(
            "INSERT INTO webhooks (agent_id, url, events, enabled, enabled_after, is_ending, consecutive_failures, secret,
                tests, tests_since, recovering_until, created_at, updated_at)
             SELECT id, 'https://example.org/', {json}, TRUE, 1, FALSE, 0, {bytes}, 0, 0, 0, 1, 1 FROM agents"
        ),
        format!(
            "{numbers} INSERT INTO webhook_deliveries
                (webhook_id, event_seq, event, depth, status, item_id, attempts, created_at, updated_at)
             SELECT (SELECT min(id) FROM webhooks) + n % 200, n, 'message.received', 0,
                    CASE n % 4 WHEN 0 THEN 'open' WHEN 1 THEN 'delivered' WHEN 2 THEN 'dead' ELSE 'stopped' END,
                    n, 1, n, n
               FROM numbers"
        ),
        "INSERT INTO webhook_bodies (event_seq, agent_id, message_id, text) SELECT id, 1, id, '' FROM messages".into(),
        format!(
            "{numbers} INSERT INTO webhook_attempts (delivery_id, webhook_id, number, started_at, url, duration_ms)
             SELECT (SELECT min(id) FROM webhook_deliveries) + n - 1, (SELECT min(id) FROM webhooks) + n % 200, 1, n, '', 1
               FROM numbers"
        ),
    ]
}

/// Runs of every agent, a few of them under way.
fn runs(numbers: &str) -> Vec<String> {
    vec![
        format!(
            "{numbers} INSERT INTO reactive_runs
                (agent_id, owner_id, status, cause, conversation_id, depth, item_id, message_count, created_at,
                 updated_at, started_at, ended_at)
             SELECT (SELECT min(id) FROM agents) + n % 5000, (SELECT max(id) FROM users) - n % 5000,
                    CASE WHEN n <= 100 THEN 'running' WHEN n % 3 = 0 THEN 'succeeded' WHEN n % 3 = 1 THEN 'failed'
                         ELSE 'coalesced' END,
                    'waiting', n, 0, n, 0, n, n, CASE WHEN n <= 100 OR n % 3 < 2 THEN n END,
                    CASE WHEN n > 100 THEN n END
               FROM numbers"
        ),
        "INSERT INTO harness_runs (reactive_run_id, backend, prompt, prompt_truncated, response_truncated, cost_imputed)
         SELECT id, '', '', FALSE, FALSE, FALSE FROM reactive_runs"
            .into(),
        "INSERT INTO run_logs (run_id, text, created_at, updated_at) SELECT id, '', created_at, 0 FROM reactive_runs"
            .into(),
    ]
}

/// A handler of every agent, and a Job for every run.
fn cluster(json: &str) -> Vec<String> {
    vec![
        format!(
            "INSERT INTO cluster_handlers (agent_id, image, events, env, timeout_seconds, enabled_after, created_at)
             SELECT id, 'a', {json}, {json}, 600, 0, 1 FROM agents"
        ),
        "INSERT INTO cluster_jobs (run_id, agent_id, owner_id, handler_id, event, event_seq, body, is_retry, image)
         SELECT r.id, r.agent_id, r.owner_id, h.id, 'message.received', r.id, '', FALSE, 'a'
           FROM reactive_runs r
           JOIN cluster_handlers h ON h.agent_id = r.agent_id"
            .into(),
    ]
}

/// Goals of many owners, each with a few tasks, what they cost and what happened, and requests for secrets.
fn goals(numbers: &str) -> Vec<String> {
    let owner = "(SELECT max(id) FROM users) - n % 5000";
    let agent = "(SELECT min(id) FROM agents) + n % 5000";
    let goal = "(SELECT min(id) FROM goals) + n % 10000";
    vec![
        format!(
            "{numbers} INSERT INTO goals
                (slug, title, description, status, owner_id, channel_id, autonomy, spent_usd, spent_tokens,
                 max_spawn_depth, list_key, created_at, updated_at)
             SELECT 'g' || n, 't', '', CASE n % 20 WHEN 0 THEN 'stuck' ELSE 'active' END, {owner},
                    (SELECT max(id) FROM channels) - n % 200, 'supervised', 0, 0, 3, n, n, n
               FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO goal_tasks
                (goal_id, owner_id, position, title, title_key, description, acceptance_criteria, assignee_id, spent_usd,
                 spent_tokens, verifier, status, claimant_id, created_at, updated_at)
             SELECT {goal}, {owner}, n, 't', 't' || n, '', '', {agent}, 0, 0,
                    CASE n % 50 WHEN 7 THEN 'command' ELSE 'none' END,
                    CASE n % 50 WHEN 0 THEN 'proposed' WHEN 1 THEN 'claimed' WHEN 7 THEN 'awaiting_verification'
                         WHEN 3 THEN 'approved' ELSE 'done' END, {agent}, n, n
               FROM numbers"
        ),
        "UPDATE goal_tasks SET parent_id = id - 10000 WHERE id > 10000 + (SELECT min(id) FROM goal_tasks)".into(),
        "INSERT INTO goal_task_dependencies (task_id, on_id) SELECT id, parent_id FROM goal_tasks WHERE parent_id > 0"
            .into(),
        "INSERT INTO goal_claims
            (task_id, agent_id, token, lease_seconds, leased_at, lease_until, claimed_at, ended_at)
         SELECT id, claimant_id, '', 900, position, position, position, CASE status WHEN 'claimed' THEN NULL ELSE 1 END
           FROM goal_tasks"
            .into(),
        "INSERT INTO goal_spend (goal_id, task_id, agent_id, usd, tokens, created_at)
         SELECT goal_id, id, claimant_id, 1, 1, position FROM goal_tasks"
            .into(),
        "INSERT INTO goal_timeline (goal_id, kind, created_at) SELECT goal_id, 'spend', position FROM goal_tasks".into(),
        "INSERT INTO goal_proposals
            (goal_id, number, owner_id, name, purpose, instructions, autonomy, proposer_id, depth, status, created_at,
             decided_at)
         SELECT goal_id, id, owner_id, 'a', '', '', 'supervised', claimant_id, 1,
                CASE status WHEN 'proposed' THEN 'proposed' ELSE 'rejected' END, position,
                CASE status WHEN 'proposed' THEN NULL ELSE 1 END
           FROM goal_tasks"
            .into(),
        "INSERT INTO secret_requests (agent_id, owner_id, name, reason, status, created_at, decided_at)
         SELECT claimant_id, owner_id, 'N' || id, '', CASE status WHEN 'proposed' THEN 'requested' ELSE 'rejected' END,
                position, CASE status WHEN 'proposed' THEN NULL ELSE 1 END
           FROM goal_tasks"
            .into(),
    ]
}

/// What is known of the runs of many agents, and loops between them, most of which are lifted.
fn governance(numbers: &str) -> Vec<String> {
    vec![
        format!(
            "{numbers} INSERT INTO reputation_entries (agent_id, kind, value, run_id, weight, total, created_at)
             SELECT (SELECT min(id) FROM agents) + n % 5000, 'run', 1, n, 1.0, 1.0, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO budget_periods
                (agent_id, period, starts_at, spent_usd, spent_tokens, spent_runs, reserved_usd, reserved_tokens,
                 reserved_runs, extensions)
             SELECT (SELECT min(id) FROM agents) + n % 5000, 'day', n, 0, 0, 0, 0, 0, 0, 0 FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO run_charges
                (run_id, agent_id, owner_id, status, usd, tokens, day, reserved_at, ended_at)
             SELECT n, (SELECT min(id) FROM agents) + n % 5000, (SELECT max(id) FROM users) - n % 5000, 'settled', 1, 1,
                    n, n, n
               FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO loops
                (kind, agent_id, other_id, conversation_id, count, held_at, until, lifted_at)
             SELECT 'exchange', (SELECT min(id) FROM agents) + n % 5000, (SELECT min(id) FROM agents) + 5000 + n % 7000,
                    (SELECT min(id) FROM conversations), 13, n, n, CASE n % 100 WHEN 0 THEN NULL ELSE n END
               FROM numbers"
        ),
    ]
}

/// Queues with items and keys in every state.
fn queues(numbers: &str, json: &str) -> Vec<String> {
    vec![
        format!(
            "{numbers} INSERT INTO queue_items
                (queue, key, priority, status, attempts, max_attempts, dedupe, payload, due_at, claim_token,
                 lease_expires_at, created_at, updated_at, finished_at)
             SELECT 'q' || (n % 50), 'k' || (n % 1000), 5,
                    CASE n % 5 WHEN 0 THEN 'waiting' WHEN 1 THEN 'pending' WHEN 2 THEN 'leased' WHEN 3 THEN 'done'
                               ELSE 'dead' END,
                    0, 5, 'd' || n, {json}, n, CASE n % 5 WHEN 2 THEN 't' END, CASE n % 5 WHEN 2 THEN n END, n, n,
                    CASE WHEN n % 5 >= 3 THEN n END
               FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO queue_keys (queue, key, state, priority, turn, rate_at, wake_at, updated_at)
             SELECT 'q' || (n % 50), 'k' || n,
                    CASE n % 4 WHEN 0 THEN 'idle' WHEN 1 THEN 'ready' WHEN 2 THEN 'paused' ELSE 'full' END,
                    5, n, 0, CASE n % 4 WHEN 2 THEN n END, n
               FROM numbers"
        ),
    ]
}

/// What many machines sent, and the traces of it.
fn machines(engine: Engine, numbers: &str, json: &str, hash: &str) -> Vec<String> {
    let signed = match engine {
        Engine::Sqlite => "json_object('signature_id', 's' || n)",
        Engine::Postgres => "jsonb_build_object('signature_id', 's' || n)",
    };
    vec![
        format!(
            "{numbers} INSERT INTO machine_nonces (public_key, nonce, expires_at) SELECT {hash}, 'n', n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO machine_source_configs
                (principal_id, source, version, config, sha256, kid, created_at)
             SELECT 'p' || (n % 200), 's' || (n % 20), n, {json}, 'h', 'k', n FROM numbers"
        ),
        format!("{numbers} INSERT INTO machine_histories (principal_id, events) SELECT 'p' || n, 1 FROM numbers"),
        format!(
            "{numbers} INSERT INTO machine_statuses
                (principal_id, state, details, heartbeat_seconds, since, seen_at, beats)
             SELECT 'p' || n, 'up', {json}, 60, n, n, 1 FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO machine_events
                (principal_id, kid, event_id, type, received_at, data, sha256, request_id)
             SELECT 'p' || (n % 200), 'k', 'e' || n, 't' || (n % 50), n, {json}, 'h', 'r' || n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO traces (action, surface, request_id, duration_ms, details, created_at)
             SELECT 'ingest_events', 'rest', 'r' || n, 0, {signed}, n FROM numbers"
        ),
    ]
}

/// Channels with members, pairs, messages, cursors, files: everybody takes part in a little of it.
fn messaging(numbers: &str, json: &str) -> Vec<String> {
    let mut texts = vec![
        format!(
            "{numbers} INSERT INTO channels (name, description, public, owner_id, created_at, updated_at)
             SELECT 'c' || n, '', n % 2 = 0, n + 2, n, n FROM numbers"
        ),
        "INSERT INTO conversations (channel_id, subject, message_count, last_message_at, created_at)
         SELECT id, '', 1, id, id FROM channels WHERE name <> 'general'"
            .into(),
        "INSERT INTO channel_members (channel_id, participant_id, joined_at)
         SELECT c.id, c.owner_id + step.n, 1
           FROM channels c, (SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2) step
          WHERE c.name <> 'general'"
            .into(),
        format!(
            "{numbers} INSERT INTO message_rollups (sender_id, grain, bucket, channel_id, recipient_id, messages)
             SELECT n, CASE n % 3 WHEN 0 THEN 'minutes' WHEN 1 THEN 'hour' ELSE 'day' END, n, n, n, 1 FROM numbers"
        ),
        format!("{numbers} INSERT INTO message_totals (sender_id, messages) SELECT n, 1 FROM numbers"),
        format!(
            "{numbers} INSERT INTO conversations (low_id, high_id, subject, message_count, last_message_at, created_at)
             SELECT (SELECT min(id) FROM agents), (SELECT min(id) FROM agents) + n % 5000, 's' || n, 1, n, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO messages
                (conversation_id, position, sender_id, recipient_id, sender_owner_id, recipient_owner_id, subject, body,
                 priority, status, metadata, reply_to, root_id, reply_count, depth, attachment_count, reaction_count,
                 attempts, created_at, updated_at)
             SELECT (SELECT max(id) FROM conversations) - n % 5000, n, (SELECT min(id) FROM agents),
                    (SELECT min(id) FROM agents) + n % 5000, (SELECT min(id) FROM users),
                    (SELECT max(id) FROM users) - n % 50, 's', 'b', 5, 'pending', {json}, NULL, NULL, 0, 0, 0, 0, 0, n, n
               FROM numbers"
        ),
        format!(
            "INSERT INTO messages
                (conversation_id, position, channel_id, sender_id, subject, body, priority, status, metadata,
                 reply_count, depth, attachment_count, reaction_count, attempts, created_at, updated_at)
             SELECT v.id, 1, v.channel_id, c.owner_id, '', 'words', 5, 'pending', {json}, 0, 0, 0, 0, 0, v.created_at,
                    v.created_at
               FROM conversations v
               JOIN channels c ON c.id = v.channel_id
              WHERE v.message_count > 0"
        ),
        "UPDATE messages SET reply_to = id - 1, root_id = id - id % 7 - 1 WHERE id % 7 > 1 AND id > 7".into(),
        "INSERT INTO message_versions (message_id, version, body, created_at)
         SELECT id, 1, 'b', created_at FROM messages"
            .into(),
        "INSERT INTO dead_letters (kind, owner_id, participant_id, message_id, reason, attempts, created_at)
         SELECT 'message', recipient_owner_id, recipient_id, id, 'r', 5, created_at FROM messages
          WHERE recipient_id IS NOT NULL AND recipient_owner_id IS NOT NULL"
            .into(),
        format!(
            "{numbers} INSERT INTO attachments (hash, size, mime_type, is_image, created_at, touched_at)
             SELECT CAST(n AS TEXT), 1, 'text/plain', FALSE, n, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO attachment_uploads (hash, participant_id, filename, created_at)
             SELECT CAST(n AS TEXT), (SELECT min(id) FROM agents) + n % 5000, 'f', n FROM numbers"
        ),
        "INSERT INTO message_attachments (message_id, position, hash, filename)
         SELECT m.id, 0, CAST(m.created_at AS TEXT), 'f' FROM messages m WHERE m.created_at % 2 = 0"
            .into(),
        format!(
            "{numbers} INSERT INTO channels (name, description, public, owner_id, created_at)
             SELECT 'w' || n, '', FALSE, (SELECT min(id) FROM users), n FROM numbers"
        ),
        "UPDATE channels SET workflow_enabled = TRUE WHERE ((SELECT max(id) FROM channels) - id) % 100 = 0".into(),
        "INSERT INTO channel_members (channel_id, participant_id, joined_at)
         SELECT id, (SELECT min(id) FROM agents) + id % 5000, created_at FROM channels WHERE TRUE
         ON CONFLICT DO NOTHING"
            .into(),
        format!(
            "{numbers} INSERT INTO messages
                (conversation_id, position, channel_id, sender_id, subject, body, priority, status, metadata, reply_count,
                 depth, attachment_count, reaction_count, workflow_state, workflow_changed_at, attempts, created_at,
                 updated_at)
             SELECT (SELECT min(id) FROM conversations), n, (SELECT max(id) FROM channels) - 100 * (n % 200),
                    (SELECT min(id) FROM agents) + n % 5000, '', 'b', 5, 'pending', {json}, 0, 0, 0, 1,
                    CASE n % 10 WHEN 0 THEN 'proposed' ELSE 'done' END, n, 0, n, n
               FROM numbers"
        ),
        format!(
            "INSERT INTO reactions (message_id, participant_id, reaction, metadata, created_at)
             SELECT id, sender_id, 'approve', {json}, created_at FROM messages WHERE channel_id IS NOT NULL"
        ),
        "INSERT INTO mention_cursors (participant_id, channel_id, read_id, left_id, updated_at)
         SELECT id, (SELECT min(id) FROM channels) + id % 5000, 1, 0, 1 FROM users"
            .into(),
        "INSERT INTO trust_scores (agent_id, action_type, score, adjustments, updated_at)
         SELECT id, 'publish', 0, 1, 1 FROM agents"
            .into(),
        "INSERT INTO trust_adjustments (message_id, participant_id, agent_id, action_type, delta, created_at)
         SELECT id, (SELECT min(id) FROM users), sender_id, 'publish', 0, 1 FROM messages WHERE channel_id IS NOT NULL"
            .into(),
    ];
    texts.push(CURSORS.into());
    texts.extend(tasks(numbers));
    texts.extend(super::kept::filling());
    texts.extend(wiki(numbers));
    texts.extend(push());
    texts
}

/// A browser of each session, and levels of channels and partners.
fn push() -> Vec<String> {
    vec![
        "INSERT INTO push_subscriptions
            (user_id, session_id, endpoint, endpoint_hash, public_key, auth, device, after_event, failures, created_at,
             session_expires_at)
         SELECT (SELECT max(id) FROM users) - id % 5000, id, 'e', token_hash, token_hash, token_hash, 'd', 0, 0, 0, 0
           FROM sessions"
            .into(),
        "INSERT INTO attention_levels (user_id, channel_id, level)
         SELECT u.id, cm.channel_id, CASE u.id % 3 WHEN 0 THEN 'all' ELSE 'nothing' END
           FROM channel_members cm JOIN users u ON u.id = cm.participant_id"
            .into(),
        "INSERT INTO attention_levels (user_id, partner_id, level)
         SELECT u.id, a.id, 'nothing' FROM users u JOIN agents a ON a.owner_id = u.id"
            .into(),
    ]
}

/// Articles with a revision and five links each, some of them stale, deleted or without links to them.
fn wiki(numbers: &str) -> Vec<String> {
    vec![
        format!(
            "{numbers} INSERT INTO wiki_articles
                (slug, title, title_key, revision, size, stale_after, stale_at, backlink_count, created_by, created_at,
                 updated_by, updated_at, deleted_by, deleted_at)
             SELECT 'page-' || n, 'Page', 'page' || n, 1, 0, CASE n % 10 WHEN 0 THEN n END,
                    CASE n % 10 WHEN 0 THEN n END, n % 5, 'a', n, 'a', n, CASE n % 100 WHEN 0 THEN 'a' END,
                    CASE n % 100 WHEN 0 THEN n END
               FROM numbers"
        ),
        "INSERT INTO wiki_revisions (article_id, number, action, slug, title, size, author, created_at, body)
         SELECT id, 1, 'created', slug, title, 0, 'a', created_at, '' FROM wiki_articles"
            .into(),
        "INSERT INTO wiki_slugs (slug, article_id, link_count, is_wanted)
         SELECT slug, id, backlink_count, FALSE FROM wiki_articles"
            .into(),
        format!(
            "{numbers} INSERT INTO wiki_slugs (slug, link_count, is_wanted)
             SELECT 'wanted-' || n, n % 7, TRUE FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO wiki_links (source_id, slug)
             SELECT (SELECT min(id) FROM wiki_articles) + n % 5000, 'page-' || (1 + n * 7 % 19000) FROM numbers
              WHERE n > 0 ON CONFLICT DO NOTHING"
        ),
    ]
}

/// Tasks of everybody, most of them done, and a bid for each.
fn tasks(numbers: &str) -> Vec<String> {
    vec![
        format!(
            "{numbers} INSERT INTO tasks
                (poster_id, poster_owner_id, channel_id, title, body, deadline, status, bid_count, assignee_id,
                 assignee_owner_id, created_at, updated_at, closed_at)
             SELECT (SELECT min(id) FROM agents) + n % 5000, (SELECT max(id) FROM users) - n % 5000,
                    CASE n % 2 WHEN 0 THEN (SELECT max(id) FROM channels) - n % 200 END, 't', 'b', n,
                    CASE n % 10 WHEN 0 THEN 'open' WHEN 1 THEN 'assigned' ELSE 'completed' END, 1,
                    CASE n % 10 WHEN 0 THEN NULL ELSE (SELECT min(id) FROM agents) + n % 500 END,
                    CASE n % 10 WHEN 0 THEN NULL ELSE (SELECT min(id) FROM users) END, n, n,
                    CASE n % 10 WHEN 0 THEN NULL WHEN 1 THEN NULL ELSE n END
               FROM numbers"
        ),
        "INSERT INTO task_bids (task_id, bidder_id, bidder_owner_id, note, status, created_at)
         SELECT id, (SELECT min(id) FROM agents) + id % 5000, (SELECT max(id) FROM users) - id % 5000, '', 'open', 1
           FROM tasks"
            .into(),
    ]
}

/// Everybody reads what they take part in.
const CURSORS: &str = "
    INSERT INTO read_cursors
       (participant_id, conversation_id, message_id, position, own_after, offered_id, updated_at)
    SELECT v.high_id, v.id, 0, 0, 0, 0, 1 FROM conversations v WHERE v.high_id IS NOT NULL
    UNION ALL
    SELECT cm.participant_id, v.id, 0, 0, 0, 0, 1
      FROM conversations v
      JOIN channel_members cm ON cm.channel_id = v.channel_id
     WHERE v.message_count > 0";
