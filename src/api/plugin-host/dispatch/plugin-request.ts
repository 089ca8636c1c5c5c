import type { Actor } from "#api/core/context.ts";
import type { Passage } from "#api/http/passage.ts";
import type { Json, Method, PluginRequest, Principal } from "#plugins/sdk/types.ts";

/** A call as a plugin is told of it: no cookie, no credential, nothing that a proxy says. */
export const pluginRequest = (
  { requestId, request, path, search, ip, actor }: Passage,
  { method, prefix, params, body }: RequestParts,
): PluginRequest => ({
  id: requestId,
  method,
  path: path.slice(prefix.length) || "/",
  params,
  query: queryOf(search),
  headers: visibleHeaders(request.headers),
  body,
  user: principalOf(actor),
  ip,
});

/** What is known of a call's route. `prefix` is `/api/{plugin}`. */
export type RequestParts = {
  method: Method;
  prefix: string;
  params: Record<string, string>;
  body: Json;
};

/** A query as one object: text by text, or a list of texts for a name that is given several times. */
export const queryOf = (search: string): PluginRequest["query"] => {
  if (search === "" || search === "?") return {};
  const values = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    const known = values.get(name);
    if (known === undefined) values.set(name, value);
    else if (typeof known === "string") values.set(name, [known, value]);
    else known.push(value);
  }
  // Makes fields of its own even of names such as __proto__.
  return Object.fromEntries(values);
};

const shown: ReadonlySet<string> = new Set(["accept", "accept-language", "content-type", "user-agent"]);
// What proxies add for the application behind them, credentials among it; and our own.
const reserved =
  /^x-(?:forwarded|real-ip|original-|client-cert|ssl-|auth-request-|amzn-oidc-|goog-|ms-|atrium)/;

/** The headers that plugins may see, with names in lower case. */
export const visibleHeaders = (headers: Headers): Record<string, string> => {
  const visible: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (shown.has(name) || (name.startsWith("x-") && !reserved.test(name))) visible[name] = value;
  });
  return visible;
};

const principalOf = (actor: Actor): Principal | null => {
  if (actor.kind !== "user") return null;
  const { id, name, role } = actor.user;
  return { id, name, role };
};
