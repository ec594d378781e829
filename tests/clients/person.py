"""Somebody in front of a browser without scripts.

Keeps cookies, goes where pages lead, and answers the forms that are really on them. A form that a
person could not send is not sent here either.
"""

import re
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

try:
    import httpx2
except ModuleNotFoundError:
    # The first generation of the MCP client comes with what httpx2 was made from.
    import httpx as httpx2

REDIRECTS_MOST = 10


class Page(HTMLParser):
    """A page as it was received, and the form on it."""

    def __init__(self, response: httpx2.Response):
        super().__init__()
        self.address = str(response.url)
        self.status = response.status_code
        self.form: dict[str, str | None] | None = None
        self.inputs: list[dict[str, str | None]] = []
        self.buttons: dict[str, dict[str, str | None]] = {}
        self._words: list[str] = []
        self._inside_form = False
        self._button: dict[str, str | None] | None = None
        self.feed(response.text)

    def handle_starttag(self, tag, attrs):
        if tag == "form" and self.form is None:
            self.form = dict(attrs)
            self._inside_form = True
        elif tag == "input" and self._inside_form:
            self.inputs.append(dict(attrs))
        elif tag == "button" and self._inside_form:
            self._button = dict(attrs)

    def handle_endtag(self, tag):
        if tag == "form":
            self._inside_form = False
        elif tag == "button":
            self._button = None

    def handle_data(self, data):
        self._words.append(data)
        if self._button is not None:
            self.buttons[data.strip()] = self._button

    def asks_for(self, name: str) -> bool:
        return any(field.get("name") == name for field in self.inputs)

    def filled_in(self, values: dict[str, str], press: str) -> dict[str, str]:
        """What a browser would send."""
        if press not in self.buttons:
            raise AssertionError(f'no button "{press}" on {self}')
        button = self.buttons[press]
        sent: dict[str, str] = {}
        required: set[str] = set()
        for field in self.inputs:
            name, kind = field.get("name"), field.get("type") or "text"
            if name is None or "disabled" in field:
                continue
            if "required" in field:
                required.add(name)
            written = field.get("value") or ""
            if kind in ("radio", "checkbox"):
                if values[name] == written if name in values else "checked" in field:
                    sent[name] = written
            elif kind == "hidden":
                sent[name] = written
            else:
                sent[name] = values.get(name, written)
        unanswered = [name for name, value in values.items() if sent.get(name) != value]
        missing = [name for name in required if not sent.get(name)]
        if unanswered or (missing and "formnovalidate" not in button):
            raise AssertionError(f"cannot send {unanswered or missing} on {self}")
        if button.get("name"):
            sent[button["name"]] = button.get("value") or ""
        return sent

    def __str__(self) -> str:
        text = re.sub(r"\s+", " ", "".join(self._words)).strip()
        return f"{urlsplit(self.address).path} ({self.status}): {text}"


class Person:
    def __init__(self, origin: str, username: str, password: str):
        self._origin = origin
        self._account = {"username": username, "password": password}
        self._browser = httpx2.Client(trust_env=False, headers={"Accept": "text/html"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._browser.close()

    def open(self, address: str) -> Page | str:
        """Opens an address and logs in if that is asked: the page, or the address of another site."""
        # That is what a browser says about a link on another site, and the strictest that it can say.
        place = self._go("GET", address, {"Sec-Fetch-Site": "cross-site"})
        if isinstance(place, Page) and place.asks_for("password"):
            return self._submit(place, self._account, "Log in")
        return place

    def answer(self, address: str, agent: str | None = None, press: str = "Allow") -> str:
        """Answers what a client asks, and says where the browser was sent with the answer."""
        place = self.open(address)
        if isinstance(place, Page):
            place = self._submit(place, {} if agent is None else {"agent": agent}, press)
        if isinstance(place, Page):
            raise AssertionError(f"the browser stayed on {place}")
        return place

    def _submit(self, page: Page, values: dict[str, str], press: str) -> Page | str:
        sent = page.filled_in(values, press)
        headers = {"Origin": self._origin, "Referer": page.address, "Sec-Fetch-Site": "same-origin"}
        target = urljoin(page.address, page.form.get("action") or "")
        return self._go((page.form.get("method") or "get").upper(), target, headers, sent)

    def _go(self, method: str, address: str, headers: dict[str, str], form: dict[str, str] | None = None):
        for _ in range(REDIRECTS_MOST):
            if not address.startswith(f"{self._origin}/"):
                return address
            response = self._browser.request(method, address, headers=headers, data=form)
            if "location" not in response.headers:
                return Page(response)
            address = urljoin(address, response.headers["location"])
            if response.status_code not in (307, 308):
                method, form = "GET", None
                headers = {"Sec-Fetch-Site": headers["Sec-Fetch-Site"]}
        raise AssertionError(f"led around in circles, last to {address}")
