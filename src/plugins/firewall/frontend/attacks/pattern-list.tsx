import { Button, Card, EmptyState, Field, Select, useSearchParams } from "@atrium/plugin-sdk/ui";
import { SearchX } from "lucide-react";
import { useCallback } from "react";
import { ListSkeleton } from "../parts/list-skeleton.tsx";
import { LoadAlert } from "../parts/load-alert.tsx";
import { SearchField } from "../parts/search-field.tsx";
import { attackTexts as texts } from "../rule-texts.ts";
import { useFirewall, useRuleLoad } from "../use-firewall.ts";
import { PatternCategory } from "./pattern-category.tsx";
import { groupPatterns, patternShows, readPatternFilter } from "./pattern-filter.ts";

/** The attack patterns by category. */
export const PatternList = () => {
  const { calls } = useFirewall();
  const load = useCallback(() => calls.patterns(), [calls]);
  const { data, error, reload } = useRuleLoad(load);
  const [params, setParams] = useSearchParams();
  const filter = readPatternFilter(params);
  const set = (name: string, value: string) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === "" || value === "all") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const groups = groupPatterns(data?.patterns ?? [], filter);
  const isNarrowed = filter.show !== "all" || filter.search !== "";
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="max-w-3xl text-muted-foreground text-sm">{texts.patternsLead}</p>
      <div className="grid items-end gap-4 sm:grid-cols-[minmax(0,22rem)_12rem]">
        <SearchField
          search={filter.search}
          hint={texts.searchHint}
          onSearch={(search) => set("search", search)}
        />
        <Field label={texts.show}>
          <Select value={filter.show} onChange={(event) => set("show", event.target.value)}>
            {patternShows.map((show) => (
              <option key={show} value={show}>
                {texts.shows[show]}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {data === null && error === null && <ListSkeleton label={texts.loading} />}
      {error !== null && <LoadAlert error={error} onRetry={reload} />}
      {data !== null && groups.length === 0 && (
        <Card>
          <EmptyState Icon={SearchX} title={texts.none} text={texts.noneText}>
            <Button
              variant="outline"
              size="sm"
              className="mt-4"
              onClick={() => setParams(() => new URLSearchParams(), { replace: true })}
            >
              {texts.showAll}
            </Button>
          </EmptyState>
        </Card>
      )}
      {groups.map((group) => (
        <PatternCategory key={`${group.category} ${isNarrowed}`} group={group} isOpen={isNarrowed} />
      ))}
    </div>
  );
};
