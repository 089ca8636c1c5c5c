import { afterAll, afterEach, beforeEach } from "bun:test";
import type { Browser, BrowserContext } from "playwright-core";
import { launchBrowser } from "./browser.ts";
import { removeFolder, type ServerProcess, type ServerSettings, startServer } from "./start-server.ts";
import { type PeopledServer, startWithPeople } from "./start-with-people.ts";

// Each is awaited at the top of a file, and ends after the file's tests.

/** A server for all tests of a file, and its data folder. */
export const serverForFile = async (settings: ServerSettings = {}): Promise<ServerProcess> =>
  untilEnd(await startServer(settings));

/** The same with two people, who are signed in. */
export const peopledForFile = async (
  settings: { env?: Record<string, string> } = {},
): Promise<PeopledServer> => {
  const peopled = await startWithPeople(settings);
  untilEnd(peopled.server);
  return peopled;
};

const untilEnd = (server: ServerProcess): ServerProcess => {
  afterAll(async () => {
    await server.stop();
    removeFolder(server.dataDir);
  });
  return server;
};

/** One for all files of this process, which ends with it: windows share nothing, and to start one takes a second. */
let shared: Promise<Browser> | undefined;

/** A browser. Windows that a test opens are closed after it, those that were open before it after the file. */
export const browserForFile = async (): Promise<Browser> => {
  shared ??= launchBrowser();
  const browser = await shared;
  const close = (contexts: BrowserContext[]) => Promise.all(contexts.map((context) => context.close()));
  let former: BrowserContext[] = [];
  beforeEach(() => {
    former = browser.contexts();
  });
  afterEach(() => close(browser.contexts().filter((context) => !former.includes(context))));
  afterAll(() => close(browser.contexts()));
  return browser;
};
