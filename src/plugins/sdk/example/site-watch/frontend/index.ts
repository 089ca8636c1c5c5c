import type { FrameFrontend } from "../atrium-plugin.d.ts";
import type { Check } from "../backend/check-site.ts";
import { name, version } from "../plugin.json";

const frontend: FrameFrontend = {
  name,
  version,
  async mount(root, api) {
    const button = element("button", "rounded-md bg-primary px-4 py-2 text-primary-foreground", "Check now");
    const list = element("ul", "mt-4 divide-y divide-border text-foreground", "");
    const show = async () => {
      const checks = asChecks(await api.call("GET", "/history"));
      list.replaceChildren(...checks.map((check) => element("li", "py-2", lineOf(check))));
    };
    button.addEventListener("click", async () => {
      const { isUp } = asCheck(await api.call("POST", "/check"));
      api.notify(isUp ? "The site is up" : "The site is down");
      await show();
    });
    root.append(button, list);
    await show();
  },
};

const lineOf = ({ at, isUp, isSlow, status, tookMs }: Check): string => {
  const state = isUp ? "up" : "down";
  return `${new Date(at).toLocaleString()}: ${isSlow ? "slow" : state}, ${status ?? "no answer"}, ${tookMs} ms`;
};

const element = (tag: string, className: string, text: string): HTMLElement => {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
};

/** What the plugin's own backend answers. */
const asCheck = (value: unknown): Check => value as Check;
const asChecks = (value: unknown): Check[] => value as Check[];

export default frontend;
