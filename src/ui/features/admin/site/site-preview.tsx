import type { CSSProperties } from "react";
import { accentFor, pageGrounds } from "#contract/accent.ts";
import { siteOf, unsetSite } from "#contract/site.ts";
import { type ImageFile, imageFor } from "#contract/site-images.ts";
import { BrandMark } from "#ui/components/brand.tsx";
import type { TextPath } from "../settings/draft.ts";
import type { SettingsForm } from "../settings/use-settings-form.ts";
import { sitePageTexts as texts } from "./texts.ts";

type SitePreviewProps = { form: SettingsForm };

/** The site as it would be once the form is saved, in both themes; a field with a mistake is shown as it is saved. */
export const SitePreview = ({ form }: SitePreviewProps) => {
  const { draft, saved, errors } = form;
  const said = (path: TextPath) => (errors[path] === undefined ? draft[path] : saved.draft[path]).trim();
  const site = siteOf({
    ...unsetSite,
    name: said("site.name"),
    shortName: said("site.shortName"),
    tagline: said("site.tagline"),
    legalName: said("site.legalName"),
    supportEmail: said("site.supportEmail"),
  });
  return (
    <div className="grid gap-4">
      {(["light", "dark"] as const).map((theme) => (
        <ThemePreview
          key={theme}
          theme={theme}
          name={site.name}
          title={site.headline}
          accent={said("site.accent")}
          icon={imageFor(said("site.icon"), "icon", 192)}
          logo={imageFor(
            (theme === "dark" && said("site.logoDark")) || said("site.logo") || said("site.logoDark"),
            "full",
          )}
          mailLogo={imageFor(said("site.logo"), "email")}
        />
      ))}
    </div>
  );
};

type Theme = keyof typeof pageGrounds;
type ThemePreviewProps = {
  theme: Theme;
  name: string;
  title: string;
  accent: string;
  icon: ImageFile | null;
  logo: ImageFile | null;
  mailLogo: ImageFile | null;
};

/** A browser's tab, a page's header with a link and a button, and the head of an email. */
const ThemePreview = ({ theme, name, title, accent, icon, logo, mailLogo }: ThemePreviewProps) => (
  <div
    role="img"
    aria-label={texts.themes[theme]}
    style={tokensOf(theme, accent)}
    className="grid min-w-0 select-none grid-cols-1 overflow-hidden rounded-lg border text-foreground text-sm"
  >
    <div className="flex bg-muted px-2 pt-2">
      <span className="flex h-8 min-w-0 max-w-full items-center gap-1.5 rounded-t-md bg-background px-3 text-xs">
        <Sign icon={icon} className="size-3.5" />
        <span className="truncate">{title}</span>
      </span>
    </div>
    <div className="flex h-12 items-center gap-2 border-b bg-background px-4">
      {logo === null ? (
        <>
          <Sign icon={icon} className="size-5" />
          <span className="truncate font-semibold tracking-tight">{name}</span>
        </>
      ) : (
        <img src={logo.address} alt="" className="h-7 max-w-44 object-contain object-left" />
      )}
      <span className="ml-auto text-muted-foreground text-xs">{texts.sample.menu}</span>
    </div>
    <div className="flex flex-wrap items-center gap-4 bg-background p-4">
      <span className="inline-flex h-9 items-center rounded-md bg-primary px-3.5 font-medium text-primary-foreground">
        {texts.sample.button}
      </span>
      <span className="text-primary underline underline-offset-4">{texts.sample.link}</span>
    </div>
    <div className="grid gap-2 border-t bg-muted p-4">
      {mailLogo === null ? (
        <span className="truncate font-semibold text-primary">{name}</span>
      ) : (
        <img
          src={mailLogo.address}
          alt=""
          className="h-8 max-w-56 rounded-md bg-[#f6f4f1] object-contain object-left"
        />
      )}
      <div className="grid justify-items-start gap-2.5 rounded-md border bg-card p-3.5">
        <span className="font-semibold">{texts.sample.mail}</span>
        <span className="rounded-md bg-primary px-3 py-1.5 font-semibold text-primary-foreground text-xs">
          {texts.sample.mail}
        </span>
      </div>
    </div>
  </div>
);

const Sign = ({ icon, className }: { icon: ImageFile | null; className: string }) =>
  icon === null ? (
    // Not as the page's own style sheet shows it.
    <BrandMark data-brand={undefined} className={`${className} shrink-0 text-primary`} />
  ) : (
    <img src={icon.address} alt="" className={`${className} shrink-0 object-contain`} />
  );

// The theme that is not in use can't be had from the style sheet: these are the tokens of src/ui/styles/tokens.css.
const grounds = {
  light: { foreground: "#1f1b17", card: "#ffffff", muted: "#f4f2ef", soft: "#69625b", border: "#e1ddd9" },
  dark: { foreground: "#ebe9e6", card: "#181715", muted: "#23211f", soft: "#aaa39b", border: "#302d2a" },
} as const satisfies Record<Theme, object>;

const tokensOf = (theme: Theme, accent: string): CSSProperties => {
  const { color, text } = accentFor(accent, theme);
  const { soft, ...ground } = grounds[theme];
  const tokens = { ...ground, background: pageGrounds[theme], "muted-foreground": soft };
  const all = { ...tokens, primary: color, "primary-foreground": text };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [`--${name}`, value]));
};
