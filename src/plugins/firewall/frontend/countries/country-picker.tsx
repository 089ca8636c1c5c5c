import { Field, Input } from "@atrium/plugin-sdk/ui";
import { X } from "lucide-react";
import { useMemo, useState } from "react";
import { countryTexts as texts } from "../rule-texts.ts";
import { allCountries, countryNamer, findCountries } from "./countries.ts";

type CountryPickerProps = { codes: readonly string[]; onChange: (codes: string[]) => void };

/** Chooses countries: those chosen stand above, the others are found by name or code. */
export const CountryPicker = ({ codes, onChange }: CountryPickerProps) => {
  const [search, setSearch] = useState("");
  const countries = useMemo(() => allCountries(), []);
  const nameOf = useMemo(() => countryNamer(), []);
  const found = findCountries(countries, search);
  const isChosen = new Set(codes);
  const toggle = (code: string) =>
    onChange(isChosen.has(code) ? codes.filter((other) => other !== code) : [...codes, code].sort());
  return (
    <div className="grid grid-cols-1 gap-4">
      <ul className="flex flex-wrap gap-2 empty:hidden">
        {codes.map((code) => (
          <li key={code}>
            <button
              type="button"
              aria-label={texts.remove(nameOf(code))}
              title={texts.remove(nameOf(code))}
              onClick={() => toggle(code)}
              className="inline-flex h-11 cursor-pointer items-center gap-1.5 rounded-full border border-border bg-muted px-3 text-[0.8125rem] outline-none hover:bg-accent focus-visible:ring-2 focus-visible:ring-ring md:h-7"
            >
              {nameOf(code)}
              <X aria-hidden="true" className="size-3.5" />
            </button>
          </li>
        ))}
      </ul>
      <Field label={texts.find} className="max-w-sm">
        <Input
          type="search"
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          // Enter would save the form around it.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
      </Field>
      <fieldset className="rounded-md border border-border">
        <legend className="sr-only">{texts.list}</legend>
        <ul className="grid max-h-72 grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] overflow-y-auto p-2">
          {found.map(({ code, name }) => (
            <li key={code}>
              <label className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-sm px-2 text-sm hover:bg-muted md:min-h-8">
                <input
                  type="checkbox"
                  checked={isChosen.has(code)}
                  onChange={() => toggle(code)}
                  className="size-4.5 shrink-0 accent-primary focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-ring md:size-4"
                />
                <span className="wrap-anywhere min-w-0 grow">{name}</span>
                <span className="text-muted-foreground text-xs">{code}</span>
              </label>
            </li>
          ))}
        </ul>
        {found.length === 0 && (
          <p role="status" className="p-4 text-center text-muted-foreground text-sm">
            {texts.noMatch}
          </p>
        )}
      </fieldset>
    </div>
  );
};
