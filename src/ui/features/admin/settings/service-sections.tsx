import type { ReactNode } from "react";
import type { ServiceState, StorageState } from "#contract/settings.ts";
import { asSentence, client } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { shortMoment } from "#ui/lib/moments.ts";
import { formatBytes } from "../format.ts";
import { ConnectionTest } from "./connection-test.tsx";
import { fieldsBelow, type SecretPath } from "./draft.ts";
import { Section, SettingField } from "./setting-field.tsx";
import { fieldsTexts, serviceTexts as texts } from "./texts.ts";
import type { SettingsForm } from "./use-settings-form.ts";
import type { SystemWatch } from "./use-system-status.ts";

type RedisSectionProps = { form: SettingsForm; system: SystemWatch };

/** Where Redis is, how it is doing, and whether it would work. */
export const RedisSection = ({ form, system }: RedisSectionProps) => {
  const { draft, errors } = form;
  const isReady =
    draft["redis.endpoint"].trim() !== "" &&
    errors["redis.endpoint"] === undefined &&
    errors["redis.password"] === undefined;
  return (
    <Section
      id="redis"
      lead={texts.redisLead}
      status={
        <ServiceLine
          service={system.status?.redis ?? null}
          hasFailed={system.hasFailed}
          without={{ unused: texts.redisUnused, away: texts.redisAway }}
        />
      }
      actions={
        <ConnectionTest
          kind="redis"
          isReady={isReady}
          test={() =>
            client.settings.testRedis({
              endpoint: draft["redis.endpoint"].trim(),
              password: draft["redis.password"],
            })
          }
          onRefused={(found) =>
            form.refuse(found.map(({ path, message }) => ({ path: `redis.${path}`, message })))
          }
        />
      }
    >
      <div className="grid gap-5 p-5">
        {fieldsBelow("redis").map((field) => (
          <SettingField key={field.path} form={form} field={field} />
        ))}
      </div>
    </Section>
  );
};

type StorageSectionProps = { form: SettingsForm; system: SystemWatch };

/** Where the object storage is, how it is doing, and whether it would work. */
export const StorageSection = ({ form, system }: StorageSectionProps) => {
  const { draft } = form;
  const storage = system.status?.storage ?? null;
  return (
    <Section
      id="storage"
      lead={texts.storageLead}
      status={
        <ServiceLine
          service={storage}
          hasFailed={system.hasFailed}
          without={{ unused: texts.storageUnused, away: texts.storageAway }}
        >
          {storage !== null && <MigrationBar storage={storage} />}
        </ServiceLine>
      }
      actions={
        <ConnectionTest
          kind="r2"
          isReady={isTestable(form)}
          test={() =>
            client.settings.testStorage({
              bucket: draft["cloudflareR2.bucket"].trim(),
              token: draft["cloudflareR2.token"],
              accessKeyId: draft["cloudflareR2.accessKeyId"],
              secretAccessKey: draft["cloudflareR2.secretAccessKey"],
              endpointS3: draft["cloudflareR2.endpointS3"].trim(),
            })
          }
          onRefused={(found) =>
            form.refuse(found.map(({ path, message }) => ({ path: `cloudflareR2.${path}`, message })))
          }
        />
      }
    >
      <div className="grid items-start gap-5 p-5 sm:grid-cols-2">
        {fieldsBelow("cloudflareR2").map((field) =>
          field.setting.kind === "endpoint" ? (
            <div key={field.path} className="sm:col-span-2">
              <SettingField
                form={form}
                field={field}
                hint={fieldsTexts.endpointHint(form.saved.otherEndpoints)}
              />
            </div>
          ) : (
            <SettingField key={field.path} form={form} field={field} />
          ),
        )}
      </div>
    </Section>
  );
};

const tested = [
  "cloudflareR2.bucket",
  "cloudflareR2.token",
  "cloudflareR2.accessKeyId",
  "cloudflareR2.secretAccessKey",
  "cloudflareR2.endpointS3",
] as const;

const isTestable = ({ draft, errors, saved }: SettingsForm): boolean => {
  const has = (path: SecretPath) => draft[path] !== null && (draft[path] !== "" || saved.hasSecret[path]);
  return (
    tested.every((path) => errors[path] === undefined) &&
    draft["cloudflareR2.bucket"].trim() !== "" &&
    draft["cloudflareR2.endpointS3"].trim() !== "" &&
    has("cloudflareR2.accessKeyId") &&
    has("cloudflareR2.secretAccessKey")
  );
};

/** Where objects live, and how far those are that are on their way. */
const MigrationBar = ({ storage }: { storage: StorageState }) => {
  const { inDatabase, inR2, migration, home } = storage;
  return (
    <div className="grid gap-1.5 pl-4 text-muted-foreground tabular-nums">
      <p>{texts.objects(inDatabase, inR2)}</p>
      {migration !== null && (
        <div className="grid gap-1">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span>{texts.homes[home]}</span>
            <span>{texts.moved(migration.moved, migration.total, formatBytes(migration.bytes))}</span>
          </p>
          <progress
            aria-label={texts.homes[home]}
            value={migration.moved}
            max={Math.max(1, migration.total)}
            className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-muted [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-muted [&::-webkit-progress-value]:bg-primary"
          />
          {migration.failed > 0 && <p className="text-destructive">{texts.failed(migration.failed)}</p>}
        </div>
      )}
    </div>
  );
};

type ServiceLineProps = {
  service: ServiceState | null;
  hasFailed: boolean;
  /** What is done without it, while it is not used and while it is away. */
  without: { unused: string; away: string };
  children?: ReactNode;
};

/** How an external service is doing at the moment, since when, and why it is away. */
const ServiceLine = ({ service, hasFailed, without, children }: ServiceLineProps) => (
  <div className="mt-2 grid min-h-5 gap-1.5 text-[0.8125rem]" aria-busy={service === null && !hasFailed}>
    {service === null && hasFailed && (
      <p className="flex items-baseline gap-2 text-muted-foreground">
        <Dot look="bg-input" />
        {texts.unknown}. {texts.unknownText}
      </p>
    )}
    {service !== null && (
      <p role="status" className="flex items-baseline gap-2">
        <Dot look={looks[service.state]} />
        <span className="wrap-anywhere min-w-0">
          <strong className="font-medium">{texts.states[service.state]}</strong>
          {factsOf(service).map((fact) => (
            <span key={fact} className="text-muted-foreground">
              {" · "}
              {fact}
            </span>
          ))}
        </span>
      </p>
    )}
    {service?.state === "away" && (
      <p className="wrap-anywhere pl-4 text-muted-foreground">
        {service.reason !== null && <span className="text-destructive">{asSentence(service.reason)} </span>}
        {without.away}
      </p>
    )}
    {service?.state === "unused" && <p className="pl-4 text-muted-foreground">{without.unused}</p>}
    {children}
  </div>
);

const Dot = ({ look }: { look: string }) => (
  <span aria-hidden="true" className={cn("size-2 shrink-0 rounded-full", look)} />
);

const looks = {
  unused: "bg-input",
  connecting: "bg-info motion-safe:animate-pulse",
  up: "bg-success",
  away: "bg-destructive",
} as const;

const factsOf = ({ state, server, source, since }: ServiceState): string[] =>
  [
    server,
    source === "environment" && texts.fromEnvironment,
    state !== "unused" && texts.since(shortMoment(since)),
  ].filter((fact) => typeof fact === "string");
