"""The server that is judged, and who may log in there: scripts/client-journeys says so."""

import json
import os
from urllib.parse import parse_qs, urlsplit

import httpx2

from person import Person

ORIGIN = os.environ["SVC_URL"]
USERNAME = os.environ["SVC_USERNAME"]
# Two agents of that user.
SCOUT, SCRIBE = os.environ["SVC_AGENTS"].split(" ")
# A client that acts as the first agent by itself.
BOUND = json.loads(os.environ["SVC_CLIENT"])
# The address of something that needs a token.
WHOAMI = f"{ORIGIN}/api/whoami"
# Nobody listens there: the browser stops before it.
CALLBACK = "http://127.0.0.1:9/callback"


def new_person() -> Person:
    return Person(ORIGIN, USERNAME, os.environ["SVC_PASSWORD"])


def whoami(token: str) -> httpx2.Response:
    """Whom a token acts as."""
    return httpx2.get(WHOAMI, headers={"Authorization": f"Bearer {token}"}, trust_env=False)


def parameters(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
