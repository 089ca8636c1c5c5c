import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import type { Counts } from "../suites/test-summary.ts";

type Step = { name: string; command: string[] };

/**
 * Checks the types, as words for Bun. What the compiler found out about unchanged files is kept for the next run, which then takes
 * a tenth of the time.
 */
export const typesCommand = [
  ...["node_modules/.bin/tsc", "--noEmit"],
  ...["--incremental", "--tsBuildInfoFile", "dist/check/types.tsbuildinfo"],
];

/** The cheapest first: what is found most often is told soonest. All run, so that one look shows everything. */
const steps: Step[] = [
  { name: "format and lint", command: ["node_modules/.bin/biome", "check", "--error-on-warnings", "."] },
  { name: "types", command: typesCommand },
  {
    name: "unused code",
    command: ["node_modules/.bin/knip", "--no-progress", "--treat-config-hints-as-errors"],
  },
  {
    name: "Dockerfile",
    // Without ShellCheck, which is a program of its own that no package brings.
    command: ["node_modules/.bin/dockerlinter", "--error", "--shellcheck", "none", "--file", "Dockerfile"],
  },
];

const guards: Step = {
  name: "repository guards",
  command: ["test", "--only-failures", "--timeout=90000", "./tests/repository"],
};

/** Runs every check, printing each with its time; resolves to how many passed and failed. */
export const runCheck = async ({ withGuards }: { withGuards: boolean }): Promise<Counts> => {
  const results: boolean[] = [];
  for (const step of [...steps, ...(withGuards ? [guards] : [])]) results.push(await runStep(step));
  // A warning: it comes with time alone, and a release is refused for it.
  for (const warning of stalePins(imagePins(), new Date())) console.error(`! ${warning}`);
  return {
    passed: results.filter(Boolean).length,
    failed: results.filter((isFine) => !isFine).length,
    skipped: 0,
  };
};

/** Output is shown only where it says something: a step that passes prints one line. */
const runStep = async ({ name, command }: Step): Promise<boolean> => {
  const startedAt = performance.now();
  // Through Bun, because these tools' own starters look for Node, whose version is not ours to choose.
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: projectRoot,
    env: { ...process.env, FORCE_COLOR: process.stderr.isTTY ? "1" : "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const isFine = (await child.exited) === 0;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.error(`${isFine ? "✓" : "✗"} ${name} (${seconds} s)`);
  if (!isFine) console.error(`${stdout}${stderr}`);
  return isFine;
};

/** An image that the files for containers name, and the day on which that version was taken. */
type ImagePin = { file: string; image: string; pinnedOn: string | null };

/** After so many days an image lacks published security fixes. */
const mostPinDays = 180;

const files = ["Dockerfile", "deploy/compose.yaml"];
// A stage of this build, and the image that it makes, come from nowhere else.
const named = /^\s*(?:FROM|image:) (?!atrium:)(\S+)/;
const dated = /# Pinned on (\d{4}-\d{2}-\d{2})\b/;

/** Every image from a registry. The date is in the line above it. */
export const imagePins = (): ImagePin[] =>
  files.flatMap((file) => {
    const lines = readFileSync(join(projectRoot, file), "utf8").split("\n");
    return lines.flatMap((line, at) => {
      const image = named.exec(line)?.[1];
      if (image === undefined) return [];
      return [{ file, image, pinnedOn: dated.exec(lines[at - 1] ?? "")?.[1] ?? null }];
    });
  });

/** What to say of each image that was pinned more than 180 days before `now`. */
export const stalePins = (pins: readonly ImagePin[], now: Date): string[] =>
  pins.flatMap(({ file, image, pinnedOn }) => {
    if (pinnedOn === null) return [];
    const days = Math.floor((now.getTime() - Date.parse(pinnedOn)) / 86_400_000);
    if (days <= mostPinDays) return [];
    return [
      `${file}: ${image} was pinned ${days} days ago. Update it to the newest patch version and today's date`,
    ];
  });
