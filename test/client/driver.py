"""Performs the steps of cases.json with the Python client. Reads a line of JSON for each and writes one for its outcome."""

import itertools
import json
import re
import sys
import traceback

import httpx
from botstead import Botstead, BotsteadError, DeliveryRejected, verify_delivery

# Names and units of the cases, and the names of the client.
SECONDS = {"timeoutMs": "timeout", "backoffMs": "backoff", "maxDelayMs": "max_delay"}


def snake_case(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


def arguments(given: dict) -> dict:
    return {
        SECONDS.get(name, snake_case(name)): value / 1000 if name in SECONDS else value for name, value in given.items()
    }


def called(client: Botstead, step: dict, address: dict) -> dict:
    how = step.get("how", "call")
    options = arguments(step.get("options", {}))
    body = {"body": step["body"]} if "body" in step else {}
    if how == "response":
        response = client.request(address["method"].upper(), address["path"], **body, **options)
        return {
            "status": response.status,
            "body": response.body,
            "requestId": response.request_id,
            "etag": response.etag,
            "replayed": response.replayed,
        }
    parameters = arguments({**step.get("path", {}), **step.get("query", {})})
    result = getattr(client, step["call"])(**parameters, **body, **options)
    if how == "call":
        return {"body": result.page() if hasattr(result, "page") else result}
    items = result.pages() if how == "pages" else result
    name = {"list": "rows", "pages": "pages", "watch": "events"}[how]
    return {name: list(itertools.islice(items, step.get("take")))}


def verified(body, headers: dict, secret, now) -> dict:
    outcome = {"event": verify_delivery(body, headers, secret, now=now)}
    # A framework can also pass pairs, and the body as bytes.
    raw = body.encode() if isinstance(body, str) else body
    assert outcome == {"event": verify_delivery(raw, list(headers.items()), secret, now=now)}
    return outcome


def perform(settings: dict, step: dict, address: dict) -> dict:
    try:
        if "verify" in step:
            return verified(**step["verify"])
        return called(Botstead(**arguments(settings), http_client=http), step, address)
    except DeliveryRejected as rejected:
        return {"rejected": rejected.reason}
    except BotsteadError as error:
        causes = [error.code, error.reason, error.request_id]
        assert all(cause in str(error) for cause in causes if cause), str(error)
        assert settings["key"] not in "".join(traceback.format_exception(error)) + repr(vars(error))
        return {
            "error": {
                "code": error.code,
                "message": error.message,
                "status": error.status,
                "requestId": error.request_id,
                "details": error.details,
                "reason": error.reason,
                "retryable": error.retryable,
                "retryAfterMs": None if error.retry_after is None else error.retry_after * 1000,
                "attempts": error.attempts,
            }
        }
    except ValueError:
        return {"invalid": True}


with httpx.Client() as http:  # one for all steps, because each loads the certificates of authorities
    for line in sys.stdin:
        print(json.dumps(perform(**json.loads(line))), flush=True)
