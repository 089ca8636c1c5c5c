import { Inbox, RotateCcw } from "lucide-react";
import { Fragment, useCallback, useState } from "react";
import type { MailList, MailState } from "#api/modules/mail/contract.ts";
import { emailComplaint } from "#contract/account-rules.ts";
import { type MailStatus, mailStatuses } from "#contract/mail.ts";
import { RetryAlert } from "#ui/components/retry-alert.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { addressQuery, choice, idParam, oneOf, textParam, useAddressQuery } from "#ui/lib/address-query.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { notify } from "#ui/lib/notices.ts";
import { useSession } from "#ui/lib/session.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { Fact } from "../facts.tsx";
import { formatCount } from "../format.ts";
import { KeepFocus } from "../list-parts.tsx";
import { ListSearch } from "../paged-list.tsx";
import { TabLinks } from "../tab-links.tsx";
import { ConnectionTest } from "./connection-test.tsx";
import { MailSheet, MailTable, mailPanelTexts as texts } from "./mail-table.tsx";
import { useOlder } from "./use-older.ts";

const refreshMs = 30_000;

const loadState = async () => (await client.mail.status()).data;

/** How emails leave and how that goes, a test email, and what became of the emails so far. */
export const MailPanel = () => {
  const { data, error, reload } = useLoad(loadState, refreshMs);
  return (
    <div className="divide-y divide-border">
      <div className="grid gap-4 p-5">
        {data === null && error === null && (
          <div aria-busy="true">
            <span className="sr-only">{texts.loading}</span>
            <Skeleton className="h-32 w-full" />
          </div>
        )}
        {error !== null && <RetryAlert onRetry={reload}>{failureText(error, texts.loadFailed)}</RetryAlert>}
        {data !== null && <Transport state={data} />}
      </div>
      <TestMail onTested={reload} />
      <Outbox onChange={reload} />
    </div>
  );
};

const Transport = ({ state }: { state: MailState }) => {
  const { transport, server, from, lastError } = state;
  return (
    <>
      {transport === "outbox" && <Alert severity="warning">{texts.noServer}</Alert>}
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[8rem_1fr]">
        <Fact name={texts.transport}>{texts.transports[transport]}</Fact>
        {server !== null && <Fact name={texts.server}>{server}</Fact>}
        <Fact name={texts.from}>{from}</Fact>
        <Fact name={texts.health}>
          <Health state={state} />
        </Fact>
        {lastError !== null && (
          <Fact name={texts.lastError}>
            <span className="text-destructive">{lastError}</span>
          </Fact>
        )}
      </dl>
    </>
  );
};

const Health = ({ state: { transport, isHealthy } }: { state: MailState }) => {
  if (!isHealthy) return <Badge tone="danger">{texts.failing}</Badge>;
  // Nothing fails where nothing is sent; that is not working yet.
  if (transport === "outbox") return <Badge tone="warning">{texts.filesOnly}</Badge>;
  return <Badge tone="success">{texts.healthy}</Badge>;
};

const TestMail = ({ onTested }: { onTested: () => void }) => {
  const { user } = useSession();
  const [to, setTo] = useState(user?.email ?? "");
  const [refusal, setRefusal] = useState<string | null>(null);
  const complaint = emailComplaint(to);
  return (
    <div className="grid gap-3 p-5 sm:grid-cols-[1fr_auto] sm:items-end">
      <Field label={texts.sendTo} error={refusal ?? (to === "" ? null : complaint)}>
        <Input
          type="text"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          value={to}
          onChange={({ target }) => {
            setTo(target.value);
            setRefusal(null);
          }}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-3">
        <ConnectionTest
          kind="mail"
          isReady={complaint === null}
          test={() => client.mail.test({ to: to.trim() })}
          onRefused={(errors) => setRefusal(errors[0]?.message ?? null)}
          onTested={onTested}
        />
      </div>
    </div>
  );
};

/** The emails so far, by what became of them; what is shown, the open email too, is in the address bar. */
const Outbox = ({ onChange }: { onChange: () => void }) => {
  const [{ status, search, mail }, show] = useAddressQuery(mailQuery);
  const [counts, setCounts] = useState<MailList["counts"] | null>(null);
  const load = useCallback(
    async (before?: string) => {
      const wanted = { status, limit: 10, search: search === "" ? undefined : search, before };
      const { data: found } = await client.mail.list(wanted);
      setCounts(found.counts);
      return { rows: found.mails, ...found.pagination };
    },
    [status, search],
  );
  const { data, error, isLoading, reload, loadOlder } = useOlder(load);

  const changed = () => {
    reload();
    onChange();
  };
  const retryAll = useAct(async () => {
    notify({ tone: "success", message: (await client.mail.retryAll()).message });
    changed();
  });
  const problem = retryAll.error ?? error;
  return (
    <section aria-labelledby="outbox-title" className="min-w-0">
      <div className="grid gap-4 px-5 pt-5 pb-4">
        <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
          <h3 id="outbox-title" className="font-semibold text-sm tracking-tight">
            {texts.outbox}
          </h3>
          {status === "dead" && (counts?.dead ?? 0) > 0 && (
            <Button variant="outline" size="sm" isBusy={retryAll.isBusy} onClick={retryAll.act}>
              {!retryAll.isBusy && <RotateCcw aria-hidden="true" />}
              {texts.retryAll}
            </Button>
          )}
        </div>
        <Tabs status={status} search={search} counts={counts} />
        <ListSearch
          search={search}
          hint={texts.searchHint}
          onSearch={(next) => show({ search: next }, "same-step")}
        />
        {problem !== null && (
          <RetryAlert onRetry={reload}>
            {failureText(problem, retryAll.error === null ? texts.loadFailed : texts.retryAllFailed)}
          </RetryAlert>
        )}
      </div>
      {data === null && error === null && (
        <div aria-busy="true" className="px-5 pb-5">
          <Skeleton className="h-24 w-full" />
        </div>
      )}
      {data !== null && (
        <KeepFocus of={data}>
          <div
            aria-busy={isLoading}
            className={cn("border-border border-t", isLoading && "opacity-70 transition-opacity delay-200")}
          >
            {data.rows.length === 0 ? (
              <NoMails status={status} isNarrowed={search !== ""} />
            ) : (
              <MailTable mails={data.rows} onOpen={(id) => show({ mail: id }, "same-step")} />
            )}
            {data.total > 0 && (
              <div className="flex flex-wrap items-center justify-between gap-3 border-border border-t px-5 py-3">
                <p aria-live="polite" className="text-[0.8125rem] text-muted-foreground tabular-nums">
                  {texts.shown(
                    formatCount(data.rows.length),
                    `${formatCount(data.total)}${data.totalIsEstimate ? "+" : ""}`,
                  )}
                </p>
                {(data.rows.length < data.total || data.totalIsEstimate) && (
                  <Button variant="outline" size="sm" isBusy={isLoading} onClick={loadOlder}>
                    {texts.more}
                  </Button>
                )}
              </div>
            )}
          </div>
        </KeepFocus>
      )}
      {mail !== null && (
        <MailSheet
          key={mail}
          id={mail}
          onClose={() => show({ mail: null }, "same-step")}
          onChange={changed}
        />
      )}
    </section>
  );
};

type TabsProps = { status: MailStatus; search: string; counts: MailList["counts"] | null };

const Tabs = ({ status, search, counts }: TabsProps) => (
  <TabLinks
    label={texts.which}
    tabs={Object.fromEntries(
      mailStatuses.map((name) => [
        name,
        <Fragment key={name}>
          {texts.statuses[name]}
          {counts !== null && (
            <span className="font-normal text-muted-foreground text-xs tabular-nums">
              {formatCount(counts[name])}
            </span>
          )}
        </Fragment>,
      ]),
    )}
    current={status}
    addressOf={(name) =>
      `/admin/settings?${mailQuery.write({ status: oneOf(mailStatuses, name) ?? status, search, mail: null })}`
    }
    isSameStep
    className="-mx-5 px-2.5"
  />
);

const NoMails = ({ status, isNarrowed }: { status: MailStatus; isNarrowed: boolean }) => (
  <div role="status" className="grid justify-items-center gap-1 px-6 py-10 text-center">
    <Inbox aria-hidden="true" className="mb-2 size-6 text-muted-foreground" />
    <p className="font-medium text-sm">{isNarrowed ? texts.noMatch : texts.none[status]}</p>
    <p className="max-w-sm text-[0.8125rem] text-muted-foreground">
      {isNarrowed ? texts.noMatchText : texts.noneText[status]}
    </p>
  </div>
);

/** What the outbox shows: emails of a status that match, and the one that is open. */
export const mailQuery = addressQuery({
  status: { ...choice(mailStatuses, "waiting"), name: "mails" },
  search: textParam(),
  mail: idParam,
});
