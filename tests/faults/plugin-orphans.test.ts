import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { until } from "#api/testing/until.ts";
import { isAlive } from "../driver/is-alive.ts";

const program = join(import.meta.dir, "../fixtures/plugins/lasting-program.ts");

/** A process with a plugin, and the number of the plugin's own. */
const startFamily = async (mode: "busy" | "idle") => {
  const parent = Bun.spawn([process.execPath, program, mode], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const chunk of parent.stdout)
    return { parent, child: Number(new TextDecoder().decode(chunk).trim()) };
  throw new Error("the program ended without a plugin");
};

describe.if(process.platform === "linux")("a plugin's process ends with its server that is killed", () => {
  test.each(["stopped", "busy", "idle"] as const)("while it is %s", async (state) => {
    const { parent, child } = await startFamily(state === "busy" ? "busy" : "idle");
    expect(isAlive(child)).toBe(true);
    if (state === "stopped") process.kill(child, "SIGSTOP");
    parent.kill("SIGKILL");
    await parent.exited;
    try {
      // Sooner than any heartbeat would tell.
      await until(() => !isAlive(child), 500);
    } finally {
      if (isAlive(child)) process.kill(child, "SIGKILL");
    }
  });
});
