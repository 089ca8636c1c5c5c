import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import type { Check } from "./checks.ts";

const main = new URL("../../main.ts", import.meta.url).pathname;

test("X14: a database that is gone beside its snapshots fails the doctor with what a start would say, and none is made", async () => {
  const folder = makeDataFolder();
  try {
    const snapshots = join(folder.path, "snapshots");
    mkdirSync(snapshots);
    writeFileSync(join(snapshots, "2026-11-21T14-30-00Z.tar.zst"), "x");
    const doctor = Bun.spawn([process.execPath, main, "doctor", "--json"], {
      env: { PATH: process.env.PATH ?? "", DATA_DIR: folder.path },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const { checks }: { checks: Check[] } = await new Response(doctor.stdout).json();
    expect(await doctor.exited).toBe(1);
    const stateOf = (wanted: string) => checks.find(({ name }) => name === wanted);
    expect(stateOf("database")).toMatchObject({
      state: "fail",
      detail: expect.stringContaining("atrium snapshot restore 2026-11-21T14-30-00Z"),
      remedy: expect.stringContaining("fix this first"),
    });
    expect(stateOf("backups")?.state).toBe("warn");
    expect(readdirSync(folder.path)).not.toContain("database");
  } finally {
    folder.remove();
  }
}, 30_000);
