import type { SiteFrontend } from "#plugins/sdk/frontend-types.ts";
import { name, version } from "../plugin.json";
import { asSiteFacts, fetchAhead, isUnwanted, measureVisit } from "./site/measure-visit.ts";

const site: SiteFrontend = {
  name,
  version,
  start: (api) => {
    const stops: (() => void)[] = [];
    let isOver = false;
    const begin = async (): Promise<void> => {
      const { sample, next } = asSiteFacts(await api.get("/site"));
      if (isOver) return;
      if (Object.keys(next).length > 0) stops.push(fetchAhead(api, next));
      if (sample > 0 && !isUnwanted(navigator) && Math.random() * 100 < sample) stops.push(measureVisit(api));
    };
    // Measuring is optional: the page works without it.
    begin().catch(() => undefined);
    return () => {
      isOver = true;
      for (const stop of stops) stop();
    };
  },
};

export default site;
