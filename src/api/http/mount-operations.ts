import { type AnyElysia, Elysia, type TSchema, t } from "elysia";
import type { Implemented } from "#api/core/implement.ts";
import { type Door, incomingOf } from "#api/door/door.ts";
import { type BytesDownload, bytesAnswer, type Download, downloadAnswer } from "#api/modules/download.ts";
import { dataOf, done, failures } from "#api/modules/fields.ts";
import { kit } from "#api/modules/kit.ts";
import { hasPlan, type Operation, type Schemas } from "#contract/operation.ts";
import { dryRunName, planPath } from "#contract/plan.ts";
import { makePlan } from "./plan-routes.ts";

/**
 * The routes of operations, with everything that the pipeline and the API's document read of a route. The
 * type tells no routes: `App` takes them from the contracts.
 */
export const mountOperations = (door: Door, operations: readonly Implemented[]): Elysia => {
  const app: AnyElysia = new Elysia().use(door);
  for (const implemented of operations) {
    const { id, operation } = implemented;
    const [method = "", path = ""] = operation.endpoint.split(" ");
    const schemas = operation.schemas(kit);
    const twice = repeated(schemas);
    if (twice !== undefined) throw new Error(`${id} takes ${twice} in two places`);
    app.route(method, path, asHandler(handlerOf(implemented, schemas)), hooksOf(implemented, schemas));
  }
  return app;
};

/** A name in two parts of the request, which the input could not distinguish. */
const repeated = ({ params, query, body, headers }: Schemas): string | undefined => {
  const names = [params, query, body, headers].flatMap((part) => Object.keys(part?.properties ?? {}));
  return names.find((name, at) => names.indexOf(name) < at);
};

const dryRunText = (id: string): string =>
  `With \`?${dryRunName}=true\`, or as \`POST ${planPath(id)}\`, it changes nothing and answers its plan.`;

const hooksOf = ({ id, operation }: Implemented, schemas: Schemas): object => {
  const { access, scope, scopeRight, tokens, proof, takesPassword, forEnrolment } = operation;
  const { stateChange, mayTakeLong } = operation;
  const { summary, description, tag, errors = [], status = 200, createsWith } = operation;
  const { params, query, body, headers } = schemas;
  const envelope = envelopeOf(operation, schemas);
  const created = createsWith === undefined ? {} : { 201: envelope };
  const response = { [status]: envelope, ...created, ...failures(...errors) };
  const planned = hasPlan(operation) ? id : undefined;
  const known = {
    access,
    scope,
    scopeRight,
    tokens,
    proof,
    takesPassword,
    forEnrolment,
    stateChange,
    mayTakeLong,
    planned,
  };
  const hooks = { ...known, params, query, body, headers, response };
  // The framework counts a key that is undefined as a schema.
  const given = Object.entries(hooks).filter(([, value]) => value !== undefined);
  const told = planned === undefined ? description : `${description} ${dryRunText(id)}`;
  return { ...Object.fromEntries(given), detail: { summary, description: told, tags: [tag] } };
};

const envelopeOf = ({ responds }: Operation, { answer }: Schemas): TSchema => {
  if (responds === "file") return answer ?? t.Any();
  if (responds === "data") return dataOf(answer ?? t.Null());
  if (responds === "bare") return answer ?? t.Null();
  if (responds === "fields") return t.Object({ success: t.Literal(true), ...answer?.properties });
  return done(answer === undefined ? {} : { data: answer });
};

/** A request as its handler sees it: parts without a schema are not there. */
type Call = {
  params?: object;
  query?: object;
  body?: object;
  headers?: object;
  request: Request;
  set: { status?: number | string };
};

/** Whatever the type of an app that is not known says of its handlers: the door gives each what a call has. */
const asHandler = (handler: (call: Call) => Promise<unknown>) =>
  handler as (call: object) => Promise<unknown>;

// The framework reads a handler's text to learn which parts of a request it must prepare: each names only what it uses.
const handlerOf = (implemented: Implemented, schemas: Schemas): ((call: Call) => Promise<unknown>) => {
  const { params, query, body, headers } = schemas;
  const { operation, run } = implemented;
  const { responds, status, createsWith } = operation;
  const answer = async (request: Request, input: object = {}) => {
    const incoming = incomingOf(request);
    const { ctx } = incoming;
    return ctx.isDryRun
      ? Response.json({ success: true, data: await makePlan(implemented, ctx, input) })
      : // The input was checked against the very schemas that the function's type was made of.
        enveloped(responds, await run(ctx, input as never, incoming));
  };
  if (responds === "file")
    return async ({ params, query, request }) => {
      const input: object = { ...params, ...query };
      const incoming = incomingOf(request);
      // As above: the types of input and outcome are those of the function.
      return sentFile(
        (await run(incoming.ctx, input as never, incoming)) as Download | BytesDownload,
        request,
      );
    };
  const named = Object.keys(headers?.properties ?? {});
  if (headers !== undefined || status !== undefined || createsWith !== undefined)
    return ({ request, params, query: asked, body, headers: sent, set }) => {
      const given = Object.entries({ ...sent }).filter(([name]) => named.includes(name));
      // A query that no schema has looked at is no input.
      const input = { ...params, ...(query && asked), ...body, ...Object.fromEntries(given) };
      const done = createsWith !== undefined && createsWith in input ? 201 : status;
      if (done !== undefined && !incomingOf(request).ctx.isDryRun) set.status = done;
      return answer(request, input);
    };
  if (body !== undefined)
    return query === undefined
      ? ({ request, params, body }) => answer(request, { ...params, ...body })
      : ({ request, params, query, body }) => answer(request, { ...params, ...query, ...body });
  if (query === undefined)
    return params === undefined
      ? ({ request }) => answer(request)
      : ({ request, params }) => answer(request, params);
  return params === undefined
    ? ({ request, query }) => answer(request, query)
    : ({ request, params, query }) => answer(request, { ...params, ...query });
};

/** A file as it is answered; to a HEAD request its headers alone are, and nothing has begun. */
const sentFile = (file: Download | BytesDownload, { method }: Request): Response => {
  if ("bytes" in file) return bytesAnswer(file);
  if (method !== "HEAD") file.onSend?.();
  return downloadAnswer(file);
};

/** `implement` has compared what functions resolve to with what their operations answer. */
const enveloped = (responds: Operation["responds"], outcome: unknown): unknown => {
  if (responds === "bare") return outcome;
  return responds === "data" ? { success: true, data: outcome } : { success: true, ...(outcome as object) };
};
