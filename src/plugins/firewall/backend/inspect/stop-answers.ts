import type { ArrivingRequest } from "#plugins/sdk/native-types.ts";
import { texts } from "../texts.ts";
import type { Limited } from "./judge-rates.ts";

const statuses = { BLOCKED_BY_FIREWALL: 403, RATE_LIMITED: 429 } as const;

/** What a request that is stopped gets: 403, as a page where a browser loads one, else in the usual envelope. */
export const blockedAnswer = (request: ArrivingRequest): Response =>
  answer(request, {
    code: "BLOCKED_BY_FIREWALL",
    message: texts.blocked,
    long: texts.blockedLong,
    headers: {},
  });

/** What a request that is one too many gets: 429 with the time to wait. */
export const limitedAnswer = (
  request: ArrivingRequest,
  { limited, headers }: { limited: Limited; headers: Record<string, string> },
): Response =>
  answer(request, {
    code: "RATE_LIMITED",
    message: limited.message,
    long: texts.tooManyLong(limited.retryAfterS),
    headers: { ...headers, "retry-after": String(limited.retryAfterS) },
  });

type Parts = { code: keyof typeof statuses; message: string; long: string; headers: Record<string, string> };

const answer = (request: ArrivingRequest, { code, message, long, headers }: Parts): Response => {
  const status = statuses[code];
  const sent = { ...headers, "cache-control": "no-store" };
  if (request.isCall || !(request.headers.get("accept") ?? "").includes("text/html"))
    return Response.json({ success: false, code, message, requestId: request.id }, { status, headers: sent });
  return new Response(page({ status, message, long, id: request.id }), {
    status,
    headers: { ...sent, "content-type": "text/html; charset=utf-8" },
  });
};

/** Words and nothing else: no script, no style of its own, readable in light and in dark. */
const page = ({
  status,
  message,
  long,
  id,
}: {
  status: number;
  message: string;
  long: string;
  id: string;
}): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">',
    `<title>${escaped(message)}</title></head><body><main>`,
    `<h1>${escaped(message)}</h1><p>${escaped(long)}</p>`,
    `<p><code>${escaped(id)}</code></p><p>${status}</p></main></body></html>`,
  ].join("");

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
