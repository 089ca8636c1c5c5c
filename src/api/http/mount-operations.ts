import { Kind } from "@sinclair/typebox";
import { type AnyElysia, Elysia, type TSchema, t } from "elysia";
import type { ActivityEntry } from "#api/core/activity.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { dryRun, inTime, type OwnPlan } from "#api/core/dry-run.ts";
import type { Browser, Implemented } from "#api/core/implement.ts";
import type { Door, IncomingRequest } from "#api/door/door.ts";
import type { Exchange, PlannedOperation, Route } from "#api/door/exchange.ts";
import { textWithoutSecrets, withoutSecrets } from "#api/modules/activity/index.ts";
import { type BytesDownload, bytesAnswer, type Download, downloadAnswer } from "#api/modules/download.ts";
import { dataOf, done, failures } from "#api/modules/fields.ts";
import { kit } from "#api/modules/kit.ts";
import { operations } from "#api/operations.ts";
import { pathPart } from "#contract/create-client.ts";
import { fieldTexts } from "#contract/errors.ts";
import { hasPlan, type Operation, type Schemas } from "#contract/operation.ts";
import { dryRunName, type Plan, plannedEvents, planPath, planTexts } from "#contract/plan.ts";
import type { RouteTable } from "./route-table.ts";
import { isCanonicalPath } from "./target.ts";

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
  const hooks = {
    ...known,
    params,
    query,
    headers,
    response,
    body: body && unchecked(body),
    checkedBody: body,
  };
  // The framework counts a key that is undefined as a schema.
  const given = Object.entries(hooks).filter(([, value]) => value !== undefined);
  const told = planned === undefined ? description : `${description} ${dryRunText(id)}`;
  return { ...Object.fromEntries(given), detail: { summary, description: told, tags: [tag] } };
};

/** A schema to describe and not to check again: the pipeline has checked the body by the schema itself. */
const unchecked = (schema: TSchema): TSchema => ({ ...schema, [Kind]: "Any" });

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
  incoming: IncomingRequest;
  set: { status?: number | string };
};

/** Whatever the type of an app that is not known says of its handlers: the door gives each what a call has. */
const asHandler = (handler: (call: Call) => Promise<unknown>) =>
  handler as (call: object) => Promise<unknown>;

// The framework reads a handler's text to learn which parts of a request it must prepare: each names only what it uses.
const handlerOf = (implemented: Implemented, schemas: Schemas): ((call: Call) => Promise<unknown>) => {
  const { query, body, headers } = schemas;
  const { operation, run } = implemented;
  const { responds, status, createsWith } = operation;
  const answer = async (incoming: IncomingRequest, input: object = {}) => {
    const { ctx } = incoming;
    return ctx.isDryRun
      ? Response.json({ success: true, data: await makePlan(implemented, ctx, input) })
      : // The input was checked against the very schemas that the function's type was made of.
        enveloped(responds, await run(ctx, input as never, incoming));
  };
  if (responds === "file")
    return async ({ params, query, request, incoming }) => {
      const input: object = { ...params, ...query };
      // As above: the types of input and outcome are those of the function.
      return sentFile(
        (await run(incoming.ctx, input as never, incoming)) as Download | BytesDownload,
        request,
      );
    };
  const named = Object.keys(headers?.properties ?? {});
  if (headers !== undefined || status !== undefined || createsWith !== undefined)
    return ({ incoming, params, query: asked, body, headers: sent, set }) => {
      const given = Object.entries({ ...sent }).filter(([name]) => named.includes(name));
      // A query that no schema has looked at is no input.
      const input = { ...params, ...(query && asked), ...body, ...Object.fromEntries(given) };
      const done = createsWith !== undefined && createsWith in input ? 201 : status;
      if (done !== undefined && !incoming.ctx.isDryRun) set.status = done;
      return answer(incoming, input);
    };
  if (body !== undefined)
    return query === undefined
      ? ({ incoming, params, body }) => answer(incoming, { ...params, ...body })
      : ({ incoming, params, query, body }) => answer(incoming, { ...params, ...query, ...body });
  return query === undefined
    ? ({ incoming, params }) => answer(incoming, params)
    : ({ incoming, params, query }) => answer(incoming, { ...params, ...query });
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

// No rule for the call: of a name that has no plan nothing is known here, so that it is not found.
const planned = operations.flatMap(({ id, operation }) => (hasPlan(operation) ? [id] : []));

const text = t.String();
const anything = t.Unknown();

const plan = t.Object({
  changes: t.Array(
    t.Object({ action: text, description: text, before: t.Optional(anything), after: t.Optional(anything) }),
    { description: "What the activity log would say" },
  ),
  mails: t.Array(t.Object({ to: text, subject: text }), { description: "The emails that would be sent" }),
  events: t.Array(t.UnionEnum([...plannedEvents]), { description: "What this server would tell the others" }),
  summary: t.String({ description: "What would be done, in a sentence that begins with “Would”" }),
});

/**
 * Describes the calls that plan operations. The pipeline has a route for each operation with a dry run; what comes here
 * names none.
 */
export const planRoutes = (door: Door) =>
  new Elysia().use(door).post(
    planPath(":operation"),
    () => {
      throw new AppError("NOT_FOUND");
    },
    {
      access: "admin",
      scope: "any",
      proof: "none",
      params: t.Object({
        operation: t.String({ description: "Its name", enum: planned }),
      }),
      body: t.Object({}, { additionalProperties: true }),
      response: {
        200: dataOf(plan),
        ...failures("NOT_SIGNED_IN", "FORBIDDEN", "NOT_FOUND", "CONFLICT", "BUSY"),
      },
      detail: {
        summary: "Plan a change without making it",
        description:
          "Says what an operation would do. The operation's input is one object: the parameters of its path and query and " +
          "the fields of its body together. The call is judged as the operation's own would be: the same users and tokens " +
          "may make it, the same limits count, and whatever would be refused is refused alike. Nothing is changed, sent or " +
          "started, and the activity log gets no row. The operation's own call with `?dryRun=true` answers the same. " +
          "Operations that change nothing, and those that not only admins may call, have no plan.",
        tags: ["System"],
      },
    },
  );

/** What an operation would do: by its own plan, or else by a dry run. Throws what the operation would throw. */
export const makePlan = async (
  { operation, run, plan }: Implemented,
  ctx: Context,
  input: object,
): Promise<Plan> => {
  // The input was checked against the very schemas that the functions' types were made of.
  const own = plan && (await inTime(plan(ctx, input as never)));
  if (own !== undefined) return toldPlan(operation, own);
  const { outcome, ...done } = await dryRun(ctx, (dry) => run(dry, input as never, withoutCookies));
  return toldPlan(operation, { ...done, summary: summaryOf(operation, { input, outcome, ...done }) });
};

const noCookie = { token: null, set: () => {}, clear: () => {}, leave: () => {} };
// No rollback would take one back.
const withoutCookies: Browser = {
  ...{ session: noCookie, device: noCookie },
  ...{ oauth: noCookie, pending: noCookie, step: noCookie },
};

type Done = { input: object; outcome: unknown; recorded: ActivityEntry[]; mails: object[] };

const summaryOf = (operation: Operation, { input, outcome, recorded, mails }: Done): string => {
  // Every change by an admin leaves a row in the activity log.
  if (recorded.length === 0 && mails.length === 0) return planTexts.nothing;
  const { description = "", before, after } = recorded[0] ?? {};
  // Both were checked against the schemas that its type was made of.
  if (operation.would !== undefined)
    return operation.would({
      input,
      data: shown(operation, outcomeData(operation, outcome)),
      description,
      before: Object(shown(operation, before)),
      after: Object(shown(operation, after)),
      descriptions: recorded.map((entry) => entry.description ?? ""),
    } as never);
  const { summary } = operation;
  const does = `Would ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;
  return description === "" ? does : `${does}: ${description}`;
};

const outcomeData = ({ responds }: Operation, outcome: unknown): unknown =>
  responds === "message" ? Reflect.get(Object(outcome), "data") : outcome;

const toldPlan = (
  operation: Operation,
  { summary, recorded = [], mails = [], events = [] }: OwnPlan,
): Plan => ({
  changes: recorded.map(({ action, description = "", before = null, after = null }) => ({
    action: textWithoutSecrets(action),
    description: textWithoutSecrets(description),
    before: withoutSecrets(shown(operation, before)),
    after: withoutSecrets(shown(operation, after)),
  })),
  mails: mails.map(({ to, subject }) => ({ to, subject: textWithoutSecrets(subject) })),
  events: events.map(({ type }) => type),
  summary: textWithoutSecrets(summary),
});

/** A value without the fields that the operation conceals. */
const shown = ({ conceals = [] }: Operation, value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value) || conceals.length === 0
    ? value
    : Object.fromEntries(Object.entries(value).filter(([name]) => !conceals.includes(name)));

/** A call as its operation's handler gets it. */
type PlannedCall = { request: Request; body: unknown };

/** The call that would carry a plan out, for the operation's own handler: its request names no dry run. */
export const plannedCall = (
  exchange: Exchange,
  route: Route,
  { body, routes }: { body: unknown; routes: RouteTable },
): PlannedCall => {
  const { planned } = route;
  if (planned === null) throw new Error("only operations have plans");
  if (planned.route.template !== route.template) return placedCall(planned, { body, routes });
  const query = new URLSearchParams(exchange.search);
  query.delete(dryRunName);
  const { method, headers } = exchange.request;
  return { request: requestTo(method, targetOf(exchange.path, query), headers), body };
};

/** The call for an operation's input in one object. Throws as the call itself would for what it can't be. */
const placedCall = (
  { route, places }: PlannedOperation,
  { body, routes }: { body: unknown; routes: RouteTable },
): PlannedCall => {
  if (body !== null && (typeof body !== "object" || Array.isArray(body))) throw new AppError("BAD_REQUEST");
  const given = Object.entries(body ?? {});
  // What the operation doesn't know is in its body, if it has one, which says so.
  const rest = route.bodyCheck === null ? null : "body";
  const at = (place: string) => given.filter(([name]) => (places.get(name) ?? rest) === place);
  const unknown = given.filter(([name]) => (places.get(name) ?? rest) === null);
  if (unknown.length > 0)
    throw validationError(
      unknown.slice(0, 20).map(([name]) => ({ path: name.slice(0, 100), message: fieldTexts.unknown })),
    );
  for (const [name, value] of ["params", "query", "headers"].flatMap(at))
    if (typeof value === "object") throw validationError([{ path: name, message: planTexts.oneValue }]);
  const inPath = new Map(at("params"));
  const path = route.template.replace(/:(\w+)/g, (_, name: string) => {
    if (!inPath.has(name)) throw validationError([{ path: name, message: fieldTexts.required }]);
    return pathPart(String(inPath.get(name)));
  });
  if (!isCanonicalPath(path) || routes.find(route.method, path) !== route) throw new AppError("NOT_FOUND");
  const sent = route.bodyCheck === null ? null : Object.fromEntries(at("body"));
  route.bodyCheck?.(sent);
  const texts = (place: string) => at(place).map(([name, value]): [string, string] => [name, String(value)]);
  const headers = new Headers(texts("headers"));
  headers.set("content-type", "application/json");
  const target = targetOf(path, new URLSearchParams(texts("query")));
  return { request: requestTo(route.method, target, headers), body: sent };
};

const targetOf = (path: string, query: URLSearchParams): string =>
  query.size === 0 ? path : `${path}?${query}`;

// The body was read: the handler gets it from the pipeline.
const requestTo = (method: string, target: string, headers: Headers): Request =>
  new Request(`http://localhost${target}`, { method, headers });
