import type { Ctx, Handler, Json, PluginRequest, Reply } from "#plugins/sdk/types.ts";
import type { Editor } from "../change/pending.ts";
import { Refused } from "../change/refused.ts";
import type { Firewall } from "../firewall.ts";
import { texts } from "../texts.ts";
import type { Answer, Refusal } from "../wire.ts";

/** Handles a call; what it throws as {@link Refused} is answered in the usual envelope. */
export type Work = (request: PluginRequest) => Json | Reply | Promise<Json | Reply>;

const away = ["UNAVAILABLE", "FAILED"];

/** Makes a route's handler; that an admin called is noted. */
export const createHandler =
  (ctx: Pick<Ctx, "respond">, { seen }: Pick<Firewall, "seen">, work: Work): Handler =>
  async (request) => {
    const { ip } = editorOf(request);
    if (ip !== null) seen.note(ip);
    try {
      return await work(request);
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

/** Who makes a change: an admin at their address, or the operator. */
export const editorOf = ({ user, ip }: PluginRequest): Editor =>
  user === null ? { id: null, name: "operator", ip: null } : { id: user.id, name: user.name, ip };

/** The body's fields: the host has checked them against the route's schema. */
export const bodyOf = <T>({ body }: PluginRequest): T => body as T;

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
