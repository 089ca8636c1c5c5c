import { Archive, Database, HardDrive, type LucideIcon, Mail, Puzzle, Timer, Zap } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { AdminAccess, SystemInfo, SystemStatus } from "#api/modules/system/contract.ts";
import type { User } from "#contract/users.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import { cn } from "#ui/lib/cn.ts";
import type { Overview } from "./api.ts";
import { formatBytes, formatCount, formatDateTime, formatDuration, formatMs } from "./format.ts";
import { roleTexts, overviewTexts as texts } from "./texts.ts";

/** Database, services, email, memory and uptime, a tile each; without the services where their state could not be had. */
export const HealthTiles = ({ info, status }: Pick<Overview, "info" | "status">) => {
  const { database, mail, node } = info;
  return (
    <section aria-label={texts.health}>
      <ul className="grid grid-cols-2 gap-3 lg:grid-cols-3">
        <Tile Icon={Database} name={texts.database} value={formatMs(database.latencyMs)}>
          PostgreSQL {database.version}, {texts.kinds[database.kind]}
          <br />
          {texts.onDisk(formatBytes(database.sizeBytes))}
        </Tile>
        {status !== null && <ServiceTiles status={status} />}
        <Tile Icon={Mail} name={texts.mail} value={texts.waiting(mail.waiting)}>
          {texts.transports[mail.transport]}
          <br />
          {texts.dead(mail.dead)}
        </Tile>
        <Tile Icon={HardDrive} name={texts.memory} value={formatBytes(node.rssBytes)}>
          {texts.cpus(node.cpus)}
        </Tile>
        <Tile Icon={Timer} name={texts.uptime} value={formatDuration(info.uptimeS)}>
          {texts.version(info.version)}
          <br />
          {texts.since(formatDateTime(info.startedAt))}
        </Tile>
      </ul>
    </section>
  );
};

const ServiceTiles = ({ status: { redis, storage } }: { status: SystemStatus }) => (
  <>
    <Tile
      Icon={Zap}
      name={texts.redis}
      value={texts.serviceStates[redis.state]}
      isAway={redis.state === "away"}
    >
      {redis.server ?? texts.inProcess}
    </Tile>
    <Tile
      Icon={Archive}
      name={texts.storage}
      value={texts.serviceStates[storage.state]}
      isAway={storage.state === "away"}
    >
      {texts.storageHomes[storage.home]}
      <br />
      {texts.objects(storage.inDatabase + storage.inR2)}
    </Tile>
  </>
);

type TileProps = {
  Icon: LucideIcon;
  name: string;
  value: string;
  isAway?: boolean;
  children: ReactNode;
};

const Tile = ({ Icon, name, value, isAway = false, children }: TileProps) => (
  <li className="rounded-lg border border-border bg-card p-4">
    <p className="flex items-center gap-2 text-muted-foreground text-[0.8125rem]">
      <Icon aria-hidden="true" className="size-4" />
      {name}
    </p>
    <p className={cn("mt-2 font-semibold text-xl tabular-nums tracking-tight", isAway && "text-destructive")}>
      {value}
    </p>
    <p className="wrap-anywhere mt-0.5 text-muted-foreground text-[0.8125rem] tabular-nums">{children}</p>
  </li>
);

type SystemInformationProps = {
  user: User | null;
  access: AdminAccess;
  info: SystemInfo | null;
  /** Whether any plugin is installed, on or off. */
  hasPlugins: boolean;
};

/** Who administers what: the reader, the accounts, the plugin system. Without `info` what depends on it is left out. */
export const SystemInformation = ({ user, access, info, hasPlugins }: SystemInformationProps) => {
  const plugins = access.availablePlugins;
  return (
    <div className="grid items-start gap-3 lg:grid-cols-2">
      <Card aria-label={texts.information}>
        <CardHeader>
          <CardTitle>{texts.information}</CardTitle>
        </CardHeader>
        <dl className="divide-y divide-border border-border border-t text-sm">
          {user !== null && <Fact name={texts.adminEmail}>{user.email}</Fact>}
          {user !== null && <Fact name={texts.role}>{roleTexts[user.role]}</Fact>}
          <Fact name={texts.plugins}>{plugins.length === 0 ? texts.none : plugins.join(", ")}</Fact>
          <Fact name={texts.pluginStatus}>
            <Badge tone={hasPlugins ? "success" : "neutral"}>
              {hasPlugins ? texts.installed : texts.notInstalled}
            </Badge>
          </Fact>
          {info !== null && <Fact name={texts.address}>{info.appUrl}</Fact>}
        </dl>
      </Card>
      <div className="grid gap-3">
        {info !== null && <UserCounts users={info.users} />}
        <SettingsCard />
        {!hasPlugins && <NoPlugins />}
      </div>
    </div>
  );
};

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-6 px-5 py-2">
    <dt className="text-muted-foreground">{name}</dt>
    <dd className="wrap-anywhere min-w-0">{children}</dd>
  </div>
);

const UserCounts = ({ users }: { users: SystemInfo["users"] }) => (
  <Card aria-label={texts.users}>
    <CardHeader>
      <CardTitle>{texts.users}</CardTitle>
      <Link href="/admin/users" className={buttonVariants({ variant: "outline", size: "sm" })}>
        {texts.showUsers}
      </Link>
    </CardHeader>
    <CardContent>
      <p className="font-semibold text-2xl tabular-nums tracking-tight">{formatCount(users.total)}</p>
      <p className="text-muted-foreground text-[0.8125rem]">
        {texts.admins(users.admins)} · {texts.pending(users.pending)}
      </p>
    </CardContent>
  </Card>
);

const SettingsCard = () => (
  <Card aria-label={texts.settings}>
    <CardHeader className="pb-4">
      <div>
        <CardTitle>{texts.settings}</CardTitle>
        <p className="text-pretty text-muted-foreground text-[0.8125rem]">{texts.settingsText}</p>
      </div>
      <Link href="/admin/settings" className={buttonVariants({ variant: "outline", size: "sm" })}>
        {texts.showSettings}
      </Link>
    </CardHeader>
  </Card>
);

const NoPlugins = () => (
  <Card aria-label={texts.pluginTitle} className="flex gap-3 border-dashed px-5 py-4">
    <Puzzle aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted-foreground" />
    <div>
      <h2 className="font-medium text-sm">{texts.pluginsMissing}</h2>
      <p className="text-pretty text-muted-foreground text-[0.8125rem]">{texts.pluginsMissingText}</p>
    </div>
  </Card>
);
