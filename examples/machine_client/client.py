"""A Python service that signs its requests to a hub. The only dependency is `cryptography`.

    svc-admin machines keygen --principal svc:sense:door-1 --kid door-1-key --out door.key
    SVC_MACHINE_KEY=door.key SVC_PRINCIPAL=svc:sense:door-1 SVC_KID=door-1-key python3 client.py

`SVC_URL` is the hub's address, `http://127.0.0.1:8080` by default.
"""

import base64
import hashlib
import json
import os
import secrets
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

USUAL_PORTS = {"http": ":80", "https": ":443"}


def read_key(text: str) -> Ed25519PrivateKey:
    """Parse the secret key that `svc-admin machines keygen` wrote: 43 characters of base64url, or PEM."""
    if text.startswith("-----"):
        return load_pem_private_key(text.encode(), None)
    return Ed25519PrivateKey.from_private_bytes(base64.urlsafe_b64decode(text.strip() + "="))


def signed_headers(
    key: Ed25519PrivateKey, keyid: str, method: str, url: str, body: bytes, conditions: dict[str, str] | None = None
) -> dict[str, str]:
    """Return the headers of a signed request (RFC 9421, RFC 9530), including its conditions."""
    parts = urlsplit(url)
    covered = {
        "@method": method,
        "@authority": parts.netloc.lower().removesuffix(USUAL_PORTS[parts.scheme]),
        "@path": parts.path or "/",
        "@query": f"?{parts.query}",
    }
    headers = dict(conditions or {})
    covered |= {name.lower(): value.strip() for name, value in headers.items()}
    if body:
        digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
        covered["content-digest"] = headers["Content-Digest"] = f"sha-256=:{digest}:"
    names = " ".join(f'"{name}"' for name in covered)
    parameters = (
        f'({names});created={int(time.time())};nonce="{secrets.token_hex(16)}"'
        f';keyid="{keyid}";alg="ed25519";tag="svc.machine/v1"'
    )
    lines = [f'"{name}": {value}' for name, value in covered.items()]
    base = "\n".join([*lines, f'"@signature-params": {parameters}'])
    signature = base64.b64encode(key.sign(base.encode())).decode()
    return {**headers, "Signature-Input": f"sig1={parameters}", "Signature": f"sig1=:{signature}:"}


class Machine:
    """A connection to a hub as a machine principal."""

    def __init__(self, url: str, principal_id: str, kid: str, key: Ed25519PrivateKey):
        self.url, self.keyid, self.key = url.rstrip("/"), f"{principal_id}/{kid}", key

    def ask(self, method: str, path: str, value: object = None, conditions: dict[str, str] | None = None) -> dict:
        """Send a request; `conditions` are the headers `If-Match` or `If-None-Match`."""
        url, body = self.url + path, b"" if value is None else json.dumps(value).encode()
        headers = signed_headers(self.key, self.keyid, method, url, body, conditions)
        if body:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(url, data=body or None, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{error.code}: {error.read().decode()}") from error


def main() -> None:
    setting = os.environ.get
    machine = Machine(
        setting("SVC_URL", "http://127.0.0.1:8080"),
        setting("SVC_PRINCIPAL", "svc:sense:door-1"),
        setting("SVC_KID", "door-1-key"),
        read_key(Path(os.environ["SVC_MACHINE_KEY"]).read_text()),
    )
    config = machine.ask("PUT", "/api/machine/source-configs/door", {"interval_seconds": 30})
    print("the configuration has version", config["version"])
    # Only if it has not changed since.
    unchanged = {"If-Match": f'"{config["version"]}"'}
    config = machine.ask("PUT", "/api/machine/source-configs/door", {"interval_seconds": 60}, unchanged)
    print("the configuration now has version", config["version"])
    status = machine.ask("PUT", "/api/machine/runtime-status", {"state": "running", "heartbeat_seconds": 30})
    print("the hub knows that we are", status["state"])
    event = {"event_id": "door-1/opened/1", "type": "door.opened", "data": {"by": "key"}}
    report = machine.ask("POST", "/api/machine/events", {"events": [event]})
    print(report["accepted"], "new event,", report["duplicates"], "known before")
    evidence = machine.ask("GET", "/api/machine/evidence?type=door.opened")
    print(len(evidence["items"]), "in evidence")


if __name__ == "__main__":
    main()
