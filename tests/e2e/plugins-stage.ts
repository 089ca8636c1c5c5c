import type { Page, Request } from "playwright-core";
import type { Plugin } from "#contract/plugins.ts";
import type { View, WatchedPage } from "../driver/browser.ts";
import { openLive } from "./live.ts";
import { manyPlugins } from "./shots/many-plugins.ts";
import type { Stage } from "./stage.ts";

type Answer = { status?: number; json?: object; body?: Buffer };

/** What is answered to calls, by method and path below `/api/plugins`. */
export type Answers = Record<string, (request: Request) => Answer | Promise<Answer>>;

/** A window on the plugins, whose calls are answered from a script. */
export type PluginsPage = WatchedPage & {
  /** The calls so far but for those of every document: each as method and path with its query. */
  calls: string[];
  /** What the list tells from now on. */
  tell(plugins: Plugin[]): void;
};

/** What menus and every document ask for. */
const everyDocument = ["GET ", "GET /site-scripts"];

/** Opens the plugins as an admin; `answers` serve what the list does not. Any other call there is 404. */
export const openPlugins = async (
  stage: Stage,
  answers: Answers = {},
  { query = "", view = {} }: { query?: string; view?: Partial<View> } = {},
): Promise<PluginsPage> => {
  const visit = await stage.open("admin", view);
  const calls: string[] = [];
  let listed = manyPlugins;
  const serve: Answers = {
    "GET ": () => ({ json: { success: true, data: listed } }),
    "GET /site-scripts": () => ({ json: { success: true, data: [] } }),
    ...answers,
  };
  await visit.page.route(/\/api\/plugins(?:\/|$|\?)/, async (route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    const path = pathname.slice("/api/plugins".length);
    const call = `${request.method()} ${path}${search}`;
    if (!everyDocument.includes(call)) calls.push(call);
    const answer = serve[`${request.method()} ${path}`];
    await (answer === undefined
      ? route.fulfill({ status: 404, json: {} })
      : route.fulfill(await answer(request)));
  });
  await openLive(visit.page, `${stage.url}/admin/plugins${query}`);
  return {
    ...visit,
    calls,
    tell: (plugins) => {
      listed = plugins;
    },
  };
};

/** The plugins, one of them changed. */
export const withChange = (name: string, change: Partial<Plugin>): Plugin[] =>
  manyPlugins.map((plugin) => (plugin.name === name ? { ...plugin, ...change } : plugin));

/** Waits for a passing notice. */
export const notice = (page: Page, text: string): Promise<void> =>
  page.getByRole("region", { name: "Notifications" }).getByText(text, { exact: true }).waitFor();

/** A refusal's envelope. */
export const refusal = (status: number, code: string, message: string, more: object = {}) => ({
  status,
  json: { success: false, code, message, ...more },
});
