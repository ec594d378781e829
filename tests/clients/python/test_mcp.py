"""The official MCP client for Python: what it does when a server answers 401, until a call succeeds."""

import logging
import unittest

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError, OAuthTokenError
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

from hub import BOUND, CALLBACK, ORIGIN, SCOUT, SCRIBE, USERNAME, WHOAMI, new_person, parameters, whoami


class Memory:
    """What a program remembers between its runs."""

    def __init__(self):
        self.tokens = None
        self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


class Program:
    """A program that calls the server, and whose person is at hand."""

    def __init__(self, agent: str | None, method: str = "none", memory: Memory | None = None, press: str = "Allow"):
        self.memory = memory or Memory()
        self.times_asked = 0
        self.alter = lambda answer: answer
        self._agent, self._press = agent, press
        self.auth = OAuthClientProvider(
            server_url=WHOAMI,
            client_metadata=OAuthClientMetadata(
                client_name="Example client",
                redirect_uris=[CALLBACK],
                grant_types=["authorization_code", "refresh_token"],
                response_types=["code"],
                token_endpoint_auth_method=method,
            ),
            storage=self.memory,
            redirect_handler=self._show,
            callback_handler=self._hear,
        )

    async def _show(self, address: str) -> None:
        self.times_asked += 1
        with new_person() as person:
            self._answer = parameters(person.answer(address, self._agent, self._press))

    async def _hear(self) -> AuthorizationCodeResult:
        answer = self.alter(self._answer)
        return AuthorizationCodeResult(code=answer.get("code", ""), state=answer.get("state"), iss=answer.get("iss"))

    async def call(self) -> httpx2.Response:
        async with httpx2.AsyncClient(auth=self.auth, trust_env=False) as client:
            return await client.get(WHOAMI)

    def forget_validity(self) -> None:
        """As if the hour of the access token were over."""
        self.auth.context.token_expiry_time = 1


class Mcp(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        # What is refused on purpose below is logged there with a stack.
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)

    async def test_it_connects_as_the_chosen_agent_and_refreshes(self):
        for method in ("none", "client_secret_basic", "client_secret_post"):
            with self.subTest(method):
                program = Program(SCRIBE, method)
                response = await program.call()
                self.assertEqual(response.status_code, 200, response.text)
                found = response.json()
                self.assertEqual((found["handle"], found["kind"], found["owner"]), (SCRIBE, "agent", USERNAME))
                self.assertEqual(program.memory.client.client_secret is None, method == "none")
                self.assertEqual(program.memory.client.issuer, ORIGIN)
                before = program.memory.tokens
                self.assertEqual((before.scope, before.expires_in), ("mcp", 3600))

                program.forget_validity()
                self.assertEqual((await program.call()).json()["handle"], SCRIBE)
                after = program.memory.tokens
                self.assertNotEqual(after.access_token, before.access_token)
                self.assertNotEqual(after.refresh_token, before.refresh_token)
                self.assertEqual(program.times_asked, 1)

    async def test_a_program_that_starts_again_goes_on_without_its_person(self):
        first = Program(SCOUT)
        await first.call()
        again = Program(None, memory=first.memory)
        self.assertEqual((await again.call()).json()["handle"], SCOUT)
        self.assertEqual(again.times_asked, 0)

    async def test_a_replayed_refresh_token_ends_its_family_and_the_person_is_asked_again(self):
        program = Program(SCOUT)
        await program.call()
        stolen = program.memory.tokens
        for _ in range(2):
            program.forget_validity()
            await program.call()
        newest = program.memory.tokens
        program.auth.context.current_tokens = stolen
        program.forget_validity()
        self.assertEqual((await program.call()).json()["handle"], SCOUT)
        self.assertEqual(program.times_asked, 2)
        for token in (stolen.access_token, newest.access_token):
            self.assertEqual(whoami(token).status_code, 401)

    async def test_a_token_that_was_refused_leads_to_a_new_one(self):
        program = Program(SCOUT)
        await program.call()
        program.auth.context.current_tokens.access_token = "svct_nothing"
        self.assertEqual((await program.call()).json()["handle"], SCOUT)
        self.assertEqual(program.times_asked, 2)

    async def test_an_answer_that_was_tampered_with_is_not_taken(self):
        for change in ({"state": "another"}, {"iss": "https://elsewhere.example"}, {"iss": None}):
            with self.subTest(change):
                program = Program(SCOUT)
                program.alter = lambda answer, change=change: {**answer, **change}
                with self.assertRaises(OAuthFlowError):
                    await program.call()
                self.assertIsNone(program.memory.tokens)

    async def test_a_code_works_once(self):
        program = Program(SCOUT)
        kept = {}
        program.alter = lambda answer: kept.update(code=answer["code"]) or answer
        await program.call()
        token = program.memory.tokens.access_token
        second = Program(SCOUT, memory=program.memory)
        program.memory.tokens = None
        second.alter = lambda answer: {**answer, **kept}
        with self.assertRaisesRegex(OAuthTokenError, "invalid_grant"):
            await second.call()
        # It came with another verifier, so it proves nothing and ends nothing.
        self.assertEqual(whoami(token).status_code, 200)

    async def test_a_client_that_was_bound_to_an_agent_needs_no_person(self):
        client_id, secret = BOUND["client"]["client_id"], BOUND["client_secret"]
        auth = ClientCredentialsOAuthProvider(WHOAMI, Memory(), client_id, secret, issuer=ORIGIN)
        async with httpx2.AsyncClient(auth=auth, trust_env=False) as client:
            response = await client.get(WHOAMI)
        self.assertEqual(response.status_code, 200, response.text)
        self.assertEqual(response.json()["handle"], SCOUT)

    async def test_a_person_who_says_no_sends_no_code(self):
        program = Program(None, press="Deny")
        with self.assertRaisesRegex(OAuthFlowError, "No authorization code"):
            await program.call()


if __name__ == "__main__":
    unittest.main()
