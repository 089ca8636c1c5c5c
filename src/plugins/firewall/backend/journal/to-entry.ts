import type { Finished } from "../inspect/inspector.ts";
import { redactPath, redactQuery, redactText } from "../inspect/redact.ts";
import type { JournalEntry, Role, TrafficRow } from "../wire.ts";

const mostReasons = 12;
const mostAgent = 200;

/** What may be shown of a request: nothing in it is a cookie, a credential or a password. */
export type Shown = Pick<TrafficRow, "method" | "path" | "address" | "country"> & {
  query: string;
  userAgent: string;
};

/** A request as it may be shown and kept. */
export const shownOf = ({ request }: Pick<Finished, "request">): Shown => ({
  method: request.method.slice(0, 20),
  path: redactPath(request.path),
  query: redactQuery(request.query),
  address: request.ip,
  country: request.country,
  userAgent: redactText(request.headers.get("user-agent") ?? "", mostAgent),
});

/** Who made a request, as far as it was asked. */
export const roleOf = ({ note, outcome }: Finished): Role => (outcome.user ?? note.admin)?.role ?? "visitor";

/** A request that something spoke against, for the journal; `null` for one that passed. */
export const toEntry = (
  finished: Finished,
  { shown, threshold, replica }: { shown: Shown; threshold: number; replica: string },
): JournalEntry | null => {
  const { request, note, outcome, atMs } = finished;
  if (note.verdict === "passed") return null;
  const user = outcome.user ?? note.admin;
  return {
    id: request.id,
    at: new Date(atMs).toISOString(),
    verdict: note.verdict,
    ...shown,
    user: user === null ? null : { id: user.id, name: redactText(user.name, 100), role: user.role },
    ...(note.teaches ? { teaches: true } : {}),
    score: note.patterns.score,
    threshold,
    reasons: note.reasons
      .slice(0, mostReasons)
      .map((reason) => ({ ...reason, text: reason.text.slice(0, 300) })),
    status: outcome.status,
    replica,
  };
};
