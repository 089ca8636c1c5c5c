import { readFile } from "node:fs/promises";
import { Command } from "commander";
import type { Environment } from "#api/config/variable.ts";
import { type Client, openClient, type Remote } from "./client/client.ts";
import type { Composition } from "./composition.ts";
import { usage } from "./failure.ts";
import { Planned, planResult } from "./planned.ts";
import type { PluginWord } from "./plugin-words/call-present-plugin.ts";
import { createOutput, type Output, printable } from "./terminal/output.ts";
import { confirm, type Terminal } from "./terminal/terminal.ts";

/** What every command takes, before or after its name. */
export type GlobalOptions = {
  json?: true;
  url?: string;
  tokenFile?: string;
  yes?: true;
  dataDir?: string;
};

/** What the program is run with. */
export type Cli = {
  terminal: Terminal;
  /** The variables of the process, completed by the file `.env`. Throws `ConfigError` when that cannot be read. */
  environment: () => Environment;
  /** Builds the product for an environment; `--data-dir` is already in it. */
  compose: (env: Environment, terminal: Terminal) => Composition;
  /** The commands of the plugins that are part of the product, which are known without asking a server. */
  pluginWords: () => Promise<readonly PluginWord[]>;
};

/** One run of one command. */
export type Invocation = {
  terminal: Terminal;
  composition: Composition;
  output: Output;
  /** The remote server that the operator named, or `null`. */
  remote: () => Promise<Remote | null>;
  /** The words behind the command's name that are no options. */
  args: readonly string[];
  /** Whether nothing is to be changed (`--plan`): a change of the API then ends the command, with what it would do. */
  isPlan: boolean;
  /** Asks before something that cannot be taken back: see `confirm`. With `--plan` nothing is asked. */
  confirm: (question: () => Promise<string>) => Promise<void>;
};

type Work<Options> = (invocation: Invocation, options: Options) => Promise<void>;

/** `isLocal`: it is about this machine and takes no server elsewhere. `isDiagnosis`: it tells itself of a data folder that is a file. */
type Kind = { isLocal?: boolean; isDiagnosis?: boolean };

/**
 * Turns a command's work into the handler that commander calls. What works with this machine's data folder is told first
 * when that is a file, unless the command diagnoses such things itself.
 */
export const handler =
  <Options = object>(cli: Cli, work: Work<Options>, { isLocal = false, isDiagnosis = false }: Kind = {}) =>
  async (...received: unknown[]): Promise<void> => {
    // Commander passes the arguments one by one, then the options, then the command itself.
    const command = received.at(-1);
    if (!(command instanceof Command)) throw new Error("commander passed no command");
    const options = command.optsWithGlobals<GlobalOptions & { plan?: unknown } & Options>();
    const isNamed = options.url !== undefined || options.tokenFile !== undefined;
    if (isLocal && isNamed)
      throw usage(`${wordsOf(command)} only works on this machine; remove --url and --token-file`);
    const { terminal, composition } = surroundings(cli, options);
    const output = createOutput(terminal, options.json === true);
    const isPlan = options.plan === true;
    const isRemote = Boolean(options.url ?? terminal.env.ATRIUM_URL);
    const isAnswered = options.yes === true || isPlan;
    try {
      await work(
        {
          terminal,
          get composition() {
            if (!isDiagnosis && !isRemote) composition.refuseFile();
            return composition;
          },
          output,
          remote: () => readRemote(options, terminal),
          args: command.args,
          isPlan,
          confirm: (question) => confirm(terminal, { isAnswered, question }),
        },
        options,
      );
    } catch (error) {
      if (!(error instanceof Planned)) throw error;
      output.result(planResult(error.steps), ({ plan }) => printable(plan.join("\n"), "\n"));
    }
  };

/** The same for a command about this machine, which takes no server elsewhere. */
export const localHandler = <Options = object>(cli: Cli, work: Work<Options>) =>
  handler(cli, work, { isLocal: true });

/** The terminal and the product as the options of all commands have them. */
export const surroundings = (
  cli: Cli,
  { dataDir }: GlobalOptions,
): Pick<Invocation, "terminal" | "composition"> => {
  const env = { ...cli.environment(), ...(dataDir ? { DATA_DIR: dataDir } : {}) };
  const terminal = { ...cli.terminal, env };
  return { terminal, composition: cli.compose(env, terminal) };
};

/** Calls the API for the length of `work`. Only what is there to begin an installation may make one (`mayMake`). */
export const withClient = async <T>(
  { composition, remote, isPlan }: Invocation,
  work: (client: Client) => Promise<T>,
  { mayMake = false } = {},
): Promise<T> => {
  const client = await openClient(composition, await remote(), mayMake && !isPlan);
  try {
    if (!isPlan) return await work(client);
    const { planningClient } = await import("./client/planning-client.ts");
    return await work(planningClient(client));
  } finally {
    await client.close();
  }
};

/** The name of a command without the program's. */
const wordsOf = (command: Command): string =>
  command.parent === null ? "" : `${wordsOf(command.parent)} ${command.name()}`.trim();

/** Where the operator says that the server is. */
type RemoteOptions = { url?: string; tokenFile?: string };

/**
 * The remote server named by `--url` or `ATRIUM_URL`, with the token of `--token-file` or `ATRIUM_TOKEN`; `null` when
 * none is named. Throws `USAGE` for an address that would give the token away, and for an unusable token.
 */
export const readRemote = async (options: RemoteOptions, terminal: Terminal): Promise<Remote | null> => {
  const address = options.url ?? (terminal.env.ATRIUM_URL || undefined);
  if (address === undefined) {
    if (options.tokenFile !== undefined) throw usage("--token-file needs --url or ATRIUM_URL");
    return null;
  }
  return { origin: originOf(address), token: await readToken(options, terminal) };
};

const originOf = (address: string): string => {
  const url = /^https?:\/\/[^/?#]+\/?$/i.test(address) ? URL.parse(address) : null;
  if (!url) throw usage("the server's URL must look like https://atrium.example, without a path");
  if (url.username !== "" || url.password !== "") {
    throw usage("the server's URL must not contain a user name or password");
  }
  const isLoopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== "https:" && !isLoopback) {
    throw usage("the server's URL must start with https:// (http only for localhost)");
  }
  return url.origin;
};

const readToken = async ({ tokenFile }: RemoteOptions, terminal: Terminal): Promise<string | null> => {
  const text = tokenFile === undefined ? terminal.env.ATRIUM_TOKEN : await tokenFrom(tokenFile, terminal);
  const token = text?.trim() ?? "";
  if (token === "" && tokenFile === undefined) return null;
  if (!/^[\x21-\x7e]{1,512}$/.test(token)) throw usage("the API token is empty or malformed");
  return token;
};

const tokenFrom = async (tokenFile: string, terminal: Terminal): Promise<string> => {
  if (tokenFile === "-") return new TextDecoder().decode(await terminal.readInput());
  try {
    return await readFile(tokenFile, "utf8");
  } catch (error) {
    throw usage(`cannot read the token file ${tokenFile}`, { cause: error });
  }
};

/** The part of a command's help that shows it in use: what it does, then how it is typed. */
export const examples = (...pairs: (readonly [purpose: string, typed: string])[]): string =>
  `\nExamples:\n${pairs.map(([purpose, typed]) => `  # ${purpose}\n  $ ${typed}\n`).join("\n")}`;
