import { Fragment, useRef, useState } from "react";
import { siteElementId, siteOf, unsetSite } from "#contract/site.ts";
import { imageFiles, type SiteImage, siteImages } from "#contract/site-images.ts";
import { siteParts } from "#contract/site-settings.ts";
import { Button } from "#ui/components/ui/button.tsx";
import { CardTitle } from "#ui/components/ui/card.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { client } from "#ui/lib/client.ts";
import { setSite } from "#ui/lib/site.ts";
import { PageHeader } from "../page-header.tsx";
import { getSavedSite, type Saved } from "../settings/api.ts";
import { type Draft, type DraftPath, fieldsOf } from "../settings/draft.ts";
import { FormWithBar, WhenLoaded } from "../settings/form-with-bar.tsx";
import { HistoryPanel } from "../settings/history-panel.tsx";
import { SectionLinks } from "../settings/section-links.tsx";
import { Section, SettingField } from "../settings/setting-field.tsx";
import { type SettingsForm, useSettingsForm } from "../settings/use-settings-form.ts";
import { drawnCard } from "./draw-images.ts";
import { HomeSections, ProgramsHome } from "./home-sections.tsx";
import { ImageField } from "./image-field.tsx";
import { SitePreview } from "./site-preview.tsx";
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
