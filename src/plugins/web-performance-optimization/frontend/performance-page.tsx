import { EmptyState, Link, TabLinks } from "@atrium/plugin-sdk/ui";
import { FileQuestion } from "lucide-react";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import { CachePart } from "./cache/cache-part.tsx";
import { SwitchesPart } from "./switches/switches-part.tsx";
import { texts } from "./texts.ts";
import { VisitorsPart } from "./visitors/visitors-part.tsx";

const parts = { visitors: VisitorsPart, switches: SwitchesPart, cache: CachePart } as const;

/** The plugin's page: three tabs, each with its own URL. */
export const PerformancePage = ({ api }: { api: WindowApi }) => {
  const place = placeOf(api.path);
  return (
    <div className="grid grid-cols-1 gap-6">
      <TabLinks
        label={texts.places}
        tabs={texts.tabs}
        current={place}
        addressOf={(wanted) => api.addressOf(places[wanted])}
      />
      {place === null ? <NoPage api={api} /> : <Shown api={api} place={place} />}
    </div>
  );
};

const Shown = ({ api, place }: { api: WindowApi; place: Place }) => {
  const Part = parts[place];
  return <Part api={api} />;
};

const NoPage = ({ api }: { api: WindowApi }) => (
  <EmptyState Icon={FileQuestion} title={texts.noPage} text={texts.noPageText}>
    <Link href={api.addressOf(places.visitors)} className="underline">
      {texts.toVisitors}
    </Link>
  </EmptyState>
);

/** The tabs with their paths below the plugin's page. */
const places = { visitors: "", switches: "/switches", cache: "/cache" } as const;
type Place = keyof typeof places;

const all = ["visitors", "switches", "cache"] as const;

/** The tab at a path below the plugin's page; `null` if there is none. */
export const placeOf = (path: string): Place | null => {
  const plain = path.replace(/\/+$/, "");
  return all.find((place) => places[place] === plain) ?? null;
};
