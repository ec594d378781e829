"""The first generation of the official MCP client for Python."""

import unittest
from contextlib import asynccontextmanager

import httpx
from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.auth import OAuthClientProvider
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata
from mcp.types import ResourceUpdatedNotification, ServerNotification

from journey import METADATA, ORIGIN, Journeys, Memory


@asynccontextmanager
async def session(hear, url, **how):
    async with (
        httpx.AsyncClient(trust_env=False, timeout=60, **how) as http_client,
        streamable_http_client(url, http_client=http_client) as (read, write, _),
        ClientSession(read, write, message_handler=hear) as client,
    ):
        client.greeting = await client.initialize()
        yield client


class First(Journeys, unittest.IsolatedAsyncioTestCase):
    revision = "2025-11-25"
    refusal = McpError

    @asynccontextmanager
    async def connect(self, key, path, told):
        async def hear(message):
            if isinstance(message, ServerNotification) and isinstance(message.root, ResourceUpdatedNotification):
                await told.put(str(message.root.params.uri))

        headers = {"Authorization": f"Bearer {key}"}
        async with session(hear, f"{ORIGIN}{path}", headers=headers) as client:
            yield client

    def authorized(self, chooser):
        async def hear():
            return chooser.answer["code"], chooser.answer["state"]

        auth = OAuthClientProvider(
            server_url=f"{ORIGIN}/mcp",
            client_metadata=OAuthClientMetadata(**METADATA),
            storage=Memory(),
            redirect_handler=chooser.show,
            callback_handler=hear,
        )
        return session(None, f"{ORIGIN}/mcp", auth=auth)

    @asynccontextmanager
    async def piped(self, command, arguments, environment):
        program = StdioServerParameters(command=command, args=arguments, env=environment)
        async with stdio_client(program) as (read, write), ClientSession(read, write) as client:
            await client.initialize()
            yield client

    def spoken(self, client):
        return client.greeting.protocolVersion


if __name__ == "__main__":
    unittest.main()
