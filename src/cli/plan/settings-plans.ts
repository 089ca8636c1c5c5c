import type { Client as Operations } from "#api/operations.ts";
import { CliFailure } from "#cli/failure.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { fieldText, findSettingChange } from "#cli/setting-change.ts";
import { isSettingPath, settingPaths } from "#cli/setting-paths.ts";
import { typedChange } from "#cli/typed-change.ts";
import {
  accessKeyIdComplaint,
  apiTokenComplaint,
  bucketComplaint,
  redisEndpointComplaint,
  redisPasswordComplaint,
  secretAccessKeyComplaint,
} from "#contract/credential-rules.ts";
import { settingComplaint, valueAt } from "#contract/define-settings.ts";
import { errorTexts } from "#contract/errors.ts";
import { isManagedByFirewall } from "#contract/settings.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import type { OperationPlan } from "./plan.ts";

type Settings = Operations["settings"];

/** The plans for settings. */
export const settingsPlans: {
  readonly "settings.setCore": OperationPlan<Settings["setCore"]>;
  readonly "settings.setAccounts": OperationPlan<Settings["setAccounts"]>;
  readonly "settings.setCredentials": OperationPlan<Settings["setCredentials"]>;
  readonly "settings.revert": OperationPlan<Settings["revert"]>;
} = {
  "settings.setCore": async (client, change) => {
    const { system, settings } = operationsOf(client);
    if (isManagedByFirewall((await system.status()).data.firewall))
      throw new CliFailure("MANAGED_BY_FIREWALL", errorTexts.MANAGED_BY_FIREWALL);
    return changesText("core", change, (await settings.core()).data);
  },
  "settings.setAccounts": async (client, change) =>
    changesText("accounts", change, (await operationsOf(client).settings.accounts()).data),
  "settings.setCredentials": async (client, change) =>
    changesText("credentials", change, (await operationsOf(client).settings.credentials()).data),
  "settings.revert": async (client, { id: number }) => {
    const change = await findSettingChange(client, Number(number));
    const { id, fields, canRevert, losesSecrets } = typedChange(change);
    const visible = fields.filter((field) => !field.isSecret);
    if (!canRevert)
      throw new CliFailure(
        "CONFLICT",
        visible.length === 0 ? settingsTexts.nothingToRevert : settingsTexts.changedSince,
      );
    return [
      `Would put back what change ${id} replaced`,
      ...visible.map((field) => `  ${fieldText({ ...field, before: field.after, after: field.before })}`),
      ...losesSecrets.map((path) => `  ${path} is removed for good`),
    ].join("\n");
  },
};

// What depends on the server's own configuration, such as which object storages it accepts, only the server can refuse.
const complaints: Record<string, (value: string) => string | null> = {
  "credentials.redis.endpoint": redisEndpointComplaint,
  "credentials.redis.password": redisPasswordComplaint,
  "credentials.cloudflareR2.bucket": bucketComplaint,
  "credentials.cloudflareR2.token": apiTokenComplaint,
  "credentials.cloudflareR2.accessKeyId": accessKeyIdComplaint,
  "credentials.cloudflareR2.secretAccessKey": secretAccessKeyComplaint,
};

const complaintAbout = (path: string, value: unknown): string | null => {
  const setting = isSettingPath(path) ? settingPaths[path].declared : undefined;
  if (setting !== undefined) return settingComplaint(setting, value);
  return typeof value === "string" && value !== "" ? (complaints[path]?.(value) ?? null) : null;
};

/** The changes of one part, a line each; what is secret is only named, and so is an address, which may hold a password. */
const changesText = (part: string, change: object, now: object): string => {
  const lines: string[] = [];
  const errors: { path: string; message: string }[] = [];
  for (const [own, value] of flat(change)) {
    const path = `${part}.${own}`;
    const message = complaintAbout(path, value);
    if (message !== null) errors.push({ path, message });
    lines.push(changeText(path, value, valueAt(now, own)));
  }
  if (errors.length > 0) throw new CliFailure("VALIDATION_FAILED", errorTexts.VALIDATION_FAILED, { errors });
  return lines.join("\n");
};

const flat = (body: object): [path: string, value: unknown][] =>
  Object.entries(body).flatMap(([name, value]): [string, unknown][] =>
    typeof value === "object" && value !== null
      ? flat(value).map(([inner, held]) => [`${name}.${inner}`, held])
      : [[name, value]],
  );

const changeText = (path: string, value: unknown, before: unknown): string => {
  if (value === null || value === "") return `Would remove ${path}`;
  const kind = isSettingPath(path) ? settingPaths[path].kind : "secret";
  if (kind === "secret" || kind === "endpoint") return `Would save ${path}`;
  return before === value
    ? `Would leave ${path} at ${value}`
    : `Would change ${path} from ${before} to ${value}`;
};
