import { client } from "#ui/lib/client.ts";
import { ConnectionTest } from "./connection-test.tsx";
import { fieldsBelow, type SecretPath } from "./draft.ts";
import { MigrationBar } from "./migration-bar.tsx";
import { Section } from "./section.tsx";
import { ServiceLine } from "./service-line.tsx";
import { SettingField } from "./setting-field.tsx";
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
