import { Field, Input } from "@atrium/plugin-sdk/ui";
import { X } from "lucide-react";
import { useMemo, useState } from "react";
import { countryTexts as texts } from "../rule-texts.ts";

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

// ISO 3166-1 alpha-2, as the assigned codes stand.
const codes =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

/** A country by its code, with its name in the reader's language. */
export type Country = { code: string; name: string };

/** Writes a country's name in the reader's language; a code that has none stays as it is. */
export const countryNamer = (locale?: string): ((code: string) => string) => {
  const names = new Intl.DisplayNames(locale === undefined ? [] : [locale], {
    type: "region",
    fallback: "code",
  });
  return (code) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code);
};

/** All countries, by name. */
export const allCountries = (locale?: string): Country[] => {
  const nameOf = countryNamer(locale);
  const { compare } = new Intl.Collator(locale);
  return codes
    .split(" ")
    .map((code) => ({ code, name: nameOf(code) }))
    .sort((a, b) => compare(a.name, b.name));
};

/** Those whose name has the text in it, whatever its accents and case, or whose code it is. */
export const findCountries = (countries: readonly Country[], text: string): Country[] => {
  const wanted = plain(text);
  return countries.filter(({ code, name }) => plain(name).includes(wanted) || plain(code) === wanted);
};

const plain = (text: string): string =>
  text
    .trim()
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase();
