import { client } from "#ui/lib/client.ts";
import { ConnectionTest } from "./connection-test.tsx";
import { fieldsBelow } from "./draft.ts";
import { Section } from "./section.tsx";
import { ServiceLine } from "./service-line.tsx";
import { SettingField } from "./setting-field.tsx";
import { serviceTexts as texts } from "./texts.ts";
import type { SettingsForm } from "./use-settings-form.ts";
import type { StatusDesk } from "./use-system-status.ts";

type RedisSectionProps = { form: SettingsForm; desk: StatusDesk };

/** Where Redis is, how it is doing, and whether it would work. */
export const RedisSection = ({ form, desk }: RedisSectionProps) => {
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
          service={desk.status?.redis ?? null}
          hasFailed={desk.hasFailed}
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
