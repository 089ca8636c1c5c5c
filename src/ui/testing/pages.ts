import { afterEach, beforeEach, expect } from "bun:test";
import {
  type BoundFunctions,
  type ByRoleMatcher,
  configure,
  type queries,
  waitFor,
  within,
} from "@testing-library/dom";
import { userEvent } from "@testing-library/user-event";
import { createElement } from "react";
import type { Root } from "react-dom/client";
import { askLogout } from "#ui/components/logout-question.tsx";
import { resetProviders } from "#ui/features/auth/social-buttons.tsx";
import { forgetCommonPasswords } from "#ui/lib/common-passwords.ts";
import { reportReachable } from "#ui/lib/connection.ts";
import { currentNotices, dismissNotice } from "#ui/lib/notices.ts";
import { resetSession } from "#ui/lib/session.ts";
import { setSite } from "#ui/lib/site.ts";
import { noteUnread } from "#ui/lib/unread-messages.ts";
import { aCurrentSession, people, type Viewer } from "./answers.ts";
import { withoutAuthenticator } from "./authenticator.ts";
import { openBrowserWindow } from "./browser-window.ts";
import { effectsDone, type HeldTimers, patienceMs, startHeldTimers } from "./held-timers.ts";
import { type Answers, type Call, refusal, type ScriptedApi, startScriptedApi } from "./scripted-api.ts";

export { heldAnswer, noAnswer, refusal } from "./scripted-api.ts";

/** What a page is opened with: its reader (no one unless said) and the server's answers. */
type Visit = { as?: Viewer; answers?: Answers };

type Queries = BoundFunctions<typeof queries>;

/**
 * A page as its reader has it before them: what it shows, what they can do, and what it has asked the server for. Controls
 * are those of the topmost dialog while one is open, and are waited for.
 */
export type OpenPage = Queries & {
  /** Puts a text into the control with this label in the place of what stood there. */
  fill(label: string, text: string): Promise<void>;
  /** Chooses an option, by its text or value, in the control with this label. */
  choose(label: string, option: string): Promise<void>;
  /** Presses the button with exactly this name. */
  press(name: string): Promise<void>;
  /** Follows the link with exactly this name. */
  follow(name: string): Promise<void>;
  /** Presses an element, once or twice in a row. */
  click(element: HTMLElement): Promise<void>;
  pressTwice(element: HTMLElement): Promise<void>;
  /** Types at what has the focus; keys that are no characters in braces, as in `{Enter}`. */
  keys(keys: string): Promise<void>;
  /** What is inside a part of the page; the part is waited for. */
  inside(role: ByRoleMatcher, name?: string): Promise<Queries>;
  /** The table row with this text, which is waited for. */
  row(text: string): Promise<HTMLElement>;
  /** What is in the control with this label. */
  value(label: string): string;
  /** Whether a text is shown at this moment. */
  has(text: string | RegExp): boolean;
  /** Whether there is such a control at this moment, by role and exact name. */
  offers(role: "button" | "link" | "dialog" | "alert", name?: string): boolean;
  /** Waits until this element has the focus. */
  focusIsAt(element: HTMLElement): Promise<void>;
  /** Waits until no form is being sent. */
  isIdle(): Promise<void>;
  /** Waits until an assertion holds; it is to compare texts and numbers, as elements take long to be printed. */
  until(assertion: () => void | Promise<void>): Promise<void>;
  /** Waits until a text is shown, and until it no longer is. */
  shows(text: string | RegExp): Promise<HTMLElement>;
  hides(text: string | RegExp): Promise<void>;
  /** Waits until the address has this path and query. */
  isAt(address: string): Promise<void>;
  /** Loads the page again: what the tab keeps stays, and so do the server's answers. */
  reload(): Promise<void>;
  /** Lets time pass for what waits a second or more: nothing else makes it pass. */
  passTime(ms: number): Promise<void>;
  /** Requests so far: to this route, or all but those that every page makes. */
  calls(route?: string): Call[];
  /** Adds answers, or replaces them. */
  answer(answers: Answers): void;
};

/**
 * Lets the tests of a file open pages of the application in a window without a browser or server. Whatever a page asks for
 * that the test has no answer for fails the test. To be called once a file, outside its tests.
 */
export const openPages = (): ((path: string, visit?: Visit) => Promise<OpenPage>) => {
  let api: ScriptedApi | undefined;
  let root: Root | undefined;
  let timers: HeldTimers | undefined;

  beforeEach(() => browserWindow.enter());

  afterEach(async () => {
    root?.unmount();
    root = undefined;
    resetStores();
    api?.stop();
    timers?.stop();
    timers = undefined;
    await effectsDone();
    withoutAuthenticator();
    browserWindow.leave();
    const unplanned = api?.unplanned ?? [];
    api = undefined;
    if (unplanned.length > 0) throw new Error(`no answer was planned for ${unplanned.join(", ")}`);
  });

  return async (path, { as = "visitor", answers = {} } = {}) => {
    const { App, createRoot, flushSync, routeAt } = await loadApplication();
    browserWindow.reset(path);
    resetSession({ user: as === "visitor" ? null : people[as], status: "ready" });
    const scripted = startScriptedApi(usualAnswers);
    scripted.answer(answers);
    api = scripted;
    timers = startHeldTimers();
    const show = async () => {
      root?.unmount();
      await routeAt(location.pathname).page.load();
      root = createRoot(document.body.appendChild(document.createElement("div")));
      flushSync(() => root?.render(createElement(App)));
    };
    await show();
    return { ...readerOf(scripted, timers), reload: show };
  };
};

const browserWindow = openBrowserWindow();

configure({
  asyncUtilTimeout: patienceMs,
  // The whole markup would hide the rest of a failing run.
  getElementError: (message) =>
    new Error(`${message?.split("\n")[0]} The page says: ${document.body.textContent.slice(0, 2000)}`),
});

/** Its modules look for a window when they are loaded, so they are loaded when there is one. */
const loadApplication = async () => {
  const [{ App }, { createRoot }, { flushSync }, { routeAt }] = await Promise.all([
    import("#ui/app.tsx"),
    import("react-dom/client"),
    import("react-dom"),
    import("#ui/routes.tsx"),
  ]);
  return { App, createRoot, flushSync, routeAt };
};

// What the overview asks for, where admins arrive from other pages: a test may end before it has asked, or after.
const arrivals: Answers = Object.fromEntries(
  ["system/info", "admin/contact", "admin/backups/health", "admin/activity/days"].map((path) => [
    `GET /api/${path}`,
    () => refusal("BUSY"),
  ]),
);

/** What pages ask for whatever they are about. */
const usualAnswers: Answers = {
  "GET /api/health": {},
  "GET /api/auth/providers": {
    data: { google: false, github: false, providers: [], registration: { policy: "open", notice: null } },
  },
  "GET /api/account/session": () => ({ data: aCurrentSession() }),
  "GET /api/plugins": { data: [] },
  "GET /api/system/status": { data: { isSafeMode: false } },
  "GET /api/admin": { availablePlugins: [], timestamp: "2026-10-28T09:00:00.000Z" },
  ...arrivals,
};

const resetStores = (): void => {
  resetProviders();
  forgetCommonPasswords();
  reportReachable();
  askLogout(false);
  setSite(null);
  noteUnread(0);
  for (const { id } of currentNotices()) dismissNotice(id);
};

const readerOf = (api: ScriptedApi, timers: HeldTimers): Omit<OpenPage, "reload"> => {
  const page = within(document.body);
  const user = userEvent.setup({ document, delay: null });
  // What lies behind a modal dialog is out of reach.
  const front = () => within(page.queryAllByRole("dialog").at(-1) ?? document.body);
  const act = async (
    find: (front: Queries) => HTMLElement[],
    doIt: (control: HTMLElement) => Promise<unknown>,
  ) => {
    const control = await waitFor(() => only(find(front())));
    await effectsDone();
    await doIt(control);
  };
  return {
    ...page,
    fill: async (label, text) => {
      await act((front) => front.getAllByLabelText(label), user.clear);
      if (text !== "") await user.paste(text);
    },
    choose: (label, option) =>
      act(
        (front) => front.getAllByLabelText(label),
        (control) => user.selectOptions(control, option),
      ),
    press: (name) => act((front) => front.getAllByRole("button", { name }), user.click),
    follow: (name) => act((front) => front.getAllByRole("link", { name }), user.click),
    click: (element) => act(() => [element], user.click),
    pressTwice: (element) => act(() => [element], user.dblClick),
    keys: async (keys) => {
      await effectsDone();
      await user.keyboard(keys);
    },
    inside: async (role, name) => within(await page.findByRole(role, name === undefined ? {} : { name })),
    row: (text) =>
      waitFor(() => only(page.getAllByRole("row").filter(({ textContent }) => textContent.includes(text)))),
    value: (label) => textIn(front().getByLabelText(label)),
    has: (text) => page.queryAllByText(text).length > 0,
    offers: (role, name) => page.queryAllByRole(role, name === undefined ? {} : { name }).length > 0,
    focusIsAt: (element) => waitFor(() => expect(document.activeElement === element).toBe(true)),
    isIdle: () => waitFor(() => expect(document.querySelectorAll("fieldset:disabled").length).toBe(0)),
    until: (assertion) => waitFor(assertion),
    shows: (text) => page.findByText(text),
    hides: (text) => waitFor(() => expect(page.queryAllByText(text).length).toBe(0)),
    isAt: (address) => waitFor(() => expect(location.pathname + location.search).toBe(address)),
    passTime: timers.pass,
    calls: (route) => (route === undefined ? api.calls : api.calls.filter((call) => call.route === route)),
    answer: api.answer,
  };
};

const only = (elements: HTMLElement[]): HTMLElement => {
  const [element, ...others] = elements;
  if (element === undefined || others.length > 0) throw new Error(`${elements.length} instead of one`);
  return element;
};

const textIn = (control: HTMLElement): string => {
  const value: unknown = Reflect.get(control, "value");
  if (typeof value !== "string") throw new Error("this is no control with a value");
  return value;
};
