import type {
  EventName,
  EventPayloads,
  GuardRule,
  Health,
  Json,
  Method,
  PluginResponse,
  Principal,
} from "./types.ts";

/** How a plugin runs in a test; the defaults are those after an admin has installed it and consented. */
export type TestOptions = {
  /** As in the settings form, including secrets. */
  settings?: Record<string, Json>;
  /** Names of the granted permissions; all that `plugin.json` requests by default. */
  granted?: string[];
  /** The host's clock is fixed at this time until `advance`. The plugin's own `Date` is not affected. */
  now?: Date;
  /** The users that `ctx.users.get` finds and `ctx.mail.send` reaches; other addresses need `mail.send:anyone`. */
  users?: (Principal & { email?: string })[];
};

/** A request to one of the plugin's routes; from an admin unless `user` is given, `null` for a visitor. */
export type TestCall = { user?: Principal | null; body?: Json; query?: Record<string, string> };

/** A route's response: JSON, text, or bytes in base64. */
export type TestAnswer = { status: number; headers: Record<string, string>; body: Json };

/** What the plugin sent with `ctx.fetch`. */
export type SentRequest = { method: string; url: string; headers: Record<string, string>; text: string };

/** The response of `ctx.fetch` for a URL, or for all URLs with a prefix that ends with `*`. */
export type FetchReply =
  | PluginResponse
  | ((request: SentRequest) => PluginResponse | Promise<PluginResponse>);

/** A plugin that runs in the sandbox with an in-memory host. */
export type TestedPlugin = {
  call(method: Method, path: string, call?: TestCall): Promise<TestAnswer>;
  emit<E extends EventName>(event: E, payload: EventPayloads[E]): Promise<void>;
  runJob(name: string): Promise<void>;
  /** Changes settings as an admin does; the plugin is notified. */
  setSettings(patch: Record<string, Json>): Promise<void>;
  health(): Promise<Health>;
  /** Advances the host's clock: entries with a time to live expire. */
  advance(ms: number): Promise<void>;
  kv: {
    get(key: string): Promise<Json | undefined>;
    set(key: string, value: Json): Promise<void>;
    keys(): Promise<string[]>;
  };
  files: { read(path: string): Promise<string | undefined> };
  /** Sets the response of a URL. URLs without one can't be reached. */
  fetchMock(address: string, reply: FetchReply): void;
  /** Sets the response of another plugin. */
  pluginMock(
    name: string,
    reply: (call: { method: Method; path: string; body: Json }) => PluginResponse,
  ): void;
  /** What it has done so far, in order. */
  readonly fetched: SentRequest[];
  readonly mails: { to: string; subject: string; text: string }[];
  readonly activities: {
    type: string;
    action: string;
    description?: string;
    status: string;
    severity: string;
  }[];
  readonly logs: { level: string; message: string }[];
  /** The rules that it set last. */
  readonly guardRules: GuardRule[];
  stop(): Promise<void>;
};

const admin: Principal = { id: "00000000-0000-7000-8000-000000000001", name: "Test admin", role: "admin" };

/**
 * Builds the plugin in a folder and runs it in the same sandbox as on a server, with the `atrium` program: the one
 * that `ATRIUM_BIN` names, or the one in the PATH. The test has to stop it. Rejects if it can't be built or started.
 */
export const startPlugin = async (folder: string, options: TestOptions = {}): Promise<TestedPlugin> => {
  const fetches = new Map<string, FetchReply>();
  const plugins = new Map<string, (call: { method: Method; path: string; body: Json }) => PluginResponse>();
  const fetched: SentRequest[] = [];
  const told: Record<string, Json[]> = { mail: [], activity: [], log: [], guardRules: [] };
  const waiting = new Map<number, PromiseWithResolvers<Json | undefined>>();
  let lastId = 0;
  // With this variable the program would be Bun itself, as which it may run this very test.
  const { BUN_BE_BUN: _, ...env } = process.env;
  const child = Bun.spawn([...program(), "__plugin-kit"], {
    env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });

  const write = (line: object): void => {
    child.stdin.write(`${JSON.stringify(line)}\n`);
    child.stdin.flush();
  };
  const ask = (op: string, ...args: (Json | undefined)[]): Promise<Json | undefined> => {
    lastId += 1;
    const answer = Promise.withResolvers<Json | undefined>();
    waiting.set(lastId, answer);
    write({ id: lastId, op, args });
    return answer.promise;
  };

  const answerFetch = async (request: SentRequest): Promise<PluginResponse> => {
    fetched.push(request);
    for (const [address, reply] of fetches) {
      const isMeant = address.endsWith("*")
        ? request.url.startsWith(address.slice(0, -1))
        : request.url === address;
      if (isMeant) return typeof reply === "function" ? reply(request) : reply;
    }
    throw new Error(`${request.url} cannot be reached: the test has no fetchMock for it`);
  };
  const answerCall = async (call: { name: string; method: Method; path: string; body: Json }) => {
    const reply = plugins.get(call.name);
    if (reply === undefined)
      throw new Error(`The plugin ${call.name} is not there: the test has no pluginMock for it`);
    return reply(call);
  };
  const reply = async (id: number, answer: Promise<PluginResponse>): Promise<void> => {
    try {
      write({ reply: id, value: await answer });
    } catch (error) {
      write({ reply: id, error: error instanceof Error ? error.message : String(error) });
    }
  };

  const receive = (line: Line): void => {
    if ("tell" in line) {
      if (line.tell === "guardRules") told.guardRules = sent<Json[]>(line.data);
      else told[line.tell]?.push(line.data);
      return;
    }
    if ("ask" in line) {
      const answer = line.what === "fetch" ? answerFetch(sent(line.data)) : answerCall(sent(line.data));
      return void reply(line.ask, answer);
    }
    const answer = waiting.get(line.id);
    waiting.delete(line.id);
    if (line.error === undefined) answer?.resolve(line.value);
    else answer?.reject(new Error(line.error));
  };
  const readAll = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) receive(JSON.parse(line));
    }
    for (const { reject } of waiting.values()) reject(new Error("The atrium program has exited"));
  };
  const reading = readAll();

  const stop = async (): Promise<void> => {
    child.stdin.end();
    await Promise.all([child.exited, reading]);
  };
  const { settings = {}, granted = null, now, users = [admin] } = options;
  try {
    await ask("start", { folder, settings, granted, users }, now?.getTime());
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    call: async (method, path, { user = admin, body = null, query } = {}) => {
      const search = query === undefined ? "" : `?${new URLSearchParams(query)}`;
      return sent(await ask("call", { method, path: path + search, user, body }));
    },
    emit: async (event, payload) => void (await ask("emit", event, payload)),
    runJob: async (name) => void (await ask("runJob", name)),
    setSettings: async (patch) => void (await ask("setSettings", patch)),
    health: async () => sent(await ask("health")),
    advance: async (ms) => void (await ask("advance", ms)),
    kv: {
      get: (key) => ask("kvGet", key),
      set: async (key, value) => void (await ask("kvSet", key, value)),
      keys: async () => sent(await ask("kvKeys")),
    },
    files: { read: async (path) => sent<string | null>(await ask("readFile", path)) ?? undefined },
    fetchMock: (address, answer) => void fetches.set(address, answer),
    pluginMock: (name, answer) => void plugins.set(name, answer),
    fetched,
    mails: sent(told.mail),
    activities: sent(told.activity),
    logs: sent(told.log),
    get guardRules() {
      return sent<GuardRule[]>(told.guardRules);
    },
    stop,
  };
};

type Line =
  | { tell: string; data: Json }
  | { ask: number; what: "fetch" | "plugin"; data: Json }
  | { id: number; value?: Json; error?: string };

/** The program at the other end says what these types say. */
const sent = <T>(value: Json | undefined): T => value as T;

/** How to start the program. */
const program = (): string[] => {
  const path = process.env.ATRIUM_BIN ?? Bun.which("atrium");
  if (!path)
    throw new Error("The tests need the atrium program: add it to the PATH, or set ATRIUM_BIN to its path");
  return path.endsWith(".ts") ? [process.execPath, path] : [path];
};
