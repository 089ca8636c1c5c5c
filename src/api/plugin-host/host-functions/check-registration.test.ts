import { describe, expect, test } from "bun:test";
import type { RegisteredRoute, Registration } from "#api/plugin-host/runtime.ts";
import { type Permission, pluginLimits } from "#contract/plugins.ts";
import { checkRegistration } from "./check-registration.ts";

const granted: Permission[] = [
  { name: "routes" },
  { name: "routes.user" },
  { name: "routes.public" },
  { name: "schedule" },
  { name: "events" },
];
const registration: Registration = {
  name: "notes",
  version: "1.0.0",
  description: null,
  adminPanel: null,
  routes: [],
  jobs: [],
  listeners: [],
  hasHealth: false,
  hasMigrate: false,
};
const route = (path: string, rest: Partial<RegisteredRoute> = {}): RegisteredRoute => ({
  handler: "h",
  method: "GET",
  path,
  access: "admin",
  proof: null,
  headers: [],
  body: null,
  query: null,
  params: null,
  response: null,
  answers: null,
  summary: null,
  description: null,
  ...rest,
});
const withRoutes = (...routes: RegisteredRoute[]) => ({ ...registration, routes });
const job = (name: string, everyMs: number) => ({ handler: "h", name, everyMs });

describe("what a plugin registers", () => {
  test("passes when it is in order and granted", () => {
    const routes = ["/", "/notes", "/notes/:id", "/notes/:id/a-b_c.d~e"].map((path) => route(path));
    const jobs = [job("daily", 86_400_000)];
    expect(checkRegistration({ ...registration, routes, jobs }, { granted, asked: granted })).toBeNull();
    expect(checkRegistration(registration, { granted: [], asked: granted })).toBeNull();
  });

  test.each([
    ["routes", withRoutes(route("/"))],
    ["routes.user", withRoutes(route("/", { access: "user" }))],
    ["routes.public", withRoutes(route("/", { access: "public" }))],
    ["schedule", { ...registration, jobs: [job("a", 1_000)] }],
    ["events", { ...registration, listeners: [{ handler: "h", event: "user.login" }] }],
  ] satisfies [string, Registration][])("is refused without %s", (permission, registered) => {
    const others = granted.filter(({ name }) => name !== permission);
    expect(checkRegistration(registered, { granted: others, asked: granted })).toMatchObject({
      permission,
      message: `It doesn't have the permission ${permission}: grant it on the plugin's page`,
    });
    expect(checkRegistration(registered, { granted: others, asked: others })?.message).toEndWith(
      "add it to permissions in plugin.json",
    );
    expect(checkRegistration(registered, { granted, asked: granted })).toBeNull();
  });

  test.each([
    "",
    "a",
    "//",
    "/a/",
    "/../b",
    "/a/./b",
    "/a b",
    "/%2e",
    "/a?b",
    "/:",
    "/:id/:id",
    "/é",
    `/${"a".repeat(200)}`,
  ])("cannot have the path %p", (path) =>
    expect(checkRegistration(withRoutes(route(path)), { granted, asked: granted })?.permission).toBeNull(),
  );

  test("cannot have one thing twice, too many things, or what does not exist", () => {
    const problems = [
      withRoutes(route("/a/:id"), route("/a/:name")),
      { ...registration, jobs: [job("a", 1_000), job("a", 2_000)] },
      { ...registration, jobs: [job("a", 999)] },
      { ...registration, jobs: [job("a", Number.NaN)] },
      { ...registration, jobs: [job("A b", 1_000)] },
      { ...registration, listeners: [{ handler: "h", event: "user.password" }] },
      withRoutes(...Array.from({ length: pluginLimits.routes + 1 }, (_, at) => route(`/r${at}`))),
    ];
    for (const problem of problems)
      expect(checkRegistration(problem, { granted, asked: granted })).toMatchObject({ permission: null });
    expect(
      checkRegistration(withRoutes(route("/a"), route("/a", { method: "POST" })), {
        granted,
        asked: granted,
      }),
    ).toBeNull();
  });
});
