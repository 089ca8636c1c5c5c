import type { Tracer } from "#api/core/tracer.ts";
import type { QueryWatch } from "./query-tally.ts";

const mostText = 1_000;
const literals = /'(?:[^']|'')*'?/g;

/** A span for each statement within a trace, by its text with `$1` where values go, and `'?'` for those written into it. */
export const traceQueries =
  (tracer: Tracer): QueryWatch =>
  (text) => {
    const [word = "statement"] = /^\w+/.exec(text.trimStart()) ?? [];
    const span = tracer.begin({
      name: word.toLowerCase(),
      kind: "client",
      attributes: {
        "db.system.name": "postgresql",
        "db.query.text": text.replace(literals, "'?'").slice(0, mostText),
      },
    });
    return span === null ? null : (hasFailed) => span.end(hasFailed ? "failed" : undefined);
  };
