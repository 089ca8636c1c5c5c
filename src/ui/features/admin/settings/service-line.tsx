import type { ReactNode } from "react";
import type { ServiceState } from "#contract/settings.ts";
import { asSentence } from "#ui/lib/as-sentence.ts";
import { cn } from "#ui/lib/cn.ts";
import { shortMoment } from "#ui/lib/short-moment.ts";
import { serviceTexts as texts } from "./texts.ts";

type ServiceLineProps = {
  service: ServiceState | null;
  hasFailed: boolean;
  /** What is done without it, while it is not used and while it is away. */
  without: { unused: string; away: string };
  children?: ReactNode;
};

/** How an external service is doing at the moment, since when, and why it is away. */
export const ServiceLine = ({ service, hasFailed, without, children }: ServiceLineProps) => (
  <div className="mt-2 grid min-h-5 gap-1.5 text-[0.8125rem]" aria-busy={service === null && !hasFailed}>
    {service === null && hasFailed && (
      <p className="flex items-baseline gap-2 text-muted-foreground">
        <Dot look="bg-input" />
        {texts.unknown}. {texts.unknownText}
      </p>
    )}
    {service !== null && (
      <p role="status" className="flex items-baseline gap-2">
        <Dot look={looks[service.state]} />
        <span className="wrap-anywhere min-w-0">
          <strong className="font-medium">{texts.states[service.state]}</strong>
          {factsOf(service).map((fact) => (
            <span key={fact} className="text-muted-foreground">
              {" · "}
              {fact}
            </span>
          ))}
        </span>
      </p>
    )}
    {service?.state === "away" && (
      <p className="wrap-anywhere pl-4 text-muted-foreground">
        {service.reason !== null && <span className="text-destructive">{asSentence(service.reason)} </span>}
        {without.away}
      </p>
    )}
    {service?.state === "unused" && <p className="pl-4 text-muted-foreground">{without.unused}</p>}
    {children}
  </div>
);

const Dot = ({ look }: { look: string }) => (
  <span aria-hidden="true" className={cn("size-2 shrink-0 rounded-full", look)} />
);

const looks = {
  unused: "bg-input",
  connecting: "bg-info motion-safe:animate-pulse",
  up: "bg-success",
  away: "bg-destructive",
} as const;

const factsOf = ({ state, server, source, since }: ServiceState): string[] =>
  [
    server,
    source === "environment" && texts.fromEnvironment,
    state !== "unused" && texts.since(shortMoment(since)),
  ].filter((fact) => typeof fact === "string");
