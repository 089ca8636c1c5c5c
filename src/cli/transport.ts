import type { LocalApp } from "./composition.ts";
import { CliFailure } from "./failure.ts";
import { fetchOwn } from "./own-socket.ts";

/** A call on its way to the API. */
export type Call = {
  method: string;
  path: string;
  /** JSON as text, or a form with a file. */
  body: string | FormData | null;
  headers?: Record<string, string>;
  /** Ends the call, while its answer is being read too; `null` for a call that takes as long as it takes. */
  signal: AbortSignal | null;
};

/** One way to reach the API. Throws `UNREACHABLE` when nobody answers. */
export type Transport = {
  /** Where the calls go, for messages. */
  target: string;
  /** Whether a server answers, which goes on with its work when the command has ended. */
  isServer: boolean;
  send(call: Call): Promise<Response>;
  /** Has a plugin run that is to be called: a server looks after that by itself. */
  startPlugin(name: string): Promise<void>;
  close(): Promise<void>;
};

const probeTimeoutMs = 2_000;
// A server that starts lets requests in within moments, unless its database is away. The operator is to know within two seconds.
const startingPatienceMs = 1_200;
const retryMs = 100;
// Elysia takes the path from the 11th character on; this base serves where no host matters.
const localBase = "http://localhost";

/** Calls over the network, with an API token. Redirects are not followed: the token belongs to the given host alone. */
export const remoteTransport = (origin: string, token: string | null): Transport => ({
  target: origin,
  isServer: true,
  send: async (call) => {
    const response = await reach(origin, () =>
      fetch(`${origin}${call.path}`, {
        ...fetchOptions(call, token === null ? {} : { authorization: `Bearer ${token}` }),
        redirect: "manual",
      }),
    );
    if (response.status < 300 || response.status > 399) return response;
    const location = response.headers.get("location") ?? "elsewhere";
    throw new CliFailure("UNREACHABLE", `${origin} redirects to ${location}; give that address with --url`);
  },
  startPlugin: async () => {},
  close: async () => {},
});

/** Calls over the control socket of the server that runs on this data folder, which is given a moment where it is starting. */
export const socketTransport = (path: string): Transport => {
  const deadline = performance.now() + startingPatienceMs;
  return {
    target: path,
    isServer: true,
    send: async (call) => {
      for (;;) {
        const response = await reach(path, () =>
          fetchOwn(path, `${localBase}${call.path}`, fetchOptions(call)),
        );
        if (performance.now() > deadline || !(await isStarting(response))) return response;
        await Bun.sleep(retryMs);
      }
    },
    startPlugin: async () => {},
    close: async () => {},
  };
};

/** Whether a server has refused a call because it starts: nothing of it was read. */
const isStarting = async (response: Response): Promise<boolean> => {
  if (response.status !== 503) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return Reflect.get(Object(body), "code") === "STARTING";
};

/** Calls to the app in this process. */
export const localTransport = (app: LocalApp): Transport => ({
  target: "this process",
  isServer: false,
  send: (call) => app.handle(new Request(`${localBase}${call.path}`, fetchOptions(call))),
  startPlugin: (name) => app.startPlugin(name),
  close: () => app.close(),
});

/**
 * Whether a server listens on the control socket. Throws `FORBIDDEN` when the socket is in another user's hands, and
 * `UNREACHABLE` when something holds it open without answering.
 */
export const isServerRunning = async (socket: string): Promise<boolean> => {
  try {
    await fetchOwn(socket, `${localBase}/api/health`, { signal: AbortSignal.timeout(probeTimeoutMs) });
    return true;
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ECONNREFUSED") return false;
    if (code === "EACCES" || code === "EPERM") {
      throw new CliFailure(
        "FORBIDDEN",
        `${socket} belongs to another user; run this command as the owner of the data folder`,
      );
    }
    throw new CliFailure("UNREACHABLE", `the server behind ${socket} does not answer`, { cause: error });
  }
};

const fetchOptions = ({ method, body, headers, signal }: Call, credentials: Record<string, string> = {}) => ({
  method,
  body,
  headers: {
    accept: "application/json",
    host: "localhost",
    // A form names its own boundary.
    ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
    ...headers,
    ...credentials,
  },
  signal,
  // The call's own signal says how long it may take.
  timeout: false,
});

const reach = async (target: string, send: () => Promise<Response>): Promise<Response> => {
  try {
    return await send();
  } catch (error) {
    // What the caller ended by himself needs no other words.
    if (error instanceof CliFailure) throw error;
    const reason =
      error instanceof Error && error.name === "TimeoutError" ? "no answer in time" : codeOf(error);
    throw new CliFailure("UNREACHABLE", `cannot reach ${target} (${reason})`, { cause: error });
  }
};

const codeOf = (error: unknown): string => String(Reflect.get(Object(error), "code") ?? "no reason given");
