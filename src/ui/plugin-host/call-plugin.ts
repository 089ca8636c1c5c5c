import { ApiError, type ApiErrorCode, errorFromAnswer, parsedJson, withProof } from "#ui/lib/api.ts";
import { presenceHeaders } from "#ui/lib/presence.ts";

const methods: readonly unknown[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const mostBodyLength = 1_000_000;
const mostAnswerLength = 5_000_000;
const mostAtOnce = 16;
const mostInWindow = 120;
const windowMs = 10_000;
const timeoutMs = 15_000;

/** What the caller gets in the place of an answer: `errors` name fields that the plugin's own schemas refused. */
export class CallFailure extends ApiError {
  constructor(message: string, status = 0, more: Partial<Pick<ApiError, "code" | "errors" | "data">> = {}) {
    const { code = ownCode, errors = [], data } = more;
    super(message, { status, errors, data, code: code === "UNKNOWN" ? ownCode : code });
  }
}

// Of an answer that says no code; its words are still meant to be read.
const ownCode: ApiErrorCode = "PLUGIN_ERROR";

/** A call as a plugin's frontend asks for it: nothing of it is known to be what it should. */
export type WantedCall = { method: unknown; path: unknown; body?: unknown };

type CallerOptions = { plugin: string; send?: typeof fetch; now?: () => number };

/**
 * Makes the calls of one plugin's frontend: to the plugin's own routes with the reader's session, and to nothing else;
 * 16 at the same time and 120 in ten seconds, 1 MB there and 5 MB back. Where the server wants to know that it is the reader, they
 * are asked here, outside the plugin's page.
 */
export const createPluginCaller = ({ plugin, send = fetch, now = Date.now }: CallerOptions) => {
  let running = 0;
  let begun: number[] = [];
  return async ({ method, path, body }: WantedCall): Promise<unknown> => {
    const address = typeof path === "string" ? callAddress(plugin, path) : null;
    if (!methods.includes(method) || typeof method !== "string" || address === null)
      throw new CallFailure("A plugin can only call its own routes");
    const text = body === undefined ? undefined : JSON.stringify(body);
    if (text !== undefined && text.length > mostBodyLength)
      throw new CallFailure("The request body is too large");
    begun = begun.filter((moment) => moment > now() - windowMs);
    if (running >= mostAtOnce || begun.length >= mostInWindow)
      throw new CallFailure("Too many requests. Wait a moment and try again.", 429);
    begun.push(now());
    running += 1;
    try {
      return await withProof(() => exchange(send, address, { method, text }));
    } finally {
      running -= 1;
    }
  };
};

type Sent = { method: string; text: string | undefined };

const exchange = async (send: typeof fetch, address: string, { method, text }: Sent): Promise<unknown> => {
  const response = await send(address, {
    method,
    headers: {
      accept: "application/json",
      ...presenceHeaders(),
      ...(text === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(text === undefined ? {} : { body: text }),
    credentials: "same-origin",
    // A plugin's answer must not lead the session to another call.
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  const announced = Number(response.headers.get("content-length") ?? 0);
  if (announced > mostAnswerLength) throw new CallFailure("The response is too large");
  const answer = await response.text();
  if (answer.length > mostAnswerLength) throw new CallFailure("The response is too large");
  const parsed = parsedJson(answer);
  if (response.ok) return parsed ?? answer;
  const failure = errorFromAnswer(response, parsed, "The request failed");
  throw new CallFailure(failure.message, response.status, failure);
};

const mark = "http://plugin";
// Written in another way they would be decoded behind the check.
const hidden = /%2f|%5c|\\/i;

/** What `path` means below `base`, dots worked out; `null` when it leads out of there, or cannot be read. */
const below = (base: string, path: string): string | null => {
  if (!path.startsWith("/") || hidden.test(path) || !URL.canParse(base + path, mark)) return null;
  const { origin, pathname, search } = new URL(base + path, mark);
  const isInside = pathname === base || pathname.startsWith(`${base}/`);
  return origin === mark && isInside ? pathname + search : null;
};

/** The address of a call to the plugin's own routes; `null` for anything else. */
export const callAddress = (plugin: string, path: string): string | null => below(`/api/${plugin}`, path);

/** The plugin's own page in the admin area. */
const pluginPage = (plugin: string): string => `/admin/plugins/${plugin}`;

/** A plugin's page on show: some have an address of their own, such as `/admin/firewall`. */
export type PageOnShow = { plugin: string; base: string };

/** The address of a place in the plugin's page on show, given below it or whole; `null` for anywhere else. */
export const pageAddress = ({ plugin, base }: PageOnShow, path: string): string | null => {
  const whole = [base, pluginPage(plugin)].find(
    (page) => path === page || [`${page}/`, `${page}?`].some((start) => path.startsWith(start)),
  );
  const own = whole ?? base;
  const rest = path.slice(whole?.length ?? 0);
  if (rest === "") return own;
  return below(own, rest.startsWith("?") ? `/${rest}` : rest)?.replace(/\/(?=\?|$)/, "") ?? null;
};
