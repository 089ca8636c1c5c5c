import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../driver/run-command.ts";
import { removeFolder, StartFailure, startServer, temporaryFolder } from "../driver/start-server.ts";

setDefaultTimeout(120_000);

describe("X14: a damaged database folder", () => {
  test("ends the start with 78 and the very command that brings it back", async () => {
    const dataDir = temporaryFolder();
    const env = { DATA_DIR: dataDir };
    const first = await startServer({ dataDir });
    const words = ["--email", "ada@example.test", "--name", "Ada", "--password-stdin"];
    await runCommand(["admin", "create", ...words], { env, input: "a rather fine long password\n" });
    const made = await runCommand(["snapshot", "create", "--json"], { env });
    expect(made).toMatchObject({ exitCode: 0, stderr: "" });
    const { name }: { name: string } = JSON.parse(made.stdout);
    const restore = ["snapshot", "restore", name, "--yes", "--data-dir", dataDir];
    expect((await runCommand(restore)).exitCode).toBe(75);
    expect(await first.stop()).toBe(0);
    rmSync(join(dataDir, "database/PG_VERSION"));
    const failure = await startServer({ dataDir }).catch((error: unknown) => error);
    if (!(failure instanceof StartFailure)) throw new Error("a damaged folder was opened");
    expect(failure.exitCode).toBe(78);
    expect(failure.message).toContain(`atrium ${restore.join(" ")}`);
    expect(await runCommand(restore)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(readdirSync(dataDir).filter((entry) => entry.startsWith("database.replaced-"))).toHaveLength(1);
    const again = await startServer({ dataDir });
    const people = await runCommand(["user", "list", "--json"], { env });
    expect(people.stdout).toContain("ada@example.test");
    expect(await again.stop()).toBe(0);
    removeFolder(dataDir);
  });
});
