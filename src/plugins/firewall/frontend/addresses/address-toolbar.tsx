import { Button, buttonVariants, Field, Select } from "@atrium/plugin-sdk/ui";
import { Download, Plus, Upload } from "lucide-react";
import { SearchField } from "../parts/search-field.tsx";
import { addressTexts as texts } from "../rule-texts.ts";
import { type AddressQuery, addressKinds, addressSorts } from "./address-query.ts";

type AddressToolbarProps = {
  query: AddressQuery;
  onChange: (change: Partial<AddressQuery>) => void;
  onAdd: () => void;
  onImport: () => void;
};

/** Narrows the lists down, and leads to what brings entries in and out. */
export const AddressToolbar = ({ query, onChange, onAdd, onImport }: AddressToolbarProps) => (
  <div className="flex flex-wrap items-end justify-between gap-4">
    <div className="grid w-full grid-cols-2 items-end gap-4 sm:w-auto sm:grid-cols-[minmax(0,18rem)_10rem_11rem]">
      <div className="max-sm:col-span-2">
        <SearchField
          search={query.search}
          hint={texts.searchHint}
          onSearch={(search) => onChange({ search })}
        />
      </div>
      <Field label={texts.kind}>
        <Select
          value={query.kind ?? ""}
          onChange={(event) =>
            onChange({ kind: addressKinds.find((kind) => kind === event.target.value) ?? null })
          }
        >
          <option value="">{texts.both}</option>
          {addressKinds.map((kind) => (
            <option key={kind} value={kind}>
              {texts.kinds[kind]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={texts.sort}>
        <Select
          value={query.sort}
          onChange={(event) =>
            onChange({ sort: addressSorts.find((sort) => sort === event.target.value) ?? "created" })
          }
        >
          {addressSorts.map((sort) => (
            <option key={sort} value={sort}>
              {texts.sorts[sort]}
            </option>
          ))}
        </Select>
      </Field>
    </div>
    <div className="flex flex-wrap gap-2">
      <Button onClick={onAdd}>
        <Plus aria-hidden="true" />
        {texts.add}
      </Button>
      <Button variant="outline" onClick={onImport}>
        <Upload aria-hidden="true" />
        {texts.import}
      </Button>
      {(["csv", "json"] as const).map((format) => (
        <a
          key={format}
          href={`/api/firewall/addresses/export?format=${format}`}
          download={`firewall-addresses.${format}`}
          className={buttonVariants({ variant: "outline" })}
        >
          <Download aria-hidden="true" />
          {format === "csv" ? texts.exportCsv : texts.exportJson}
        </a>
      ))}
    </div>
  </div>
);
