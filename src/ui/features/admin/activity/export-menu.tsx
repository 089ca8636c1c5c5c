import { ChevronDown, Download } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { pageLimits } from "#contract/limits.ts";
import { DownloadLink } from "#ui/components/download-link.tsx";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { addressOf } from "#ui/lib/client.ts";
import { cn } from "#ui/lib/cn.ts";
import { formatCount } from "../format.ts";
import { type ActivityFilters, filterInput } from "./activity-view.ts";
import { exportTexts as texts } from "./texts.ts";

const look = buttonVariants({ variant: "outline", size: "sm" });

/** Saves what the filters show: as CSV at one press, or in the format chosen behind the arrow. */
export const ExportMenu = ({ filters }: { filters: ActivityFilters }) => {
  const addressIn = (format: "csv" | "ndjson") =>
    addressOf("activity.export", { ...filterInput(filters), format });
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute("open");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    close();
    menu.current?.querySelector("summary")?.focus();
  };
  return (
    <div className="relative flex">
      <DownloadLink
        href={addressIn("csv")}
        title={texts.csv}
        className={cn(look, "rounded-r-none focus-visible:z-1")}
      >
        <Download aria-hidden="true" />
        {texts.label}
      </DownloadLink>
      <details
        ref={menu}
        onKeyDown={onKeyDown}
        onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || close()}
      >
        <summary
          aria-label={texts.more}
          title={texts.more}
          className={cn(look, "-ml-px list-none rounded-l-none px-2 max-md:w-11")}
        >
          <ChevronDown aria-hidden="true" />
        </summary>
        {/* Takes the focus of a press on its words, so that it stays open. */}
        <div
          tabIndex={-1}
          className="absolute left-0 z-20 mt-1.5 grid w-72 rounded-md border border-border bg-popover p-1 text-popover-foreground text-sm shadow-lg outline-none sm:right-0 sm:left-auto"
        >
          {(["csv", "ndjson"] as const).map((format) => (
            <DownloadLink
              key={format}
              href={addressIn(format)}
              onClick={close}
              className="flex h-11 items-center rounded-sm px-2.5 outline-none hover:bg-accent focus-visible:bg-accent focus-visible:ring-2 focus-visible:ring-ring md:h-8"
            >
              {texts[format]}
            </DownloadLink>
          ))}
          <p className="px-2.5 py-2 text-muted-foreground text-xs">
            {texts.hint(formatCount(pageLimits.exportRows))}
          </p>
        </div>
      </details>
    </div>
  );
};
