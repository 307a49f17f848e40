/** Valid requests with one extreme value. */
import * as extremes from "./extremes.ts";
import type { Fixture, HostileRequest } from "./fixture.ts";
import { ofFormat } from "./fuzz-values.ts";
import { type Place, withRaw } from "./places.ts";

/** A request, its extreme value as JSON text, and whether it must be accepted, if known. */
export type Attempt = HostileRequest & { raw?: string; read?: boolean };
/** Created just before it is sent, because each request needs its own rows. */
export type Making = () => Promise<Attempt>;

/** The path with ids of existing rows. Each DELETE gets a row of its own. */
async function pathOf(fixture: Fixture, place: Place): Promise<string> {
  const { name } = place.operation;
  // Resuming uses the run of the example; reading uses a run that has ended.
  const own =
    name === "resume_run"
      ? await fixture.organisation.row("run")
      : (fixture.ids.own[place.operation.path.split("/")[1] ?? ""] ?? "");
  return place.operation.path.replace(/\{\w+\}/, own);
}

/** Each text, value and malformed piece in one field of an otherwise valid body. */
export async function attemptsInBody(fixture: Fixture, place: Place): Promise<Making[]> {
  const written = [
    ...Object.values(extremes.texts).map((each) => JSON.stringify(each)),
    ...Object.values(extremes.values),
    ...(ofFormat[place.schema.format] ?? []),
  ];
  const path = await pathOf(fixture, place);
  const made = async (raw: string | Buffer) => {
    const body = withRaw((await fixture.bodyOf(place.operation)) ?? {}, place.at, raw);
    return { method: place.operation.method.toUpperCase(), path, headers: {}, body };
  };
  const read = written.map((raw) => async () => ({ ...(await made(raw)), raw }));
  const unread = Object.values(extremes.malformed).map((raw) => async () => ({ ...(await made(raw)), read: false }));
  return [...read, ...unread];
}

/** Extremes of the whole body: depth, and duplicate members. */
export async function attemptsOfBody(fixture: Fixture, place: Place): Promise<Attempt[]> {
  const base = (await fixture.bodyOf(place.operation)) ?? {};
  const path = await pathOf(fixture, place);
  const to = (body: string | Buffer) => ({ method: place.operation.method.toUpperCase(), path, headers: {}, body });
  const members = JSON.stringify(base).slice(1, -1);
  const [first] = Object.keys(base);
  return [
    ...extremes.depths.flatMap(([levels, read]) =>
      extremes.deep(levels).map((value) => ({ ...to(withRaw(base, ["unknown"], value)), read })),
    ),
    to(`\ufeff{${members}}`),
    ...(first
      ? [
          to(`{${JSON.stringify(first)}:{"a":1},${members}}`),
          { ...to(`{${members},${JSON.stringify(first)}:{"a":1}}`), read: false },
          { ...to(`{"__proto__":{${members}},"constructor":{"prototype":{${members}}}}`), read: isEmptyEnough(place) },
        ]
      : []),
  ];
}

/** Whether the operation accepts a body without any member. */
const isEmptyEnough = ({ operation }: Place): boolean => operation.body?.safeParse({}).success ?? true;

/** Extremes of a path, a query or a header. */
export async function attemptsInLine(fixture: Fixture, place: Place): Promise<Attempt[]> {
  const method = place.operation.method.toUpperCase();
  const example = await fixture.bodyOf(place.operation);
  const body = example && JSON.stringify(example);
  const [name = ""] = place.at;
  const path = await pathOf(fixture, place);
  if (place.part === "header") {
    return extremes.headers.map((value) => ({ method, path, headers: { [name]: value }, body }));
  }
  if (place.part === "path") {
    return extremes.encoded.map((value) => {
      return { method, path: place.operation.path.replace(`{${name}}`, value), headers: {}, body };
    });
  }
  return extremes.encoded.flatMap((value) => [
    { method, path: `${path}?${name}=${value}`, headers: {}, body },
    ...(value.length < 10 ? [{ method, path: `${path}?${name}=${value}&${name}=${value}`, headers: {}, body }] : []),
  ]);
}
