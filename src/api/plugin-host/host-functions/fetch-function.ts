import {
  isPublicAddress,
  OutboundError,
  type Resolver,
  resolveEachAllowed,
} from "#api/adapters/outbound/check-address.ts";
import { type PinnedAnswer, sendPinned, unpackAnswer } from "#api/adapters/outbound/create-outbound.ts";
import type { Services } from "#api/core/context.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import {
  bytesArgument,
  fieldsArgument,
  type HostFunction,
  invalid,
  numberArgument,
  PluginFault,
  pluginSource,
  textArgument,
} from "./host-function.ts";

export type FetchOptions = Pick<Services, "activity" | "clock"> & {
  /** Looks up names; default is the system's resolver. */
  resolve?: Resolver;
  /** Sends the request; default is over the network. */
  send?: typeof sendPinned;
};

type Hop = { url: URL; request: FetchRequest };

const redirects = [301, 302, 303, 307, 308];

/**
 * Requests of plugins to other servers: over https, to granted hosts, at public IP addresses that are looked up once
 * and connected to as checked, including redirects.
 */
export const createFetchFunction = ({
  activity,
  clock,
  resolve,
  send = sendPinned,
}: FetchOptions): Record<"fetch", HostFunction> => {
  const underWay = new Map<string, number>();

  const sendHop = async ({ url, request }: Hop, hosts: readonly string[], deadlineMs: number) => {
    if (url.protocol !== "https:" || url.username !== "" || url.password !== "")
      throw new PluginFault("INVALID", "Only https URLs without a user name can be requested");
    if (!isGrantedHost(url, hosts))
      throw new PluginFault("PERMISSION_DENIED", `The host ${nameOf(url)} was not granted`);
    if (deadlineMs <= 0) throw new OutboundError("slow");
    const [target, ...others] = await resolveEachAllowed(url.hostname, resolve);
    if (target === undefined || ![target, ...others].every(({ address }) => isPublicAddress(address)))
      throw new OutboundError("refused");
    return send({ ...request, url, target, deadlineMs, mostBytes: pluginLimits.fetchAnswerBytes });
  };

  const follow = async (first: Hop, hosts: readonly string[]): Promise<PinnedAnswer> => {
    const endsAt = clock.uptimeMs() + first.request.timeoutMs;
    let hop = first;
    for (let hops = 0; hops <= pluginLimits.fetchRedirects; hops += 1) {
      // The other server chose the redirect, so it doesn't count as an attempt of the plugin.
      if (hops > 0 && !isGrantedHost(hop.url, hosts))
        throw new PluginFault("FAILED", `It was redirected to ${nameOf(hop.url)}, which was not granted`);
      const answer = await sendHop(hop, hosts, endsAt - clock.uptimeMs());
      const { location } = answer.headers;
      if (!redirects.includes(answer.status) || location === undefined) return answer;
      if (!URL.canParse(location, hop.url)) throw new OutboundError("redirect");
      hop = nextHop(hop, new URL(location, hop.url), answer.status);
    }
    throw new PluginFault("FAILED", `More than ${pluginLimits.fetchRedirects} redirects`);
  };

  const call = async (plugin: string, hosts: readonly string[], args: Json[]): Promise<Json> => {
    const request = readFetch(args);
    const startedMs = clock.uptimeMs();
    const tell = (outcome: string, isDone: boolean) =>
      activity.note({
        entry: {
          type: "network_request",
          action: `${request.method} ${request.url.host}`,
          description: outcome,
          status: isDone ? "success" : "failure",
          pluginName: plugin,
          durationMs: Math.round(clock.uptimeMs() - startedMs),
        },
        source: pluginSource,
        at: clock.now(),
      });
    try {
      const answer = await follow({ url: request.url, request }, hosts);
      const body = await unpacked(answer);
      tell(`Answered with ${answer.status}`, true);
      const { "set-cookie": _, "content-encoding": __, "content-length": ___, ...headers } = answer.headers;
      return { status: answer.status, headers, base64: Buffer.from(body).toString("base64") };
    } catch (error) {
      const fault = error instanceof PluginFault ? error : asFault(error);
      tell(fault.message, false);
      throw fault;
    }
  };

  return {
    fetch: {
      permission: "net.fetch",
      run: async ({ plugin, permission, args }) => {
        const running = underWay.get(plugin.name) ?? 0;
        if (running >= pluginLimits.fetchesAtOnce)
          throw new PluginFault(
            "LIMIT_EXCEEDED",
            `At most ${pluginLimits.fetchesAtOnce} calls at the same time`,
          );
        underWay.set(plugin.name, running + 1);
        try {
          return await call(plugin.name, permission?.hosts ?? [], args);
        } finally {
          underWay.set(plugin.name, (underWay.get(plugin.name) ?? 1) - 1);
        }
      },
    },
  };
};

// Keys have all kinds of names (`x-api-key`, `apikey`, `x-amz-security-token`): only headers that are known to be
// harmless are kept.
const carriedHeaders = new Set([
  ...["accept", "accept-encoding", "accept-language", "cache-control", "content-language", "content-type"],
  ...[
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-unmodified-since",
    "pragma",
    "range",
    "user-agent",
  ],
]);

const carried = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => carriedHeaders.has(name)));

const nameOf = ({ host }: URL): string => host.slice(0, 100);

/**
 * The next request of a redirect: to another origin, possible credentials are dropped, and a form is not sent again.
 * Source: RFC 9110 §15.4.
 */
const nextHop = ({ url, request }: Hop, next: URL, status: number): Hop => {
  const headers = next.origin === url.origin ? request.headers : carried(request.headers);
  const isRepeated = status === 307 || status === 308 || ["GET", "HEAD"].includes(request.method);
  if (isRepeated) return { url: next, request: { ...request, headers } };
  const { "content-type": __, ...bodiless } = headers;
  return { url: next, request: { ...request, method: "GET", headers: bodiless, body: null } };
};

const unpacked = async (answer: PinnedAnswer): Promise<Uint8Array> => {
  const body = await unpackAnswer(answer, pluginLimits.fetchAnswerBytes);
  if (body === null) throw new PluginFault("FAILED", "The response uses an unknown compression");
  return body;
};

// The system's error about a name or a connection may reveal the network behind this server.
const asFault = (error: unknown): PluginFault => {
  const known = error instanceof OutboundError ? error : new OutboundError("unreachable");
  return new PluginFault("FAILED", `The call failed: ${known.message}`, { cause: error });
};

/** The request of a plugin. */
type FetchRequest = {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: Uint8Array | null;
  timeoutMs: number;
};

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const token = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const printable = /^[\t\x20-\x7e]{0,4096}$/;
const mostHeaders = 50;
const urlLength = 2_048;
// Headers that belong to the connection, to proxies, or to a browser's state.
const ownHeaders =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|cookie|accept-encoding|proxy-.*|sec-.*)$/;

/** Reads the arguments of `ctx.fetch`. Throws `INVALID` and `LIMIT_EXCEEDED`. */
const readFetch = ([address, init]: Json[]): FetchRequest => {
  const text = textArgument(address, "url", urlLength);
  if (!URL.canParse(text)) throw invalid("url must be an absolute URL");
  const given = fieldsArgument(init, "init", ["method", "headers", "text", "base64", "timeoutMs"]);
  const method = given.method ?? "GET";
  if (typeof method !== "string" || !methods.includes(method))
    throw invalid(`method has to be one of ${methods.join(", ")}`);
  const body = bytesArgument(given, "init");
  if (body !== null && (method === "GET" || method === "HEAD")) throw invalid(`${method} has no body`);
  if (body !== null && body.byteLength > pluginLimits.fetchBodyBytes)
    throw new PluginFault("LIMIT_EXCEEDED", `A body has at most ${pluginLimits.fetchBodyBytes} bytes`);
  return {
    url: new URL(text),
    method,
    headers: { "user-agent": "Atrium", ...readHeaders(given.headers), "accept-encoding": "identity" },
    body,
    timeoutMs:
      numberArgument(given.timeoutMs, "timeoutMs", [1, pluginLimits.fetchMs]) ?? pluginLimits.fetchMs,
  };
};

const readHeaders = (value: Json | undefined): Record<string, string> => {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw invalid("headers has to be an object");
  const entries = Object.entries(value);
  if (entries.length > mostHeaders) throw invalid(`headers has at most ${mostHeaders} entries`);
  return Object.fromEntries(
    entries.map(([written, content]) => {
      const name = written.toLowerCase();
      if (!token.test(name)) throw invalid("a header's name contains characters that are not allowed");
      if (ownHeaders.test(name)) throw invalid(`the header ${name} cannot be set`);
      if (typeof content !== "string" || !printable.test(content))
        throw invalid(`the header ${name} holds characters that are not allowed`);
      return [name, content];
    }),
  );
};

/**
 * Whether a URL's host is granted: `api.example.com` is exactly that host, `*.example.com` any host one label below. A
 * port other than 443 must be in the grant.
 */
const isGrantedHost = ({ host }: URL, granted: readonly string[]): boolean =>
  granted.some((entry) => {
    if (!entry.startsWith("*.")) return entry === host;
    const dot = host.indexOf(".");
    return dot > 0 && host.slice(dot) === entry.slice(1);
  });
