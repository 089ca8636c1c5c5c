import { useCallback } from "react";
import { hasPath, type SettingsSection, settingComplaint, valueAt } from "#contract/define-settings.ts";
import { Form } from "#ui/components/form.tsx";
import { RetryAlert } from "#ui/components/retry-alert.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { PageHeader } from "#ui/features/admin/page-header.tsx";
import { SettingControl, typedSetting } from "#ui/features/admin/settings/setting-control.tsx";
import { failureText } from "./api.ts";
import { notify } from "./notices.ts";
import { useLoad } from "./use-load.ts";

type FeatureSettingsPageProps<Change> = {
  title: string;
  section: SettingsSection;
  /** The feature's client. */
  client: {
    settings: () => Promise<{ data: object }>;
    setSettings: (change: Change) => Promise<{ message: string }>;
  };
};

/** The settings of a feature, for admins. */
export const FeatureSettingsPage = <Change,>({
  title,
  section,
  client,
}: FeatureSettingsPageProps<Change>) => {
  const { data, error, reload } = useLoad(useCallback(async () => (await client.settings()).data, [client]));
  return (
    <div className="grid max-w-[44rem] gap-6">
      <PageHeader title={title} />
      {error !== null && data === null && (
        <RetryAlert onRetry={reload}>{failureText(error, "The settings could not be loaded.")}</RetryAlert>
      )}
      {data === null && error === null && <Skeleton className="h-40" />}
      {data !== null && <SettingsForm section={section} client={client} told={data} onSaved={reload} />}
    </div>
  );
};

type SettingsFormProps<Change> = Omit<FeatureSettingsPageProps<Change>, "title"> & {
  told: object;
  onSaved: () => void;
};

const SettingsForm = <Change,>({ section, client, told, onSaved }: SettingsFormProps<Change>) => {
  const typedIn = (typed: Record<string, string>) =>
    Object.fromEntries(
      section.settings.map(([path, setting]) => [path, typedSetting(setting, typed[path] ?? "")]),
    );
  const { errors, ...form } = useForm<string>({
    rules: Object.fromEntries(
      section.settings.map(([path, setting]) => [
        path,
        (typed: string) => settingComplaint(setting, typedSetting(setting, typed)),
      ]),
    ),
    send: async (typed) => {
      // The section is the one that the operation takes a change of.
      const { message } = await client.setSettings(typedIn(typed) as Change);
      notify({ tone: "success", message });
      onSaved();
    },
    explain: (error) => failureText(error, "The settings could not be saved."),
  });
  return (
    <Card className="p-5 sm:p-6">
      <Form form={form} action="Save changes">
        {section.settings.map(([path, setting]) => (
          <SettingControl
            key={path}
            path={path}
            setting={setting}
            value={valueAt(told, path)}
            error={errors[path]}
            hint={valueAt(told, hasPath(path)) === true ? "Stored. Leave it empty to keep it." : setting.hint}
          />
        ))}
      </Form>
    </Card>
  );
};
