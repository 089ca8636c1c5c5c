import { EmptyState, Link, TabLinks } from "@atrium/plugin-sdk/ui";
import { FileQuestion } from "lucide-react";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import { CachePart } from "./cache/cache-part.tsx";
import { type Place, placeOf, places } from "./place-of.ts";
import { SwitchesPart } from "./switches/switches-part.tsx";
import { texts } from "./texts.ts";
import { VisitorsPart } from "./visitors/visitors-part.tsx";

const parts = { visitors: VisitorsPart, switches: SwitchesPart, cache: CachePart } as const;

/** The plugin's page: three parts, each with an address of its own. */
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
