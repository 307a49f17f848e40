"""Verifies proofs of the audit log without Botstead: Python's standard library only.

  verify_audit_proof.py entry ENTRY.json PROOF.json ORGANISATION KEY
      ENTRY: an entry of GET /audit. PROOF: GET /audit/{id}/proof. KEY: what `botstead audit key` prints.
  verify_audit_proof.py consistency OLD.txt NEW.txt PROOF.json KEY
      OLD, NEW: checkpoints; PROOF: a list of hashes in base64, from audit.consistency(old size).
"""
import base64, datetime, hashlib, json, sys

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P

def recover_x(y, sign):
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * pow(2, (P - 1) // 4, P) % P
    assert y < P and (x * x - square) % P == 0 and (x or not sign), "this is not a point of the curve"
    return P - x if x % 2 != sign else x

def add(a, b):
    product = D * a[0] * b[0] * a[1] * b[1]
    return ((a[0] * b[1] + b[0] * a[1]) * pow(1 + product, -1, P) % P,
            (a[1] * b[1] + a[0] * b[0]) * pow(1 - product, -1, P) % P)

def multiply(point, times):
    rest = multiply(add(point, point), times >> 1) if times > 1 else (0, 1)
    return add(rest, point) if times & 1 else rest

def decode(data):
    y = int.from_bytes(data, "little")
    return recover_x(y % 2**255, y >> 255), y % 2**255

def is_signed(public, message, signature):  # Ed25519, RFC 8032
    s = int.from_bytes(signature[32:], "little")
    base_y = 4 * pow(5, -1, P) % P
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % L
    left = multiply((recover_x(base_y, 0), base_y), s)
    return s < L and left == add(decode(signature[:32]), multiply(decode(public), k))

def read_checkpoint(note, key):
    """The size and the root of a checkpoint that the key signed."""
    name, key_hash, typed = key.strip().split("+", 2)
    typed = base64.b64decode(typed)
    assert typed[0] == 1 and hashlib.sha256(name.encode() + b"\n" + typed).hexdigest()[:8] == key_hash, "the key is damaged"
    text, _, signatures = note.rpartition("\n\n")
    text += "\n"
    for line in signatures.splitlines():
        dash, signer, signature = line.split(" ")
        data = base64.b64decode(signature)
        if dash == "—" and signer == name and data[:4].hex() == key_hash and is_signed(typed[1:], text.encode(), data[4:]):
            origin, size, root = text.split("\n")[:3]
            assert origin == name, "the checkpoint is of another log"
            return int(size), base64.b64decode(root)
    raise AssertionError("the key did not sign the checkpoint")

def node(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()

def steps(index, last, proof):  # RFC 9162, 2.1.3.2: each hash, and whether it is on the left
    for sibling in proof:
        assert last, "the proof is too long"
        is_left = index & 1 or index == last
        yield sibling, is_left
        while is_left and not index & 1 and index:
            index, last = index >> 1, last >> 1
        index, last = index >> 1, last >> 1
    assert last == 0, "the proof is too short"

def root_of_inclusion(leaf, index, size, proof):
    assert 0 <= index < size, "the leaf is not in the tree"
    root = hashlib.sha256(b"\x00" + leaf).digest()
    for sibling, is_left in steps(index, size - 1, proof):
        root = node(sibling, root) if is_left else node(root, sibling)
    return root

def check_consistency(old, old_root, size, root, proof):  # RFC 9162, 2.1.4.2
    if old == size:
        assert not proof and old_root == root, "the checkpoints differ"
        return
    assert 0 < old < size, "the new checkpoint is smaller"
    proof = ([old_root] if old & (old - 1) == 0 else []) + proof
    complete = (old & -old).bit_length() - 1  # the levels of the last complete subtree of the old tree
    before = after = proof[0]
    for sibling, is_left in steps(old - 1 >> complete, size - 1 >> complete, proof[1:]):
        before, after = (node(sibling, before), node(sibling, after)) if is_left else (before, node(after, sibling))
    assert before == old_root and after == root, "the new checkpoint does not extend the old one"

def quoted(text):  # as PostgreSQL writes a literal
    escaped = (text or "").replace("\\", "\\\\").replace("'", "''")
    return "NULL" if text is None else "E" * ("\\" in text) + f"'{escaped}'"

def check_content(entry, proof, organisation):
    names = "actor keyId userId operator reason requestId action resource resourceId".split()
    texts = [quoted(entry[name]) if name in ("operator", "reason") else entry[name] or "" for name in names]
    fields, changed, *values = proof["content"].rsplit("\n", 3)
    shown = ["\n".join(texts), "{%s}" % ",".join(entry["changed"]), entry["before"], entry["after"]]
    assert shown == [fields, changed, *(json.loads(value or "null") for value in values)], "the content is of another entry"
    time = datetime.datetime.fromisoformat(entry["createdAt"].replace("Z", "+00:00")).timestamp()
    assert round(time * 1000) == int(entry["id"].replace("-", "")[:12], 16), "the time is of another entry"
    text = f"{organisation}\n{entry['sequence']}\n{entry['id']}\n{proof['content']}".encode()
    assert hashlib.sha256(bytes.fromhex(proof["previousHash"]) + text).hexdigest() == entry["hash"], "the hash is of another content"

def main(kind, *arguments):
    *files, key = arguments
    if kind == "entry":
        entry, proof = (json.load(open(file)) for file in files[:2])
        check_content(entry, proof, files[2])
        leaf = f"botstead audit entry v1\n{files[2]}\n{entry['sequence']}\n{entry['hash']}\n"
        assert proof["leaf"] == leaf, "the proof is of another entry"
        size, root = read_checkpoint(proof["checkpoint"], key)
        hashes = [base64.b64decode(each) for each in proof["hashes"]]
        assert root_of_inclusion(leaf.encode(), proof["leafIndex"], size, hashes) == root, "the entry is not in the tree"
    else:
        (old, old_root), (size, root) = (read_checkpoint(open(file, encoding="utf8").read(), key) for file in files[:2])
        check_consistency(old, old_root, size, root, [base64.b64decode(each) for each in json.load(open(files[2]))])
    print("verified")

if __name__ == "__main__":
    if len(sys.argv) != 6:
        ways = ["entry ENTRY.json PROOF.json ORGANISATION KEY", "consistency OLD.txt NEW.txt PROOF.json KEY"]
        print("usage: " + ", or ".join("verify_audit_proof.py " + way for way in ways), file=sys.stderr)
        sys.exit(2)
    main(*sys.argv[1:])
