import { ChevronDown, Download, X } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { activitySeverities, activityStatuses, activityTypes, actorKinds } from "#contract/activity.ts";
import { pageLimits } from "#contract/limits.ts";
import { DownloadLink } from "#ui/components/download-link.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { DateField } from "#ui/components/ui/date-field.tsx";
import { addressOf } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { formatCount } from "../format.ts";
import { FilterSelect, ListSearch } from "../paged-list.tsx";
import { fullTime, inWords } from "./activity-list.tsx";
import {
  type ActivityFilters,
  countFilters,
  dayOf,
  filterInput,
  isMoment,
  noFilters,
} from "./activity-view.ts";
import { exportTexts, filterTexts } from "./texts.ts";

type ActivityFilterPanelProps = {
  filters: ActivityFilters;
  /** Plugins to choose from. */
  plugins: readonly string[];
  onFilter: (change: Partial<ActivityFilters>) => void;
};

/** Narrows the log down; on phones all but the search folds away. */
export const ActivityFilterPanel = ({ filters, plugins, onFilter }: ActivityFilterPanelProps) => {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const count = countFilters(filters);
  return (
    <Card aria-label={filterTexts.title} className="grid grid-cols-1 gap-3 p-4 pt-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 ref={heading} tabIndex={-1} className="font-semibold text-sm tracking-tight outline-none">
          {filterTexts.title}
        </h2>
        {filters.security !== "" && (
          <Button
            variant="outline"
            size="sm"
            aria-label={filterTexts.anyEvent}
            onClick={() => {
              heading.current?.focus();
              onFilter({ security: "" });
            }}
          >
            {filterTexts.security}
            <X aria-hidden="true" />
          </Button>
        )}
        {count > 0 && <Badge tone="primary">{filterTexts.active(count)}</Badge>}
        <div className="ml-auto flex gap-2">
          <Button
            variant="outline"
            size="sm"
            aria-disabled={count === 0}
            onClick={() => count > 0 && onFilter(noFilters)}
          >
            {filterTexts.reset}
          </Button>
          <Button
            variant="outline"
            size="sm"
            className="sm:hidden"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? filterTexts.hide : filterTexts.show}
          </Button>
        </div>
      </div>
      <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
        <ListSearch
          search={filters.search}
          hint={filterTexts.searchHint}
          maxLength={200}
          onSearch={(search) => onFilter({ search })}
        />
        <div id={id} className={cn("contents", !isOpen && "max-sm:hidden")}>
          <FilterSelect
            label={filterTexts.type}
            any={filterTexts.anyType}
            value={filters.type}
            options={wordsOf(activityTypes)}
            onChange={(type) => onFilter({ type })}
          />
          <FilterSelect
            label={filterTexts.plugin}
            any={filterTexts.anyPlugin}
            value={filters.pluginName}
            options={plugins.map((name) => [name, name])}
            onChange={(pluginName) => onFilter({ pluginName })}
          />
          <FilterSelect
            label={filterTexts.status}
            any={filterTexts.anyStatus}
            value={filters.status}
            options={wordsOf(activityStatuses)}
            onChange={(status) => onFilter({ status })}
          />
          <FilterSelect
            label={filterTexts.severity}
            any={filterTexts.anySeverity}
            value={filters.severity}
            options={wordsOf(activitySeverities)}
            onChange={(severity) => onFilter({ severity })}
          />
          <FilterSelect
            label={filterTexts.actor}
            any={filterTexts.anyActor}
            value={filters.actorKind}
            options={wordsOf(actorKinds)}
            onChange={(actorKind) => onFilter({ actorKind })}
          />
          <DateFilter
            name="startDate"
            label={filterTexts.start}
            value={filters.startDate}
            max={dayOf(filters.endDate)}
            inWords={filterTexts.from}
            onChange={(startDate) => onFilter({ startDate })}
          />
          <DateFilter
            name="endDate"
            label={filterTexts.end}
            value={filters.endDate}
            min={dayOf(filters.startDate)}
            inWords={filterTexts.until}
            onChange={(endDate) => onFilter({ endDate })}
          />
        </div>
      </div>
    </Card>
  );
};

const wordsOf = (choices: readonly string[]) => choices.map((choice) => [choice, inWords(choice)] as const);

type DateFilterProps = {
  name: string;
  label: string;
  value: string;
  min?: string;
  max?: string;
  inWords: (moment: string) => string;
  onChange: (date: string) => void;
};

// A moment within a day is not something that the field could show; it stands below it.
const DateFilter = ({ name, label, value, min = "", max = "", inWords, onChange }: DateFilterProps) => (
  <DateField
    name={name}
    label={label}
    value={dayOf(value)}
    isUtc
    onChange={onChange}
    {...(min !== "" && { min })}
    {...(max !== "" && { max })}
    {...(isMoment(value) && { hint: inWords(fullTime(value)) })}
  />
);

const look = buttonVariants({ variant: "outline", size: "sm" });

/** Saves what the filters show: as CSV at one press, or in the format chosen behind the arrow. */
export const ExportMenu = ({ filters }: { filters: ActivityFilters }) => {
  const addressIn = (format: "csv" | "ndjson") =>
    addressOf("activity.export", { ...filterInput(filters), format });
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute("open");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    close();
    menu.current?.querySelector("summary")?.focus();
  };
  return (
    <div className="relative flex">
      <DownloadLink
        href={addressIn("csv")}
        title={exportTexts.csv}
        className={cn(look, "rounded-r-none focus-visible:z-1")}
      >
        <Download aria-hidden="true" />
        {exportTexts.label}
      </DownloadLink>
      <details
        ref={menu}
        onKeyDown={onKeyDown}
        onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || close()}
      >
        <summary
          aria-label={exportTexts.more}
          title={exportTexts.more}
          className={cn(look, "-ml-px list-none rounded-l-none px-2 max-md:w-11")}
        >
          <ChevronDown aria-hidden="true" />
        </summary>
        {/* Takes the focus of a press on its words, so that it stays open. */}
        <div
          tabIndex={-1}
          className="absolute left-0 z-20 mt-1.5 grid w-72 rounded-md border border-border bg-popover p-1 text-popover-foreground text-sm shadow-lg outline-none sm:right-0 sm:left-auto"
        >
          {(["csv", "ndjson"] as const).map((format) => (
            <DownloadLink
              key={format}
              href={addressIn(format)}
              onClick={close}
              className="flex h-11 items-center rounded-sm px-2.5 outline-none hover:bg-accent focus-visible:bg-accent focus-visible:ring-2 focus-visible:ring-ring md:h-8"
            >
              {exportTexts[format]}
            </DownloadLink>
          ))}
          <p className="px-2.5 py-2 text-muted-foreground text-xs">
            {exportTexts.hint(formatCount(pageLimits.exportRows))}
          </p>
        </div>
      </details>
    </div>
  );
};
