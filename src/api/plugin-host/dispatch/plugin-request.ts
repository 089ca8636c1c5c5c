import { personBehind } from "#api/core/actor.ts";
import type { Actor } from "#api/core/context.ts";
import type { Passage } from "#api/door/passage.ts";
import { isSafeMethod } from "#api/http/forged-call.ts";
import { allows } from "#contract/api-tokens.ts";
import type { Json, Method, PluginRequest, Principal } from "#plugins/sdk/types.ts";
import { visibleHeaders } from "./visible-headers.ts";

/** A call as a plugin is told of it: no cookie, no credential, nothing that a proxy says. */
export const pluginRequest = (
  { requestId, request, path, search, ip, actor }: Passage,
  { method, prefix, params, headers, body }: RequestParts,
): PluginRequest => ({
  id: requestId,
  method,
  path: path.slice(prefix.length) || "/",
  params,
  query: queryOf(search),
  headers: visibleHeaders(request.headers, headers),
  body,
  user: principalOf(actor, method),
  ip,
});

/** What is known of a call's route. `prefix` is `/api/{plugin}`. */
export type RequestParts = {
  method: Method;
  prefix: string;
  params: Record<string, string>;
  /** Those that the route asks for. */
  headers: readonly string[];
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

/** Who calls. A token that may not do that with plugins is nobody to them, and so is the operator. */
const principalOf = (actor: Actor, method: Method): Principal | null => {
  const needed = isSafeMethod(method) ? "plugins:read" : "plugins:write";
  if (actor.kind === "token" && !allows(actor.token.scopes, needed)) return null;
  const person = personBehind(actor);
  return person === null ? null : { id: person.id, name: person.name, role: person.role };
};
