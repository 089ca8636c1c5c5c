import { Database, HardDrive, LayoutDashboard, type LucideIcon, Mail, Timer, Users } from "lucide-react";
import { cn } from "#ui/lib/cn.ts";
import { panelTexts as texts } from "./panel-texts.ts";

/** The admin overview, drawn with example data in the same shapes and tokens as the real one. */
export const AdminPanelDrawing = () => (
  <div
    role="img"
    aria-label={texts.label}
    className="mt-12 -mb-px select-none overflow-hidden rounded-t-xl border border-border bg-background text-[0.8125rem] shadow-[0_-8px_60px_-12px] shadow-foreground/10 sm:mt-16"
  >
    <div aria-hidden="true" className="grid md:grid-cols-[12.5rem_1fr]">
      <Sidebar />
      <div className="grid content-start gap-4 p-4 sm:p-6">
        <div className="flex items-center justify-between gap-3">
          <p className="font-semibold text-xl tracking-tight">{texts.title}</p>
          <p className="flex items-center gap-2 text-muted-foreground">
            <span className="size-2 rounded-full bg-success motion-safe:animate-pulse" />
            {texts.state}
          </p>
        </div>
        <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          {texts.tiles.map(({ name, value, note }) => (
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
          <WeekBars />
          <UserRows />
        </div>
      </div>
    </div>
  </div>
);

const Sidebar = () => (
  <div className="hidden border-border border-r bg-sidebar p-3 text-sidebar-foreground md:block">
    <p className="mb-4 px-2 py-1 font-semibold text-sm text-foreground tracking-tight">{texts.product}</p>
    {texts.menu.map((name, index) => (
      <p
        key={name}
        className={cn(
          "flex h-8 items-center gap-2.5 rounded-md px-2",
          index === 0 && "bg-sidebar-accent font-medium text-sidebar-accent-foreground",
        )}
      >
        {index === 0 ? <LayoutDashboard className="size-4" /> : <Users className="size-4" />}
        {name}
      </p>
    ))}
  </div>
);

const icons: Record<string, LucideIcon> = { Database, Mail, Memory: HardDrive, Uptime: Timer };

const TileIcon = ({ name }: { name: string }) => {
  const Icon = icons[name] ?? Database;
  return <Icon className="size-3.5" />;
};

const chartHeight = 88;

const WeekBars = () => (
  <div className="rounded-lg border border-border bg-card p-4">
    <p className="font-medium">{texts.weekTitle}</p>
    <svg viewBox={`0 0 280 ${chartHeight + 16}`} className="mt-3 w-full" aria-hidden="true">
      {texts.week.map(({ day, count }, index) => {
        const x = index * 40 + 6;
        return (
          <g key={day}>
            <rect
              x={x}
              y={chartHeight - count}
              width="28"
              height={count}
              rx="3"
              className={index === texts.week.length - 1 ? "fill-primary" : "fill-primary/35"}
            />
            <text
              x={x + 14}
              y={chartHeight + 14}
              textAnchor="middle"
              className="fill-muted-foreground text-[10px]"
            >
              {day}
            </text>
          </g>
        );
      })}
    </svg>
  </div>
);

const UserRows = () => (
  <div className="overflow-hidden rounded-lg border border-border bg-card">
    <p className="border-border border-b px-4 py-3 font-medium">{texts.usersTitle}</p>
    {texts.users.map(({ name, email, role, seen }) => (
      <div key={email} className="flex h-11 items-center gap-3 border-border border-b px-4 last:border-0">
        <span className="grid size-6 shrink-0 place-items-center rounded-full bg-primary/12 font-medium text-[10px] text-primary">
          {name.slice(0, 1)}
        </span>
        <span className="min-w-0 grow truncate">
          {name} <span className="hidden text-muted-foreground sm:inline">{email}</span>
        </span>
        <span className="text-muted-foreground">{role}</span>
        <span className="hidden w-20 text-right text-muted-foreground tabular-nums sm:block">{seen}</span>
      </div>
    ))}
  </div>
);
