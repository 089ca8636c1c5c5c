import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { projectRoot } from "../../scripts/project-root.ts";

const dockerfile = readFileSync(join(projectRoot, "Dockerfile"), "utf8").replace(/\\\n\s*/g, " ");
const [buildStage = "", finalStage = ""] = dockerfile.split(/^(?=FROM )/m).slice(1);

/** What follows each `word` at the beginning of a line. */
const linesOf = (word: string, stage = dockerfile): string[] =>
  [...stage.matchAll(new RegExp(`^${word} (.*)$`, "gm"))].map(([, rest = ""]) => rest);

const entry = (word: string): unknown => JSON.parse(linesOf(word, finalStage)[0] ?? "null");

test("each base image has a fixed version", () => {
  expect(linesOf("FROM").map((image) => image.replace(/ AS \w+$/, ""))).toEqual([
    expect.stringMatching(/^node:\d+\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/),
    expect.stringMatching(/^gcr\.io\/distroless\/base-debian\d+:nonroot$/),
  ]);
});

test("the build uses package.json's Bun, and installs exactly what the lockfile says before the sources change anything", () => {
  const steps = [
    `RUN npm install --global --no-audit --no-fund ${packageJson.packageManager}\n`,
    "COPY package.json bun.lock bunfig.toml ./\n",
    "COPY src/api/db/patches src/api/db/patches\n",
    "COPY src/plugins src/plugins\n",
    "RUN bun install --frozen-lockfile --ignore-scripts --production --omit=peer\n",
    "COPY . .\n",
    "RUN bun run build executable\n",
  ];
  const places = steps.map((step) => buildStage.indexOf(step));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  const copied = linesOf("COPY", buildStage).flatMap((rest) => rest.split(" ").slice(0, -1));
  expect(copied.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
  for (const patch of Object.values(packageJson.patchedDependencies))
    expect(patch).toStartWith(`${copied[3]}/`);
  for (const members of packageJson.workspaces) expect(members).toBe(`${copied[4]}/*`);
});

test("the image says what it is, and that changes no other layer", () => {
  const [labels = ""] = linesOf("LABEL", finalStage);
  const said = Object.fromEntries(
    [...labels.matchAll(/org\.opencontainers\.image\.([\w.]+)="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  );
  const { description: _description, ...rest } = said;
  expect(rest).toEqual({
    ...{ title: "Atrium", licenses: packageJson.license, "base.name": linesOf("FROM").at(-1) },
    ...Object.fromEntries(
      ["version", "revision", "created"].map((name) => [name, `\${${name.toUpperCase()}}`]),
    ),
  });
  const lastLayer = Math.max(
    ...["COPY", "WORKDIR", "ENV"].map((word) => finalStage.lastIndexOf(`\n${word} `)),
  );
  expect(finalStage.indexOf("\nARG ")).toBeGreaterThan(lastLayer);
});

test("the image runs the server alone, as a user without rights, and checks its health without a shell", () => {
  expect(linesOf("USER", finalStage)).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  expect(linesOf("RUN", finalStage)).toEqual([]);
  const [program] = linesOf("COPY --from=build", finalStage)[0]?.split(" ").slice(-1) ?? [];
  expect(entry("ENTRYPOINT")).toEqual([program]);
  expect(entry("CMD")).toEqual(["serve"]);
  const [healthCheck = ""] = linesOf("HEALTHCHECK", finalStage);
  expect(JSON.parse(healthCheck.split(" CMD ")[1] ?? "")).toEqual([program, "status", "--live"]);
  const [variables = ""] = linesOf("ENV", finalStage);
  expect(variables).toContain(`DATA_DIR=${linesOf("VOLUME", finalStage)[0]}/`);
  expect(variables).toContain(`PORT=${linesOf("EXPOSE", finalStage)[0]}`);
  expect(linesOf("STOPSIGNAL", finalStage)).toEqual(["SIGTERM"]);
});
