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

/** How a plugin is to run for a test; what is left out is as an admin finds it after installing and agreeing. */
export type TestOptions = {
  /** As in the settings form, secrets too. */
  settings?: Record<string, Json>;
  /** Names of the permissions that are granted: all that `plugin.json` asks for unless given. */
  granted?: string[];
  /** The host's clock stands still here, until `advance`. The plugin's own `Date` goes on. */
  now?: Date;
  /** Whom `ctx.users.get` finds, and `ctx.mail.send` reaches at `email`; other addresses take `mail.send:anyone`. */
  users?: (Principal & { email?: string })[];
};

/** A call of one of the plugin's routes; by an admin unless `user` says otherwise, `null` for a visitor. */
export type TestCall = { user?: Principal | null; body?: Json; query?: Record<string, string> };

/** What a route answered: JSON, a text, or bytes in base64. */
export type TestAnswer = { status: number; headers: Record<string, string>; body: Json };

/** What the plugin sent with `ctx.fetch`. */
export type SentRequest = { method: string; url: string; headers: Record<string, string>; text: string };

/** What `ctx.fetch` gets for an address, or for all that begin with it when it ends with `*`. */
export type FetchReply =
  | PluginResponse
  | ((request: SentRequest) => PluginResponse | Promise<PluginResponse>);

/** A plugin that runs in the sandbox, with a host in memory around it. */
export type TestedPlugin = {
  call(method: Method, path: string, call?: TestCall): Promise<TestAnswer>;
  emit<E extends EventName>(event: E, payload: EventPayloads[E]): Promise<void>;
  runJob(name: string): Promise<void>;
  /** Changes settings as an admin does; the plugin hears of it. */
  setSettings(patch: Record<string, Json>): Promise<void>;
  health(): Promise<Health>;
  /** Moves the host's clock: what has a time to live ends. */
  advance(ms: number): Promise<void>;
  kv: {
    get(key: string): Promise<Json | undefined>;
    set(key: string, value: Json): Promise<void>;
    keys(): Promise<string[]>;
  };
  files: { read(path: string): Promise<string | undefined> };
  /** Says what an address answers. What nobody spoke of cannot be reached. */
  fetchMock(address: string, reply: FetchReply): void;
  /** Says what another plugin answers. */
  pluginMock(
    name: string,
    reply: (call: { method: Method; path: string; body: Json }) => PluginResponse,
  ): void;
  /** What it did so far, in that order. */
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
 * Builds the plugin of a folder and runs it in the very sandbox that servers use, through the program `atrium`: the one
 * that `ATRIUM_BIN` names, or the one in the PATH. Whoever starts it stops it. Rejects when it cannot be built or started.
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
