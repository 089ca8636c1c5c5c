import { watch } from "node:fs";
import { stat } from "node:fs/promises";
import type { Command } from "commander";
import { type Client, openRunning, operationsOf } from "#cli/client/client.ts";
import { CliFailure, type FailureKind, toFailure, usage } from "#cli/failure.ts";
import { type Cli, examples, handler, type Invocation } from "#cli/invocation.ts";
import { outputStyle, printable } from "#cli/terminal/output.ts";
import { Declined } from "#cli/terminal/terminal.ts";
import type { Plugin, PluginLogLine } from "#contract/plugins.ts";
import { type SentConsent, withConsent } from "./plugin-changes.ts";
import { logLineText } from "./plugin-logs.ts";

/** `plugin dev`: a plugin runs while it is being written. */
export const addPluginDevCommand = (group: Command, cli: Cli): void => {
  group
    .command("dev")
    .argument("<folder>", "the plugin's folder")
    .summary("run a plugin during development")
    .description(
      "Builds a plugin, runs it on the server, and does both again after each change; the previous version keeps running until the new one " +
        "has started. Shows errors with file and line, and the plugin's log. On the server its version ends in -dev and " +
        "an increasing number. Ctrl-C ends the command; the plugin keeps running.",
    )
    .addHelpText(
      "after",
      examples(
        ["Ask for its permissions once", "atrium plugin dev ./visitor-notes"],
        ["Without asking", "atrium plugin dev ./visitor-notes --yes"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [folder = ""] = invocation.args;
        if (!(await stat(folder).catch(() => null))?.isDirectory())
          throw usage(`folder not found: ${folder}`);
        const client = await openRunning(invocation.composition, await invocation.remote());
        if (client === null)
          throw new CliFailure(
            "UNREACHABLE",
            `no server is running on ${invocation.composition.dataDir}; start it in another terminal: atrium serve`,
          );
        const over = new AbortController();
        try {
          await invocation.terminal.interruptible((interrupted) =>
            develop(invocation, { client, folder, ended: AbortSignal.any([interrupted, over.signal]) }),
          );
        } finally {
          over.abort();
          await client.close();
        }
      }),
    );
};

type Work = { client: Client; folder: string; ended: AbortSignal };

const develop = async (invocation: Invocation, { client, folder, ended }: Work): Promise<void> => {
  const { isSource } = await invocation.composition.pluginTools();
  const session = createDevSession(invocation, { client, folder });
  const changes = watchFolder(folder, { ended, isWanted: isSource });
  const log = showLog(invocation, { client, session, ended });
  await session.deploy();
  invocation.output.note(`Watching ${folder}; press Ctrl-C to stop.`);
  for (;;) {
    await changes.next();
    if (ended.aborted) break;
    await session.deploy();
  }
  await log;
  invocation.output.note("The plugin was not changed.");
};

const logEveryMs = 500;

/** Prints what comes to the plugin's log from now on. */
const showLog = async (
  invocation: Invocation,
  { client, session, ended }: Pick<Work, "client" | "ended"> & { session: DevSession },
): Promise<void> => {
  const { terminal } = invocation;
  const since = new Date().toISOString();
  let after = 0;
  while (!ended.aborted) {
    const name = session.name();
    for (const line of name === null ? [] : await newLines(client, name, after)) {
      after = line.id;
      if (line.at >= since) terminal.out(`${logLineText(line, outputStyle(terminal))}\n`);
    }
    await Bun.sleep(logEveryMs);
  }
};

const newLines = async (client: Client, name: string, after: number): Promise<PluginLogLine[]> => {
  try {
    return (await operationsOf(client).plugins.logs({ name, after })).data.lines;
  } catch {
    // What keeps a server from answering is told when the plugin is built the next time.
    return [];
  }
};

/** A plugin that is being written and runs on a server meanwhile. */
type DevSession = {
  /** Builds what is there now and puts it in force; what stands against it is told to the author. Throws only what ends the session. */
  deploy(): Promise<void>;
  /** Its name, once it could be built. */
  name(): string | null;
};

/** Works on the plugin in `folder`, on the server behind `client`. */
const createDevSession = (
  invocation: Invocation,
  { client, folder }: { client: Client; folder: string },
): DevSession => {
  const { output, composition } = invocation;
  const agreed = new Set<string>();
  let name: string | null = null;

  /** Makes a call that may need consent; what the author agreed to is not asked again. */
  const consenting = async (
    plugin: string,
    call: (consent: SentConsent) => Promise<Plugin>,
  ): Promise<Plugin> => {
    try {
      return await call({});
    } catch (error) {
      if (!(error instanceof CliFailure) || error.kind !== "CONSENT_REQUIRED") throw error;
      const wanted = JSON.stringify(Reflect.get(Object(error.data), "permissions"));
      if (agreed.has(wanted))
        return call({ consent: true, sha256: String(Reflect.get(Object(error.data), "sha256")) });
      return withConsent(invocation, plugin, async (consent) => {
        if (consent.consent !== true) throw error;
        agreed.add(wanted);
        return call(consent);
      });
    }
  };

  const putInForce = async (zip: Uint8Array, version: string): Promise<Plugin> => {
    const file = { field: "plugin", name: "dev.zip", bytes: zip };
    const stored = await client.upload("POST /api/plugins/upload", {
      file,
      query: { allowDowngrade: "true" },
    });
    const { name: of, enabled, pendingVersion } = stored;
    const { plugins } = operationsOf(client);
    if (!enabled)
      return consenting(
        of,
        async (consent) => (await plugins.toggle({ name: of, enabled: true, ...consent })).data,
      );
    if (pendingVersion !== version) return stored;
    return consenting(
      of,
      async (consent) => (await plugins.activateVersion({ name: of, version, ...consent })).data,
    );
  };

  return {
    name: () => name,
    deploy: async () => {
      const startedMs = performance.now();
      try {
        const { pack } = await composition.pluginTools();
        const { zip, manifest } = await pack(folder, {
          version: (declared) => devVersion(declared, Date.now()),
        });
        const plugin = await putInForce(zip, manifest.version);
        name = plugin.name;
        const tookMs = Math.round(performance.now() - startedMs);
        output.note(printable(`${plugin.name} ${plugin.version}: ${plugin.state} (${tookMs} ms)`));
      } catch (error) {
        if (error instanceof Declined) {
          output.note("Not activated. You will be asked again after the next change.");
          return;
        }
        const failure = toFailure(error);
        if (endsSession.has(failure.kind)) throw error;
        for (const line of linesOf(failure)) output.note(line);
      }
    },
  };
};

// `USAGE`: there is no terminal to ask on.
const endsSession: ReadonlySet<FailureKind> = new Set(["CANCELLED", "UNREACHABLE", "USAGE"]);

const linesOf = ({ message, errors }: CliFailure): string[] => [
  `error: ${printable(message)}`,
  ...errors.map(({ path, message: complaint }) =>
    printable(`  ${[path, complaint].filter(Boolean).join(": ")}`),
  ),
];

/**
 * The version under which a plugin runs that is being written: before the one it will have, and after all that came
 * before. Source: Semantic Versioning 2.0.0, §11.
 */
export const devVersion = (declared: string, nowMs: number): string => {
  const [plain = ""] = declared.split("+");
  return `${plain}${plain.includes("-") ? "." : "-"}dev.${nowMs}`;
};

/** The changes in a folder, one after the other. */
type Changes = {
  /** Resolves once something was changed since the last time, and it has been quiet for a moment; or at the end. */
  next(): Promise<void>;
};

// An editor writes a file in several steps, and several files at the same time.
const quietMs = 50;

/** Watches a folder and what is below it until `ended`; `isWanted` tells by a path below it what counts. */
const watchFolder = (
  folder: string,
  { ended, isWanted }: { ended: AbortSignal; isWanted: (path: string) => boolean },
): Changes => {
  let changed = Promise.withResolvers<void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watcher = watch(folder, { recursive: true }, (_, path) => {
    if (!path || !isWanted(path.replaceAll("\\", "/"))) return;
    clearTimeout(timer);
    timer = setTimeout(() => changed.resolve(), quietMs);
  });
  ended.addEventListener("abort", () => {
    clearTimeout(timer);
    watcher.close();
    changed.resolve();
  });
  return {
    next: async () => {
      await changed.promise;
      if (!ended.aborted) changed = Promise.withResolvers<void>();
    },
  };
};
