"""The second generation of the official MCP client for Python, in the newest revision and in an older one."""

import unittest
from contextlib import asynccontextmanager

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ResourceUpdated
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata
from mcp.types import ResourceUpdatedNotification

from journey import METADATA, ORIGIN, Journeys, Memory


class Second(Journeys, unittest.IsolatedAsyncioTestCase):
    revision = "2026-07-28"
    refusal = MCPError
    mode = "auto"

    @asynccontextmanager
    async def connect(self, key, path, told):
        async def hear(message):
            if isinstance(message, ResourceUpdatedNotification):
                await told.put(str(message.params.uri))

        async with self.client(path, hear, headers={"Authorization": f"Bearer {key}"}) as client:
            yield client

    @asynccontextmanager
    async def client(self, path, hear=None, **how):
        async with httpx2.AsyncClient(trust_env=False, timeout=60, **how) as http_client:
            transport = streamable_http_client(f"{ORIGIN}{path}", http_client=http_client)
            async with Client(transport, mode=self.mode, message_handler=hear) as client:
                yield client

    def authorized(self, chooser):
        async def hear():
            answer = chooser.answer
            return AuthorizationCodeResult(code=answer["code"], state=answer["state"], iss=answer["iss"])

        auth = OAuthClientProvider(
            server_url=f"{ORIGIN}/mcp",
            client_metadata=OAuthClientMetadata(**METADATA),
            storage=Memory(),
            redirect_handler=chooser.show,
            callback_handler=hear,
        )
        return self.client("/mcp", auth=auth)

    def piped(self, command, arguments, environment):
        program = StdioServerParameters(command=command, args=arguments, env=environment)
        return Client(program, mode=self.mode)

    @asynccontextmanager
    async def watch(self, agent, uri):
        async with agent.client.listen(resource_subscriptions=[uri]) as changes:

            async def next_one():
                async for change in changes:
                    if isinstance(change, ResourceUpdated):
                        return change.uri

            agent.told.get = next_one
            yield

    def spoken(self, client):
        return client.session.protocol_version


class Older(Second):
    revision = "2025-11-25"
    mode = "legacy"

    def watch(self, agent, uri):
        return self.subscribed(agent, uri)


if __name__ == "__main__":
    unittest.main()
