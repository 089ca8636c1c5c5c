import { TabLinks } from "@atrium/plugin-sdk/ui";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import { CachePart } from "./cache/cache-part.tsx";
import { SwitchesPart } from "./switches/switches-part.tsx";
import { texts } from "./texts.ts";
import { VisitorsPart } from "./visitors/visitors-part.tsx";

const places = { visitors: "", switches: "/switches", cache: "/cache" } as const;
type Place = keyof typeof places;

const placeOf = (path: string): Place => {
  if (path.startsWith(places.switches)) return "switches";
  return path.startsWith(places.cache) ? "cache" : "visitors";
};

const parts = { visitors: VisitorsPart, switches: SwitchesPart, cache: CachePart } as const;

/** The plugin's page: three parts, each with an address of its own. */
export const PerformancePage = ({ api }: { api: WindowApi }) => {
  const place = placeOf(api.path);
  const Part = parts[place];
  return (
    <div className="grid grid-cols-1 gap-6">
      <TabLinks
        label={texts.places}
        tabs={texts.tabs}
        current={place}
        addressOf={(wanted) => api.addressOf(places[wanted])}
      />
      <Part api={api} />
    </div>
  );
};
