import { Archive, Database, HardDrive, type LucideIcon, Mail, Timer, Zap } from "lucide-react";
import type { ReactNode } from "react";
import type { SystemStatus } from "#api/modules/system/contract.ts";
import { cn } from "#ui/lib/cn.ts";
import type { Overview } from "./api.ts";
import { formatBytes, formatDateTime, formatDuration, formatMs } from "./format.ts";
import { overviewTexts as texts } from "./texts.ts";

/** Database, services, mail, memory and uptime, a tile each; without the services where their state could not be had. */
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
