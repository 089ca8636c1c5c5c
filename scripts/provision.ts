/** Installs the programs that the suites drive: `bun scripts/provision.ts [postgres] [browser]`, without words all. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { findPostgres } from "../tests/services/postgres.ts";

type Provision = { name: string; packages: string[]; isPresent: () => boolean };

/**
 * What suites need besides Bun. The fonts are part of the browser: without them text has other widths, and a
 * screenshot made elsewhere differs.
 */
const provisions = {
  postgres: {
    name: "a PostgreSQL server",
    packages: ["postgresql"],
    isPresent: () => findPostgres() !== null,
  },
  browser: {
    name: "Chromium with its fonts",
    packages: ["chromium", "fonts-liberation", "fonts-noto-core", "fonts-noto-color-emoji"],
    isPresent: () => existsSync("/usr/bin/chromium") && existsSync("/usr/share/fonts/truetype/noto"),
  },
} satisfies Record<string, Provision>;

export type Need = keyof typeof provisions;

/**
 * Installs what is missing of `needs` where that is possible: as root, with apt-get. Returns what is still missing, each
 * with the reason for a person; an empty list means that all of it is there.
 */
export const provision = (needs: readonly Need[]): string[] => {
  const missing = needs.filter((need) => !provisions[need].isPresent());
  const isAble = process.getuid?.() === 0 && Bun.which("apt-get") !== null;
  if (missing.length > 0 && isAble) install(missing.flatMap((need) => provisions[need].packages));
  return needs
    .filter((need) => !provisions[need].isPresent())
    .map((need) => {
      const command = `apt-get install ${provisions[need].packages.join(" ")}`;
      return isAble
        ? `${provisions[need].name} is missing after "${command}"`
        : `${provisions[need].name} is missing: on Debian or Ubuntu, "${command}" as root`;
    });
};

const install = (packages: string[]): void => {
  console.error(`Installing ${packages.join(", ")} …`);
  withoutDefaultCluster(() => {
    aptGet(["update", "-qq"]);
    aptGet(["install", "-y", "-qq", "--no-install-recommends", ...packages]);
  });
};

/** Waits up to ten minutes for another package manager; its output counts as progress, so it goes to stderr. */
const aptGet = (words: string[]): void => {
  Bun.spawnSync(["apt-get", "-o", "DPkg::Lock::Timeout=600", ...words], {
    stdio: ["ignore", Bun.stderr, "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
};

/** Debian's package would make and start a server of its own on port 5432, which nobody asked for. */
const withoutDefaultCluster = (work: () => void): void => {
  const setting = "/etc/postgresql-common/createcluster.d/atrium-tests.conf";
  mkdirSync(dirname(setting), { recursive: true });
  writeFileSync(setting, "create_main_cluster = false\n");
  try {
    work();
  } finally {
    rmSync(setting, { force: true });
  }
};

const isNeed = (word: string): word is Need => word in provisions;

if (import.meta.main) {
  const words = process.argv.slice(2).filter(isNeed);
  const problems = provision(words.length > 0 ? words : Object.keys(provisions).filter(isNeed));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
