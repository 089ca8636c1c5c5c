import {
  Button,
  Card,
  CardContent,
  CardHeader,
  CardTitle,
  EmptyState,
  Field,
  Input,
  Skeleton,
  useForm,
  useLoad,
} from "@atrium/plugin-sdk/ui";
import { SearchX } from "lucide-react";
import { useCallback } from "react";
import { isAbsent, saveFailure } from "../calls.ts";
import { LoadAlert } from "../parts/load-alert.tsx";
import { pathOf } from "../place.ts";
import { explainTexts as texts } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";
import { AddressActs } from "./address-acts.tsx";
import { Explanation } from "./explanation.tsx";
import { JournalList } from "./journal-list.tsx";

/** Why a request was stopped, by the id that its visitor was shown; and whatever was written down lately. */
export const ExplainPage = ({ id }: { id: string | null }) => (
  <div className="grid grid-cols-1 gap-4">
    <IdCard key={id} id={id} />
    {id !== null && <Explained key={`${id} explained`} id={id} />}
    <JournalList />
  </div>
);

const rules = { id: (value: string) => (value.trim() === "" ? texts.idMissing : null) };

const IdCard = ({ id }: { id: string | null }) => {
  const { api } = useFirewall();
  const { formProps, errors } = useForm({
    rules,
    send: async (values) => api.navigate(pathOf("explain", values.id.trim())),
    explain: saveFailure,
  });
  return (
    <Card aria-labelledby="firewall-explain">
      <CardHeader className="block">
        <CardTitle id="firewall-explain">{texts.title}</CardTitle>
        <p className="mt-1 text-[0.8125rem] text-muted-foreground">{texts.lead}</p>
      </CardHeader>
      <CardContent>
        <form {...formProps} className="flex flex-wrap items-start gap-3">
          <Field label={texts.id} hint={texts.idHint} error={errors.id} className="min-w-0 grow sm:max-w-md">
            <Input
              name="id"
              defaultValue={id ?? ""}
              autoComplete="off"
              spellCheck={false}
              maxLength={100}
              className="font-mono"
            />
          </Field>
          <Button type="submit" className="sm:mt-7">
            {texts.find}
          </Button>
        </form>
      </CardContent>
    </Card>
  );
};

const Explained = ({ id }: { id: string }) => {
  const { calls } = useFirewall();
  const load = useCallback(() => calls.explain(id), [calls, id]);
  const { data, error, reload } = useLoad(load);
  if (data !== null)
    return (
      <Card aria-label={texts.request}>
        <CardContent className="grid grid-cols-1 gap-5 pt-5">
          <Explanation data={data} />
          <div className="flex flex-wrap gap-2 border-border border-t pt-4">
            <AddressActs address={data.entry.address} id={id} />
          </div>
        </CardContent>
      </Card>
    );
  if (error === null)
    return (
      <div aria-busy="true" className="grid">
        <span className="sr-only">{texts.loading}</span>
        <Skeleton className="h-64 w-full" />
      </div>
    );
  if (!isAbsent(error)) return <LoadAlert error={error} onRetry={reload} />;
  return (
    <Card>
      <EmptyState Icon={SearchX} title={texts.absent} text={texts.absentText} />
    </Card>
  );
};
