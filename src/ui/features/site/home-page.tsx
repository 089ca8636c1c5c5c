import {
  ArrowRight,
  Check,
  CircleCheck,
  Database,
  HardDrive,
  LayoutDashboard,
  type LucideIcon,
  Mail,
  MessageSquare,
  Timer,
  Users,
} from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Badge } from "#ui/components/ui/badge.tsx";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { cn } from "#ui/lib/cn.ts";
import { useSession } from "#ui/lib/session.ts";
import { useSite } from "#ui/lib/site.ts";
import { stack, homeTexts as texts } from "./texts.ts";

/** Landing page: the product itself, what it does, the way in for those who are not in yet, and the way to us. */
export const HomePage = () => (
  <>
    <HeroSection />
    <FeatureGrid />
    <AssistantsSection />
    <ClosingSection />
  </>
);

/** A command with the shape of its real answer, shortened; the person in it does not exist. */
const commandExample = {
  command: "atrium user list --json",
  output: `{
  "users": [
    {
      "name": "Mira Okafor",
      "email": "mira@northwind.example",
      "role": "admin",
      …
    }
  ],
  "pagination": { "total": 1, … }
}`,
} as const;

/** A refused call, as the API answers it, its id shortened. */
const failureExample = `{
  "success": false,
  "code": "INVALID_CREDENTIALS",
  "message": "Invalid email or password",
  "requestId": "597f1931-f82f-…"
}`;

/** How assistants and scripts work with the product: words beside what they would really see. */
const AssistantsSection = () => (
  <section aria-labelledby="assistants" className="border-border border-y bg-muted/40">
    <div className="mx-auto grid max-w-[70rem] items-center gap-10 px-4 py-16 sm:px-6 sm:py-24 lg:grid-cols-2 lg:gap-16">
      <div>
        <p className="font-medium text-sm text-primary">{texts.assistantsKicker}</p>
        <h2 id="assistants" className="mt-3 text-balance font-semibold text-2xl tracking-tight">
          {texts.assistantsTitle}
        </h2>
        <p className="mt-4 text-pretty text-base text-muted-foreground">{texts.assistantsText}</p>
        <ul className="mt-6 grid gap-3 text-sm">
          {texts.assistantsPoints.map((point) => (
            <li key={point} className="flex gap-3">
              <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-primary" />
              {point}
            </li>
          ))}
        </ul>
      </div>
      <div className="min-w-0 overflow-hidden rounded-xl border border-border bg-card font-mono text-[0.8125rem] shadow-xs">
        <p className="border-border border-b px-5 py-3.5">
          <span className="select-none text-muted-foreground">$ </span>
          {commandExample.command}
        </p>
        <pre className="overflow-x-auto px-5 py-4 leading-6">{commandExample.output}</pre>
        <p className="border-border border-y bg-muted/50 px-5 py-2 font-sans text-muted-foreground">
          {texts.assistantsFailure}
        </p>
        <pre className="overflow-x-auto px-5 py-4 leading-6">{failureExample}</pre>
      </div>
    </div>
  </section>
);

/** The calls at the end: create an account, for those without one, and write to us, for everyone. */
const ClosingSection = () => {
  const isVisitor = useSession().user === null;
  return (
    <div className="mx-auto flex w-full max-w-[70rem] flex-col gap-4 px-4 py-16 sm:px-6 sm:py-24 md:flex-row">
      {isVisitor && (
        <Call id="start" unless="closed" title={texts.closingTitle} text={texts.closingText}>
          <Link href="/register" className={buttonVariants({ size: "lg" })}>
            {texts.register}
          </Link>
          <Link href="/login" className={buttonVariants({ variant: "outline", size: "lg" })}>
            {texts.signIn}
          </Link>
        </Call>
      )}
      <Call id="contact" title={texts.contactTitle} text={texts.contactText}>
        <Link
          href="/contact"
          className={buttonVariants({ variant: isVisitor ? "outline" : "default", size: "lg" })}
        >
          {texts.contact}
        </Link>
      </Call>
    </div>
  );
};

type CallProps = { id: string; unless?: "closed"; title: string; text: string; children: ReactNode };

const Call = ({ id, unless, title, text, children }: CallProps) => (
  <section
    data-unless={unless}
    aria-labelledby={id}
    className="flex flex-1 flex-col justify-between gap-7 rounded-xl border border-border bg-card p-6 sm:p-8"
  >
    <div>
      <h2 id={id} className="text-balance font-semibold text-2xl tracking-tight">
        {title}
      </h2>
      <p className="mt-3 max-w-[34rem] text-pretty text-base text-muted-foreground">{text}</p>
    </div>
    <div className="flex flex-col gap-3 sm:flex-row">{children}</div>
  </section>
);

/** What it is in one screen: words, two ways on, the command, and the product drawn below. */
const HeroSection = () => {
  const isMember = useSession().user !== null;
  return (
    <section className="overflow-hidden border-border border-b">
      <div className="mx-auto w-full max-w-[70rem] px-4 pt-14 sm:px-6 sm:pt-20">
        <div className="max-w-[44rem]">
          <p className="font-medium text-sm text-primary">{texts.kicker}</p>
          {/* Narrow enough on phones to break into the same lines in Inter and in its stand-in. */}
          <h1 className="mt-3 text-balance font-semibold text-3xl tracking-[-0.03em] max-sm:max-w-[8em] max-[22rem]:text-2xl md:text-4xl">
            {texts.title}
          </h1>
          <p className="mt-5 max-w-[38rem] text-pretty text-base text-muted-foreground">{texts.lead}</p>
          <div className="mt-7 flex flex-col gap-3 sm:flex-row">
            <Link
              href={isMember ? "/dashboard" : "/register"}
              data-unless={isMember ? undefined : "closed"}
              className={buttonVariants({ size: "lg" })}
            >
              {isMember ? texts.dashboard : texts.register}
              <ArrowRight aria-hidden="true" />
            </Link>
            <Link href="/about" className={buttonVariants({ variant: "outline", size: "lg" })}>
              {texts.about}
            </Link>
          </div>
          <div className="mt-6 flex flex-wrap items-center gap-x-3 gap-y-2 text-muted-foreground text-[0.8125rem]">
            <code className="rounded-md border border-border bg-card px-2.5 py-1 font-mono text-foreground">
              {texts.command}
            </code>
            <span>{texts.commandNote}</span>
          </div>
        </div>
        <AdminPanelDrawing />
      </div>
    </section>
  );
};

/** What the product takes off one's hands: four panels, each with something to look at. */
const FeatureGrid = () => (
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
  { name: "Emailed links", value: "single use, 24 hours at most" },
  { name: "Password guessing", value: "limited per account and IP address" },
  { name: "Cookies", value: "HttpOnly, SameSite, four in all" },
] as const;

/** Budgets that the build's tests hold, in brotli bytes, with the bar's length in percent of the largest. */
const firstLoad = [
  { name: "A public page with its styles", limit: "≤ 14 kB", width: 7 },
  { name: "Script before you interact", limit: "≤ 2 kB", width: 1 },
  { name: "Any page, fully loaded", limit: "≤ 150 kB", width: 100 },
] as const;

/** How the product behaves without and with the variables that matter in a cloud. Source: docs/configuration.md. */
const cloudVariables = [
  { name: "DATABASE_URL", unset: "unset: embedded PostgreSQL", set: "your PostgreSQL server" },
  { name: "SMTP_URL", unset: "unset: outbox folder", set: "your mail server" },
  { name: "APP_URL", unset: "unset: localhost", set: "links, origin rule, Secure cookies" },
  { name: "LOG_FORMAT", unset: "pretty on a terminal", set: "json for your collector" },
] as const;

/** The admin overview, drawn with example data in the same shapes and tokens as the real one. */
const AdminPanelDrawing = () => (
  <div
    role="img"
    aria-label={panelTexts.label}
    className="mt-12 -mb-px select-none overflow-hidden rounded-t-xl border border-border bg-background text-[0.8125rem] shadow-[0_-8px_60px_-12px] shadow-foreground/10 sm:mt-16"
  >
    <div aria-hidden="true" className="grid md:grid-cols-[12.5rem_1fr]">
      <Sidebar />
      <div className="grid content-start gap-4 p-4 sm:p-6">
        <div>
          <p className="font-semibold text-xl tracking-tight">{panelTexts.title}</p>
          <p className="text-muted-foreground">{panelTexts.welcome}</p>
        </div>
        <div className="flex items-center gap-3 rounded-lg border border-border bg-card px-4 py-3">
          <CircleCheck className="size-5 shrink-0 text-success" />
          <div>
            <p className="font-medium">{panelTexts.state}</p>
            <p className="text-muted-foreground text-xs">{panelTexts.stateNote}</p>
          </div>
          <p className="ml-auto hidden items-center gap-2 text-muted-foreground text-xs sm:flex">
            <span className="size-1.5 rounded-full bg-success" />
            {panelTexts.stateTime}
          </p>
        </div>
        <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          {panelTexts.tiles.map(({ name, value, note }) => (
            <div key={name} className="rounded-lg border border-border bg-card p-3.5">
              <p className="flex items-center gap-2 text-muted-foreground">
                <TileIcon name={name} />
                {name}
              </p>
              <p className="mt-2 font-semibold text-xl tabular-nums tracking-tight">{value}</p>
              <p className="text-muted-foreground text-xs">{note}</p>
            </div>
          ))}
        </div>
        <div className="grid gap-3 lg:grid-cols-[1fr_1.35fr]">
          <Facts />
          <UserRows />
        </div>
      </div>
    </div>
  </div>
);

const Sidebar = () => {
  const { name: product } = useSite();
  return (
    <div className="hidden border-border border-r bg-sidebar p-3 text-sidebar-foreground md:block">
      <p className="mb-4 px-2 py-1 font-semibold text-sm text-foreground tracking-tight">{product}</p>
      {panelTexts.menu.map((name, index) => {
        const Icon = menuIcons[index] ?? Users;
        return (
          <p
            key={name}
            className={cn(
              "flex h-8 items-center gap-2.5 rounded-md px-2",
              index === 0 && "bg-sidebar-accent font-medium text-sidebar-accent-foreground",
            )}
          >
            <Icon className="size-4" />
            {name}
          </p>
        );
      })}
    </div>
  );
};

const menuIcons = [LayoutDashboard, Users, MessageSquare];
const icons: Record<string, LucideIcon> = { Database, Mail, Memory: HardDrive, Uptime: Timer };

const TileIcon = ({ name }: { name: string }) => {
  const Icon = icons[name] ?? Database;
  return <Icon className="size-3.5" />;
};

const Facts = () => (
  <div className="overflow-hidden rounded-lg border border-border bg-card">
    <p className="border-border border-b px-4 py-3 font-medium">{panelTexts.factsTitle}</p>
    {panelTexts.facts.map(({ name, value }) => (
      <p
        key={name}
        className="flex h-11 items-center justify-between gap-4 border-border border-b px-4 last:border-0"
      >
        <span className="shrink-0 text-muted-foreground">{name}</span>
        <span className="truncate">{value}</span>
      </p>
    ))}
  </div>
);

const UserRows = () => (
  <div className="overflow-hidden rounded-lg border border-border bg-card">
    <p className="flex justify-between border-border border-b px-4 py-3 font-medium">
      {panelTexts.usersTitle}
      <span className="text-muted-foreground tabular-nums">{panelTexts.usersCount}</span>
    </p>
    {panelTexts.users.map(({ name, email, role, status }) => (
      <p key={email} className="flex h-11 items-center gap-3 border-border border-b px-4 last:border-0">
        <span className="min-w-0 grow truncate">
          <span className="font-medium">{name}</span>{" "}
          <span className="hidden text-muted-foreground sm:inline">{email}</span>
        </span>
        {role === panelTexts.admin ? <Badge tone="primary">{role}</Badge> : <span>{role}</span>}
        <span className="flex items-center gap-2">
          <span className="size-1.5 rounded-full bg-success" />
          {status}
        </span>
      </p>
    ))}
  </div>
);

/** Example data of the panel drawn on the landing page; no one in it exists. */
const panelTexts = {
  label: "The admin area with example data: status of database, email, memory and uptime, and users",
  menu: ["Overview", "Users", "Messages"],
  title: "Overview",
  welcome: "Welcome back, Mira Okafor",
  state: "Everything is all right",
  stateTime: "Checked just now",
  stateNote: "Database, email and accounts are working normally.",
  tiles: [
    { name: "Database", value: "0.4 ms", note: "PostgreSQL 18" },
    { name: "Email", value: "0 waiting", note: "Sent over SMTP" },
    { name: "Memory", value: "94 MB", note: "4 processors" },
    { name: "Uptime", value: "12d 4h", note: "Version 1.0.0" },
  ],
  factsTitle: "System Information",
  facts: [
    { name: "Admin email", value: "mira@northwind.example" },
    { name: "Role", value: "Admin" },
    { name: "Public address", value: "https://northwind.example" },
  ],
  usersTitle: "Users",
  usersCount: "1,284",
  admin: "Admin",
  users: [
    { name: "Jonas Lind", email: "jonas@lindverk.example", role: "User", status: "Active" },
    { name: "Sofia Marques", email: "sofia@atelier.example", role: "User", status: "Active" },
    { name: "Mira Okafor", email: "mira@northwind.example", role: "Admin", status: "Active" },
  ],
} as const;
