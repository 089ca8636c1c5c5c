import type { SiteFrontend } from "#plugins/sdk/frontend-types.ts";
import { name, version } from "../plugin.json";
import { footerOf } from "./footer-text.ts";

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
    // A page is the same without its footer's line.
    fill().catch(() => undefined);
    return () => {
      isOver = true;
      empty?.();
    };
  },
};

export default site;
