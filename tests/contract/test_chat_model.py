"""What every chat model does alike, whatever stands behind it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from souvenance.errors import BadAnswer, ModelRefused, ModelUnreachable
from souvenance.models import structured
from souvenance.models.chat import OpenAIChat, Timeouts
from souvenance.models.fakes import ScriptedChat
from souvenance.models.ollama import OllamaChat
from souvenance.models.scripted import Fail, Hang, Refuse, Say, ScriptedServer, Stream, closed_url
from souvenance.ports import ChatMessage, ChatModel

SCHEMA = {
    "type": "object",
    "properties": {"mood": {"type": "string"}},
    "required": ["mood"],
    "additionalProperties": False,
}
HELLO = [ChatMessage("system", "Be brief."), ChatMessage("user", "Good evening, Odile.")]

#: Short, so that a hanging server costs a test little; none of these tests measures time.
QUICK = Timeouts(connect_s=2.0, read_s=0.2, total_s=2.0)


@pytest.fixture(autouse=True)
def _nothing_learnt_yet() -> None:
    """A port can come back within a run, and with it what was learnt about another server."""
    structured.forget_what_worked()


@asynccontextmanager
async def openai(*script: Any, **habits: Any) -> AsyncIterator[tuple[ChatModel, ScriptedServer]]:
    with ScriptedServer(script, **habits) as server:
        chat = OpenAIChat(server.url, "scripted", timeouts=QUICK)
        yield chat, server
        await chat.close()


@asynccontextmanager
async def ollama(*script: Any, **habits: Any) -> AsyncIterator[tuple[ChatModel, ScriptedServer]]:
    with ScriptedServer(script, ollama=True, **habits) as server:
        chat = OllamaChat(server.root, "scripted", timeouts=QUICK)
        yield chat, server
        await chat.close()


@asynccontextmanager
async def found_ollama(
    *script: Any, **habits: Any
) -> AsyncIterator[tuple[ChatModel, ScriptedServer]]:
    with ScriptedServer(script, ollama=True, **habits) as server:
        chat = OpenAIChat(server.url, "scripted", timeouts=QUICK)
        yield chat, server
        await chat.close()


@asynccontextmanager
async def in_process(*script: Any, **habits: Any) -> AsyncIterator[tuple[ChatModel, Any]]:
    lines = ["".join(s.pieces) if isinstance(s, Stream) else s.text for s in script]
    yield ScriptedChat(lines, answers=lines, then='{"mood": ""}'), None


SERVED = [openai, ollama, found_ollama]
Opening = Callable[..., Any]


async def reply(chat: ChatModel, **options: Any) -> str:
    return "".join([piece async for piece in chat.stream(HELLO, **options)])


async def answer(chat: ChatModel) -> str:
    return await chat.answer_json(HELLO, schema=SCHEMA, schema_name="mood", max_tokens=50)


@pytest.mark.parametrize("opened", [*SERVED, in_process])
async def test_the_pieces_of_a_reply_make_its_text(opened: Opening) -> None:
    """Spaces and line breaks between pieces are part of the reply."""
    text = "Good evening,\nInès. « Ça va ? » 🌲"
    async with opened(Say(text)) as (chat, _):
        assert await reply(chat) == text


@pytest.mark.parametrize("opened", [*SERVED, in_process])
async def test_a_model_says_its_name_and_its_server(opened: Opening) -> None:
    """The engine compares servers to know whether a reflection stands in a turn's way."""
    async with opened() as (chat, server):
        assert chat.name == "scripted"
        assert chat.server == (server.root if server else "scripted")


@pytest.mark.parametrize("opened", SERVED)
@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (["<think>no</think>Yes."], "Yes."),
        (["<th", "ink>no", "</thi", "nk>\n\n", "Yes."], "Yes."),
        (["Yes", " <think>hm</think>", "indeed."], "Yes indeed."),
        (["Yes.", "<think>and then"], "Yes."),
        (["1 <", " 2 and <b>bold</b>"], "1 < 2 and <b>bold</b>"),
    ],
)
async def test_thoughts_are_not_shown(opened: Opening, pieces: list[str], shown: str) -> None:
    """They may be split over pieces, or never closed; other angle brackets are left alone."""
    async with opened(Stream(pieces)) as (chat, _):
        assert await reply(chat) == shown


@pytest.mark.parametrize("opened", SERVED)
@pytest.mark.parametrize("text", ["", "  \n", "<think>round and round"])
async def test_a_reply_of_nothing_is_an_error(opened: Opening, text: str) -> None:
    """An empty bubble would look like an answer; a model that only thought needs more tokens, and the error says so."""
    async with opened(Stream([text])) as (chat, _):
        with pytest.raises(BadAnswer, match="said nothing"):
            await reply(chat)


@pytest.mark.parametrize("opened", SERVED)
async def test_an_answer_under_a_schema_comes_back_raw(opened: Opening) -> None:
    """It is not parsed here: what cannot be parsed belongs in the failure inbox as it came."""
    async with opened(Say('{"mood": "calm"}')) as (chat, _):
        assert await answer(chat) == '{"mood": "calm"}'


@pytest.mark.parametrize("opened", SERVED)
async def test_a_truncated_answer_comes_back_as_it_is(opened: Opening) -> None:
    """Its first candidates are good; being cut is not a sign that the server ignores schemas."""
    async with opened(Say('{"mood": "cal', end="length")) as (chat, server):
        assert await answer(chat) == '{"mood": "cal'
        assert len(server.requests) == 1


@pytest.mark.parametrize("opened", SERVED)
async def test_thoughts_before_an_answer_are_stripped(opened: Opening) -> None:
    """What looks like JSON inside a thought is a draft."""
    async with opened(Say('<think>{"mood": "?"}</think>\n{"mood": "calm"}')) as (chat, _):
        assert await answer(chat) == '{"mood": "calm"}'


@pytest.mark.parametrize("opened", SERVED)
async def test_a_tag_inside_an_answer_is_somebodys_words(opened: Opening) -> None:
    """A person may talk about a tag; cutting there would cut the JSON."""
    text = json.dumps({"mood": "she typed </think> and laughed"})
    async with opened(Say(text)) as (chat, _):
        assert await answer(chat) == text


@pytest.mark.parametrize("opened", SERVED)
@pytest.mark.parametrize("status", [400, 422, 500])
async def test_a_server_that_refuses_schemas_is_asked_by_weaker_means_and_remembered(
    opened: Opening, status: int
) -> None:
    """Real servers refuse with any of these; asking the strong way each time would double every call."""
    habits = {"refuse": [Refuse("json_schema", status), Refuse("json_object", status)]}
    async with opened(Say('{"mood": "a"}'), Say('{"mood": "b"}'), **habits) as (chat, server):
        assert await answer(chat) == '{"mood": "a"}'
        assert len(server.requests) == 3
        assert '"mood"' in server.requests[-1].body["messages"][0]["content"]
        assert await answer(chat) == '{"mood": "b"}'
        assert len(server.requests) == 4


@pytest.mark.parametrize("opened", SERVED)
async def test_a_server_that_ignores_schemas_is_asked_by_weaker_means(opened: Opening) -> None:
    """Some accept the field without a word and answer prose."""
    prose = Say("I feel calm, thank you.")
    async with opened(prose, prose, Say('{"mood": "calm"}')) as (chat, server):
        assert await answer(chat) == '{"mood": "calm"}'
        assert len(server.requests) == 3


@pytest.mark.parametrize("opened", SERVED)
@pytest.mark.parametrize("trouble", [Fail(429), Fail(503), Fail(401), Hang(5)])
async def test_a_busy_server_is_not_one_that_lacks_a_feature(opened: Opening, trouble: Any) -> None:
    """Only the next attempt may tell; nothing is learnt from "wait a moment"."""
    async with opened(trouble, Say('{"mood": "calm"}')) as (chat, server):
        with pytest.raises((ModelRefused, ModelUnreachable)):
            await answer(chat)
        assert await answer(chat) == '{"mood": "calm"}'
        assert len(server.requests) == 2
        first, second = (
            r.body.get("format") or r.body.get("response_format") for r in server.requests
        )
        assert first == second


@pytest.mark.parametrize("opened", SERVED)
async def test_a_silent_server_is_left_after_the_read_timeout(opened: Opening) -> None:
    """A reply that never comes must end in an error that says what to do."""
    async with opened(Hang(30)) as (chat, _):
        with pytest.raises(ModelUnreachable, match="in time"):
            await reply(chat)


@pytest.mark.parametrize("opened", SERVED)
async def test_a_dripping_server_is_left_after_the_total_timeout(opened: Opening) -> None:
    """Bytes that keep coming restart the read timeout forever; the whole answer has a deadline of its own."""
    async with opened(Stream(["drop "] * 1000, delay_s=0.05)) as (chat, _):
        with pytest.raises(ModelUnreachable, match="in time"):
            await reply(chat)


@pytest.mark.parametrize("make", [OpenAIChat, OllamaChat])
async def test_a_closed_port_is_unreachable(make: Callable[..., ChatModel]) -> None:
    """The commonest failure: the server is not running, and the error says to check that."""
    chat = make(closed_url(), "scripted", timeouts=QUICK)
    with pytest.raises(ModelUnreachable, match="check that it is running"):
        await reply(chat)
    await chat.close()


@pytest.mark.parametrize("opened", SERVED)
@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503])
async def test_a_refusal_keeps_its_status(opened: Opening, status: int) -> None:
    """What is done next depends on it."""
    async with opened(Fail(status)) as (chat, _):
        with pytest.raises(ModelRefused) as caught:
            await reply(chat)
        assert caught.value.status == status


@pytest.mark.parametrize("make", [OpenAIChat, OllamaChat])
@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
async def test_no_error_holds_the_key_or_the_conversation(
    make: Callable[..., ChatModel], status: int
) -> None:
    """Some servers echo the request in their error, and errors end in logs."""
    key, secret = "sk-heron-4417", "the heron nests at dusk"
    echo = json.dumps({"error": {"message": f"{key} {secret}", "code": secret, "type": key}})
    with ScriptedServer([Fail(status, echo)], ollama=True) as server:
        chat = make(server.root + ("/v1" if make is OpenAIChat else ""), "m", api_key=key)
        with pytest.raises(ModelRefused) as caught:
            await anext(chat.stream([ChatMessage("user", secret)]))
        told = f"{caught.value} {caught.value!r} {chat!r} {caught.value.__cause__!r}"
        assert key not in told
        assert "heron" not in told
        assert server.requests[0].headers["authorization"] == f"Bearer {key}"
        await chat.close()


@pytest.mark.parametrize("opened", SERVED)
async def test_a_limit_of_tokens_reaches_the_server(opened: Opening) -> None:
    """A reflection that may run on forever would keep a small machine busy for minutes."""
    async with opened(Say("Yes.")) as (chat, server):
        await reply(chat, max_tokens=7)
        body = server.requests[0].body
        assert 7 in (body.get("max_tokens"), body.get("options", {}).get("num_predict"))


@pytest.mark.parametrize("opened", [ollama, found_ollama])
async def test_ollama_is_told_the_size_of_its_context(opened: Opening) -> None:
    """Its own default is short, and it cuts the persona without a word."""
    async with opened(Say("Yes.")) as (chat, server):
        await reply(chat)
        assert server.requests[0].path == "/api/chat"
        assert server.requests[0].body["options"]["num_ctx"] >= 4096


@pytest.mark.parametrize("opened", SERVED)
async def test_half_a_surrogate_in_a_message_is_no_obstacle(opened: Opening) -> None:
    """A cut emoji in a message once stored must not make every later turn fail."""
    async with opened(Say("Yes.")) as (chat, server):
        pieces = [p async for p in chat.stream([ChatMessage("user", "hm \ud83c")])]
        assert "".join(pieces) == "Yes."
        assert server.requests[0].body["messages"][0]["content"] == "hm ?"


@pytest.mark.parametrize("opened", SERVED)
async def test_leaving_a_reply_early_leaves_the_model_usable(opened: Opening) -> None:
    """A person who interrupts goes on talking."""
    async with opened(Stream(["one ", "two "], delay_s=0.01), Say("Yes.")) as (chat, _):
        pieces = chat.stream(HELLO)
        assert await anext(pieces) == "one "
        await pieces.aclose()  # type: ignore[attr-defined]
        assert await reply(chat) == "Yes."


async def test_the_real_schema_reaches_a_server_that_knows_no_schema() -> None:
    """Every step down and every repair sends the schema of reflection itself, not a small one made for tests."""
    from souvenance.models.chat import OpenAIChat
    from souvenance.models.structured import forget_what_worked
    from souvenance.ports import ChatMessage
    from souvenance.write.reflection import SCHEMA

    forget_what_worked()
    refusals = [Refuse("json_schema"), Refuse("json_object")]
    with ScriptedServer([Say('{"candidates": []}')] * 4, refuse=refusals) as server:
        chat = OpenAIChat(server.url, "small")
        asked = [ChatMessage("user", "I keep bees.")]
        answer = await chat.answer_json(
            asked, schema=SCHEMA, schema_name="reflection", max_tokens=100
        )
        await chat.close()
    assert answer == '{"candidates": []}'
    assert '"candidates"' in str(server.requests[-1])
