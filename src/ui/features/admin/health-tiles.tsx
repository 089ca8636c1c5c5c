import { Database, HardDrive, type LucideIcon, Mail, Timer } from "lucide-react";
import type { ReactNode } from "react";
import type { SystemInfo } from "./api.ts";
import { formatBytes, formatDateTime, formatDuration, formatMs } from "./format.ts";
import { overviewTexts as texts } from "./texts.ts";

/** Database, mail, memory and uptime, a tile each. */
export const HealthTiles = ({ info }: { info: SystemInfo }) => {
  const { database, mail, node } = info;
  return (
    <section aria-label={texts.health}>
      <ul className="grid grid-cols-2 gap-3 xl:grid-cols-4">
        <Tile Icon={Database} name={texts.database} value={formatMs(database.latencyMs)}>
          PostgreSQL {database.version}, {texts.kinds[database.kind]}
          <br />
          {texts.onDisk(formatBytes(database.sizeBytes))}
        </Tile>
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

type TileProps = { Icon: LucideIcon; name: string; value: string; children: ReactNode };

const Tile = ({ Icon, name, value, children }: TileProps) => (
  <li className="rounded-lg border border-border bg-card p-4">
    <p className="flex items-center gap-2 text-muted-foreground text-[0.8125rem]">
      <Icon aria-hidden="true" className="size-4" />
      {name}
    </p>
    <p className="mt-2 font-semibold text-xl tabular-nums tracking-tight">{value}</p>
    <p className="mt-0.5 text-muted-foreground text-[0.8125rem] tabular-nums">{children}</p>
  </li>
);
