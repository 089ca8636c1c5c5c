import { type ReactNode, useId } from "react";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { failureText } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import type { Loaded } from "#ui/lib/use-load.ts";
import { accountScreenTexts as texts } from "./texts.ts";

type AccountCardProps = {
  title: string;
  lead: ReactNode;
  isDanger?: boolean;
  /** Of the element, where a link leads to it. */
  id?: string;
  children: ReactNode;
};

/** One matter of the account: its name, a sentence about it, and what can be done. */
export const AccountCard = ({ title, lead, isDanger = false, id, children }: AccountCardProps) => {
  const titleId = useId();
  return (
    <Card
      id={id}
      aria-labelledby={titleId}
      className={cn("grid gap-5 p-5 sm:p-6", isDanger && "border-destructive/40")}
    >
      <div className="grid gap-1">
        <h2 id={titleId} className="font-semibold text-base tracking-tight">
          {title}
        </h2>
        <p className="text-muted-foreground text-sm">{lead}</p>
      </div>
      {children}
    </Card>
  );
};

type Part<T> = Pick<Loaded<T>, "data" | "error" | "reload">;

type LoadedPartProps<T> = {
  loaded: Part<T>;
  /** In the shape of what comes. */
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
};

/** What a card shows of data from the server: its shape while it comes, then the data, and above it that a newer look failed. */
export const LoadedPart = <T,>({ loaded, skeleton, children }: LoadedPartProps<T>) => {
  const { data, error, reload } = loaded;
  if (data === null) return <div aria-busy="true">{skeleton}</div>;
  return (
    <>
      {error !== null && (
        <Alert severity="warning" actions={<TryAgain onPress={reload} />}>
          {texts.outdated}
        </Alert>
      )}
      {children(data)}
    </>
  );
};

const TryAgain = ({ onPress }: { onPress: () => void }) => (
  <Button variant="outline" size="sm" onClick={onPress}>
    {texts.tryAgain}
  </Button>
);

/** Whether there is nothing to show of a part but that it could not be had. */
export const isMissing = ({ data, error }: Part<unknown>): boolean => data === null && error !== null;

/** Says once, for all parts that could not be had, why, and offers another try; nothing while none is missing. */
export const MissingParts = ({ parts }: { parts: readonly Part<unknown>[] }) => {
  const missing = parts.filter(isMissing);
  if (missing.length === 0) return null;
  const retry = () => {
    for (const { reload } of missing) reload();
  };
  return (
    <Alert severity="error" title={texts.loadFailed} actions={<TryAgain onPress={retry} />}>
      {failureText(missing[0]?.error, texts.loadFailedText)}
    </Alert>
  );
};

type MethodRowProps = {
  icon: ReactNode;
  name: string;
  /** A sentence about it; it explains a control that is disabled when it has this id. */
  detail: ReactNode;
  detailId?: string;
  state: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
};

/** Placeholders for rows with an icon and lines of text, whose widths are given. */
export const RowsSkeleton = ({ rows = 1, lines }: { rows?: number; lines: readonly string[] }) => (
  <div className="divide-y divide-border rounded-md border border-border">
    {Array.from({ length: rows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
      <div key={row} className="flex min-h-17 items-center gap-3 px-4 py-3">
        <Skeleton className="size-5" />
        <div className="grid gap-1.5">
          {lines.map((width) => (
            <Skeleton key={width} className={cn("h-4 max-w-full", width)} />
          ))}
        </div>
      </div>
    ))}
  </div>
);

/** One way to sign in: what it is, how it stands, and what can be done about it. */
export const MethodRow = ({ icon, name, detail, detailId, state, action, children }: MethodRowProps) => (
  <li className="grid gap-3 px-4 py-3 text-sm">
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2">
      <span className="text-muted-foreground [&_svg]:size-5">{icon}</span>
      <div className="min-w-0 grow basis-44">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {state}
        </p>
        <p id={detailId} className="wrap-anywhere text-muted-foreground text-[0.8125rem]">
          {detail}
        </p>
      </div>
      {action}
    </div>
    {children}
  </li>
);
