"""Webhooks: the library of Standard Webhooks verifies what the server sends, and the example in Python runs."""

import base64
import os
import queue
import re
import subprocess
import sys
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import requests
from standardwebhooks import Webhook, WebhookVerificationError

from hub import ORIGIN
from journey import new_agent

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "webhook_receiver" / "receiver.py"
PAGE = ROOT / "docs" / "webhooks.md"
# For one delivery or one line, in seconds.
PATIENCE = 60
# Characters of one to four bytes, and some that JSON escapes.
TEXT = 'Grüße aus 東京 👩🏽‍💻 — "quoted", C:\\path,\ttab,\nline\u2028end €'


class Endpoint(ThreadingHTTPServer):
    """An endpoint on this machine that accepts everything and keeps it."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Request)
        self.arrived = queue.Queue()
        self.url = f"http://127.0.0.1:{self.server_port}/hook"


class Request(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()
        self.server.arrived.put((body, dict(self.headers.items())))

    def log_message(self, *_):
        """Prints nothing."""


def made_up_secret() -> str:
    return "whsec_" + base64.b64encode(os.urandom(32)).decode()


class Webhooks(unittest.TestCase):
    def setUp(self):
        self.session = requests.Session()
        self.session.trust_env = False
        self.addCleanup(self.session.close)
        (self.agent, self.key), (_, self.author) = new_agent(), new_agent()

    def post(self, key: str, path: str, value: dict | None = None) -> dict:
        headers = {"Authorization": f"Bearer {key}"}
        answer = self.session.post(ORIGIN + path, json=value or {}, headers=headers)
        self.assertTrue(answer.ok, answer.text)
        return answer.json()

    def register(self, url: str, **more) -> tuple[str, str]:
        """The path and the secret of a webhook."""
        made = self.post(self.key, "/api/webhooks", {"url": url, "events": ["*"], **more})
        return f"/api/webhooks/{made['webhook']['id']}", made["secret"]

    def send(self, body: str = TEXT) -> int:
        return self.post(self.author, "/api/messages", {"to": self.agent, "body": body})["id"]

    def endpoint(self) -> Endpoint:
        endpoint = Endpoint()
        thread = threading.Thread(target=endpoint.serve_forever)
        thread.start()
        self.addCleanup(endpoint.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(endpoint.shutdown)
        return endpoint

    def refuses(self, secret: str, body: bytes, headers: dict[str, str]):
        with self.assertRaisesRegex(WebhookVerificationError, "No matching signature found"):
            Webhook(secret).verify(body, headers)

    def test_the_library_verifies_deliveries_and_nothing_that_was_changed(self):
        endpoint = self.endpoint()
        path, secret = self.register(endpoint.url)
        number = self.send()
        body, headers = endpoint.arrived.get(timeout=PATIENCE)
        event = Webhook(secret).verify(body, headers)
        self.assertEqual((event["type"], event["data"]["id"]), ("message.received", number))
        self.assertEqual((event["data"]["body"], event["data"]["agent"]), (TEXT, self.agent))
        self.assertEqual((headers["svc-event"], headers["svc-depth"]), ("message.received", "1"))
        # A byte each, which leaves the text valid and the time recent, so that it is the signature that decides.
        self.refuses(secret, body.replace(b"quoted", b"quotee"), headers)
        self.refuses(secret, body + b" ", headers)
        seconds, signature = headers["webhook-timestamp"], headers["webhook-signature"]
        other = "v1," + ("B" if signature[3] == "A" else "A") + signature[4:]
        for name, value in (
            ("webhook-id", headers["webhook-id"] + "0"),
            ("webhook-timestamp", str(int(seconds) - 1)),
            ("webhook-signature", other),
        ):
            with self.subTest(name):
                self.refuses(secret, body, {**headers, name: value})
        self.refuses(made_up_secret(), body, headers)
        # For a day after a rotation both secrets do.
        rotated = self.post(self.key, f"{path}/rotate-secret")["secret"]
        self.post(self.key, f"{path}/test")
        body, headers = endpoint.arrived.get(timeout=PATIENCE)
        for valid in (secret, rotated):
            self.assertEqual(Webhook(valid).verify(body, headers)["type"], "webhook.test")
        self.refuses(made_up_secret(), body, headers)

    def test_the_lines_in_the_documentation_verify_a_delivery(self):
        lines = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)[1]
        endpoint = self.endpoint()
        _, secret = self.register(endpoint.url)
        self.send()
        body, headers = endpoint.arrived.get(timeout=PATIENCE)
        os.environ["SVC_WEBHOOK_SECRET"] = secret
        self.addCleanup(os.environ.pop, "SVC_WEBHOOK_SECRET")
        # They stand in the function of a reader, which is given the body and the headers of a request.
        names = {"body": body, "headers": headers}
        exec(lines, names)
        self.assertEqual(names["event"]["data"]["body"], TEXT)
        with self.assertRaises(WebhookVerificationError):
            exec(lines, {"body": body + b" ", "headers": headers})

    def test_the_example_prints_each_delivery_once_and_refuses_others(self):
        secret = made_up_secret()
        settings = {"SVC_WEBHOOK_SECRET": secret, "SVC_WEBHOOK_LISTEN": "127.0.0.1:0", "PYTHONUTF8": "1"}
        example = subprocess.Popen(
            [sys.executable, EXAMPLE], env={**os.environ, **settings}, stdout=subprocess.PIPE, text=True
        )
        self.addCleanup(example.stdout.close)
        self.addCleanup(example.wait)
        self.addCleanup(example.terminate)
        # A line that does not come ends the program, and with it the waiting.
        watch = threading.Timer(PATIENCE, example.terminate)
        watch.start()
        self.addCleanup(watch.cancel)
        url = re.fullmatch(r"listening on (http://\S+)\n", example.stdout.readline())[1]
        path, _ = self.register(url, secret=secret)
        self.send()
        line = example.stdout.readline()
        self.assertRegex(line, r"^dlv_\S+ message\.received at depth 1: \{.*Grüße aus 東京")
        # The outcome is recorded after the answer, and then the same is sent again.
        delivery = self.delivered(path)
        self.post(self.key, f"/api/deliveries/{delivery}/retry")
        self.assertEqual(example.stdout.readline(), f"{line.split()[0]} again\n")
        self.assertEqual(self.post(self.key, f"{path}/test")["status"], 204)
        self.assertRegex(example.stdout.readline(), r"^test_\S+ webhook\.test at depth 0: \{")
        # What is not signed, or by somebody else, or not as it should be, is refused and the program goes on.
        signed = {"webhook-id": "a", "webhook-timestamp": str(int(time.time())), "webhook-signature": "v1,AAAA"}
        for headers, body in (({}, "{}"), (signed, "{}"), ({**signed, "webhook-signature": "AAAA"}, "{}")):
            self.assertEqual(self.session.post(url, data=body, headers=headers).status_code, 401)
            self.assertRegex(example.stdout.readline(), "^refused: ")
        self.post(self.key, f"{path}/rotate-secret")
        self.send("after a rotation")
        self.assertIn("after a rotation", example.stdout.readline())

    def delivered(self, path: str) -> int:
        """The id of the newest delivery, as soon as it has ended."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            page = self.session.get(f"{ORIGIN}{path}/deliveries", headers={"Authorization": f"Bearer {self.key}"})
            newest = page.json()["deliveries"][0]
            if newest["status"] == "delivered":
                return newest["id"]
        self.fail(f"it was not delivered: {newest}")


if __name__ == "__main__":
    unittest.main()
