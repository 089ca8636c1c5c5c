import { Link, Redirect } from "wouter";
import type { PluginDetails } from "#contract/plugins.ts";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { PageHeader } from "../../page-header.tsx";
import { SafeModeBanner } from "../../safe-mode-banner.tsx";
import { AbsentPlugin } from "./absent-plugin.tsx";
import { LazyPart } from "./lazy-part.tsx";
import { detailsTexts as texts } from "./texts.ts";

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
                {texts.template}
              </a>
            )}
            <Link href={`/admin/plugins/${name}?tab=overview`} className={look}>
              {texts.manage}
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
