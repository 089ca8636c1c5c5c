import {
  Badge,
  Button,
  ConfirmDialog,
  Copyable,
  Fact,
  formatCount,
  formatDateTime,
} from "@atrium/plugin-sdk/ui";
import { type ReactNode, useCallback, useState } from "react";
import type { ExplainData, JournalEntry, PatternRow, Reason, Verdict } from "../../backend/wire.ts";
import { AddressDialog } from "../addresses/address-dialog.tsx";
import { ExemptionDialog } from "../attacks/exemptions.tsx";
import { BanDialog } from "../bans/ban-dialog.tsx";
import { VerdictBadge, withLocalTimes } from "../parts/requests.tsx";
import { explainTexts as texts } from "../texts.ts";
import { useFirewall, useRuleLoad, useSaver } from "../use-firewall.ts";

/** What happened to a request and why, in sentences; what spoke against it; and what could be done if it was a mistake. */
export const Explanation = ({ data: { entry, sentences, remedies } }: { data: ExplainData }) => {
  const { calls } = useFirewall();
  const { data: known } = useRuleLoad(useCallback(() => calls.patterns(), [calls]));
  const patternOf = (rule: string) => known?.patterns.find(({ id }) => String(id) === rule) ?? null;
  return (
    <div className="grid grid-cols-1 gap-7 text-sm">
      <div className="wrap-anywhere grid gap-1.5 leading-5">
        {sentences.map((sentence) => (
          <p key={sentence}>{withLocalTimes(sentence)}</p>
        ))}
      </div>
      {entry.reasons.length > 0 && (
        <Part title={texts.reasons}>
          <ul className="divide-y divide-border rounded-md border border-border">
            {entry.reasons.map((reason) => (
              <ReasonItem
                key={`${reason.by} ${reason.rule} ${reason.place} ${reason.name}`}
                reason={reason}
                entry={entry}
                pattern={reason.by === "pattern" ? patternOf(reason.rule) : null}
              />
            ))}
          </ul>
        </Part>
      )}
      {remedies.length > 0 && (
        <Part title={texts.remedies}>
          <ul className="grid list-disc gap-1 pl-5 leading-5">
            {remedies.map((remedy) => (
              <li key={remedy} className="wrap-anywhere">
                {remedy}
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title={texts.request}>
        <LoggedFacts entry={entry} />
      </Part>
    </div>
  );
};

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid grid-cols-1 gap-3">
    <h3 className="font-semibold text-sm tracking-tight">{title}</h3>
    {children}
  </section>
);

type RequestFactsProps = {
  request: Pick<JournalEntry, "id" | "at" | "status" | "address" | "country"> & { verdict: Verdict };
  /** Who sent it; `null` for a visitor. */
  who: string | null;
  /** What is known besides. */
  children?: ReactNode;
};

/** What is known about a request, fact by fact. */
export const RequestFacts = ({ request, who, children }: RequestFactsProps) => {
  const { facts } = texts;
  const { id, at, verdict, status, address, country } = request;
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-[auto_1fr]">
      <Fact name={facts.verdict}>
        <VerdictBadge verdict={verdict} />
      </Fact>
      <Fact name={facts.time}>
        <time dateTime={at}>{formatDateTime(at)}</time>
      </Fact>
      <Fact name={facts.status}>{status}</Fact>
      <Fact name={facts.address}>
        <Copyable name={facts.address} text={address} />
        {country !== null && <span className="text-muted-foreground">{country}</span>}
      </Fact>
      <Fact name={facts.who}>{who ?? facts.nobody}</Fact>
      {children}
      <Fact name={facts.id}>
        <Copyable name={facts.id} text={id} isCode />
      </Fact>
    </dl>
  );
};

const LoggedFacts = ({ entry }: { entry: JournalEntry }) => {
  const { facts } = texts;
  const { user, score, threshold, method, path, query, userAgent, replica } = entry;
  return (
    <RequestFacts request={entry} who={user && `${user.name} (${user.role})`}>
      <Fact name={facts.score}>{texts.scoreOf(formatCount(score), formatCount(threshold))}</Fact>
      <Fact name={facts.path}>
        <Code text={`${method} ${path}`} />
      </Fact>
      {query !== "" && (
        <Fact name={facts.query}>
          <Code text={query} />
        </Fact>
      )}
      {userAgent !== "" && (
        <Fact name={facts.agent}>
          <Code text={userAgent} />
        </Fact>
      )}
      <Fact name={facts.replica}>{replica}</Fact>
    </RequestFacts>
  );
};

const Code = ({ text }: { text: string }) => (
  <code className="wrap-anywhere font-mono text-[0.8125rem]">{text}</code>
);

type ReasonItemProps = {
  reason: Reason;
  entry: JournalEntry;
  /** The pattern that it is about, if it is about one. */
  pattern: PatternRow | null;
};

/** One thing that spoke against a request: what was found, where, and what can be done about a pattern. */
const ReasonItem = ({ reason, entry, pattern }: ReasonItemProps) => {
  const { by, rule, text, score, excerpt } = reason;
  return (
    <li className="grid gap-2 p-3">
      <div className="flex flex-wrap items-center gap-2">
        <Badge>{texts.by[by]}</Badge>
        {score > 0 && (
          <span className="text-muted-foreground text-xs tabular-nums">
            {texts.points(formatCount(score))}
          </span>
        )}
        {rule !== "" && (
          <span className="ml-auto text-muted-foreground text-xs">
            {texts.rule} <span className="wrap-anywhere font-mono">{rule}</span>
          </span>
        )}
      </div>
      <p className="wrap-anywhere font-medium">{withLocalTimes(text)}</p>
      {whereOf(reason) !== null && (
        <p className="wrap-anywhere text-[0.8125rem] text-muted-foreground">{whereOf(reason)}</p>
      )}
      {excerpt !== "" && (
        <code className="wrap-anywhere block whitespace-pre-wrap rounded-sm bg-muted px-2 py-1.5 font-mono text-[0.8125rem]">
          {excerpt}
        </code>
      )}
      {pattern !== null && <PatternActs {...{ reason, entry, pattern }} />}
    </li>
  );
};

const whereOf = ({ place, name }: Reason): string | null => {
  if (place === "") return null;
  const words = texts.places[place];
  return name === "" ? texts.found(words) : texts.foundIn(words, name);
};

const PatternActs = ({ reason, entry, pattern }: ReasonItemProps & { pattern: PatternRow }) => {
  const { api, calls } = useFirewall();
  const save = useSaver();
  const [opened, setOpened] = useState<"exempt" | "off" | null>(null);
  const close = () => setOpened(null);
  const isPathItself = entry.reasons.some(({ place }) => place === "path") && !entry.path.startsWith("/api/");
  const hasField =
    !isPathItself && reason.name !== "" && (reason.place === "query" || reason.place === "body");
  return (
    <div className="flex flex-wrap gap-2">
      {hasField && (
        <Button variant="outline" size="sm" onClick={() => setOpened("exempt")}>
          {texts.exempt}
        </Button>
      )}
      {pattern.isOn && (
        <Button variant="outline" size="sm" onClick={() => setOpened("off")}>
          {texts.switchOff}
        </Button>
      )}
      {opened === "exempt" && (
        <ExemptionDialog
          start={{
            method: entry.method,
            path: entry.path,
            fields: [reason.name],
            categories: [pattern.category],
            note: texts.fromRequest(entry.id),
          }}
          onClose={close}
        />
      )}
      <ConfirmDialog
        open={opened === "off"}
        onClose={close}
        title={texts.switchOffQuestion(pattern.title)}
        question={texts.switchOffText}
        action={texts.switchOff}
        fallback={texts.switchFailed}
        onConfirm={async () => {
          await save(() => calls.switchPattern(pattern.id, false));
          api.notify(texts.switchedOff(pattern.title));
          close();
        }}
      />
    </div>
  );
};

/** What can be done about the address that a request came from. */
export const AddressActs = ({ address, id }: { address: string; id: string }) => {
  const [opened, setOpened] = useState<"allow" | "ban" | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setOpened("allow")}>
        {texts.allow}
      </Button>
      <Button variant="outline" size="sm" onClick={() => setOpened("ban")}>
        {texts.ban}
      </Button>
      {opened === "allow" && (
        <AddressDialog
          start={{ kind: "allow", range: address, note: texts.fromRequest(id) }}
          onClose={close}
        />
      )}
      {opened === "ban" && <BanDialog address={address} note={texts.fromRequest(id)} onClose={close} />}
    </>
  );
};
