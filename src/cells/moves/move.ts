/**
 * Moves an organisation from one cluster to another. The state of a move is in app.organisation_moves of both. Each step can be
 * repeated, and a move that was killed continues with the state that it finds. (docs/moves.md, docs/decisions/0028-cells.md)
 */

import { type Move, openCell } from "./cell.ts";
import { MoveRefused, requireMovable } from "./conditions.ts";
import { analyzeCopy, copyRows, removeCopy, stopCopy, untilCopied } from "./copy.ts";
import { deleteRows } from "./deletion.ts";
import { lockMove, type MoveState, recordMove, refuseSecondMove } from "./exclusion.ts";
import { hide, reveal, revealAndRecord, startStopping, stopStopping } from "./guards.ts";
import { copyMembers, copyMissingPeople, copyPeople } from "./people.ts";
import { activate, switchOwner } from "./switch.ts";

export const steps = [
  ...["begin", "hide", "people", "publish", "copied", "guard", "switch"],
  ...["route", "unsubscribe", "activate", "delete", "end"],
] as const;
export type Step = (typeof steps)[number];

export type Options = {
  organisation: string;
  from: string;
  to: string;
  sourceUrl: string;
  targetUrl: string;
  /** Called once, when the move is not refused and nothing is changed yet. */
  note?: () => Promise<void>;
  /** Updates the directory, between switch and activation. Repeated by --resume. */
  route?: () => Promise<void>;
  /** Called before each step. A test ends the move here. */
  onStep?: (step: Step) => void | Promise<void>;
};

/** @param pauseMs how long writes of the organisation waited; undefined if an earlier call switched */
export type Outcome = { pauseMs: number | undefined };

/** @throws MoveRefused before anything is changed, if the organisation cannot be moved or its move is under way */
export const startMove = (options: Options): Promise<Outcome> =>
  withCells(options, async (move) => {
    await refuseSecondMove(move);
    await requireMovable(move);
    await options.note?.();
    await options.onStep?.("begin");
    await recordMove(move);
    return forward(move, await lockMove(move), options);
  });

/** Continues a move that ended early, from any step. @throws MoveRefused if none is under way, or another process works on it */
export const resumeMove = (options: Options): Promise<Outcome> =>
  withCells(options, async (move) => {
    const state = await lockMove(move);
    await options.note?.();
    return forward(move, state, options);
  });

/** Ends a move before its switch: the organisation stays at the source. @throws MoveRefused as resumeMove, and after the switch */
export const abortMove = (options: Options): Promise<void> =>
  withCells(options, async (move) => {
    if ((await lockMove(move)) === "departed")
      throw new MoveRefused("The organisation is in the other cell already. End the move with --resume.");
    await options.note?.();
    await stopStopping(move);
    await removeCopy(move);
    await deleteRows(move.target, move.organisation, { withLog: true });
    for (const [cell, state] of [
      [move.target, "arriving"],
      [move.source, "leaving"],
    ] as const)
      await revealAndRecord(
        cell,
        move,
        `delete from app.organisation_moves where organisation_id = $1 and state = '${state}'`,
      );
  });

async function withCells<T>(options: Options, use: (move: Move) => Promise<T>): Promise<T> {
  const source = await openCell(options.sourceUrl);
  try {
    const target = await openCell(options.targetUrl);
    try {
      const { organisation, from, to } = options;
      return await use({ organisation, from, to, source, target });
    } finally {
      await target.end();
    }
  } finally {
    await source.end();
  }
}

async function forward(move: Move, state: MoveState, { route, onStep = () => {} }: Options): Promise<Outcome> {
  let pauseMs: number | undefined;
  if (state === "leaving") {
    await announceArrival(move);
    await onStep("hide");
    await hide(move.target);
    await hide(move.source); // hides nothing before the switch
    await onStep("people");
    await copyPeople(move);
    await onStep("publish");
    await copyRows(move);
    await onStep("copied");
    await untilCopied(move);
    await analyzeCopy(move);
    await copyPeople(move);
    await onStep("guard");
    await startStopping(move);
    await onStep("switch");
    pauseMs = await switchOwner(move);
  }
  await onStep("route");
  await route?.();
  await onStep("unsubscribe");
  await stopCopy(move);
  await onStep("activate");
  await copyMembers(move); // some may have joined in the last moment
  await activate(move);
  await reveal(move.target, move);
  await onStep("delete");
  await copyMissingPeople(move);
  await removeCopy(move);
  await stopStopping(move);
  await deleteRows(move.source, move.organisation, { withLog: false });
  await onStep("end");
  await move.target.rows("delete from app.organisation_moves where organisation_id = $1 and state = 'arrived'", [
    move.organisation,
  ]);
  await revealAndRecord(
    move.source,
    move,
    "update app.organisation_moves set state = 'moved' where organisation_id = $1",
  );
  return { pauseMs };
}

/** After the source: a move that ends between the two statements can be continued or aborted. */
const announceArrival = ({ target, organisation, from }: Move): Promise<unknown[]> =>
  target.rows(
    "insert into app.organisation_moves (organisation_id, state, cell) values ($1, 'arriving', $2) on conflict (organisation_id) do nothing",
    [organisation, from],
  );
