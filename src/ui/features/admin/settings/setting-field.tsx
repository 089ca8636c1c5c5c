import { Eye, EyeOff, Lock } from "lucide-react";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { accentFor, pageGrounds } from "#contract/accent.ts";
import { hasLines, type Setting } from "#contract/define-settings.ts";
import { pageSettingsTexts } from "#contract/settings.ts";
import { ownPages } from "#plugins/own-pages.ts";
import { Card, CardTitle } from "#ui/components/ui/card.tsx";
import { Field, Label } from "#ui/components/ui/field.tsx";
import { PlainInput } from "#ui/components/ui/input.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Switch } from "#ui/components/ui/switch.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import { mayBeHome } from "#ui/lib/define-pages.ts";
import {
  type DeclaredField,
  isLockedByFirewall,
  isSecretPath,
  isSwitchPath,
  type SecretPath,
  type SwitchPath,
  type TextPath,
} from "./draft.ts";
import { isLong, optionsOf } from "./setting-control.tsx";
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
  if (isSwitchPath(path)) return <SwitchRow form={form} path={path} forced={forced} {...words} />;
  if (isSecretPath(path)) return <SecretField form={form} path={path} {...words} />;
  if (setting.kind === "color") {
    const { hint: said, ...named } = words;
    const shown = form.errors[path] === undefined && <ColorSamples color={String(form.draft[path]).trim()} />;
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
    <Field {...words} error={form.errors[path]}>
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

type SwitchRowProps = Pick<SettingFieldProps, "form" | "hint" | "forced"> & {
  path: SwitchPath;
  label: string;
};

/** A setting that is on or off. While the firewall manages it, it shows what is in force and cannot be changed. */
const SwitchRow = ({ form, path, label, hint, forced }: SwitchRowProps) => {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4 py-3.5">
      <div className="grid min-w-0 gap-0.5">
        <Label htmlFor={id}>{label}</Label>
        <div id={`${id}-hint`} className="wrap-anywhere text-[0.8125rem] text-muted-foreground leading-5">
          {hint}
        </div>
        {form.errors[path] !== undefined && (
          <p role="alert" className="text-[0.8125rem] text-destructive">
            {form.errors[path]}
          </p>
        )}
      </div>
      <Switch
        id={id}
        aria-describedby={`${id}-hint`}
        disabled={form.isManaged && isLockedByFirewall(path)}
        checked={forced ?? form.draft[path]}
        onCheckedChange={(isOn) => form.set(path, isOn)}
      />
    </div>
  );
};

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

type SecretFieldProps = { form: SettingsForm; path: SecretPath; label: string; hint?: ReactNode };

/** A secret: what is saved is never shown, what is typed only on demand, and what is saved can be marked for removal. */
const SecretField = ({ form, path, label, hint }: SecretFieldProps) => {
  const [isShown, setIsShown] = useState(false);
  const value = form.draft[path];
  const isRemoved = value === null;
  const hasSaved = form.saved.hasSecret[path];
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field
      label={label}
      hint={hint}
      error={form.errors[path]}
      aside={
        hasSaved && (
          <button
            type="button"
            onClick={() => form.set(path, isRemoved ? "" : null)}
            className="-my-3 cursor-pointer rounded-sm py-3 text-[0.8125rem] text-primary underline underline-offset-4 outline-none focus-visible:ring-2 focus-visible:ring-ring md:-my-0.5 md:py-0.5"
          >
            {isRemoved ? texts.keep : texts.remove}
            <span className="sr-only"> {label}</span>
          </button>
        )
      }
    >
      <div className="relative">
        <PlainInput
          name={path}
          type={isShown ? "text" : "password"}
          // Else browsers offer the password of the account, which is no secret of a service.
          autoComplete="new-password"
          disabled={isRemoved}
          placeholder={placeholderOf(isRemoved, hasSaved && form.errors[path] === undefined)}
          value={value ?? ""}
          onChange={({ target }) => form.set(path, target.value)}
          className={value ? "pr-12" : undefined}
        />
        {value && (
          <button
            type="button"
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 right-0 grid w-11 cursor-pointer place-items-center rounded-md text-muted-foreground outline-none hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset md:w-9"
          >
            <Icon aria-hidden="true" className="size-4" />
            {/* Words, not a label of its own: anyone who looks for the field by its label finds one. */}
            <span className="sr-only">
              {isShown ? texts.hide : texts.show} {label}
            </span>
          </button>
        )}
      </div>
    </Field>
  );
};

const placeholderOf = (isRemoved: boolean, isKept: boolean): string | undefined => {
  if (isRemoved) return texts.secretRemoved;
  return isKept ? texts.secretSaved : undefined;
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
