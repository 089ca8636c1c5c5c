import type { Locator, Page } from "playwright-core";
import type { View, WatchedPage } from "../driver/browser.ts";
import { createPerson, type Person } from "../driver/person.ts";
import { openLive } from "./live.ts";
import { type Stage, stageForFile } from "./stage.ts";

/** A stage whose admin looks after the settings. */
export type SettingsStage = {
  stage: Stage;
  admin: Person;
  /** Opens the settings as Ada Lovelace, who is an admin; `prepare` stubs calls before. */
  openSettings(options?: {
    query?: string;
    view?: Partial<View>;
    prepare?: (page: Page) => Promise<unknown>;
  }): Promise<WatchedPage>;
  /** Saves something over the API, as another admin would. */
  put(part: "credentials" | "core", change: object): Promise<void>;
};

/** A stage for a file of tests, whose admin looks after the settings over the API as well. Await it at the top. */
export const settingsStageForFile = async (): Promise<SettingsStage> => {
  const stage = await stageForFile();
  const admin = createPerson(stage.url);
  await admin.call("POST", "/api/auth/login", {
    email: "ada@example.test",
    password: "a rather fine long password",
  });
  return {
    stage,
    admin,
    openSettings: async ({ query = "", view = {}, prepare } = {}) => {
      const visit = await stage.open("admin", view);
      await prepare?.(visit.page);
      await openLive(visit.page, `${stage.url}/admin/settings${query}`);
      await field(visit.page, "Redis URL").waitFor();
      return visit;
    },
    put: async (part, change) => {
      const { status, body } = await admin.call("PUT", `/api/auth/settings/${part}`, change);
      if (status !== 200) throw new Error(`saving ${part} answered ${status}: ${JSON.stringify(body)}`);
    },
  };
};

/** The control with exactly this label. */
export const field = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true });

/** The button with exactly this name. */
export const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });

/** A section by its name. */
export const section = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });

/** Waits for a passing notice. */
export const notice = (page: Page, text: string): Promise<void> =>
  page.getByRole("region", { name: "Notifications" }).getByText(text, { exact: true }).waitFor();

/** The state that `GET /api/system/status` tells, with what a test needs changed. */
export const systemStatus = ({
  firewall = {},
  ...change
}: { firewall?: object } & Record<string, unknown>) => ({
  success: true,
  data: {
    firewall: {
      installed: false,
      enabled: false,
      masterSwitchEnabled: false,
      rateLimitingEnabled: false,
      developmentModeEnabled: false,
      ...firewall,
    },
    redis: {
      state: "unused",
      server: null,
      source: null,
      since: "2026-10-28T09:00:00.000Z",
      reason: null,
    },
    storage: {
      state: "unused",
      server: null,
      source: null,
      since: "2026-10-28T09:00:00.000Z",
      reason: null,
      home: "database",
      inDatabase: 4,
      inR2: 0,
      migration: null,
    },
    limiter: { isEnabled: true, store: "memory" },
    cors: { origins: [] },
    isSafeMode: false,
    visitor: {
      ip: "203.0.113.7",
      peer: "10.0.0.2",
      isBehindTrustedProxy: true,
      trustedProxies: ["10.0.0.0/8"],
      warning: null,
    },
    ...change,
  },
});

/** A firewall that manages the core settings. */
export const managing = {
  installed: true,
  enabled: true,
  masterSwitchEnabled: true,
  rateLimitingEnabled: true,
};

/** Has the server tell another state than its own. */
export const tellStatus = (page: Page, change: Parameters<typeof systemStatus>[0]): Promise<unknown> =>
  page.route("**/api/system/status", (route) => route.fulfill({ json: systemStatus(change) }));
