"""Files in a bucket: a server that keeps its attachments in somebody else's S3."""

import hashlib
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import boto3
import requests
from moto.server import ThreadedMotoServer

PROGRAMS = Path(os.environ["SVC_PROGRAMS"])
KEYS = {"aws_access_key_id": "testing", "aws_secret_access_key": "testing", "region_name": "us-east-1"}


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


if __name__ == "__main__":
    unittest.main()
