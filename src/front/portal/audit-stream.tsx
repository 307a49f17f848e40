/** The stream that sends the audit log to an endpoint: its state, and what can be done with it. */
import { useState } from "preact/hooks";
import { ApiError, api, useOne } from "../parts/api.ts";
import { Failure } from "../parts/failure.tsx";
import { optionsOf } from "../parts/filters.tsx";
import { type Edited, FormDialog, textOf } from "../parts/form-dialog.tsx";
import { type Fact, Facts, Loading, Section } from "../parts/page.tsx";
import { SelectField } from "../parts/select-field.tsx";
import { Time } from "../parts/time.tsx";
import { useInterval } from "../parts/use-interval.ts";
import { outcomeText } from "./delivery-outcome.ts";
import { UrlField } from "./endpoint-form.tsx";
import { showEndpointSecret } from "./endpoint-secret.tsx";
import { EndpointNotice, EndpointState } from "./endpoint-state.tsx";
import { OperationButton } from "./operation-button.tsx";
import { ReceiverActions } from "./receiver-actions.tsx";
import type { Schemas } from "./schemas.ts";
import { auditStreamTexts as texts } from "./texts/audit-stream.ts";
import { endpointTexts } from "./texts/endpoints.ts";

type Stream = Schemas["AuditStream"];
type Newest = { data: Pick<Schemas["AuditEntry"], "sequence">[] };

const path = "/audit/stream";
const operations = {
  update: "update_audit_stream",
  rotate: "rotate_audit_stream_secret",
  remove: "delete_audit_stream",
};
const refreshIntervalMs = 5_000;

export function AuditStream() {
  const { data, etag, error, reload } = useOne<Stream>(path);
  const { data: newest, reload: reloadNewest } = useOne<Newest>("/audit?limit=1");
  const [creating, setCreating] = useState(false);
  const isMissing = error instanceof ApiError && error.code === "not_found";
  const stream = isMissing ? undefined : data;
  const changed = () => {
    reload();
    reloadNewest();
  };
  useInterval(changed, stream ? refreshIntervalMs : null);
  const create = async (values: Values) => {
    showEndpointSecret(await api("POST", path, values));
    changed();
  };
  const actions = stream ? (
    <ReceiverActions
      receiver={stream}
      {...{ path, operations, etag, changed }}
      words={texts}
      present={presentOf(stream)}
      removed={changed}
      form={(onClose, save) => (
        <StreamForm words={texts.edit} present={stream} edited={{ etag, reload }} onClose={onClose} onSave={save} />
      )}
    />
  ) : (
    isMissing && (
      <OperationButton operation="create_audit_stream" onClick={() => setCreating(true)}>
        {texts.create.button}
      </OperationButton>
    )
  );
  return (
    <Section title={texts.title} beside={actions}>
      {isMissing && <p class="padded quiet">{texts.none}</p>}
      {!isMissing && <Failure error={error} retry={reload} />}
      {stream && <Shown stream={stream} newest={newest?.data[0]?.sequence} />}
      {!stream && !error && <Loading />}
      {creating && <StreamForm words={texts.create} onClose={() => setCreating(false)} onSave={create} />}
    </Section>
  );
}

const presentOf = (stream: Stream): Fact[] => [
  [endpointTexts.fields.url, <code>{stream.url}</code>],
  [texts.fields.format, texts.formats[stream.format]],
  [texts.fields.state, <EndpointState endpoint={stream} />],
  [texts.fields.last, <Time at={stream.lastDeliveryAt} relativeToo />],
];

function Shown({ stream, newest }: { stream: Stream; newest: number | undefined }) {
  const { afterSequence, lastStatusCode, lastFailure, nextAttemptAt } = stream;
  const further: Fact[] = [
    [texts.fields.sent, texts.sent(afterSequence, newest)],
    [texts.fields.outcome, outcomeText(lastStatusCode, lastFailure)],
  ];
  if (nextAttemptAt) further.push([texts.fields.next, <Time at={nextAttemptAt} relativeToo />]);
  return (
    <div>
      <EndpointNotice endpoint={stream} words={texts.notice} />
      <Facts items={[...presentOf(stream), ...further]} />
    </div>
  );
}

type Values = Pick<Stream, "url" | "format">;
type FormProps = {
  words: { title: string; action: string };
  present?: Values;
  edited?: Edited;
  onClose: () => void;
  onSave: (values: Values) => Promise<unknown>;
};

function StreamForm({ words, present, edited, onClose, onSave }: FormProps) {
  const valuesOf = (form: FormData): Values => ({
    url: textOf(form, "url").trim(),
    format: textOf(form, "format") as Values["format"],
  });
  return (
    <FormDialog {...words} edited={edited} onClose={onClose} onSubmit={(form) => onSave(valuesOf(form))}>
      {(errors) => (
        <>
          <UrlField present={present?.url} error={errors.url} />
          <SelectField
            name="format"
            label={texts.fields.format}
            options={optionsOf(texts.formats)}
            {...(present && { present: present.format })}
            error={errors.format}
          />
        </>
      )}
    </FormDialog>
  );
}
