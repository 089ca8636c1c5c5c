import { Alert, Badge, Button, Card, cn, EmptyState, formatCount, TabLinks } from "@atrium/plugin-sdk/ui";
import { ChevronRight, SearchX } from "lucide-react";
import { useCallback } from "react";
import type { PatternRow } from "../../backend/wire.ts";
import { ChoiceField } from "../parts/forms.tsx";
import { InstantSwitch } from "../parts/instant-switch.tsx";
import { type Column, Listed, QuerySearch, RowTable, useQuery } from "../parts/lists.tsx";
import { pathOf } from "../place.ts";
import { attackTexts as texts } from "../rule-texts.ts";
import { texts as common } from "../texts.ts";
import { useFirewall, useRuleLoad } from "../use-firewall.ts";
import { ExemptionList } from "./exemptions.tsx";
import { groupPatterns, type PatternGroup, readPatternFilter } from "./pattern-filter.ts";

/** What attacks are told by, and where that is not looked for. */
export const AttacksPage = () => {
  const { api, config } = useFirewall();
  const { params } = useQuery();
  const list = params.get("list") === "exemptions" ? "exemptions" : "patterns";
  return (
    <div className="grid grid-cols-1 gap-4">
      {!config.patternsEnabled && <Alert severity="info">{texts.off}</Alert>}
      <TabLinks
        label={texts.lists}
        tabs={texts.tabs}
        current={list}
        addressOf={(name) =>
          api.addressOf(`${pathOf("attacks")}${name === "exemptions" ? "?list=exemptions" : ""}`)
        }
      />
      {list === "patterns" ? <PatternList /> : <ExemptionList />}
    </div>
  );
};

/** The attack patterns by category. */
const PatternList = () => {
  const { calls } = useFirewall();
  const loaded = useRuleLoad(useCallback(() => calls.patterns(), [calls]));
  const { params, set } = useQuery();
  const filter = readPatternFilter(params);
  const isNarrowed = filter.show !== "all" || filter.search !== "";
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="max-w-3xl text-muted-foreground text-sm">{texts.patternsLead}</p>
      <div className="grid items-end gap-4 sm:grid-cols-[minmax(0,22rem)_12rem]">
        <QuerySearch hint={texts.searchHint} />
        <ChoiceField
          label={texts.show}
          names={texts.shows}
          value={filter.show}
          onChoose={(show) => set({ show: show === "all" ? null : show })}
        />
      </div>
      <Listed of={loaded} label={texts.loading}>
        {({ patterns }) => {
          const groups = groupPatterns(patterns, filter);
          if (groups.length === 0)
            return (
              <Card>
                <EmptyState Icon={SearchX} title={texts.none} text={texts.noneText}>
                  <Button
                    variant="outline"
                    size="sm"
                    className="mt-4"
                    onClick={() => set({ show: null, search: null })}
                  >
                    {texts.showAll}
                  </Button>
                </EmptyState>
              </Card>
            );
          return groups.map((group) => (
            <PatternCategory key={`${group.category} ${isNarrowed}`} group={group} isOpen={isNarrowed} />
          ));
        }}
      </Listed>
    </div>
  );
};

/** The patterns of one category, folded away unless `isOpen` at first. */
const PatternCategory = ({ group, isOpen }: { group: PatternGroup; isOpen: boolean }) => {
  const { category, patterns } = group;
  const on = patterns.filter((pattern) => pattern.isOn).length;
  const hits = patterns.reduce((sum, pattern) => sum + pattern.hits, 0);
  const name = common.categories[category];
  return (
    <Card className="overflow-clip">
      <details open={isOpen} className="group">
        <summary className="flex min-h-12 cursor-pointer list-none items-center gap-3 px-4 py-2 outline-none hover:bg-muted/60 focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden="true"
            className="size-4 shrink-0 text-muted-foreground transition-transform duration-150 group-open:rotate-90 motion-reduce:transition-none"
          />
          <span className="grow font-semibold text-sm">{name}</span>
          <span className="flex flex-wrap justify-end gap-x-4 text-[0.8125rem] text-muted-foreground tabular-nums">
            {hits > 0 && <span>{texts.hits(formatCount(hits))}</span>}
            <span>{texts.summary(formatCount(on), formatCount(patterns.length))}</span>
          </span>
        </summary>
        <div className="border-border border-t">
          <RowTable
            label={texts.table(name)}
            columns={columns}
            rows={patterns}
            keyOf={({ id }) => id}
            className="text-[0.8125rem]"
          />
        </div>
      </details>
    </Card>
  );
};

const muted = "text-muted-foreground";
const columns: Column<PatternRow>[] = [
  { name: texts.columns.id, from: "md", look: muted, cell: ({ id }) => id },
  {
    name: texts.columns.title,
    ...{ isHeading: true, look: "max-md:pl-4" },
    cell: ({ title, isInForce }) => <span className={cn(!isInForce && muted)}>{title}</span>,
    below: ({ isOn, isInForce }) =>
      isOn && !isInForce && <span className={cn("block font-normal text-xs", muted)}>{texts.idle}</span>,
  },
  {
    name: texts.columns.level,
    ...{ from: "sm", folds: true },
    cell: ({ paranoia }) => <Badge>{texts.level(paranoia)}</Badge>,
  },
  { name: texts.columns.score, from: "md", look: "text-right", cell: ({ score }) => score },
  { name: texts.columns.hits, from: "sm", look: "text-right", cell: ({ hits }) => formatCount(hits) },
  { name: texts.columns.on, look: "max-w-48", cell: (pattern) => <PatternSwitch pattern={pattern} /> },
];

const PatternSwitch = ({ pattern: { id, title, isOn } }: { pattern: PatternRow }) => {
  const { calls } = useFirewall();
  return (
    <InstantSwitch
      isBare
      label={texts.switchOn(title)}
      isOn={isOn}
      onSwitch={(next) => calls.switchPattern(id, next)}
    />
  );
};
