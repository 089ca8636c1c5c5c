import { X } from "lucide-react";
import { useId, useRef, useState } from "react";
import { activitySeverities, activityStatuses, activityTypes, actorKinds } from "#contract/activity.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { DateField } from "#ui/components/ui/date-field.tsx";
import { cn } from "#ui/lib/cn.ts";
import { ListSearch } from "../list-search.tsx";
import { fullTime } from "./activity-time.ts";
import { type ActivityFilters, countFilters, dayOf, isMoment, noFilters } from "./activity-view.ts";
import { inWords } from "./activity-words.ts";
import { FilterSelect } from "./filter-select.tsx";
import { filterTexts as texts } from "./texts.ts";

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
    <Card aria-label={texts.title} className="grid grid-cols-1 gap-3 p-4 pt-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 ref={heading} tabIndex={-1} className="font-semibold text-sm tracking-tight outline-none">
          {texts.title}
        </h2>
        {filters.security !== "" && (
          <Button
            variant="outline"
            size="sm"
            aria-label={texts.anyEvent}
            onClick={() => {
              heading.current?.focus();
              onFilter({ security: "" });
            }}
          >
            {texts.security}
            <X aria-hidden="true" />
          </Button>
        )}
        {count > 0 && <Badge tone="primary">{texts.active(count)}</Badge>}
        <div className="ml-auto flex gap-2">
          <Button
            variant="outline"
            size="sm"
            aria-disabled={count === 0}
            onClick={() => count > 0 && onFilter(noFilters)}
          >
            {texts.reset}
          </Button>
          <Button
            variant="outline"
            size="sm"
            className="sm:hidden"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? texts.hide : texts.show}
          </Button>
        </div>
      </div>
      <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
        <ListSearch
          search={filters.search}
          hint={texts.searchHint}
          maxLength={200}
          onSearch={(search) => onFilter({ search })}
        />
        <div id={id} className={cn("contents", !isOpen && "max-sm:hidden")}>
          <FilterSelect
            label={texts.type}
            any={texts.anyType}
            value={filters.type}
            choices={activityTypes}
            nameOf={inWords}
            onChange={(type) => onFilter({ type })}
          />
          <FilterSelect
            label={texts.plugin}
            any={texts.anyPlugin}
            value={filters.pluginName}
            choices={plugins}
            onChange={(pluginName) => onFilter({ pluginName })}
          />
          <FilterSelect
            label={texts.status}
            any={texts.anyStatus}
            value={filters.status}
            choices={activityStatuses}
            nameOf={inWords}
            onChange={(status) => onFilter({ status })}
          />
          <FilterSelect
            label={texts.severity}
            any={texts.anySeverity}
            value={filters.severity}
            choices={activitySeverities}
            nameOf={inWords}
            onChange={(severity) => onFilter({ severity })}
          />
          <FilterSelect
            label={texts.actor}
            any={texts.anyActor}
            value={filters.actorKind}
            choices={actorKinds}
            nameOf={inWords}
            onChange={(actorKind) => onFilter({ actorKind })}
          />
          <DateFilter
            name="startDate"
            label={texts.start}
            value={filters.startDate}
            max={dayOf(filters.endDate)}
            inWords={texts.from}
            onChange={(startDate) => onFilter({ startDate })}
          />
          <DateFilter
            name="endDate"
            label={texts.end}
            value={filters.endDate}
            min={dayOf(filters.startDate)}
            inWords={texts.until}
            onChange={(endDate) => onFilter({ endDate })}
          />
        </div>
      </div>
    </Card>
  );
};

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
