"""A receiver of webhooks in Python. It verifies every delivery, answers at once and prints what arrived.
The only dependency is `standardwebhooks`:

    python3 -m venv venv
    venv/bin/pip install standardwebhooks

Start a server that may send to this machine. In a second terminal create an agent with a webhook, whose secret is
printed once, and run the receiver with that secret:

    cargo run --release -- --allow-http-webhooks --allow-private-networks 127.0.0.1

    alias svc-admin='cargo run -q --release -p svc-admin --'
    svc-admin agents create scout --owner admin
    svc-admin webhooks create scout http://127.0.0.1:9000/hook
    SVC_WEBHOOK_SECRET=whsec_… venv/bin/python examples/webhook_receiver/receiver.py

In a third terminal, send the agent a message: `svc-admin messages send --to scout "Hello."`

`SVC_WEBHOOK_LISTEN` is the address to listen on, `127.0.0.1:9000` by default.
"""

import json
import os
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

# The largest delivery that is read, in bytes. Those of the hub are much smaller.
BODY_MAX = 4 * 1024 * 1024
# A delivery is repeated within minutes, or when somebody asks for it: so many ids are remembered.
IDS_MAX = 10_000


class Receiver(ThreadingHTTPServer):
    """The endpoint, with what its requests share."""

    def __init__(self, address: tuple[str, int], secret: str):
        super().__init__(address, Request)
        self.webhook = Webhook(secret)
        # What has been accepted and waits to be worked on.
        self.accepted: queue.Queue[tuple[str, str, dict]] = queue.Queue()


class Request(BaseHTTPRequestHandler):
    # A sender that falls silent does not hold its connection for longer, in seconds.
    timeout = 10

    def do_POST(self):
        if self.path != "/hook":
            return self.answer(404)
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > BODY_MAX:
            return self.answer(413)
        # The signature is by the bytes that arrived. A body that was parsed and written again would not match.
        body = self.rfile.read(int(length))
        headers = dict(self.headers.items())
        try:
            # This checks the signature, and that the delivery is at most five minutes old.
            event = self.server.webhook.verify(body, headers)
        except (WebhookVerificationError, ValueError) as error:
            # A malformed signature or body is a ValueError.
            print("refused:", error, flush=True)
            return self.answer(401)
        # The hub waits ten seconds for an answer and then tries again, so the work comes later. A program that must
        # not lose a delivery writes it to a disk before it answers.
        self.server.accepted.put((self.headers["webhook-id"], self.headers.get("svc-depth", "0"), event))
        return self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        """Prints nothing: what arrived is printed below."""


def work(accepted: queue.Queue) -> None:
    """Does something with each delivery, once."""
    # A dictionary keeps the order of its keys, so the oldest id is the first one.
    known: dict[str, None] = {}
    while True:
        delivery, depth, event = accepted.get()
        # The hub sends a delivery again when it did not see the answer; the id stays the same.
        if delivery in known:
            print(delivery, "again", flush=True)
            continue
        # Whoever sends messages because of this hands the depth on, in the header `Svc-Depth`.
        data = json.dumps(event["data"], ensure_ascii=False)
        print(delivery, event["type"], "at depth", f"{depth}:", data, flush=True)
        known[delivery] = None
        if len(known) > IDS_MAX:
            del known[next(iter(known))]


def main() -> None:
    secret = os.environ.get("SVC_WEBHOOK_SECRET")
    if not secret:
        raise SystemExit("set SVC_WEBHOOK_SECRET to the secret of a webhook")
    host, port = os.environ.get("SVC_WEBHOOK_LISTEN", "127.0.0.1:9000").rsplit(":", 1)
    with Receiver((host, int(port)), secret) as receiver:
        threading.Thread(target=work, args=[receiver.accepted], daemon=True).start()
        print(f"listening on http://{host}:{receiver.server_port}/hook", flush=True)
        try:
            receiver.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
