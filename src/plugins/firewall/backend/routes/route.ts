import type {
  Ctx,
  Handler,
  Json,
  PluginRequest,
  Reply,
  RouteAnswer,
  RouteOptions,
} from "#plugins/sdk/types.ts";
import type { Editor } from "../change/pending.ts";
import { Refused } from "../change/refused.ts";
import type { Firewall } from "../firewall.ts";
import { texts } from "../texts.ts";
import type { Shape } from "../wire/shape.ts";
import type { Answer, Refusal } from "../wire.ts";

/** Handles a call with its body; what it throws as {@link Refused} is answered in the usual envelope. */
type Work<B> = (request: PluginRequest, body: B) => Json | Reply | Promise<Json | Reply>;

const away = ["UNAVAILABLE", "FAILED"];

type AddRoute = <B = null>(
  path: string,
  options: Omit<RouteOptions, "body"> & { body?: Shape<B> },
  work: Work<B>,
) => void;

/** Adds routes; that an admin called one is noted. */
export const routesOf = (ctx: Ctx, { seen }: Pick<Firewall, "seen">) => {
  const handled =
    <B>(work: Work<B>): Handler =>
    async (request) => {
      const { ip } = editorOf(request);
      if (ip !== null) seen.note(ip);
      try {
        return await work(request, bodyOf<B>(request));
      } catch (error) {
        if (error instanceof Refused) return ctx.respond(refusalOf(error, request.id));
        if (!(error instanceof Error) || !away.includes(error.name)) throw error;
        const message = "The database is not available at the moment, please try again";
        return ctx.respond({
          ...refusalOf(new Refused(503, "DB_UNAVAILABLE", message), request.id),
          headers: { "retry-after": "5" },
        });
      }
    };
  const add =
    (method: "get" | "post" | "put" | "delete"): AddRoute =>
    (path, options, work) =>
      ctx.routes[method](path, options, handled(work));
  return { get: add("get"), post: add("post"), put: add("put"), delete: add("delete") };
};

const refusalOf = (
  { status, code, message, errors }: Refused,
  requestId: string,
): { status: number; json: Json } => {
  const refusal = { success: false, code, message, requestId } satisfies Refusal;
  return { status, json: errors.length > 0 ? { ...refusal, errors } : refusal };
};

/** What went well. */
export const ok = <T extends Json>(data: T, message = ""): Answer<T> => ({ success: true, message, data });

/** In how many seconds what was changed goes back unless it is confirmed; `null` when it stays. The operator's always does. */
export const secondsLeft = (
  { changes }: Pick<Firewall, "changes">,
  request: PluginRequest,
): number | null => {
  const pending = editorOf(request).id === null ? null : changes.pending(null);
  return pending === null ? null : Math.ceil(pending.leftMs / 1_000);
};

/** That something was saved, and for how long while a change waits to be confirmed. */
export const savedText = (firewall: Pick<Firewall, "changes">, request: PluginRequest): string => {
  const seconds = secondsLeft(firewall, request);
  return seconds === null ? texts.saved : texts.savedPending(seconds);
};

/**
 * Who makes a change: an admin or an API token without an owner at their address, another plugin, or the operator on the
 * server itself.
 */
export const editorOf = (request: PluginRequest): Editor => {
  const { user, token, ip } = request;
  if (user !== null) return { id: user.id, name: user.name, ip };
  if (token !== undefined) return { id: `token ${token.id}`, name: `API token ${token.name}`, ip };
  const plugin = callingPlugin(request);
  if (plugin !== undefined) return { id: `plugin ${plugin}`, name: `plugin ${plugin}`, ip: null };
  return { id: null, name: "operator", ip: null };
};

/** The name of the plugin that makes a request, if one does. The host alone sets it: requests from outside never have it. */
export const callingPlugin = ({ headers }: PluginRequest): string | undefined => headers["x-atrium-plugin"];

/** The body's fields: the host has checked them against the route's schema. */
const bodyOf = <T>({ body }: PluginRequest): T => body as T;

/** Which state of the rules whoever sent a change saw; `undefined` where they don't say. */
export const revisionOf = (request: PluginRequest): number | undefined =>
  bodyOf<{ revision?: number } | null>(request)?.revision;

/** A number of the query within bounds; `otherwise` where it is missing. Throws {@link Refused}. */
export const numberOf = (
  { query }: PluginRequest,
  name: string,
  { least, most, otherwise }: { least: number; most: number; otherwise: number },
): number => {
  const text = textOf(query, name);
  if (text === undefined) return otherwise;
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Refused(422, "VALIDATION_FAILED", "Please check the highlighted fields", [
    { path: name, message: `Please use a whole number from ${least} to ${most}` },
  ]);
};

/** A text of the query, `undefined` where it is missing or empty; of several the first, cut to `most` characters. */
export const textOf = (query: PluginRequest["query"], name: string, most = 200): string | undefined => {
  const value = [query[name]].flat()[0]?.slice(0, most);
  return value === "" ? undefined : value;
};

/** A text of the query; of a name that is given several times the host takes none. */
export const asked = (description: string, maxLength = 200) => ({
  type: "string",
  maxLength,
  description,
});

/** A whole number of the query, which is made of texts. */
export const askedNumber = (description: string): Json => asked(description, 12);

type Answers = { [status: string]: RouteAnswer };

/** What a call answers that went well. */
export const answering = (data: Json, refusals: Answers = {}, status = 200): Answers => ({
  [status]: {
    description: status === 202 ? "Started; the results so far" : "Success",
    schema: {
      type: "object",
      required: ["success", "message", "data"],
      properties: {
        success: { const: true },
        message: { type: "string", description: "A message to show; may be empty", examples: ["Saved."] },
        data,
      },
    },
  },
  ...refusals,
});

/** What each change of the rules can be refused with. */
export const changeRefusals: Answers = {
  409: {
    description:
      "`CONFLICT`: already in the list, changed in the meantime, or another admin's change is not confirmed yet; `OWN_ADDRESS`: it would lock out the caller; `LIMIT_EXCEEDED`: the limit is reached",
  },
  503: {
    description:
      "`RULES_CLOSED`: the stored rules are damaged, and nothing can be saved before they are restored",
  },
};

export const badFields: Answers = {
  422: { description: "The input is invalid or contradictory; `errors` names the fields" },
};

export const notThere: Answers = { 404: { description: "Entry not found" } };

/** Sentences of descriptions. */
export const goesBack =
  "A change that could lock someone out is reverted after 90 seconds unless an admin confirms it; changes by the operator stay.";
export const byRevision = "With `revision`, the change applies only if the rules are still at that revision.";
/** The same where fields can be at fault as well. */
export const editRefusals: Answers = { ...badFields, ...changeRefusals };
/** The parameter of a path. */
export const ofEntry = { id: "The entry's ID, as in the list" };

/** The part of a long list that is asked for. */
export const paging = {
  limit: askedNumber("How many entries: 1 to 500, 50 unless given"),
  offset: askedNumber("How many entries to skip: 0 to 10000"),
};
