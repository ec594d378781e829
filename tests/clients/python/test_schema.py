"""The document at /openapi.json against the server: Schemathesis sends what it describes and what it forbids."""

import itertools
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import httpx2

from hub import ORIGIN

ADMIN = Path(os.environ["SVC_PROGRAMS"]) / "svc-admin"
JUDGE = Path(sys.executable).parent / "schemathesis"
PASSWORD = os.environ["SVC_PASSWORD"]

# The same requests in the same order in every run, and few enough that both runs together take a
# minute or two. With more than one worker there is no order, and a run has ended with a SystemError
# of Python's own, in its parser.
BOUNDS = ["--generation-deterministic", "--max-examples", "20", "--workers", "1", "--request-timeout", "20"]
# Where a request that fits the schema may be refused with 400 or 415 all the same, and why no schema can tell.
# Everywhere else it has to be taken.
BEYOND_A_SCHEMA = {
    "a range has its end after its begin": [
        "list_audit",
        "export_audit",
        "list_traces",
        "export_traces",
        "trace_stats",
        "diff_article",
    ],
    "one cursor at a time": ["list_channel_messages", "list_direct_messages", "list_inbox"],
    "the words of a search have a grammar": ["search_messages", "list_articles"],
    "a cursor is that of a page before": ["get_backlinks"],
    "a key has to be in force": ["get_agent_config"],
    "a name must not look like that of somebody else": ["update_agent", "create_agent", "update_me"],
    "texts of one line hold no control characters": ["update_channel", "rename_article", "create_invite", "update_profile"],
    "content is looked into": ["upload_attachment", "set_avatar", "set_agent_avatar"],
    "people and agents have to be there": [
        "create_channel",
        "join_channel",
        "leave_channel",
        "invite_to_channel",
        "hand_over_channel",
        "send_message",
        "create_goal",
        "update_goal",
        "propose_task_tree",
    ],
    "a message has to be visible": ["complete_goal"],
    "a URL has to lead to an address that the server may connect to": ["create_webhook", "update_webhook"],
    "a key has to be a point on a curve": ["create_push_subscription"],
    "conversations and time zones have to exist": ["update_notification_settings"],
    "one of two fields is needed": ["recover_webhook", "update_article", "list_pins"],
    "a slug is derived from a title with letters": ["create_article"],
    "a day has to exist": ["verify_article"],
    "a quantity is within a range, and variables have names": ["create_k8s_handler"],
    "a name in an address holds no NUL": ["list_messages_by_state"],
    "a moment has to be in the future": ["create_key", "post_task", "schedule_message", "update_scheduled_message"],
    "an object has so many bytes": ["toggle_reaction"],
    "an emoji is one of a list": ["add_emoji", "remove_emoji"],
    "a duration in words has a largest value": ["set_channel_settings"],
    "a header has a version in quotes": ["edit_message"],
    "a name of an account has three characters": ["list_all_agents"],
    "a password has so many bytes": ["create_user", "join", "register", "choose_password"],
}
# It never ends.
ENDLESS = ["follow_events"]
# They end the session that asks. A key is refused there, so with a key they are asked.
END_THE_SESSION = ["logout", "end_session", "end_sessions", "change_password", "update_user", "reset_password"]
# They end the key that asks, when it is the agent's own name that is tried.
END_THE_KEY = ["rotate_agent_key", "delete_agent"]

# Where half of the values are those of something that is really there, or that will do.
KNOWN = {
    "names": ["path.name", "path.handle", "path.agent", "query.agent", "query.channel", "query.from", "query.with"],
    "ids": ["path.id", "query.before", "query.after", "query.around", "body.reply_to", "body.last_message_id"],
    "hashes": ["path.hash", "body.attachments[*]"],
    "slugs": ["path.slug"],
    "tokens": ["body.claim_token"],
    "partners": ["body.to", "body.agent", "body.owner", "body.members[*]"],
    "rooms": ["body.channel", "body.allowed_channels[*]"],
    "fresh": ["body.name", "body.username", "body.display_name"],
    "states": ["query.state"],
    "sizes": ["query.limit", "body.limit"],
    "places": ["query.offset"],
}
WORDS = {"states": ["approved", "proposed"], "sizes": [1, 200], "places": [0, 1]}


def admin(*arguments: str, typed: str | None = None) -> str:
    ran = subprocess.run([ADMIN, *arguments], input=typed, capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def client(headers: dict[str, str]) -> httpx2.Client:
    return httpx2.Client(base_url=ORIGIN, headers=headers, trust_env=False)


def made(answer: httpx2.Response) -> dict:
    if answer.status_code not in (200, 201):
        raise AssertionError(f"{answer.request.url}: {answer.status_code} {answer.text}")
    return answer.json()


def furnish(headers: dict[str, str], name: str, partner: str, partner_key: str) -> dict[str, list]:
    """Makes some of everything that one can have, and says how it is called."""
    room = f"{name}-room"
    with client(headers) as mine, client({"Authorization": f"Bearer {partner_key}"}) as theirs:
        made(mine.post("/api/channels", json={"name": room, "members": [partner]}))
        file = made(mine.post("/api/attachments", files={"file": ("notes.txt", b"a few words of " + name.encode())}))
        first = {"channel": room, "body": "The first", "attachments": [file["hash"]]}
        ids = [made(mine.post("/api/messages", json=first))["id"]]
        ids.append(made(theirs.post("/api/messages", json={"channel": room, "body": "Re", "reply_to": ids[0]}))["id"])
        ids.append(made(mine.post("/api/messages", json={"to": partner, "body": "Do this"}))["id"])
        ids += [made(theirs.post("/api/messages", json={"to": name, "body": "Do that"}))["id"] for _ in range(4)]
        article = {"title": "Notes", "slug": f"{name}-notes", "body": "See [[elsewhere]]."}
        slug = made(mine.post("/api/wiki/articles", json=article))["slug"]
        tokens = ["none"]
        claimed = mine.post("/api/messages/claim", json={"limit": 3})
        if claimed.status_code == 200:
            tokens = [message["claim_token"] for message in claimed.json()["messages"]]
    return {
        "names": [name, partner, room],
        "ids": ids,
        "hashes": [file["hash"]],
        "slugs": [slug],
        "tokens": tokens,
        "partners": [partner],
        "rooms": [room],
        "fresh": [f"{name}-{count}" for count in range(5)],
    }


def settings(known: dict[str, list]) -> str:
    """Its settings, as TOML."""
    lines = [f"[dictionaries.{kind}]\nvalues = {json.dumps(values)}" for kind, values in (known | WORDS).items()]
    lines.append("[parameters]")
    for kind, places in KNOWN.items():
        lines += [f'"{place}" = {{ dictionary = "{kind}", probability = 0.5 }}' for place in places]
    for operation in itertools.chain.from_iterable(BEYOND_A_SCHEMA.values()):
        lines.append(f'[[operations]]\ninclude-operation-id = "{operation}"')
        lines.append("checks.positive_data_acceptance.enabled = false")
    # An uploaded file need not be a picture.
    lines.append('[[operations]]\ninclude-operation-id = "get_attachment_thumbnail"')
    lines.append("checks.ensure_resource_availability.enabled = false")
    return "\n".join(lines)


class Document(unittest.TestCase):
    def judge(self, headers: dict[str, str], known: dict[str, list], excluded: list[str]):
        with tempfile.TemporaryDirectory() as place:
            file = Path(place) / "schemathesis.toml"
            file.write_text(settings(known))
            command = [JUDGE, "--config-file", file, "run", f"{ORIGIN}/openapi.json", *BOUNDS]
            command += ["--no-color", "--continue-on-failure"]
            # It would try credentials of its own, of which the server knows none.
            command += ["--generation-with-security-parameters", "false"]
            for name, value in headers.items():
                command += ["--header", f"{name}: {value}"]
            for operation in excluded:
                command += ["--exclude-operation-id", operation]
            # It leaves its caches where it is run.
            ran = subprocess.run(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_it_holds_for_a_human_with_a_session(self):
        admin("users", "create", "judge", "--role", "admin", "--password-stdin", typed=PASSWORD)
        helper = admin("agents", "create", "helper", "--owner", "judge")
        account = {"username": "judge", "password": PASSWORD}
        login = httpx2.post(f"{ORIGIN}/auth/login", json=account, headers={"Origin": ORIGIN}, trust_env=False)
        headers = {"Cookie": f"svc_session={login.cookies['svc_session']}", "Origin": ORIGIN}
        self.judge(headers, furnish(headers, "judge", "helper", helper), ENDLESS + END_THE_SESSION)
        # Whoever is logged out on the way has seen nothing.
        with client(headers) as asking:
            self.assertEqual(asking.get("/auth/me").status_code, 200)

    def test_it_holds_for_an_agent_with_a_key(self):
        admin("users", "create", "owner", "--password-stdin", typed=PASSWORD)
        key, clerk = (admin("agents", "create", name, "--owner", "owner") for name in ("juror", "clerk"))
        headers = {"Authorization": f"Bearer {key}"}
        self.judge(headers, furnish(headers, "juror", "clerk", clerk), ENDLESS + END_THE_KEY)
        with client(headers) as asking:
            self.assertEqual(asking.get("/api/whoami").status_code, 200)


if __name__ == "__main__":
    unittest.main()
