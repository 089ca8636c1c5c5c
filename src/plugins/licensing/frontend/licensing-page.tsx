import {
  Alert,
  Card,
  CardContent,
  CardHeader,
  CardTitle,
  failureText,
  RetryAlert,
  Skeleton,
  useLoad,
} from "@atrium/plugin-sdk/ui";
import { useCallback } from "react";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import type { LicenceAnswer } from "../backend/wire.ts";
import { KeyEntry } from "./key-entry.tsx";
import { StatusCard } from "./status-card.tsx";
import { texts } from "./texts.ts";

/** The plugin's page: the current license, a form for another key, and what a license means. */
export const LicensingPage = ({ api }: { api: WindowApi }) => {
  const load = useCallback(async () => asAnswer(await api.call("GET", "/licence")).data, [api]);
  const { data, error, reload } = useLoad(load);
  const take = ({ message }: LicenceAnswer) => {
    if (message !== undefined) api.notify(message);
    reload();
  };
  if (data === null && error !== null)
    return <RetryAlert onRetry={reload}>{failureText(error, texts.loadFailed)}</RetryAlert>;
  if (data === null) return <Skeleton className="h-64 w-full" />;
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
      {data.issuerKeyProblem !== null && (
        <Alert severity="warning" className="lg:col-span-2">
          {data.issuerKeyProblem}
        </Alert>
      )}
      <StatusCard view={data} onRemove={async () => take(asAnswer(await api.call("DELETE", "/licence")))} />
      <KeyEntry
        view={data}
        onEnter={async (key) => take(asAnswer(await api.call("PUT", "/licence", { key })))}
      />
      <Meaning />
    </div>
  );
};

/** Safe because the plugin's own backend sends exactly this. */
const asAnswer = (answer: unknown): LicenceAnswer => answer as LicenceAnswer;

const Meaning = () => (
  <Card className="lg:col-span-2">
    <CardHeader>
      <CardTitle>{texts.meaning.title}</CardTitle>
    </CardHeader>
    <CardContent>
      <ul className="grid max-w-prose list-disc gap-2 pl-5 text-muted-foreground text-sm leading-6">
        {texts.meaning.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </CardContent>
  </Card>
);
