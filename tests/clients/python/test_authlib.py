"""The server through Authlib, as a web application in Python uses it."""

import unittest

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session, OAuthError

from hub import CALLBACK, ORIGIN, SCOUT, SCRIBE, WHOAMI, new_person


def document(path: str) -> dict:
    with requests.Session() as session:
        session.trust_env = False
        return session.get(f"{ORIGIN}/.well-known/{path}").json()


class Authlib(unittest.TestCase):
    def setUp(self):
        self.server = document("oauth-authorization-server")

    def session(self, method: str) -> OAuth2Session:
        metadata = {"client_name": "Example application", "redirect_uris": [CALLBACK]}
        with requests.Session() as session:
            session.trust_env = False
            client = session.post(
                self.server["registration_endpoint"], json={**metadata, "token_endpoint_auth_method": method}
            ).json()
        session = OAuth2Session(
            client["client_id"],
            client.get("client_secret"),
            token_endpoint_auth_method=client["token_endpoint_auth_method"],
            revocation_endpoint_auth_method=client["token_endpoint_auth_method"],
            token_endpoint=self.server["token_endpoint"],
            scope="mcp",
            redirect_uri=CALLBACK,
            code_challenge_method="S256",
        )
        session.trust_env = False
        self.addCleanup(session.close)
        return session

    def authorize(self, session: OAuth2Session, agent: str) -> tuple[str, str]:
        verifier = generate_token(48)
        address, self.state = session.create_authorization_url(
            self.server["authorization_endpoint"], code_verifier=verifier
        )
        with new_person() as person:
            return person.answer(address, agent), verifier

    def test_code_call_refresh_introspection_revocation(self):
        for method in ("none", "client_secret_basic", "client_secret_post"):
            with self.subTest(method):
                session = self.session(method)
                answer, verifier = self.authorize(session, SCRIBE)
                token = session.fetch_token(
                    authorization_response=answer, state=self.state, code_verifier=verifier
                )
                self.assertEqual(session.get(WHOAMI).json()["handle"], SCRIBE)
                # As if the hour were over: the session refreshes before it calls.
                session.token = {**token, "expires_at": 1}
                self.assertEqual(session.get(WHOAMI).json()["handle"], SCRIBE)
                self.assertNotEqual(session.token["refresh_token"], token["refresh_token"])
                if method != "none":
                    facts = session.introspect_token(
                        self.server["introspection_endpoint"], token=session.token["access_token"]
                    )
                    self.assertTrue(facts.json()["active"])
                revoked = session.revoke_token(
                    self.server["revocation_endpoint"], token=session.token["refresh_token"]
                )
                self.assertEqual(revoked.status_code, 200, revoked.text)
                self.assertEqual(session.get(WHOAMI).status_code, 401)

    def test_what_is_altered_gets_no_token(self):
        for change in ({"code_verifier": generate_token(48)}, {"redirect_uri": f"{CALLBACK}/elsewhere"}):
            with self.subTest(change):
                session = self.session("none")
                answer, verifier = self.authorize(session, SCOUT)
                sent = {"code_verifier": verifier, **change}
                with self.assertRaises(OAuthError) as refused:
                    session.fetch_token(authorization_response=answer, state=self.state, **sent)
                self.assertEqual(refused.exception.error, "invalid_grant")


if __name__ == "__main__":
    unittest.main()
