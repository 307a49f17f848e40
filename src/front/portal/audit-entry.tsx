/** One audit log entry: the credential, the request, and each changed field before and after. */
import { useState } from "preact/hooks";
import { api } from "../parts/api.ts";
import { Dialog, useAction } from "../parts/dialog.tsx";
import { Failure } from "../parts/failure.tsx";
import { CodeBlock, Id } from "../parts/id.tsx";
import { Facts } from "../parts/page.tsx";
import { Scrolled } from "../parts/scrolled.tsx";
import { Time } from "../parts/time.tsx";
import type { Schemas } from "./schemas.ts";
import { useMay } from "./session-context.ts";
import { frameTexts } from "./texts/frame.ts";
import { auditTexts } from "./texts/people.ts";

type Entry = Schemas["AuditEntry"];

const texts = auditTexts.details;

export function EntryDialog({ entry, person, onClose }: { entry: Entry; person: string; onClose: () => void }) {
  const { facts } = texts;
  const { columns, actors, actions, resources } = auditTexts;
  const id = (value: string | null) => (value ? <Id value={value} /> : "–");
  return (
    <Dialog title={`${texts.title} ${entry.sequence.toLocaleString()}`} open onClose={onClose}>
      <Facts
        items={[
          [columns.time, <Time at={entry.createdAt} />],
          [columns.action, `${resources[entry.resource]} ${actions[entry.action]}`],
          [columns.actor, actors[entry.actor]],
          [facts.person, person],
          ...(entry.operator ? [[facts.operator, entry.operator] as [string, string]] : []),
          ...(entry.reason ? [[facts.reason, entry.reason] as [string, string]] : []),
          [facts.credential, id(entry.keyId)],
          [facts.resource, id(entry.resourceId)],
          [facts.request, id(entry.requestId)],
          [facts.hash, <Id value={entry.hash} label={frameTexts.copied.hash} />],
        ]}
      />
      {entry.changed.length > 0 && <Changes entry={entry} />}
      <Proof entryId={entry.id} />
    </Dialog>
  );
}

function Changes({ entry: { changed, before, after } }: { entry: Entry }) {
  const shown = (values: Entry["before"], name: string) =>
    values && name in values ? (
      <code>{JSON.stringify(values[name])}</code>
    ) : (
      <span class="quiet">{texts.notLogged}</span>
    );
  return (
    <Scrolled label={texts.changes}>
      <table>
        <caption class="unseen">{texts.changes}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.field}</th>
            <th scope="col">{texts.before}</th>
            <th scope="col">{texts.after}</th>
          </tr>
        </thead>
        <tbody>
          {changed.map((name) => (
            <tr key={name}>
              <td data-head={texts.field}>{name}</td>
              <td data-head={texts.before}>{shown(before, name)}</td>
              <td data-head={texts.after}>{shown(after, name)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

/** The proof that the entry is part of the signed tree, on request. */
function Proof({ entryId }: { entryId: string }) {
  const may = useMay();
  const { busy, error, run } = useAction();
  const [proof, setProof] = useState<Schemas["AuditProof"]>();
  if (!may("get_audit_proof")) return null;
  const load = () => run(async () => setProof(await api("GET", `/audit/${entryId}/proof`)));
  return (
    <>
      <Failure error={error} retry={null} />
      {proof ? (
        <CodeBlock text={JSON.stringify(proof, null, 2)} label={texts.proof.title} />
      ) : (
        <button type="button" onClick={load} disabled={busy}>
          {texts.proof.button}
        </button>
      )}
    </>
  );
}
