import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import type { Plugin } from "#contract/plugins.ts";
import type { AdminPanel } from "#plugins/sdk/types.ts";
import { plugin } from "../../../tests/e2e/shots/many-plugins.ts";
import {
  cardsOf,
  clearOverlays,
  createRegistry,
  currentOverlays,
  knownPlugins,
  menuItemsOf,
  onOverlayChange,
  registerOverlay,
} from "./registry.ts";

type World = {
  listed: Plugin[] | Error;
  modules: Record<string, unknown>;
  config: Partial<AdminPanel> | Error | null;
};

let world: World;
let tried: string[];
let configured: string[];
let warnings: string[];
let cleared: number;

beforeEach(() => {
  world = { listed: [], modules: {}, config: null };
  tried = [];
  configured = [];
  warnings = [];
  cleared = 0;
});

const given = <T>(value: T | Error): T => {
  if (value instanceof Error) throw value;
  return value;
};

const start = () =>
  createRegistry({
    list: async () => given(world.listed),
    load: async (id) => {
      tried.push(id);
      return given(world.modules[id] ?? null);
    },
    configOf: async (id) => {
      configured.push(id);
      return given(world.config);
    },
    onClear: () => {
      cleared += 1;
    },
    warn: (message) => warnings.push(message),
  });

const module = (name: string, more: object = {}) => ({ default: { name, version: "1.0.0", ...more } });
const panel = (more: Partial<AdminPanel> = {}): AdminPanel => ({
  enabled: true,
  menuItem: { title: "Firewall", description: "Blocks", icon: "Shield", path: "/admin/firewall" },
  card: {
    title: "Firewall",
    description: "All quiet",
    icon: "Security",
    color: "success",
    buttonText: "Look",
  },
  ...more,
});

describe("the registry of plugins", () => {
  test("starts uninitialised, with no menu items and no cards", () => {
    const registry = start();
    expect(registry.status()).toEqual({
      ...{ total: 0, loaded: 0, failed: 0 },
      ...{ isComplete: false, initialized: false },
    });
    expect([menuItemsOf(registry.getState()), cardsOf(registry.getState())]).toEqual([[], []]);
  });

  test("tries each known plugin in turn, then what the server lists, and is initialized", async () => {
    world.listed = [
      plugin({ name: "shop", title: "Shop", version: "1.0.0" }),
      plugin({ name: "firewall", title: "Firewall", version: "1.0.0" }),
    ];
    world.modules = { shop: module("shop"), firewall: module("firewall") };
    const registry = start();
    const plugins = await registry.initialize();
    expect(tried).toEqual([...knownPlugins, "shop"]);
    expect([...plugins.keys()]).toEqual(["firewall", "shop"]);
    expect(registry.status()).toEqual({
      ...{ total: 2, loaded: 2, failed: 0 },
      ...{ isComplete: true, initialized: true },
    });
    expect(registry.getState().listed).toBe(2);
  });

  test("gives the menu items and cards out only after initialisation", async () => {
    world.modules = { firewall: module("firewall", { adminPanel: panel() }) };
    const registry = start();
    const running = registry.initialize();
    expect(menuItemsOf(registry.getState())).toEqual([]);
    await running;
    expect(menuItemsOf(registry.getState())).toEqual([
      { id: "firewall", title: "Firewall", description: "Blocks", icon: "Shield", path: "/admin/firewall" },
    ]);
    expect(cardsOf(registry.getState())).toEqual([
      {
        ...{ id: "firewall", title: "Firewall", description: "All quiet", icon: "Security" },
        ...{ color: "success", buttonText: "Look", path: "/admin/firewall" },
      },
    ]);
  });

  test("is left empty but initialized by a failure", async () => {
    const registry = createRegistry({
      list: async () => [],
      load: async (id) => module(id),
      configOf: async () => null,
      onLoaded: () => {
        throw new Error("broken");
      },
      warn: (message) => warnings.push(message),
    });
    await registry.initialize();
    expect(registry.status()).toMatchObject({ total: 0, initialized: true });
    expect(warnings).toContain("the plugins could not be initialized");
  });

  test("tolerates a list that cannot be had, and says so in the console alone", async () => {
    world.listed = new Error("500");
    world.modules = { licensing: module("licensing") };
    const registry = start();
    expect([...(await registry.initialize()).keys()]).toEqual(["licensing"]);
    expect(warnings).toEqual(["the list of plugins could not be loaded"]);
  });

  test("skips what cannot be loaded with a warning, and continues", async () => {
    world.modules = { firewall: new Error("network"), licensing: module("licensing") };
    const registry = start();
    expect([...(await registry.initialize()).keys()]).toEqual(["licensing"]);
    expect(warnings).toEqual(["the plugin firewall could not be loaded"]);
  });

  test("initialized a second time returns the existing registry and tries nothing", async () => {
    world.modules = { licensing: module("licensing") };
    const registry = start();
    const [first, meanwhile] = await Promise.all([registry.initialize(), registry.initialize()]);
    expect(meanwhile).toBe(first);
    expect(await registry.initialize()).toBe(first);
    expect(tried).toEqual([...knownPlugins]);
  });

  test("refreshed forgets its plugins and the server's settings, and initializes again", async () => {
    world.modules = { firewall: module("firewall", { adminPanel: panel() }) };
    world.config = { enabled: true };
    const registry = start();
    await registry.initialize();
    expect(registry.getState().serverSettings.size).toBe(1);
    world.modules = { licensing: module("licensing") };
    const running = registry.refresh();
    expect(registry.getState()).toMatchObject({
      isInitialized: false,
      plugins: new Map(),
      serverSettings: new Map(),
    });
    await running;
    expect([...registry.getState().plugins.keys()]).toEqual(["licensing"]);
    expect(registry.getState().serverSettings.size).toBe(0);
    expect(cleared).toBe(1);
  });

  test("refreshed while it initializes keeps what the later one found", async () => {
    world.modules = { firewall: module("firewall") };
    const registry = start();
    const first = registry.initialize();
    world.modules = { licensing: module("licensing") };
    await Promise.all([first, registry.refresh()]);
    expect([...registry.getState().plugins.keys()]).toEqual(["licensing"]);
  });

  test("refreshed in its settings alone asks the server again, and loads nothing", async () => {
    world.modules = { firewall: module("firewall", { adminPanel: panel() }), licensing: module("licensing") };
    const registry = start();
    await registry.initialize();
    const before = tried.length;
    world.config = { enabled: false };
    await registry.refreshSettings();
    expect(tried.length).toBe(before);
    expect(registry.getState().plugins.get("firewall")?.adminPanel.enabled).toBe(false);
    expect(menuItemsOf(registry.getState())).toEqual([]);
  });
});

describe("what the server says of a panel", () => {
  test("is asked for of the firewall alone", async () => {
    world.modules = Object.fromEntries(knownPlugins.map((name) => [name, module(name)]));
    await start().initialize();
    expect(configured).toEqual(["firewall"]);
  });

  test("wins over the built-in one: `enabled` if it is set, menu item and card field by field", async () => {
    world.modules = { firewall: module("firewall", { adminPanel: panel({ enabled: false }) }) };
    world.config = { enabled: true, menuItem: { title: "Wall" }, card: { color: "warning" } };
    const registry = start();
    await registry.initialize();
    expect(registry.getState().plugins.get("firewall")?.adminPanel).toEqual({
      enabled: true,
      menuItem: { title: "Wall", description: "Blocks", icon: "Shield", path: "/admin/firewall" },
      card: { ...panel().card, color: "warning" },
    });
  });

  test("leaves the built-in one as it is when it cannot be had, or does not say", async () => {
    world.modules = { firewall: module("firewall", { adminPanel: panel() }) };
    for (const config of [new Error("HTTP 500"), {}]) {
      world.config = config;
      const registry = start();
      await registry.initialize();
      expect(registry.getState().plugins.get("firewall")?.adminPanel).toEqual(panel());
    }
    expect(warnings).toEqual(["the configuration of firewall could not be loaded"]);
  });
});

describe("a plugin's module", () => {
  test.each([
    ["no default export", {}],
    ["no name", { default: { version: "1.0.0" } }],
    ["no version", { default: { name: "shop" } }],
    ["a name that is no text", { default: { name: 1, version: "1.0.0" } }],
  ])("with %s is skipped with a warning", async (_, broken) => {
    world.modules = { firewall: broken };
    expect((await start().initialize()).size).toBe(0);
    expect(warnings).toEqual([
      "the plugin firewall was skipped: its module needs a default export with name and version",
    ]);
  });

  test.each([
    ["another name", { name: "shop", version: "1.2.3" }],
    ["another version", { name: "firewall", version: "1.2.4" }],
  ])("with %s than the server lists is skipped with a warning", async (_, other) => {
    world.listed = [plugin({ name: "firewall", title: "Firewall" })];
    world.modules = { firewall: { default: other } };
    expect((await start().initialize()).size).toBe(0);
    expect(warnings).toEqual([
      `the plugin firewall was skipped: its module says that it is ${other.name} ${other.version}, which is not firewall 1.2.3`,
    ]);
  });

  test("that is missing is skipped in silence", async () => {
    expect((await start().initialize()).size).toBe(0);
    expect(warnings).toEqual([]);
  });

  test("without a panel that is enabled is not offered to admins", async () => {
    world.modules = {
      firewall: module("firewall", { adminPanel: panel({ enabled: false }) }),
      licensing: module("licensing"),
    };
    const registry = start();
    expect((await registry.initialize()).size).toBe(2);
    expect(menuItemsOf(registry.getState())).toEqual([]);
  });

  test("leads to no page but the plugin's own", async () => {
    const at = (path: string) => module("firewall", { adminPanel: panel({ menuItem: { path } }) });
    for (const [wanted, path] of [
      ["/admin/firewall", "/admin/firewall"],
      ["/admin/plugins/firewall/rules", "/admin/plugins/firewall/rules"],
      ["/admin/settings", "/admin/plugins/firewall"],
      ["/admin/plugins/licensing", "/admin/plugins/firewall"],
      ["https://elsewhere.example", "/admin/plugins/firewall"],
    ] as const) {
      world.modules = { firewall: at(wanted) };
      const registry = start();
      await registry.initialize();
      expect(menuItemsOf(registry.getState())[0]?.path).toBe(path);
    }
  });
});

const first = () => null;
const second = () => null;

afterEach(clearOverlays);

describe("plugins' overlays", () => {
  test("are kept by plugin, and a new one takes the place of the old one", () => {
    registerOverlay("firewall", first);
    registerOverlay("shop", first);
    registerOverlay("firewall", second);
    expect([...currentOverlays()]).toEqual([
      ["firewall", second],
      ["shop", first],
    ]);
  });

  test("without a component are ignored, with a warning", () => {
    const warn = spyOn(console, "warn").mockImplementation(() => {});
    registerOverlay("firewall", first);
    for (const none of [undefined, null]) registerOverlay("firewall", none);
    expect(currentOverlays().get("firewall")).toBe(first);
    expect(warn.mock.calls).toEqual(
      Array(2).fill(["the overlay of firewall was ignored: it has no component"]),
    );
    warn.mockRestore();
  });

  test("can be cleared", () => {
    registerOverlay("firewall", first);
    clearOverlays();
    expect(currentOverlays().size).toBe(0);
  });

  test("are announced immediately, without polling", () => {
    let changes = 0;
    const stop = onOverlayChange(() => {
      changes += 1;
    });
    registerOverlay("firewall", first);
    stop();
    registerOverlay("firewall", second);
    expect(changes).toBe(1);
  });
});
