import { expect, setDefaultTimeout, test } from "bun:test";
import { pluginSource, type SandboxedPlugin, startSandboxed } from "#api/testing/sandboxed-plugin.ts";
import { sized } from "#api/testing/size.ts";
import { pluginLimits } from "#contract/plugins.ts";
import { processTree, residentBytes } from "../bench/measure/processes.ts";

setDefaultTimeout(180_000);

const callsAtOnce = 16;
/** Far enough from what ends a process that its own 32 MB have room, too. */
const mostBytes = pluginLimits.processBytes - 32_000_000;

/** The most that the process `pid` held between rounds of calls with bodies of `bytes`. */
const soak = async ({ runtime }: SandboxedPlugin, pid: number, bytes: number, calls: number) => {
  const payload = { body: "x".repeat(bytes) };
  let most = 0;
  for (let n = 0; n < calls; n += callsAtOnce) {
    await Promise.all(Array.from({ length: callsAtOnce }, () => runtime.invoke("r0", payload)));
    most = Math.max(most, residentBytes([pid]));
  }
  return most;
};

test.if(process.platform === "linux")(
  "an honest plugin under load stays far from the memory it would be ended for, with small bodies and large ones",
  async () => {
    const before = new Set(processTree(process.pid));
    const plugin = await startSandboxed(pluginSource(`ctx.routes.get("/", (request) => request.body);`));
    const pid = processTree(process.pid).find((one) => !before.has(one)) ?? 0;
    const small = await soak(plugin, pid, 120, sized(20_000, 200_000));
    const large = await soak(plugin, pid, 100_000, sized(1_600, 16_000));
    console.log(`small bodies ${Math.round(small / 1e6)} MB, large ones ${Math.round(large / 1e6)} MB`);
    expect(Math.max(small, large)).toBeLessThan(mostBytes);
    expect(plugin.failures).toEqual([]);
    await plugin.runtime.stop("shutdown");
  },
);
