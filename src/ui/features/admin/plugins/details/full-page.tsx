import { ChevronLeft } from "lucide-react";
import { useEffect } from "react";
import { Link, Redirect } from "wouter";
import type { PluginDetails } from "#contract/plugins.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { adminTitle, useSite } from "#ui/lib/site.ts";
import { LazyPart } from "../../list-parts.tsx";
import { PageHeader, SafeModeBanner } from "../../page-header.tsx";
import { detailsTexts } from "./texts.ts";

/** The code that shows plugins' own pages. */
export const frontendCode = async () =>
  (await import("#ui/plugin-host/plugin-frontend.tsx")).PluginFrontendPart;

/** `base` is the page's address, `path` where below it the reader is. */
type FullPageProps = { plugin: PluginDetails; base: string; path: string };

/** A plugin's own page over the whole width, while the plugin is on. */
export const FullPage = ({ plugin, base, path }: FullPageProps) => {
  const { name, title, enabled, frontend } = plugin;
  if (!enabled) return <AbsentPlugin name={name} title={title} isOff />;
  if (frontend === null) return <Redirect href={`/admin/plugins/${name}`} replace />;
  return (
    <div className="grid gap-6">
      <PageHeader
        title={title}
        actions={
          <div className="flex flex-wrap gap-2">
            {name === "plugin-template" && (
              <a href="/api/plugins/my-plugin/starter" download className={look}>
                {detailsTexts.template}
              </a>
            )}
            <Link href={`/admin/plugins/${name}?tab=overview`} className={look}>
              {detailsTexts.manage}
            </Link>
          </div>
        }
      />
      <SafeModeBanner />
      <LazyPart code={frontendCode} props={{ plugin, base, path }} fallback={null} />
    </div>
  );
};

const look = buttonVariants({ variant: "outline", size: "sm" });

type AbsentPluginProps = { name: string; title?: string; isOff?: boolean };

/** Shown in place of a page whose plugin is not there, with the ways on. */
export const AbsentPlugin = ({ name, title = titleFor(name), isOff = false }: AbsentPluginProps) => {
  const site = useSite();
  useEffect(() => {
    document.title = adminTitle(title, site);
  }, [title, site]);
  return (
    <div className="grid gap-6">
      <PageHeader title={title} />
      <Alert
        severity="warning"
        title={detailsTexts.absent(name)}
        actions={
          <>
            <Link href="/admin/plugins" className={look}>
              {detailsTexts.toPlugins}
            </Link>
            <Link href="/admin" className={look}>
              {detailsTexts.toAdmin}
            </Link>
          </>
        }
      >
        {isOff ? detailsTexts.absentText : detailsTexts.notInstalled}
      </Alert>
    </div>
  );
};

/** What a plugin is called of which nothing but its name is known. */
const titleFor = (name: string): string => {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The way from a plugin's page back to the list. */
export const PluginsLink = () => (
  <Link
    href="/admin/plugins"
    className="-my-2 inline-flex min-h-11 items-center gap-1 justify-self-start rounded-sm text-[0.8125rem] text-muted-foreground outline-none hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring md:my-0 md:min-h-6"
  >
    <ChevronLeft aria-hidden="true" className="size-4" />
    {detailsTexts.toPlugins}
  </Link>
);
