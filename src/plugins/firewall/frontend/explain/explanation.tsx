import { Copyable, Fact, formatCount, formatDateTime } from "@atrium/plugin-sdk/ui";
import type { ReactNode } from "react";
import type { ExplainData, JournalEntry } from "../../backend/wire.ts";
import { withLocalTimes } from "../parts/local-times.ts";
import { VerdictBadge } from "../parts/verdict-badge.tsx";
import { explainTexts as texts } from "../texts.ts";
import { ReasonItem } from "./reason-item.tsx";
import { usePatterns } from "./use-patterns.ts";

/** What happened to a request and why, in sentences; what spoke against it; and what could be done if it was a mistake. */
export const Explanation = ({ data: { entry, sentences, remedies } }: { data: ExplainData }) => {
  const patternOf = usePatterns();
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
        <Facts entry={entry} />
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

const Facts = ({ entry }: { entry: JournalEntry }) => {
  const { facts } = texts;
  const { country, user } = entry;
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-[auto_1fr]">
      <Fact name={facts.verdict}>
        <VerdictBadge verdict={entry.verdict} />
      </Fact>
      <Fact name={facts.time}>
        <time dateTime={entry.at}>{formatDateTime(entry.at)}</time>
      </Fact>
      <Fact name={facts.status}>{entry.status}</Fact>
      <Fact name={facts.score}>{texts.scoreOf(formatCount(entry.score), formatCount(entry.threshold))}</Fact>
      <Fact name={facts.address}>
        <Copyable name={facts.address} text={entry.address} />
        {country !== null && <span className="text-muted-foreground">{country}</span>}
      </Fact>
      <Fact name={facts.who}>{user === null ? facts.nobody : `${user.name} (${user.role})`}</Fact>
      <Fact name={facts.path}>
        <Code text={`${entry.method} ${entry.path}`} />
      </Fact>
      {entry.query !== "" && (
        <Fact name={facts.query}>
          <Code text={entry.query} />
        </Fact>
      )}
      {entry.userAgent !== "" && (
        <Fact name={facts.agent}>
          <Code text={entry.userAgent} />
        </Fact>
      )}
      <Fact name={facts.id}>
        <Copyable name={facts.id} text={entry.id} isCode />
      </Fact>
      <Fact name={facts.replica}>{entry.replica}</Fact>
    </dl>
  );
};

const Code = ({ text }: { text: string }) => (
  <code className="wrap-anywhere font-mono text-[0.8125rem]">{text}</code>
);
