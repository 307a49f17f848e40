"""
Receives the stream of an audit log on PORT, behind your TLS proxy. Appends each part to FILE after it has checked that
the part continues the log: the signature, the chain of hashes, and the tree under a signed checkpoint that extends the
last one. KEY is what `botstead audit key` prints; SECRET is of the response to POST /audit/stream.
Python's standard library only.
"""

import base64
import datetime
import hashlib
import hmac
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from verify_audit_proof import check_consistency, check_content, node, quoted, read_checkpoint


def is_botsteads(secret, headers, raw_body):
    timestamp = headers.get("x-botstead-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdecimal()) or abs(time.time() - int(timestamp)) > 300:
        return False
    expected = hmac.new(secret.encode(), f"v1:{timestamp}:".encode() + raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), headers.get("x-botstead-signature", "").encode())


def without_nulls(value):
    """A value of JSON as events of OCSF show it: without the fields that are null."""
    if isinstance(value, dict):
        return {name: without_nulls(each) for name, each in value.items() if each is not None}
    return [without_nulls(each) for each in value] if isinstance(value, list) else value


def as_entry(event, content):
    """The fields of an entry that an event of OCSF shows. Raises AssertionError if the content, which the hash covers, has others."""
    fields, changed, before, after = content.rsplit("\n", 3)
    shown, actor, entity, result = event["metadata"], event["actor"], event["entity"], event.get("entity_result", {})
    user = actor.get("user", {})
    activity, action = event["activity_id"], {1: "created", 3: "updated", 4: "deleted"}[event["activity_id"]]
    texts = [actor["app_name"], actor.get("app_uid", ""), user.get("uid", ""), quoted(user.get("name")), quoted(event.get("comment"))]
    texts += [shown.get("correlation_uid", ""), action, entity["type"], entity.get("uid", "")]
    assert "\n".join(texts) == fields and event["type_uid"] == 300400 + activity, "the event is of another entry"
    assert not user or user.get("credential_uid", "") == texts[1], "the credential is of another entry"
    assert "{%s}" % ",".join(event["unmapped"]["changed"]) == changed, "the changed fields are of another entry"
    values = {"data": without_nulls(json.loads(after or "null"))}
    about = {name: entity[name] for name in ("type", "uid") if name in entity}
    assert entity.get("data") == without_nulls(json.loads(before or "null")), "the old values are of another entry"
    assert result == ({} if action == "deleted" else about | without_nulls(values)), "the new values are of another entry"
    time = int(shown["uid"].replace("-", "")[:12], 16)
    original = datetime.datetime.fromisoformat(shown["original_time"].replace("Z", "+00:00")).timestamp()
    assert event["time"] == time == round(original * 1000), "the time is of another entry"
    return {"id": shown["uid"], "sequence": shown["sequence"], "hash": event["unmapped"]["hash"]}


def root_of_run(leaves, index, hashes, first, size):
    """The root of the subtree with `size` leaves from `first` on: from a run of its leaves, and what lies beside the run."""
    if first >= index + len(leaves) or first + size <= index:
        return next(hashes)
    if size == 1:
        return leaves[first - index]
    left = 1 << (size - 1).bit_length() - 1  # the largest power of two that is smaller
    return node(
        root_of_run(leaves, index, hashes, first, left),
        root_of_run(leaves, index, hashes, first + left, size - left),
    )


class Log:
    def __init__(self, file, organisation, key):
        self.file, self.organisation, self.key = file, organisation, key
        self.head, self.roots = None, {}
        with open(file, encoding="utf8") if os.path.exists(file) else open(os.devnull) as lines:
            for line in lines:
                self.store_head(json.loads(line)["head"])

    def store_head(self, head):
        self.head = head
        if head["key"] == self.key:  # a log with another key has a tree of its own
            self.roots[head["size"]] = base64.b64decode(head["root"])

    def accept(self, part):
        """Stores the new entries of a part. Returns their number. Raises AssertionError if it does not continue the log."""
        if self.head and self.head["part"] == part["id"]:
            return 0  # the response to this part was lost
        assert part["organisationId"] == self.organisation, "the part is of another organisation"
        proof = part["data"]["proof"]
        head, hashes = self.check_chain(part["data"], proof)
        size, root = self.check_tree(proof, hashes)
        if self.head and head["sequence"] <= self.head["sequence"]:
            return 0  # sent again on request
        new = min(len(hashes), head["sequence"] - (self.head or {"sequence": 0})["sequence"])
        head |= {"part": part["id"], "key": self.key, "size": size, "root": base64.b64encode(root).decode()}
        with open(self.file, "a", encoding="utf8") as lines:
            lines.write(json.dumps({"entries": part["data"]["entries"][-new:], "head": head}) + "\n")
            lines.flush()
            os.fsync(lines.fileno())
        self.store_head(head)
        return new

    def check_chain(self, data, proof):
        """The sequence and hash of the last entry, and the hash of each entry by its sequence."""
        known = self.head or {"sequence": None, "hash": None}
        previous, hashes, dropped = proof["previousHash"], {}, known.get("dropped")
        assert previous and data["entries"] and len(data["entries"]) == len(data["contents"]), "the part is incomplete"
        for listed, content in zip(data["entries"], data["contents"]):
            entry = listed if data["format"] == "entries" else as_entry(listed, content)
            if not hashes:
                sequence = entry["sequence"] - 1
                if known["sequence"] is not None and sequence > known["sequence"]:
                    gap = {"firstSequence": known["sequence"] + 1, "lastSequence": sequence}
                    assert proof["dropped"] == gap, "entries are missing before the part"
                    dropped = {"sequence": sequence, "hash": previous}
                begin = hashlib.sha256(self.organisation.encode()).hexdigest() if sequence == 0 else known["hash"]
                assert sequence not in (0, known["sequence"]) or previous == begin, "the part follows another entry"
            assert entry["sequence"] == sequence + 1, "the entries are not in order"
            if data["format"] == "entries":
                check_content(entry, {"content": content, "previousHash": previous}, self.organisation)
            text = f"{self.organisation}\n{entry['sequence']}\n{entry['id']}\n{content}".encode()
            previous = hashlib.sha256(bytes.fromhex(previous) + text).hexdigest()
            assert entry["hash"] == previous, "the hash is of another content"
            sequence += 1
            hashes[sequence] = previous
            assert sequence != known["sequence"] or previous == known["hash"], "the entry was received with another hash"
            if dropped and records(content, dropped):
                dropped = None
        return {"sequence": sequence, "hash": previous, "dropped": dropped}, hashes

    def check_tree(self, proof, hashes):
        """The size and root of the checkpoint. Every entry is in its tree, and the tree extends the known one."""
        size, root = read_checkpoint(proof["checkpoint"], self.key)
        expected = min(hashes)
        for run in proof["leaves"]:
            assert run["firstSequence"] == expected, "an entry has no leaf"
            expected = run["lastSequence"] + 1
            numbers = range(run["firstSequence"], expected)
            text = "botstead audit entry v1\n{}\n{}\n{}\n"
            leaves = [
                hashlib.sha256(b"\x00" + text.format(self.organisation, number, hashes[number]).encode()).digest()
                for number in numbers
            ]
            beside = iter([base64.b64decode(each) for each in run["hashes"]])
            assert 0 <= run["leafIndex"] <= size - len(leaves), "the leaf is not in the tree"
            assert root_of_run(leaves, run["leafIndex"], beside, 0, size) == root, "the entries are not in the tree"
        assert expected == max(hashes) + 1, "an entry has no leaf"
        if self.roots:
            assert proof["consistency"], "the part does not prove that its checkpoint extends the known one"
            old = proof["consistency"]["treeSize"]
            assert old in self.roots and size >= max(self.roots), "the checkpoint does not extend the known one"
            check_consistency(old, self.roots[old], size, root, [base64.b64decode(each) for each in proof["consistency"]["hashes"]])
        return size, root


def records(content, dropped):
    """Whether the entry records that retention dropped the entries up to this one. It is in the log before they go."""
    fields, _, before, _ = content.rsplit("\n", 3)
    action, resource = fields.split("\n")[6:8]
    values = json.loads(before or "{}")
    return (action, resource, values.get("throughSequence"), values.get("throughHash")) == (
        "deleted", "audit_log", dropped["sequence"], dropped["hash"],
    )  # fmt: skip


MAX_BYTES = 8 * 1024 * 1024


def receiver_of(log, secret):
    lock = threading.Lock()  # parts come one after the other, but a delayed repetition can meet the next

    class Receiver(BaseHTTPRequestHandler):
        timeout = 10  # seconds without a byte

        def do_POST(self):
            length = self.headers.get("content-length", "")
            if not (length.isascii() and length.isdecimal()):
                self.close_connection, status, said = True, 411, "refused: no length"
            elif int(length) > MAX_BYTES:
                self.close_connection, status, said = True, 413, "refused: too large"
            else:
                raw_body = self.rfile.read(int(length))  # the raw body
                with lock:
                    status, said = self.receive(raw_body)
            print(said, flush=True)
            self.send_response(status)
            self.send_header("content-length", "0")
            self.end_headers()

        def receive(self, raw_body):
            if not is_botsteads(secret, self.headers, raw_body):
                return 401, "refused: signature"
            try:
                new = log.accept(json.loads(raw_body))
            except (AssertionError, ValueError, KeyError, TypeError, StopIteration) as fault:
                return 422, f"refused: {fault}"
            waits = log.head["dropped"]
            note = f", dropped up to {waits['sequence']}, which no entry records yet" if waits else ""
            return 200, f"accepted: {new} entries up to {log.head['sequence']}{note}"

        def log_message(self, *_):
            pass

    return Receiver


if __name__ == "__main__":
    if len(sys.argv) != 4 or "SECRET" not in os.environ:
        print("usage: SECRET=whsec_… audit_receiver.py ORGANISATION KEY FILE", file=sys.stderr)
        sys.exit(2)
    opened = Log(sys.argv[3], sys.argv[1], sys.argv[2].strip())
    receiver = receiver_of(opened, os.environ["SECRET"])
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), receiver).serve_forever()
