import { Link } from "wouter";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { Card, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import { cn } from "#ui/lib/cn.ts";
import { cardsOf, menuItemsOf } from "#ui/plugin-host/panel-items.ts";
import { PluginIcon } from "#ui/plugin-host/plugin-icon.tsx";
import type { RegistryState } from "#ui/plugin-host/registry.ts";
import { overviewTexts as texts } from "./texts.ts";

/** The ways to what plugins add to the admin area, and to the plugins themselves. */
export const AdminMenu = ({ registry }: { registry: RegistryState }) => (
  <Card aria-label={texts.menu}>
    <CardHeader>
      <CardTitle>{texts.menu}</CardTitle>
    </CardHeader>
    <ul className="divide-y divide-border border-border border-t">
      {[...menuItemsOf(registry), management].map(({ id, title, description, path, icon }) => (
        <li
          key={id}
          className="relative flex min-h-11 items-center gap-3 px-5 py-2 text-sm hover:bg-muted/60"
        >
          <PluginIcon name={icon} className="size-4 shrink-0 text-muted-foreground" />
          <div className="min-w-0">
            <Link
              href={path}
              className="wrap-anywhere font-medium outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset"
            >
              {title}
            </Link>
            {description !== "" && (
              <p className="wrap-anywhere text-[0.8125rem] text-muted-foreground">{description}</p>
            )}
          </div>
        </li>
      ))}
    </ul>
  </Card>
);

// No plugin's name has a slash.
const management = {
  id: "/",
  title: texts.management,
  description: texts.managementText,
  path: "/admin/plugins",
  icon: "Extension",
};

/** A card for each plugin that has one. */
export const PluginCards = ({ registry }: { registry: RegistryState }) => {
  const cards = cardsOf(registry);
  if (cards.length === 0) return null;
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {cards.map(({ id, title, description, path, icon, color, buttonText }) => (
        <Card key={id} aria-label={title} className="flex min-w-0 flex-col gap-3 p-5">
          <div className="flex items-center gap-2.5">
            <PluginIcon name={icon} className={cn("size-5 shrink-0", colorOf(color))} />
            <CardTitle className="wrap-anywhere min-w-0">{title}</CardTitle>
          </div>
          <p className="wrap-anywhere grow text-[0.8125rem] text-muted-foreground">{description}</p>
          <Link
            href={path}
            aria-label={texts.openCard(buttonText, title)}
            className={cn(buttonVariants({ variant: "outline", size: "sm" }), "self-start")}
          >
            {buttonText}
          </Link>
        </Card>
      ))}
    </div>
  );
};

const colors: Record<string, string> = {
  primary: "text-primary",
  success: "text-success",
  warning: "text-warning",
  info: "text-info",
  error: "text-destructive",
};

const colorOf = (name: string): string =>
  (Object.hasOwn(colors, name) ? colors[name] : undefined) ?? "text-primary";
