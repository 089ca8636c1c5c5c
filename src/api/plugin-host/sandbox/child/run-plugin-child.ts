import { openLibc } from "#api/db/embedded/libc.ts";
import { pluginLimits } from "#contract/plugins.ts";
import { type Channel, createChannel } from "../channel.ts";
import { asProgram, asToChild, channelDescriptor, type FromChild } from "../messages.ts";
import { sandboxLimits } from "../sandbox-limits.ts";
import { createVm } from "../vm/create-vm.ts";
import { warmNatives } from "../vm/natives.ts";
import { createCollector } from "./collector.ts";
import { interpreterFile } from "./interpreter-file.ts";
import { lockDown } from "./lock-down.ts";
import { type RunningProgram, runProgram } from "./run-program.ts";

/**
 * The process of one plugin: the server starts it as a hidden subcommand with its own process number, and talks to it
 * over a descriptor. It gives up every right that it does not need before the plugin's code comes, and lives no longer
 * than the server.
 */
export const runPluginChild = async (parentPid: string): Promise<void> => {
  openLibc()?.dieWithParent();
  // The server may have ended before the kernel was told to watch it.
  if (process.ppid !== Number(parentPid)) process.exit(exitCodes.orphaned);
  // A terminal or a service manager signals the whole group: the server decides.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

  const module = new WebAssembly.Module(await Bun.file(interpreterFile).bytes());
  // Whatever is loaded from files later could not be.
  warmNatives();
  await createVm(module, warmUp, noEvents);
  // Each plugin has such a process: what the start has left behind is most of what it holds.
  Bun.gc(true);

  const collector = createCollector(() => Bun.gc(true));
  let running: RunningProgram | null = null;
  const channel: Channel = await createChannel(channelDescriptor, {
    maxBodyBytes: Number.MAX_SAFE_INTEGER,
    onFrame: ({ head, body }) => {
      const message = asToChild(JSON.parse(head.toString()));
      const json = body.toString();
      if (message.type === "ping") {
        channel.send(
          JSON.stringify({ type: "pong", id: message.id, rssBytes: residentBytes() } satisfies FromChild),
        );
        collector.rest();
        return;
      }
      collector.passed(body.length);
      if (message.type === "start") running = runProgram(module, asProgram(JSON.parse(json)), send);
      else if (message.type === "run") running?.run(message.id, message.task, message.handler, json);
      else if (message.type === "answer") running?.answer(message.id, json === "" ? undefined : json);
      else running?.refuse(message.id, message.name, message.message);
    },
    onOversized: () => process.exit(exitCodes.orphaned),
    onEnd: (error) => {
      if (error !== undefined) console.error(String(error));
      process.exit(error === undefined ? exitCodes.orphaned : exitCodes.broken);
    },
  });
  const send = (message: FromChild, json?: string): void => {
    collector.passed(json?.length ?? 0);
    channel.send(JSON.stringify(message), json);
  };

  channel.open();
  send({ type: "ready", isolation: lockDown() });
};

/** On Linux the server asks the kernel instead, and this process can open nothing to read it from. */
const residentBytes = (): number => (process.platform === "linux" ? 0 : process.memoryUsage.rss());

const exitCodes = { orphaned: 71, broken: 70 } as const;

const warmUp = {
  name: "warm-up",
  version: "1.0.0",
  source: "export default { name: 'warm-up', version: '1.0.0', setup() {} }",
  permissions: [],
  settings: {},
  replica: "",
  limits: { memoryMB: pluginLimits.memoryMB, cpuMs: sandboxLimits.setupCpuMs, wallMs: pluginLimits.wallMs },
};

const nothing = (): void => {};
const noEvents = {
  onLog: nothing,
  onCall: nothing,
  onSuccess: nothing,
  onFailure: nothing,
  onExhausted: nothing,
  onPoisoned: nothing,
  isAwaited: () => true,
};
