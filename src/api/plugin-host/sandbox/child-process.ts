import { join } from "node:path";
import { isExecutable } from "#api/db/bundled-files.ts";
import { type Channel, type ChannelEvents, createChannel } from "./channel.ts";
import { channelDescriptor, pluginSubcommand } from "./messages.ts";

/** A plugin's process that has been started. */
export type PluginProcess = {
  readonly pid: number;
  readonly channel: Channel;
  kill(): void;
  /** Resolves when it is gone, to what is known of the reason. */
  readonly exited: Promise<string>;
};

/** The command that becomes a plugin's process; its parent's number is put behind it. */
export type PluginCommand = readonly string[];

/** This program's own hidden subcommand. */
export const pluginCommand = (): PluginCommand =>
  isExecutable
    ? [process.execPath, pluginSubcommand]
    : [process.execPath, join(import.meta.dir, "child-entry.ts")];

/** Starts a plugin's process. It gets no environment, no folder of its own, and one descriptor to talk over. */
export const startPluginProcess = async (
  command: PluginCommand,
  events: ChannelEvents,
): Promise<PluginProcess> => {
  const child = Bun.spawn([...command, String(process.pid)], {
    cwd: "/",
    env: {},
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const lastWords = readLastWords(child.stderr);
  const exited = child.exited.then(async (code) => {
    // Only what went wrong: around it the runtime prints a piece of our own code.
    const [words] = /^(?:[A-Za-z]*Error|error|panic)\b.{0,200}/m.exec(await lastWords) ?? [];
    return `${child.signalCode ?? `exit code ${code}`}${words ? `: ${words}` : ""}`;
  });
  const kill = (): void => child.kill("SIGKILL");
  const descriptor = child.stdio[channelDescriptor];
  if (typeof descriptor !== "number") {
    kill();
    throw new Error("The plugin's process could not be started");
  }
  return { pid: child.pid, channel: await createChannel(descriptor, events), kill, exited };
};

/** The end of what it printed; read all along, because a full pipe would stop it. */
const readLastWords = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder();
  let words = "";
  for await (const chunk of stream)
    words = (words + decoder.decode(chunk, { stream: true })).slice(-lastWordsLength);
  return words.trim();
};

const lastWordsLength = 2000;
