/**
 * `bun scripts/try-dockerfile.ts`, as root on Debian with Node: does each step of the Dockerfile in plain folders, where no
 * container engine is at hand, and runs what comes out of it as a container would. What this leaves out is said in
 * docs/operating/containers.md.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildStages } from "./container/build-stages.ts";
import { readDockerfile, runSettings } from "./container/read-dockerfile.ts";
import { type RunningImage, runImage, volumeIn } from "./container/run-image.ts";
import { projectRoot } from "./project-root.ts";

const startLimitMs = 60_000;

const expectThat = (what: string, holds: boolean, detail = ""): void => {
  if (!holds) throw new Error(`not so: ${what}${detail === "" ? "" : `\n${detail}`}`);
  console.log(`ok  ${what}`);
};

const untilHealthy = async (image: RunningImage): Promise<void> => {
  const deadline = performance.now() + startLimitMs;
  let last = await image.checkHealth();
  while (last.exitCode !== 0) {
    if (performance.now() > deadline) throw new Error(`never healthy: ${last.output}\n${image.output()}`);
    await Bun.sleep(500);
    last = await image.checkHealth();
  }
};

const tryImage = async (workshop: string): Promise<void> => {
  const stages = readDockerfile(readFileSync(join(projectRoot, "Dockerfile"), "utf8"));
  const root = buildStages(stages, workshop);
  const final = stages.at(-1);
  if (final === undefined) throw new Error("the Dockerfile has no stage");
  const settings = runSettings(final);
  const env = { APP_URL: "https://atrium.example" };
  const run = () => runImage(root, settings, { volume: volumeIn(workshop), env });

  const first = await run();
  await untilHealthy(first);
  expectThat("a new volume is healthy by the health check", true);
  expectThat("pages are served", (await first.call("/")) === 200);
  expectThat("it is ready", (await first.call("/api/ready")) === 200);
  const data = statSync(join(volumeIn(workshop), "data"));
  expectThat("its data is its own user's alone", data.uid === 65_532 && (data.mode & 0o777) === 0o700);
  expectThat("the stop signal ends it with 0", (await first.stop()) === 0, first.output());

  const second = await run();
  await untilHealthy(second);
  expectThat("it starts again on the same volume", !second.output().includes("creates the first"));
  expectThat("and ends with 0 again", (await second.stop()) === 0, second.output());
};

const workshop = mkdtempSync(join(tmpdir(), "atrium-dockerfile-"));
try {
  await tryImage(workshop);
} finally {
  rmSync(workshop, { recursive: true, force: true });
}
