import { useCallback, useState } from "react";
import type { Plugin, PluginData } from "#contract/plugins.ts";
import { Form, FormButtons } from "#ui/components/form.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Checkbox } from "#ui/components/ui/checkbox.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { PlainInput } from "#ui/components/ui/input.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { ApiError, client, failureText } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { counted, formatBytes } from "../format.ts";
import { deletePlugin } from "./api.ts";

type DeletePluginDialogProps = {
  plugin: Plugin;
  /** All plugins, to find those that need this one. */
  plugins: readonly Plugin[];
  onClose: () => void;
  onChange: () => void;
};

/** Names what is lost, and wants the plugin's name typed where it is lost permanently. */
export const DeletePluginDialog = ({ plugin, plugins, onClose, onChange }: DeletePluginDialogProps) => {
  const { name, title } = plugin;
  const load = useCallback(async () => (await client.plugins.data({ name })).data, [name]);
  const { data, error } = useLoad(load);
  const [retainData, setRetainData] = useState(false);
  const [isNeeded, setIsNeeded] = useState(false);
  const dependents = plugins.filter((other) => other.enabled && other.dependsOn.includes(name));
  const isForced = isNeeded || dependents.length > 0;
  const isCounting = !retainData && data === null && error === null;
  // What could not be counted may be much.
  const losesData = !retainData && !isCounting && (data === null || !isEmpty(data));
  const { errors, ...form } = useForm({
    rules: { name: (typed) => (losesData && typed.trim() !== name ? deleteTexts.mismatch : null) },
    send: async () => {
      const message = await deletePlugin(name, { retainData, force: isForced });
      notify({ tone: "success", message });
      onClose();
      onChange();
    },
    explain: (failure) => {
      // Someone has enabled one meanwhile: the message names it, and the next press disables it.
      if (failure instanceof ApiError && failure.code === "PLUGIN_NEEDED") setIsNeeded(true);
      return failureText(failure, deleteTexts.failed);
    },
  });
  return (
    <Dialog open onOpenChange={onClose} title={deleteTexts.title(title)} description={deleteTexts.lead(name)}>
      <Form form={form}>
        {dependents.length > 0 && (
          <Alert severity="warning">
            {deleteTexts.dependents(dependents.map((other) => other.title).join(", "))}
          </Alert>
        )}
        <Checkbox
          label={deleteTexts.retain}
          hint={deleteTexts.retainHint}
          checked={retainData}
          onChange={({ target }) => setRetainData(target.checked)}
        />
        {!retainData && (
          <Alert severity="warning" title={deleteTexts.warning}>
            <Losses data={data} hasFailed={error !== null} />
          </Alert>
        )}
        {losesData && <TypedName name={name} error={errors.name} />}
        <FormButtons
          onCancel={onClose}
          action={isForced ? deleteTexts.confirmForced : deleteTexts.confirm}
          isBusy={form.isBusy || isCounting}
          isDangerous
        />
      </Form>
    </Dialog>
  );
};

/** The field in which a plugin's name is typed before its data is deleted. */
export const TypedName = ({ name, error }: { name: string; error: string | undefined }) => (
  <Field label={deleteTexts.type} hint={name} error={error}>
    <PlainInput name="name" required />
  </Field>
);

const isEmpty = ({ keys, files, secrets, settings }: PluginData) => keys + files + secrets + settings === 0;

/** What is lost with a plugin's data, counted. */
export const Losses = ({ data, hasFailed }: { data: PluginData | null; hasFailed: boolean }) => {
  if (data === null) return hasFailed ? deleteTexts.unknown : deleteTexts.loading;
  const { keys, files, fileBytes, secrets, settings } = data;
  const parts = [
    keys > 0 && deleteTexts.keys(keys),
    files > 0 && deleteTexts.files(files, formatBytes(fileBytes)),
    secrets > 0 && deleteTexts.secrets(secrets),
    settings > 0 && deleteTexts.settings(settings),
  ].filter(Boolean);
  return parts.length === 0 ? deleteTexts.nothing : parts.join(", ");
};

/** Words of the dialog that deletes a plugin. */
export const deleteTexts = {
  title: (title: string) => `Delete ${title}?`,
  lead: (name: string) => `The plugin ${name} is stopped and its packages are removed from this server.`,
  retain: "Retain plugin database data",
  retainHint: "The data is available again if you reinstall the plugin.",
  warning: "All plugin data will be deleted. This can't be undone.",
  loading: "Checking stored data",
  unknown: "Could not check how much data it has stored.",
  nothing: "It has no stored data.",
  keys: (amount: number) => counted(amount, "entry", "entries"),
  files: (amount: number, size: string) => `${counted(amount, "file")} (${size})`,
  secrets: (amount: number) => counted(amount, "secret"),
  settings: (amount: number) => counted(amount, "setting"),
  dependents: (titles: string) => `These plugins depend on it and are disabled first: ${titles}.`,
  type: "Type the plugin's name to confirm",
  mismatch: "This doesn't match the plugin's name",
  confirm: "Delete",
  confirmForced: "Disable these and delete",
  failed: "Error deleting plugin",
} as const;
