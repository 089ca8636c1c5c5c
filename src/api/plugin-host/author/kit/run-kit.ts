import type { Json, PluginResponse } from "#plugins/sdk/types.ts";
import { type KitCall, type KitPlugin, type KitStart, startKitPlugin } from "./start-kit-plugin.ts";

type Request = { id: number; op: string; args: Json[] };
type Reply = { reply: number; value?: PluginResponse; error?: string };

/**
 * Runs one plugin for the test at the other end of standard input and output: one line of JSON for each request,
 * response and report. Ends with the input.
 */
export const runKit = async (): Promise<void> => {
  const running = new Set<KitPlugin>();
  let nowMs: number | null = null;
  let lastAsked = 0;
  const asked = new Map<number, PromiseWithResolvers<PluginResponse>>();
  const send = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);

  const ask = (what: string, data: Json): Promise<PluginResponse> => {
    lastAsked += 1;
    const answer = Promise.withResolvers<PluginResponse>();
    asked.set(lastAsked, answer);
    send({ ask: lastAsked, what, data });
    return answer.promise;
  };
  const world = {
    clock: { now: () => new Date(nowMs ?? Date.now()), uptimeMs: () => performance.now() },
    log: (level: string, message: string) => send({ tell: "log", data: { level, message } }),
    tell: (what: string, data: Json) => send({ tell: what, data }),
    fetch: (request: { [key: string]: Json }) => ask("fetch", request),
    callPlugin: (name: string, call: { [key: string]: Json }) => ask("plugin", { name, ...call }),
  };
  const started = (): KitPlugin => {
    const [plugin] = running;
    if (plugin === undefined) throw new Error("No plugin runs");
    return plugin;
  };

  const operations: Record<string, (args: Json[]) => Promise<Json | undefined>> = {
    start: async ([start, now]) => {
      nowMs = typeof now === "number" ? now : null;
      running.add(await startKitPlugin(sent<KitStart>(start), world));
      return undefined;
    },
    call: async ([call]) => started().call(sent<KitCall>(call)),
    emit: async ([event, payload]) =>
      started()
        .emit(String(event), payload ?? null)
        .then(nothing),
    runJob: async ([name]) => started().runJob(String(name)).then(nothing),
    setSettings: async ([patch]) => started().setSettings(sent<Record<string, Json>>(patch)).then(nothing),
    health: async () => started().health(),
    advance: async ([ms]) => {
      nowMs = (nowMs ?? Date.now()) + Number(ms);
      return undefined;
    },
    kvGet: async ([key]) => started().values.get(String(key)),
    kvSet: async ([key, value]) => started().put(String(key), value ?? null) ?? undefined,
    kvKeys: async () => [...started().values.keys()].sort(),
    readFile: async ([path]) => started().readFile(String(path)),
  };

  const serve = async ({ id, op, args }: Request): Promise<void> => {
    try {
      send({ id, value: await operations[op]?.(args) });
    } catch (error) {
      send({ id, error: explain(error) });
    }
  };
  const receive = (line: Request | Reply): void => {
    if (!("reply" in line)) return void serve(line);
    const answer = asked.get(line.reply);
    asked.delete(line.reply);
    if (line.error === undefined) answer?.resolve(line.value ?? {});
    else answer?.reject(new Error(line.error));
  };

  for await (const line of console) if (line !== "") receive(JSON.parse(line));
  for (const plugin of running) await plugin.stop();
  // The plugin had its time to clean up; nothing more is awaited.
  process.exit();
};

const nothing = (): undefined => undefined;

/** Only the test kit is at the other end, and sends what its types say. */
const sent = <T>(value: Json | undefined): T => value as T;

const explain = (error: unknown): string => {
  const problems: unknown = Reflect.get(Object(error), "problems");
  const lines = Array.isArray(problems) ? problems.map(({ path, message }) => `\n  ${path}: ${message}`) : [];
  return `${error instanceof Error ? error.message : error}${lines.join("")}`;
};
