"""Machine principals: requests that another implementation of RFC 9421 has signed, and the example in Python."""

import base64
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
import uuid
from pathlib import Path

import requests
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from http_message_signatures import HTTPMessageSigner, HTTPSignatureKeyResolver, algorithms

from hub import ORIGIN

PROGRAMS = Path(os.environ["SVC_PROGRAMS"])
EXAMPLE = Path(__file__).parents[3] / "examples" / "machine_client" / "client.py"
PRINCIPAL, KID = "svc:sense:door-1", "door-1-key"
STATUS = f"{ORIGIN}/api/machine/runtime-status"
COVERED = ("@method", "@authority", "@path", "@query", "content-digest")


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Keys(HTTPSignatureKeyResolver):
    def __init__(self, key: Ed25519PrivateKey):
        self.key = key

    def resolve_private_key(self, key_id: str) -> Ed25519PrivateKey:
        return self.key


class Machines(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.key = Ed25519PrivateKey.generate()
        entry = {
            "kid": KID,
            "public_key_base64url": base64url(self.key.public_key().public_bytes_raw()),
            "status": "active",
            "scopes": ["source-config:write", "runtime-status:write", "events:ingest", "evidence:read"],
        }
        registry = {
            "version": "svc.machine-principal-registry/v1",
            "audience": "svc-brain",
            "principals": [{"principal_id": PRINCIPAL, "enabled": True, "keys": [entry]}],
        }
        (self.place / "registry.json").write_text(json.dumps(registry))
        command = [PROGRAMS / "svc-admin", "machines", "load", self.place / "registry.json"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        self.session = requests.Session()
        self.session.trust_env = False
        self.addCleanup(self.session.close)

    def signed(self, url: str = STATUS, **parameters) -> requests.PreparedRequest:
        """A request as this library signs it."""
        request = self.session.prepare_request(requests.Request("PUT", url, json={"state": "running"}))
        signer = HTTPMessageSigner(signature_algorithm=algorithms.ED25519, key_resolver=Keys(self.key))
        signer.sign(
            request,
            **{
                "key_id": f"{PRINCIPAL}/{KID}",
                "nonce": uuid.uuid4().hex,
                "tag": "svc.machine/v1",
                "covered_component_ids": COVERED,
                "body": request.body,
                **parameters,
            },
        )
        return request

    def code(self, request: requests.PreparedRequest) -> str:
        answer = self.session.send(request)
        return "accepted" if answer.status_code == 200 else answer.json()["code"]

    def test_what_another_implementation_signs_is_accepted_once(self):
        for url in (STATUS, f"{STATUS}?", f"{STATUS}?a=b%20c&d=%C3%A4"):
            with self.subTest(url):
                request = self.signed(url)
                self.assertEqual(self.code(request), "accepted")
                self.assertEqual(self.code(request), "replayed_signature")
        covered = (*COVERED, "content-type", "content-length")
        self.assertEqual(self.code(self.signed(covered_component_ids=covered)), "accepted")

    def test_what_is_altered_is_refused(self):
        request = self.signed()
        request.body = b'{"state": "stopped"}'
        request.headers["Content-Length"] = str(len(request.body))
        self.assertEqual(self.code(request), "digest_mismatch")
        request = self.signed()
        request.url += "?a=b"
        self.assertEqual(self.code(request), "signature_invalid")
        request = self.signed()
        nonce = request.headers["Signature-Input"].split('nonce="')[1].split('"')[0]
        request.headers["Signature-Input"] = request.headers["Signature-Input"].replace(nonce, uuid.uuid4().hex)
        self.assertEqual(self.code(request), "signature_invalid")
        self.key = Ed25519PrivateKey.generate()
        self.assertEqual(self.code(self.signed()), "signature_invalid")

    def test_the_example_does_what_it_says(self):
        (self.place / "door.key").write_text(base64url(self.key.private_bytes_raw()))
        settings = {
            "SVC_URL": ORIGIN,
            "SVC_PRINCIPAL": PRINCIPAL,
            "SVC_KID": KID,
            "SVC_MACHINE_KEY": str(self.place / "door.key"),
        }
        for report in ("1 new event, 0 known before", "0 new event, 1 known before"):
            ran = subprocess.run(
                [sys.executable, EXAMPLE], env={**os.environ, **settings}, capture_output=True, text=True, check=False
            )
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertIn(report, ran.stdout)
            self.assertIn("in evidence", ran.stdout)

    def test_the_example_signs_conditions(self):
        spec = importlib.util.spec_from_file_location("client", EXAMPLE)
        client = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(client)
        machine = client.Machine(ORIGIN, PRINCIPAL, KID, self.key)
        path = f"/api/machine/source-configs/{uuid.uuid4().hex}"
        for conditions, config, version in (
            ({"If-Match": '"1"'}, {"n": 1}, None),
            ({"If-None-Match": "*"}, {"n": 1}, 1),
            ({"If-None-Match": "*"}, {"n": 2}, None),
            ({"if-match": ' "1" '}, {"n": 2}, 2),
            (None, {"n": 3}, 3),
        ):
            with self.subTest(conditions=conditions, config=config):
                if version is None:
                    with self.assertRaisesRegex(SystemExit, "^412: .*version_conflict"):
                        machine.ask("PUT", path, config, conditions)
                else:
                    self.assertEqual(machine.ask("PUT", path, config, conditions)["version"], version)


if __name__ == "__main__":
    unittest.main()
