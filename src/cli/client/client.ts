import type { Client as Operations } from "#api/operations.ts";
import { placeOperation } from "#api/place-operation.ts";
import type { Composition } from "#cli/composition.ts";
import { CliFailure, serveIt, toFailure } from "#cli/failure.ts";
import { createClient as createTypedClient, pathPart } from "#contract/create-client.ts";
import { errorTexts } from "#contract/errors.ts";
import { changingReads, type Plan, planPath } from "#contract/plan.ts";
import { isPluginName } from "#contract/plugin-names.ts";
import { Planned } from "../planned.ts";
import type { ApiAnswer, ApiQuery, ApiStreams, ApiUploadName } from "./api-calls.ts";
import {
  type AnyAnswer,
  answerBytes,
  bodyOf,
  createPatience,
  isEventStream,
  isFile,
  isRecord,
  namingPlugin,
  type PluginAnswer,
  readAnswer,
  readAnyAnswer,
  readEnvelope,
  readPluginAnswer,
  refusalOf,
} from "./read-answer.ts";
import { readEvents, type ServerEvent } from "./server-events.ts";
import {
  isServerRunning,
  localTransport,
  remoteTransport,
  socketTransport,
  type Transport,
} from "./transport.ts";

/** Calls the API, wherever it is. */
export type Client = {
  /** Where the calls go, for messages. */
  target: string;
  /** Whether a server responds; it continues its work after the command has ended. */
  isServer: boolean;
  /** Resolves once the installation is ready; throws what the API refused, or `UNREACHABLE`. */
  ready(timing?: Timing): Promise<ApiAnswer<"GET /api/ready">>;
  /** Calls an operation by its name in the API's document and resolves to the body of the answer; throws as `ready` does. */
  operate(id: string, input: object, timing?: Timing): Promise<object>;
  /** What an operation would do, as the server finds by a dry run; throws as `ready` does, and for a server that knows no plans. */
  plan(id: string, input: object): Promise<Plan>;
  /**
   * Resolves to the bytes of the file that an operation answers as they arrive, which throw `UNREACHABLE` should they break off;
   * throws as `ready` does.
   */
  receive(id: string, input: object, ended?: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Sends a file and resolves to the call's data; throws as `ready` does. */
  upload<Name extends ApiUploadName>(
    name: Name,
    input: { file: UploadedFile; query?: ApiQuery<Name> },
  ): Promise<ApiAnswer<Name>>;
  /**
   * Resolves to the events behind `after` as they come, until the server ends the stream. They throw `UNREACHABLE`
   * should they break off or the server be silent for longer than it ever is; throws as `ready` does.
   */
  stream<Path extends keyof ApiStreams>(
    path: Path,
    from: { query: Partial<ApiStreams[Path]>; after: string; ended: AbortSignal },
  ): Promise<AsyncIterable<ServerEvent>>;
  /** Resolves to the description of the API, enabled plugins included; throws as `ready` does. */
  describe(): Promise<ApiDescription>;
  /** Calls a route of a plugin, of which its manifest alone knows what it takes and answers; throws as `ready` does. */
  callPlugin(plugin: string, call: PluginCall): Promise<PluginAnswer>;
  /** Makes any call; throws as `ready` does. */
  request(call: AnyCall): Promise<AnyAnswer>;
  close(): Promise<void>;
};

/** A call as it is typed: `path` with its query, `body` JSON as text. */
export type AnyCall = { method: string; path: string; body: string | null; ended: AbortSignal };

/** An OpenAPI document. */
type ApiDescription = { openapi: string } & Record<string, unknown>;

/** A call below `/api/{plugin}`; `params` fill what is written `:name` in its path. */
export type PluginCall = {
  method: string;
  path: string;
  params: Record<string, string>;
  query: object;
  /** `null` for none. */
  body: object | null;
  /** The field of the body that a plan leaves out, because it would have to be asked for. */
  unread?: string;
};

/** A file to send as the field of a form. */
type UploadedFile = { field: string; name: string; bytes: Uint8Array };

/** How long a call may take, in ms: a minute unless given, `null` for as long as it takes. */
type Timing = { timeoutMs?: number | null };

/** A server elsewhere: its origin, and the API token for it. */
export type Remote = { origin: string; token: string | null };

const callTimeoutMs = 60_000;
// 20 MB over a slow line.
const uploadTimeoutMs = 10 * 60_000;
// A stream that has nothing to tell says so every 15 seconds.
const streamSilenceMs = 45_000;

// A server that is just starting or stopping holds the data folder without its socket for a moment. No try begins
// later than this: an attempt takes up to 0.7 s, and the operator is to know within two seconds.
const patienceMs = 1_200;
const retryMs = 100;

/**
 * The client for what the operator means: the remote server when one is named, else the server that runs on the data
 * folder, else the app in this process, which needs the data folder for itself and makes an installation, or migrates an older
 * version's, only if `mayMake`: else `NO_INSTALLATION` or `DATABASE_UNFIT` is thrown. `DATA_DIR_IN_USE` when another process holds the
 * folder without answering.
 */
export const openClient = async (
  composition: Composition,
  remote: Remote | null,
  mayMake: boolean,
): Promise<Client> =>
  createClient(
    remote ? remoteTransport(remote.origin, remote.token) : await localTransportFor(composition, mayMake),
  );

/** The client for a server that runs already, or `null` when none does. */
export const openRunning = async (
  composition: Composition,
  remote: Remote | null,
): Promise<Client | null> => {
  if (remote) return createClient(remoteTransport(remote.origin, remote.token));
  const { controlSocket } = composition;
  return (await isServerRunning(controlSocket)) ? createClient(socketTransport(controlSocket)) : null;
};

const localTransportFor = async (composition: Composition, mayMake: boolean): Promise<Transport> => {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    if (await isServerRunning(composition.controlSocket)) return socketTransport(composition.controlSocket);
    if (!mayMake && !composition.hasDatabase()) {
      throw new CliFailure(
        "NO_INSTALLATION",
        `there is no installation in ${composition.dataDir}; create one by starting the server: ${serveIt(composition.dataDir)}`,
      );
    }
    try {
      return localTransport(await composition.openApp({ mayMake }));
    } catch (error) {
      const failure = toFailure(error);
      if (failure.kind !== "DATA_DIR_IN_USE") throw error;
      if (performance.now() > deadline) throw notAnswering(failure);
    }
    await Bun.sleep(retryMs);
  }
};

/** The words for a data folder that a process holds without answering on its control socket. */
const notAnswering = (failure: CliFailure): CliFailure =>
  new CliFailure(
    failure.kind,
    `${failure.message}\nThat process does not respond on its control socket: it is starting, stopping, or another command. Try again in a moment.`,
    { cause: failure },
  );

/** A client over one transport. */
export const createClient = (transport: Transport): Client => ({
  target: transport.target,
  isServer: transport.isServer,
  ready: async ({ timeoutMs = callTimeoutMs } = {}) => {
    const signal = timeoutMs === null ? null : AbortSignal.timeout(timeoutMs);
    const response = await transport.send({ method: "GET", path: "/api/ready", body: null, signal });
    return readAnswer<"GET /api/ready">(response, transport.target);
  },
  operate: async (id, input, { timeoutMs } = {}) => {
    const { method, target, headers, body, mayTakeLong } = placed(id, input);
    const mostMs = timeoutMs ?? (mayTakeLong ? null : callTimeoutMs);
    const signal = mostMs === null ? null : AbortSignal.timeout(mostMs);
    const text = body === undefined ? null : JSON.stringify(body);
    const response = await transport.send({ method, path: target, headers, body: text, signal });
    return namingPlugin(input, () => readEnvelope(response, transport.target));
  },
  plan: async (id, input) => {
    const ask = (method: string, body: string | null) =>
      transport.send({ method, path: planPath(id), body, signal: AbortSignal.timeout(callTimeoutMs) });
    const response = await ask("POST", JSON.stringify(input));
    // Version 1.0 ignored what asks an operation itself for a plan, and carried it out. Of this path it knows nothing.
    if (response.status === 404 && (await ask("GET", null)).status === 404)
      throw new CliFailure("NOT_FOUND", tooOldForPlans(transport.target));
    const body = await namingPlugin(input, () => readEnvelope(response, transport.target));
    return planIn("data" in body ? body.data : null);
  },
  receive: async (id, input, ended) => {
    const { method, target } = placed(id, input);
    const patience = createPatience({ silenceMs: callTimeoutMs, target: transport.target, ended });
    const response = await patience.wait(
      transport.send({ method, path: target, body: null, signal: patience.signal }),
    );
    const body = await namingPlugin(input, () =>
      bodyOf(response, { target: transport.target, isWanted: isFile }),
    );
    return answerBytes(body, { patience, what: `the file from ${transport.target}` });
  },
  describe: () => describeApi(transport),
  callPlugin: async (plugin, call) => {
    await transport.startPlugin(plugin);
    const { method, body } = call;
    const response = await transport.send({
      method,
      path: pluginTarget(plugin, call),
      body: body === null ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(callTimeoutMs),
    });
    return readPluginAnswer(response, transport.target);
  },
  request: async ({ method, path, body, ended }) => {
    const plugin = pluginIn(path);
    if (plugin !== null) await transport.startPlugin(plugin);
    const patience = createPatience({ silenceMs: callTimeoutMs, target: transport.target, ended });
    const call = { method, path, body, headers: { accept: "*/*" }, signal: patience.signal };
    const response = await patience.wait(transport.send(call));
    return readAnyAnswer(response, { target: transport.target, patience });
  },
  upload: async (name, { file, query = {} }) => {
    const [method = "", path = ""] = name.split(" ");
    const body = new FormData();
    body.append(file.field, new Blob([file.bytes.slice()], { type: "application/zip" }), file.name);
    const signal = AbortSignal.timeout(uploadTimeoutMs);
    const response = await transport.send({ method, path: `${path}${queryOf(query)}`, body, signal });
    return readAnswer<typeof name>(response, transport.target);
  },
  stream: async (path, { query, after, ended }) => {
    const patience = createPatience({ silenceMs: streamSilenceMs, target: transport.target, ended });
    const response = await patience.wait(
      transport.send({
        method: "GET",
        path: `${path}${queryOf(query)}`,
        body: null,
        headers: { accept: "text/event-stream", "last-event-id": after },
        signal: patience.signal,
      }),
    );
    const body = await bodyOf(response, { target: transport.target, isWanted: isEventStream });
    return readEvents(answerBytes(body, { patience, what: `the stream from ${transport.target}` }));
  },
  close: transport.close,
});

/**
 * The API's own description. An app in this process runs no plugins on its own: those that are enabled are started for
 * it, since they alone know their routes; one that fails to start has none. Throws what the API refused, and `UNREACHABLE`.
 */
const describeApi = async (transport: Transport): Promise<ApiDescription> => {
  const read = (path: string) =>
    transport.send({ method: "GET", path, body: null, signal: AbortSignal.timeout(callTimeoutMs) });
  if (!transport.isServer) {
    const { data } = await operationsOf(createClient(transport)).plugins.list();
    for (const { name, enabled } of data) if (enabled) await transport.startPlugin(name);
  }
  const response = await read("/swagger/json");
  const body: unknown = await response.json().catch(() => null);
  if (isDescription(body)) return body;
  throw refusalOf(isRecord(body) ? body : null, { target: transport.target, status: response.status });
};

const tooOldForPlans = (target: string): string =>
  `${target} is too old for --plan, which needs Atrium 1.1 or later; nothing was changed`;

/** The server has checked it against the schema that its type repeats; whatever else came is no plan. */
const planIn = (data: unknown): Plan => {
  if (isRecord(data) && typeof data.summary === "string" && Array.isArray(data.mails)) return data as Plan;
  throw new CliFailure("UNREACHABLE", "the server did not return a plan");
};

const isDescription = (body: unknown): body is ApiDescription =>
  isRecord(body) && typeof body.openapi === "string";

/** The plugin that a path of the API leads to; `null` for the application's own, whose groups of calls no plugin is named like. */
export const pluginIn = (path: string): string | null => {
  const [, name = ""] = /^\/api\/([^/?]+)/.exec(path) ?? [];
  return isPluginName(name) ? name : null;
};

/** The path of a plugin's call below `/api`, with its query. Throws `NOT_FOUND` for a value that would make it another path. */
export const pluginTarget = (
  plugin: string,
  { path, params, query }: Pick<PluginCall, "path" | "params" | "query">,
): string => `/api/${plugin}${path === "/" ? "" : filled(path, params)}${queryOf(query)}`;

/** The path with its parameters in their places. Throws as {@link partOf}. */
const filled = (path: string, params: Record<string, string>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => partOf(params[name] ?? ""));

/** A value as a part of a path. Throws `NOT_FOUND` for one that would make it another path. */
const partOf = (value: string): string => {
  if (/^\.{0,2}$/.test(value)) throw new CliFailure("NOT_FOUND", errorTexts.NOT_FOUND);
  return pathPart(value);
};

const placed = (id: string, input: object) => placeOperation(id, input, partOf);

const queryOf = (query: object): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
};

/** The typed client over whatever way the API is called: `operationsOf(client).mail.retry({ id })`. */
export const operationsOf = (client: Client, timing?: Timing): Operations =>
  createTypedClient((id, input) => client.operate(id, input, timing));

type Called = Pick<AnyCall, "method" | "path">;

/** What a call would do, by the API's own description. Throws `NOT_FOUND` for one that it does not have. */
export const requestPlan = async (client: Client, { method, path }: Called): Promise<Planned> => {
  const operation = await describedCall(client, { method, path });
  const words = callWords(operation, { method, path });
  return new Planned({ words, call: `${method} ${plainOf(path) as `/${string}`}` });
};

/** Whether a call with GET changes something all the same. */
export const isChangingRead = (path: string): boolean => {
  const plain = plainOf(path);
  return changingReads.some((template) => isAt(template, plain));
};

/** A call as the API's description has it. Throws `NOT_FOUND` for one that it does not have. */
export const describedCall = async (
  client: Client,
  { method, path }: Called,
): Promise<Record<string, unknown>> => {
  const plain = plainOf(path);
  const operation = operationAt(await client.describe(), method.toLowerCase(), plain);
  if (operation !== null) return operation;
  throw new CliFailure("NOT_FOUND", `there is no call ${method} ${plain}; see: atrium openapi`);
};

/** That a call would be made, and what it does. */
export const callWords = ({ summary }: Record<string, unknown>, { method, path }: Called): string =>
  `Would call ${method} ${path}${typeof summary === "string" ? `: ${summary}` : ""}`;

const plainOf = (path: string): string => path.split("?", 1)[0] ?? "";

const operationAt = (
  { paths }: Record<string, unknown>,
  method: string,
  path: string,
): Record<string, unknown> | null => {
  const fitting = Object.entries(Object(paths)).filter(([template]) => isAt(template, path));
  // One that is written out is meant before one with a name in its place.
  fitting.sort(([one], [other]) => one.split("{").length - other.split("{").length);
  for (const [, item] of fitting) {
    const operation: unknown = Object(item)[method];
    if (isRecord(operation)) return operation;
  }
  return null;
};

const isAt = (template: string, path: string): boolean => {
  const [parts, given] = [template.split("/"), path.split("/")];
  return (
    parts.length === given.length && parts.every((part, at) => part === given[at] || /^\{\w+\}$/.test(part))
  );
};
