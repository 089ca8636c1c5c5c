import { afterAll } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, openPage, type View, type WatchedPage } from "../driver/browser.ts";
import { browserForFile } from "../driver/for-file.ts";
import { giveSession } from "../driver/people.ts";
import { removeFolder } from "../driver/start-server.ts";
import { type PeopledServer, startWithPeople } from "../driver/start-with-people.ts";
import { noteLive, openLive } from "./live.ts";

/** Who looks at a page: nobody in particular, Grace Hopper, or Ada Lovelace, who is an admin. */
export type Viewer = "visitor" | "user" | "admin";

/** A server with two people, and a browser to look at it with. */
export type Stage = {
  /** Where the server listens, without trailing slash. */
  url: string;
  /** The server's data folder, for commands that talk to it. */
  dataDir: string;
  /** A window of its own; 1280 px wide and light unless told otherwise. */
  open(who: Viewer, view?: Partial<View>): Promise<WatchedPage>;
  /** Signs the person in behind an open window's back. */
  signIn(page: WatchedPage, who: "user" | "admin"): Promise<void>;
  close(): Promise<unknown>;
};

/** Starts the server on a folder of its own with the people in it, and the browser. */
export const openStage = async (): Promise<Stage> => {
  const [peopled, browser] = await Promise.all([startWithPeople(), launchBrowser()]);
  const stage = stageOf(peopled, browser);
  return { ...stage, close: () => Promise.all([browser.close(), stage.close()]) };
};

/** A stage for all tests of a file: await it at the top of the file. Windows close as those of {@link browserForFile} do. */
export const stageForFile = async (): Promise<Stage> => {
  const [peopled, browser] = await Promise.all([startWithPeople(), browserForFile()]);
  const stage = stageOf(peopled, browser);
  afterAll(() => stage.close());
  return stage;
};

const stageOf = ({ server, cookies }: PeopledServer, browser: Browser): Stage => {
  const signIn: Stage["signIn"] = ({ context }, who) => giveSession(context, server.url, cookies[who]);
  const open: Stage["open"] = async (who, { width = 1280, theme = "light", touch = width < 500 } = {}) => {
    const watched = await openPage(browser, { width, theme, touch });
    if (who !== "visitor") await signIn(watched, who);
    await noteLive(watched.page);
    return watched;
  };
  const close = async () => {
    await server.stop();
    removeFolder(server.dataDir);
  };
  return { url: server.url, dataDir: server.dataDir, open, signIn, close };
};

/** Signs out by the button of the dashboard. */
export const signOut = async (page: Page): Promise<void> => {
  await openLive(page, new URL("/dashboard", page.url()).href);
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Logout" }).click();
  await page.waitForURL((url) => url.pathname === "/");
};
