import { client } from "#ui/lib/client.ts";
import { ConnectionTest } from "./connection-test.tsx";
import type { SecretPath } from "./draft.ts";
import { MigrationBar } from "./migration-bar.tsx";
import { SecretField } from "./secret-field.tsx";
import { Section } from "./section.tsx";
import { ServiceLine } from "./service-line.tsx";
import { TextField } from "./text-field.tsx";
import { fieldsTexts, serviceTexts as texts } from "./texts.ts";
import type { SettingsForm } from "./use-settings-form.ts";
import type { StatusDesk } from "./use-system-status.ts";

type StorageSectionProps = { form: SettingsForm; desk: StatusDesk };

/** Where the object storage is, how it is doing, and whether it would work. */
export const StorageSection = ({ form, desk }: StorageSectionProps) => {
  const { draft } = form;
  const storage = desk.status?.storage ?? null;
  return (
    <Section
      id="storage"
      lead={texts.storageLead}
      status={
        <ServiceLine
          service={storage}
          hasFailed={desk.hasFailed}
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
        <TextField form={form} path="cloudflareR2.bucket" label={fieldsTexts.bucket} />
        <SecretField
          form={form}
          path="cloudflareR2.token"
          label={fieldsTexts.token}
          hint={fieldsTexts.tokenHint}
        />
        <SecretField form={form} path="cloudflareR2.accessKeyId" label={fieldsTexts.accessKeyId} />
        <SecretField form={form} path="cloudflareR2.secretAccessKey" label={fieldsTexts.secretAccessKey} />
        <div className="sm:col-span-2">
          <TextField
            form={form}
            path="cloudflareR2.endpointS3"
            label={fieldsTexts.endpointS3}
            hint={fieldsTexts.endpointHint(form.saved.otherEndpoints)}
            inputMode="url"
            placeholder="https://<32 hex characters>.r2.cloudflarestorage.com"
          />
        </div>
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
