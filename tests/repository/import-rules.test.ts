import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { findReachIns } from "../../scripts/features/reach-ins.ts";
import { projectRoot } from "../../scripts/project-root.ts";
import tsconfig from "../../tsconfig.json" with { type: "json" };
import { findImportViolations } from "./find-import-violations.ts";
import { aliases, sourceFiles } from "./source-files.ts";

/** What one planted file is told when every file that it names exists. */
const complaints = (path: string, text: string): string[] =>
  findImportViolations([{ path, text }], aliases, () => true);

describe("the source tree", () => {
  const files = sourceFiles("src");

  test("is really looked at", () => {
    expect(files.length).toBeGreaterThan(80);
    expect(files.map(({ path }) => path)).toContain("src/api/core/app-error.ts");
  });

  test("imports only what the areas allow", () => {
    expect(findImportViolations(files, aliases, (path) => existsSync(join(projectRoot, path)))).toEqual([]);
  });
});

test("features that are packages of their own import by the same names as all others", () => {
  const paths = Object.entries(tsconfig.compilerOptions.paths).filter(([name]) => name.startsWith("#"));
  expect(Object.fromEntries(paths)).toEqual(
    Object.fromEntries(Object.entries(packageJson.imports).map(([name, path]) => [name, [path]])),
  );
});

test("the sample of a feature imports nothing of the house but its stable surface", () => {
  const ofSample = findReachIns().filter(({ file }) => file.startsWith("src/plugins/sample-notes/"));
  expect(ofSample).toEqual([]);
});

/** Who, then an import that this one must not have. */
const planted: [string, string][] = [
  ["src/api/contract/limits.ts", "#api/core/clock.ts"],
  ["src/api/contract/limits.ts", "elysia"],
  ["src/plugins/sdk/index.ts", "#api/core/clock.ts"],
  ["src/plugins/sdk/index.ts", "semver"],
  ["src/api/core/app-error.ts", "elysia"],
  ["src/api/core/app-error.ts", "drizzle-orm/pg-core"],
  ["src/api/core/app-error.ts", "node:fs"],
  ["src/api/core/app-error.ts", "#api/modules/auth/index.ts"],
  ["src/api/config.ts", "#api/services.ts"],
  ["src/api/db/migrate.ts", "#api/modules/auth/index.ts"],
  ["src/api/db/migrate.ts", "#api/http/server/serve.ts"],
  ["src/api/adapters/secret-box.ts", "#api/modules/users/index.ts"],
  ["src/api/adapters/secret-box.ts", "drizzle-orm"],
  ["src/api/modules/auth/sign-in.ts", "elysia"],
  ["src/api/modules/auth/sign-in.ts", "drizzle-orm"],
  ["src/api/modules/auth/sign-in.ts", "bun"],
  ["src/api/modules/auth/sign-in.ts", "#api/db/schema.ts"],
  ["src/api/modules/auth/sign-in.ts", "#api/door/door.ts"],
  ["src/api/modules/auth/sign-in.ts", "#api/adapters/password-hasher.ts"],
  ["src/api/modules/auth/sign-in.ts", "#api/modules/users/store.ts"],
  ["src/api/modules/auth/sign-in.ts", "./routes.ts"],
  ["src/api/modules/auth/store.ts", "elysia"],
  ["src/api/modules/auth/store.ts", "#api/modules/users/store.ts"],
  ["src/api/modules/auth/routes.ts", "#api/modules/users/routes.ts"],
  ["src/api/modules/auth/routes.ts", "#api/modules/users/index.ts"],
  ["src/api/modules/auth/routes.ts", "#api/db/schema.ts"],
  ["src/api/modules/auth/routes.ts", "#api/adapters/secret-box.ts"],
  ["src/api/modules/auth/index.ts", "#api/modules/users/index.ts"],
  ["src/api/modules/auth/index.ts", "./routes.ts"],
  ["src/api/modules/auth/contract.ts", "elysia"],
  ["src/api/modules/auth/contract.ts", "#api/modules/kit.ts"],
  ["src/api/modules/auth/contract.ts", "#api/modules/contact/contract.ts"],
  ["src/api/modules/auth/sign-in.ts", "#api/operations.ts"],
  ["src/ui/lib/api.ts", "#api/operations.ts"],
  ["src/ui/lib/api.ts", "#api/modules/contact/contract.ts"],
  ["src/api/modules/fields.ts", "#api/modules/users/index.ts"],
  ["src/api/http/server/serve.ts", "#cli/main.ts"],
  ["src/api/services.ts", "#plugins/first-party.ts"],
  ["src/api/app.ts", "#ui/lib/api.ts"],
  ["src/api/app.ts", "#api/testing/host.ts"],
  ["src/cli/commands/user.ts", "#api/modules/auth/routes.ts"],
  ["src/cli/commands/user.ts", "#api/services.ts"],
  ["src/cli/commands/user.ts", "drizzle-orm"],
  ["src/cli/client/client.ts", "#api/app.ts"],
  ["src/cli/main.ts", "#api/modules/auth/routes.ts"],
  ["src/ui/lib/api.ts", "#api/app.ts"],
  ["src/ui/lib/api.ts", "#api/core/app-error.ts"],
  ["src/ui/lib/api.ts", "elysia"],
  ["src/ui/lib/api.ts", "node:path"],
  ["src/ui/lib/api.ts", "#cli/client/client.ts"],
  ["src/ui/features/auth/login-page.tsx", "#ui/features/admin/admin-page.tsx"],
  ["src/plugins/firewall/backend/index.ts", "#api/core/clock.ts"],
  ["src/plugins/firewall/backend/index.ts", "#plugins/licensing/backend/index.ts"],
  ["src/plugins/firewall/backend/index.ts", "#ui/components/card.tsx"],
  ["src/plugins/firewall/frontend/page.tsx", "#ui/features/admin/api.ts"],
  ["src/plugins/firewall/frontend/page.tsx", "#ui/components/ui/card.tsx"],
  ["src/plugins/firewall/frontend/page.tsx", "#cli/client/client.ts"],
  ["src/plugins/own.ts", "#api/core/clock.ts"],
  ["src/plugins/sample-notes/contract.ts", "#app/db"],
  ["src/plugins/sample-notes/contract.ts", "./store.ts"],
  ["src/api/app-sdk.ts", "#api/db/schema.ts"],
];

describe("a forbidden import is told", () => {
  for (const [path, specifier] of planted) {
    test(`${path} importing ${specifier}`, () => {
      expect(complaints(path, `import { x } from "${specifier}"; x();`)).toHaveLength(1);
      expect(complaints(path, `export { x } from "${specifier}";`)).toHaveLength(1);
      expect(complaints(path, `await import("${specifier}");`)).toHaveLength(1);
      expect(complaints(path, `import type { X } from "${specifier}";`)).toEqual([]);
    });
  }

  test("a relative path that leaves its module", () => {
    expect(complaints("src/api/modules/auth/sign-in.ts", `import "../users/index.ts";`)).toHaveLength(1);
    expect(complaints("src/ui/lib/api.ts", `import "../../api/contract/limits.ts";`)).toHaveLength(1);
  });

  test("a path that names no file, such as one without its extension", () => {
    const file = { path: "src/api/core/ids.ts", text: `import { x } from "./clock"; x();` };
    expect(findImportViolations([file], aliases, (path) => path.endsWith(".ts"))).toHaveLength(1);
  });

  test("a file in a folder that no rule knows", () => {
    expect(complaints("src/api/helpers/strings.ts", "export const x = 1;")).toHaveLength(1);
  });
});

/** Who, then an import that this one may have. */
const allowed: [string, string][] = [
  ["src/api/core/app-error.ts", "#contract/errors.ts"],
  ["src/api/modules/auth/sign-in.ts", "#api/modules/users/index.ts"],
  ["src/api/modules/auth/sign-in.ts", "./store.ts"],
  ["src/api/modules/auth/store.ts", "#api/db/schema.ts"],
  ["src/api/modules/auth/store.ts", "drizzle-orm"],
  ["src/api/modules/auth/routes.ts", "elysia"],
  ["src/api/modules/auth/routes.ts", "#api/modules/fields.ts"],
  ["src/api/modules/auth/operations.ts", "./contract.ts"],
  ["src/api/operations.ts", "#api/modules/contact/contract.ts"],
  ["src/cli/program.ts", "#api/operations.ts"],
  ["src/api/app.ts", "#api/modules/auth/index.ts"],
  ["src/cli/main.ts", "#api/services.ts"],
  ["src/cli/main.ts", "#plugins/first-party.ts"],
  ["src/ui/features/auth/login-page.tsx", "#ui/components/ui/button.tsx"],
  ["src/plugins/firewall/frontend/page.tsx", "@atrium/plugin-sdk/ui"],
  ["src/plugins/sample-notes/feature.ts", "./server.ts"],
  ["src/plugins/sample-notes/store.ts", "drizzle-orm"],
  ["src/plugins/sample-notes/store.ts", "#api/modules/users/store.ts"],
  ["src/api/modules/auth/login.test.ts", "#api/testing/host.ts"],
];

test("what the rules allow is not told", () => {
  for (const [path, specifier] of allowed) {
    expect(complaints(path, `import { x } from "${specifier}"; x();`)).toEqual([]);
  }
});
