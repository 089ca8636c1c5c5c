import { describeConfig, secretsIn } from "#api/config/describe-config.ts";
import { controlSocketIn, readConfig, readDataDir } from "#api/config.ts";
import type { Composition, LocalApp } from "#cli/composition.ts";
import { CliFailure } from "#cli/failure.ts";
import type { PluginWord } from "#cli/plugin-words/call-present-plugin.ts";
import { runCli } from "#cli/run-cli.ts";
import type { Terminal } from "#cli/terminal/terminal.ts";

/** The world around a command in a test; what is left out is empty, and nothing is a terminal. */
export type World = {
  env?: Record<string, string>;
  /** Standard input. */
  input?: string | Uint8Array;
  /** What is typed at the prompts; giving it makes the input a terminal. */
  typed?: string[];
  isTerminal?: boolean;
  /** How wide that terminal is. */
  columns?: number;
  /** Ctrl-C, for work that can be interrupted. */
  interrupt?: AbortSignal;
  /** Is told of what goes to standard output. */
  onOut?: (text: string) => unknown;
  /** Is told of all that went to standard error so far. */
  onErr?: (all: string) => unknown;
  /** How many times standard output takes something before its reader goes away. */
  reads?: number;
  /** The API of the app in this process. */
  answer?: (request: Request) => Response | Promise<Response>;
  composition?: Partial<Composition>;
  /** The commands of plugins that are part of the product. */
  pluginWords?: PluginWord[];
};

/** What a command did: exit code, both outputs, the calls it made to the app in this process, and the plugins it started there. */
export type Outcome = {
  code: number;
  out: string;
  err: string;
  calls: Request[];
  started: string[];
  isClosed: boolean;
};

/** The calls of a run: method, path with query, and body. */
export const callsOf = async ({ calls }: Pick<Outcome, "calls">): Promise<string[]> =>
  Promise.all(
    calls.map(async (call) => {
      const { pathname, search } = new URL(call.url);
      return [call.method, `${pathname}${search}`, await call.text()].filter(Boolean).join(" ");
    }),
  );

/** Runs a command line in this process. */
export const run = async (argv: string[], world: World = {}): Promise<Outcome> => {
  const outcome: Outcome = { code: -1, out: "", err: "", calls: [], started: [], isClosed: false };
  const env = { DATA_DIR: "/nonexistent/atrium", ...world.env };
  const typed = [...(world.typed ?? [])];
  let reads = world.reads ?? Number.POSITIVE_INFINITY;
  const nextLine = (): string => {
    const line = typed.shift();
    if (line === undefined) throw new CliFailure("CANCELLED", "canceled");
    return line;
  };
  const terminal: Terminal = {
    env,
    out: (text) => {
      if (reads === 0) return false;
      reads -= 1;
      outcome.out += text;
      world.onOut?.(text);
      return true;
    },
    outBytes: (bytes) => {
      outcome.out += new TextDecoder("latin1").decode(bytes);
      return true;
    },
    err: (text) => {
      outcome.err += text;
      world.onErr?.(outcome.err);
    },
    isOutputTerminal: world.isTerminal ?? false,
    columns: () => world.columns ?? null,
    isErrorTerminal: world.isTerminal ?? false,
    isInputTerminal: world.typed !== undefined,
    readInput: async () =>
      typeof world.input === "string"
        ? new TextEncoder().encode(world.input)
        : (world.input ?? new Uint8Array()),
    inputBytes: async function* () {
      yield typeof world.input === "string"
        ? new TextEncoder().encode(world.input)
        : (world.input ?? new Uint8Array());
    },
    askLine: async (question) => {
      outcome.err += `${question}: `;
      return nextLine();
    },
    askSecret: async () => nextLine(),
    interruptible: (work) => work(world.interrupt ?? new AbortController().signal),
  };
  const app: LocalApp = {
    handle: async (request) => {
      outcome.calls.push(request.clone());
      return world.answer ? world.answer(request) : Response.error();
    },
    startPlugin: async (name) => {
      outcome.started.push(name);
    },
    close: async () => {
      outcome.isClosed = true;
    },
  };
  const compose = (variables: Record<string, string | undefined>): Composition => ({
    dataDir: readDataDir(variables),
    controlSocket: controlSocketIn(readDataDir(variables)),
    config: () => readConfig(variables, false),
    describeConfig: () => describeConfig(variables),
    secretTexts: () => secretsIn(variables),
    startServer: () => Promise.reject(new Error("no server in this test")),
    openApp: async () => app,
    describeApi: async () => ({ openapi: "3.1.0" }),
    inspectDatabase: () => Promise.reject(new Error("no database in this test")),
    inspectPostgres: async () => null,
    supportFacts: () => Promise.reject(new Error("no database in this test")),
    inspectRedis: async () => null,
    packPlugin: async () => new Uint8Array(),
    pluginTools: async () => (await import("#api/plugin-host/author/plugin-tools.ts")).pluginTools,
    migrationsOfNewDatabase: async () => [],
    migrate: () => Promise.reject(new Error("no database in this test")),
    planMove: () => Promise.reject(new Error("no database in this test")),
    moveToPostgres: () => Promise.reject(new Error("no database in this test")),
    backups: () => Promise.reject(new Error("no backups in this test")),
    listSnapshots: async () => [],
    restoreSnapshot: () => Promise.reject(new Error("no database in this test")),
    inspectBreachFilter: async () => null,
    buildBreachFilter: () => Promise.reject(new Error("no data folder in this test")),
    hasDatabase: () => true,
    refuseFile: () => {},
    ...world.composition,
  });
  const pluginWords = async () => world.pluginWords ?? [];
  outcome.code = await runCli(argv, { terminal, environment: () => env, compose, pluginWords }, "1.2.3");
  return outcome;
};

/** An envelope as the API sends it. */
export const success = (data: unknown, status = 200): Response =>
  Response.json({ success: true, data }, { status });

/** A refusal as the API sends it. */
export const refusal = (status: number, code: string, message: string, errors?: object[]): Response =>
  Response.json(
    { success: false, code, message, requestId: "req-1", ...(errors ? { errors } : {}) },
    { status },
  );
