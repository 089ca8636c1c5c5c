import type { PluginDetails } from "#contract/plugins.ts";
import { Button } from "#ui/components/ui/button.tsx";
import { formatBytes, formatCount } from "../../format.ts";
import { FactRow, FactsCard } from "./facts-card.tsx";
import { dataTexts, detailsTexts } from "./texts.ts";

type DataTabProps = { plugin: PluginDetails; onDelete: () => void };

/** What a plugin has stored, and so what deleting it would remove. */
export const DataTab = ({ plugin: { data, core }, onDelete }: DataTabProps) => {
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
    </div>
  );
};
