import { ChevronDown, ChevronUp } from "lucide-react";
import { builtInHomeText, homeSections, sectionTitle, withSectionUp } from "#contract/home-text.ts";
import { isProgramsHome } from "#contract/site.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import type { SettingsForm } from "../settings/use-settings-form.ts";
import { sitePageTexts as texts } from "./texts.ts";

type FormProps = { form: SettingsForm };

/** Says that a site of another name would show the program's landing page, with the way to another one. */
export const ProgramsHome = ({ form }: FormProps) => {
  const [name, home] = [form.draft["site.name"].trim(), form.draft["site.home"]];
  if (!isProgramsHome({ name, home }) || form.locked.includes("site.home")) return null;
  return (
    <Alert
      severity="info"
      title={texts.programsHome}
      actions={
        <Button variant="outline" size="sm" onClick={() => form.set("site.home", "sections")}>
          {texts.useOwnHome}
        </Button>
      }
    >
      {texts.programsHomeText(name)}
    </Alert>
  );
};

/** The sections of a home page of one's own, to be put in another order. What is typed of them is the text above. */
export const HomeSections = ({ form }: FormProps) => {
  const text = form.draft["site.homeText"];
  const shown = text.trim() === "" ? builtInHomeText : text;
  const titles = homeSections(shown).sections.map(sectionTitle);
  const set = (next: string) => form.set("site.homeText", next);
  if (form.draft["site.home"] !== "sections" || form.locked.includes("site.homeText")) return null;
  return (
    <div className="-mt-1 grid justify-items-start gap-2">
      <ol aria-label={texts.sectionOrder} className="w-full divide-y divide-border rounded-md border">
        {titles.map((title, at) => (
          <li
            key={`${title} ${titles.slice(0, at).filter((other) => other === title).length}`}
            className="flex items-center gap-1 py-0.5 pr-1 pl-3"
          >
            <span className="min-w-0 grow truncate">{title}</span>
            <Mover
              label={texts.moveUp(title)}
              Icon={ChevronUp}
              isOff={at === 0}
              onClick={() => set(withSectionUp(shown, at))}
            />
            <Mover
              label={texts.moveDown(title)}
              Icon={ChevronDown}
              isOff={at === titles.length - 1}
              onClick={() => set(withSectionUp(shown, at + 1))}
            />
          </li>
        ))}
      </ol>
      {text.trim() === "" && (
        <Button variant="outline" size="sm" onClick={() => set(builtInHomeText)}>
          {texts.editGeneral}
        </Button>
      )}
    </div>
  );
};

type MoverProps = { label: string; Icon: typeof ChevronUp; isOff: boolean; onClick: () => void };

/** It keeps the focus at the end of the list, where it does nothing. */
const Mover = ({ label, Icon, isOff, onClick }: MoverProps) => (
  <button
    type="button"
    aria-disabled={isOff}
    onClick={() => !isOff && onClick()}
    className="grid size-11 shrink-0 cursor-pointer place-items-center rounded-md text-muted-foreground outline-none hover:bg-accent hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring aria-disabled:cursor-default aria-disabled:opacity-40 md:size-8"
  >
    <Icon aria-hidden="true" className="size-4" />
    <span className="sr-only">{label}</span>
  </button>
);
