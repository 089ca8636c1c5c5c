import type { PackagePreview, PluginDetails } from "#contract/plugins.ts";
import {
  askedPermissions,
  manyPlugins,
  packagePreview,
  pendingDetails,
  plugin,
  trustedKeys,
} from "./many-plugins.ts";
import {
  hangs,
  isBusy,
  isInvalid,
  isRestarting,
  meets,
  open,
  presses,
  pressesExactly,
  refuses,
  type Scene,
  type Step,
  type Steps,
  scenesOn,
  sees,
  tells,
  types,
} from "./steps.ts";

const listApi = /\/api\/plugins$/;
const many: Steps = [
  [tells(listApi, manyPlugins), open],
  (page) =>
    page
      .getByRole("table", { name: "Plugins", exact: true })
      .getByRole("row")
      .nth(manyPlugins.length)
      .waitFor(),
];
const [, , , unsigned] = manyPlugins;

const stored = {
  keys: 1_204,
  files: 3,
  fileBytes: 1_200_000,
  secrets: 2,
  settings: 5,
  usedBytes: 1_310_000,
  quotaBytes: 100_000_000,
};
const asksToDelete = [
  tells("**/api/plugins/licensing/data", stored),
  tells("**/api/plugins/visitor-notes/data", stored),
  [many, presses("Delete Visitor notes"), sees("1,204 entries")],
];

const inspectApi = "**/api/plugins/inspect";
const chooses: Step = (page) => {
  const file = { name: "weather-report.zip", mimeType: "application/zip", buffer: Buffer.alloc(1_240_000) };
  return page.getByLabel("Plugin package").setInputFiles(file);
};
const sends = [many, presses("Upload Plugin"), chooses, pressesExactly("Upload", "dialog")];
const inspected = (change: Partial<PackagePreview>): Steps => [
  [tells(inspectApi, packagePreview(change)), sends, meets("heading", "Weather report")],
];
const invalid = {
  errors: [
    { path: "plugin.json", message: "This field is missing: version" },
    { path: "backend/index.js", message: "The file is listed but is not there" },
  ],
};
const keys = [
  [tells(listApi, manyPlugins), tells("**/api/admin/plugin-keys", { keys: trustedKeys }), open],
  meets("heading", "Northwind Tools"),
];

const list = [
  ...scenesOn("admin", "/admin/plugins", {
    "plugins-many": many,
    "plugins-none": [tells(listApi, []), open, sees("No plugins yet")],
    "plugins-loading": [hangs(listApi), open, isBusy],
    "plugins-failed": [isRestarting(listApi), open, meets("alert", undefined, "main")],
    "plugin-delete": asksToDelete,
    "plugin-delete-wrong": [
      [asksToDelete, pressesExactly("Delete", "dialog")],
      sees("This doesn't match the plugin's name"),
    ],
    "plugin-consent": [
      refuses(
        "**/api/plugins/firewall/toggle",
        409,
        "CONSENT_REQUIRED",
        "Permissions have to be granted first",
        {
          data: { permissions: askedPermissions, signature: unsigned?.signature },
        },
      ),
      many,
      (page) => page.getByRole("switch", { name: "Enable Firewall" }).click(),
      sees("Connect to other servers"),
    ],
    "plugin-review": [
      unsigned === undefined ? [] : [tells("**/api/plugins/weather", pendingDetails(unsigned))],
      [many, presses("Version 2.0.0 is waiting: review Weather")],
      sees("Connect to other servers"),
    ],
    "plugin-upload": [
      [many, presses("Upload Plugin"), pressesExactly("Upload", "dialog")],
      sees("Please select a plugin file"),
    ],
    "plugin-upload-preview": inspected({}),
    "plugin-upload-obstacles": inspected({
      installedVersion: "1.1.0",
      needsDowngrade: true,
      obstacles: ["It needs Atrium 9.0.0 or later, and this is 1.0.0."],
      signature: { state: "unsigned", keyId: null, publisher: null, signedAt: null },
      dependencies: [{ name: "firewall", range: "^2.0.0", state: "outdated" }],
    }),
    "plugin-upload-refused": [
      refuses(inspectApi, 422, "PLUGIN_INVALID", "This package is not a usable plugin", invalid),
      [sends, sees("This field is missing")],
    ],
    "plugin-upload-sending": [hangs(inspectApi), sends, sees("Sending the package")],
  }),
  ...scenesOn("admin", "/admin/plugins?tab=keys", {
    "plugin-keys": keys,
    "plugin-key-add": [keys, presses("Add key"), presses("Trust key"), isInvalid],
    "plugin-key-revoke": [[keys, presses("Revoke Northwind Tools"), sees("These plugins stop immediately")]],
  }),
];

const at = "2026-10-28T09:00:00.000Z";
const signature = { state: "signed", keyId: null, publisher: "Northwind Tools", signedAt: at } as const;
const kept = {
  ...{ sizeBytes: 1_240_000, sha256: "ab".repeat(32), signature, permissions: askedPermissions },
  ...{ uploadedAt: at, uploadedBy: null },
};

const notes = (change: Partial<PluginDetails> = {}): PluginDetails => ({
  ...pendingDetails(
    plugin({ name: "visitor-notes", title: "Visitor notes", enabled: true, state: "running" }),
  ),
  ...{ author: "Northwind Tools", license: "MIT", homepage: "https://northwind.example", hasSettings: true },
  dependencies: { licensing: "^1.0.0" },
  dependents: ["weather"],
  granted: askedPermissions.map((permission, index) => ({
    ...permission,
    ...{ used: index * 1_204, refused: index === 2 ? 3 : 0, lastUsedAt: index === 0 ? null : at },
  })),
  pendingPermissions: [],
  versions: [
    { ...kept, version: "1.2.3", publisherChanged: null, isCurrent: true },
    { ...kept, version: "1.2.2", publisherChanged: null, isCurrent: false },
  ],
  replicas: [
    {
      ...{ replica: "a1b2", state: "running", version: "1.2.3", error: null, isolation: "process+seccomp" },
      ...{ memoryBytes: 17_400_000, startedAt: at, seenAt: at },
    },
  ],
  routes: [{ method: "GET", path: "/notes", access: "admin", summary: "All notes" }],
  jobs: [{ name: "sweep", everyMs: 60_000, lastRunAt: at, lastError: "TypeError: notes is not iterable" }],
  data: {
    keys: 1_204,
    files: 3,
    fileBytes: 1_200_000,
    secrets: 2,
    settings: 5,
    usedBytes: 1_310_000,
    quotaBytes: 100_000_000,
  },
  ...change,
});

const log = {
  replica: "a1b2",
  lines: (["debug", "info", "warn", "error"] as const).map((level, index) => ({
    ...{ id: index + 1, at, level, replica: "a1b2" },
    message: `A line of the level ${level} that is long enough to be broken on a phone`,
  })),
};

const settings = {
  schema: {
    type: "object",
    properties: {
      greeting: { type: "string", title: "Greeting", description: "Said to everybody", minLength: 3 },
      most: { type: "integer", title: "At most", default: 10 },
      isLoud: { type: "boolean", title: "Loud", description: "Whether it shouts" },
      mode: { type: "string", title: "Mode", enum: ["fast", "safe"] },
      hosts: { type: "array", title: "Hosts", items: { type: "string" } },
      key: { type: "string", title: "Key", "x-secret": true },
      mail: { type: "object", title: "Mail", properties: { to: { type: "string", title: "To" } } },
    },
  },
  values: { greeting: "Hello", most: 10, key: "" },
  secrets: { key: true },
};

const notesPath = "/admin/plugins/visitor-notes";
const notesApi = "**/api/plugins/visitor-notes";
/** Opens the page of a plugin that is so, and waits for these words. */
const shows = (words: string, change: Partial<PluginDetails> = {}): Steps => [
  tells(listApi, manyPlugins),
  tells(notesApi, notes(change)),
  tells(`${notesApi}/logs?*`, log),
  tells(`${notesApi}/settings`, settings),
  [open, sees(words)],
];
const failure = { enabled: false, error: "It failed four times in a minute" };
const waiting = { pendingVersion: "2.0.0", pendingPermissions: askedPermissions.slice(2, 3) };
const onTab = (tab: string, name: string, steps: Steps) =>
  scenesOn("admin", `${notesPath}?tab=${tab}`, { [name]: steps });

/** Pages of plugins: the list of all, and one of them. */
export const pluginScenes: readonly Scene[] = [
  ...list,
  ...scenesOn("admin", notesPath, {
    "plugin-overview": shows("TypeError: notes"),
    "plugin-broken": shows("It was stopped", { ...failure, state: "quarantined" }),
    "plugin-page-failed": [isRestarting(notesApi), open, meets("alert", undefined, "main")],
  }),
  ...onTab("permissions", "plugin-permissions", shows("Version 2.0.0 requests more permissions", waiting)),
  ...onTab("versions", "plugin-versions", shows("In use")),
  ...onTab("settings", "plugin-settings", [
    [shows("Greeting"), types("Greeting", "Hi"), presses("Save")],
    sees("Please give at least 3 characters"),
  ]),
  ...onTab("log", "plugin-log", shows("of the level error")),
  ...onTab("data", "plugin-data", shows("1,204")),
];
