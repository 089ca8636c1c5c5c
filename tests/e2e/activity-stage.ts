import type { Locator, Page } from "playwright-core";
import type { View, WatchedPage } from "../driver/browser.ts";
import { createPerson, type Person } from "../driver/person.ts";
import { asOperator } from "../driver/plugin-caller.ts";
import { openLive } from "./live.ts";
import { type Stage, stageForFile } from "./stage.ts";

/** A stage on which an admin has done more than one page of activities shows. */
export type ActivityStage = {
  stage: Stage;
  /** Has the admin do something so many times, each of which is recorded. */
  act(times: number): Promise<void>;
  /** Opens the page of activities as Ada Lovelace, who is an admin. */
  openActivity(query?: string, view?: Partial<View>): Promise<WatchedPage>;
  /** Waits until the page of activities has this query. */
  addressIs(page: Page, query: string): Promise<void>;
};

const letter = { name: "Mira Okafor", email: "mira@northwind.example", subject: "Sales", message: "Hello" };
const actsAtFirst = 30;

/** A stage for a file of tests with something in its log. Await it at the top. */
export const activityStageForFile = async (): Promise<ActivityStage> => {
  const stage = await stageForFile();
  // Each page requests the license, and plugin requests are counted: rows would be added automatically.
  await asOperator(stage.dataDir).toggle("licensing", false);
  const admin = createPerson(stage.url);
  await admin.call("POST", "/api/auth/login", {
    email: "ada@example.test",
    password: "a rather fine long password",
  });
  const act = handle(admin, await sendLetter(stage, admin));
  await act(actsAtFirst);
  return {
    stage,
    act,
    openActivity: async (query = "", view = {}) => {
      const visit = await stage.open("admin", view);
      await openLive(visit.page, `${stage.url}/admin/activity${query}`);
      return visit;
    },
    addressIs: (page, query) => page.waitForURL(`${stage.url}/admin/activity${query}`),
  };
};

const sendLetter = async ({ url }: Stage, admin: Person): Promise<string> => {
  await createPerson(url).call("POST", "/api/contact", letter);
  const { body } = await admin.call("GET", "/api/admin/contact");
  const id = /"id":"([0-9a-f-]{36})"/.exec(JSON.stringify(body))?.[1];
  if (id === undefined) throw new Error("the letter did not arrive");
  return id;
};

const handle = (admin: Person, message: string) => {
  let isHandled = false;
  return async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      isHandled = !isHandled;
      const { status } = await admin.call("PUT", `/api/admin/contact/${message}`, { handled: isHandled });
      if (status !== 200) throw new Error(`handling the letter answered ${status}`);
    }
  };
};

/** The table of activities. */
export const table = (page: Page): Locator => page.getByRole("table", { name: "Activities", exact: true });

/** What opens a row's details, a button a row. */
export const openers = (page: Page): Locator => table(page).getByRole("button");

/** The details, or whatever dialog is open. */
export const sheet = (page: Page): Locator => page.getByRole("dialog");
