import { ChevronLeft } from "lucide-react";
import { Link } from "wouter";
import { detailsTexts as texts } from "./texts.ts";

/** The way from a plugin's page back to the list. */
export const PluginsLink = () => (
  <Link
    href="/admin/plugins"
    className="-my-2 inline-flex min-h-11 items-center gap-1 justify-self-start rounded-sm text-[0.8125rem] text-muted-foreground outline-none hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring md:my-0 md:min-h-6"
  >
    <ChevronLeft aria-hidden="true" className="size-4" />
    {texts.toPlugins}
  </Link>
);
