import {
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
import { Badge } from "#ui/components/ui/badge.tsx";
import { cn } from "#ui/lib/cn.ts";
import { useSite } from "#ui/lib/site.ts";

/** The admin overview, drawn with example data in the same shapes and tokens as the real one. */
export const AdminPanelDrawing = () => (
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
