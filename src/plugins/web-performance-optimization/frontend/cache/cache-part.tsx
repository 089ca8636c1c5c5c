import {
  Alert,
  Button,
  Card,
  CardContent,
  CardHeader,
  CardTitle,
  DataTable,
  EmptyState,
  Fact,
  failureText,
  formatBytes,
  formatCount,
  Skeleton,
  useAct,
  useLoad,
} from "@atrium/plugin-sdk/ui";
import { DatabaseZap } from "lucide-react";
import { useCallback } from "react";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import type { CacheState, KeptAnswer } from "../../backend/wire.ts";
import { loadCache, purgeCache } from "../calls.ts";
import { LoadFailure } from "../load-failure.tsx";
import { texts } from "../texts.ts";

const restingMs = 5_000;

/** The response cache of this server, and buttons to purge it. */
export const CachePart = ({ api }: { api: WindowApi }) => {
  const load = useCallback(() => loadCache(api), [api]);
  const { data, error, reload } = useLoad(load, restingMs);
  const purge = useAct(async () => {
    const { message } = await purgeCache(api);
    api.notify(message);
    reload();
  });
  if (data === null)
    return error === null ? (
      <Skeleton className="h-64 w-full" />
    ) : (
      <LoadFailure error={error} onRetry={reload} />
    );
  return (
    <div className="grid grid-cols-1 gap-6">
      {!data.isOn && (
        <Alert severity="info" title={texts.cacheOff}>
          {texts.cacheOffText}
        </Alert>
      )}
      <Card>
        <CardHeader className="flex-wrap">
          <CardTitle>{texts.cacheFacts}</CardTitle>
          <Button variant="outline" size="sm" onClick={purge.act} isBusy={purge.isBusy}>
            {texts.purgeAll}
          </Button>
        </CardHeader>
        <CardContent className="grid grid-cols-1 gap-4">
          {purge.error !== null && (
            <Alert severity="error">{failureText(purge.error, texts.purgeFailed)}</Alert>
          )}
          <Facts state={data} />
        </CardContent>
      </Card>
      <Card className="overflow-hidden">
        <CardHeader>
          <CardTitle>{texts.kept}</CardTitle>
        </CardHeader>
        {data.kept.length === 0 ? (
          <EmptyState Icon={DatabaseZap} title={texts.nothingKept} text={texts.nothingKeptText} />
        ) : (
          <KeptTable api={api} kept={data.kept} onPurged={reload} />
        )}
      </Card>
    </div>
  );
};

const Facts = ({ state: { entries, bytes, mostBytes, hits, misses, bypassed } }: { state: CacheState }) => {
  const asked = hits + misses;
  const share = new Intl.NumberFormat(undefined, { style: "percent" }).format(asked === 0 ? 0 : hits / asked);
  return (
    <dl className="grid gap-x-6 gap-y-2 text-sm tabular-nums sm:grid-cols-[auto_1fr]">
      <Fact name={texts.entries}>{formatCount(entries)}</Fact>
      <Fact name={texts.memory}>{texts.ofMost(formatBytes(bytes), formatBytes(mostBytes))}</Fact>
      <Fact name={texts.hitRate}>{asked === 0 ? texts.none : share}</Fact>
      <Fact name={texts.hits}>{formatCount(hits)}</Fact>
      <Fact name={texts.misses}>{formatCount(misses)}</Fact>
      <Fact name={texts.bypassed}>{formatCount(bypassed)}</Fact>
    </dl>
  );
};

const right = "text-right";

type KeptTableProps = { api: WindowApi; kept: readonly KeptAnswer[]; onPurged: () => void };

/** The cached responses, most requested first. A path can appear once for each encoding. */
const KeptTable = ({ api, kept, onPurged }: KeptTableProps) => (
  <DataTable
    label={texts.kept}
    isWhole
    rows={kept}
    keyOf={({ id }) => id}
    columns={[
      { name: texts.address, cellLook: "font-mono text-[0.8125rem]", cell: ({ path }) => path },
      { name: texts.hits, look: right, cell: ({ hits }) => formatCount(hits) },
      { name: texts.memory, look: right, cell: ({ bytes }) => formatBytes(bytes) },
      { name: texts.age, look: right, cell: ({ ageSeconds }) => texts.seconds(formatCount(ageSeconds)) },
      {
        name: texts.purge,
        look: right,
        cell: ({ path }) => <PurgeOne api={api} path={path} onPurged={onPurged} />,
      },
    ]}
  />
);

const PurgeOne = ({ api, path, onPurged }: Pick<KeptTableProps, "api" | "onPurged"> & { path: string }) => {
  const { act, isBusy, error } = useAct(async () => {
    const { message } = await purgeCache(api, path);
    api.notify(message);
    onPurged();
  });
  return (
    <span className="inline-flex items-center gap-2">
      {error !== null && (
        <span role="alert" className="text-[0.8125rem] text-destructive">
          {failureText(error, texts.purgeFailed)}
        </span>
      )}
      <Button variant="outline" size="sm" isBusy={isBusy} onClick={act} aria-label={texts.purgeOne(path)}>
        {texts.purge}
      </Button>
    </span>
  );
};
