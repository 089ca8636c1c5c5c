import {
  Button,
  CardContent,
  Checkbox,
  ConfirmDialog,
  Field,
  FormDialog,
  Input,
  LeaveQuestion,
  Select,
  Spinner,
  useForm,
} from "@atrium/plugin-sdk/ui";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { saveFailure } from "../calls.ts";
import { texts } from "../texts.ts";
import { type Save, useFirewall, useSaver } from "../use-firewall.ts";
import { ruleMethods, type WindowUnit } from "./rule-values.ts";
import { TitledCard } from "./titled-card.tsx";

type FieldProps = Pick<ComponentProps<typeof Field>, "label" | "hint" | "error"> & { className?: string };

type TextFieldProps = FieldProps &
  Omit<ComponentProps<"input">, "className"> & {
    /** For what is of no language, such as a path. */
    isCode?: boolean;
    isNumber?: boolean;
  };

/** A text of one line below its name. */
export const TextField = ({
  label,
  hint,
  error,
  className = "",
  isCode = false,
  isNumber = false,
  ...input
}: TextFieldProps) => (
  <Field label={label} hint={hint} error={error} className={className}>
    <Input
      autoComplete="off"
      {...(isCode && { autoCapitalize: "none", spellCheck: false, className: "font-mono" })}
      {...(isNumber && { inputMode: "numeric" as const })}
      {...input}
    />
  </Field>
);

/** Choices, and what each is called, in their order. */
type Names<Word = string> = Readonly<Record<string, Word>>;
type ChoiceOf<Of extends Names<unknown>> = `${Extract<keyof Of, string | number>}`;

// What a record is known to have is all that it has: choices are written down as they are.
const choicesIn = <Of extends Names<unknown>>(names: Of) => Object.keys(names) as ChoiceOf<Of>[];

type ChoiceFieldProps<Of extends Names> = FieldProps &
  Omit<ComponentProps<"select">, "className" | "onChange" | "value" | "defaultValue"> & {
    names: Of;
    /** What it is called to choose none. */
    any?: string;
    value?: ChoiceOf<Of> | null;
    defaultValue?: ChoiceOf<Of>;
    /** `null` for none. */
    onChoose?: (choice: ChoiceOf<Of> | null) => void;
  };

/** A choice of one below its name. */
export const ChoiceField = <Of extends Names>({
  label,
  hint,
  error,
  className = "",
  names,
  any,
  value,
  onChoose,
  ...select
}: ChoiceFieldProps<Of>) => (
  <Field label={label} hint={hint} error={error} className={className}>
    <Select
      {...(value !== undefined && { value: value ?? "" })}
      onChange={({ target }) =>
        onChoose?.(choicesIn(names).find((choice) => choice === target.value) ?? null)
      }
      {...select}
      options={[...(any === undefined ? [] : [["", any] as const]), ...Object.entries(names)]}
    />
  </Field>
);

type Explained = { name: string; text: string };

type CardChoiceProps<Of extends Names<Explained>> = {
  label: string;
  names: Of;
  value: ChoiceOf<Of>;
  onChoose: (choice: ChoiceOf<Of>) => void;
  className?: string;
};

/** A choice of one, each with what it means. */
export const CardChoice = <Of extends Names<Explained>>(props: CardChoiceProps<Of>) => {
  const { label, names, value, onChoose, className = "" } = props;
  const id = useId();
  return (
    <fieldset className={`grid gap-2 ${className}`}>
      <legend className="mb-2 font-medium text-sm leading-5">{label}</legend>
      {choicesIn(names).map((choice) => (
        <label
          key={choice}
          className="flex cursor-pointer gap-3 rounded-md border border-border p-3 text-sm has-checked:border-primary has-checked:bg-primary/5"
        >
          <input
            type="radio"
            name={`${id}-choice`}
            checked={value === choice}
            onChange={() => onChoose(choice)}
            className="mt-0.5 size-4 shrink-0 accent-primary focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-ring"
          />
          <span className="grid content-start gap-0.5">
            <span className="font-medium">{names[choice]?.name}</span>
            <span className="text-[0.8125rem] text-muted-foreground">{names[choice]?.text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
};

type ChecksProps<Of extends Names> = {
  label: string;
  names: Of;
  chosen: readonly ChoiceOf<Of>[];
  /** In the order of the names. */
  onChange: (chosen: ChoiceOf<Of>[]) => void;
  className?: string;
  /** Hint or error. */
  children?: ReactNode;
};

/** A choice of several. */
export const Checks = <Of extends Names>(props: ChecksProps<Of>) => {
  const { label, names, chosen, onChange, className = "", children } = props;
  const choices = choicesIn(names);
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-2 font-medium text-sm">{label}</legend>
      <div className={className}>
        {choices.map((choice) => (
          <Checkbox
            key={choice}
            label={names[choice] ?? choice}
            checked={chosen.includes(choice)}
            onChange={() =>
              onChange(choices.filter((other) => (other === choice) !== chosen.includes(other)))
            }
          />
        ))}
      </div>
      {children}
    </fieldset>
  );
};

type RuleFormOptions<Name extends string> = {
  rules: Parameters<typeof useForm<Name>>[0]["rules"];
  /** Saves what was typed, and resolves to what is said of it; `null` leaves the dialog open. */
  send: (values: Record<Name, string>, save: Save) => Promise<string | null>;
  onClose: () => void;
};

/** Takes any text. */
export const isFine = (): null => null;

/** The form of a dialog, which closes once it was saved; `field` gives a field its name and what is wrong with its text. */
export const useRuleForm = <Name extends string>({ rules, send, onClose }: RuleFormOptions<Name>) => {
  const { api } = useFirewall();
  const save = useSaver(true);
  const form = useForm({
    rules,
    send: async (values) => {
      const said = await send(values, save);
      if (said === null) return;
      api.notify(said);
      onClose();
    },
    explain: saveFailure,
  });
  return { ...form, field: (name: Name) => ({ name, error: form.errors[name] }) };
};

type RuleDialogProps = Omit<ComponentProps<typeof FormDialog>, "title" | "action"> & {
  words: Record<"add" | "addTitle" | "remove" | "removeText" | "removeFailed", string>;
  /** The rule that is changed, in words, and how it is deleted; none for a new one. */
  known: { title: string; question: string; removed: string; remove: () => Promise<unknown> } | undefined;
};

/** A form in a dialog that adds a rule, or changes one that can also be deleted, after a question. */
export const RuleDialog = ({ words, known, children, ...dialog }: RuleDialogProps) => {
  const { api } = useFirewall();
  const save = useSaver(true);
  const [isRemoving, setIsRemoving] = useState(false);
  if (known === undefined)
    return (
      <FormDialog title={words.addTitle} action={words.add} {...dialog}>
        {children}
      </FormDialog>
    );
  return (
    <FormDialog title={known.title} action={texts.save} {...dialog}>
      {children}
      <Button
        variant="outline"
        size="sm"
        className="justify-self-start text-destructive"
        onClick={() => setIsRemoving(true)}
      >
        {words.remove}
      </Button>
      <ConfirmDialog
        open={isRemoving}
        onClose={() => setIsRemoving(false)}
        title={known.question}
        question={words.removeText}
        action={words.remove}
        fallback={words.removeFailed}
        onConfirm={async () => {
          await save(known.remove);
          api.notify(known.removed);
          dialog.onClose();
        }}
      />
    </FormDialog>
  );
};

type SavedFormProps = {
  title: string;
  lead?: ReactNode;
  isDirty: boolean;
  /** Why it can't be saved, to be said once that is tried; empty where the fields say it. */
  complaint?: string | null;
  /** Saves what was changed at this revision of the rules. */
  send: (revision: number) => Promise<unknown>;
  /** Forgets what was changed. */
  onDiscard: () => void;
  /** What goes above the form. */
  top?: ReactNode;
  children: ReactNode;
};

/** A card with a form that is saved whole; whoever leaves it with changes is asked first. */
export const SavedForm = ({ title, lead, isDirty, complaint = null, ...props }: SavedFormProps) => {
  const { send, onDiscard, top, children } = props;
  const save = useSaver();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const submit = async () => {
    if (!isDirty || isBusy) return;
    setFailure(complaint ?? "");
    if (complaint !== null) return;
    setIsBusy(true);
    try {
      await save(send);
      onDiscard();
    } catch (error) {
      setFailure(saveFailure(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <TitledCard title={title} lead={lead}>
      <LeaveQuestion isHeld={isDirty} question={texts.leaveText} />
      <CardContent className="grid grid-cols-1 gap-5">
        {top}
        <form
          noValidate
          className="grid grid-cols-1 gap-5"
          onChange={() => setFailure("")}
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          {children}
          {failure !== "" && (
            <p role="alert" className="wrap-anywhere text-[0.8125rem] text-destructive">
              {failure}
            </p>
          )}
          <div className="flex flex-wrap items-center justify-end gap-2">
            <p role="status" className="grow text-[0.8125rem] text-muted-foreground">
              {isDirty && texts.unsaved}
            </p>
            {/* Both keep the focus when they have done what they do. */}
            <Button
              variant="outline"
              size="sm"
              aria-disabled={!isDirty}
              onClick={() => {
                setFailure("");
                if (isDirty) onDiscard();
              }}
            >
              {texts.discard}
            </Button>
            <Button
              type="submit"
              size="sm"
              aria-disabled={!isDirty || isBusy}
              aria-busy={isBusy || undefined}
              onClick={(event) => (!isDirty || isBusy) && event.preventDefault()}
            >
              {isBusy && <Spinner />}
              {texts.save}
            </Button>
          </div>
        </form>
      </CardContent>
    </TitledCard>
  );
};

type RouteFieldsProps = {
  method?: string | undefined;
  path: string;
  error: string | undefined;
  hint: string;
};

/** The fields `method` and `path` of a rule. */
export const RouteFields = ({ method = "*", path, error, hint }: RouteFieldsProps) => (
  <div className="grid grid-cols-[7rem_1fr] items-start gap-3">
    {/* A request may have come by another method, such as HEAD. */}
    <ChoiceField
      label={texts.method}
      name="method"
      names={{ ...ruleMethods, ...(!(method in ruleMethods) && { [method]: method }) }}
      defaultValue={method}
    />
    <TextField label={texts.path} name="path" error={error} isCode defaultValue={path} required />
    <p className="col-span-2 -mt-1 text-[0.8125rem] text-muted-foreground">{hint}</p>
  </div>
);

type WindowFieldsProps = {
  errors: { max?: string; windowMs?: string };
  max: number;
  amount: number;
  unit: WindowUnit;
};

/** The fields `max`, `windowMs` and `unit` of a limit. */
export const WindowFields = ({ errors, max, amount, unit }: WindowFieldsProps) => (
  <div className="grid grid-cols-[1fr_1fr_8rem] items-start gap-3">
    <TextField label={texts.max} name="max" error={errors.max} isNumber defaultValue={max} />
    <TextField label={texts.within} name="windowMs" error={errors.windowMs} isNumber defaultValue={amount} />
    <ChoiceField label={texts.unit} name="unit" names={texts.units} defaultValue={unit} />
  </div>
);
