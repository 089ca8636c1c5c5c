import { type CSSProperties, Fragment, useRef, useState } from "react";
import { accentFor, pageGrounds } from "#contract/accent.ts";
import { siteElementId, siteOf, unsetSite } from "#contract/site.ts";
import { type ImageFile, imageFiles, imageFor, type SiteImage, siteImages } from "#contract/site-images.ts";
import { siteParts } from "#contract/site-settings.ts";
import { BrandMark } from "#ui/components/header-parts.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { CardTitle } from "#ui/components/ui/card.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { client } from "#ui/lib/api.ts";
import { setSite } from "#ui/lib/site.ts";
import { PageHeader } from "../page-header.tsx";
import { getSavedSite, type Saved } from "../settings/api.ts";
import { type Draft, type DraftPath, fieldsOf, type TextPath } from "../settings/draft.ts";
import { FormWithBar, WhenLoaded } from "../settings/form-with-bar.tsx";
import { HistoryPanel } from "../settings/history-panel.tsx";
import { SectionLinks } from "../settings/section-links.tsx";
import { Section, SettingField } from "../settings/setting-field.tsx";
import { type SettingsForm, useSettingsForm } from "../settings/use-settings-form.ts";
import { HomeSections, ProgramsHome } from "./home-sections.tsx";
import { drawnCard, ImageField } from "./image-field.tsx";
import { sitePageTexts as texts } from "./texts.ts";

/** What the site is called, how it looks and who runs it, with a preview of what is typed. */
export const AdminSitePage = () => (
  <div className="grid gap-6">
    <PageHeader title={texts.title} lead={texts.lead} />
    <WhenLoaded load={getSavedSite}>{(saved) => <SiteForm initial={saved} />}</WhenLoaded>
  </div>
);

const SiteForm = ({ initial }: { initial: Pick<Saved, "site"> }) => {
  const element = useRef<HTMLFormElement>(null);
  const [savings, setSavings] = useState(0);
  const [isPreviewing, setIsPreviewing] = useState(false);
  const previewButton = useRef<HTMLButtonElement>(null);
  const form = useSettingsForm({
    ...{ initial, isManaged: false, form: element, complete: withCard },
    onSaved: () => {
      setSavings((count) => count + 1);
      void showSaved();
    },
  });
  return (
    <div className="flex min-w-0 gap-6">
      <div className="flex min-w-0 max-w-[44rem] grow flex-col gap-6">
        <SectionLinks sections={sections} look="row">
          <Button
            ref={previewButton}
            variant="outline"
            size="sm"
            className="shrink-0 max-md:border-0 max-md:bg-transparent max-md:px-1 max-md:text-primary max-md:shadow-none xl:hidden"
            onClick={() => setIsPreviewing(true)}
          >
            {texts.openPreview}
          </Button>
        </SectionLinks>
        <FormWithBar form={form} element={element} className="grid min-w-0 gap-6">
          {siteParts.map((part) => (
            <SitePart key={part} form={form} part={part} />
          ))}
        </FormWithBar>
        <Section id="history" lead={texts.historyLead}>
          <HistoryPanel
            section="site"
            savings={savings}
            onReverted={async () => {
              form.adopt(await getSavedSite());
              void showSaved();
            }}
          />
        </Section>
      </div>
      <section
        aria-labelledby="preview"
        className="sticky top-20 hidden w-80 shrink-0 gap-4 self-start xl:grid 2xl:w-96"
      >
        <header className="grid gap-1">
          <CardTitle id="preview" className="text-base">
            {texts.preview}
          </CardTitle>
          <p className="text-[0.8125rem] text-muted-foreground">{texts.previewLead}</p>
        </header>
        <SitePreview form={form} />
      </section>
      <Sheet
        open={isPreviewing}
        onOpenChange={setIsPreviewing}
        title={texts.preview}
        description={texts.previewLead}
        returnFocusTo={previewButton}
      >
        <SitePreview form={form} />
      </Sheet>
    </div>
  );
};

const sections = [
  ...siteParts.map((id) => ({ id, name: texts.parts[id].name })),
  { id: "history", name: texts.history },
];

/** A card with the settings that are declared to be in it. */
const SitePart = ({ form, part }: { form: SettingsForm; part: (typeof siteParts)[number] }) => {
  const { name, lead } = texts.parts[part];
  return (
    <Section id={part} title={name} lead={lead}>
      <div className={`grid gap-5 p-5 ${part === "images" ? "sm:grid-cols-2" : ""}`}>
        {fieldsOf("site").map((field) => {
          const { own, path, setting } = field;
          if (setting.part !== part) return null;
          if (isImage(own))
            return (
              <ImageField key={path} form={form} image={own} label={setting.label} hint={setting.hint} />
            );
          return (
            <Fragment key={path}>
              <SettingField form={form} field={field} />
              {own === "name" && <ProgramsHome form={form} />}
              {own === "homeText" && <HomeSections form={form} />}
            </Fragment>
          );
        })}
      </div>
    </Section>
  );
};

/** Has this tab say and look as the site now does, with what the server puts into the page. */
const showSaved = async (): Promise<void> => {
  try {
    const response = await fetch(location.pathname);
    if (!response.ok) return;
    const html = await response.text();
    const [, texts] = new RegExp(`id="${siteElementId}">(.*?)</script>`).exec(html) ?? [];
    const [, look = ""] = /<\/style><style>(.*?)<\/style>/s.exec(html) ?? [];
    setSite(texts === undefined ? siteOf(unsetSite) : JSON.parse(texts));
    // The policy of the page allows no other style element than the one that came with it.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(look);
    document.querySelector("head > style + style")?.remove();
    document.adoptedStyleSheets = [sheet];
    // Icons keep their addresses: browsers look again where one is new to them.
    for (const link of document.querySelectorAll<HTMLLinkElement>(
      "link[rel=icon], link[rel=apple-touch-icon]",
    ))
      link.href = `${new URL(link.href).pathname}?${Date.now()}`;
  } catch (error) {
    console.warn("the saved look of the site could not be loaded", error);
  }
};

const isImage = (name: string): name is SiteImage => Object.hasOwn(siteImages, name);

const onCard = ["site.name", "site.tagline", "site.accent", "site.icon", "site.card"] as const;

/** Draws the social card again when something on it has changed, unless someone has chosen one. */
const withCard = async (draft: Draft, changed: readonly DraftPath[]): Promise<Partial<Draft>> => {
  const isOwn = imageFiles(draft["site.card"]).some(({ use }) => use === "full");
  if (isOwn || !onCard.some((path) => changed.includes(path))) return {};
  const words = {
    name: draft["site.name"].trim(),
    tagline: draft["site.tagline"].trim(),
    accent: draft["site.accent"].trim(),
    icon: draft["site.icon"],
  };
  // The built-in one says this name.
  if (words.name === unsetSite.name) return { "site.card": "" };
  try {
    const { data } = await client.settings.uploadImage({ image: "card", files: await drawnCard(words) });
    return { "site.card": data.value };
  } catch (error) {
    // Links are shown without a picture then.
    console.warn("the social card could not be drawn", error);
    return {};
  }
};

type SitePreviewProps = { form: SettingsForm };

/** The site as it would be once the form is saved, in both themes; a field with a mistake is shown as it is saved. */
const SitePreview = ({ form }: SitePreviewProps) => {
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
