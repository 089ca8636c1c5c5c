import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { CliFailure } from "#cli/failure.ts";
import { changingCommands, declared } from "#cli/testing/command-lines.ts";
import { type CommandWorld, createCommandWorld } from "#cli/testing/command-world.ts";
import { run } from "#cli/testing/run.ts";
import type { ParityRow } from "./parity-table.ts";

/** What is typed behind commands that only read, where that takes more than their names. */
const operands: Record<string, (world: CommandWorld, folder: string) => string[]> = {
  ...Object.fromEntries(declared.flatMap(({ words, typed, changes }) => (changes ? [] : [[words, typed]]))),
  "backup download": ({ backup }, folder) => [backup, "--out", join(folder, "backup")],
  "mail retry --dead": () => [],
  "plugin download": ({ plugin }, folder) => [plugin, "--out", join(folder, "plugin")],
  "plugin logs": ({ plugin }) => [plugin],
  "plugin replace-publisher": ({ plugin }) => [plugin, "2.0.0"],
  "settings set": () => [
    ...["core.rateLimiting.maxRequests", "500", "credentials.cloudflareR2.bucket", "files"],
    ...["accounts.verification", "always-choose"],
    ...["site.name", "Northwind"],
  ],
  "settings test mail": () => ["--to", "ada@example.test"],
};

/** Runs commands of the table of parity against an installation that serves on its socket. */
export const createParityRun = async () => {
  const world = await createCommandWorld();
  const folder = mkdtempSync(join(tmpdir(), "atrium-parity-"));
  let onCall: (call: string) => void = () => {};
  const server = Bun.serve({
    unix: join(folder, "control.sock"),
    fetch: (request) => {
      onCall(`${request.method} ${new URL(request.url).pathname}`);
      return world.answer(request);
    },
  });
  return {
    /** The calls that a row's command makes. It is ended once it has made the row's own: some go on for ever. */
    callsOf: async ({ call, command }: ParityRow): Promise<string[]> => {
      if (command === null) return [];
      const calls: string[] = [];
      const interrupt = new AbortController();
      onCall = (made) => {
        calls.push(made);
        if (isCallOf(made, call)) interrupt.abort(new CliFailure("CANCELLED", "canceled"));
      };
      if (command === "plugin update" || command === "plugin replace-publisher") await haveVersionWait(world);
      const words = operands[command]?.(world, folder) ?? wordsOfChange(command)(world);
      const { err } = await run([...command.split(" "), ...words, "--yes"], {
        env: { DATA_DIR: folder },
        composition: { packPlugin: async () => world.newest.bytes },
        input: "correct-horse-battery\n",
        interrupt: interrupt.signal,
      });
      return calls.length === 0 ? [err] : calls;
    },
    close: async () => {
      await server.stop(true);
      await world.close();
      rmSync(folder, { recursive: true });
    },
  };
};

/** A version that asks for more than the one in force waits for consent. */
const haveVersionWait = async ({ plugin, answer }: CommandWorld): Promise<void> => {
  const pack = { name: plugin, version: "2.0.0", manifest: { permissions: ["storage.kv"] } };
  const bytes = await packPlugin(pack);
  const composition = { packPlugin: async () => bytes };
  await run(["plugin", "enable", plugin, "--yes"], { answer });
  await run(["plugin", "install", "."], { answer, composition });
};

const wordsOfChange = (command: string) => {
  const name = command.split(" --")[0] ?? "";
  const secret = /^(?:user|admin) create$/.test(name) ? ["--password-stdin"] : [];
  return (world: CommandWorld) => [...(changingCommands[name]?.(world) ?? []), ...secret];
};

/** Whether a call that was made is one of that route. */
export const isCallOf = (call: string, route: string): boolean => {
  const [parts, wanted] = [call.split("/"), route.split("/")];
  return (
    parts.length === wanted.length &&
    parts.every((part, at) => wanted[at]?.startsWith(":") || part === wanted[at])
  );
};
