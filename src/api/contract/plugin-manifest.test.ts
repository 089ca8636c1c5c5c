import { expect, test } from "bun:test";
import { hostileMarkup } from "#api/testing/hostile-markup.ts";
import { leastManifest as least, wholeManifest as whole } from "#api/testing/manifests.ts";
import { fieldTexts } from "./errors.ts";
import { readManifest } from "./plugin-manifest.ts";
import { manifestTexts as texts } from "./plugin-texts.ts";
import { permissionNames, pluginLimits } from "./plugins.ts";

/** The manifest that a value is read as. */
const read = (value: unknown) => {
  const result = readManifest(value);
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.manifest;
};

const problems = (value: unknown) => {
  const result = readManifest(value);
  return "problems" in result ? result.problems : [];
};

test("a manifest of three fields has all the others filled in", () => {
  expect(read(least)).toEqual({
    manifestVersion: 1,
    name: "visitor-notes",
    version: "1.2.3",
    title: "visitor-notes",
    description: "",
    type: "Other",
    author: null,
    homepage: null,
    license: null,
    engines: { atrium: "*" },
    dependsOn: {},
    backend: null,
    frontend: null,
    adminPanel: null,
    permissions: [],
    settings: null,
    commands: null,
    limits: { memoryMB: pluginLimits.memoryMB, cpuMs: pluginLimits.cpuMs, wallMs: pluginLimits.wallMs },
  });
});

test("a manifest with every field is read as it stands, its permissions in the order of asking", () => {
  const manifest = read(whole);
  expect(manifest).toMatchObject({ title: "Visitor notes", type: "Security", limits: whole.limits });
  expect(manifest.frontend).toEqual({
    entry: "frontend/index.js",
    css: "frontend/index.css",
    mode: "native",
    overlay: true,
    site: "frontend/site.js",
  });
  expect(manifest.permissions.map(({ name }) => name)).toEqual([
    "routes",
    "net.fetch",
    "plugins.call",
    "ui.overlay",
    "ui.site",
    "ui.native",
  ]);
  expect(manifest.permissions[1]).toEqual({
    name: "net.fetch",
    hosts: ["api.example.com", "*.example.org"],
    reason: "Looks up names",
  });
});

test("what a menu item and a card do not say comes from the plugin", () => {
  const { adminPanel } = read({
    ...least,
    title: "Notes",
    description: "All",
    adminPanel: { enabled: true, menuItem: {}, card: { icon: "Code" } },
  });
  const path = "/admin/plugins/visitor-notes";
  expect(adminPanel).toEqual({
    enabled: true,
    menuItem: { title: "Notes", description: "All", icon: "Extension", path },
    card: { title: "Notes", description: "All", icon: "Code", color: "primary", buttonText: "Open", path },
  });
});

test("dependencies can be a bare list of names", () => {
  expect(read({ ...least, dependsOn: ["licensing", "firewall"] }).dependsOn).toEqual({
    licensing: "*",
    firewall: "*",
  });
});

test("all permissions together can be asked for", () => {
  const permissions = permissionNames.map((name) => {
    if (name === "net.fetch") return { name, hosts: ["a.example"] };
    return name === "plugins.call" ? { name, plugins: ["licensing"] } : name;
  });
  expect(read({ ...least, permissions }).permissions.map(({ name }) => name)).toEqual([...permissionNames]);
});

test("Z8: names that every object has, and keys that would be its prototype, change nothing", () => {
  const hostile = JSON.parse(
    `{"manifestVersion":1,"name":"aa","version":"1.0.0","__proto__":{"enabled":true}}`,
  );
  expect(problems(hostile)).toEqual([{ path: "__proto__", message: fieldTexts.unknown }]);
  const dependent = JSON.parse(
    `{"manifestVersion":1,"name":"aa","version":"1.0.0","dependsOn":{"__proto__":"1"}}`,
  );
  expect(problems(dependent)).toEqual([{ path: "dependsOn.__proto__", message: texts.name }]);
});

test("L1: markup in a manifest's texts is text, and its names, paths and links can hold none", () => {
  expect(hostileMarkup.length).toBeGreaterThanOrEqual(200);
  for (const text of hostileMarkup.filter(({ length }) => length <= 60)) {
    const manifest = readManifest({ ...least, title: text });
    if ("manifest" in manifest) expect(manifest.manifest.title).toBe(text);
    for (const change of [
      { name: text },
      { homepage: text },
      { version: text },
      { backend: { entry: text } },
    ])
      expect(problems({ ...least, ...change })).not.toEqual([]);
  }
});

test("versions are known by their form", () => {
  const isVersion = (version: string) =>
    "manifest" in readManifest({ manifestVersion: 1, name: "visitor-notes", version });
  for (const version of ["0.0.0", "1.2.3-rc.1", "1.2.3+build.5", "1.0.0-0a.b--c+x"])
    expect(isVersion(version)).toBe(true);
  for (const version of [
    "",
    "1",
    "1.2.3.4",
    "1.2.3-",
    "1.2.3-01",
    "1.2.3+",
    " 1.2.3",
    `1.2.3-${"a".repeat(70)}`,
  ])
    expect(isVersion(version)).toBe(false);
});
