import type { SiteFrontend, SlotContent } from "#plugins/sdk/frontend-types.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { name, version } from "../plugin.json";

const site: SiteFrontend = {
  name,
  version,
  start: (api) => {
    let empty: (() => void) | null = null;
    let isOver = false;
    const fill = async (): Promise<void> => {
      const content = footerOf(await api.get("/status"));
      if (!isOver && content !== null) empty = api.fillSlot("licensing", content);
    };
    // The line in the footer is optional: the page works without it.
    fill().catch(() => undefined);
    return () => {
      isOver = true;
      empty?.();
    };
  },
};

export default site;

const texts = {
  community: "Community license",
  licensed: (owner: string) => `Licensed to ${owner}`,
  plan: (plan: string) => `${plan} license`,
} as const;

/** The footer's content for a response of the plugin's public route; `null` for anything else. */
export const footerOf = (answer: Json): SlotContent | null => {
  const data: unknown = Reflect.get(Object(answer), "data");
  const [owner, plan] = [Reflect.get(Object(data), "owner"), Reflect.get(Object(data), "plan")];
  if (typeof plan !== "string") return null;
  if (owner === null) return { text: texts.community };
  return typeof owner === "string" ? { text: texts.licensed(owner), title: texts.plan(plan) } : null;
};
