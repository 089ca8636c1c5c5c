import type { FieldError } from "#contract/errors.ts";
import { errorStatus, errorTexts } from "#contract/errors.ts";
import type { ApiAnswer, ApiCallName, ApiDownloads, ApiInput } from "./api-calls.ts";
import type { Composition } from "./composition.ts";
import { CliFailure } from "./failure.ts";
import { toFailure } from "./to-failure.ts";
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
  /** Whether a server answers, which goes on with its work when the command has ended. */
  isServer: boolean;
  /** Resolves to the call's data; throws what the API refused, or `UNREACHABLE`. */
  call<Name extends ApiCallName>(name: Name, input?: ApiInput<Name>): Promise<ApiAnswer<Name>>;
  /** Resolves to a file's bytes as they arrive, which throw `UNREACHABLE` should they break off; throws as `call` does. */
  download<Path extends keyof ApiDownloads>(
    path: Path,
    query: Partial<ApiDownloads[Path]>,
  ): Promise<AsyncIterable<Uint8Array>>;
  close(): Promise<void>;
};

/** A server elsewhere: its origin, and the API token for it. */
export type Remote = { origin: string; token: string | null };

// A server that is just starting or stopping holds the data folder without its socket for a moment. No try begins
// later than this: an attempt takes up to 0.7 s, and the operator is to know within two seconds.
const patienceMs = 1_200;
const retryMs = 100;

/**
 * The client for what the operator means: the remote server when one is named, else the server that runs on the data
 * folder, else the app in this process, which needs the data folder for itself and makes it only if `mayMake`. Throws `DATA_DIR_IN_USE` when somebody
 * holds it without answering.
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
        "UNREACHABLE",
        `there is no installation in ${composition.dataDir}; start one with: atrium serve`,
      );
    }
    try {
      return localTransport(await composition.openApp());
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
    `${failure.message}\nThat process does not answer on its control socket: it is starting, stopping, or another command. Try again in a moment.`,
    { cause: failure },
  );

/** A client over one transport. */
export const createClient = (transport: Transport): Client => ({
  target: transport.target,
  isServer: transport.isServer,
  call: async (name, input = {}) => {
    const [method = "", path = ""] = name.split(" ");
    const body = input.body === undefined ? null : JSON.stringify(input.body);
    const target = `${filled(path, input.params ?? {})}${queryOf(input.query ?? {})}`;
    const response = await transport.send({ method, path: target, body });
    return readAnswer<typeof name>(response, transport.target);
  },
  download: async (path, query) => {
    const response = await transport.send({ method: "GET", path: `${path}${queryOf(query)}`, body: null });
    return readFile(response, transport.target);
  },
  close: transport.close,
});

/** The path with its parameters in their places. Throws `NOT_FOUND` for a value that would make it another path. */
const filled = (path: string, params: Record<string, string>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? "";
    if (/^\.{0,2}$/.test(value)) throw new CliFailure("NOT_FOUND", errorTexts.NOT_FOUND);
    // The API's paths have one spelling, with these characters as they are: RFC 3986 §3.3.
    return encodeURIComponent(value).replace(/%(?:2[46BC]|3[AD]|40)/g, decodeURIComponent);
  });

const queryOf = (query: object): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
};

const readFile = async (response: Response, target: string): Promise<AsyncIterable<Uint8Array>> => {
  const isFile = response.headers.get("content-disposition")?.startsWith("attachment") === true;
  if (response.ok && isFile && response.body !== null) return wholeOf(response.body, target);
  throw refusalOf(await readBody(response), { target, status: response.status });
};

const wholeOf = async function* (
  body: ReadableStream<Uint8Array>,
  target: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw new CliFailure("UNREACHABLE", `the file from ${target} broke off`, { cause: error });
  }
};

const readAnswer = async <Name extends ApiCallName>(
  response: Response,
  target: string,
): Promise<ApiAnswer<Name>> => {
  const body = await readBody(response);
  if (body?.success !== true) throw refusalOf(body, { target, status: response.status });
  return answerOf<Name>("data" in body ? body.data : body);
};

const readBody = async (response: Response): Promise<Record<string, unknown> | null> => {
  const body: unknown = await response.json().catch(() => null);
  return isRecord(body) ? body : null;
};

/** The server has checked the answer against the route's schema, from which its type is taken. */
const answerOf = <Name extends ApiCallName>(data: unknown): ApiAnswer<Name> => data as ApiAnswer<Name>;

const refusalOf = (
  body: Record<string, unknown> | null,
  { target, status }: { target: string; status: number },
): CliFailure => {
  if (body?.success !== false)
    return new CliFailure("UNREACHABLE", `${target} does not answer like Atrium (status ${status})`);
  const { code, message, requestId, errors } = body;
  const kind = typeof code === "string" && isErrorKind(code) ? code : "INTERNAL";
  return new CliFailure(kind, typeof message === "string" ? message : errorTexts[kind], {
    ...(typeof requestId === "string" ? { requestId } : {}),
    errors: Array.isArray(errors) ? errors.filter(isFieldError) : [],
  });
};

const isErrorKind = (code: string): code is keyof typeof errorStatus => Object.hasOwn(errorStatus, code);

const isFieldError = (value: unknown): value is FieldError =>
  isRecord(value) && typeof value.path === "string" && typeof value.message === "string";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
