import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { own } from "../../src/plugins/own.ts";
import { projectRoot } from "../project-root.ts";
import type { Need } from "../provision.ts";

/** A group of test files that is run in one go. */
export type Suite = {
  /** One line for `--help`. */
  about: string;
  paths: readonly string[];
  needs: readonly Need[];
  /**
   * Whether tests find a real PostgreSQL server in their environment; of what lies below `src` only those run then that
   * use a database.
   */
  onPostgres: boolean;
  /** Whether servers that its tests start are the executable, not the sources. */
  onExecutable: boolean;
  /** How many files run at the same time: one where tests measure time, else three, which use two cores fully. */
  filesAtOnce: number;
  /** Files that may run so many at the same time where others run alone: they measure no time, or with wide limits. */
  sideBySide: { filesAtOnce: number; files: readonly string[] } | null;
  /** Variables of its processes. */
  env: Readonly<Record<string, string>>;
  /** Files below its paths that another suite runs, and that would tell nothing new here. */
  leftOut: readonly string[];
  /**
   * Which of its files `bun run test` runs: those that tell most for their time. `test all` runs them all. `needs` where
   * these need less.
   */
  quick: ({ only: readonly string[] } | { allBut: readonly string[] }) & { needs?: readonly Need[] };
  /** Minutes after which a run of its files counts as hanging. */
  limitMinutes: number;
};

/**
 * The engine recompiles what runs often, which for processes as short as these costs more than it saves: the
 * embedded database, which is WebAssembly, and the best of the compilers for JavaScript.
 */
const shortLived = { BUN_JSC_thresholdForOMGOptimizeAfterWarmUp: "1000000", BUN_JSC_useFTLJIT: "0" };

/** In the order in which they run: what fails fastest comes first. */
export const suites = {
  unit: {
    about: "operations, routes, repository guards and the benchmark's measurements, on the embedded database",
    paths: ["src", "scripts", "tests/repository", "tests/fixtures", "tests/planted-faults", "tests/bench"],
    needs: [],
    onPostgres: false,
    onExecutable: false,
    filesAtOnce: 3,
    env: shortLived,
    sideBySide: null,
    // They are about a server, which the embedded database can but pose as.
    leftOut: ["src/api/adapters/event-bus/event-bus.test.ts", "src/api/db/postgres/open-postgres.test.ts"],
    // Databases that are started, damaged and restored, hostile input by the thousand, and waits for real limits.
    quick: {
      allBut: [
        "scripts/client/client-package.test.ts",
        "scripts/own/make.test.ts",
        "scripts/own/sample.test.ts",
        "scripts/own/upgrade.test.ts",
        "scripts/release/sbom.test.ts",
        "src/api/adapters/redis/hostile-flow.test.ts",
        "src/api/adapters/redis/hostile-server.test.ts",
        "src/api/backups/archive/many-entries.test.ts",
        "src/api/backups/other-versions.test.ts",
        "src/api/backups/own-tables.test.ts",
        "src/api/backups/plan-move.test.ts",
        "src/api/backups/refused-backup.test.ts",
        "src/api/backups/restored-folder.test.ts",
        "src/api/backups/round-trip.test.ts",
        "src/api/db/embedded/cluster-folder.test.ts",
        "src/api/db/embedded/damaged-folder.test.ts",
        "src/api/db/embedded/supervisor.test.ts",
        "src/api/db/make-ready.test.ts",
        "src/api/db/migrate.test.ts",
        "src/api/db/open-database.test.ts",
        "src/api/db/snapshots/create-snapshots.test.ts",
        "src/api/http/server/await-firewall.test.ts",
        "src/api/http/fuzz.test.ts",
        "src/api/modules/activity/altered-log.test.ts",
        "src/api/modules/activity/clean-up-activity.test.ts",
        "src/api/modules/auth/login-limit.test.ts",
        "src/api/modules/auth/may-mail.test.ts",
        "src/api/modules/auth/provider-away.test.ts",
        "src/api/modules/auth/sign-in-race.test.ts",
        "src/api/modules/secrets/rotate-secrets.test.ts",
        "src/api/modules/settings/settings-service.test.ts",
        "src/api/modules/storage/move-objects.test.ts",
        "src/api/modules/users/last-seen.test.ts",
        "src/api/plugin-host/runtime-contract.test.ts",
        "src/api/plugin-host/sandbox/start-sandbox.test.ts",
        "src/api/take-key.test.ts",
        "src/api/testing/database.test.ts",
        "src/cli/commands/plugin/plugin-author.test.ts",
        "src/cli/serve.test.ts",
        "src/cli/starting-server.test.ts",
        "src/plugins/firewall/backend/engine/worst-cost.test.ts",
        "src/plugins/plugin-template/test/plugin.test.ts",
      ],
    },
    limitMinutes: 20,
  },
  services: {
    about:
      "everything that uses a database again on a PostgreSQL server, and what needs Redis, object storage or other shells",
    // What comes before the operations meets no other database than they do; of the adapters only events use one.
    paths: [
      "src/api/adapters/event-bus",
      "src/api/backups",
      "src/api/db",
      "src/api/modules",
      "src/api/plugin-host",
      "tests/services",
    ],
    needs: ["postgres", "redis", "objectStorage", "scripting", "shells"],
    onPostgres: true,
    onExecutable: false,
    filesAtOnce: 3,
    env: {},
    sideBySide: null,
    // They are about something else, and every statement of theirs is another file's too.
    leftOut: [
      "src/api/db/make-ready.test.ts",
      "src/api/modules/auth/provider-away.test.ts",
      "src/api/modules/auth/provider-faults.test.ts",
      "src/api/modules/auth/provider-routes.test.ts",
      "src/api/modules/mail/mail-faults.test.ts",
      "src/api/modules/settings/settings-service.test.ts",
      "src/api/plugin-host/assets/asset-source.test.ts",
      "src/api/plugin-host/author/starter-files.test.ts",
      "src/api/plugin-host/dispatch/open-api.test.ts",
      "src/api/plugin-host/dispatch/open-plugin.test.ts",
      "src/api/plugin-host/life-cycle/supervise-plugin.test.ts",
      "src/api/plugin-host/guard/guard.test.ts",
    ],
    // SQL that the two kinds of database run differently, and limits that several servers share.
    quick: {
      only: [
        "src/api/adapters/event-bus/event-bus.test.ts",
        "src/api/db/postgres/open-postgres.test.ts",
        "src/api/modules/activity/activity-writer.test.ts",
        "src/api/modules/activity/export-activity.test.ts",
        "src/api/modules/activity/list-activity.test.ts",
        "src/api/modules/auth/setup-admin.test.ts",
        "src/api/modules/auth/sign-in-race.test.ts",
        "src/api/modules/settings/update-core.test.ts",
        "src/api/modules/storage/create-storage.test.ts",
        "src/api/modules/tokens/tokens.test.ts",
        "src/api/modules/users/account-changes.test.ts",
        "src/api/modules/users/last-admin.test.ts",
        "tests/services/attempt-guard-redis.test.ts",
        "tests/services/rate-limit-redis.test.ts",
        "tests/services/redis-link.test.ts",
        "tests/services/setup-link.test.ts",
      ],
      needs: ["postgres", "redis"],
    },
    limitMinutes: 20,
  },
  e2e: {
    about: "complete journeys in Chromium",
    paths: ["tests/e2e"],
    needs: ["browser", "postgres"],
    onPostgres: false,
    onExecutable: true,
    filesAtOnce: 3,
    env: {},
    sideBySide: null,
    leftOut: [],
    // The journeys; what a page alone shows is tested beside it.
    quick: {
      only: [
        "tests/e2e/call-limit.test.ts",
        "tests/e2e/contact.test.ts",
        "tests/e2e/date-field.test.ts",
        "tests/e2e/foreign-site.test.ts",
        "tests/e2e/journey.test.ts",
        "tests/e2e/mailed-token.test.ts",
        "tests/e2e/menus.test.ts",
        "tests/e2e/plugin-frame.test.ts",
        "tests/e2e/plugins-list.test.ts",
        "tests/e2e/public-site.test.ts",
        "tests/e2e/server-gone.test.ts",
        "tests/e2e/settings-leaving.test.ts",
        "tests/e2e/shell.test.ts",
        "tests/e2e/signed-out.test.ts",
        "tests/e2e/site-scripts.test.ts",
        "tests/e2e/switch-test.test.ts",
      ],
      needs: ["browser"],
    },
    limitMinutes: 25,
  },
  faults: {
    about:
      "kills, full disks, many hashes and emails, lost Redis, slow and hostile clients, response times, clean stops, two openers, plugins, replicas",
    paths: ["tests/faults", "tests/replicas"],
    needs: ["postgres", "redis"],
    onPostgres: false,
    // Every kill and every plugin starts a process of it: that takes two thirds of the computing that the sources take.
    onExecutable: true,
    filesAtOnce: 1,
    env: {},
    sideBySide: {
      filesAtOnce: 3,
      files: [
        "tests/faults/activity-flood.test.ts",
        "tests/faults/backup-cancelled.test.ts",
        "tests/faults/backup-kills.test.ts",
        "tests/faults/broken-plugins.test.ts",
        "tests/faults/damaged-folder.test.ts",
        "tests/faults/data-folder.test.ts",
        "tests/faults/dependencies-away.test.ts",
        "tests/faults/disk-full.test.ts",
        "tests/faults/first-requests.test.ts",
        "tests/faults/hostile-host.test.ts",
        "tests/faults/hostile-plugins.test.ts",
        "tests/faults/interpreter-made-again.test.ts",
        "tests/faults/kill-under-load-postgres.test.ts",
        "tests/faults/kill-under-load.test.ts",
        "tests/faults/live-stream.test.ts",
        "tests/faults/mail-storm.test.ts",
        "tests/faults/migration-kills.test.ts",
        "tests/faults/plugin-interpreter.test.ts",
        "tests/faults/plugin-kills.test.ts",
        "tests/faults/plugin-memory.test.ts",
        "tests/faults/plugin-orphans.test.ts",
        "tests/faults/plugin-race.test.ts",
        "tests/faults/plugin-uploads.test.ts",
        "tests/faults/power-loss.test.ts",
        "tests/faults/secrets-rotate.test.ts",
        "tests/faults/slow-clients.test.ts",
        "tests/faults/soak.test.ts",
        "tests/replicas/rolling-restart.test.ts",
        "tests/replicas/shared-state.test.ts",
        "tests/replicas/shared-work.test.ts",
      ],
    },
    leftOut: [],
    // One of each kind: a second opener, an orderly stop, a storm of sign-ins, a hostile plugin, a kill, hostile HTTP.
    quick: {
      only: [
        "tests/faults/data-folder.test.ts",
        "tests/faults/drain.test.ts",
        "tests/faults/hash-storm.test.ts",
        "tests/faults/hostile-plugins.test.ts",
        "tests/faults/kill-under-load.test.ts",
        "tests/faults/raw-http.test.ts",
      ],
    },
    limitMinutes: 25,
  },
} as const satisfies Record<string, Suite>;

export type SuiteName = keyof typeof suites;

export const isSuiteName = (word: string): word is SuiteName => word in suites;

export const allSuites = Object.keys(suites).filter(isSuiteName);

/**
 * How much runs: what a person runs before a commit, every file, the files that the first leaves out, or those of own features with
 * the test that the product starts.
 */
export const tiers = ["quick", "all", "rest", "own"] as const;
export type Tier = (typeof tiers)[number];

/** The test files of a suite in a tier, sorted, relative to the project. */
export const filesOf = (suite: Suite, tier: Tier): string[] => {
  const files = allFiles(suite);
  if (tier === "all") return files;
  if (tier === "own")
    return files.filter((file) => file === "scripts/own/product.test.ts" || isListed(folderOf(file)));
  const isQuick = quickOf(suite);
  return files.filter((file) => isQuick(file) === (tier === "quick"));
};

const quickOf = ({ quick }: Suite): ((file: string) => boolean) => {
  const named = new Set<string>("only" in quick ? quick.only : quick.allBut);
  return (file) => named.has(file) === "only" in quick;
};

/** On a real server, of the folders of the source only the files that use a database. */
const allFiles = (suite: Suite): string[] => {
  const files = suite.paths
    .flatMap((path) => [...new Bun.Glob(`${path}/**/*.test.{ts,tsx}`).scanSync(projectRoot)])
    .filter(
      (file) => !suite.leftOut.includes(file) && !file.includes("/node_modules/") && !isOfUnlisted(file),
    )
    .sort();
  if (!suite.onPostgres) return files;
  const used = new Set(testsOnDatabase(files.filter((file) => file.startsWith("src/"))));
  return files.filter((file) => !file.startsWith("src/") || used.has(file));
};

const listed: readonly { name: string }[] = own;

/** Whether a file is of a feature that isn't listed, such as the sample: its table isn't there. `scripts/own` lists it. */
const isOfUnlisted = (file: string): boolean => {
  const name = folderOf(file);
  return (
    name !== undefined && existsSync(join(projectRoot, "src/plugins", name, "feature.ts")) && !isListed(name)
  );
};

/** The folder in `src/plugins` that a file is in. */
const folderOf = (file: string): string | undefined => /^src\/plugins\/([^/]+)\//.exec(file)?.[1];

const isListed = (name: string | undefined): boolean => listed.some((feature) => feature.name === name);

/** The word by which a module shows that it opens the database that the environment names. */
const namesServer = "TEST_DATABASE_URL";

const aliases: readonly (readonly [prefix: string, folder: string])[] = [
  ["#client/", "src/client/"],
  ["#contract/", "src/api/contract/"],
  ["#api/", "src/api/"],
  ["#cli/", "src/cli/"],
  ["#plugins/", "src/plugins/"],
  ["#ui/", "src/ui/"],
];

/**
 * Those of the test files, by their paths below the project, whose imports lead to a database that may stand on a server:
 * for the others it makes no difference that there is one.
 */
export const testsOnDatabase = (files: readonly string[]): string[] => {
  const importers = new Map<string, string[]>();
  const seen = new Set<string>();
  const reached: string[] = [];
  const open = [...files];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(join(projectRoot, file), "utf8");
    if (text.includes(namesServer)) reached.push(file);
    for (const target of importsOf(file, text)) {
      importers.set(target, [...(importers.get(target) ?? []), file]);
      open.push(target);
    }
  }
  // From the modules that name the server back to all that import them.
  const leadThere = new Set<string>();
  for (let file = reached.pop(); file !== undefined; file = reached.pop()) {
    if (leadThere.has(file)) continue;
    leadThere.add(file);
    reached.push(...(importers.get(file) ?? []));
  }
  return files.filter((file) => leadThere.has(file));
};

const transpilers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };

const importsOf = (file: string, text: string): string[] => {
  if (!/\.tsx?$/.test(file)) return [];
  const found = transpilers[file.endsWith("x") ? "tsx" : "ts"].scanImports(text);
  return found.flatMap(({ path }) => {
    const target = placeOf(file, path);
    return target !== null && existsSync(join(projectRoot, target)) ? [target] : [];
  });
};

const placeOf = (file: string, specifier: string): string | null => {
  if (specifier.startsWith(".")) return join(dirname(file), specifier);
  const alias = aliases.find(([prefix]) => specifier.startsWith(prefix));
  return alias === undefined ? null : `${alias[1]}${specifier.slice(alias[0].length)}`;
};
