"""Files and backups in a bucket: a server that keeps them in somebody else's S3."""

import base64
import hashlib
import http.client
import json
import os
import random
import subprocess
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import boto3
import requests
from moto.server import ThreadedMotoServer

PROGRAMS = Path(os.environ["SVC_PROGRAMS"])
KEYS = {"aws_access_key_id": "testing", "aws_secret_access_key": "testing", "region_name": "us-east-1"}

# More than anything here takes on a busy machine, in seconds.
PATIENCE = 120


class Between(BaseHTTPRequestHandler):
    """Passes requests on to the service, and fails those that it is told to."""

    protocol_version = "HTTP/1.1"
    server: "Proxy"

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.server.fails(self.command, self.path):
            self.server.failed += 1
            self.answer(500, [], b"", 0)
            return
        kept = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
        service = http.client.HTTPConnection(*self.server.service)
        service.request(self.command, self.path, body, kept)
        answer = service.getresponse()
        content = answer.read()
        # The answer to HEAD has the size of what it does not contain.
        size = int(answer.getheader("Content-Length", 0)) if self.command == "HEAD" else len(content)
        self.answer(answer.status, answer.getheaders(), content, size)
        service.close()

    def answer(self, status: int, headers: list[tuple[str, str]], content: bytes, size: int):
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(size))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: object):
        pass

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = pass_on


class Proxy(ThreadingHTTPServer):
    """A service that can be told to fail."""

    daemon_threads = True

    def __init__(self, service: tuple[str, int]):
        super().__init__(("127.0.0.1", 0), Between)
        self.service = service
        self.fails: Callable[[str, str], bool] = lambda method, path: False
        self.failed = 0


class Bucket(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.data = Path(place.name)
        s3 = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        s3.start()
        self.addCleanup(s3.stop)
        host, port = s3.get_host_and_port()
        self.endpoint = f"http://{host}:{port}"
        self.session = requests.Session()
        self.session.trust_env = False
        self.addCleanup(self.session.close)
        # The service keeps its buckets for the whole process; each test begins with an empty one.
        self.session.post(f"{self.endpoint}/moto-api/reset").raise_for_status()
        self.s3 = boto3.client("s3", endpoint_url=self.endpoint, **KEYS)
        self.s3.create_bucket(Bucket="files")

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "SVC_DATA": str(self.data / "data"),
            "SVC_ADMIN_SOCKET": str(self.data / "admin.sock"),
            "SVC_BCRYPT_COST": "4",
            "AWS_ENDPOINT": self.endpoint,
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
        }

    def command(self, url: str) -> list[str]:
        return [
            str(PROGRAMS / "svc-http"),
            *("--data", str(self.data / "data"), "--listen", "127.0.0.1:0", "--blob-url", url, "--log-level", "warn"),
        ]

    def serve(self) -> str:
        server = subprocess.Popen(
            self.command("s3://files/svc/one"), env=self.environment(), stdout=subprocess.PIPE, text=True
        )
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        self.addCleanup(server.stdout.close)
        for line in server.stdout:
            if line.startswith("svc is listening on "):
                return line.removeprefix("svc is listening on ").strip()
        self.fail("the server ended before it listened")

    def admin(self, *arguments: str) -> str:
        command = [str(PROGRAMS / "svc-admin"), *arguments]
        ran = subprocess.run(command, env=self.environment(), capture_output=True, text=True, check=True)
        return ran.stdout.strip()

    def refused(self, *arguments: str) -> str:
        command = [str(PROGRAMS / "svc-admin"), *arguments]
        ran = subprocess.run(command, env=self.environment(), capture_output=True, text=True)
        self.assertEqual(ran.returncode, 1, ran)
        return ran.stderr

    def names(self) -> list[str]:
        found = self.s3.list_objects_v2(Bucket="files").get("Contents", [])
        return sorted(entry["Key"] for entry in found)

    def test_files_are_kept_in_the_bucket(self):
        origin = self.serve()
        self.admin("users", "create", "ann")
        key = self.admin("agents", "create", "scribe", "--owner", "ann")
        self.session.headers["Authorization"] = f"Bearer {key}"
        # The second is sent in several parts.
        for content in (b"a few words", b"0123456789" * 1_300_000):
            with self.subTest(len(content)):
                made = self.session.post(f"{origin}/api/attachments", files={"file": ("notes.txt", content)})
                self.assertEqual(made.status_code, 201, made.text)
                digest = hashlib.sha256(content).hexdigest()
                name = f"svc/one/{digest[:2]}/{digest}"
                self.assertIn(name, self.names())
                self.assertEqual(self.s3.get_object(Bucket="files", Key=name)["Body"].read(), content)
                address = f"{origin}/api/attachments/{digest}"
                self.assertEqual(self.session.get(address).content, content)
                part = self.session.get(address, headers={"Range": "bytes=2-6"})
                self.assertEqual((part.status_code, part.content), (206, content[2:7]))
        archive = str(self.data / "files.tar.gz")
        self.admin("attachments", "backup", archive)
        lost = self.names()[0]
        self.s3.delete_object(Bucket="files", Key=lost)
        self.admin("attachments", "restore", archive)
        self.assertIn(lost, self.names())
        refused = self.session.post(f"{origin}/api/attachments", files={"file": ("a.zip", b"PK\x03\x04\0")})
        # The two files, and the name of the hub that they belong to.
        self.assertEqual((refused.status_code, len(self.names())), (415, 3))
        self.assertIn("svc/one/hub.json", self.names())
        self.assertFalse((self.data / "data" / "blobs").exists())

    def test_another_hub_does_not_open_the_bucket(self):
        self.serve()
        command = self.command("s3://files/svc/one")
        command[command.index("--data") + 1] = str(self.data / "other")
        environment = {**self.environment(), "SVC_ADMIN_SOCKET": str(self.data / "other.sock")}
        ran = subprocess.run(command, env=environment, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("belong to the hub", ran.stderr)

    def test_a_damaged_file_is_told_and_restored(self):
        origin = self.serve()
        self.admin("users", "create", "ann")
        self.session.headers["Authorization"] = f"Bearer {self.admin('agents', 'create', 'scribe', '--owner', 'ann')}"
        made = self.session.post(f"{origin}/api/attachments", files={"file": ("notes.txt", b"a few words")})
        digest = made.json()["hash"]
        address, name = f"{origin}/api/attachments/{digest}", f"svc/one/{digest[:2]}/{digest}"
        self.assertEqual(self.session.get(address).content, b"a few words")
        archive = str(self.data / "files.tar.gz")
        self.admin("attachments", "backup", archive)
        self.s3.put_object(Bucket="files", Key=name, Body=b"other words")
        answer = self.session.get(address)
        self.assertEqual((answer.status_code, answer.json()["code"]), (500, "attachment_damaged"))
        self.admin("attachments", "restore", archive)
        self.assertEqual(self.session.get(address).content, b"a few words")

    def test_a_bucket_that_is_not_there_is_told_at_the_start(self):
        ran = subprocess.run(self.command("s3://nothing"), env=self.environment(), capture_output=True, text=True)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("The bucket nothing does not answer", ran.stderr)

    def proxy(self) -> Proxy:
        """Puts something between the server and the service that can fail."""
        host, port = self.endpoint.removeprefix("http://").split(":")
        proxy = Proxy((host, int(port)))
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        self.addCleanup(proxy.server_close)
        self.addCleanup(proxy.shutdown)
        self.endpoint = f"http://127.0.0.1:{proxy.server_address[1]}"
        return proxy

    def upload_noise(self, origin: str) -> tuple[str, bytes]:
        """Uploads a text of which an archive has two parts; returns its hash and its content."""
        self.admin("users", "create", "ann")
        key = self.admin("agents", "create", "scribe", "--owner", "ann")
        content = base64.b64encode(random.Random(7).randbytes(9_000_000))
        files, headers = {"file": ("noise.txt", content)}, {"Authorization": f"Bearer {key}"}
        made = self.session.post(f"{origin}/api/attachments", files=files, headers=headers)
        self.assertEqual(made.status_code, 201, made.text)
        return made.json()["hash"], content

    def archives(self) -> list[str]:
        return [name for name in self.names() if name.startswith("backups/")]

    def scheduled(self, number: int) -> dict[str, object]:
        """Sets the schedule, which makes a backup at once, and waits until this many are listed; returns the newest."""
        self.admin("backup", "schedule", "--every", "24h", "--keep", "1", "--to", "s3://files/backups")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            listed = json.loads(self.admin("--output", "json", "backup", "list"))["backups"]
            if len(listed) >= number:
                self.assertEqual(len(listed), number, listed)
                return listed[0]
        self.fail("no backup was made")

    def until_archives_are(self, expected: list[str]):
        """Older ones are removed after the newest is listed."""
        end = time.monotonic() + PATIENCE
        while self.archives() != expected and time.monotonic() < end:
            pass
        self.assertEqual(self.archives(), expected)

    def test_scheduled_backups_are_kept_in_a_bucket_and_restored_from_it(self):
        digest, content = self.upload_noise(self.serve())
        first = self.scheduled(1)
        self.assertNotIn("error", first)
        name = f"backups/{first['name']}"
        self.assertEqual(self.archives(), [name])
        self.assertEqual(self.s3.head_object(Bucket="files", Key=name)["ContentLength"], first["size"])
        self.assertFalse((self.data / "data" / "backup.draft").exists())
        # The newest one is kept.
        second = self.scheduled(2)
        self.assertNotIn("error", second)
        self.until_archives_are([f"backups/{second['name']}"])

        archive = self.data / "fetched.tar.zst"
        self.s3.download_file("files", f"backups/{second['name']}", str(archive))
        self.assertIn("Every byte", self.admin("backup", "verify", str(archive)))
        other = str(self.data / "other")
        told = self.admin("--data", other, "backup", "restore", str(archive), "--blob-url", "s3://files/svc/two")
        self.assertIn("Restored into", told)
        stored = self.s3.get_object(Bucket="files", Key=f"svc/two/{digest[:2]}/{digest}")["Body"].read()
        self.assertEqual(stored, content)
        self.assertIn("svc/two/hub.json", self.names())

    def test_a_bucket_that_fails_in_the_middle_keeps_the_backup_before(self):
        proxy = self.proxy()
        self.upload_noise(self.serve())
        first = self.scheduled(1)
        self.assertNotIn("error", first)
        before = self.archives()
        # The first part is stored, the second is not.
        proxy.fails = lambda method, path: method == "PUT" and "/backups/" in path and "partNumber=2" in path
        failed = self.scheduled(2)
        self.assertIn("does not answer", str(failed["error"]))
        self.assertGreater(proxy.failed, 0)
        self.assertEqual(self.archives(), before)
        self.assertFalse((self.data / "data" / "backup.draft").exists())
        # It stores everything, and says nothing of it afterwards.
        proxy.fails = lambda method, path: method == "HEAD" and "/backups/" in path
        self.assertIn("does not answer", str(self.scheduled(3)["error"]))
        self.assertEqual(self.archives(), before)
        proxy.fails = lambda method, path: False
        fourth = self.scheduled(4)
        self.assertNotIn("error", fourth)
        self.until_archives_are([f"backups/{fourth['name']}"])

    def test_a_schedule_for_a_bucket_that_is_not_there_is_refused(self):
        self.serve()
        told = self.refused("backup", "schedule", "--to", "s3://nothing")
        self.assertIn("The bucket for backups does not answer", told)
        self.assertIn("fetch it from the bucket", self.refused("backup", "restore", "s3://files/backups/x.tar.zst"))


if __name__ == "__main__":
    unittest.main()
