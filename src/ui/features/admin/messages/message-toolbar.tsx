import { Download } from "lucide-react";
import { contactSubjects } from "#contract/contact-rules.ts";
import { pageLimits } from "#contract/limits.ts";
import { DownloadLink } from "#ui/components/download-link.tsx";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { addressOf } from "#ui/lib/client.ts";
import { formatCount } from "../format.ts";
import { oneOf } from "../list-filters.ts";
import { ListSearch } from "../list-search.tsx";
import { type MessageFilters, messageStatuses, wantedOf } from "./message-filters.ts";
import { messagesTexts as texts } from "./texts.ts";

type MessageToolbarProps = {
  filters: MessageFilters;
  onFilter: (change: Partial<MessageFilters>) => void;
};

/** Narrows the list down. */
export const MessageToolbar = ({ filters, onFilter }: MessageToolbarProps) => (
  <div className="grid items-end gap-4 sm:grid-cols-[minmax(0,24rem)_10rem_11rem]">
    <ListSearch search={filters.search} hint={texts.searchHint} onSearch={(search) => onFilter({ search })} />
    <Field label={texts.subject}>
      <Select
        value={filters.subject ?? ""}
        onChange={(event) => onFilter({ subject: oneOf(contactSubjects, event.target.value) })}
      >
        <option value="">{texts.anySubject}</option>
        {contactSubjects.map((subject) => (
          <option key={subject}>{subject}</option>
        ))}
      </Select>
    </Field>
    <Field label={texts.status}>
      <Select
        value={filters.status ?? ""}
        onChange={(event) => onFilter({ status: oneOf(messageStatuses, event.target.value) })}
      >
        <option value="">{texts.anyStatus}</option>
        {messageStatuses.map((status) => (
          <option key={status} value={status}>
            {texts.statuses[status]}
          </option>
        ))}
      </Select>
    </Field>
  </div>
);

/** Links that download what matches at the moment. */
export const ExportLinks = ({ filters, total }: { filters: MessageFilters; total: number }) => (
  <div className="grid justify-items-end gap-1">
    <div className="flex flex-wrap gap-2">
      {(["csv", "ndjson"] as const).map((format) => (
        <DownloadLink
          key={format}
          href={addressOf("contact.export", { format, ...wantedOf(filters) })}
          className={buttonVariants({ variant: "outline", size: "sm" })}
        >
          <Download aria-hidden="true" />
          {format === "csv" ? texts.exportCsv : texts.exportNdjson}
        </DownloadLink>
      ))}
    </div>
    {total > pageLimits.exportRows && (
      <p className="text-muted-foreground text-xs">{texts.exportHint(formatCount(pageLimits.exportRows))}</p>
    )}
  </div>
);
