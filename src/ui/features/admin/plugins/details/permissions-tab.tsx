import { permissionTexts, reasonText } from "#contract/permission-texts.ts";
import type { PermissionUse, PluginDetails, RefusedUse } from "#contract/plugins.ts";
import { Button } from "#ui/components/ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import { formatCount, formatDateTime } from "../../format.ts";
import { PermissionList } from "../consent/permission-list.tsx";
import { detailsTexts, permissionsTabTexts as texts } from "./texts.ts";

type PermissionsTabProps = { plugin: PluginDetails; onReview: () => void };

/** What a plugin may do beside what it did, what it was refused, and what a version that waits asks for beyond that. */
export const PermissionsTab = ({ plugin, onReview }: PermissionsTabProps) => {
  const { granted, refused, requested, pendingVersion, pendingPermissions } = plugin;
  const missing = requested.filter(({ name }) => !granted.some((one) => one.name === name));
  return (
    <div className="grid gap-3">
      {pendingVersion !== null && pendingPermissions.length > 0 && (
        <Card>
          <CardHeader>
            <CardTitle>{texts.pending(pendingVersion)}</CardTitle>
            <Button size="sm" aria-haspopup="dialog" onClick={onReview}>
              {detailsTexts.review}
            </Button>
          </CardHeader>
          <CardContent>
            <PermissionList permissions={pendingPermissions} />
          </CardContent>
        </Card>
      )}
      <Card>
        <CardHeader>
          <CardTitle>{texts.granted}</CardTitle>
        </CardHeader>
        {granted.length === 0 ? (
          <p className="px-5 pb-4 text-muted-foreground text-sm">{texts.none}</p>
        ) : (
          <ul className="divide-y divide-border border-border border-t">
            {granted.map((permission) => (
              <Granted key={permission.name} permission={permission} />
            ))}
          </ul>
        )}
      </Card>
      {refused.length > 0 && (
        <Card>
          <CardHeader>
            <CardTitle>{texts.triedWithout}</CardTitle>
          </CardHeader>
          <ul className="divide-y divide-border border-border border-t">
            {refused.map((use) => (
              <Refused key={use.name} use={use} />
            ))}
          </ul>
        </Card>
      )}
      {missing.length > 0 && (
        <Card>
          <CardHeader>
            <CardTitle>{texts.notYet}</CardTitle>
          </CardHeader>
          <CardContent>
            <PermissionList permissions={missing} />
          </CardContent>
        </Card>
      )}
    </div>
  );
};

const Granted = ({ permission }: { permission: PermissionUse }) => {
  const { name, hosts = [], plugins = [], reason, used, refused, lastUsedAt } = permission;
  const { title, text } = permissionTexts[name];
  return (
    <li className="flex flex-wrap justify-between gap-x-6 gap-y-1 px-5 py-3 text-sm">
      <div className="grid min-w-0 gap-0.5">
        <p className="font-medium">{title}</p>
        <p className="text-pretty text-[0.8125rem] text-muted-foreground">{text}</p>
        {[...hosts, ...plugins].map((reached) => (
          <code key={reached} className="wrap-anywhere font-mono text-[0.8125rem]">
            {reached}
          </code>
        ))}
        {reason !== undefined && <p className="wrap-anywhere text-[0.8125rem]">{reasonText(reason)}</p>}
      </div>
      <p className="text-[0.8125rem] text-muted-foreground tabular-nums">
        {used === 0 ? texts.never : texts.used(times(used))}
        {refused > 0 && <span className="text-destructive">, {texts.refused(times(refused))}</span>}
        {lastUsedAt !== null && `, ${texts.last(formatDateTime(lastUsedAt))}`}
      </p>
    </li>
  );
};

const Refused = ({ use: { name, refused } }: { use: RefusedUse }) => (
  <li className="flex flex-wrap justify-between gap-x-6 gap-y-1 px-5 py-3 text-sm">
    <p className="font-medium">{permissionTexts[name].title}</p>
    <p className="text-[0.8125rem] text-destructive tabular-nums">{texts.refusedAlone(times(refused))}</p>
  </li>
);

const times = (amount: number) => texts.times(formatCount(amount), amount === 1);
