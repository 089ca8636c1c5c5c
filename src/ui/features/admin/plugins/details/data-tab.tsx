import { useState } from "react";
import type { PluginDetails, RetainedData } from "#contract/plugins.ts";
import { FormDialog } from "#ui/components/form.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
import { formatBytes, formatCount, formatDateTime } from "../../format.ts";
import { deleteTexts, Losses, TypedName } from "../delete-plugin-dialog.tsx";
import { FactRow, FactsCard } from "./overview-tab.tsx";
import { dataTexts, detailsTexts, dataTexts as texts } from "./texts.ts";

type DataTabProps = { plugin: PluginDetails; onChange: () => void; onDelete: () => void };

/** What a plugin has stored, and so what deleting it would remove. */
export const DataTab = ({ plugin: { name, data, retained, core }, onChange, onDelete }: DataTabProps) => {
  const [unwanted, setUnwanted] = useState<RetainedData | null>(null);
  const { keys, files, fileBytes, secrets, settings, usedBytes, quotaBytes } = data;
  const isEmpty = keys + files + secrets + settings === 0;
  return (
    <div className="grid gap-3">
      <p className="max-w-prose text-pretty text-muted-foreground text-sm">
        {isEmpty ? dataTexts.nothing : dataTexts.lead}
      </p>
      <FactsCard title={detailsTexts.tabs.data}>
        <FactRow name={dataTexts.keys}>{formatCount(keys)}</FactRow>
        <FactRow name={dataTexts.files}>
          {files === 0 ? formatCount(0) : dataTexts.filesOf(formatCount(files), formatBytes(fileBytes))}
        </FactRow>
        <FactRow name={dataTexts.quota}>
          {dataTexts.quotaOf(formatBytes(usedBytes), formatBytes(quotaBytes))}
        </FactRow>
        <FactRow name={dataTexts.secrets}>{formatCount(secrets)}</FactRow>
        <FactRow name={dataTexts.settings}>{formatCount(settings)}</FactRow>
      </FactsCard>
      {core ? (
        <p className="text-muted-foreground text-sm">{dataTexts.core}</p>
      ) : (
        <div>
          <Button variant="outline" size="sm" aria-haspopup="dialog" onClick={onDelete}>
            {dataTexts.remove}
          </Button>
        </div>
      )}
      {retained.length > 0 && (
        <>
          <p className="max-w-prose text-pretty text-muted-foreground text-sm">{dataTexts.retainedLead}</p>
          <FactsCard title={dataTexts.retained}>
            {retained.map((kept) => (
              <FactRow
                key={kept.publisher}
                name={dataTexts.retainedOf(kept.publisherName, kept.version, formatDateTime(kept.retainedAt))}
              >
                <span className="flex flex-wrap items-center gap-3">
                  <Losses data={kept.data} hasFailed={false} />
                  <Button
                    variant="outline"
                    size="sm"
                    aria-haspopup="dialog"
                    aria-label={dataTexts.deleteRetainedOf(kept.publisherName)}
                    onClick={() => setUnwanted(kept)}
                  >
                    {dataTexts.deleteRetained}
                  </Button>
                </span>
              </FactRow>
            ))}
          </FactsCard>
        </>
      )}
      {unwanted !== null && (
        <DeleteRetainedDialog
          name={name}
          retained={unwanted}
          onClose={() => setUnwanted(null)}
          onChange={onChange}
        />
      )}
    </div>
  );
};

type DeleteRetainedDialogProps = {
  name: string;
  retained: RetainedData;
  onClose: () => void;
  onChange: () => void;
};

/** Names what is lost of a former publisher's plugin, and wants the plugin's name typed. */
const DeleteRetainedDialog = ({ name, retained, onClose, onChange }: DeleteRetainedDialogProps) => {
  const { publisher, publisherName, data } = retained;
  const { errors, ...form } = useForm({
    rules: { name: (typed) => (typed.trim() === name ? null : deleteTexts.mismatch) },
    send: async () => {
      const { message } = await client.plugins.deleteRetained({ name, publisher });
      notify({ tone: "success", message });
      onClose();
      onChange();
    },
    explain: (failure) => failureText(failure, texts.deleteRetainedFailed),
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={texts.deleteRetainedTitle(publisherName)}
      description={texts.deleteRetainedLead}
      action={texts.deleteRetained}
      isDangerous
    >
      <Alert severity="warning">
        <Losses data={data} hasFailed={false} />
      </Alert>
      <TypedName name={name} error={errors.name} />
    </FormDialog>
  );
};
