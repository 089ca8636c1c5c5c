import { useCallback } from "react";
import { ListSkeleton } from "../parts/list-skeleton.tsx";
import { LoadAlert } from "../parts/load-alert.tsx";
import { countryTexts as texts } from "../rule-texts.ts";
import { useFirewall, useRuleLoad } from "../use-firewall.ts";
import { CountriesForm } from "./countries-form.tsx";

/** From which countries requests get in. */
export const CountriesPage = () => {
  const { calls } = useFirewall();
  const load = useCallback(() => calls.countries(), [calls]);
  const { data, error, reload } = useRuleLoad(load);
  return (
    <div className="grid grid-cols-1 gap-4">
      {data === null && error === null && <ListSkeleton label={texts.title} />}
      {error !== null && <LoadAlert error={error} onRetry={reload} />}
      {data !== null && <CountriesForm data={data} />}
    </div>
  );
};
