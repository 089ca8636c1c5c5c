/** Installs the programs that the suites drive: `bun scripts/provision.ts [--quiet] [postgres] [redis] [objectStorage] [browser] [scripting] [shells]`, without words all. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { headlessShell } from "../tests/driver/headless-shell.ts";
import { findPostgres } from "../tests/services/postgres.ts";
import { findRedis } from "../tests/services/redis.ts";
import { hasSwift, swiftServers } from "../tests/services/swift-files.ts";

type Provision = {
  name: string;
  packages: string[];
  /** What packages would start now and at each boot. */
  services?: readonly string[];
  isPresent: () => boolean;
};

/** The packages bring one for each chore of a real installation. */
const swiftPrograms = Object.entries({
  account: ["auditor", "reaper", "replicator"],
  container: ["auditor", "reconciler", "replicator", "sharder", "sync", "updater"],
  object: ["auditor", "reconstructor", "replicator", "updater"],
  proxy: [],
}).flatMap(([part, chores]) => [`swift-${part}`, ...chores.map((chore) => `swift-${part}-${chore}`)]);

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
  redis: {
    name: "a Redis server",
    packages: ["redis-server"],
    services: ["redis-server"],
    isPresent: () => findRedis() !== null,
  },
  objectStorage: {
    name: "OpenStack Swift",
    packages: swiftServers.map((name) => `swift-${name}`),
    services: swiftPrograms,
    isPresent: hasSwift,
  },
  browser: {
    name: "Chromium with its fonts",
    packages: ["chromium-headless-shell", "fonts-liberation", "fonts-noto-core", "fonts-noto-color-emoji"],
    isPresent: () => existsSync(headlessShell) && existsSync("/usr/share/fonts/truetype/noto"),
  },
  scripting: {
    name: "curl and Git",
    packages: ["curl", "ca-certificates", "git"],
    isPresent: () => Bun.which("curl") !== null && Bun.which("git") !== null,
  },
  shells: {
    name: "the shells zsh and fish, and groff",
    packages: ["zsh", "fish", "groff-base"],
    isPresent: () => ["zsh", "fish", "groff"].every((program) => Bun.which(program) !== null),
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
  if (missing.length > 0 && isAble) install(missing.map((need) => provisions[need]));
  return needs
    .filter((need) => !provisions[need].isPresent())
    .map((need) => {
      const command = `apt-get install ${provisions[need].packages.join(" ")}`;
      return isAble
        ? `${provisions[need].name} is missing after "${command}"`
        : `${provisions[need].name} is missing: on Debian or Ubuntu, "${command}" as root`;
    });
};

const install = (missing: Provision[]): void => {
  const packages = missing.flatMap((provision) => provision.packages);
  console.error(`Installing ${packages.join(", ")} …`);
  withFile("/etc/postgresql-common/createcluster.d/atrium-tests.conf", noDefaultCluster, () =>
    withFile("/usr/sbin/policy-rc.d", noStarts, () => {
      aptGet(["update", "-qq"]);
      aptGet(["install", "-y", "-qq", "--no-install-recommends", ...packages]);
    }),
  );
  for (const service of missing.flatMap(({ services = [] }) => services))
    Bun.spawnSync(["update-rc.d", service, "disable"]);
};

/** Waits up to ten minutes for another package manager; its output counts as progress, so it goes to stderr. */
const aptGet = (words: string[]): void => {
  Bun.spawnSync(["apt-get", "-o", "DPkg::Lock::Timeout=600", ...words], {
    stdio: ["ignore", Bun.stderr, "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
};

/** Debian's package would create and start its own server on port 5432. */
const noDefaultCluster = "create_main_cluster = false\n";

/** 101 forbids packages to start their services: invoke-rc.d(8). The suites start servers of their own. */
const noStarts = "#!/bin/sh\nexit 101\n";

/** Lets a file be there during `work`. One that is there already stays as it is. */
const withFile = (path: string, text: string, work: () => void): void => {
  const isOurs = !existsSync(path);
  if (isOurs) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o755 });
  }
  try {
    work();
  } finally {
    if (isOurs) rmSync(path);
  }
};

const isNeed = (word: string): word is Need => word in provisions;

if (import.meta.main) {
  const words = process.argv.slice(2).filter(isNeed);
  const problems = provision(words.length > 0 ? words : Object.keys(provisions).filter(isNeed));
  if (!process.argv.includes("--quiet")) for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
