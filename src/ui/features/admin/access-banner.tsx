import { Alert } from "#ui/components/ui/alert.tsx";
import type { AdminAccess } from "./api.ts";
import { formatDateTime } from "./format.ts";
import { overviewTexts as texts } from "./texts.ts";

/** Says that the reader is let in, with which plugins, and when that was. */
export const AccessBanner = ({ access }: { access: AdminAccess }) => (
  <Alert title={texts.granted}>
    <dl className="flex flex-wrap gap-x-6 gap-y-0.5 text-[0.8125rem]">
      <div className="flex gap-1.5">
        <dt className="text-muted-foreground">{texts.plugins}:</dt>
        <dd>{access.availablePlugins.length === 0 ? texts.none : access.availablePlugins.join(", ")}</dd>
      </div>
      <div className="flex gap-1.5">
        <dt className="text-muted-foreground">{texts.lastAccess}:</dt>
        <dd>
          <time dateTime={access.timestamp}>{formatDateTime(access.timestamp)}</time>
        </dd>
      </div>
    </dl>
  </Alert>
);
