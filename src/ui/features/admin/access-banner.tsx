import type { AdminAccess } from "#api/modules/system/contract.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { formatDateTime } from "./format.ts";
import { overviewTexts as texts } from "./texts.ts";

/** Says that the reader is let in, with which plugins, and when that was. */
export const AccessBanner = ({ access }: { access: AdminAccess }) => (
  <Alert title={texts.granted}>
    <dl className="flex flex-wrap gap-x-6 gap-y-0.5 text-[0.8125rem]">
      <div>
        <dt className="mr-1.5 inline text-muted-foreground">{texts.plugins}:</dt>
        <dd className="inline">
          {access.availablePlugins.length === 0 ? texts.none : access.availablePlugins.join(", ")}
        </dd>
      </div>
      <div>
        <dt className="mr-1.5 inline text-muted-foreground">{texts.lastAccess}:</dt>
        <dd className="inline">
          <time dateTime={access.timestamp}>{formatDateTime(access.timestamp)}</time>
        </dd>
      </div>
    </dl>
  </Alert>
);
