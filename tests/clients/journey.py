"""What every generation of the official MCP client for Python is put through. It needs nothing but Python
itself, because the generations cannot be installed beside each other.

A suite says how its client connects; whatever that hands out is asked in the words that both generations
share, and its answers are compared as they are written in JSON.
"""

import asyncio
import json
import logging
import os
import re
import subprocess
import uuid
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from person import Person

ORIGIN = os.environ["SVC_URL"]
PROGRAMS = Path(os.environ["SVC_PROGRAMS"])
# The table of all tools that every client goes by.
STEPS = json.loads((Path(__file__).parent / "tools.json").read_text())
PROMPTS = ["daily-digest", "agent-health-check", "channel-overview", "debug-agent"]


# Nobody listens there: the browser stops before it.
CALLBACK = "http://127.0.0.1:9/callback"
METADATA = {
    "client_name": "Example client",
    "redirect_uris": [CALLBACK],
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
    "token_endpoint_auth_method": "none",
}


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


class Chooser:
    """A person who is asked by a program, and lets it act as an agent."""

    def __init__(self, agent: str):
        self.agent, self.answer = agent, {}

    async def show(self, address: str) -> None:
        with Person(ORIGIN, os.environ["SVC_USERNAME"], os.environ["SVC_PASSWORD"]) as person:
            query = parse_qs(urlsplit(person.answer(address, self.agent)).query)
            self.answer = {name: values[0] for name, values in query.items()}


def new_agent() -> tuple[str, str]:
    """The name and the key of a new agent, for tests that want an inbox for themselves."""
    name = f"agent-{uuid.uuid4().hex[:8]}"
    words = ["--output", "json", "agents", "create", name, "--owner", os.environ["SVC_KEEPER"]]
    made = subprocess.run([PROGRAMS / "svc-admin", *words], check=True, capture_output=True, text=True).stdout
    return name, json.loads(made)["key"]


def found(value, path: str):
    """What stands at `messages.0.id`."""
    for key in path.split("."):
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def filled(value, kept: dict):
    """The same with what `$name` stands for."""
    if isinstance(value, str):
        whole = re.fullmatch(r"\$([a-z]+)", value)
        return kept[whole[1]] if whole else re.sub(r"\$([a-z]+)", lambda name: str(kept[name[1]]), value)
    if isinstance(value, list):
        return [filled(one, kept) for one in value]
    if isinstance(value, dict):
        return {name: filled(one, kept) for name, one in value.items()}
    return value


class Agent:
    """An agent with a client that acts for it."""

    def __init__(self, name: str, client, told: asyncio.Queue):
        self.name, self.client, self.told = name, client, told

    async def ask(self, method: str, *words, **named) -> dict:
        """What a method of the client answers, as it is written."""
        result = await getattr(self.client, method)(*words, **named)
        return result.model_dump(by_alias=True, mode="json", exclude_none=True)

    async def call(self, tool: str, arguments: dict) -> dict:
        return await self.ask("call_tool", tool, arguments)


class Journeys:
    """The tests. A suite has them together with `unittest.IsolatedAsyncioTestCase`."""

    revision: str
    # What the client raises when the server refuses a request.
    refusal: type[Exception]

    def setUp(self):
        # What is refused on purpose below is logged by the client with a stack.
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)

    def connect(self, key: str, path: str, told: asyncio.Queue):
        """A client in an asynchronous context; it puts the resources that it is told of into `told`."""
        raise NotImplementedError

    def authorized(self, chooser: Chooser):
        """A client in an asynchronous context, without a key: its person is asked."""
        raise NotImplementedError

    def piped(self, command: str, arguments: list[str], environment: dict[str, str]):
        """A client in an asynchronous context, which starts a program and talks to it through pipes."""
        raise NotImplementedError

    def watch(self, agent: Agent, uri: str):
        """An asynchronous context in which the client is told of changes."""
        return self.subscribed(agent, uri)

    def spoken(self, client) -> str:
        """The revision that a client speaks."""
        raise NotImplementedError

    @asynccontextmanager
    async def subscribed(self, agent: Agent, uri: str):
        await agent.client.subscribe_resource(uri)
        yield
        await agent.client.unsubscribe_resource(uri)

    @asynccontextmanager
    async def agents(self, count: int = 2, path: str = "/mcp"):
        async with AsyncExitStack() as stack:
            made = []
            for _ in range(count):
                (name, key), told = new_agent(), asyncio.Queue()
                made.append(Agent(name, await stack.enter_async_context(self.connect(key, path, told)), told))
            yield made

    async def walk(self, one: Agent, two: Agent):
        """Calls every tool of the table, which are the tools that are listed."""
        tools = (await one.ask("list_tools"))["tools"]
        self.assertEqual(sorted(tool["name"] for tool in tools), sorted({step["tool"] for step in STEPS}))
        self.assertEqual((await two.ask("list_tools"))["tools"], tools)
        agents = {"one": one, "two": two}
        kept = {"one": one.name, "two": two.name, "room": f"room-{uuid.uuid4().hex[:8]}"}
        for step in STEPS:
            result = await agents[step["as"]].call(step["tool"], filled(step["arguments"], kept))
            with self.subTest(step["tool"], result=result):
                self.assertEqual(result.get("isError", False), step.get("refused", False))
                if step.get("refused"):
                    continue
                value = result["structuredContent"]
                self.assertEqual(json.loads(result["content"][0]["text"]), value)
                for path, wanted in step["expect"].items():
                    self.assertEqual(found(value, path), filled(wanted, kept), path)
                for name, path in step.get("keep", {}).items():
                    kept[name] = found(value, path)

    async def test_every_tool_is_listed_and_works(self):
        async with self.agents() as (one, two):
            self.assertEqual(self.spoken(one.client), self.revision)
            await self.walk(one, two)

    async def test_a_client_without_a_key_acts_as_the_agent_that_its_person_chose(self):
        chosen = os.environ["SVC_AGENTS"].split(" ")[1]
        async with self.authorized(Chooser(chosen)) as client:
            status = await Agent(chosen, client, asyncio.Queue()).call("my_status", {})
            self.assertEqual(status["structuredContent"]["you"]["name"], chosen)

    async def test_the_compact_profile_lists_few(self):
        async with self.agents(1, "/mcp?tools=compact") as (one,):
            names = [tool["name"] for tool in (await one.ask("list_tools"))["tools"]]
            self.assertLessEqual(len(names), 10)
            self.assertIn("call_action", names)

    async def test_a_mistake_is_told_with_its_code(self):
        async with self.agents() as (one, two):
            for tool, arguments, code, hint in [
                ("send_message", {"to": two.name, "body": "x", "colour": "red"}, "validation_failed", "colour"),
                ("send_message", {"to": two.name, "body": ["x"]}, "validation_failed", "body"),
                ("get_message", {"id": 999_999_999}, "not_found", ""),
            ]:
                result = await one.call(tool, arguments)
                with self.subTest(tool, arguments=arguments):
                    self.assertIs(result["isError"], True)
                    told = json.loads(result["content"][0]["text"])
                    self.assertEqual(told["code"], code)
                    self.assertIn(hint, json.dumps(told))
            with self.assertRaisesRegex(self.refusal, "Unknown tool: send_mesage.*send_message"):
                await one.call("send_mesage", {"to": two.name, "body": "x"})
            status = await one.call("my_status", {})
            self.assertEqual(status["structuredContent"]["you"]["name"], one.name)

    async def test_prompts_have_figures_and_say_what_is_missing(self):
        async with self.agents(1) as (one,):
            listed = (await one.ask("list_prompts"))["prompts"]
            self.assertEqual([prompt["name"] for prompt in listed], PROMPTS)
            for name in PROMPTS:
                arguments = {"agent_name": one.name} if name == "debug-agent" else {}
                text = (await one.ask("get_prompt", name, arguments))["messages"][0]["content"]["text"]
                self.assertLessEqual(len(text.encode()), 8192, name)
            self.assertIn(one.name, text)
            for name, word in [("debug-agent", "agent_name"), ("weekly-digest", "weekly-digest")]:
                with self.assertRaisesRegex(self.refusal, word):
                    await one.ask("get_prompt", name, {})

    async def test_resources_are_listed_read_and_watched(self):
        async with self.agents() as (one, two):
            room = f"room-{uuid.uuid4().hex[:8]}"
            await one.call("create_channel", {"name": room, "members": [two.name]})
            uris = [resource["uri"] for resource in (await two.ask("list_resources"))["resources"]]
            self.assertIn("svc://inbox", uris)
            self.assertIn(f"svc://channels/{room}", uris)
            templates = (await two.ask("list_resource_templates"))["resourceTemplates"]
            self.assertIn("svc://messages/{id}", [template["uriTemplate"] for template in templates])
            sent = await one.call("send_channel_message", {"channel": room, "body": "To be read."})
            uri = f"svc://messages/{sent['structuredContent']['id']}"
            content = (await two.ask("read_resource", uri))["contents"][0]
            self.assertEqual(content["uri"], uri)
            self.assertIn("To be read.", content["text"])
            for missing in ("svc://messages/999999999", "svc://nowhere"):
                with self.assertRaises(self.refusal):
                    await two.ask("read_resource", missing)
            for uri, tool, arguments in [
                ("svc://inbox", "send_message", {"to": two.name, "body": "for your inbox"}),
                (f"svc://channels/{room}", "send_channel_message", {"channel": room, "body": "for all"}),
            ]:
                async with self.watch(two, uri):
                    await one.call(tool, arguments)
                    self.assertEqual(await asyncio.wait_for(two.told.get(), 10), uri)



    async def test_every_tool_works_through_pipes_beside_the_data_and_far_from_it(self):
        async with AsyncExitStack() as stack:
            made = []
            for arguments in (["--data", os.environ["SVC_DATA"]], ["--url", ORIGIN]):
                name, key = new_agent()
                program = self.piped(str(PROGRAMS / "svc-mcp-stdio"), arguments, {"SVC_AGENT_KEY": key})
                made.append(Agent(name, await stack.enter_async_context(program), asyncio.Queue()))
            await self.walk(*made)
