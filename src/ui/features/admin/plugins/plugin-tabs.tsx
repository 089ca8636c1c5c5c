import { Link } from "wouter";
import { type PluginTab, pluginAddress, pluginTabs } from "./plugin-query.ts";
import { pluginListTexts as texts } from "./texts.ts";

/** The way between the plugins and the keys that vouch for them. They are links: each has an address of its own. */
export const PluginTabs = ({ tab }: { tab: PluginTab }) => (
  <nav aria-label={texts.which} className="flex gap-1 overflow-x-auto border-border border-b">
    {pluginTabs.map((name) => (
      <Link
        key={name}
        href={pluginAddress({ tab: name })}
        aria-current={name === tab ? "page" : undefined}
        className="-mb-px inline-flex h-11 shrink-0 items-center border-transparent border-b-2 px-3 font-medium text-muted-foreground text-sm outline-none transition-colors hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset aria-[current=page]:border-primary aria-[current=page]:text-foreground md:h-9"
      >
        {texts.tabs[name]}
      </Link>
    ))}
  </nav>
);
