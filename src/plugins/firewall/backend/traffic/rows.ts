import type { Finished } from "../inspect/notes.ts";
import { roleOf, type Shown } from "../journal/to-entry.ts";
import type { TrafficRow } from "../wire.ts";

const shownReasons = 3;

/** A request for the live traffic. */
export const toRow = (finished: Finished, shown: Shown): Omit<TrafficRow, "number"> => {
  const { request, note, outcome, atMs } = finished;
  return {
    id: request.id,
    at: new Date(atMs).toISOString(),
    verdict: note.verdict,
    address: shown.address,
    country: shown.country,
    method: shown.method,
    path: shown.path,
    user: (outcome.user ?? note.admin)?.name ?? null,
    role: roleOf(finished),
    status: outcome.status,
    durationMs: Math.round(outcome.durationMs * 10) / 10,
    reasons: note.reasons.slice(0, shownReasons).map(({ text }) => text.slice(0, 160)),
  };
};
