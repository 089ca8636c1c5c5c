import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { copyOf, readDockerfile, runSettings } from "./read-dockerfile.ts";

const stages = readDockerfile(readFileSync(join(projectRoot, "Dockerfile"), "utf8"));
const final = stages.at(-1);

test("the image runs as somebody without rights, keeps its data in a volume, and tells its health without a shell", () => {
  if (final === undefined) throw new Error("there is no stage");
  const settings = runSettings(final);
  expect(settings.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect(settings.command).toEqual(["/usr/local/bin/atrium", "serve"]);
  expect(settings.healthCheck).toEqual(["/usr/local/bin/atrium", "status", "--live"]);
  expect(settings.env.DATA_DIR).toStartWith(`${settings.volumes[0]}/`);
  expect(final.steps.map(({ word }) => word)).not.toContain("RUN");
});

test("every image that it builds on has a fixed version", () => {
  for (const { from } of stages) expect(from).toMatch(/:[\w.-]*(?:\d+\.\d+|nonroot)|debian\d+:/);
});

test("what it copies from the clone is there", () => {
  const copies = stages
    .flatMap(({ steps }) => steps)
    .filter(({ word }) => word === "COPY")
    .map(({ rest }) => copyOf(rest));
  const own = copies.filter(({ from }) => from === null).flatMap(({ sources }) => sources);
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});

test("continued lines, comments and quoted values are read as Docker reads them", () => {
  const [stage] = readDockerfile('FROM a AS b\n# no\nENV A=1 \\\n    B="two words"\nCMD ["x", "y"]\n');
  expect(stage).toMatchObject({ from: "a", name: "b" });
  expect(stage && runSettings(stage)).toMatchObject({ env: { A: "1", B: "two words" }, command: ["x", "y"] });
});
