"""The ways in which real servers stretch the OpenAI protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest

from souvenance.errors import BadAnswer, BadSetting, ModelError, ModelRefused, ModelUnreachable
from souvenance.models import structured
from souvenance.models.chat import OpenAIChat, Timeouts, may_be_ollama
from souvenance.models.ollama import OllamaChat
from souvenance.models.scripted import Cut, Fail, Raw, Refuse, Say, ScriptedServer, Stream
from souvenance.ports import ChatMessage

HELLO = [ChatMessage("user", "Hello.")]
QUICK = Timeouts(connect_s=2.0, read_s=1.0, total_s=3.0)


@pytest.fixture(autouse=True)
def _nothing_learnt_yet() -> None:
    structured.forget_what_worked()


async def replies(*script: Any, **habits: Any) -> tuple[str, ScriptedServer]:
    """The reply to the first request, and the server that gave it."""
    with ScriptedServer(script, **habits) as server:
        chat = OpenAIChat(server.url, "m", timeouts=QUICK)
        try:
            return "".join([p async for p in chat.stream(HELLO, max_tokens=5)]), server
        finally:
            await chat.close()


def event(**choice: Any) -> str:
    return f"data: {json.dumps({'choices': [choice]})}\n\n"


YES = event(delta={"content": "Yes."})
STOP = event(delta={}, finish_reason="stop")
STREAMS = {
    "as documented": f"{YES}{STOP}data: [DONE]\n\n",
    "CRLF": f"{YES}{STOP}data: [DONE]\n\n".replace("\n", "\r\n"),
    "keep-alive comments": f": ping\n\n{YES}: ping\n\n{STOP}",
    "no [DONE]": f"{YES}{STOP}",
    "no reason to stop": f"{YES}data: [DONE]\n\n",
    "neither": YES,
    "no blank line at the end": YES.rstrip("\n"),
    "no space after the colon": YES.replace("data: ", "data:"),
    "usage first and last": f'data: {{"choices": [], "usage": {{}}}}\n\n{YES}data: {{"choices": [], "usage": {{}}}}\n\n',
    "usage null": f'data: {{"choices": null, "usage": null}}\n\n{YES}',
    "reasoning apart": event(delta={"reasoning_content": "hm", "content": None}) + YES,
    "a role alone": event(delta={"role": "assistant"}) + YES,
    "content in pieces": event(
        delta={"content": [{"type": "text", "text": "Ye"}, {"type": "text", "text": "s."}, 3]}
    ),
    "message instead of delta": event(message={"content": "Yes."}),
    "text instead of delta": event(text="Yes."),
    "null delta": event(delta=None) + YES,
    "null error": f'data: {{"error": null, "choices": []}}\n\n{YES}',
    "after the end": f"{YES}{STOP}{event(delta={'content': ' No.'})}",
    "data over two lines": 'data: {"choices": [{"delta":\ndata: {"content": "Yes."}}]}\n\n',
    "event names": f"event: message\nid: 1\n{YES}",
    "one JSON object": json.dumps(
        {"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}]}
    ),
    "one object over lines": json.dumps({"choices": [{"message": {"content": "Yes."}}]}, indent=2),
}


@pytest.mark.parametrize("data", STREAMS.values(), ids=STREAMS.keys())
async def test_every_shape_of_a_reply_is_read(data: str) -> None:
    """Each was seen in some server, or is allowed by the standard of server-sent events."""
    assert (await replies(Raw(data.encode())))[0] == "Yes."


BROKEN = {
    "HTML": "<!doctype html><p>Sign in</p>",
    "words": "data: hello\n\n",
    "a list": "data: [1]\n\n",
    "a number": "data: 3\n\n",
    "another object": '{"detail": "Not Found"}',
    "choices of another type": 'data: {"choices": "x"}\n\n',
    "choices of numbers": 'data: {"choices": [1]}\n\n',
    "cut JSON": 'data: {"choices": [{"delta"',
    "deep": "data: " + "[" * 100_000 + "\n\n",
    "nothing": "",
    "nothing but the end": "data: [DONE]\n\n",
    "no events": "event: x\n\n",
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN.keys())
async def test_what_is_no_chat_answer_is_a_bad_answer(data: str) -> None:
    """A router's sign-in page or another service on that port gets a sentence, not a traceback."""
    with pytest.raises(BadAnswer):
        await replies(Raw(data.encode()))


@pytest.mark.parametrize(
    ("error", "status"),
    [({"message": "x"}, 500), ({"code": 429}, 429), ("overloaded", 500), ({"code": 7}, 500)],
)
async def test_an_error_in_the_stream_is_a_refusal(error: Any, status: int) -> None:
    """Some servers have answered 200 before they find out that they cannot."""
    with pytest.raises(ModelRefused) as caught:
        await replies(Raw(f"data: {json.dumps({'error': error})}\n\n".encode()))
    assert caught.value.status == status


@pytest.mark.parametrize("after", [0, 1, 60, 200])
async def test_a_cut_connection_is_unreachable(after: int) -> None:
    """Half a reply is not a reply; the person is told that it was cut."""
    with pytest.raises(ModelUnreachable, match="cut the connection"):
        await replies(Cut(after))


async def test_a_model_that_wants_another_name_for_the_limit_gets_it() -> None:
    """Some hosted models refuse `max_tokens` and take `max_completion_tokens`."""
    refusal = Fail(
        400, json.dumps({"error": {"code": "unsupported_parameter", "param": "max_tokens"}})
    )
    text, server = await replies(refusal, Say("Yes."))
    assert text == "Yes."
    assert server.requests[1].body["max_completion_tokens"] == 5
    assert "max_tokens" not in server.requests[1].body


async def test_json_object_is_the_second_means_and_carries_the_schema() -> None:
    """llama.cpp takes the schema there and refuses `json_schema` with a 500."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    with ScriptedServer(refuse=[Refuse("json_schema", 500)]) as server:
        chat = OpenAIChat(server.url, "m", timeouts=QUICK)
        raw = await chat.answer_json(HELLO, schema=schema, schema_name="s", max_tokens=9)
        await chat.close()
        assert json.loads(raw) == {"a": ""}
        assert [r.body["response_format"] for r in server.requests] == [
            {"type": "json_schema", "json_schema": {"name": "s", "schema": schema}},
            {"type": "json_object", "schema": schema},
        ]


async def test_what_worked_is_remembered_for_every_client_of_a_server() -> None:
    """Each engine, command and retry makes a client of its own."""
    schema = {"type": "object", "properties": {}, "required": []}
    with ScriptedServer(refuse=[Refuse("json_schema")]) as server:
        for requests in (2, 3):
            chat = OpenAIChat(server.url, "m", timeouts=QUICK)
            await chat.answer_json(HELLO, schema=schema, schema_name="s", max_tokens=9)
            await chat.close()
            assert len(server.requests) == requests
        other = OpenAIChat(server.url, "another", timeouts=QUICK)
        await other.answer_json(HELLO, schema=schema, schema_name="s", max_tokens=9)
        await other.close()
        assert len(server.requests) == 5


async def test_a_server_that_refuses_everything_says_why() -> None:
    """A wrong model name is refused by every means, and must not pass for a missing feature."""
    with ScriptedServer([Fail(404)] * 6) as server:
        chat = OpenAIChat(server.url, "m", timeouts=QUICK)
        for requests in (3, 6):
            with pytest.raises(ModelRefused, match="check the model name"):
                await chat.answer_json(HELLO, schema={}, schema_name="s", max_tokens=9)
            assert len(server.requests) == requests
        await chat.close()


async def test_the_schema_joins_the_system_message_when_asked_as_text() -> None:
    """A second system message is refused by some templates."""
    habits = {"refuse": [Refuse("json_schema"), Refuse("json_object")]}
    with ScriptedServer([Say('{"a": ""}')], **habits) as server:
        chat = OpenAIChat(server.url, "m", timeouts=QUICK)
        asked = [ChatMessage("system", "Be brief."), *HELLO]
        await chat.answer_json(asked, schema={"required": ["a"]}, schema_name="s", max_tokens=9)
        await chat.close()
        roles = [m["role"] for m in server.requests[-1].body["messages"]]
        assert roles == ["system", "user"]
        assert server.requests[-1].body["messages"][0]["content"].startswith("Be brief.")


# --- addresses and keys


@pytest.mark.parametrize(
    "url", ["", "localhost:8080", "ftp://x/v1", "http://", "http://[::1", "http://x:port/v1"]
)
@pytest.mark.parametrize("make", [OpenAIChat, OllamaChat])
def test_an_address_that_is_none_is_a_bad_setting(make: Any, url: str) -> None:
    """It is found when the client is made, not in the middle of a turn."""
    with pytest.raises(BadSetting, match="must look like"):
        make(url, "m")


@pytest.mark.parametrize("key", ["sk-é", "sk a", "sk-a\nHost: evil", "sk-a\0"])
def test_a_key_that_cannot_be_sent_is_a_bad_setting_that_hides_it(key: str) -> None:
    """Sent as it is, it would come back in the error of the HTTP library."""
    with pytest.raises(BadSetting) as caught:
        OpenAIChat("http://127.0.0.1:1/v1", "m", api_key=key)
    assert "sk" not in str(caught.value)


def test_a_password_in_an_address_is_not_shown() -> None:
    """The name of a server ends in `doctor` and in logs."""
    chat = OpenAIChat("https://me:hunter2@models.example/v1/?k=hunter2", "m")
    assert "hunter2" not in f"{chat.server} {chat!r}"
    assert chat.server == "https://models.example"


@pytest.mark.parametrize(
    ("url", "may"),
    [
        ("http://127.0.0.1:8080/v1", True), ("http://localhost:8080/v1", True), ("http://192.168.1.7:80/v1", True),
        ("http://ollama/v1", True), ("http://box.local/v1", True), ("https://gpu.example:11434/v1", True),
        ("http://[::1]:8080/v1", True), ("https://api.example.com/v1", False), ("https://8.8.8.8/v1", False),
    ],
)  # fmt: skip
def test_only_near_servers_are_asked_whether_they_are_ollama(url: str, may: bool) -> None:
    """A hosted server should see no request that nobody asked for."""
    assert may_be_ollama(url) is may


async def test_an_ollama_behind_the_openai_address_is_asked_once() -> None:
    """The question costs a request; its answer does not change."""
    with ScriptedServer([Say("Yes.")] * 2, ollama=True) as server:
        chat = OpenAIChat(server.url, "m", timeouts=QUICK, num_ctx=1234)
        for _ in range(2):
            assert [p async for p in chat.stream(HELLO)]
        await chat.close()
        assert [r.path for r in server.requests] == ["/api/chat"] * 2
        assert server.requests[0].body["options"]["num_ctx"] == 1234


async def test_a_proxy_variable_does_not_capture_local_traffic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Conversations with a local model must not pass through a company's proxy."""
    with ScriptedServer() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.root)
        assert (await replies(Say("Yes.")))[0] == "Yes."
        assert proxy.requests == []


async def test_a_client_serves_one_event_loop_after_another() -> None:
    """Scripts call `asyncio.run` several times with the same objects."""
    import asyncio

    with ScriptedServer([Say("One."), Say("Two.")]) as server:
        chat = OpenAIChat(server.url, "m", timeouts=QUICK)

        async def ask() -> str:
            return "".join([p async for p in chat.stream(HELLO)])

        assert await asyncio.to_thread(asyncio.run, ask()) == "One."
        assert await asyncio.to_thread(asyncio.run, ask()) == "Two."


async def test_an_ollama_error_line_is_a_refusal() -> None:
    """Ollama reports a crash of the model inside the stream."""
    with ScriptedServer([Raw(b'{"error": "heron"}\n')], ollama=True) as server:
        chat = OllamaChat(server.root, "m", timeouts=QUICK)
        with pytest.raises(ModelError) as caught:
            await anext(chat.stream(HELLO))
        assert "heron" not in str(caught.value)
        await chat.close()


@pytest.mark.parametrize("pieces", [["Ye", "s."], [" ", "Yes", "."]])
async def test_pieces_come_as_they_are_sent(pieces: list[str]) -> None:
    """A reply is read while it is written."""
    assert (await replies(Stream(pieces)))[0] == "Yes."


async def test_a_model_that_ollama_lacks_comes_with_the_command_that_gets_it() -> None:
    """The commonest mistake after installing Ollama."""
    with ScriptedServer([Fail(404)], ollama=True) as server:
        chat = OllamaChat(server.root, "mistral:7b", timeouts=QUICK)
        with pytest.raises(ModelRefused, match="ollama pull mistral:7b") as caught:
            await anext(chat.stream(HELLO))
        assert caught.value.status == 404
        await chat.close()
