#!/bin/sh
# A reactive agent in shell. Its harness is {"command": "/path/to/agent.sh"}; docs/runs.md says what a run gets.
set -eu

# The home directory of an agent stays between its runs.
runs=$(($(cat "$HOME/runs" 2>/dev/null || echo 0) + 1))
echo "$runs" > "$HOME/runs"

# The work directory has the messages that wait, and the same as a prompt for a model (prompt.md).
waiting=$(grep -c '"body":' "$SVC_MESSAGES_FILE" || true)

# Everything that is printed is in the log of the run.
echo "run $SVC_RUN_ID of $SVC_AGENT at depth $SVC_DEPTH: $waiting waiting" >&2

# The credential of the run acts as the agent, here and over MCP, until the run ends.
if [ -n "${SVC_URL:-}" ] && command -v curl > /dev/null; then
  curl -fsS -m 10 -H "Authorization: Bearer $SVC_AGENT_KEY" "$SVC_URL/api/notifications/unread" >&2 || true
fi

# The last line is the report. The response is posted as the agent's reply.
printf '{"response": "I have read %s waiting messages, in run %s.", "session_id": "%s"}\n' \
  "$waiting" "$runs" "${SVC_SESSION_ID:-$SVC_AGENT-$SVC_RUN_ID}"
