import type { ReactNode } from "react";
import { cn } from "#ui/lib/cn.ts";
import { stack, homeTexts as texts } from "./texts.ts";

/** What the product takes off one's hands: four panels, each with something to look at. */
export const FeatureGrid = () => (
  <section aria-labelledby="features" className="mx-auto w-full max-w-[70rem] px-4 py-16 sm:px-6 sm:py-24">
    <div className="max-w-[36rem]">
      <h2 id="features" className="text-balance font-semibold text-2xl tracking-tight">
        {texts.featuresTitle}
      </h2>
      <p className="mt-3 text-pretty text-base text-muted-foreground">{texts.featuresLead}</p>
    </div>
    <div className="mt-10 grid gap-4 md:grid-cols-2 lg:grid-cols-5">
      <Feature title={texts.securityTitle} text={texts.securityText} className="lg:col-span-3">
        <SecurityFacts />
      </Feature>
      <Feature title={texts.stackTitle} text={texts.stackText} className="lg:col-span-2">
        <StackList />
      </Feature>
      <Feature title={texts.speedTitle} text={texts.speedText} className="lg:col-span-2">
        <FirstLoad />
      </Feature>
      <Feature title={texts.cloudTitle} text={texts.cloudText} className="lg:col-span-3">
        <CloudVariables />
      </Feature>
    </div>
  </section>
);

type FeatureProps = { title: string; text: string; className: string; children: ReactNode };

const Feature = ({ title, text, className, children }: FeatureProps) => (
  <article
    className={cn(
      "flex flex-col justify-between gap-8 rounded-xl border border-border bg-card p-6 sm:p-7",
      className,
    )}
  >
    <div>
      <h3 className="font-semibold text-base tracking-tight">{title}</h3>
      <p className="mt-2 text-pretty text-sm text-muted-foreground">{text}</p>
    </div>
    {children}
  </article>
);

const SecurityFacts = () => (
  <dl className="divide-y divide-border rounded-lg border border-border text-[0.8125rem]">
    {securityFacts.map(({ name, value }) => (
      <div key={name} className="flex flex-wrap justify-between gap-x-4 px-3.5 py-2.5">
        <dt className="text-muted-foreground">{name}</dt>
        <dd className="font-medium">{value}</dd>
      </div>
    ))}
  </dl>
);

const StackList = () => (
  <ul className="grid gap-2.5 text-[0.8125rem]">
    {stack.map(({ name, role }) => (
      <li key={name} className="flex items-baseline gap-2">
        <span className="font-medium">{name}</span>
        <span aria-hidden="true" className="grow border-border border-b border-dotted" />
        <span className="text-muted-foreground">{role}</span>
      </li>
    ))}
  </ul>
);

const FirstLoad = () => (
  <div className="grid gap-3 text-[0.8125rem]">
    {firstLoad.map(({ name, limit, width }) => (
      <div key={name}>
        <p className="flex justify-between gap-3">
          <span className="text-muted-foreground">{name}</span>
          <span className="shrink-0 font-medium tabular-nums">{limit}</span>
        </p>
        <svg
          viewBox="0 0 100 2"
          preserveAspectRatio="none"
          aria-hidden="true"
          className="mt-1.5 h-1.5 w-full rounded-full bg-muted"
        >
          <rect width={width} height="2" className="fill-primary" />
        </svg>
      </div>
    ))}
  </div>
);

const CloudVariables = () => (
  <ul className="overflow-hidden rounded-lg border border-border font-mono text-[0.8125rem]">
    {cloudVariables.map(({ name, unset, set }) => (
      <li
        key={name}
        className="grid gap-x-4 border-border border-b px-3.5 py-2.5 last:border-0 lg:grid-cols-[8.5rem_1fr_1fr]"
      >
        <span className="font-medium">{name}</span>
        <span className="font-sans text-muted-foreground">{unset}</span>
        <span className="font-sans">{set}</span>
      </li>
    ))}
  </ul>
);

/** What the security panel states; docs/security-checks.md says where each is tested. */
const securityFacts = [
  { name: "Passwords", value: "argon2id, bounded queue" },
  { name: "Sessions", value: "256-bit, stored hashed" },
  { name: "Mailed links", value: "single use, 24 hours at most" },
  { name: "Guessing", value: "limited per account and address" },
  { name: "Cookies", value: "HttpOnly, SameSite, three in all" },
] as const;

/** Budgets that the build's tests hold, in brotli bytes, with the bar's length in percent of the largest. */
const firstLoad = [
  { name: "A public page with its styles", limit: "≤ 14 kB", width: 7 },
  { name: "Script before you interact", limit: "≤ 2 kB", width: 1 },
  { name: "All pages, as you need them", limit: "≤ 200 kB", width: 100 },
] as const;

/** How the product behaves without and with the variables that matter in a cloud. Source: docs/configuration.md. */
const cloudVariables = [
  { name: "DATABASE_URL", unset: "unset: embedded PostgreSQL", set: "your PostgreSQL server" },
  { name: "SMTP_URL", unset: "unset: outbox folder", set: "your mail server" },
  { name: "APP_URL", unset: "unset: localhost", set: "links, origin rule, Secure cookies" },
  { name: "LOG_FORMAT", unset: "pretty on a terminal", set: "json for your collector" },
] as const;
