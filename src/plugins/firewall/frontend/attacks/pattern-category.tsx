import {
  Badge,
  Card,
  cn,
  formatCount,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableRow,
} from "@atrium/plugin-sdk/ui";
import { ChevronRight } from "lucide-react";
import type { PatternRow } from "../../backend/wire.ts";
import { InstantSwitch } from "../parts/instant-switch.tsx";
import { attackTexts as texts } from "../rule-texts.ts";
import { texts as common } from "../texts.ts";
import { useFirewall, useSaver } from "../use-firewall.ts";
import type { PatternGroup } from "./pattern-filter.ts";

const looks = {
  id: "max-md:hidden",
  level: "max-sm:hidden",
  score: "text-right max-md:hidden",
  hits: "text-right max-sm:hidden",
};
const columns = [
  { name: texts.columns.id, look: looks.id },
  { name: texts.columns.title, look: "max-md:pl-4" },
  { name: texts.columns.level, look: looks.level },
  { name: texts.columns.score, look: looks.score },
  { name: texts.columns.hits, look: looks.hits },
  { name: texts.columns.on },
];

/** The patterns of one category, folded away unless `isOpen` at first. */
export const PatternCategory = ({ group, isOpen }: { group: PatternGroup; isOpen: boolean }) => {
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
          <Table isWhole label={texts.table(name)} className="text-[0.8125rem]">
            <TableHeader className="md:top-14" columns={columns} />
            <TableBody>
              {patterns.map((pattern) => (
                <Row key={pattern.id} pattern={pattern} />
              ))}
            </TableBody>
          </Table>
        </div>
      </details>
    </Card>
  );
};

const Row = ({ pattern }: { pattern: PatternRow }) => {
  const { calls } = useFirewall();
  const save = useSaver();
  const { id, title, paranoia, score, isOn, isInForce, hits } = pattern;
  const muted = "text-muted-foreground";
  const isIdle = isOn && !isInForce;
  return (
    <TableRow>
      <TableCell className={cn(looks.id, muted)}>{id}</TableCell>
      <th
        scope="row"
        className={cn("w-full max-w-0 px-3 py-1.5 text-left font-medium max-md:pl-4", !isInForce && muted)}
      >
        <span className="wrap-anywhere">{title}</span>
        {isIdle && <span className="block font-normal text-xs">{texts.idle}</span>}
        <span className={cn("block font-normal text-xs sm:hidden", muted)}>
          {texts.level(paranoia)} · {texts.hits(formatCount(hits))}
        </span>
      </th>
      <TableCell className={looks.level}>
        <Badge>{texts.level(paranoia)}</Badge>
      </TableCell>
      <TableCell className={looks.score}>{score}</TableCell>
      <TableCell className={looks.hits}>{formatCount(hits)}</TableCell>
      <TableCell className="max-w-48">
        <InstantSwitch
          isBare
          label={texts.switchOn(title)}
          isOn={isOn}
          onSwitch={(next) => save(() => calls.switchPattern(id, next))}
        />
      </TableCell>
    </TableRow>
  );
};
