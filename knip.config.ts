import { globSync } from "node:fs";
import { dirname } from "node:path";
import type { KnipConfig } from "knip";

/** The folders of features that are packages of their own: knip asks for a row of each, and complains of one for none. */
const packages = globSync("src/plugins/*/package.json", { cwd: import.meta.dirname }).map((path) =>
  dirname(path),
);
const feature = { entry: ["{feature,pages,schema}.ts", "**/*.test.{ts,tsx}"], project: ["**/*.{ts,tsx}"] };

export default {
  workspaces: {
    ".": {
      entry: [
        "{src,scripts,tests}/**/*.test.{ts,tsx}",
        "src/{api/app-db,api/app-mail,api/app-sdk,api/app-settings,ui/app-sdk}.ts",
        "src/plugins/*/{feature,pages,schema}.ts",
        "src/api/db/embedded/child-entry.ts",
        "src/api/plugin-host/sandbox/child-entry.ts",
        "tests/fixtures/hostile-archives/measure-memory.ts",
        "tests/fixtures/hostile-plugins/*.ts",
        "tests/fixtures/own-traffic/keep-traffic.ts",
        "tests/fixtures/plugins/lasting-program.ts",
        "src/ui/api-page/{api-page,paint-page}.ts",
        "src/ui/api-page/api-page.css",
        "src/client/*.ts",
        "src/ui/boot.ts",
        "src/ui/docs-site/{docs,paint-docs}.ts",
        "src/ui/docs-site/docs.css",
        "src/ui/plugin-host/plugin-sdk.ts",
        "src/ui/plugin-host/plugin-ui.ts",
        "src/ui/plugin-host/frame/frame.ts",
        "scripts/*.ts",
        "scripts/features/{app,make,sample}.ts",
        "src/plugins/licensing/scripts/issue-licence.ts",
        "src/plugins/sdk/example/*/{backend,frontend}/index.{ts,css}",
        "src/plugins/*/{backend,frontend}/{index,site}.{ts,tsx,css}",
        "scripts/start/serve.ts",
        "scripts/ui/build-site.ts",
        "tests/bench/main.ts",
        "tests/bench/subjects/*.ts",
        "tests/e2e/shots.ts",
        "tests/services/limiter-{memory,process}.ts",
        "tests/services/storage-mover.ts",
      ],
      project: ["src/**/*.{ts,tsx,css}", "scripts/**/*.ts", "tests/**/*.ts"],
      ignoreDependencies: ["dockerlinter"],
    },
    ...Object.fromEntries(packages.map((path) => [path, feature])),
  },
} satisfies KnipConfig;
