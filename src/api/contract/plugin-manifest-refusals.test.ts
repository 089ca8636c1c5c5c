import { describe, expect, test } from "bun:test";
import { fieldTexts } from "./errors.ts";
import { readManifest } from "./plugin-manifest.ts";
import { schemaTexts, manifestTexts as texts } from "./plugin-texts.ts";
import { permissionNames } from "./plugins.ts";

const least = { manifestVersion: 1, name: "visitor-notes", version: "1.2.3" };

const problems = (value: unknown) => {
  const result = readManifest(value);
  return "problems" in result ? result.problems : [];
};

const backend = { entry: "backend/index.js" };
const frontend = { entry: "frontend/index.js" };
const fetching = (host: string) => ({ permissions: [{ name: "net.fetch", hosts: [host] }] });

describe("refused, with its place and what to do:", () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    ["an unknown field", { verison: "1.0.0" }, "verison", schemaTexts.unknown("version")],
    ["an unknown field like none", { zzzzzzzz: 1 }, "zzzzzzzz", fieldTexts.unknown],
    [
      "an unknown field within",
      { backend: { ...backend, runtim: "native" } },
      "backend.runtim",
      schemaTexts.unknown("runtime"),
    ],
    ["no name", { name: undefined }, "name", schemaTexts.type("text")],
    ["a name in capitals", { name: "Notes" }, "name", texts.name],
    ["a name of one letter", { name: "n" }, "name", texts.name],
    ["a name of 41 letters", { name: "n".repeat(41) }, "name", texts.name],
    ["a name that leads away", { name: "../notes" }, "name", texts.name],
    ["a reserved name", { name: "admin" }, "name", texts.nameReserved],
    ["the name of a device", { name: "nul" }, "name", texts.nameReserved],
    ["the name of another device", { name: "com1" }, "name", texts.nameReserved],
    ["a name that every object has", { name: "constructor" }, "name", texts.nameReserved],
    ["a version of two numbers", { version: "1.2" }, "version", texts.version],
    ["a version with a leading 0", { version: "1.02.3" }, "version", texts.version],
    ["a version with a v", { version: "v1.2.3" }, "version", texts.version],
    ["another manifest version", { manifestVersion: 2 }, "manifestVersion", schemaTexts.choices("1")],
    ["a title of 61 characters", { title: "x".repeat(61) }, "title", schemaTexts.manyCharacters(60)],
    [
      "a description of 501 characters",
      { description: "x".repeat(501) },
      "description",
      schemaTexts.manyCharacters(500),
    ],
    [
      "a reason of 201 characters",
      { permissions: [{ name: "routes", reason: "x".repeat(201) }] },
      "permissions.0.reason",
      schemaTexts.manyCharacters(200),
    ],
    ["a title that turns the text around", { title: "safe\u202e" }, "title", texts.unprintable],
    ["a description with an escape sequence", { description: "\u001b[2J" }, "description", texts.unprintable],
    [
      "a card's text with a NUL",
      { adminPanel: { enabled: true, card: { buttonText: "a\0" } } },
      "adminPanel.card.buttonText",
      texts.unprintable,
    ],
    ["a title of nothing to see", { title: "\u0301 " }, "title", texts.blank],
    [
      "a type that is none",
      { type: "Fun" },
      "type",
      schemaTexts.choices("Security, Essential, Performance, Development, Other"),
    ],
    ["a homepage without TLS", { homepage: "http://example.com" }, "homepage", texts.link],
    ["a homepage that is a script", { homepage: "javascript:alert(1)" }, "homepage", texts.link],
    [
      "a path out of the admin area",
      { adminPanel: { enabled: true, menuItem: { path: "/login" } } },
      "adminPanel.menuItem.path",
      texts.path,
    ],
    [
      "a path to another site",
      { adminPanel: { enabled: true, card: { path: "//evil.example" } } },
      "adminPanel.card.path",
      texts.path,
    ],
    [
      "an icon that is markup",
      { adminPanel: { enabled: true, card: { icon: "<img>" } } },
      "adminPanel.card.icon",
      texts.word,
    ],
    ["a range of other characters", { engines: { atrium: "^1;0" } }, "engines.atrium", texts.range],
    ["a dependency on a reserved name", { dependsOn: { admin: "*" } }, "dependsOn.admin", texts.name],
    ["a dependency on itself", { dependsOn: ["visitor-notes"] }, "dependsOn.0", texts.ownDependency],
    ["a dependency twice", { dependsOn: ["firewall", "firewall"] }, "dependsOn", schemaTexts.repeated],
    ["an entry outside the package", { backend: { entry: "../index.js" } }, "backend.entry", texts.file],
    ["an entry at the root", { backend: { entry: "/index.js" } }, "backend.entry", texts.file],
    ["an entry that is no script", { backend: { entry: "index.php" } }, "backend.entry", texts.file],
    [
      "a style sheet that is none",
      { frontend: { ...frontend, css: "a.js" }, permissions: ["ui.page"] },
      "frontend.css",
      texts.file,
    ],
    [
      "a native backend that does not ask",
      { backend: { ...backend, runtime: "native" } },
      "backend.runtime",
      texts.needs("A native backend", "native"),
    ],
    [
      "a native frontend that does not ask",
      { frontend: { ...frontend, mode: "native" }, permissions: ["ui.page"] },
      "frontend.mode",
      texts.needs("A native frontend", "ui.native"),
    ],
    [
      "an overlay that does not ask",
      { frontend: { ...frontend, overlay: true }, permissions: ["ui.page"] },
      "frontend.overlay",
      texts.needs("An overlay", "ui.overlay"),
    ],
    [
      "a site script that does not ask",
      { frontend: { ...frontend, site: "frontend/site.js" }, permissions: ["ui.page"] },
      "frontend.site",
      texts.needs("A site script", "ui.site"),
    ],
    ["a page that does not ask", { frontend }, "frontend", texts.needsPage],
    [
      "a permission that is none",
      { permissions: ["root"] },
      "permissions.0",
      schemaTexts.choices(permissionNames.join(", ")),
    ],
    [
      "a permission twice",
      { permissions: ["routes", { name: "routes" }] },
      "permissions.1",
      texts.permissionTwice,
    ],
    ["net.fetch without hosts", { permissions: ["net.fetch"] }, "permissions.0.hosts", texts.hostsMissing],
    [
      "hosts elsewhere",
      { permissions: [{ name: "routes", hosts: ["a.example"] }] },
      "permissions.0.hosts",
      texts.hostsElsewhere,
    ],
    [
      "plugins.call without plugins",
      { permissions: ["plugins.call"] },
      "permissions.0.plugins",
      texts.pluginsMissing,
    ],
    [
      "plugins elsewhere",
      { permissions: [{ name: "routes", plugins: ["firewall"] }] },
      "permissions.0.plugins",
      texts.pluginsElsewhere,
    ],
    [
      "a call of itself",
      { permissions: [{ name: "plugins.call", plugins: ["visitor-notes"] }] },
      "permissions.0.plugins",
      texts.ownCall,
    ],
    ["every host", fetching("*"), "permissions.0.hosts.0", texts.host],
    ["every host of a top-level domain", fetching("*.com"), "permissions.0.hosts.0", texts.host],
    ["a star within a host", fetching("api.*.example.com"), "permissions.0.hosts.0", texts.host],
    ["a host with a port", fetching("example.com:8080"), "permissions.0.hosts.0", texts.host],
    ["a host with a scheme", fetching("https://example.com"), "permissions.0.hosts.0", texts.host],
    ["a host with a path", fetching("example.com/a"), "permissions.0.hosts.0", texts.host],
    ["a host in capitals", fetching("Example.com"), "permissions.0.hosts.0", texts.host],
    ["a host that is this machine", fetching("localhost"), "permissions.0.hosts.0", texts.host],
    ["a host that is an address", fetching("169.254.169.254"), "permissions.0.hosts.0", texts.host],
    ["more memory than there is", { limits: { memoryMB: 49 } }, "limits.memoryMB", schemaTexts.most(48)],
    ["more time than there is", { limits: { wallMs: 10_001 } }, "limits.wallMs", schemaTexts.most(10_000)],
    ["more work than there is", { limits: { cpuMs: 201 } }, "limits.cpuMs", schemaTexts.most(200)],
    [
      "less memory than an interpreter takes",
      { limits: { memoryMB: 15 } },
      "limits.memoryMB",
      schemaTexts.least(16),
    ],
    ["half a limit", { limits: { cpuMs: 10.5 } }, "limits.cpuMs", schemaTexts.type("a whole number")],
    ["settings without a type", { settings: { schema: {} } }, "settings.schema", texts.settingsObject],
  ])("%s", (_what, change, path, message) => {
    expect(problems({ ...least, ...change })).toContainEqual({ path, message });
  });

  test.each([[null], [1], ["x"], [[]], [undefined]])("a manifest that is %p", (value) =>
    expect(problems(value)).toEqual([{ path: "", message: texts.notAnObject }]),
  );
});
