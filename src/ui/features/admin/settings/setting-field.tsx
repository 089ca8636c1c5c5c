import { Lock } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { accentFor, pageGrounds } from "#contract/accent.ts";
import { hasLines, type Setting } from "#contract/define-settings.ts";
import { pageSettingsTexts } from "#contract/settings.ts";
import { ownPages } from "#plugins/own-pages.ts";
import { Card, CardTitle } from "#ui/components/ui/card.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { PlainInput } from "#ui/components/ui/input.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import { mayBeHome } from "#ui/lib/define-pages.ts";
import {
  type DeclaredField,
  isLockedByFirewall,
  isSecretPath,
  isSwitchPath,
  type TextPath,
} from "./draft.ts";
import { isLong, optionsOf } from "./setting-control.tsx";
import { SecretField, SwitchRow } from "./setting-rows.tsx";
import { sections, fieldsTexts as texts } from "./texts.ts";
import type { SettingsForm } from "./use-settings-form.ts";

type SettingFieldProps = {
  form: SettingsForm;
  field: DeclaredField;
  /** What stands below it in place of what is declared. */
  hint?: ReactNode;
  /** How a switch stands whatever was chosen, where someone else decides. */
  forced?: boolean | undefined;
};

/** The row of a setting, as its kind wants it. */
export const SettingField = ({ form, field: { path, setting }, hint, forced }: SettingFieldProps) => {
  const isLocked = form.locked.includes(path);
  const words = { label: setting.label, hint: isLocked ? <LockedHint /> : (hint ?? setting.hint) };
  const error = form.errors[path];
  if (isSwitchPath(path))
    return (
      <SwitchRow
        {...words}
        error={error}
        disabled={form.isManaged && isLockedByFirewall(path)}
        checked={forced ?? form.draft[path]}
        onChange={(isOn) => form.set(path, isOn)}
        className="py-3.5"
      />
    );
  if (isSecretPath(path))
    return (
      <SecretField
        {...words}
        name={path}
        error={error}
        value={form.draft[path]}
        isStored={form.saved.hasSecret[path]}
        onChange={(value) => form.set(path, value)}
      />
    );
  if (setting.kind === "color") {
    const { hint: said, ...named } = words;
    const shown = error === undefined && <ColorSamples color={String(form.draft[path]).trim()} />;
    const below = (
      <>
        {said}
        {shown}
      </>
    );
    return (
      <ColorField
        form={form}
        path={path}
        hint={below}
        {...named}
        {...{ isLocked, standard: setting.default }}
      />
    );
  }
  const options = choicesOf(setting, String(form.draft[path]));
  if (options === null && !isLong(setting)) {
    return <TextField form={form} path={path} isLocked={isLocked} {...inputOf(setting)} {...words} />;
  }
  const control = {
    name: path,
    value: form.draft[path],
    onChange: ({ target }: { target: { value: string } }) => form.set(path, target.value),
  };
  return (
    <Field {...words} error={error}>
      {options === null ? (
        <Textarea
          rows={hasLines(setting) ? 6 : 2}
          className={`field-sizing-content max-h-96 ${hasLines(setting) ? "min-h-24" : "min-h-16"}`}
          readOnly={isLocked}
          {...control}
        />
      ) : (
        <Select disabled={isLocked} options={options} {...control} />
      )}
    </Field>
  );
};

/** Why a field can be read only. */
const LockedHint = () => (
  <span className="inline-flex gap-1.5">
    <Lock aria-hidden="true" className="mt-[3px] size-3.5 shrink-0" />
    {pageSettingsTexts.fixedByFile}
  </span>
);

/** What becomes of a color in each theme: as a link and as a button. */
const ColorSamples = ({ color }: { color: string }) => (
  <span className="mt-2 flex flex-wrap gap-2">
    {(["light", "dark"] as const).map((theme) => {
      const accent = accentFor(color, theme);
      return (
        <span
          key={theme}
          className="inline-flex items-center gap-3 rounded-md border px-3 py-2"
          style={{ backgroundColor: pageGrounds[theme], color: accent.color }}
        >
          <span className="underline underline-offset-4">{texts.samples[theme]}</span>
          <span
            className="rounded-md px-2 py-1"
            style={{ backgroundColor: accent.color, color: accent.text }}
          >
            {accent.color}
          </span>
        </span>
      );
    })}
  </span>
);

const inputOf = (setting: Setting): { inputMode?: "numeric" | "url"; placeholder?: string } => {
  if (setting.kind === "endpoint") return { inputMode: "url", placeholder: setting.placeholder };
  return setting.kind === "integer" ? { inputMode: "numeric" } : {};
};

/** What can be chosen; `null` where something is typed. What is saved can be kept, even if it is no choice anymore. */
const choicesOf = (setting: Setting, value: string): [value: string, label: string][] | null => {
  if (setting.kind === "page") {
    const pages = ownPages
      .filter(mayBeHome)
      .map(({ path, title }): [string, string] => [path, `${title} (${path})`]);
    const options = [...Object.entries(setting.options), ...pages];
    return options.some(([option]) => option === value) ? options : [...options, [value, value]];
  }
  return optionsOf(setting);
};

type TextFieldProps = Pick<ComponentProps<"input">, "inputMode" | "placeholder" | "className"> & {
  form: SettingsForm;
  path: TextPath;
  label: string;
  hint?: ReactNode;
  isLocked: boolean;
};

/** A setting that is a text. */
const TextField = ({ form, path, label, hint, isLocked, ...input }: TextFieldProps) => (
  <Field label={label} hint={hint} error={form.errors[path]}>
    <PlainInput
      {...input}
      readOnly={isLocked}
      name={path}
      value={form.draft[path]}
      onChange={({ target }) => form.set(path, target.value)}
    />
  </Field>
);

type ColorFieldProps = Omit<TextFieldProps, "inputMode" | "placeholder"> & { standard: string };

/** A setting that is a color: to type, or to pick. */
const ColorField = ({ form, path, label, hint, isLocked, standard }: ColorFieldProps) => {
  const shown = form.errors[path] === undefined ? form.draft[path].trim() : standard;
  return (
    <div className="relative">
      <TextField
        {...{ form, path, label, hint, isLocked }}
        placeholder={standard}
        className="pl-14 md:pl-12"
      />
      <input
        type="color"
        aria-label={texts.pick(label)}
        disabled={isLocked}
        value={shown}
        onChange={({ target }) => form.set(path, target.value)}
        className="absolute top-[1.875rem] left-1.5 h-8 w-10 cursor-pointer rounded-sm outline-none focus-visible:ring-2 focus-visible:ring-ring disabled:cursor-not-allowed md:h-6 md:w-8"
      />
    </div>
  );
};

type SectionProps = {
  id: string;
  /** Its name, where it is another than on the page of settings. */
  title?: string;
  lead: string;
  /** What stands below the lead: how things are at the moment. */
  status?: ReactNode;
  /** Buttons at the end. */
  actions?: ReactNode;
  children: ReactNode;
};

/** One section of the settings, which its anchor leads to. */
export const Section = ({ id, title, lead, status, actions, children }: SectionProps) => (
  <Card id={id} aria-labelledby={`${id}-title`} className="min-w-0">
    <header className="grid gap-1 border-border border-b px-5 py-4">
      <CardTitle id={`${id}-title`} className="text-base">
        {title ?? sections.find((section) => section.id === id)?.name}
      </CardTitle>
      <p className="text-muted-foreground text-[0.8125rem]">{lead}</p>
      {status}
    </header>
    {children}
    {actions !== undefined && (
      <footer className="flex flex-wrap items-center gap-3 border-border border-t px-5 py-3">
        {actions}
      </footer>
    )}
  </Card>
);
