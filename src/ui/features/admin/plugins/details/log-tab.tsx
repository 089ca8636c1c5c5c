import { Copy } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { PluginLogLine } from "#contract/plugins.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { oneOf } from "#ui/lib/address-query.ts";
import { client } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { copyText } from "#ui/lib/copy-text.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { logTexts as texts } from "./texts.ts";

const levels = ["debug", "info", "warn", "error"] as const;
type Level = (typeof levels)[number];

/** What a plugin writes to its log, as it comes. */
export const LogTab = ({ name }: { name: string }) => {
  const { data: log, error } = useLog(name);
  const hasFailed = error !== null;
  const [least, setLeast] = useState<Level>("debug");
  const shown = (log?.lines ?? []).filter(({ level }) => levels.indexOf(level) >= levels.indexOf(least));
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Field label={texts.level} className="w-56">
          <Select
            value={least}
            onChange={({ target }) => setLeast(oneOf(levels, target.value) ?? "debug")}
            options={Object.entries(texts.levels)}
          />
        </Field>
        <Button
          variant="outline"
          size="sm"
          disabled={shown.length === 0}
          onClick={() => void copyText(inLines(shown))}
        >
          <Copy aria-hidden="true" />
          {texts.copy}
        </Button>
      </div>
      {hasFailed && <Alert severity="warning">{texts.failed}</Alert>}
      {log === null && !hasFailed && <Skeleton className="h-48 w-full" />}
      {log !== null && (
        <>
          <Lines lines={shown} isEmpty={log.lines.length === 0} />
          <p className="text-muted-foreground text-xs">{texts.server(log.replica)}</p>
        </>
      )}
    </div>
  );
};

const Lines = ({ lines, isEmpty }: { lines: readonly PluginLogLine[]; isEmpty: boolean }) => {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const last = lines.at(-1)?.id;
  useEffect(() => {
    // Anyone who has scrolled back stays where they are reading.
    if (last !== undefined && isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [last]);
  if (lines.length === 0) {
    return (
      <Card role="status" className="grid gap-1 px-6 py-12 text-center">
        <p className="font-medium text-sm">{isEmpty ? texts.empty : texts.noMatch}</p>
        {isEmpty && <p className="text-[0.8125rem] text-muted-foreground">{texts.emptyText}</p>}
      </Card>
    );
  }
  return (
    <div
      ref={box}
      role="log"
      aria-label={texts.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight > scrollHeight - 8;
      }}
      className="max-h-[60dvh] overflow-auto rounded-lg border border-border bg-card p-3 font-mono text-xs leading-5 focus-visible:outline-ring"
    >
      {lines.map(({ id, at, level, message }) => (
        <p key={id} className="wrap-anywhere whitespace-pre-wrap">
          <time dateTime={at} className="text-muted-foreground">
            {timeOf(at)}
          </time>{" "}
          <span className={cn("font-medium", looks[level])}>{level.padEnd(5)}</span> {message}
        </p>
      ))}
    </div>
  );
};

const looks = {
  debug: "text-muted-foreground",
  info: "text-info",
  warn: "text-warning",
  error: "text-destructive",
} as const;

const timeOf = (at: string): string =>
  new Intl.DateTimeFormat(undefined, { timeStyle: "medium" }).format(new Date(at));

const inLines = (lines: readonly PluginLogLine[]): string =>
  lines.map(({ at, level, message }) => `${at} ${level} ${message}`).join("\n");

/** A plugin's log as far as it was read. */
type ReadLog = { replica: string; lines: readonly PluginLogLine[] };

const pollMs = 2_000;
const mostLines = 1_000;

/** Reads a plugin's log and what comes after it, every two seconds while the page is in sight. */
const useLog = (name: string) =>
  useLoad(
    useMemo(() => logReader(name), [name]),
    pollMs,
  );

/** Reads the whole log when first called, then only what came after it. */
const logReader = (name: string) => {
  let known: ReadLog | null = null;
  return async (): Promise<ReadLog> => {
    const before = known;
    const part = await linesBehind(name, before?.lines.at(-1)?.id ?? 0);
    // Another server, or the same one started again, counts from the beginning.
    const isOther = before !== null && part.replica !== before.replica;
    const { replica, lines } = isOther ? await linesBehind(name, 0) : part;
    const kept = isOther || before === null ? [] : before.lines;
    known = { replica, lines: [...kept, ...lines].slice(-mostLines) };
    return known;
  };
};

const linesBehind = async (name: string, after: number): Promise<ReadLog> =>
  (await client.plugins.logs({ name, after })).data;
