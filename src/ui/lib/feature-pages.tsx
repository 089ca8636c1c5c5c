import { Inbox } from "lucide-react";
import { type ReactNode, useCallback } from "react";
import type { ClientOf } from "#api/operations.ts";
import { emailComplaint } from "#contract/account-rules.ts";
import { placeCall } from "#contract/create-client.ts";
import {
  type AnyFeature,
  type FeatureField,
  type FeatureFields,
  type FieldValues,
  fieldComplaints,
  fieldLengths,
  isWebAddress,
  moduleOf,
  namesOf,
} from "#contract/define-feature.ts";
import { ownCalls } from "#plugins/own-calls.ts";
import { RetryAlert } from "#ui/components/retry-alert.tsx";
import { Card } from "../components/ui/card.tsx";
import { Checkbox } from "../components/ui/checkbox.tsx";
import { Field } from "../components/ui/field.tsx";
import { Input } from "../components/ui/input.tsx";
import { Select } from "../components/ui/select.tsx";
import { Skeleton } from "../components/ui/skeleton.tsx";
import { Textarea } from "../components/ui/textarea.tsx";
import type { FormErrors, FormRules } from "../components/ui/use-form.ts";
import { EmptyList } from "../features/admin/list-parts.tsx";
import { PageHeader } from "../features/admin/page-header.tsx";
import { ListPager, ListSearch, pageBounds } from "../features/admin/paged-list.tsx";
import { addressQuery, pageParam, textParam, useAddressQuery } from "./address-query.ts";
import { failureText, sendPlaced } from "./api.ts";
import { useLoad } from "./use-load.ts";

type Values = { readonly [name: string]: unknown };

type FieldInputsProps<F extends FeatureFields> = {
  fields: F;
  /** What is in them at first; `null` for a new one. */
  values: Values | null;
  errors: FormErrors<keyof F & string>;
};

/** The inputs of fields, in a form that `fieldRules` checks. */
export const FieldInputs = <F extends FeatureFields>({ fields, values, errors }: FieldInputsProps<F>) =>
  namesOf(fields).map((name) => (
    <FieldInput key={name} name={name} field={fields[name]} value={values?.[name]} error={errors[name]} />
  ));

type FieldInputProps = {
  name: string;
  field: FeatureField | undefined;
  value: unknown;
  error: string | undefined;
};

const FieldInput = ({ name, field, value, error }: FieldInputProps): ReactNode => {
  if (field === undefined) return null;
  if (field.kind === "boolean")
    return <Checkbox name={name} label={field.label} defaultChecked={value === true} />;
  const props = { name, defaultValue: String(value ?? ""), required: field.isRequired === true };
  return (
    <Field label={field.label} error={error}>
      {controlOf(field, props)}
    </Field>
  );
};

const controlOf = (
  field: FeatureField,
  props: { name: string; defaultValue: string; required: boolean },
): ReactNode => {
  if (field.kind === "long") return <Textarea rows={4} maxLength={fieldLengths.long} {...props} />;
  if (field.kind === "choice")
    return (
      <Select
        {...props}
        options={[["", field.isRequired ? "Choose…" : "None"], ...Object.entries(field.options)]}
      />
    );
  return <Input {...inputs[field.kind]} {...props} />;
};

const inputs = {
  text: { maxLength: fieldLengths.text },
  number: { inputMode: "decimal" },
  date: { type: "date" },
  email: { type: "email", maxLength: fieldLengths.email },
  url: { type: "url", maxLength: fieldLengths.url, placeholder: "https://" },
  boolean: {},
} as const;

/** The rules of a form with `FieldInputs`. */
export const fieldRules = <F extends FeatureFields>(fields: F): FormRules<keyof F & string> => {
  const rules = namesOf(fields).map((name) => {
    const field = fields[name];
    return [name, (typed: string) => (field === undefined ? null : complaintAbout(field, typed.trim()))];
  });
  // One for each name.
  return Object.fromEntries(rules) as FormRules<keyof F & string>;
};

const complaintAbout = ({ kind, isRequired }: FeatureField, typed: string): string | null => {
  const isRight = typed === "" ? isRequired !== true : (checks[kind]?.(typed) ?? true);
  return isRight || kind === "boolean" ? null : fieldComplaints[kind];
};

type Declared = Pick<AnyFeature, "name" | "contract">;

const modules: { readonly [module: string]: { readonly [name: string]: string } } = ownCalls;

/**
 * The operations of a feature with the types of its contract: `featureClient<typeof notes>("notes")`. Throws as `api` does.
 * `addressOf` is where the browser gets the file that one answers.
 */
export const featureClient = <F extends Declared>(name: F["name"]) => {
  const module = moduleOf({ name });
  const lines = modules[module] ?? {};
  const place = (operation: string, input: object) =>
    placeCall(`${module}.${operation}`, lines[operation] ?? "", input);
  const client = Object.fromEntries(
    Object.keys(lines).map((operation) => [
      operation,
      (input: object = {}) => sendPlaced(place(operation, input)),
    ]),
  );
  return {
    client: typed<F>(client),
    addressOf: (operation: keyof F["contract"] & string, input: object): string =>
      place(operation, input).target,
  };
};

/** The table of calls was written from the contract that the type is made of: a test compares them. */
const typed = <F extends Declared>(client: object) => client as ClientOf<F["contract"]>;

const checks: { readonly [Kind in FeatureField["kind"]]?: (typed: string) => boolean } = {
  number: (typed) => Number.isFinite(Number(typed)),
  email: (typed) => emailComplaint(typed) === null,
  url: isWebAddress,
};

/** What was typed into `FieldInputs`, as operations take it. */
export const typedValues = <F extends FeatureFields>(
  fields: F,
  typed: { readonly [Name in keyof F]: string },
): FieldValues<F> => {
  const values = namesOf(fields).map((name) => [name, valueTyped(fields[name]?.kind, typed[name].trim())]);
  // Each is of its field's kind.
  return Object.fromEntries(values) as FieldValues<F>;
};

const valueTyped = (kind: FeatureField["kind"] | undefined, typed: string) => {
  if (kind === "boolean") return typed !== "";
  if (typed === "") return null;
  return kind === "number" ? Number(typed) : typed;
};

/** The value of a field as people read it; nothing for an empty one. */
export const FieldValue = ({ field, value }: { field: FeatureField; value: unknown }): ReactNode => {
  if (value === null || value === undefined) return null;
  if (field.kind === "boolean") return value === true ? "Yes" : "No";
  if (field.kind === "number") return new Intl.NumberFormat().format(Number(value));
  const text = String(value);
  if (field.kind === "choice") return Object.hasOwn(field.options, text) ? field.options[text] : text;
  if (field.kind === "long") return <span className="whitespace-pre-wrap">{text}</span>;
  const href = field.kind === "email" ? `mailto:${text}` : text;
  if (field.kind === "email" || (field.kind === "url" && isWebAddress(text)))
    return (
      <a href={href} rel="noreferrer" className="text-primary underline underline-offset-4">
        {text}
      </a>
    );
  return text;
};

/** Fields with their values, the empty ones left out. */
export const FieldFacts = ({ fields, values }: { fields: FeatureFields; values: Values }) => (
  <dl className="grid gap-4">
    {Object.entries(fields).map(
      ([name, field]) =>
        values[name] !== null && (
          <div key={name} className="grid gap-1">
            <dt className="text-muted-foreground text-sm">{field.label}</dt>
            <dd className="wrap-anywhere text-sm">
              <FieldValue field={field} value={values[name]} />
            </dd>
          </div>
        ),
    )}
  </dl>
);

/** Some rows of a list, and how many there are in all. */
type Found<Row> = { rows: Row[]; total: number; totalIsEstimate: boolean };

type ListPageProps<Row> = {
  title: string;
  lead?: ReactNode;
  /** What can be done on the page; `reload` is for what changes the list. */
  actions?: (reload: () => void, search: string) => ReactNode;
  /** Loads a page of what matches `search`. Declare it outside of components, so that it stays the same function. */
  load: (wanted: { search: string; limit: number; offset: number }) => Promise<Found<Row>>;
  searchHint?: string;
  /** What stands in place of a list without rows, and of one that a search has emptied. */
  none: string;
  children: (rows: Row[], reload: () => void) => ReactNode;
};

/** What a page with a list shows. */
export const listQuery = addressQuery({ search: textParam(), page: pageParam });

/** A page with a list: title, search, rows and the way to the others. Search and page are in the address bar. */
export const ListPage = <Row,>({
  title,
  lead,
  actions,
  load,
  searchHint = "Part of a text",
  none,
  children,
}: ListPageProps<Row>) => {
  const [{ search, page }, show] = useAddressQuery(listQuery);
  const { data, error, reload } = useLoad(
    useCallback(() => load({ search, ...pageBounds(page) }), [load, search, page]),
  );

  return (
    <div className="grid gap-6">
      <PageHeader title={title} lead={lead} actions={actions?.(reload, search)} />
      <ListSearch
        search={search}
        hint={searchHint}
        onSearch={(text) => show({ search: text, page: 1 }, "same-step")}
      />
      {error !== null && (
        <RetryAlert onRetry={reload}>{failureText(error, "The list could not be loaded.")}</RetryAlert>
      )}
      {data === null && error === null && <Skeleton className="h-40" />}
      {data !== null && (
        <Card className="overflow-hidden">
          {data.rows.length === 0 ? (
            <EmptyList Icon={Inbox} title={search === "" ? none : `Nothing matches “${search}”.`} />
          ) : (
            children(data.rows, reload)
          )}
          {data.total > 0 && (
            <ListPager
              {...data}
              {...pageBounds(page)}
              page={page}
              rows={data.rows.length}
              onPage={(next) => show({ page: next }, next === 1 ? "same-step" : "step")}
            />
          )}
        </Card>
      )}
    </div>
  );
};
