import { Check, TriangleAlert } from "lucide-react";
import {
  isHeavy,
  permissionTexts,
  reasonText,
  seriousText,
  weightiestFirst,
} from "#contract/permission-texts.ts";
import type { Permission } from "#contract/plugins.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { cn } from "#ui/lib/cn.ts";
import { consentTexts as texts } from "./permission-texts.ts";

type PermissionListProps = {
  permissions: readonly Permission[];
  /** Those that are marked as new. */
  added?: readonly Permission[];
};

/** Permissions in plain words with what they reach and why, the far-reaching ones first. */
export const PermissionList = ({ permissions, added = [] }: PermissionListProps) => {
  if (permissions.length === 0) return <p className="text-muted-foreground text-sm">{texts.none}</p>;
  return (
    <ul className="divide-y divide-border rounded-md border border-border">
      {weightiestFirst(permissions).map((permission) => (
        <Item
          key={permission.name}
          permission={permission}
          isNew={added.some(({ name }) => name === permission.name)}
        />
      ))}
    </ul>
  );
};

const Item = ({ permission, isNew }: { permission: Permission; isNew: boolean }) => {
  const { name, hosts = [], plugins = [], reason } = permission;
  const { title, text } = permissionTexts[name];
  const Icon = isHeavy(permission) ? TriangleAlert : Check;
  return (
    <li className="flex gap-3 px-3.5 py-3 text-sm">
      <Icon
        aria-hidden="true"
        className={cn(
          "mt-0.5 size-4 shrink-0",
          isHeavy(permission) ? "text-warning" : "text-muted-foreground",
        )}
      />
      <div className="grid min-w-0 grow gap-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {title}
          {isHeavy(permission) && <span className="sr-only">({seriousText})</span>}
          {isNew && <Badge tone="primary">{texts.isNew}</Badge>}
        </p>
        <p className="text-pretty text-[0.8125rem] text-muted-foreground">{text}</p>
        {[...hosts, ...plugins].map((reached) => (
          <code key={reached} className="wrap-anywhere font-mono text-[0.8125rem]">
            {reached}
          </code>
        ))}
        {reason !== undefined && <p className="wrap-anywhere text-[0.8125rem]">{reasonText(reason)}</p>}
      </div>
    </li>
  );
};
